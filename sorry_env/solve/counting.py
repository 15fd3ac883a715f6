"""Counting over all states: the visits of a game, and what a player's choices lose.

Read `backup.py` before and `evaluation.py` after this file.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from sorry_env.engine.jit import kernel
from sorry_env.errors import RequestError
from sorry_env.solve.backup import MOST_SWEEPS, PASSES
from sorry_env.solve.graph import Graph, Progress
from sorry_env.solve.play import Play

#: Expected visits still to come at which the count of visits is taken for complete.
REST: Final = 1e-10


@kernel
def add_regret(
    whole: Any, play: Any, values: Any, visits: Any, by_state: Any, by_card: Any
) -> None:
    """What a player's choices lose against the best.

    whole:    all that can be played, play: what is played
    values:   float64[N + 1], optimal ones
    by_state: float64[N], overwritten: a visit's loss on average over the cards
    by_card:  float64[C], added to: a card's loss in a game, by the visits float64[N]
    """
    at = np.int64(0)
    played = np.int64(0)
    for state in range(whole.counts.shape[0]):
        by_state[state] = 0.0
        for card in range(whole.counts.shape[1]):
            end = at + np.int64(whole.counts[state, card])
            top = -np.inf
            for i in range(at, end):
                target = np.int64(whole.targets[i])
                top = max(top, values[target] if target >= 0 else -values[~target])
            at = end
            end = played + np.int64(play.counts[state, card])
            weighed = 0.0
            for i in range(played, end):
                target = np.int64(play.targets[i])
                worth = values[target] if target >= 0 else -values[~target]
                weighed += play.weights[i] * worth
            played = end
            # Where no end is certain nothing is left to lose.
            if top > -np.inf:
                lost = whole.chances[card] * top - weighed
                by_state[state] += lost
                if visits[state] > 0.0:
                    by_card[card] += visits[state] * lost


@kernel
def pass_on(play: Any, levels: Any, passes: Any, waiting: Any, visits: Any) -> None:
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
                for i in range(np.uint64(play.offsets[state]), np.uint64(play.offsets[state + 1])):
                    target = np.int64(play.targets[i])
                    waiting[np.uint64(target if target >= 0 else ~target)] += now * play.weights[i]


def count_visits(graph: Graph, play: Play, first: int, progress: Progress) -> np.ndarray:
    """float64[N], how often each state occurs in a game in which all play so.

    Raises RequestError where games may never end.
    """
    waiting, visits = np.zeros(graph.states + 1), np.zeros(graph.states)
    waiting[first] = 1.0
    for _ in range(MOST_SWEEPS):
        pass_on(play, graph.levels, np.int64(PASSES), waiting, visits)
        rest = float(waiting[:-1].sum())
        progress(f"visits: {rest:.1e} of a game still to come")
        if rest <= REST:
            return visits
    raise RequestError(
        f"{graph.space.words}: games of this policy may never end", value=graph.space.words
    )
