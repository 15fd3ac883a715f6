"""Values of states from the values of what follows: one backup, sweeps of them, what is left over.

Within these files a value is from the view of the side to move: with two sides +1 for a game that
it wins and -1 for one that it loses, alone minus the draws still to come. A sweep goes through the
levels from those nearest to the end, so that most of what a state leads to is new already; within a
level all backups see the same values, so that the result does not depend on the threads. Read
`play.py` before and `solution.py` after this file.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Final

import numpy as np

from sorry_env.engine.jit import helper, kernel
from sorry_env.errors import RequestError
from sorry_env.solve.extrapolation import Extrapolation
from sorry_env.solve.graph import Graph, Progress, silent
from sorry_env.solve.play import Play

#: Backups of a level before the next one: the moves within it, such as lost turns, settle sooner.
PASSES: Final = 2
#: A level is divided among threads where each gets at least so many states.
SHARE: Final = 512
#: Sweeps after which something that does not end is given up.
MOST_SWEEPS: Final = 100_000
#: The largest change of a full backup at which values are taken for found.
TOLERANCE: Final = 1e-12


@helper
def worth_of(target: Any, mine: Any, theirs: Any) -> Any:
    """What a target is worth to the side that moves there; see `back_up`."""
    if target >= 0:
        return mine[np.uint64(target)]
    return -theirs[np.uint64(~target)]


@kernel
def back_up(play: Any, low: Any, high: Any, reward: Any, mine: Any, theirs: Any, out: Any) -> None:
    """The values of the states ``low`` to ``high`` - 1 by what a player's moves lead to.

    play:   see `Play`
    reward: what a draw is worth by itself
    mine:   float64[N + 1], values of positions in which the same player moves again
    theirs: float64[N + 1], of those in which the other does; may be the same array
    out:    float64[high - low], overwritten
    """
    choose = len(play.weights) == 0
    # Unsigned, an index is not looked at whether it counts from the end.
    for state in range(low, high):
        at = np.uint64(play.offsets[state])
        value = reward
        if choose:
            for card in range(play.counts.shape[1]):
                end = at + np.uint64(play.counts[state, card])
                if end > at:
                    best = -np.inf
                    for i in range(at, end):
                        best = max(best, worth_of(play.targets[i], mine, theirs))
                    value += play.chances[card] * best
                    at = end
        else:
            for i in range(at, np.uint64(play.offsets[state + 1])):
                value += play.weights[i] * worth_of(play.targets[i], mine, theirs)
        out[state - low] = value


@kernel
def take_over(old: Any, new: Any) -> Any:
    """Overwrite old values float64[n] with new ones; returns the largest change.

    What is infinite in both does not count.
    """
    most = 0.0
    for i in range(len(old)):
        if old[i] != new[i]:
            most = max(most, abs(old[i] - new[i]))
            old[i] = new[i]
    return most


@kernel
def back_up_level(
    play: Any, low: Any, high: Any, reward: Any, mine: Any, theirs: Any, out: Any
) -> Any:
    """`back_up` of a whole level, which then takes the new values over; the largest change."""
    back_up(play, low, high, reward, mine, theirs, out)
    return take_over(mine[low:high], out[: high - low])


@dataclass(frozen=True, eq=False)
class Player:
    """One of the players whose values are sought.

    mine:   float64[N + 1], values of the positions in which it moves, changed
    theirs: float64[N + 1], those in which its opponent does: that one's ``mine``
    play:   how it plays
    """

    mine: np.ndarray
    theirs: np.ndarray
    play: Play


class Backups:
    """Backups of a graph's states.

    threads: do a level's work together
    Use as a context manager, which ends the threads.
    """

    def __init__(self, graph: Graph, threads: int = 1) -> None:
        self.graph = graph
        self.threads = threads
        self.reward = -1.0 if graph.space.solo else 0.0
        self._room = np.empty(graph.states)
        self._pool = ThreadPoolExecutor(threads)

    def __enter__(self) -> Backups:
        return self

    def __exit__(self, *_: object) -> None:
        self._pool.shutdown()

    def values(self) -> np.ndarray:
        """float64[N + 1], where a search begins: nothing known but what a game that is won is."""
        values = np.zeros(self.graph.states + 1)
        values[-1] = 0.0 if self.graph.space.solo else 1.0
        return values

    def sweep(self, players: Sequence[Player]) -> float:
        """Back all levels up in turn; returns the largest change when a level came up."""
        most = 0.0
        for low, high in pairwise(self.graph.levels.tolist()):
            changes = [self._level(low, high, player) for player in players]
            most = max(most, *changes)
            for _ in range(PASSES - 1):
                for player in players:
                    self._level(low, high, player)
        return most

    def residual(self, players: Sequence[Player]) -> float:
        """The largest change that one backup of all states at once would make."""
        most = 0.0
        for player in players:
            self._spread(0, self.graph.states, player)
            most = max(most, take_over(player.mine[:-1].copy(), self._room))
        return most

    def settle(
        self,
        players: Sequence[Player],
        *,
        tolerance: float = TOLERANCE,
        progress: Progress = silent,
        what: str = "sweep",
    ) -> float:
        """Sweep until the residual is at most ``tolerance``; returns the residual.

        Many draws are known less exactly: there it is the residual by the largest number of them.
        Raises RequestError where it does not become so small: a player may never come to an end.
        """
        # One array where both move by the same values.
        arrays = list({id(player.mine): player.mine for player in players}.values())
        low, high = (-np.inf, 0.0) if self.graph.space.solo else (-1.0, 1.0)
        extrapolation = Extrapolation(arrays, low, high)
        for number in range(1, MOST_SWEEPS + 1):
            change = self.sweep(players)
            progress(f"{what} {number}: largest change {change:.1e}")
            enough = tolerance * max(_largest(player.mine) for player in players)
            # A backup of everything is only worth its time when it may be the last.
            if change <= enough:
                residual = self.residual(players)
                if residual <= enough:
                    return residual
            extrapolation.leap(change)
        raise RequestError(
            f"{self.graph.space.words}: values still change by {change:.1e} after "
            f"{MOST_SWEEPS:,} sweeps, {tolerance:.1e} is wanted: the games do not come to an end",
            value=change,
        )

    def _level(self, low: int, high: int, player: Player) -> float:
        change: float
        if self.threads == 1 or high - low < 2 * SHARE:
            change = back_up_level(
                player.play, low, high, self.reward, player.mine, player.theirs, self._room
            )
        else:
            self._spread(low, high, player)
            change = take_over(player.mine[low:high], self._room[: high - low])
        return change

    def _spread(self, low: int, high: int, player: Player) -> None:
        """`back_up` into the room, by all threads."""
        bounds = np.linspace(low, high, self.threads + 1).astype(int).tolist()
        jobs = [
            self._pool.submit(
                back_up, player.play, a, b, self.reward, player.mine, player.theirs,
                self._room[a - low : b - low],
            )
            for a, b in pairwise(bounds)
        ]  # fmt: skip
        for job in jobs:
            job.result()


def _largest(values: np.ndarray) -> float:
    """The largest finite one, whatever its sign, or 1 where it is less."""
    sizes = np.abs(values, out=np.zeros(len(values)), where=np.isfinite(values))
    return max(1.0, float(sizes.max()))
