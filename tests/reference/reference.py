"""The game itself: turns, the draw pile, winning, and the position as one line of text.

Read ``cards.py`` before this file and ``perft.py`` after it.
"""

from __future__ import annotations

from fractions import Fraction

from .board import Board, Pawn
from .cards import TEAMS, Moves, Turn, side_of
from .rules_data import (
    ADVANCE,
    CARDS,
    CIRCLE,
    COLOURS,
    DEFAULT_SEATS,
    LETTERS,
    NAMES,
    START,
    Ruleset,
    read_ruleset,
)

WAITING = "?"


class ReferenceGame:
    """A position. It never changes: ``apply`` and ``draw`` give new games."""

    def __init__(
        self,
        rules: Ruleset,
        board: Board,
        turn: str,
        card: str,
        pile: dict[str, int] | None,
        winner: str | None = None,
        over: bool = False,
    ) -> None:
        self.rules = rules
        self.board = board
        self.turn = turn
        self.card = card
        self.pile = pile  # None: infinite
        self.winner = winner  # a colour, or the two of a team
        self.over = over
        present = {pawn.colour for pawn in board.pawns}
        self.seats = [colour for colour in COLOURS if colour in present]
        self._legal: Moves | None = None

    @classmethod
    def new(
        cls, ruleset_name: str, seats: list[str] | None = None, first: str | None = None
    ) -> ReferenceGame:
        """The first position, waiting for the first draw: all pawns in Start, the deck whole.

        ``quick`` has one pawn of each colour on its circle. The first seated colour in the order
        r b y g begins unless ``first`` names another.
        """
        rules = read_ruleset(ruleset_name)
        if seats is None:
            count = 2 if 2 in rules.seat_counts else rules.seat_counts[0]
            letters = list(DEFAULT_SEATS[count])
        else:
            letters = sorted((_letter(name) for name in seats), key=COLOURS.index)
            if len(set(letters)) != len(seats) or len(seats) not in rules.seat_counts:
                raise ValueError(f"seats not possible in {rules.name}: {seats}")
        turn = letters[0] if first is None else _letter(first)
        if turn not in letters:
            raise ValueError(f"not seated: {first}")
        pawns = []
        for colour in letters:
            pawns += [Pawn(colour, START[colour]) for _ in range(rules.pawns - rules.on_circle)]
            pawns += [Pawn(colour, CIRCLE[colour]) for _ in range(rules.on_circle)]
        pile = None if rules.infinite else rules.deck_counts
        return cls(rules, Board(pawns), turn, WAITING, pile)

    # ---- text -----------------------------------------------------------------------------

    @classmethod
    def from_text(cls, position: str) -> ReferenceGame:
        """Read a position line; a line that is not exactly what ``text`` writes is an error."""
        parts = position.split(" ")
        if len(parts) != 8:
            raise ValueError(f"a position has eight fields: {position!r}")
        name, places, turn, phase, card, deck, _hands, extra = parts
        rules = read_ruleset(name)
        winner = extra.removeprefix("winner=") if extra.startswith("winner=") else None
        game = cls(
            rules, _read_board(places), turn, card, _read_pile(rules, deck), winner, phase == "over"
        )
        game._check()
        if game.text() != position:
            raise ValueError(f"not the way to write this position: {position!r}")
        return game

    def text(self) -> str:
        """RULESET PAWNS TURN PHASE CARD DECK HANDS EXTRA, single spaces."""
        if self.pile is None:
            deck = "*"
        else:
            deck = ".".join(str(self.pile[card]) for card in CARDS)
        phase = "over" if self.over else "move"
        extra = f"winner={self.winner}" if self.winner else "-"
        board = self.board.text()
        return f"{self.rules.name} {board} {self.turn} {phase} {self.card} {deck} - {extra}"

    def _check(self) -> None:
        """What must hold in every position that is read."""
        problems = []
        if len(self.seats) not in self.rules.seat_counts:
            problems.append("number of seats")
        if self.turn not in self.seats:
            problems.append("turn of a colour that is not seated")
        squares = []
        for colour in self.seats:
            own = [pawn for pawn in self.board.pawns if pawn.colour == colour]
            if len(own) != self.rules.pawns:
                problems.append(f"number of pawns of {colour}")
            squares += [p.square for p in own if not p.in_start() and not p.is_home()]
        if len(set(squares)) != len(squares):
            problems.append("two pawns on one square")
        if self.card not in (("-",) if self.over else (WAITING, *CARDS)):
            problems.append("card")
        problems += self._pile_problems()
        finished = [side for side in self.sides() if self.finished(side)]
        if bool(finished) != bool(self.winner) or (self.winner and self.winner not in finished):
            problems.append("winner")
        if len(finished) > 1 and not self.rules.play_out:
            problems.append("two have finished")
        if self.over != self._decided():
            problems.append("phase")
        if not self.over and side_of(self.rules, self.turn) in finished:
            problems.append("turn of a colour that has finished")
        if problems:
            raise ValueError("impossible position: " + ", ".join(problems))

    def _pile_problems(self) -> list[str]:
        whole = self.rules.deck_counts
        if self.pile is None:
            return [] if self.card not in whole or whole[self.card] else ["card not in the deck"]
        for card in CARDS:
            in_play = 1 if card == self.card else 0
            if self.pile[card] + in_play > whole[card]:
                return ["draw pile"]
        return []

    # ---- sides and winning ----------------------------------------------------------------

    def sides(self) -> list[str]:
        """Those who win together: the two teams, or each seated colour alone."""
        return list(TEAMS) if self.rules.teams else self.seats

    def finished(self, side: str) -> bool:
        """All pawns of the side are Home."""
        return all(pawn.is_home() for pawn in self.board.pawns if pawn.colour in side)

    def _decided(self) -> bool:
        """The first side with all pawns Home wins at once; play_out goes on for the ranking.

        It goes on until all but one have finished.
        """
        if self.winner is None:
            return False
        if not self.rules.play_out:
            return True
        unfinished = [side for side in self.sides() if not self.finished(side)]
        return len(unfinished) <= 1

    def outcome(self) -> dict[str, Fraction] | None:
        """Each winner +1, the losers share the same total as a loss; None while it goes on."""
        if not self.over:
            return None
        assert self.winner is not None
        if self.rules.two_agents:
            red_won = Fraction(1 if self.winner == "ry" else -1)
            return {"red": red_won, "blue": -red_won}
        winners = [colour for colour in self.seats if colour in self.winner]
        losers = [colour for colour in self.seats if colour not in self.winner]
        result = {}
        for colour in self.seats:
            won = colour in winners
            result[NAMES[colour]] = Fraction(1) if won else Fraction(-len(winners), len(losers))
        return result

    # ---- moves ----------------------------------------------------------------------------

    def _moves(self) -> Moves:
        if self.card == WAITING:
            raise ValueError("waiting for a draw: there is no card to play")
        if self._legal is None:
            over = self.over
            self._legal = (
                {} if over else Turn(self.rules, self.board, self.turn, self.card).legal()
            )
        return self._legal

    def legal(self) -> list[str]:
        """The legal moves, sorted by text; none when the game is over."""
        return sorted(self._moves())

    def apply(self, move: str) -> ReferenceGame:
        """Play a move. The card is then discarded and the next draw is due, unless it is over."""
        moves = self._moves()
        if move not in moves:
            raise ValueError(f"not legal here: {move!r}")
        after = ReferenceGame(
            self.rules, moves[move], self.turn, WAITING, self.pile, self.winner
        )
        side = side_of(self.rules, self.turn)
        if after.winner is None and after.finished(side):
            after.winner = side
        if after._decided():
            after.over = True
            after.card = "-"
        else:
            after.turn = after._next_turn(self.card)
        return after

    def _next_turn(self, card: str) -> str:
        """Play passes clockwise among the seated colours; finished ones are skipped.

        After a 2, played or not, the same seat draws again. A team's colour that is all Home is
        not skipped: it keeps drawing and plays for the partner.
        """
        if card == "2" and not self.finished(side_of(self.rules, self.turn)):
            return self.turn
        place = self.seats.index(self.turn)
        clockwise = self.seats[place + 1 :] + self.seats[: place + 1]
        return next(seat for seat in clockwise if not self.finished(side_of(self.rules, seat)))

    # ---- cards ----------------------------------------------------------------------------

    def _pile_to_draw_from(self) -> dict[str, int]:
        """When the pile is empty, the discards are shuffled into a new one.

        While a draw is awaited no card is in play, so the discards are then the whole deck.
        """
        if self.card != WAITING:
            raise ValueError("no draw is due")
        if self.pile is None or sum(self.pile.values()) == 0:
            return self.rules.deck_counts
        return self.pile

    def draws(self) -> dict[str, Fraction]:
        """The cards that can come: a uniform choice among the cards left."""
        pile = self._pile_to_draw_from()
        total = sum(pile.values())
        return {card: Fraction(count, total) for card, count in pile.items() if count}

    def draw(self, card: str) -> ReferenceGame:
        """That card is drawn: it leaves the pile and is played next."""
        pile = self._pile_to_draw_from()
        if not pile.get(card):
            raise ValueError(f"cannot be drawn here: {card!r}")
        left = None
        if self.pile is not None:
            left = {other: count - (other == card) for other, count in pile.items()}
        return ReferenceGame(self.rules, self.board, self.turn, card, left, self.winner)


def _letter(name: str) -> str:
    if name not in LETTERS:
        raise ValueError(f"no such colour: {name!r}")
    return LETTERS[name]


def _read_board(text: str) -> Board:
    """The four colours in the order r b y g, joined by a stroke."""
    parts = text.split("/")
    if len(parts) != 4:
        raise ValueError(f"four colours are expected: {text!r}")
    pawns = []
    for colour, part in zip(COLOURS, parts, strict=True):
        for square in part.split(",") if part != "-" else ():
            if square not in ADVANCE[colour]:
                raise ValueError(f"no square of {NAMES[colour]}: {square!r}")
            pawns.append(Pawn(colour, square))
    return Board(pawns)


def _read_pile(rules: Ruleset, text: str) -> dict[str, int] | None:
    """The cards left in card order, or a star for the infinite deck."""
    if rules.infinite:
        if text != "*":
            raise ValueError("the infinite deck is written *")
        return None
    parts = text.split(".")
    if len(parts) != len(CARDS) or not all(part.isascii() and part.isdigit() for part in parts):
        raise ValueError(f"no draw pile: {text!r}")
    return {card: int(part) for card, part in zip(CARDS, parts, strict=True)}
