"""What bots that search share: limits of time, and telling what they found without another search.

Read `best.py` and `values.py` before and `expectimax.py` and `mcts.py` after this file.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from sorry_env.bots.base import BatchRequest, Insight
from sorry_env.bots.best import BestBot
from sorry_env.bots.values import Judge, check_counts
from sorry_env.errors import RequestError
from sorry_env.view import View


class Found(NamedTuple):
    """What a search found out about n decisions; NaN for what it did not look at.

    scores: float64[n, A], by which the choice falls: the greatest is played
    values: float64[n, A], what actions are worth to the side that decides, as the search counts it
    shares: float64[n, A], how much it favours each, a row adds up to 1; None: all on the best
    equal:  scores nearer to each other than this are equal
    """

    scores: np.ndarray
    values: np.ndarray
    shares: np.ndarray | None
    equal: float


class SearchBot(BestBot):
    """Plays what its search scores highest, ties broken at random; a subclass says how it searches.

    time_ms: milliseconds for each decision, None without a limit
    """

    #: Whether values of `Found` are chances to win.
    tells_chances = False
    #: Who values positions where the search ends; None where games are played on.
    judge: Judge | None = None

    def __init__(self, time_ms: float | None) -> None:
        if time_ms is not None and not 0 < time_ms < float("inf"):
            raise RequestError(f"time_ms={time_ms!r} must be above 0", value=time_ms)
        self.time_ms = time_ms
        super().__init__()

    def reset(self, seed: int) -> None:
        """See `Bot`."""
        super().reset(seed)
        self._last: tuple[bytes, Found] | None = None

    def search(self, request: BatchRequest, limit: float | None) -> Found:
        """Look at each decision for so many milliseconds, or without a limit; rolls no dice."""
        raise NotImplementedError

    def choose_within(self, view: View, time_ms: float) -> int:
        """See `Bot`: its own limit counts too."""
        request = BatchRequest.of_view(view)
        limit = time_ms if self.time_ms is None else min(time_ms, self.time_ms)
        return int(self.pick(request, best_of(self._look_at(request, limit)))[0])

    def judge_of(self, count: int) -> Judge | None:
        """See `Bot`."""
        del count
        return self.judge

    def insight(self, request: BatchRequest) -> Insight:
        """See `Bot`; what it has just been asked for is told by what it found then.

        Values are NaN where a decision without a choice took no search.
        """
        found = None
        if self._last is not None and self._last[0] == request.games.tobytes():
            found = self._last[1]
        found = found or self._look_at(request, self.time_ms)
        chances = found.shares
        if chances is None:
            chances = self.spread(request, best_of(found))
        if not self.tells_chances:
            return Insight(chances)
        rows, actions = best_of(found)
        value = np.full(len(request), np.nan)
        value[rows] = found.values[rows, actions]
        return Insight(chances, value, found.values)

    def _best(self, request: BatchRequest) -> tuple[np.ndarray, np.ndarray]:
        """See `BestBot`."""
        return best_of(self._look_at(request, self.time_ms))

    def _look_at(self, request: BatchRequest, limit: float | None) -> Found:
        check_counts(self, request.tables, request.seat_counts)
        found = self.search(request, limit)
        self._last = (request.games.tobytes(), found)
        return found


def best_of(found: Found) -> tuple[np.ndarray, np.ndarray]:
    """The actions of the highest score: row int[m], ascending, and action int[m]."""
    best = np.nanmax(found.scores, axis=1, keepdims=True)
    rows, actions = np.nonzero(found.scores >= best - found.equal)
    return rows, actions
