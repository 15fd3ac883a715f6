"""Simulations of `mcts` that play their games to the end, in compiled code.

Read `tree.py` before and `mcts.py` after this file.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from sorry_env.bots.chance import carry_out, proceed
from sorry_env.bots.tree import MAX_PLIES, back_up, begin, descend
from sorry_env.engine.jit import inner, kernel
from sorry_env.engine.results import seated
from sorry_env.engine.rng import advance, below
from sorry_env.engine.state import OVER, SEATS
from sorry_env.engine.stepping import nth_legal
from sorry_env.rules.ruleset import MAX_PAWNS

#: What a game that a seat plays alone is worth after each draw, of what it was: the sooner it is
#: over the better.
PATIENCE: Final = 0.98
#: A colour's steps when it has won: more than any can cover.
_WON: Final = 1000.0


@inner
def lead(facts: Any, game: Any, seat: Any) -> Any:
    """Steps covered by the side of a seat less the mean of the others', a win above all."""
    own = 0.0
    theirs = 0.0
    others = 0
    for other in range(SEATS):
        if not seated(game, other):
            continue
        steps = 0.0
        for slot in range(MAX_PAWNS):
            code = np.int64(game["pawns"][other, slot])
            steps += code if code > 0 else 0
        if game["ranks"][other] == 1:
            steps += _WON
        if other == seat or (facts["teams"] and other == ((seat + 2) & 3)):
            own += steps
        else:
            theirs += steps
            others += 1
    if facts["teams"]:
        return own - theirs
    return own - theirs / max(others, 1)


@inner
def greedy_action(rules: Any, game: Any, count: Any, mask: Any, after: Any) -> Any:
    """One of the actions that gain most at once; after: GAME[1], scratch."""
    facts = rules.facts[0]
    actor = np.int64(game["actor"])
    if count == 1:
        return nth_legal(facts, game, mask, np.int64(0))
    best = np.int64(0)
    top = -np.inf
    ties = 0
    for a in range(len(mask)):
        if mask[a]:
            after[0] = game
            carry_out(rules, after[0], a)
            worth = lead(facts, after[0], actor)
            ties = ties + 1 if worth == top else 1 if worth > top else ties
            if worth > top:
                top = worth
                best = np.int64(a)
            elif worth == top:
                game["rng"] = advance(game["rng"])
                if below(game["rng"], ties) == 0:
                    best = np.int64(a)
    return best


@inner
def play_out(rules: Any, game: Any, greedy: Any, mask: Any, work: Any) -> None:
    """Play a game to its end, by `greedy_action` or at random, at most MAX_PLIES decisions."""
    facts = rules.facts[0]
    for _ in range(MAX_PLIES):
        if game["phase"] == OVER:
            return
        count = proceed(rules, game, mask, work[:2])
        if greedy:
            action = greedy_action(rules, game, count, mask, work[2:])
        else:
            game["rng"] = advance(game["rng"])
            action = nth_legal(facts, game, mask, below(game["rng"], count))
        carry_out(rules, game, action)


@inner
def results(game: Any, draws: Any, values: Any) -> None:
    """What a game brought each seat: values float64[4], 1 for winners and 0 for the others.

    draws: before the simulation; a game that was broken off is worth a half to everybody
    """
    seats = 0
    for seat in range(SEATS):
        seats += seated(game, seat)
        won = game["ranks"][seat] == 1
        values[seat] = (1.0 if won else 0.0) if game["phase"] == OVER else 0.5
    if seats == 1:
        for seat in range(SEATS):
            values[seat] *= PATIENCE ** np.float64(game["draws"] - draws)


@kernel
def simulate(
    rules: Any, roots: Any, trees: Any, count: Any, state: Any, greedy: Any, settings: Any,
    values: Any,
) -> None:  # fmt: skip
    """``count`` more simulations of the first tree.

    roots:  GAME[1], other hands HIDDEN
    state:  uint64[1], random numbers, changed
    values: float64[4], overwritten
    """
    seat = np.int64(roots[0]["actor"])
    for _ in range(count):
        state[0] = advance(state[0])
        begin(rules, trees, np.int64(0), roots, state[0])
        descend(rules, trees, np.int64(0), seat, False, settings)
        play_out(rules, trees.games[0], greedy, trees.mask, trees.work)
        results(trees.games[0], np.int64(roots[0]["draws"]), values)
        back_up(trees, np.int64(0), values)
