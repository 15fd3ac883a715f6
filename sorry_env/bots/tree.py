"""The trees of `mcts`: what is known of moves and of chance, and how a simulation goes through it.

A tree is one array of edges. Edge 0 is the root; every other leads from its parent to a position,
by an action or by what chance brought, and the edges out of there hang on it in a list. Positions
are not kept: each simulation plays a whole game of its own, in a world that the root's seat must
reckon with, and looks up what is legal in the engine. So one tree serves all worlds: what the
root's seat cannot see, the cards that others draw into their hands, makes no difference in it.
Read `chance.py` before and `mcts.py` after this file.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np

from sorry_env.bots.chance import NO, YES, carry_out
from sorry_env.engine.cards import add_to_hand, pick_card
from sorry_env.engine.jit import inner, wrapping
from sorry_env.engine.masks import chance_due, legal_mask
from sorry_env.engine.rng import advance, below, mix, unit
from sorry_env.engine.rows import GAMMA
from sorry_env.engine.state import ANSWER, EMPTY, HIDDEN, OVER, SEATS, WORK
from sorry_env.engine.stepping import nth_legal
from sorry_env.engine.turn import answer, end_vain_play, receive
from sorry_env.rules.ruleset import MAX_HAND

EDGE: Final = np.dtype(
    [
        ("key", "i4"),
        ("next", "i4"),
        ("child", "i4"),
        ("visits", "i4"),
        ("offered", "i4"),
        ("prior", "f4"),
        ("first", "f8"),
        ("total", "f8"),
    ]
)
"""An edge of a tree and the position that it leads to.

