"""Kernels for one game at a time, called from Python with an array of games and an index.

`Game` and the environments come in here; a compiled function can be called with an array, not with
one record of it. Read `turn.py` before this file and `../game.py` after it.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from sorry_env.engine import cards, masks, moods, results, turn
from sorry_env.engine.geometry import NOWHERE
from sorry_env.engine.jit import kernel
from sorry_env.engine.masks import legal_mask
from sorry_env.engine.observe import observe
from sorry_env.engine.state import OVER, SEATS

# What `decide` returns besides the seat that decides next.
FINISHED: Final = SEATS
TRUNCATED: Final = SEATS + 1
ILLEGAL: Final = -1


@kernel
def set_up(rules: Any, games: Any, i: Any, first: Any) -> None:
    """`turn.set_up` of game ``i``: a new game that waits for its first card."""
    turn.set_up(rules.facts[0], games[i], first)


@kernel
def draw(rules: Any, games: Any, i: Any, mask: Any, work: Any) -> None:
    """`turn.draw` of game ``i``."""
    turn.draw(rules.facts[0], games[i])
    if games[i]["again"]:
        turn.end_vain_play(rules.facts[0], rules.actions, games[i], mask, work)


@kernel
def draw_card(rules: Any, games: Any, i: Any, card: Any, mask: Any, work: Any) -> None:
    """Draw a given card that is in the pile, after a reshuffle where the pile is empty."""
    cards.refill(rules.facts[0], games[i])
    cards.take_from_pile(rules.facts[0], games[i], card)
    turn.receive(rules.facts[0], games[i], card)
    if games[i]["again"]:
        turn.end_vain_play(rules.facts[0], rules.actions, games[i], mask, work)


@kernel
def answer(games: Any, i: Any, yes: Any) -> None:
    """`turn.answer` of game ``i``: the coin's answer is chosen."""
    turn.answer(games[i], yes)


@kernel
def refill(rules: Any, games: Any, i: Any) -> None:
    """`cards.refill` of game ``i``."""
    cards.refill(rules.facts[0], games[i])


@kernel
def chance_due(rules: Any, games: Any, i: Any) -> Any:
    """`masks.chance_due` of game ``i``."""
    return masks.chance_due(rules.facts[0], games[i])


@kernel
def play(rules: Any, games: Any, i: Any, action: Any) -> None:
    """`turn.play` of game ``i``: up to the next draw or the end."""
    turn.play(rules.facts[0], rules.actions, games[i], action)


@kernel
def can_advance(rules: Any, games: Any, i: Any) -> Any:
    """Whether the Fire pawn of the seat in turn of game ``i`` could advance now."""
    return masks.fire_target(rules.facts[0], games[i], np.int64(games[i]["turn"])) != NOWHERE


@kernel
def mood_target(rules: Any, games: Any, i: Any, action: Any) -> Any:
    """`moods.mood_target` of game ``i`` for an action index."""
    return moods.mood_target(rules.facts[0], games[i], rules.actions[action])


@kernel
def mask(rules: Any, games: Any, i: Any, out: Any, work: Any) -> Any:
    """`moves.legal_mask` of game ``i``; the number of legal actions."""
    return legal_mask(rules.facts[0], rules.actions, games[i], out, work)


@kernel
def see(rules: Any, games: Any, i: Any, viewer: Any, out: Any) -> None:
    """`observe.observe` of game ``i``."""
    observe(rules.facts[0], games[i], viewer, out)


@kernel
def returns(rules: Any, games: Any, i: Any, reward: Any, out: Any) -> None:
    """`results.returns` of game ``i``."""
    results.returns(rules.facts[0], games[i], reward, out)


@kernel
def decide(
    rule_facts: Any,
    actions: Any,
    games: Any,
    i: Any,
    action: Any,
    max_plies: Any,
    seen: Any,
    mask: Any,
    work: Any,
) -> Any:
    """One whole step of game ``i``: check and play an action, draw, show the next decision.

    The arrays of the rules come one by one: to hand a named tuple over takes longer than the step.
    Called from Python, it is best called through `jit.direct`.

    rule_facts, actions: the arrays of RuleArrays
    seen: int8[O], overwritten with what the seat that decides next sees
    mask: bool[A], its legal actions before; overwritten, all False at the end
    work: WORK[2], overwritten
    Returns the seat that decides next, FINISHED, TRUNCATED after ``max_plies`` decisions (no card
    is drawn then), or ILLEGAL, with everything as it was.
    """
    if action < 0 or action >= len(actions) or not mask[action]:
        return ILLEGAL
    facts = rule_facts[0]
    game = games[i]
    turn.play(facts, actions, game, action)
    status: Any = TRUNCATED
    if game["phase"] == OVER:
        status = FINISHED
    elif game["plies"] < max_plies:
        if masks.chance_due(facts, game):
            turn.draw(facts, game)
            if game["again"]:
                turn.end_vain_play(facts, actions, game, mask, work)
        status = np.int64(game["actor"])
    if status == TRUNCATED:
        mask[:] = False  # somebody might have gone on, but nobody does
    else:
        legal_mask(facts, actions, game, mask, work)
    observe(facts, game, np.int64(game["actor"]), seen)
    return status
