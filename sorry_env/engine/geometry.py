"""Where pawns are and get to: pure arithmetic on pawn codes.

A pawn's code counts its own way: 0 Start, 1 the square before its circle, 2 its circle, ... 60 its
entry, 61 to 65 its safety squares, 66 Home. Read `state.py` before and `moves.py` after this file.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from sorry_env.engine.jit import helper
from sorry_env.engine.state import ENTRY, HOME, START
from sorry_env.rules.ruleset import MAX_PAWNS

NOWHERE = -1


def outer_square(seat: int, code: int) -> int:
    """Number 0-59 of the outer square where a pawn of this code (1-60) stands."""
    return (15 * seat + code + 2) % 60


def code_at(seat: int, square: int) -> int:
    """Code of a pawn of this seat on an outer square 0-59."""
    return (square - 15 * seat - 3) % 60 + 1


@helper
def seat_of(game: Any, action: Any) -> Any:
    """The seat whose pawn an action moves."""
    return (np.int64(game["actor"]) + np.int64(action["side"])) & 3


@helper
def other_seat(game: Any, action: Any) -> Any:
    """The seat of an action's second or target pawn."""
    return (np.int64(game["actor"]) + np.int64(action["side2"])) & 3


@helper
def in_frame(code: Any, other: Any, seat: Any) -> Any:
    """Code that ``seat`` would count for the outer square on which ``other`` counts ``code``."""
    shifted = code + 15 * ((other - seat) & 3)
    return shifted - 60 if shifted > 60 else shifted


@helper
def on_track(code: Any) -> Any:
    """Whether a pawn of this code stands on one of the 60 outer squares."""
    return START < code <= ENTRY


@helper
def counted(code: Any, steps: Any) -> Any:
    """Code on which a pawn lands by count, before any slide, or NOWHERE if it cannot go.

    Forward it turns into its safety zone and needs the exact count for Home. Backward on the track
    it goes round its own entry without turning in, and from the safety zone it backs out.
    """
    target = code + steps
    goes = (code > START) & (code < HOME) & (target <= HOME)
    target += 60 if target <= START else 0
    return target if goes else NOWHERE


@helper
def holds(pawns: Any, seat: Any, code: Any) -> Any:
    """Whether a pawn of this seat stands on ``code``; Start and Home are never occupied."""
    found = False
    for slot in range(MAX_PAWNS):
        found |= pawns[seat, slot] == code
    return found & (code != START) & (code != HOME)


@helper
def place(pawns: Any, seat: Any, slot: Any, code: Any) -> None:
    """Give one pawn a new code and keep its colour sorted, most advanced first.

    A sorting network: where a pawn ends up among its own cannot be foreseen, so loops that stop
    there cost more than all the comparisons.
    """
    a, b = np.int64(pawns[seat, 0]), np.int64(pawns[seat, 1])
    c, d = np.int64(pawns[seat, 2]), np.int64(pawns[seat, 3])
    a = code if slot == 0 else a
    b = code if slot == 1 else b
    c = code if slot == 2 else c
    d = code if slot == 3 else d
    a, b = max(a, b), min(a, b)
    c, d = max(c, d), min(c, d)
    a, c = max(a, c), min(a, c)
    b, d = max(b, d), min(b, d)
    b, c = max(b, c), min(b, c)
    pawns[seat, 0] = a
    pawns[seat, 1] = b
    pawns[seat, 2] = c
    pawns[seat, 3] = d


@helper
def slot_of(pawns: Any, seat: Any, code: Any) -> Any:
    """Slot of the pawn of this seat on ``code`` (the first one in Start), or NOWHERE."""
    found = NOWHERE
    for slot in range(MAX_PAWNS - 1, -1, -1):
        found = slot if pawns[seat, slot] == code else found
    return found
