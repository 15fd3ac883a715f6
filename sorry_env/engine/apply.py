"""What an action does to the pawns. Only legal actions are given to it: this is the fast door.

Read `masks.py` before and `turn.py` after this file.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from sorry_env.engine.actions import (
    BUDDY,
    LEAVE,
    MAKE_HAPPY,
    PASS,
    PUNISH,
    SPLIT,
    STEP,
    SWITCH,
    TAKE,
)
from sorry_env.engine.geometry import counted, in_frame, other_seat, place, seat_of, slot_of
from sorry_env.engine.jit import helper, inner
from sorry_env.engine.landing import land
from sorry_env.engine.moods import mood_target
from sorry_env.engine.moves import move_by_count
from sorry_env.engine.state import CIRCLE, START
from sorry_env.engine.tables import BOTH, NEITHER
from sorry_env.engine.tokens import change_mark, follow


@inner
def switch(facts: Any, game: Any, seat: Any, slot: Any, seat2: Any, slot2: Any) -> None:
    """Exchange two pawns on the track, then let those slide that the ruleset lets slide."""
    pawns = game["pawns"]
    ends = facts["slide_end"]
    slides = facts["switch_slides"]
    code, code2 = np.int64(pawns[seat, slot]), np.int64(pawns[seat2, slot2])
    there = in_frame(code2, seat2, seat)
    here2 = in_frame(code, seat, seat2)
    place(pawns, seat2, slot2, here2)
    follow(facts, game, seat2, code2, here2)
    land(facts, game, seat, slot, there, np.int64(slides != NEITHER))
    follow(facts, game, seat, code, np.int64(ends[there]) if slides != NEITHER else there)
    if slides == BOTH:
        slot2 = slot_of(pawns, seat2, here2)
        if slot2 >= 0:
            land(facts, game, seat2, slot2, here2, np.int64(1))
            follow(facts, game, seat2, here2, np.int64(ends[here2]))


@inner
def apply_mood(facts: Any, game: Any, action: Any) -> None:
    """Carry out an action of a card with moods."""
    pawns = game["pawns"]
    seat, seat2 = np.int64(game["actor"]), other_seat(game, action)
    kind = action["kind"]
    if kind == MAKE_HAPPY:
        change_mark(
            game["happy"], seat, np.int64(START), np.int64(pawns[seat, np.int64(action["slot"])])
        )
    elif kind == PUNISH:
        change_mark(
            game["punished"],
            seat2,
            np.int64(START),
            np.int64(pawns[seat2, np.int64(action["slot2"])]),
        )
    elif kind >= BUDDY:
        target = mood_target(facts, game, action)
        move_by_count(facts, game, seat, np.int64(action["slot"]), target)


@helper
def move_pawns(facts: Any, game: Any, action: Any) -> None:
    """Carry out an action's moves, bumps and slides; the turn stays as it is.

    game: GAME record, its ``pawns`` and what they carry changed
    """
    pawns = game["pawns"]
    seat, seat2 = seat_of(game, action), other_seat(game, action)
    slot, slot2 = np.int64(action["slot"]), np.int64(action["slot2"])
    kind = action["kind"]
    if kind == PASS:
        return
    if kind == SWITCH:
        switch(facts, game, seat, slot, seat2, slot2)
    elif kind <= TAKE:
        code2 = np.int64(pawns[seat2, slot2])
        if kind == STEP or kind == SPLIT:
            target = counted(np.int64(pawns[seat, slot]), np.int64(action["steps"]))
        else:
            slot = np.int64(facts["pawns"]) - 1  # one in Start: the last, since slots are sorted
            target = np.int64(CIRCLE) if kind == LEAVE else in_frame(code2, seat2, seat)
        move_by_count(facts, game, seat, slot, target)
        if kind == SPLIT:
            slot2 = slot_of(pawns, seat2, code2)
            target = counted(code2, np.int64(action["steps2"]))
            move_by_count(facts, game, seat2, slot2, target)
    elif kind >= MAKE_HAPPY:
        apply_mood(facts, game, action)
