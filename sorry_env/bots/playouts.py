"""Simulations of `mcts` that play their games to the end, in compiled code.

Read `tree.py` before and `mcts.py` after this file.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from sorry_env.bots.chance import carry_out, proceed
from sorry_env.bots.tree import MAX_PLIES, back_up, begin, descend, roll
from sorry_env.engine.jit import inner, kernel
from sorry_env.engine.results import seated
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
def greedy_action(rules: Any, trees: Any, i: Any, count: Any) -> Any:
    """One of the actions that gain most at once."""
    facts = rules.facts[0]
    game, mask, after = trees.games[i], trees.mask, trees.work[2:]
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
                if roll(trees, i, ties) == 0:
                    best = np.int64(a)
    return best


@inner
def play_out(rules: Any, trees: Any, i: Any, greedy: Any) -> None:
    """Play a game to its end, by `greedy_action` or at random, at most MAX_PLIES decisions."""
    game = trees.games[i]
    for _ in range(MAX_PLIES):
        if game["phase"] == OVER:
            return
        count = proceed(rules, game, trees.mask, trees.work[:2])
        if greedy:
            action = greedy_action(rules, trees, i, count)
        else:
            action = nth_legal(rules.facts[0], game, trees.mask, roll(trees, i, count))
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
    rules: Any, roots: Any, trees: Any, count: Any, greedy: Any, settings: Any, values: Any
) -> None:  # fmt: skip
    """``count`` more simulations of the first tree.

    roots:  GAME[1], other hands HIDDEN
    values: float64[4], overwritten
    """
    seat = np.int64(roots[0]["actor"])
    for _ in range(count):
        begin(trees, np.int64(0), roots)
        descend(rules, trees, np.int64(0), seat, False, settings)
        play_out(rules, trees, np.int64(0), greedy)
        results(trees.games[0], np.int64(roots[0]["draws"]), values)
        back_up(trees, np.int64(0), values)
