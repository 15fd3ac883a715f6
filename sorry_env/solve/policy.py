"""How a bot plays every position of a graph: chances of actions become weights of targets.

Read `graph.py` and `../bots/base.py` before and `evaluation.py` after this file.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from sorry_env.bots.base import BatchRequest, Bot
from sorry_env.bots.value import AfterstateBot
from sorry_env.engine.state import GAME
from sorry_env.engine.tables import RuleTables
from sorry_env.errors import MoveError
from sorry_env.solve.afterstates import weigh_by_afterstates
from sorry_env.solve.graph import CHUNK, Graph, Progress, scratch_for, silent
from sorry_env.solve.kernels import pose_decisions, weigh_targets

#: Chances of actions float[n, A] for each row of a request; each row adds up to 1.
Policy = Callable[[BatchRequest], np.ndarray]


def policy_weights(
    graph: Graph, policy: Bot | Policy, *, progress: Progress = silent
) -> np.ndarray:
    """float64[T], the chance that the policy plays a card so that it leads to each target.

    policy: a bot, asked for its `distribution`, or a function that is one
    Every decision in which more than one position can be reached is put to it once, with the seat
    to move in the frame's own place; one that decides by values of positions is asked for these,
    once each, and only for the decisions that they leave open. Raises what a bot's `check` raises,
    and MoveError for chances that are none.
    """
    space = graph.space
    if isinstance(policy, Bot):
        policy.check(space.tables, space.seats)
    if isinstance(policy, AfterstateBot) and len(space.seats) <= 2:
        weights, asked = weigh_by_afterstates(graph, policy, progress)
    else:
        weights, asked = np.ones(len(graph.targets)), graph.counts > 1
    ask(graph, policy, asked, weights, progress)
    return weights


def ask(
    graph: Graph, policy: Bot | Policy, asked: np.ndarray, weights: np.ndarray, progress: Progress
) -> None:
    """Put decisions bool[N, C] to a policy and write the weights float64[T] of their targets."""
    space, tables = graph.space, graph.space.tables
    name, answer = _named(policy)
    arrays, codec, scratch = tables.arrays, space.codec, scratch_for(space)
    most = min(CHUNK, graph.states) * space.cards
    games = np.empty(most, GAME)
    mask = np.empty((most, tables.num_actions), np.bool_)
    seen = np.empty((most, tables.observation_size), np.int8)
    for low in range(0, graph.states, CHUNK):
        high = min(low + CHUNK, graph.states)
        n = pose_decisions(
            arrays, codec, graph.places, asked, low, high, scratch, games, mask, seen
        )
        if n:
            request = BatchRequest(tables, games[:n], seen[:n].copy(), mask[:n].copy())
            chances = checked_chances(name, tables, mask[:n], answer(request))
            weigh_targets(
                arrays, codec, graph.number, graph.counts, graph.offsets, graph.targets, asked,
                low, high, scratch, games[:n], chances, weights,
            )  # fmt: skip
        progress(f"{name} asked in {high / graph.states:.0%} of the states")


def checked_chances(name: str, tables: RuleTables, mask: np.ndarray, given: Any) -> np.ndarray:
    """Chances float64[n, A] of a policy's answer, or MoveError saying what is wrong with it.

    mask: bool[n, A], the legal actions
    """
    chances = np.ascontiguousarray(given, np.float64)
    if chances.shape != mask.shape:
        raise MoveError(
            f"policy {name} must give chances of shape {mask.shape}, not {chances.shape}",
            value=chances.shape,
        )
    sums = chances.sum(axis=1)
    wrong = ~(np.abs(sums - 1.0) < 1e-6) | (chances < 0).any(axis=1)
    if wrong.any():
        at = int(np.flatnonzero(wrong)[0])
        raise MoveError(
            f"policy {name} gives chances that are not from 0 to 1 or add up to {sums[at]:g}",
            value=chances[at].tolist(),
        )
    if (chances[~mask] > 0).any():
        row, action = np.argwhere((chances > 0) & ~mask)[0].tolist()
        raise MoveError(
            f"policy {name} gives {chances[row, action]:g} to action {action} "
            f"({tables.labels[action]}), which is not legal there",
            value=action,
        )
    return chances


def _named(policy: Bot | Policy) -> tuple[str, Policy]:
    if isinstance(policy, Bot):
        return policy.name, policy.distribution
    return getattr(policy, "__name__", "policy"), policy
