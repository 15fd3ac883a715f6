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
    PUNISH,
    SPLIT,
    STEP,
    SWITCH,
    TAKE,
)
from sorry_env.engine.geometry import counted, in_frame, other_seat, place, seat_of, slot_of
from sorry_env.engine.jit import helper, kernel
from sorry_env.engine.landing import land
from sorry_env.engine.moods import mood_target
from sorry_env.engine.moves import move_by_count, play_parts
from sorry_env.engine.state import CIRCLE, START
from sorry_env.engine.tables import BOTH, NEITHER
from sorry_env.engine.tokens import change_mark, follow


@kernel
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
    land(facts, game, pawns, seat, slot, there, np.int64(slides != NEITHER))
    follow(facts, game, seat, code, np.int64(ends[there]) if slides != NEITHER else there)
    if slides == BOTH:
        slot2 = slot_of(pawns, seat2, here2)
        if slot2 >= 0:
            land(facts, game, pawns, seat2, slot2, here2, np.int64(1))
            follow(facts, game, seat2, here2, np.int64(ends[here2]))


@kernel
def apply_mood(facts: Any, game: Any, action: Any) -> None:
    """Carry out an action of a card with moods."""
    pawns = game["pawns"]
    seat, seat2 = np.int64(game["actor"]), other_seat(game, action)
    kind = action["kind"]
    if kind == MAKE_HAPPY:
        change_mark(game["happy"], seat, START, np.int64(pawns[seat, np.int64(action["slot"])]))
    elif kind == PUNISH:
        change_mark(
            game["punished"], seat2, START, np.int64(pawns[seat2, np.int64(action["slot2"])])
        )
    elif kind >= BUDDY:
        target = mood_target(facts, game, action)
        move_by_count(facts, game, pawns, seat, np.int64(action["slot"]), target, np.int64(1))


@helper
def move_pawns(facts: Any, game: Any, action: Any) -> None:
    """Carry out an action's moves, bumps and slides; the turn stays as it is.

    game: GAME record, its ``pawns`` and what they carry changed
    """
    pawns = game["pawns"]
    seat, seat2 = (
        seat_of(game, action),
        other_seat(game, action),
    )
    kind = action["kind"]
    if kind == STEP:
        target = counted(np.int64(pawns[seat, np.int64(action["slot"])]), np.int64(action["steps"]))
        move_by_count(facts, game, pawns, seat, np.int64(action["slot"]), target, np.int64(1))
    elif kind == LEAVE:
        move_by_count(
            facts, game, pawns, seat, slot_of(pawns, seat, START), np.int64(CIRCLE), np.int64(1)
        )
    elif kind == SPLIT:
        play_parts(
            facts, game, pawns, seat, np.int64(action["slot"]), np.int64(action["steps"]),
            seat2, np.int64(action["slot2"]), np.int64(action["steps2"]), np.int64(1),
        )  # fmt: skip
    elif kind == SWITCH:
        switch(facts, game, seat, np.int64(action["slot"]), seat2, np.int64(action["slot2"]))
    elif kind == TAKE:
        there = in_frame(np.int64(pawns[seat2, np.int64(action["slot2"])]), seat2, seat)
        move_by_count(facts, game, pawns, seat, slot_of(pawns, seat, START), there, np.int64(1))
    elif kind >= MAKE_HAPPY:
        apply_mood(facts, game, action)
