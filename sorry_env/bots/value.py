"""The value bot: looks one ply ahead with a trained value of afterstates, without torch.

A value file is an `.onnx` with the input ``observation`` int8[N, O] and the output ``value``
float32[N]: the expected return of the seat that has just moved and sees the position so, before the
next card is drawn. Its metadata are those of a policy (`policy.py`). Read `policy.py` and
`engine/afterstate.py` before and `registry.py` after this file.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from sorry_env.bots.base import BatchRequest, Insight
from sorry_env.bots.best import BestBot
from sorry_env.bots.policy import Policy, read_file
from sorry_env.bots.sight import LearnedJudge
from sorry_env.bots.values import Judge, chance_to_win
from sorry_env.engine.afterstate import Afterstates, best_of_rows, room, starts_of
from sorry_env.engine.state import OVER
from sorry_env.engine.tables import RuleTables
from sorry_env.errors import ModelError

#: Observations int8[m, O] of afterstates to values float32[m].
Value = Callable[[np.ndarray], np.ndarray]


class AfterstateBot(BestBot):
    """Moves to the afterstate of the highest value; equal ones are drawn from.

    value: what an afterstate is worth to the seat that moved, by what that seat sees in it
    """

    name = "afterstates"

    def __init__(self, value: Value) -> None:
        super().__init__()
        self.value = value

    def afterstates(self, request: BatchRequest) -> tuple[Afterstates, np.ndarray]:
        """The positions after all legal actions of each row, and their values float32[m].

        Raises ModelError where a value is not finite: then none is the highest.
        """
        starts = starts_of(request.mask)
        count = int(starts[-1])
        after = room(count, request.games.dtype, request.observation.shape[1], count)
        rules = request.tables.arrays
        request.expand_range(rules, request.games, 0, len(request), starts, request.mask, after)
        values = self.value(after.observation)
        if not np.isfinite(values).all():
            raise ModelError(f"{self.name}: the values are not all finite numbers", value=self.name)
        return after, values

    def _best(self, request: BatchRequest) -> tuple[np.ndarray, np.ndarray]:
        """The actions of the highest value: row int32[m], ascending, and action int32[m]."""
        after, values = self.afterstates(request)
        ties = best_of_rows(values, after.row, len(request))
        return after.row[ties], after.action[ties]


class ValueBot(AfterstateBot):
    """Plays by the value in a file, one ply deep.

    path: the `.onnx` file
    Raises ModelError for a file that is no value, and at `check` and at each choice where the game
    is not the one that it was trained for.
    """

    def __init__(self, path: str | Path) -> None:
        self.policy: Policy = read_file(path, values_only=True)
        super().__init__(self.policy.values)
        self.name = f"value:{path}"

    def check(self, tables: RuleTables, seats: Sequence[int]) -> None:
        """See `Bot`."""
        self.policy.check_fits(tables)
        self.policy.check_seats(len(seats))

    def choose_batch(self, request: BatchRequest) -> np.ndarray:
        """See `Bot`."""
        self._check_rows(request)
        return super().choose_batch(request)

    def distribution(self, request: BatchRequest) -> np.ndarray:
        """See `Bot`."""
        self._check_rows(request)
        return super().distribution(request)

    @property
    def rulesets(self) -> tuple[str, ...]:
        """See `Bot`."""
        return (self.policy.ruleset,)

    def insight(self, request: BatchRequest) -> Insight:
        """See `Bot`: the values of a file that was trained to win as chances to win.

        Of a finished game it is known who has won.
        """
        chances = self.distribution(request)
        if self.policy.reward != "win":
            return Insight(chances)
        after, returns = self.afterstates(request)
        sides = request.side_counts[after.row]
        likely = np.clip(chance_to_win(returns.astype(np.float64), sides), 0.0, 1.0)
        over = np.flatnonzero(after.games["phase"] == OVER)
        movers = request.games["actor"][after.row[over]]
        likely[over] = request.won_by(after.games[over], movers)
        values = np.full(request.mask.shape, np.nan)
        values[after.row, after.action] = likely
        return Insight(chances, np.nanmax(values, axis=1), values)

    def judge_of(self, count: int) -> Judge | None:
        """See `Bot`."""
        del count
        return LearnedJudge(self.policy)

    def _check_rows(self, request: BatchRequest) -> None:
        for count in np.unique(request.seat_counts).tolist():
            self.check(request.tables, range(count))
