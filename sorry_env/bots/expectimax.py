"""Expectimax: the best move by a value of the positions one or two plies ahead.

Depth 1 compares the positions after its moves. Depth 2 takes, after each of the best of them, the
mean over all that chance may bring of the next decision's best choice. All positions of some
decisions are valued in one call. Read `searching.py`, `chance.py` and `worlds.py` before this file.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import numpy as np

from sorry_env.bots.base import BatchRequest
from sorry_env.bots.chance import deal, outcomes
from sorry_env.bots.searching import Found, SearchBot
from sorry_env.bots.sight import LearnedJudge
from sorry_env.bots.values import (
    Judge,
    PositionJudge,
    Value,
    check_counts,
    likelihood,
    progress_value,
    same_side,
    side_count,
)
from sorry_env.bots.worlds import value_in_worlds
from sorry_env.engine.afterstate import expand
from sorry_env.engine.state import OVER
from sorry_env.engine.tables import RuleTables
from sorry_env.errors import RequestError

DEPTHS: Final = (1, 2)
#: Decisions searched together: their positions should stay in the processor's cache.
CHUNK: Final = 32
#: Moves of a decision that are looked at deeper where hands are held: the best by one ply.
WIDTH: Final = 8
#: Ways to deal the hidden cards that are looked at.
WORLDS: Final = 16


class ExpectimaxBot(SearchBot):
    """Maximises a value one or two plies ahead, ties broken at random.

    depth:   1 or 2
    value:   a `values.Value`, or the path of a value file
    width:   of each decision so many moves are looked at two plies deep, the best by one; the
             others are not played. None: all of them, but where hands are held WIDTH
    worlds:  where hands are hidden: how many ways to deal them are looked at
    time_ms: milliseconds for a decision: moves are looked at two plies deep one after another, the
             best by one ply first, as long as there is time, one at least. Then what it plays
             depends on the machine

    Every seat is taken to choose what is best for itself (max-n), and equal replies as equally
    likely; with two sides and a value of which one gains what the other loses that is plain
    expectimax. The next decision is the one that the rules bring: the next seat's or, after a card
    that gives another turn or in the middle of one, its own again. What it knows of the pile is how
    many cards of each kind are left. Where hands are hidden see `worlds.py`.
    """

    def __init__(
        self,
        depth: int = 2,
        value: Value | str | Path = progress_value,
        *,
        width: int | None = None,
        worlds: int = WORLDS,
        time_ms: float | None = None,
    ) -> None:
        if depth not in DEPTHS:
            raise RequestError(f"depth={depth!r} must be 1 or 2", value=depth)
        for name, count in (("width", width), ("worlds", worlds)):
            if count is not None and count < 1:
                raise RequestError(f"{name}={count!r} must be 1 or more", value=count)
        super().__init__(time_ms)
        self.depth, self.width, self.worlds = depth, width, worlds
        self.name = f"expectimax:depth={depth}"
        self.judge: Judge
        if callable(value):
            self.judge = PositionJudge(value)
        else:
            self.judge = LearnedJudge(value)
            self.name += f",value={value}"
        for name, count, usual in (("width", width, None), ("worlds", worlds, WORLDS)):
            self.name += f",{name}={count}" if count != usual else ""
        self.name += f",time_ms={time_ms:g}" if time_ms is not None else ""
        self.tells_chances = self.judge.chances

    @property
    def rulesets(self) -> tuple[str, ...] | None:
        """See `Bot`."""
        return self.judge.rulesets

    def check(self, tables: RuleTables, seats: Sequence[int]) -> None:
        """See `Bot`."""
        self.judge.check(tables, (len(seats),))

    def action_values(self, request: BatchRequest) -> np.ndarray:
        """float64[n, A], what each move is worth to the seat that decides.

        NaN for illegal moves and for those that it does not look at as far as at the others.
        Raises what its value raises for games that it does not fit.
        """
        check_counts(self, request.tables, request.seat_counts)
        return self.search(request, self.time_ms).scores

    def search(self, request: BatchRequest, limit: float | None) -> Found:
        """See `SearchBot`."""
        values = np.full(request.mask.shape, np.nan)
        chunk = CHUNK if limit is None or self.depth == 1 else 1
        for low in range(0, len(request), chunk):
            part = slice(low, low + chunk)
            search = _Search(self, request.tables, request.games[part], request.mask[part])
            if self.depth > 1:
                search.deepen(limit)
            values[low + search.rows, search.actions] = search.worth
        told = values
        if self.judge.chances:
            told = likelihood(values, side_count(request.tables, request.games)[:, None])
        return Found(values, told, None, self.judge.equal)


class _Search:
    """A search over some decisions.

    rows, actions: int[m], the legal actions of all of them, ascending
    worth:         float64[m], what they are worth, NaN where they were not looked at so far
    """

    def __init__(
        self, bot: ExpectimaxBot, tables: RuleTables, games: np.ndarray, mask: np.ndarray
    ) -> None:
        self.bot, self.tables, self.games = bot, tables, games
        self.after, self.rows, self.actions = expand(tables, games, mask)
        movers = games["actor"][self.rows]
        self.worth = bot.judge.worth(tables, self.after, games[self.rows], movers, movers)

    def deepen(self, limit: float | None) -> None:
        """Look at the best moves two plies deep, within so many milliseconds."""
        end = None if limit is None else time.perf_counter() + limit / 1000
        order = np.lexsort((-self.worth, self.rows))
        place = np.arange(len(order)) - np.searchsorted(self.rows, self.rows[order])
        usual = WIDTH if self.tables.ruleset.hand else len(order)
        chosen = order[place < (self.bot.width or usual)]
        known, self.worth = self.worth, np.full(len(self.worth), np.nan)
        for some in chosen[:, None] if end is not None else [np.sort(chosen)]:
            self.worth[some] = known[some]
            going = some[self.after["phase"][some] != OVER]
            if len(going):
                self.worth[going] = self._deeper(going)
            if end is not None and time.perf_counter() >= end:
                break

    def _deeper(self, which: np.ndarray) -> np.ndarray:
        """float64[k], the worth of moves int64[k] by the choices that follow them."""
        tables, judge, rows = self.tables, self.bot.judge, self.rows[which]
        if tables.ruleset.hand:
            return value_in_worlds(
                judge, tables, self.games, rows, self.actions[which], self.bot.worlds,
                self.bot.secret,
            )  # fmt: skip
        at, what, chance = outcomes(tables, self.after[which])
        drawn, mask = deal(tables, self.after[which], at, what)
        after, reply, _ = expand(tables, drawn, mask)
        movers, roots = drawn["actor"][reply], self.games[rows[at[reply]]]
        own = judge.worth(tables, after, roots, movers, movers)
        starts = starts_of_runs(reply)
        best = np.flatnonzero(own >= np.maximum.reduceat(own, starts)[reply] - judge.equal)
        worth = own[best]
        # What a reply is worth to another side is asked of the best alone.
        other = ~same_side(tables, movers[best], roots["actor"][best])
        asked = best[other]
        if len(asked):
            seats = roots["actor"][asked]
            worth[other] = judge.worth(tables, after[asked], roots[asked], movers[asked], seats)
        starts = starts_of_runs(reply[best])
        replies = np.add.reduceat(worth, starts) / np.diff(starts, append=len(best))
        mean: np.ndarray = np.add.reduceat(replies * chance, starts_of_runs(at))
        return mean


def starts_of_runs(groups: np.ndarray) -> np.ndarray:
    """int64[g], where each run of equal numbers begins in an ascending int[m]."""
    return np.flatnonzero(np.diff(groups, prepend=-1))
