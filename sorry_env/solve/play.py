"""How a player plays every card of every state: what it may choose, or how its choice falls.

Read `graph.py` before and `backup.py` after this file.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np

from sorry_env.engine.jit import kernel
from sorry_env.solve.graph import Graph

#: Weights of a player that takes the best of every card.
BEST: Final = np.zeros(0, np.float64)


class Play(NamedTuple):
    """What kernels see of a player, read only.

    counts:  uint8[N, C], targets by card
    offsets: int64[N + 1], where the targets of a state begin
    targets: int32[T], as in `Graph`: all of them, or those that the player plays
    weights: float64[T], the chance that a draw leads to each, 1 in all for a state; BEST for a
             player that takes the best
    chances: float64[C], by card: the chance that it is drawn
    """

    counts: np.ndarray
    offsets: np.ndarray
    targets: np.ndarray
    weights: np.ndarray
    chances: np.ndarray


def best_play(graph: Graph) -> Play:
    """A player that takes the best of every card."""
    chances = graph.space.codec.chances[: graph.space.cards]
    return Play(graph.counts, graph.offsets, graph.targets, BEST, chances)


def weighed_play(graph: Graph, weights: np.ndarray) -> Play:
    """A player whose choice falls on targets by weights, which need not add up to anything.

    weights: float64[T], for each card of each state at least one above 0
    """
    whole = best_play(graph)
    counts = np.zeros_like(graph.counts)
    count_played(whole, weights, counts)
    offsets = np.zeros_like(graph.offsets)
    np.cumsum(counts.sum(axis=1, dtype=np.int64), out=offsets[1:])
    targets, shares = np.empty(int(offsets[-1]), np.int32), np.empty(int(offsets[-1]))
    copy_played(whole, weights, targets, shares)
    return Play(counts, offsets, targets, shares, whole.chances)


def optimal_play(graph: Graph, values: np.ndarray, equal: float) -> Play:
    """A player that plays each of the best targets of a card equally often.

    values: float64[N + 1], optimal ones; equal: how much less than the best is still as good
    """
    weights = np.zeros(len(graph.targets), np.uint8)
    mark_best(best_play(graph), values, equal, weights)
    return weighed_play(graph, weights)


@kernel
def count_played(whole: Any, weights: Any, counts: Any) -> None:
    """Count each card's targets with a weight above 0 into uint8[N, C]."""
    at = np.int64(0)
    for state in range(counts.shape[0]):
        for card in range(counts.shape[1]):
            end = at + np.int64(whole.counts[state, card])
            count = 0
            for i in range(at, end):
                count += weights[i] > 0
            counts[state, card] = count
            at = end


@kernel
def copy_played(whole: Any, weights: Any, targets: Any, shares: Any) -> None:
    """Copy the targets with a weight above 0, each with its share of the card's chance."""
    at = np.int64(0)
    used = 0
    for state in range(whole.counts.shape[0]):
        for card in range(whole.counts.shape[1]):
            end = at + np.int64(whole.counts[state, card])
            total = 0.0
            for i in range(at, end):
                total += weights[i]
            for i in range(at, end):
                if weights[i] > 0:
                    targets[used] = whole.targets[i]
                    shares[used] = whole.chances[card] * weights[i] / total
                    used += 1
            at = end


@kernel
def mark_best(whole: Any, values: Any, equal: Any, weights: Any) -> None:
    """Write 1 where a target is worth no more than ``equal`` less than its card's best.

    values: float64[N + 1], optimal ones; weights: [T], all 0 before
    """
    at = np.int64(0)
    for state in range(whole.counts.shape[0]):
        for card in range(whole.counts.shape[1]):
            end = at + np.int64(whole.counts[state, card])
            top = -np.inf
            for i in range(at, end):
                target = np.int64(whole.targets[i])
                top = max(top, values[target] if target >= 0 else -values[~target])
            for i in range(at, end):
                target = np.int64(whole.targets[i])
                worth = values[target] if target >= 0 else -values[~target]
                if worth >= top - equal:
                    weights[i] = 1
            at = end
