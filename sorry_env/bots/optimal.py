"""The optimal bot: plays exact solutions of the rulesets that are small enough to have one.

Read `../solve/solution.py` before this file.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from sorry_env.bots.base import BatchRequest, Insight
from sorry_env.bots.best import BestBot
from sorry_env.engine.state import UNSEATED
from sorry_env.engine.tables import RuleTables
from sorry_env.errors import RulesetError
from sorry_env.rules import EDITIONS

if TYPE_CHECKING:
    from sorry_env.solve import Solution
    from sorry_env.solve.space import Space


class OptimalBot(BestBot):
    """Plays a move that leads to a position of the highest value; equal ones are drawn from.

    Small rulesets are solved when they are first asked for; of larger ones the solution must have
    been kept by `sorry solve`. `check` and each choice raise RulesetError where there can be none
    and RequestError, naming the command, where it has not been found yet.
    """

    name = "optimal"

    def check(self, tables: RuleTables, seats: Sequence[int]) -> None:
        """See `Bot`."""
        _solution(tables, seats)

    def _best(self, request: BatchRequest) -> tuple[np.ndarray, np.ndarray]:
        """The optimal actions of each row: row int32[m], ascending, and action int32[m]."""
        seated = request.games["pawns"][:, :, 0] != UNSEATED
        seatings, group = np.unique(seated, axis=0, return_inverse=True)
        group = group.reshape(-1)
        rows, actions = [], []
        for i, seating in enumerate(seatings):
            some = np.flatnonzero(group == i)
            solution = _solution(request.tables, np.flatnonzero(seating).tolist())
            best, chosen = solution.best_actions(request.games[some], request.mask[some])
            rows.append(some[best])
            actions.append(chosen)
        joined = np.concatenate(rows)
        order = np.argsort(joined, kind="stable")
        return joined[order], np.concatenate(actions)[order]

    @property
    def rulesets(self) -> tuple[str, ...]:
        """See `Bot`: published ones that are solved at once, or whose solution is kept."""
        return _solved()

    def insight(self, request: BatchRequest) -> Insight:
        """See `Bot`."""
        chances = self.distribution(request)
        values = np.full(chances.shape, np.nan)
        for i in range(len(request)):
            row = request.games[i : i + 1]
            seats = np.flatnonzero(row["pawns"][0, :, 0] != UNSEATED).tolist()
            solution = _solution(request.tables, seats)
            if solution.space.solo:
                return Insight(chances)
            worth, _, actions = solution.action_values(row, request.mask[i : i + 1])
            values[i, actions] = worth
        return Insight(chances, np.nanmax(values, axis=1), values)


def _solution(tables: RuleTables, seats: Sequence[int]) -> Solution:
    # Only here: whoever asks for another bot need not wait for it.
    from sorry_env.solve.files import find_solution
    from sorry_env.solve.space import open_space

    return find_solution(open_space(tables.ruleset, tuple(seats)))


def _solved() -> tuple[str, ...]:
    """The published rulesets that have a solution for their usual seats."""
    from sorry_env.solve.files import SOLVED_AT_ONCE, usual_file

    def solved(space: Space) -> bool:
        kept = usual_file(space)
        return space.places <= SOLVED_AT_ONCE or (kept is not None and kept.exists())

    return tuple(name for name, space in _spaces().items() if solved(space))


@cache
def _spaces() -> dict[str, Space]:
    """The published rulesets that can be solved at all."""
    from sorry_env.solve.space import open_space

    spaces = {}
    for name, ruleset in EDITIONS.items():
        try:
            spaces[name] = open_space(ruleset)
        except RulesetError:
            continue  # it has too many positions, or its rules cannot be solved
    return spaces
