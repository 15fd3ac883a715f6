"""Simulations of `mcts` that end where something new is valued, many searches step by step.

Each search of a batch goes down its own tree to a decision that has not been looked at; the
positions after all its actions are valued in one call for all searches. Read `tree.py` before and
`mcts.py` after this file.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any, Final, NamedTuple

import numpy as np

from sorry_env.bots.chance import carry_out
from sorry_env.bots.playouts import results
from sorry_env.bots.tree import (
    LEAF,
    NONE,
    Trees,
    add_edge,
    back_up,
    begin,
    descend,
    find_edge,
)
from sorry_env.bots.values import Judge, likelihood, same_side, side_count
from sorry_env.engine.jit import kernel
from sorry_env.engine.state import GAME, SEATS, UNSEATED
from sorry_env.engine.tables import RuleTables

#: How much less an action must promise to deserve 1 / e of another's simulations before any.
BOLDNESS: Final = 0.05
_FIRST: Final = np.zeros(1, np.int64)


class Leaves(NamedTuple):
    """Positions after all actions of the decisions that some searches have come to.

    games:  GAME[m], after the actions
    row:    int64[m], the search, ascending
    action: int64[m]
    status: int64[n], how each search's way ended, see `tree.descend`
    values: float64[n, 4], what its simulation brought each seat, if it has ended
    """

    games: np.ndarray
    row: np.ndarray
    action: np.ndarray
    status: np.ndarray
    values: np.ndarray


def room_for(tables: RuleTables, count: int) -> Leaves:
    """Leaves of so many searches."""
    most = count * tables.num_actions
    return Leaves(
        np.empty(most, GAME), np.empty(most, np.int64), np.empty(most, np.int64),
        np.empty(count, np.int64), np.empty((count, SEATS)),
    )  # fmt: skip


def simulate_valued(
    judge: Judge,
    tables: RuleTables,
    roots: np.ndarray,
    trees: Trees,
    leaves: Leaves,
    settings: np.ndarray,
) -> Trees:
    """One more simulation of each search; the trees, in a larger array if they needed one.

    roots: GAME[n], other hands HIDDEN
    """
    trees = _with_room(tables, trees)
    begin_each(roots, trees)
    pending = np.arange(len(roots))
    seats = roots["actor"].astype(np.int64)
    sides = side_count(tables, roots)
    while len(pending):
        count = descend_each(tables.arrays, trees, pending, seats, roots, leaves, settings)
        if not count:
            break
        games, row = leaves.games[:count], leaves.row[:count]
        movers = trees.games["actor"][row]
        worth = judge.worth(tables, games, roots[row], movers, movers)
        starts = np.flatnonzero(row[1:] != row[:-1]) + 1
        starts = np.concatenate([_FIRST, starts])
        some = row[starts]
        best = np.array([low + worth[low:high].argmax()
                         for low, high in pairwise([*starts.tolist(), count])])  # fmt: skip
        grow_each(trees, row, leaves.action[:count], likelihood(worth, sides[row]))
        leaves.values[some] = _value_sides(
            judge, tables, roots[some], games[best], movers[best], worth[best], sides[some]
        )
        if not tables.ruleset.hand:
            break
        # What others can do with hands that nobody sees says little of one's own hand: on to the
        # own side's next decision.
        own = same_side(tables, movers[best], seats[some])
        pending = some[~own & (sides[some] == 2)]
    back_up_each(trees, leaves.values)
    return trees


def _value_sides(
    judge: Judge, tables: RuleTables, roots: np.ndarray, games: np.ndarray, movers: np.ndarray,
    best: np.ndarray, sides: np.ndarray,
) -> np.ndarray:  # fmt: skip
    """float64[k, 4], chances of all seats in positions GAME[k] worth ``best`` to their movers."""
    near = same_side(tables, movers[:, None], np.arange(SEATS))
    worth = np.where(near, best[:, None], -best[:, None])
    row, seat = np.nonzero(~near & (sides > 2)[:, None] & (games["pawns"][:, :, 0] != UNSEATED))
    if len(row):
        worth[row, seat] = judge.worth(tables, games[row], roots[row], movers[row], seat)
    return likelihood(worth, sides[:, None])


def _with_room(tables: RuleTables, trees: Trees) -> Trees:
    """Trees in which another simulation has room."""
    size = trees.edges.shape[1]
    if int(trees.used.max()) + 4 * tables.num_actions <= size:
        return trees
    edges = np.zeros((len(trees.used), 2 * size), trees.edges.dtype)
    edges[:, :size] = trees.edges
    return trees._replace(edges=edges)


@kernel
def begin_each(roots: Any, trees: Any) -> None:
    """`tree.begin` of each search."""
    for i in range(len(roots)):
        begin(trees, i, roots)


@kernel
def descend_each(
    rules: Any, trees: Any, rows: Any, seats: Any, roots: Any, leaves: Any, settings: Any
) -> Any:
    """`tree.descend` in the rows int64[k], expanding the leaves; returns how many positions."""
    count = 0
    for k in range(len(rows)):
        i = rows[k]
        status = descend(rules, trees, i, seats[i], True, settings)
        leaves.status[i] = status
        if status == LEAF:
            for a in range(len(trees.mask)):
                if trees.mask[a]:
                    leaves.games[count] = trees.games[i]
                    carry_out(rules, leaves.games[count], a)
                    leaves.row[count] = i
                    leaves.action[count] = a
                    count += 1
        else:
            results(trees.games[i], np.int64(roots[i]["draws"]), leaves.values[i])
    return count


@kernel
def grow_each(trees: Any, rows: Any, actions: Any, values: Any) -> None:
    """Add edges for the actions int64[m] of leaves with their values float64[m], from 0 to 1."""
    for k in range(len(rows)):
        i = rows[k]
        node = trees.node[i]
        if find_edge(trees.edges[i], node, actions[k]) == NONE:
            edge = add_edge(trees, i, node, actions[k])
            if edge != NONE:
                trees.edges[i, edge]["first"] = values[k]
                trees.edges[i, edge]["prior"] = np.exp(values[k] / BOLDNESS)


@kernel
def back_up_each(trees: Any, values: Any) -> None:
    """`tree.back_up` of each search."""
    for i in range(len(values)):
        back_up(trees, i, values[i])
