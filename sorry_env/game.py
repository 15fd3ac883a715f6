"""`Game`: one game for people and programs that want every step checked and explained.

The careful door to the engine: an illegal move or an impossible card is refused with the value, the
position's card and the reason, and changes nothing. Playing, taking back and copying are what they
are in every game, see `playing.py`. Read `view.py` before and `notation/position.py` after this
file.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from os import PathLike

import numpy as np

from sorry_env.engine import single
from sorry_env.engine.arguments import first_seat
from sorry_env.engine.audit import audit
from sorry_env.engine.rng import check_seed, given_or_fresh_seed, seed_state
from sorry_env.engine.state import GAME, START, empty_games
from sorry_env.engine.tables import RuleTables, compile_rules
from sorry_env.errors import PositionError, RequestError
from sorry_env.move import UNDRAWN, Move, Part
from sorry_env.playing import Playing, check_record
from sorry_env.rules import COLOURS, Ruleset, choose_seats, load_ruleset
from sorry_env.view import Outcome, Reader, View

__all__ = ["DRAWN", "UNDRAWN", "Game", "Move", "Outcome", "Part", "View"]

#: What chance gives to the seat in turn.
DRAWN = "card"


class Game(Reader, Playing[Move]):
    """One game.

    ruleset: a Ruleset, its name or its YAML file, as `rules.load_ruleset` takes them
    seats:   None, a number, `red,yellow`, or colours as names or indices
    seed:    from 0 to 2**64 - 1; None takes one from the system
    first:   the colour that begins, `random`, or None for the first seated
    draw:    False leaves the game waiting for its first card

    Raises RulesetError or RequestError for settings that the ruleset does not allow.
    """

    def __init__(
        self,
        ruleset: Ruleset | str | PathLike[str] = "classic",
        seats: int | str | Iterable[int | str] | None = None,
        *,
        seed: int | None = None,
        first: int | str | None = None,
        draw: bool = True,
    ) -> None:
        chance = given_or_fresh_seed(seed)
        self.tables = compile_rules(load_ruleset(ruleset))
        seated = choose_seats(self.ruleset, seats)
        self.state = empty_games(1)
        self.state[0]["pawns"][list(seated)] = START
        self.state["rng"] = seed_state(chance)
        self._history: list[bytes] = []
        single.set_up(self.tables.arrays, self.state, 0, first_seat(first, seated))
        if draw and self.waiting:
            self.draw()

    @classmethod
    def from_state(cls, tables: RuleTables, state: np.ndarray, *, seed: int | None = None) -> Game:
        """A game that goes on from a record GAME[1], which is copied.

        seed: replaces the record's random state
        Raises PositionError, naming every fault, for a record that no game can be in.
        """
        chance = None if seed is None else seed_state(check_seed(seed))
        check_record(state, GAME)
        faults = audit(tables, state[0])
        if faults:
            raise PositionError("not a possible position: " + "; ".join(faults), value=faults)
        game = cls.__new__(cls)
        game.tables = tables
        game.state = state.copy()
        if chance is not None:
            game.state["rng"] = chance
        game._history = []
        return game

    def _advance(self, action: int) -> None:
        single.play(self.tables.arrays, self.state, 0, action)

    def draw(self, card: str | None = None) -> None:
        """Turn up the next card of a game that waits for one.

        card: the card's name; None draws by the game's own chance
        Raises RequestError where no card is due or the pile has no such card.
        """
        if not self.waiting:
            raise RequestError(f"no card is due: card is {self.card!r}", value=card)
        arrays, (mask, work) = self.tables.arrays, self.scratch()
        if card is None:
            single.draw(arrays, self.state, 0, mask, work)
            return
        known = [name for name, _ in self.chances()]
        if card not in known:
            raise RequestError(
                f"draw {card!r} must be one of what is left, {' '.join(known)}", value=card
            )
        if self.phase == "answer":
            single.answer(self.state, 0, card == "yes")
        else:
            index = self.ruleset.card_names.index(card)
            single.draw_card(arrays, self.state, 0, index, mask, work)

    def chances(self) -> tuple[tuple[str, Fraction], ...]:
        """What chance decides among next, with exact probabilities that add up to 1.

        Names of cards, or `yes` and `no` where the coin answers; () where nothing is due.
        """
        if not self.waiting:
            return ()
        if self.phase == "answer":
            p_yes = Fraction(str(self.ruleset.p_yes))
            both = (("yes", p_yes), ("no", 1 - p_yes))
            return tuple((word, chance) for word, chance in both if chance)
        pile = self.state.copy()
        single.refill(self.tables.arrays, pile, 0)
        counts = pile["deck"][0, : len(self.ruleset.cards)].tolist()
        names = self.ruleset.card_names
        return tuple(
            (name, Fraction(count, sum(counts)))
            for name, count in zip(names, counts, strict=True)
            if count
        )

    def view(self, seat: int | None = None) -> View:
        """What a seat (or, without one, a spectator) may see; a copy that does not change."""
        if seat is not None and seat not in self.seats:
            raise RequestError(f"seat {seat!r} is not one of {self.seats}", value=seat)
        return View(self.tables, self.state, seat)

    def _where(self) -> str:
        return f"{COLOURS[self.actor]} to decide, phase {self.phase}, card {self.card}"
