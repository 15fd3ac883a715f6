"""What happens where a pawn comes to rest: bumps and slides.

Read `geometry.py` before and `moves.py` after this file.
"""

from __future__ import annotations

from typing import Any

from sorry_env.engine.geometry import in_frame, on_track, place, slot_of
from sorry_env.engine.jit import kernel
from sorry_env.engine.state import ENTRY, SEATS, START, UNSEATED
from sorry_env.rules.ruleset import MAX_PAWNS


@kernel
def land(rules: Any, pawns: Any, seat: Any, slot: Any, code: Any, slides: Any) -> None:
    """Put a pawn down on ``code`` by count, bump what is there and slide on where a slide begins.

    Every pawn of another colour on the landing square or the slide goes to its Start, and so does
    every pawn of the mover's own colour on the slide.

    pawns:  int8[4, 4], changed
    slides: False where a rule says that this pawn does not slide
    """
    place(pawns, seat, slot, code)
    if code > ENTRY:
        return
    end = rules.facts[0]["slide_end"][code] if slides else code
    for other in range(SEATS):
        if other != seat and pawns[other, 0] != UNSEATED:
            # From the last slot down: a pawn sent to Start moves the slots behind it up by one.
            for k in range(MAX_PAWNS - 1, -1, -1):
                theirs = pawns[other, k]
                if on_track(theirs) and code <= in_frame(theirs, other, seat) <= end:
                    place(pawns, other, k, START)
    if end != code:
        for k in range(MAX_PAWNS - 1, -1, -1):
            if code < pawns[seat, k] <= end:
                place(pawns, seat, k, START)
        place(pawns, seat, slot_of(pawns, seat, code), end)
