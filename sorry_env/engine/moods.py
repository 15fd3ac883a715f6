"""Moves to the nearest pawn: where the cards Buddy and Bully lead.

Distances are counted round the 60 outer squares in either direction; entries are passed by. Read
`moves.py` before and `marking.py` after this file.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from sorry_env.engine.actions import BUDDY
from sorry_env.engine.geometry import NOWHERE, in_frame, on_track, seat_of
from sorry_env.engine.jit import helper, inner
from sorry_env.engine.state import SEATS
from sorry_env.engine.tokens import barred, held
from sorry_env.rules.ruleset import MAX_PAWNS


@helper
def round_track(code: Any) -> Any:
    """The outer code 1-60 of a count that may have gone past either end."""
    return (code - 1) % 60 + 1


@inner
def occupied(pawns: Any, seat: Any, code: Any, own: Any) -> Any:
    """Whether a pawn stands on the outer square that ``seat`` counts ``code``.

    own: whether pawns of ``seat`` itself are looked at too
    """
    for other in range(SEATS):
        if own or other != seat:
            for slot in range(MAX_PAWNS):
                theirs = np.int64(pawns[other, slot])
                if on_track(theirs) and in_frame(theirs, other, seat) == code:
                    return True
    return False


@inner
def nearest(pawns: Any, seat: Any, code: Any, step: Any, own: Any) -> Any:
    """Code, in the frame of ``seat``, of the nearest other pawn in a direction, or NOWHERE.

    step: 1 forward, -1 backward
    own:  whether pawns of ``seat`` are looked at too
    """
    for distance in range(1, 60):
        there = round_track(code + step * distance)
        if occupied(pawns, seat, there, own):
            return there
    return NOWHERE


@inner
def reached(facts: Any, game: Any, action: Any, step: Any, beside: Any) -> Any:
    """Code that a Buddy or a Bully reaches in this direction, or NOWHERE.

    beside: 1 or -1 for the square before or behind the nearest pawn, 0 for its own
    """
    pawns = game["pawns"]
    seat = seat_of(game, action)
    code = np.int64(pawns[seat, np.int64(action["slot"])])
    if not on_track(code) or held(facts, game, seat, code):
        return NOWHERE
    there = nearest(pawns, seat, code, step, np.int64(beside != 0))
    if there == NOWHERE:
        return NOWHERE
    target = round_track(there + beside)
    if beside != 0 and occupied(pawns, seat, target, np.int64(1)):
        return NOWHERE
    return NOWHERE if barred(facts, game, seat, target, np.int64(1)) else target


@inner
def mood_target(facts: Any, game: Any, action: Any) -> Any:
    """Code that a Buddy or Bully action reaches; NOWHERE if it cannot, or if an earlier one does.

    The ways of one pawn are ordered forward before backward, behind the nearest pawn before in
    front of it; two that lead to the same square are one move.
    """
    buddy = action["kind"] == BUDDY
    ways = 2 if buddy else 1  # in each direction
    mine = (0 if np.int64(action["steps"]) > 0 else ways) + (
        1 if buddy and np.int64(action["steps2"]) > 0 else 0
    )
    target = NOWHERE
    for way in range(mine, -1, -1):
        step = 1 if way < ways else -1
        beside = 2 * (way % ways) - 1 if buddy else 0
        reaches = reached(facts, game, action, step, beside)
        if way == mine:
            target = reaches
        elif reaches == target:
            return NOWHERE
    return target
