"""Which states can be played to an end for certain: without an end, expected draws are infinite.

Needed for one seat alone; with two sides a game that never ends is simply won by nobody. Read
`backup.py` before this file.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from sorry_env.engine.jit import kernel
from sorry_env.solve.backup import BEST, Edges
from sorry_env.solve.graph import Graph


@kernel
def spread(edges: Any, allowed: Any, ending: Any, weights: Any) -> Any:
    """Mark states from which an end can be reached without leaving the allowed ones.

    allowed, ending: bool[N + 1], the last for the end itself; ``ending`` is added to
    weights: float64[T], how cards are played, or BEST where the player may choose
    Returns how many were added.
    """
    choose = len(weights) == 0
    added = 0
    for state in range(edges.counts.shape[0]):
        if ending[state] or not allowed[state]:
            continue
        stays = True
        nears = False
        at = edges.offsets[state]
        for card in range(edges.counts.shape[1]):
            end = at + np.int64(edges.counts[state, card])
            some = end == at
            every = True
            for i in range(at, end):
                if choose or weights[i] > 0.0:
                    some |= allowed[edges.targets[i]]
                    every &= allowed[edges.targets[i]]
                    nears |= ending[edges.targets[i]]
            stays &= some if choose else every
            at = end
        if stays and nears:
            ending[state] = True
            added += 1
    return added


def certain_to_end(graph: Graph, weights: np.ndarray = BEST) -> np.ndarray:
    """bool[N + 1], from where the game of one seat alone ends with probability 1.

    weights: float64[T], how cards are played, or BEST: whether they can be played so
    """
    edges = Edges(graph.counts, graph.offsets, graph.targets, graph.space.codec.chances)
    allowed = np.ones(graph.states + 1, np.bool_)
    while True:
        ending = np.zeros(graph.states + 1, np.bool_)
        ending[-1] = True
        while spread(edges, allowed, ending, weights):
            pass
        if np.array_equal(ending, allowed):
            return ending
        allowed = ending
