"""Fire & Ice (edition ``fire-and-ice``): two tokens that pawns carry.

Read ``reference.py`` before this file. A token is a mark on its pawn.
"""

from __future__ import annotations

from .board import Board, Pawn, square_after
from .cards import Moves, Turn
from .reference import ReferenceGame
from .rules_data import HOME, OUTER, OUTER_SET, Slide
from .state import WAITING

FIRE, ICE = "fire", "ice"
CORNERS = tuple(OUTER[15 * side] for side in range(4))
FORWARD = {"1": 1, "2": 2, "3": 3, "5": 5, "7": 7, "8": 8, "10": 10, "11": 11, "12": 12}


class IceBoard(Board):
    """A pawn with Ice cannot move, be moved, bumped, switched or taken; jumping it is legal."""

    def fixed(self, pawn: Pawn) -> bool:
        """It carries the Ice."""
        return ICE in pawn.marks

    def slide_forbidden(self, slide: Slide) -> bool:
        """A slide that would end on it is illegal; a slide over it leaves it in place."""
        return any(self.fixed(p) and p.square == slide.squares[-1] for p in self.pawns)

    def with_token(self, token: str, number: int | None) -> Board:
        """The token moved to a pawn, or off the board."""
        after = self.copy()
        for other, pawn in enumerate(after.pawns):
            pawn.marks = pawn.marks | {token} if other == number else pawn.marks - {token}
        return after


class FireIceTurn(Turn):
    """The cards of this edition."""

    def moves(self) -> Moves:
        """Any card that can move forward also takes a pawn out of Start to the circle.

        A 7 used so is used whole. Sorry! is as in classic, or one pawn moves 4, a free choice.
        """
        if self.card == "4":
            return self.steps(-4)
        if self.card == "S":
            return {**self.sorry(), **self.steps(4)}
        moves = {**self.out_of_start(), **self.steps(FORWARD[self.card])}
        if self.card == "7":
            moves |= self.split(7)
        if self.card == "10":
            moves |= self.steps(-1)
        if self.card == "11":
            # Where the pass is concerned, only_switches sees whether anything else is possible.
            moves |= self.switches()
        return moves


class FireIceGame(ReferenceGame):
    """The phases ``fire``, ``ice``, ``token`` and ``home`` around the classic turn."""

    board_class = IceBoard
    turn_class = FireIceTurn

    # ---- text -----------------------------------------------------------------------------

    def _extra(self) -> dict[str, str]:
        """The squares of the pawns that carry the tokens."""
        tokens = {token: p.square for token in (FIRE, ICE) for p in self.board.marked(token)}
        return {**super()._extra(), **tokens}

    def _read(self, turn: str, hands: str, extra: dict[str, str]) -> None:
        for token in (FIRE, ICE):
            if token in extra:
                carriers = [p for p in self.board.pawns if p.square == extra[token]]
                if len(carriers) != 1 or carriers[0].in_start() or carriers[0].is_home():
                    raise ValueError(f"nobody to carry {token} on {extra[token]}")
                carriers[0].marks |= {token}

    def _cards_of_phase(self) -> dict[str, tuple[str, ...]]:
        return {
            **super()._cards_of_phase(),
            "fire": ("-",),
            "ice": self.rules.that("ice"),
            "token": self.rules.that("fire"),
            "home": self.rules.cards,
        }

    def _problems(self) -> list[str]:
        problems = super()._problems()
        if any(not pawn.on_track() for pawn in self.board.marked(ICE)):
            problems.append("ice off the outer track")
        if self.phase == "fire" and not self._advance():
            problems.append("no Fire to advance")
        if self.phase == "home":
            someone_home = any(p.is_home() and p.colour == self.turn for p in self.board.pawns)
            if self.board.marked(FIRE) or not someone_home or not self._companions():
                problems.append("no companion to choose")
        return problems

    # ---- the turn -------------------------------------------------------------------------

    def _turn_begins(self) -> ReferenceGame:
        """Before drawing, the Fire pawn may advance; that phase exists only when it is legal."""
        if self._advance():
            return self._but(phase="fire", card="-")
        return super()._turn_begins()

    def _drawn(self, card: str) -> ReferenceGame:
        """On a 1 the Ice is moved first, on a 2 the Fire may be."""
        for word, phase in (("ice", "ice"), ("fire", "token")):
            if card in self.rules.that(word):
                return self._but(card=card, phase=phase)
        return super()._drawn(card)

    def _decisions(self) -> Moves:
        if self.phase == "fire":
            return {**self._advance(), "fire:no": self.board}
        if self.phase == "ice":
            return self._ice()
        if self.phase == "token":
            return self._token()
        if self.phase == "home":
            return self._companions()
        return super()._decisions()

    def _played(self, move: str) -> ReferenceGame:
        if self.phase == "fire":
            return self._but(phase="move", card=WAITING)
        if self.phase in ("ice", "token"):
            return self._but(phase="move")
        # The whole move has been played. If the Fire is Home now, it leaves the board.
        if self.phase == "move" and any(pawn.is_home() for pawn in self.board.marked(FIRE)):
            after = self._but(board=self._board().with_token(FIRE, None))
            if after._companions():
                return after._but(phase="home")
            return super(FireIceGame, after)._played(move)
        return super()._played(move)

    # ---- what can be decided ----------------------------------------------------------------

    def _board(self) -> IceBoard:
        assert isinstance(self.board, IceBoard)
        return self.board

    def _advance(self) -> Moves:
        """The Fire pawn of the colour in turn goes forward to the next corner square.

        By the normal rules of landing; not in the safety zone, nor when its own entry lies before
        the corner, nor when it carries the Ice as well.
        """
        for number, pawn in enumerate(self.board.pawns):
            if FIRE in pawn.marks and pawn.colour == self.turn and pawn.on_track():
                steps, square = 1, square_after(pawn.colour, pawn.square)
                while square in OUTER_SET and square not in CORNERS:
                    steps, square = steps + 1, square_after(pawn.colour, square)
                result = self.board.walk(number, steps) if square in CORNERS else None
                if result is not None:
                    return {f"fire:{pawn.square}-{result[0]}": result[1]}
        return {}

    def _ice(self) -> Moves:
        """The Ice must go to an opponents' pawn on the outer track that does not carry it.

        If there is none it leaves the board.
        """
        moves: Moves = {}
        for number, pawn in enumerate(self.board.pawns):
            if pawn.colour != self.turn and pawn.on_track() and ICE not in pawn.marks:
                moves[f"ice:{pawn.square}"] = self._board().with_token(ICE, number)
        return moves or {"ice:off": self._board().with_token(ICE, None)}

    def _token(self) -> Moves:
        """The Fire may go to any own pawn on the track or in the zone that does not carry it."""
        moves: Moves = {"token:no": self.board}
        for number, pawn in enumerate(self.board.pawns):
            on_board = not pawn.in_start() and not pawn.is_home()
            if pawn.colour == self.turn and on_board and FIRE not in pawn.marks:
                moves[f"token:{pawn.square}"] = self._board().with_token(FIRE, number)
        return moves

    def _companions(self) -> Moves:
        """One more own pawn without Ice, from anywhere, goes Home with the Fire pawn."""
        moves: Moves = {}
        for number, pawn in enumerate(self.board.pawns):
            if pawn.colour == self.turn and not pawn.is_home() and not self.board.fixed(pawn):
                after = self.board.copy()
                after.pawns[number].square = HOME[pawn.colour]
                moves[f"home:{pawn.square}"] = after
        return moves
