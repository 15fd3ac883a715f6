"""The game itself: turns, moves, the draw pile and winning.

Read ``state.py`` before this file, then ``perft.py`` and the files of the editions that differ,
which are named at the end of this one. They are subclasses that change single steps of it.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from typing import Self

from .board import Board, Pawn
from .cards import Moves, Turn, side_of
from .names import read_ruleset
from .reading import letter, read_extra, read_pawns, read_pile
from .rules_data import CIRCLE, COLOURS, DEFAULT_SEATS, NAMES, START, Ruleset, slide_table
from .state import WAITING, State


class ReferenceGame(State):
    """A position. It never changes: ``apply`` and ``draw`` give new games."""

    board_class: type[Board] = Board
    turn_class: type[Turn] = Turn
    _legal: Moves | None = None

    def _but(self, **changes: object) -> Self:
        return super()._but(_legal=None, **changes)

    @classmethod
    def new(
        cls,
        ruleset_name: str,
        seats: list[str] | None = None,
        first: str | None = None,
        hands: dict[str, list[str]] | None = None,
    ) -> ReferenceGame:
        """The first position, waiting for the first draw: all pawns in Start, the deck whole.

        ``quick`` and ``points`` have one pawn of each colour on its circle. The first seated
        colour in the order r b y g begins unless ``first`` names another. Where cards are held in
        the hand, ``hands`` is the deal (``{"red": ["1", "7", ...], ...}``).
        """
        rules = read_ruleset(ruleset_name)
        letters = [letter(name) for name in cls.seats_of(ruleset_name, seats)]
        turn = letters[0] if first is None else letter(first)
        if turn not in letters:
            raise ValueError(f"not seated: {first}")
        pawns = []
        for colour in letters:
            pawns += [Pawn(colour, START[colour]) for _ in range(rules.pawns - rules.on_circle)]
            pawns += [Pawn(colour, CIRCLE[colour]) for _ in range(rules.on_circle)]
        pile = None if rules.infinite else rules.deck_counts
        edition = _edition(rules)
        board = edition.board_class(pawns, slide_table(rules.slides))
        return edition(rules, board, turn, WAITING, pile)._deal(hands)

    @staticmethod
    def seats_of(ruleset_name: str, seats: list[str] | None = None) -> list[str]:
        """The seated colours in the order of the turns; the usual ones when none are named."""
        rules = read_ruleset(ruleset_name)
        if seats is None:
            count = 2 if 2 in rules.seat_counts else rules.seat_counts[0]
            return [NAMES[colour] for colour in DEFAULT_SEATS[count]]
        letters = sorted((letter(name) for name in seats), key=COLOURS.index)
        if len(set(letters)) != len(seats) or len(seats) not in rules.seat_counts:
            raise ValueError(f"seats not possible in {rules.name}: {seats}")
        return [NAMES[colour] for colour in letters]

    def _deal(self, hands: dict[str, list[str]] | None) -> ReferenceGame:
        if hands is not None:
            raise ValueError(f"no cards are dealt in {self.rules.name}")
        return self

    @classmethod
    def from_text(cls, position: str) -> ReferenceGame:
        """Read a position line; a line that is not exactly what ``text`` writes is an error."""
        parts = position.split(" ")
        if len(parts) != 8:
            raise ValueError(f"a position has eight fields: {position!r}")
        name, places, turn, phase, card, deck, hands, extra = parts
        rules = read_ruleset(name)
        edition = _edition(rules)
        board = edition.board_class(read_pawns(places), slide_table(rules.slides))
        game = edition(rules, board, turn.partition(">")[0], card, read_pile(rules, deck))
        game.phase = phase
        pairs = read_extra(extra)
        game.winner = pairs.get("winner")
        game._read(turn, hands, pairs)
        problems = game._problems()
        if problems:
            raise ValueError("impossible position: " + ", ".join(problems))
        if game.text() != position:
            raise ValueError(f"not the way to write this position: {position!r}")
        return game

    def _read(self, turn: str, hands: str, extra: dict[str, str]) -> None:
        """Take over what only this edition has in its position lines."""

    # ---- winning --------------------------------------------------------------------------

    def outcome(self, reward: str = "win") -> dict[str, Fraction] | None:
        """Each winner +1, the losers share the same total as a loss; None while it goes on.

        With ``points`` the scores, where the ruleset has them.
        """
        if reward != "win" and not (reward == "points" and self.rules.pawn_points):
            raise ValueError(f"no such reward here: {reward!r}")
        if not self.over:
            return None
        if reward == "points":
            return self._scores()
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

    def _scores(self) -> dict[str, Fraction]:
        """By name; partners share the score of their team."""
        scores = {side: self._score(side) for side in self.sides()}
        if self.rules.two_agents:
            return {"red": scores["ry"], "blue": scores["bg"]}
        return {NAMES[c]: scores[s] for c in self.seats for s in self.sides() if c in s}

    def _home(self, colours: str) -> int:
        return sum(pawn.is_home() for pawn in self.board.pawns if pawn.colour in colours)

    def _score(self, side: str) -> Fraction:
        """Something for every own pawn Home; the winner adds the opponents' pawns and one bonus.

        The opponents' pawns that count are those not Home, or in 1939 those that are. The bonus
        is for no opponent with a pawn Home, else none with more than one, else more than two.
        Each opposing colour is an opponent.
        """
        each = self.rules.pawn_points
        score = each * self._home(side)
        if side == self.winner:
            homes = [self._home(colour) for colour in self.seats if colour not in side]
            if self.rules.winner_counts == "opponents_home":
                score += each * sum(homes)
            else:
                score += each * sum(self.rules.pawns - home for home in homes)
            for limit, bonus in enumerate(self.rules.bonuses):
                if max(homes, default=0) <= limit:
                    score += bonus
                    break
        return Fraction(score)

    # ---- moves ----------------------------------------------------------------------------

    def _moves(self) -> Moves:
        if self.waiting:
            raise ValueError("waiting for chance: there is nothing to decide")
        if self._legal is None:
            self._legal = {} if self.over else self._decisions()
        return self._legal

    def _decisions(self) -> Moves:
        """Every move of this phase, with the board it leads to."""
        return self.turn_class(self.rules, self.board, self.turn, self.card).legal()

    def legal(self) -> list[str]:
        """The legal moves, sorted by text; none when the game is over."""
        return sorted(self._moves())

    def apply(self, move: str) -> ReferenceGame:
        """Play a move."""
        moves = self._moves()
        if move not in moves:
            raise ValueError(f"not legal here: {move!r}")
        return self._but(board=moves[move])._played(move)

    def _played(self, move: str) -> ReferenceGame:
        """The pawns have moved. Is that the end? If not, the card is discarded."""
        finished = [side for side in self.sides() if self.finished(side)]
        after = self
        if finished and self.winner is None:
            after = self._but(winner=finished[0])
        if after._decided():
            return after._but(phase="over", card="-")
        return after._card_done(move)

    def _card_done(self, move: str) -> ReferenceGame:
        """After a 2 (or as the edition has it), played or not, the same seat draws again."""
        if self.card in self.rules.draw_again and not self.finished(self.side()):
            return self._but(card=WAITING, phase="move")
        return self._turn_done()

    def _turn_done(self) -> ReferenceGame:
        """Play passes clockwise among the seated colours; finished ones are skipped.

        A team's colour that is all Home is not skipped: it keeps drawing and plays for the
        partner.
        """
        place = self.seats.index(self.turn)
        clockwise = self.seats[place + 1 :] + self.seats[: place + 1]
        following = (seat for seat in clockwise if not self.finished(side_of(self.rules, seat)))
        return self._but(turn=next(following))._turn_begins()

    def _turn_begins(self) -> ReferenceGame:
        """A turn begins with a draw."""
        return self._but(card=WAITING, phase="move")

    # ---- cards ----------------------------------------------------------------------------

    def _pile_to_draw_from(self) -> dict[str, int]:
        """When the pile is empty, the discards are shuffled into a new one.

        While a draw is awaited no card is in play, so the discards are then the whole deck but
        for what players hold.
        """
        if self.card != WAITING:
            raise ValueError("no draw is due")
        whole = self.rules.deck_counts
        if self.pile is None:
            return whole
        if sum(self.pile.values()) == 0:
            out = self.cards_out()
            return {card: count - out.count(card) for card, count in whole.items()}
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
        return self._but(pile=left)._drawn(card)

    def _drawn(self, card: str) -> ReferenceGame:
        return self._but(card=card)


@cache
def _edition(rules: Ruleset) -> type[ReferenceGame]:
    """The class that knows what is different in an edition. (Those files build on this one.)

    Put together from one class for each thing that it has: hands or questions, turbo squares,
    tokens or moods, cards of one's own.
    """
    from .bump_em import BumpGame, BumpTurn
    from .effects import EffectTurn
    from .fire_ice import FireIceGame, FireIceTurn
    from .hands import HandGame
    from .not_sorry import QuestionGame
    from .way_sorry import WayGame, WayTurn

    having = (
        (rules.hand, HandGame),
        (rules.that("question"), QuestionGame),
        (rules.turbo, BumpGame),
        (rules.tokens, FireIceGame),
        (rules.moods or rules.that("repeat"), WayGame),
    )
    parts = tuple(part for has, part in having if has) or (ReferenceGame,)
    turns = {"fire-and-ice": FireIceTurn, "bump-em": BumpTurn, "way-sorry": WayTurn}
    turn_class = EffectTurn if rules.effects else turns.get(rules.base, Turn)
    boards = [part.board_class for part in parts if part.board_class is not Board]
    fields = {"turn_class": turn_class, "board_class": boards[0] if boards else Board}
    return type("Edition", parts, fields)
