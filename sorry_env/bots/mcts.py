"""Monte Carlo tree search: simulations that play games to their end, or to a trained value.

Read `searching.py`, `tree.py`, `playouts.py` and `growing.py` before this file.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import numpy as np

from sorry_env.bots.base import BatchRequest
from sorry_env.bots.growing import room_for, simulate_valued
from sorry_env.bots.playouts import simulate
from sorry_env.bots.searching import Found, SearchBot
from sorry_env.bots.sight import LearnedJudge
from sorry_env.bots.tree import NONE, Trees, mean_value, plant
from sorry_env.bots.values import Judge
from sorry_env.engine.tables import RuleTables
from sorry_env.errors import RequestError

#: Simulations of a decision where nothing else is said: played to the end, and valued.
SIMS: Final = 1000
SIMS_VALUED: Final = 200
#: What a limit of time alone can not exceed, for the memory's sake.
MOST_SIMS: Final = 200_000
PLAYOUTS: Final = ("greedy", "random")
#: What exploring counts against a chance to win: with playouts (UCT) and with values (PUCT).
EXPLORE: Final = 0.3
EXPLORE_VALUED: Final = 0.5
#: Simulations that an action's first value counts for.
FIRST_WEIGHT: Final = 2.0
#: Simulations between two looks at the clock.
STRIDE: Final = 32
#: Searches side by side: what they ask of the value is one call.
CHUNK: Final = 32


class MctsBot(SearchBot):
    """Plays the action that most simulations of its tree have chosen.

    sims:     simulations of a decision; None: SIMS, with a value SIMS_VALUED, with a limit of time
              alone as many as there is time for
    value:    the path of a value file; None plays simulations to the end
    playouts: how: `greedy`, every seat takes what gains most steps at once, or `random`
    explore:  what exploring counts, see below; None: EXPLORE, with a value EXPLORE_VALUED
    time_ms:  milliseconds for a decision, if that is sooner; what it plays then depends on the
              machine

    A simulation chooses, for every seat by what it brought that seat so far (max-n), from its own
    chance to win Q and its visits n out of N: by Q + explore * sqrt(ln N / n) (UCT; actions that
    have not been tried come first), or with a value by Q + explore * p * sqrt(N) / (1 + n) (PUCT).
    There Q counts an action's first value as FIRST_WEIGHT visits, and its share p goes with
    exp(first value / BOLDNESS). Chance has positions of its own in the tree. Hidden cards are dealt
    anew for each simulation; what others draw unseen makes no difference in the tree. The n-th
    simulation of each of the root's actions has the same cards and the same draws, so that they
    differ by the actions. All follows from the seed and from what the root's seat sees.
    """

    def __init__(
        self,
        sims: int | None = None,
        *,
        value: str | Path | Judge | None = None,
        playouts: str | None = None,
        explore: float | None = None,
        time_ms: float | None = None,
    ) -> None:
        super().__init__(time_ms)
        if sims is not None and sims < 1:
            raise RequestError(f"sims={sims!r} must be 1 or more", value=sims)
        if playouts is not None and (playouts not in PLAYOUTS or value is not None):
            raise RequestError(
                f"playouts={playouts!r} must be one of {', '.join(PLAYOUTS)}, without a value",
                value=playouts,
            )
        if explore is not None and not 0 <= explore < float("inf"):
            raise RequestError(f"explore={explore!r} must be 0 or more", value=explore)
        self.judge: Judge | None = LearnedJudge(value) if isinstance(value, str | Path) else value
        if self.judge is not None and not self.judge.chances:
            raise RequestError(
                f"mcts needs a value trained with reward win, and {value} was not", value=value
            )
        self.sims = sims
        if sims is None and time_ms is None:
            self.sims = SIMS if self.judge is None else SIMS_VALUED
        self.greedy = playouts != "random"
        usual = EXPLORE if self.judge is None else EXPLORE_VALUED
        self.explore = usual if explore is None else explore
        given = {
            "sims": self.sims, "value": value, "playouts": playouts, "explore": explore,
            "time_ms": time_ms,
        }  # fmt: skip
        self.name = "mcts:" + ",".join(f"{k}={v}" for k, v in given.items() if v is not None)
        self.tells_chances = True

    @property
    def rulesets(self) -> tuple[str, ...] | None:
        """See `Bot`."""
        return None if self.judge is None else self.judge.rulesets

    def check(self, tables: RuleTables, seats: Sequence[int]) -> None:
        """See `Bot`."""
        if self.judge is not None:
            self.judge.check(tables, (len(seats),))

    def search(self, request: BatchRequest, limit: float | None) -> Found:
        """See `SearchBot`; a decision with one action takes no search."""
        scores = np.full(request.mask.shape, np.nan)
        values, shares = scores.copy(), np.zeros(request.mask.shape)
        alone = np.count_nonzero(request.mask, axis=1) == 1
        only = np.flatnonzero(alone)
        scores[only, request.mask[only].argmax(axis=1)] = 0.0
        shares[only, request.mask[only].argmax(axis=1)] = 1.0
        asked = np.flatnonzero(~alone)
        chunk = 1 if self.judge is None or limit is not None else CHUNK
        for low in range(0, len(asked), chunk):
            rows = asked[low : low + chunk]
            trees = self._grow(request.tables, request.games[rows], limit)
            for i, row in enumerate(rows.tolist()):
                visits, worth = self._read(trees, i, request.mask.shape[1])
                # Where visits are equal the better value decides.
                score = visits + 0.999 * np.nan_to_num(worth)
                scores[row] = np.where(request.mask[row], score, np.nan)
                values[row] = worth
                shares[row] = visits / visits.sum()
        return Found(scores, values, shares, 0.0)

    def _grow(self, tables: RuleTables, roots: np.ndarray, limit: float | None) -> Trees:
        """Trees of the decisions GAME[n]."""
        end = None if limit is None else time.perf_counter() + limit / 1000
        most = self.sims or MOST_SIMS
        luck = np.array([_luck(root, self.secret) for root in roots], np.uint64)
        settings = np.array([self.explore, FIRST_WEIGHT])
        if self.judge is None:
            trees = plant(luck, 2 * most + 2, tables.num_actions)
            values = np.empty(4)
            for done in range(0, most, STRIDE):
                count = min(STRIDE, most - done)
                simulate(tables.arrays, roots, trees, count, self.greedy, settings, values)
                if end is not None and time.perf_counter() >= end:
                    break
            return trees
        trees = plant(luck, 8 * tables.num_actions, tables.num_actions)
        leaves = room_for(tables, len(roots))
        # One more, for the first ends at the root.
        for done in range(most + 1):
            trees = simulate_valued(self.judge, tables, roots, trees, leaves, settings)
            if done and end is not None and time.perf_counter() >= end:
                break
        return trees

    def _read(self, trees: Trees, i: int, actions: int) -> tuple[np.ndarray, np.ndarray]:
        """Visits float64[A] of the root's actions and their values float64[A], NaN for none."""
        visits, values = np.zeros(actions), np.full(actions, np.nan)
        edge = int(trees.edges[i, 0]["child"])
        weight = 0.0 if self.judge is None else FIRST_WEIGHT
        while edge != NONE:
            one = trees.edges[i, edge]
            visits[one["key"]] = one["visits"]
            values[one["key"]] = mean_value(one, weight)
            edge = int(one["next"])
        return visits, values


def _luck(root: np.void, secret: np.uint64) -> int:
    """What a search's random numbers follow from: the seed and what the root's seat sees."""
    key = hashlib.blake2b(root.tobytes() + secret.tobytes(), digest_size=8).digest()
    return int.from_bytes(key, "little")
