"""Kernels for one game at a time, called from Python with an array of games and an index.

`Game` and the environments come in here; a compiled function can be called with an array, not with
one record of it. Read `turn.py` before this file and `../game.py` after it.
"""

from __future__ import annotations

from typing import Any

from sorry_env.engine import turn
from sorry_env.engine.jit import kernel
from sorry_env.engine.moves import legal_mask
from sorry_env.engine.observe import observe


@kernel
def set_up(rules: Any, games: Any, i: Any, first: Any) -> None:
    """`turn.set_up` of game ``i``: a new game that waits for its first card."""
    turn.set_up(rules, games[i], first)


@kernel
def draw(rules: Any, games: Any, i: Any) -> None:
    """`turn.draw` of game ``i``."""
    turn.draw(rules, games[i])


@kernel
def take_card(rules: Any, games: Any, i: Any, card: Any) -> None:
    """Turn up a given card that is in the pile, after a reshuffle where the pile is empty."""
    turn.refill(rules, games[i])
    turn.take_card(rules, games[i], card)


@kernel
def refill(rules: Any, games: Any, i: Any) -> None:
    """`turn.refill` of game ``i``."""
    turn.refill(rules, games[i])


@kernel
def play(rules: Any, games: Any, i: Any, action: Any) -> None:
    """`turn.play` of game ``i``: up to the next draw or the end."""
    turn.play(rules, games[i], action)


@kernel
def mask(rules: Any, games: Any, i: Any, out: Any, work: Any) -> Any:
    """`moves.legal_mask` of game ``i``; the number of legal actions."""
    return legal_mask(rules, games[i], out, work)


@kernel
def see(rules: Any, games: Any, i: Any, viewer: Any, out: Any) -> None:
    """`observe.observe` of game ``i``."""
    observe(rules, games[i], viewer, out)


@kernel
def returns(rules: Any, games: Any, i: Any, reward: Any, out: Any) -> None:
    """`turn.returns` of game ``i``."""
    turn.returns(rules, games[i], reward, out)