key:     the action, or _CHANCE plus what chance brought
next:    the parent's next edge, NONE after the last
child:   the first of the edges out of the position, NONE before there are any
visits:  simulations that went along it
offered: simulations in which its action was legal when its parent decided
prior:   share of the simulations that it is thought to deserve before any (with values)
first:   its value before any, for the seat that chooses it (with values)
total:   sum of what these simulations brought that seat, each from 0 to 1
"""

NONE: Final = -1
#: Keys of what chance brings lie far below those of actions; what nobody sees has one key.
_CHANCE: Final = -1000
_UNSEEN: Final = -2000
#: Choices of one simulation that are remembered; a longer way ends there.
MAX_PATH: Final = 128
#: Decisions after which a playout is broken off.
MAX_PLIES: Final = 5000

_GAMMA = np.uint64(GAMMA)

# How a way through the tree ends.
ENDED: Final = 0
NEW: Final = 1
LEAF: Final = 2


class Trees(NamedTuple):
    """n searches at a time, each with a tree of E edges at most; A actions.

    edges:  EDGE[n, E]
    used:   int64[n], edges in use
    games:  GAME[n], the game that each simulation plays
    node:   int64[n], where it is
    luck:   uint64[n], what the chance of all simulations follows from
    dice:   uint64[n], random numbers for choices; those of chance are the game's own
    path:   int64[n, MAX_PATH, 2], the edges that it chose and the seats that did
    length: int64[n], how many
    mask:   bool[A], work: WORK[3], slots: int64[A], scratch; slots all NONE between uses
    """

    edges: np.ndarray
    used: np.ndarray
    games: np.ndarray
    node: np.ndarray
    luck: np.ndarray
    dice: np.ndarray
    path: np.ndarray
    length: np.ndarray
    mask: np.ndarray
    work: np.ndarray
    slots: np.ndarray


def plant(luck: np.ndarray, size: int, actions: int) -> Trees:
    """Trees of a root each, with room for ``size`` edges; luck: uint64[n], see `Trees`."""
    count = len(luck)
    edges = np.zeros((count, size), EDGE)
    edges[:, 0]["next"] = edges[:, 0]["child"] = NONE
    return Trees(
        edges=edges,
        used=np.ones(count, np.int64),
        games=np.zeros(count, WORK),
        node=np.zeros(count, np.int64),
        luck=luck,
        dice=luck.copy(),
        path=np.zeros((count, MAX_PATH, 2), np.int64),
        length=np.zeros(count, np.int64),
        mask=np.zeros(actions, np.bool_),
        work=np.zeros(3, WORK),
        slots=np.full(actions, NONE, np.int64),
    )


# -- growing and finding --------------------------------------------------------------------------


@inner
def find_edge(edges: Any, node: Any, key: Any) -> Any:
    """The edge with this key out of a position, or NONE."""
    edge = np.int64(edges[node]["child"])
    while edge != NONE and edges[edge]["key"] != key:
        edge = np.int64(edges[edge]["next"])
    return edge


@inner
def add_edge(trees: Any, i: Any, node: Any, key: Any) -> Any:
    """A new edge out of a position, or NONE if there is no room for any."""
    edge = trees.used[i]
    if edge >= trees.edges.shape[1]:
        return np.int64(NONE)
    trees.used[i] = edge + 1
    new = trees.edges[i, edge]
    new["key"] = key
    new["next"] = trees.edges[i, node]["child"]
    new["child"] = NONE
    trees.edges[i, node]["child"] = edge
    return edge


@inner
def deal_hidden(facts: Any, game: Any) -> None:
    """Deal the cards that cannot be seen into the places that are HIDDEN, all ways as likely."""
    draws = np.int64(game["draws"])
    for seat in range(SEATS):
        hidden = 0
        for place in range(MAX_HAND):
            if game["hands"][seat, place] == HIDDEN:
                game["hands"][seat, place] = EMPTY
                hidden += 1
        for _ in range(hidden):
            add_to_hand(game, seat, pick_card(facts, game))
    game["draws"] = draws


@inner
def begin(trees: Any, i: Any, roots: Any) -> None:
    """Begin a simulation at the root."""
    trees.games[i] = roots[i]
    trees.node[i] = 0
    trees.length[i] = 0


@inner
def enter_world(rules: Any, trees: Any, i: Any, number: Any) -> None:
    """Deal what cannot be seen, and set chance for the rest of the game.

    number: how many simulations have gone along the root's action before. The n-th of each action
            has the same luck, so that what they bring differs by the actions
    """
    game = trees.games[i]
    game["rng"] = seed_luck(trees.luck[i], number)
    trees.dice[i] = mix(advance(trees.dice[i]))
    if rules.facts[0]["hand"]:
        deal_hidden(rules.facts[0], game)


@wrapping
def seed_luck(luck: Any, number: Any) -> Any:
    """uint64, the random state of a simulation by its number (int64)."""
    return mix(mix(luck) + np.uint64(number) * _GAMMA)


@inner
def roll(trees: Any, i: Any, n: Any) -> Any:
    """A whole number from 0 to n - 1."""
    trees.dice[i] = advance(trees.dice[i])
    return below(trees.dice[i], n)


# -- on the way -----------------------------------------------------------------------------------


@inner
def take_chance(rules: Any, game: Any, seat: Any, mask: Any, work: Any) -> Any:
    """Let chance bring what is due; returns its key as ``seat`` sees it."""
    facts = rules.facts[0]
    if game["phase"] == ANSWER:
        game["rng"] = advance(game["rng"])
        yes = unit(game["rng"]) < facts["p_yes"]
        answer(game, yes)
        return np.int64(_CHANCE + (YES if yes else NO))
    seen = not facts["hand"] or np.int64(game["turn"]) == seat
    card = np.int64(pick_card(facts, game))
    receive(facts, game, card)
    if game["again"]:
        end_vain_play(facts, rules.actions, game, mask, work)
    return np.int64(_CHANCE + card if seen else _UNSEEN)


@inner
def note_edges(trees: Any, i: Any, noted: Any) -> None:
    """Write the present position's edges into the slots of their actions, or empty these."""
    edge = np.int64(trees.edges[i, trees.node[i]]["child"])
    while edge != NONE:
        if trees.edges[i, edge]["key"] >= 0:
            trees.slots[trees.edges[i, edge]["key"]] = edge if noted else np.int64(NONE)
        edge = np.int64(trees.edges[i, edge]["next"])


@inner
def untried_action(trees: Any, i: Any) -> Any:
    """One of the legal actions that have no edge yet, all equally likely, or NONE; by the slots."""
    found = np.int64(NONE)
    count = 0
    for a in range(len(trees.mask)):
        if trees.mask[a] and trees.slots[a] == NONE:
            count += 1
            if roll(trees, i, count) == 0:
                found = np.int64(a)
    return found


@inner
def offer(trees: Any, i: Any) -> None:
    """Count that the legal actions with edges could be chosen; by the slots."""
    for a in range(len(trees.mask)):
        if trees.mask[a] and trees.slots[a] != NONE:
            trees.edges[i, trees.slots[a]]["offered"] += 1


