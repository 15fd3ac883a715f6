"""What happens where a pawn comes to rest: bumps, slides and turbo squares.

Read `tokens.py` before and `moves.py` after this file.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from sorry_env.engine.geometry import in_frame, on_track, place, slot_of
from sorry_env.engine.jit import helper, inner
from sorry_env.engine.state import ENTRY, HOME, SEATS, START, UNSEATED
from sorry_env.engine.tokens import frozen, is_corner, next_corner
from sorry_env.rules.ruleset import MAX_PAWNS


@inner
def land(facts: Any, game: Any, seat: Any, slot: Any, code: Any, slides: Any) -> None:
    """Put a pawn down on ``code`` by count, bump what is there and slide on where a slide begins.

    Every pawn of another colour on the landing square or the slide goes to its Start, and so does
    every pawn of the mover's own colour on the slide; a pawn with the Ice stays where it is.

    game:   GAME record, its pawns are changed
    slides: 0 where a rule says that this pawn does not slide
    """
    pawns = game["pawns"]
    place(pawns, seat, slot, code)
    if code > ENTRY:
        return
    if facts["turbo"] and is_corner(code):
        drive_on(game, seat, code)
        return
    end = np.int64(facts["slide_end"][code]) if slides else code
    for side in range(1, SEATS):
        other = (seat + side) & 3
        if pawns[other, 0] != UNSEATED:
            met = False
            for k in range(MAX_PAWNS):
                met |= stands_between(np.int64(pawns[other, k]), other, seat, code, end)
            if met:
                send_home(facts, game, other, seat, code, end)
    if end != code:
        send_home(facts, game, seat, seat, code + 1, end)
        place(pawns, seat, slot_of(pawns, seat, code), end)


@helper
def stands_between(theirs: Any, other: Any, seat: Any, low: Any, high: Any) -> Any:
    """Whether a pawn of ``other`` stands where ``seat`` counts from ``low`` to ``high``."""
    code = in_frame(theirs, other, seat)
    return on_track(theirs) & (low <= code) & (code <= high)


@inner
def send_home(facts: Any, game: Any, other: Any, seat: Any, low: Any, high: Any) -> None:
    """Every pawn of ``other`` where ``seat`` counts from ``low`` to ``high`` goes to its Start."""
    pawns = game["pawns"]
    # From the last slot down: a pawn sent to Start moves the slots behind it up by one.
    for k in range(MAX_PAWNS - 1, -1, -1):
        theirs = np.int64(pawns[other, k])
        if stands_between(theirs, other, seat, low, high):
            if not (facts["special"] and frozen(facts, game, other, theirs)):
                place(pawns, other, k, np.int64(START))


@inner
def drive_on(game: Any, seat: Any, code: Any) -> None:
    """A pawn has arrived on a corner: whoever stood there moves on to its next corner, or Home.

    A pawn that it meets on that corner moves on in the same way, whatever its colour, the one that
    arrived first included. It ends, because every pawn that moves on comes nearer to its Home.
    """
    pawns = game["pawns"]
    met = True
    while met:
        met = False
        for other in range(SEATS):
            theirs = in_frame(code, seat, other)
            count = 0
            for k in range(MAX_PAWNS):
                count += pawns[other, k] == theirs
            if count > (1 if other == seat else 0):
                onward = next_corner(theirs)
                place(pawns, other, slot_of(pawns, other, theirs), np.int64(onward))
                met = onward != HOME
                seat = other
                code = onward
                break
