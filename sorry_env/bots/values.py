"""Values of positions after a choice, for bots that search: what they are worth to a seat.

A search asks a `Judge`. Any function that values positions makes one (`PositionJudge`); `sight.py`
has the one of a trained value file. Read `greedy.py` before and `expectimax.py` after this file.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, Protocol

import numpy as np

from sorry_env.bots.base import Bot
from sorry_env.bots.greedy import STEP, add_hints, progress
from sorry_env.engine.state import SEATS, UNSEATED
from sorry_env.engine.tables import RuleTables
from sorry_env.errors import ModelError

#: A function of (tables, games GAME[m], roots GAME[m]) that returns float64[m, 4]: what each
#: position is worth to each seat, the more the better. Games are as a choice has left them, before
#: any draw, or over; roots are the positions that the search began with. Only values with the same
#: root are compared.
Value = Callable[[RuleTables, np.ndarray, np.ndarray], np.ndarray]

#: Steps that winning counts for: more than four colours can cover.
WIN: Final = 4096


class Judge(Protocol):
    """What a search asks for values. Several positions are one call."""

    #: Values nearer to each other than this are equal.
    equal: float
    #: Names of the rulesets that it is for; None where it is not for any.
    rulesets: tuple[str, ...] | None
    #: Whether values are returns from -1 to 1 that say how likely the seat is to win.
    chances: bool

    def check(self, tables: RuleTables, counts: Sequence[int]) -> None:
        """Raise a SorryError, in words, unless it can judge games of these numbers of seats."""

    def worth(
        self, tables: RuleTables, games: np.ndarray, roots: np.ndarray, movers: np.ndarray,
        seats: np.ndarray,
    ) -> np.ndarray:  # fmt: skip
        """float64[m], what each position is worth to one seat, from -1 to 1 where ``chances``.

        games: GAME[m], as a choice of ``movers`` int[m] has left them, before any draw, or over
        roots: GAME[m], the positions that the search began with
        seats: int[m], to whom
        """


class PositionJudge:
    """A `Judge` by a function of positions, which may look at everything in them.

    value: a `Value`
    """

    equal = 1e-9  # means over cards are rounded
    rulesets: tuple[str, ...] | None = None
    chances = False

    def __init__(self, value: Value) -> None:
        self.value = value

    def check(self, tables: RuleTables, counts: Sequence[int]) -> None:
        """See `Judge`: it judges everything."""

    def worth(
        self, tables: RuleTables, games: np.ndarray, roots: np.ndarray, movers: np.ndarray,
        seats: np.ndarray,
    ) -> np.ndarray:  # fmt: skip
        """See `Judge`; ModelError where the function gives a value that is not finite."""
        worth: np.ndarray = self.value(tables, games, roots)[np.arange(len(games)), seats]
        if not np.isfinite(worth).all():
            bad = worth[~np.isfinite(worth)][0]
            raise ModelError(f"the value function gives {bad} for a position", value=float(bad))
        return worth


def same_side(tables: RuleTables, one: np.ndarray | int, other: np.ndarray | int) -> np.ndarray:
    """Whether seats are of one side: the same seat, or partners; bool of the shape of both."""
    away = np.asarray(one - other) % SEATS
    same: np.ndarray = away == 0
    return same | (away == 2) if tables.ruleset.teams != "none" else same


def side_count(tables: RuleTables, games: np.ndarray) -> np.ndarray:
    """int[m], how many sides play against each other in each game."""
    if tables.ruleset.teams != "none":
        return np.full(len(games), 2)
    counts: np.ndarray = (games["pawns"][:, :, 0] != UNSEATED).sum(axis=1)
    return counts


def chance_to_win(returns: np.ndarray, sides: np.ndarray | int) -> np.ndarray:
    """Chances to win by expected returns: the winner gets 1, and the other sides share -1.

    What a network expects may lie a little outside what there is: so may the chance.
    """
    chance: np.ndarray = ((sides - 1) * returns + 1) / sides
    return chance


def likelihood(worth: np.ndarray, sides: np.ndarray) -> np.ndarray:
    """Chances to win of returns from -1 to 1: the winner gets 1, and the other sides share -1."""
    chance: np.ndarray = np.maximum(chance_to_win(worth, sides), 0.0)
    return chance


def check_counts(bot: Bot, tables: RuleTables, counts: np.ndarray) -> None:
    """`Bot.check` for each number of seats int[n] that occurs."""
    for count in np.unique(counts).tolist():
        bot.check(tables, range(count))


def progress_value(tables: RuleTables, games: np.ndarray, roots: np.ndarray) -> np.ndarray:
    """Greedy's value as a `Value`: the own steps less the mean of the opponents'.

    It is that times the number of opponents still playing in the root, with greedy's small
    preferences where an edition has more than pawns. Unlike greedy it knows that whoever comes Home
    first has won.
    """
    covered = STEP * progress(games)
    add_hints(tables, games, covered)
    covered = covered / STEP  # by a power of two: nothing is rounded
    covered += WIN * ((games["ranks"] == 1) & (roots["ranks"] == 0))
    if tables.ruleset.teams != "none":
        lead = covered[:, ::2].sum(axis=1) - covered[:, 1::2].sum(axis=1)
        return np.stack([lead, -lead, lead, -lead], axis=1)
    playing = (roots["pawns"][:, :, 0] != UNSEATED) & (roots["ranks"] == 0)
    counted = np.where(playing, covered, 0)
    others = counted.sum(axis=1, keepdims=True) - counted
    opponents = playing.sum(axis=1, keepdims=True) - playing
    value: np.ndarray = covered * np.maximum(opponents, 1) - others
    return value
