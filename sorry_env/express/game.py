"""`ExpressGame`: one game of dice for people and programs, every step checked and explained.

Read `view.py` before and `notation.py` after this file.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from functools import lru_cache
from itertools import product
from typing import Any, ClassVar

import numpy as np

from sorry_env.engine.rng import check_seed, given_or_fresh_seed, seed_state
from sorry_env.errors import PositionError, RequestError
from sorry_env.express import single
from sorry_env.express.audit import audit
from sorry_env.express.rules import EXPRESS, FACES, ExpressRules, choose_seats, first_seat
from sorry_env.express.state import COLOURS, EXPRESS_GAME, empty_games
from sorry_env.express.tables import ExpressTables, compile_rules
from sorry_env.express.view import ExpressMove, ExpressReader, ExpressView
from sorry_env.playing import Playing, check_record

__all__ = ["ExpressGame", "ExpressMove", "ExpressView"]


class ExpressGame(ExpressReader, Playing[ExpressMove]):
    """One game of Sorry! Express; `play`, `undo` and `copy` are those of `playing.Playing`.

    seats: None for two, a number of players, or the seats `0,1,2`
    seed:  from 0 to 2**64 - 1; None takes one from the system
    first: the seat that begins, `random`, or None for seat 0
    homes: the Home colours that the bases show at the beginning, as letters in seat order; all
           different. None: r, b, y, g
    draw:  False leaves the game waiting for its first roll
    rules: an ExpressRules or `express`

    Raises RulesetError or RequestError for settings that are not possible.
    """

    CHANCE: ClassVar = ("the dice must be rolled", "roll")

    def __init__(
        self,
        seats: int | str | Iterable[int | str] | None = None,
        *,
        seed: int | None = None,
        first: int | str | None = None,
        homes: str | None = None,
        draw: bool = True,
        rules: ExpressRules | str = EXPRESS,
    ) -> None:
        chance = given_or_fresh_seed(seed)
        self.tables = compile_rules(rules)
        seated = choose_seats(self.ruleset, seats)
        self.state = empty_games(1)
        self.state["seats"] = len(seated)
        self.state["rng"] = seed_state(chance)
        self._history: list[bytes] = []
        shown = _read_homes(homes, len(seated))
        single.set_up(self.tables.arrays, self.state, 0, first_seat(first, seated))
        self.state["home"][0, : len(seated)] = shown
        if draw:
            self.draw()

    @classmethod
    def from_state(
        cls, tables: ExpressTables, state: np.ndarray, *, seed: int | None = None
    ) -> ExpressGame:
        """A game that goes on from a record EXPRESS_GAME[1], which is copied.

        seed: replaces the record's random state
        Raises PositionError, naming every fault, for a record that no game can be in.
        """
        chance = None if seed is None else seed_state(check_seed(seed))
        check_record(state, EXPRESS_GAME)
        faults = audit(tables, state)
        if faults:
            raise PositionError("not a possible position: " + "; ".join(faults), value=faults)
        game = cls.__new__(cls)
        game.tables = tables
        game.state = state.copy()
        if chance is not None:
            game.state["rng"] = chance
        game._history = []
        return game

    def roll(self, dice: str | None = None) -> None:
        """Roll the three dice of a game that waits for it.

        dice: what they show, as positions write it, `1=b,2=S,3=L`; None rolls by the game's own
              chance
        Raises RequestError where no roll is due or the dice cannot fall so.
        """
        if not self.waiting:
            raise RequestError(f"no roll is due: the dice are {self.card}", value=dice)
        if dice is None:
            single.draw(self.tables.arrays, self.state, 0)
            return
        rolls = _rolls(self.ruleset.dice)
        if not isinstance(dice, str) or dice not in rolls:
            some = next(iter(rolls))
            raise RequestError(
                f"roll {dice!r} must name a face of each of the three dice, such as {some}",
                value=dice,
            )
        faces = [FACES.index(part[-1]) for part in dice.split(",")]
        self.state["dice"][0] = faces
        self.state["draws"] += 1

    def draw(self, card: str | None = None) -> None:
        """`roll`, by the name that it has in every game."""
        self.roll(card)

    def chances(self) -> tuple[tuple[str, Fraction], ...]:
        """Every roll with its exact chance, 1/216 each; () where no roll is due.

        The three dice are told apart: each is resolved by its number.
        """
        return tuple(_rolls(self.ruleset.dice).items()) if self.waiting else ()

    def view(self, seat: int | None = None) -> ExpressView:
        """What a seat (or, without one, a spectator) sees; a copy that does not change."""
        if seat is not None and seat not in self.seats:
            raise RequestError(f"seat {seat!r} is not one of {self.seats}", value=seat)
        return ExpressView(self.tables, self.state, seat)

    def _advance(self, action: int) -> None:
        single.play(self.tables.arrays, self.state, 0, action)

    def _where(self) -> str:
        return f"seat {self.actor} to decide, dice {self.card}"


@lru_cache
def _rolls(dice: tuple[str, ...]) -> Mapping[str, Fraction]:
    """Every way in which these dice can fall, as positions write it, with its chance."""
    each = Fraction(1, len(dice[0]) * len(dice[1]) * len(dice[2]))
    chances: dict[str, Fraction] = {}
    for faces in product(*dice):
        text = ",".join(f"{die}={face}" for die, face in enumerate(faces, 1))
        chances[text] = chances.get(text, Fraction(0)) + each
    return chances


def _read_homes(homes: Any, seats: int) -> list[int]:
    """Colours by seat; RequestError for homes that are not different colours, one a seat."""
    if homes is None:
        return list(range(seats))
    letters = FACES[:COLOURS]
    if not isinstance(homes, str) or len(homes) != seats or len(set(homes)) < seats:
        raise RequestError(f"homes {homes!r} must be {seats} different letters", value=homes)
    if set(homes) - set(letters):
        raise RequestError(f"homes {homes!r} must be letters of {letters}", value=homes)
    return [letters.index(letter) for letter in homes]


def new_game(rules: ExpressRules | str, seats: Any = None, **settings: Any) -> ExpressGame:
    """An `ExpressGame` with the arguments in the order of the board game's."""
    return ExpressGame(seats, rules=rules, **settings)
