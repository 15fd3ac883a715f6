"""What happens where a pawn comes to rest: bumps, slides and turbo squares.

Read `tokens.py` before and `moves.py` after this file.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from sorry_env.engine.geometry import in_frame, on_track, place, slot_of
from sorry_env.engine.jit import kernel
from sorry_env.engine.state import ENTRY, HOME, SEATS, START, UNSEATED
from sorry_env.engine.tokens import frozen, is_corner, next_corner
from sorry_env.rules.ruleset import MAX_PAWNS


@kernel
def land(facts: Any, game: Any, pawns: Any, seat: Any, slot: Any, code: Any, slides: Any) -> None:
    """Put a pawn down on ``code`` by count, bump what is there and slide on where a slide begins.

    Every pawn of another colour on the landing square or the slide goes to its Start, and so does
    every pawn of the mover's own colour on the slide; a pawn with the Ice stays where it is.

    game:   GAME record, only its tokens are read
    pawns:  int8[4, 4], changed: the game's own, or a copy
    slides: False where a rule says that this pawn does not slide
    """
    place(pawns, seat, slot, code)
    if code > ENTRY:
        return
    if facts["turbo"] and is_corner(code):
        drive_on(pawns, seat, code)
        return
    special = facts["special"]
    end = np.int64(facts["slide_end"][code]) if slides else code
    for other in range(SEATS):
        if other != seat and pawns[other, 0] != UNSEATED:
            # From the last slot down: a pawn sent to Start moves the slots behind it up by one.
            for k in range(MAX_PAWNS - 1, -1, -1):
                theirs = np.int64(pawns[other, k])
                if on_track(theirs) and code <= in_frame(theirs, other, seat) <= end:
                    if not (special and frozen(facts, game, other, theirs)):
                        place(pawns, other, k, START)
    if end != code:
        for k in range(MAX_PAWNS - 1, -1, -1):
            if code < pawns[seat, k] <= end:
                if not (special and frozen(facts, game, seat, np.int64(pawns[seat, k]))):
                    place(pawns, seat, k, START)
        place(pawns, seat, slot_of(pawns, seat, code), end)


@kernel
def drive_on(pawns: Any, seat: Any, code: Any) -> None:
    """A pawn has arrived on a corner: whoever stood there moves on to its next corner, or Home.

    A pawn that it meets on that corner moves on in the same way, whatever its colour, the one that
    arrived first included. It ends, because every pawn that moves on comes nearer to its Home.
    """
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
                place(pawns, other, slot_of(pawns, other, theirs), onward)
                met = onward != HOME
                seat = other
                code = onward
                break
