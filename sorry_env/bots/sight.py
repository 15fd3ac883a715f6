"""Values of positions by a trained file, through the eyes that know them.

A value file was trained on what a seat sees right after its own choice. So a position is looked at
by whoever has just chosen; with two sides what one gains the other loses. Other seats of three or
four look as if they had just chosen themselves. Read `values.py` and `policy.py` before and
`expectimax.py` after this file.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np

from sorry_env.bots.policy import Policy, read_file
from sorry_env.bots.values import same_side, side_count
from sorry_env.engine.arguments import REWARDS
from sorry_env.engine.jit import kernel
from sorry_env.engine.observe import observe
from sorry_env.engine.results import returns
from sorry_env.engine.state import OVER, WORK
from sorry_env.engine.tables import RuleTables
from sorry_env.engine.turn import next_seat

#: Rewards of which a finished game shows the return, and with two sides one gets what the other
#: loses.
_KNOWN: Final = ("win", "rank")


class LearnedJudge:
    """A `values.Judge` by the value in a file.

    value: the `.onnx` file, see `value.py`, or what was read from one
    Raises ModelError for a file that is no value, and at `check` where the game is not its own.
    """

    equal = 1e-6  # float32, whose last bits depend on the size of the batch

    def __init__(self, value: str | Path | Policy) -> None:
        self.policy = value if isinstance(value, Policy) else read_file(value, values_only=True)
        self.rulesets: tuple[str, ...] | None = (self.policy.ruleset,)
        self._reward = self.policy.reward
        self.chances = self._reward == "win"
        self._fits: RuleTables | None = None

    def check(self, tables: RuleTables, counts: Sequence[int]) -> None:
        """See `values.Judge`."""
        if tables is not self._fits:
            self.policy.check_fits(tables)
            self._fits = tables
        for count in counts:
            self.policy.check_seats(count)

    def worth(
        self, tables: RuleTables, games: np.ndarray, roots: np.ndarray, movers: np.ndarray,
        seats: np.ndarray,
    ) -> np.ndarray:  # fmt: skip
        """See `values.Judge`; finished games are worth what they pay."""
        del roots
        known = self._reward in _KNOWN
        near = same_side(tables, movers, seats)
        turned = ~near & known & (side_count(tables, games) == 2)
        eyes = np.where(near | turned, movers, seats)
        values = self.values(look(tables, games, movers, eyes))
        values[turned] *= -1
        over = np.flatnonzero(games["phase"] == OVER)
        if known and len(over):
            paid = np.empty((len(over), 4), np.float32)
            _pay(tables.arrays, games[over], REWARDS[self._reward], paid)
            values[over] = paid[np.arange(len(over)), seats[over]]
        return values

    def values(self, observation: np.ndarray) -> np.ndarray:
        """float64[m] of observations int8[m, O]; ModelError where one is no finite number."""
        values: np.ndarray = self.policy.values(observation).astype(np.float64)
        return values


def look(tables: RuleTables, games: np.ndarray, movers: np.ndarray, eyes: np.ndarray) -> np.ndarray:
    """int8[m, O], what ``eyes`` int[m] see in positions GAME[m] that ``movers`` int[m] chose."""
    seen = np.empty((len(games), tables.observation_size), np.int8)
    seats = np.stack([movers, eyes], axis=1).astype(np.int64)
    _look(tables.arrays, games, seats, seen, np.empty(1, WORK))
    return seen


@kernel
def _look(rules: Any, games: Any, seats: Any, seen: Any, work: Any) -> None:
    """See `look`; seats: int64[m, 2], who chose and who looks."""
    facts = rules.facts[0]
    for i in range(len(games)):
        seat = seats[i, 1]
        work[0] = games[i]
        if seat != seats[i, 0]:
            # After a choice from a hand the same seat draws, else the next one's turn begins.
            turn = seat if facts["hand"] else next_seat(facts, games[i], seat)
            work[0]["turn"] = turn
            work[0]["actor"] = turn
        observe(facts, work[0], seat, seen[i])


@kernel
def _pay(rules: Any, games: Any, reward: Any, paid: Any) -> None:
    """Returns of finished games: paid float32[m, 4], overwritten."""
    for i in range(len(games)):
        returns(rules.facts[0], games[i], reward, paid[i])