@inner
def best_by_bound(trees: Any, i: Any, explore: Any) -> Any:
    """The legal action with the highest upper confidence bound (UCT); by the slots."""
    best = np.int64(NONE)
    top = -np.inf
    for a in range(len(trees.mask)):
        if trees.mask[a]:
            edge = trees.edges[i, trees.slots[a]]
            visits = np.float64(edge["visits"])
            bound = np.sqrt(np.log(np.float64(edge["offered"])) / visits)
            score = np.float64(edge["total"]) / visits + explore * bound
            if score > top:
                top = score
                best = np.int64(a)
    return best


@inner
def best_by_prior(trees: Any, i: Any, explore: Any, weight: Any) -> Any:
    """The legal action with the highest value plus its share of what is unexplored (PUCT).

    weight: how many visits an edge's first value counts for
    """
    best = np.int64(NONE)
    top = -np.inf
    visits = 0.0
    priors = 0.0
    for a in range(len(trees.mask)):
        if trees.mask[a]:
            visits += np.float64(trees.edges[i, trees.slots[a]]["visits"])
            priors += np.float64(trees.edges[i, trees.slots[a]]["prior"])
    for a in range(len(trees.mask)):
        if trees.mask[a]:
            edge = trees.edges[i, trees.slots[a]]
            share = np.float64(edge["prior"]) / priors
            bonus = share * np.sqrt(visits + 1.0) / (1.0 + np.float64(edge["visits"]))
            score = mean_value(edge, weight) + explore * bonus
            if score > top:
                top = score
                best = np.int64(a)
    return best


@inner
def mean_value(edge: Any, weight: Any) -> Any:
    """What an edge is worth by its simulations and, as so many of them, its first value."""
    total = np.float64(edge["total"]) + weight * np.float64(edge["first"])
    return total / (np.float64(edge["visits"]) + weight)


@inner
def go_along(rules: Any, trees: Any, i: Any, action: Any, edge: Any) -> None:
    """Choose an action that has an edge."""
    game = trees.games[i]
    if trees.node[i] == 0:
        enter_world(rules, trees, i, np.int64(trees.edges[i, edge]["visits"]))
    trees.path[i, trees.length[i], 0] = edge
    trees.path[i, trees.length[i], 1] = np.int64(game["actor"])
    trees.length[i] += 1
    trees.node[i] = edge
    carry_out(rules, game, action)


@inner
def descend(rules: Any, trees: Any, i: Any, seat: Any, valued: Any, settings: Any) -> Any:
    """Go on through the tree, by chance and by the best actions, to a place that is new.

    seat:     the root's
    valued:   True ends the way at a LEAF, where legal actions have no edges, their mask in place;
              False adds an edge for one of them and goes along it: NEW
    settings: float64[2], what exploring counts and, with values, see `best_by_prior`
    Returns ENDED where the game is over, or nothing can be added.
    """
    facts, actions = rules.facts[0], rules.actions
    game = trees.games[i]
    while game["phase"] != OVER:
        if trees.length[i] >= MAX_PATH:
            return NEW
        if chance_due(facts, game):
            key = take_chance(rules, game, seat, trees.mask, trees.work[:2])
            edge = find_edge(trees.edges[i], trees.node[i], key)
            if edge == NONE:
                edge = add_edge(trees, i, trees.node[i], key)
            if edge == NONE:
                return NEW
            trees.node[i] = edge
            continue
        count = legal_mask(facts, actions, game, trees.mask, trees.work[:2])
        if count == 1 and not facts["hand"]:
            carry_out(rules, game, nth_legal(facts, game, trees.mask, np.int64(0)))
            continue
        note_edges(trees, i, True)
        action = untried_action(trees, i)
        if action != NONE and valued:
            note_edges(trees, i, False)
            return LEAF
        offer(trees, i)
        if action != NONE:
            note_edges(trees, i, False)
            edge = add_edge(trees, i, trees.node[i], action)
            if edge != NONE:
                trees.edges[i, edge]["offered"] = 1
                go_along(rules, trees, i, action, edge)
            return NEW
        if valued:
            action = best_by_prior(trees, i, settings[0], settings[1])
        else:
            action = best_by_bound(trees, i, settings[0])
        edge = trees.slots[action]
        note_edges(trees, i, False)
        go_along(rules, trees, i, action, edge)
    return ENDED


@inner
def back_up(trees: Any, i: Any, values: Any) -> None:
    """Credit a simulation's way with what it brought: values float64[4] by seat, 0 to 1."""
    trees.edges[i, 0]["visits"] += 1
    for step in range(trees.length[i]):
        edge = trees.edges[i, trees.path[i, step, 0]]
        edge["visits"] += 1
        edge["total"] += values[trees.path[i, step, 1]]
