"""Which states can be played to an end for certain: without an end, expected draws are infinite.

Needed for one seat alone; with two sides a game that never ends is simply won by nobody. Read
`play.py` before this file.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from sorry_env.engine.jit import kernel
from sorry_env.solve.graph import Graph
from sorry_env.solve.play import Play


@kernel
def spread(play: Any, allowed: Any, ending: Any) -> Any:
    """Mark states from which an end can be reached without leaving the allowed ones.

    allowed, ending: bool[N + 1], the last for the end itself; ``ending`` is added to
    Returns how many were added.
    """
    choose = len(play.weights) == 0
    added = 0
    for state in range(play.counts.shape[0]):
        if ending[state] or not allowed[state]:
            continue
        stays = True
        nears = False
        at = play.offsets[state]
        for card in range(play.counts.shape[1]):
            end = at + np.int64(play.counts[state, card])
            some = end == at
            every = True
            for i in range(at, end):
                some |= allowed[play.targets[i]]
                every &= allowed[play.targets[i]]
                nears |= ending[play.targets[i]]
            stays &= some if choose else every
            at = end
        if stays and nears:
            ending[state] = True
            added += 1
    return added


def certain_to_end(graph: Graph, play: Play) -> np.ndarray:
    """bool[N + 1], from where the game of one seat alone ends with probability 1.

    play: how it is played; where the best is taken, whether it can be played so
    """
    allowed = np.ones(graph.states + 1, np.bool_)
    while True:
        ending = np.zeros(graph.states + 1, np.bool_)
        ending[-1] = True
        while spread(play, allowed, ending):
            pass
        if np.array_equal(ending, allowed):
            return ending
        allowed = ending
