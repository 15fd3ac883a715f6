"""How a bot plays that decides by values of afterstates: each position is valued once.

A few million states are reached by a hundred million moves, so such a bot is not asked move by
move. Read `policy.py` before this file.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from sorry_env.bots.value import AfterstateBot
from sorry_env.engine.jit import kernel
from sorry_env.engine.observe import observe
from sorry_env.solve.graph import CHUNK, Graph, Progress, scratch_for
from sorry_env.solve.kernels import put_place

#: By its index in arrays [2, ...]: a state whose seat to move has just moved, or the other has.
AGAIN, OTHER = 0, 1


def weigh_by_afterstates(
    graph: Graph, bot: AfterstateBot, progress: Progress
) -> tuple[np.ndarray, np.ndarray]:
    """Weights float64[T] of the targets, and the decisions bool[N, C] that are left to be asked.

    graph: of one seat or two, so that it is known who has moved
    Left over are cards whose best target is not alone, where it counts how many actions lead to
    each, and those that may end the game: won positions differ, and are no states.
    """
    values = value_states(graph, bot, progress)
    weights = np.zeros(len(graph.targets))
    asked = np.zeros(graph.counts.shape, np.bool_)
    take_highest(graph.counts, graph.targets, values, weights, asked)
    return weights, asked


def value_states(graph: Graph, bot: AfterstateBot, progress: Progress) -> np.ndarray:
    """float64[2, N], what a state is worth to the seat that has moved; NaN where none leads to it.

    By AGAIN or OTHER, as the targets have it.
    """
    space = graph.space
    needed = np.zeros((2, graph.states), np.bool_)
    mark_targets(graph.counts, graph.targets, needed)
    values = np.full(needed.shape, np.nan)
    scratch = scratch_for(space)
    seen = np.empty((CHUNK, space.tables.observation_size), np.int8)
    for who in (AGAIN, OTHER):
        states = np.flatnonzero(needed[who])
        for low in range(0, len(states), CHUNK):
            part = states[low : low + CHUNK]
            look(space.tables.arrays, space.codec, graph.places, part, who, scratch, seen)
            values[who, part] = bot.value(seen[: len(part)].copy())
            progress(f"{bot.name} values positions: {(low + len(part)) / len(states):.0%}")
    return values


@kernel
def mark_targets(counts: Any, targets: Any, needed: Any) -> None:
    """Mark the states bool[2, N] that a choice can lead to, by AGAIN or OTHER."""
    won = counts.shape[0]
    at = np.int64(0)
    for state in range(counts.shape[0]):
        for card in range(counts.shape[1]):
            end = at + np.int64(counts[state, card])
            if end > at + 1:
                for i in range(at, end):
                    target = np.int64(targets[i])
                    if target >= 0:
                        if target != won:
                            needed[AGAIN, target] = True
                    elif ~target != won:
                        needed[OTHER, ~target] = True
            at = end


@kernel
def look(
    rules: Any, codec: Any, places: Any, states: Any, who: Any, scratch: Any, seen: Any
) -> None:
    """What the seat that has moved sees in states int64[n]: int8[n, O], written from the front.

    who: AGAIN or OTHER; places: int32[N], the place of each state
    """
    game = scratch.games[0]
    for i in range(len(states)):
        put_place(codec, np.int64(places[states[i]]), game)
        viewer = np.int64(codec.order[np.int64(game["turn"]), who])
        observe(rules.facts[0], game, viewer, seen[i])


@kernel
def take_highest(counts: Any, targets: Any, values: Any, weights: Any, asked: Any) -> None:
    """Write 1 to the target of the highest value of each card, where it is known which that is.

    values:  float64[2, N], see `value_states`
    weights: float64[T], all 0 before; asked: bool[N, C], set for the other decisions
    """
    won = counts.shape[0]
    at = np.int64(0)
    for state in range(counts.shape[0]):
        for card in range(counts.shape[1]):
            end = at + np.int64(counts[state, card])
            if end == at + 1:
                weights[at] = 1.0
            elif end > at + 1:
                top = -np.inf
                best = np.int64(at)
                clear = False
                for i in range(at, end):
                    target = np.int64(targets[i])
                    who = AGAIN if target >= 0 else OTHER
                    reached = target if target >= 0 else ~target
                    worth = values[who, reached] if reached != won else np.nan
                    if np.isnan(worth):
                        clear = False
                        break
                    if worth > top:
                        top = worth
                        best = np.int64(i)
                        clear = True
                    elif worth == top:
                        clear = False
                if clear:
                    weights[best] = 1.0
                else:
                    asked[state, card] = True
            at = end
