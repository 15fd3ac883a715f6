"""Kernels of the dice game for one game at a time, called from Python with an array and an index.

The names and arguments are those of `engine/single.py`, so that an environment can hold either.
Read `turn.py` before and `game.py` after this file.
"""

from __future__ import annotations

from typing import Any

from sorry_env.engine.jit import kernel
from sorry_env.engine.single import FINISHED, ILLEGAL, TRUNCATED
from sorry_env.engine.state import OVER
from sorry_env.express import turn
from sorry_env.express.tables import ExpressArrays


@kernel
def set_up(rules: Any, games: Any, i: Any, first: Any) -> None:
    """`turn.set_up` of game ``i``: a new game that waits for the first roll."""
    turn.set_up(rules, games[i], first)


@kernel
def draw(rules: Any, games: Any, i: Any) -> None:
    """`turn.roll` of game ``i``."""
    turn.roll(rules, games[i])


@kernel
def play(rules: Any, games: Any, i: Any, action: Any) -> None:
    """`turn.play` of game ``i``: up to the next roll or the end."""
    turn.play(rules, games[i], action)


@kernel
def play_each(rules: Any, games: Any, actions: Any) -> None:
    """`turn.play` of a legal action in every game; actions: int[n]."""
    for i in range(len(games)):
        turn.play(rules, games[i], actions[i])


@kernel
def winner(rules: Any, games: Any, i: Any) -> Any:
    """`turn.first_complete` of game ``i``."""
    return turn.first_complete(rules, games[i])


@kernel
def mask(rules: Any, games: Any, i: Any, out: Any) -> Any:
    """`turn.legal_mask` of game ``i``."""
    return turn.legal_mask(rules, games[i], out)


@kernel
def see(games: Any, i: Any, viewer: Any, out: Any) -> None:
    """`turn.observe` of game ``i``."""
    turn.observe(games[i], viewer, out)


@kernel
def returns(games: Any, i: Any, out: Any) -> None:
    """`turn.returns` of game ``i``."""
    turn.returns(games[i], out)


@kernel
def decide(
    facts: Any,
    actions: Any,
    games: Any,
    i: Any,
    action: Any,
    max_plies: Any,
    seen: Any,
    mask: Any,
    work: Any,
) -> Any:
    """One whole step of game ``i``, as `engine.single.decide`; ``work`` is not used.

    seen: int8[O], overwritten with what the seat that decides next sees
    mask: bool[A], its legal actions before; overwritten, all False at the end
    Returns the seat that decides next, FINISHED, TRUNCATED after ``max_plies`` decisions (no roll
    then), or ILLEGAL, with everything as it was.
    """
    if action < 0 or action >= len(actions) or not mask[action]:
        return ILLEGAL
    rules = ExpressArrays(facts, actions)
    game = games[i]
    turn.play(rules, game, action)
    status = TRUNCATED
    if game["phase"] == OVER:
        status = FINISHED
    elif game["plies"] < max_plies:
        if turn.roll_due(game):
            turn.roll(rules, game)
        status = int(game["actor"])
    turn.legal_mask(rules, game, mask)
    turn.observe(game, game["actor"], seen)
    return status
