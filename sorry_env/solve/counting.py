"""Counting over all states: visits of a game, the best moves, and what a policy loses.

Read `backup.py` before and `evaluation.py` after this file.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from sorry_env.engine.jit import kernel
from sorry_env.errors import RequestError
from sorry_env.solve.backup import MOST_SWEEPS, PASSES, Edges
from sorry_env.solve.graph import Graph, Progress

#: Expected visits still to come at which the count of visits is taken for complete.
REST: Final = 1e-10


@kernel
def mark_best(edges: Any, best: Any, equal: Any, weights: Any) -> None:
    """Write 1 where a target is worth no more than ``equal`` less than its card's best.

    best: float64[N + 1], optimal values; weights: float64[T], all 0 before
    """
    for state in range(edges.counts.shape[0]):
        at = edges.offsets[state]
        for card in range(edges.counts.shape[1]):
            end = at + np.int64(edges.counts[state, card])
            top = -np.inf
            for i in range(at, end):
                target = np.int64(edges.targets[i])
                top = max(top, best[target] if target >= 0 else -best[~target])
            for i in range(at, end):
                target = np.int64(edges.targets[i])
                worth = best[target] if target >= 0 else -best[~target]
                if worth >= top - equal:
                    weights[i] = 1.0
            at = end


@kernel
def add_regret(
    edges: Any, best: Any, weights: Any, visits: Any, by_state: Any, by_card: Any
) -> None:
    """What weighted choices lose against the best, by optimal values.

    by_state: float64[N], overwritten: a visit's loss on average over the cards
    by_card:  float64[C], added to: a card's loss in a game, by the visits float64[N]
    """
    for state in range(edges.counts.shape[0]):
        at = edges.offsets[state]
        by_state[state] = 0.0
        for card in range(edges.counts.shape[1]):
            end = at + np.int64(edges.counts[state, card])
            top = -np.inf
            weighed = 0.0
            total = 0.0
            for i in range(at, end):
                target = np.int64(edges.targets[i])
                worth = best[target] if target >= 0 else -best[~target]
                top = max(top, worth)
                if weights[i] > 0.0:
                    weighed += weights[i] * worth
                    total += weights[i]
            # Equal infinities, where no end is certain, leave nothing to lose.
            if end > at and top > -np.inf:
                lost = edges.chances[card] * (top - weighed / total)
                by_state[state] += lost
                if visits[state] > 0.0:
                    by_card[card] += visits[state] * lost
            at = end


@kernel
def pass_on(edges: Any, levels: Any, passes: Any, weights: Any, waiting: Any, visits: Any) -> None:
    """Let the visits that wait in each state be made, and wait in what follows.

    waiting: float64[N + 1], changed; visits: float64[N], added to
    """
    for level in range(len(levels) - 2, -1, -1):
        for _ in range(passes):
            for state in range(levels[level], levels[level + 1]):
                now = waiting[state]
                if now == 0.0:
                    continue
                waiting[state] = 0.0
                visits[state] += now
                at = edges.offsets[state]
                for card in range(edges.counts.shape[1]):
                    end = at + np.int64(edges.counts[state, card])
                    total = 0.0
                    for i in range(at, end):
                        total += weights[i]
                    for i in range(at, end):
                        if weights[i] > 0.0:
                            target = np.int64(edges.targets[i])
                            share = now * edges.chances[card] * (weights[i] / total)
                            waiting[target if target >= 0 else ~target] += share
                    at = end


def count_visits(
    graph: Graph, edges: Edges, weights: np.ndarray, first: int, progress: Progress
) -> np.ndarray:
    """float64[N], how often each state occurs in a game in which all play by these weights.

    Raises RequestError where games may never end.
    """
    waiting, visits = np.zeros(graph.states + 1), np.zeros(graph.states)
    waiting[first] = 1.0
    for _ in range(MOST_SWEEPS):
        pass_on(edges, graph.levels, np.int64(PASSES), weights, waiting, visits)
        rest = float(waiting[:-1].sum())
        progress(f"visits: {rest:.1e} of a game still to come")
        if rest <= REST:
            return visits
    raise RequestError(
        f"{graph.space.words}: games of this policy may never end", value=graph.space.words
    )
