"""Exact solutions: the value of every position, how it is found, and what it says of moves.

`solve` finds one, `files.py` keeps large ones. Read `backup.py` before and `evaluation.py` after
this file.
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from sorry_env.engine.afterstate import best_of_rows, expand
from sorry_env.engine.state import OVER
from sorry_env.errors import RequestError
from sorry_env.rules import Ruleset
from sorry_env.solve.backup import TOLERANCE, Backups, Player
from sorry_env.solve.ending import certain_to_end
from sorry_env.solve.graph import DEFAULT_MEMORY, Graph, Progress, build_graph, silent
from sorry_env.solve.kernels import find_places
from sorry_env.solve.play import best_play
from sorry_env.solve.space import Space, open_space

#: Values nearer to each other than this are equal: they are known less exactly than numbers are.
EQUAL: Final = 1e-9


@dataclass(frozen=True, eq=False)
class Solution:
    """The optimal value of every position of a space.

    space:    the positions
    values:   float64[R] by place, before the draw: the chance that the side to move wins, or, of
              one seat alone, the expected draws to bring all pawns Home (infinite where it cannot
              be certain of that); NaN where no position is
    residual: the largest change that one more backup of all values would make
    states:   N, positions in which nobody has won
    seconds:  that it took to find
    """

    space: Space
    values: np.ndarray
    residual: float
    states: int
    seconds: float

    def value(self, first: int | str | None = None) -> float:
        """The value of the first position before its draw.

        first: the seat that begins (colour or index); None for the first seated
        """
        return float(self.values_before(self.space.first(first))[0])

    def values_before(self, games: np.ndarray) -> np.ndarray:
        """float64[n], the values of positions GAME[n] that wait for a draw, for the side to move.

        Raises RequestError for positions of other seats, or where no draw is due.
        """
        self._check_seats(games)
        values: np.ndarray = self.values[self._places(games, games["turn"])]
        if np.isnan(values).any():
            at = int(np.flatnonzero(np.isnan(values))[0])
            pawns = games["pawns"][at].tolist()
            raise RequestError(f"no draw is due in a position with pawns {pawns}", value=pawns)
        return values

    def action_values(
        self, games: np.ndarray, mask: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """What every legal action is worth to the seat that decides.

        games: GAME[n], positions with a card drawn; mask: bool[n, A], the legal actions
        Returns value float64[m], row int32[m] and action int32[m], as `afterstate.expand` orders
        them. The more the better for two sides; of one seat alone, draws, this one's not counted.
        """
        self._check_seats(games)
        after, rows, actions = expand(self.space.tables, games, mask)
        side = self.space.codec.side.astype(np.int64)
        movers = games["actor"][rows].astype(np.int64)
        over = after["phase"] == OVER
        going = np.flatnonzero(~over)
        turn = after["turn"].astype(np.int64)
        worth = np.zeros(len(after))
        worth[going] = self.values[self._places(after[going], turn[going])]
        if not self.space.solo:
            others = going[side[turn[going]] != side[movers[going]]]
            worth[others] = 1.0 - worth[others]
            won = ((after["ranks"] == 1) & (side == side[movers][:, None])).any(axis=1)
            worth[over] = won[over]
        return worth, rows, actions

    def best_actions(self, games: np.ndarray, mask: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The optimal actions of GAME[n]: row int32[m] and action int32[m], at least one a row."""
        worth, rows, actions = self.action_values(games, mask)
        if self.space.solo:
            worth = -worth
        equal = best_of_rows(worth, rows, len(games), EQUAL)
        return rows[equal], actions[equal]

    def _places(self, games: np.ndarray, movers: np.ndarray) -> np.ndarray:
        places = np.empty(len(games), np.int64)
        find_places(self.space.codec, games, movers.astype(np.int8), places)
        return places

    def _check_seats(self, games: np.ndarray) -> None:
        seated = games["pawns"][:, :, 0] >= 0
        if (seated != (self.space.codec.frame >= 0)).any():
            raise RequestError(
                f"the positions must be of {self.space.words}, with these seats", value=None
            )


def solve(
    ruleset: Ruleset | str,
    seats: int | str | Iterable[int | str] | None = None,
    *,
    threads: int = 1,
    memory: float = DEFAULT_MEMORY,
    progress: Progress = silent,
) -> Solution:
    """The exact solution of a small ruleset.

    seats:    see `rules.choose_seats`
    threads:  do the work together; values do not depend on it
    memory:   limit in GiB
    progress: called with a few words from time to time
    Raises RulesetError for rulesets that cannot be solved or are too large, and RequestError where
    one seat alone can never be certain to bring all its pawns Home.
    """
    started = time.perf_counter()
    graph = build_graph(open_space(ruleset, seats), threads=threads, memory=memory,
                        progress=progress)  # fmt: skip
    return solve_graph(graph, threads=threads, progress=progress, started=started)


def solve_graph(
    graph: Graph,
    *,
    threads: int = 1,
    progress: Progress = silent,
    started: float | None = None,
) -> Solution:
    """`solve` for a graph that is there already.

    started: when the work began, by `time.perf_counter`; None for now
    """
    started = time.perf_counter() if started is None else started
    space = graph.space
    with Backups(graph, threads) as backups:
        mine, play = backups.values(), best_play(graph)
        if space.solo:
            ending = certain_to_end(graph, play)
            if not ending[graph.state_of(space.first())]:
                raise RequestError(
                    f"{space.words}: no play is certain to bring all pawns Home, so the expected "
                    "number of draws is infinite",
                    value=space.tables.ruleset.name,
                )
            mine[~ending] = -np.inf
        player = Player(mine, mine, play)
        residual = backups.settle([player], tolerance=TOLERANCE, progress=progress)
    values = np.full(space.places, np.nan)
    values[graph.places] = told(space, mine[:-1])
    if not space.solo:
        residual /= 2
    return Solution(space, values, residual, graph.states, time.perf_counter() - started)


def told(space: Space, values: Any) -> Any:
    """Values as `backup.py` has them as chances to win, or as draws."""
    return -values if space.solo else (1.0 + values) / 2.0


def untold(space: Space, values: Any) -> Any:
    """The inverse of `told`."""
    return -values if space.solo else 2.0 * values - 1.0
