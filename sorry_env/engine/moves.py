"""Which actions are legal: the rules of movement, asked one action at a time.

`seat` is always the absolute seat of a colour, `slot` one of its pawns. Read `landing.py` and
`actions.py` before and `marking.py` after this file.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from sorry_env.engine.actions import TAKE
from sorry_env.engine.geometry import (
    NOWHERE,
    counted,
    holds,
    in_frame,
    on_track,
    other_seat,
    seat_of,
    slot_of,
)
from sorry_env.engine.jit import helper, inner
from sorry_env.engine.landing import land
from sorry_env.engine.state import HOME, SEATS, START
from sorry_env.engine.tables import BOTH, NEITHER
from sorry_env.engine.tokens import barred, follow, held
from sorry_env.rules.ruleset import MAX_PAWNS

GIVEN: Final = 1
OTHER: Final = 2


@helper
def movable(code: Any) -> Any:
    """Whether a pawn of this code stands on the track or in the safety zone."""
    return (code > START) & (code < HOME)


@helper
def step_target(facts: Any, game: Any, seat: Any, slot: Any, steps: Any) -> Any:
    """Code on which the pawn lands by count, or NOWHERE where that is illegal."""
    code = np.int64(game["pawns"][seat, slot])
    target = counted(code, steps)
    if holds(game["pawns"], seat, target):
        target = NOWHERE
    if facts["special"] and target != NOWHERE:
        if held(facts, game, seat, code) or barred(facts, game, seat, target, np.int64(1)):
            return NOWHERE
    return target


@helper
def can_step(code: Any, steps: Any, other: Any, other2: Any, other3: Any) -> Any:
    """Whether a pawn can go so many steps where its colour's others stand on three codes.

    As `step_target`, where pawns carry nothing.
    """
    target = counted(code, steps)
    free = (target != other) & (target != other2) & (target != other3)
    return (target != NOWHERE) & (free | (target == HOME))


@helper
def has_in_start(facts: Any, game: Any, seat: Any) -> Any:
    """Whether the colour has a pawn in Start: the last slot, since slots are sorted."""
    return game["pawns"][seat, facts["pawns"] - 1] == START


@helper
def move_by_count(facts: Any, game: Any, seat: Any, slot: Any, target: Any) -> None:
    """Land a pawn on its target; what it carries goes with it."""
    old = np.int64(game["pawns"][seat, slot])
    land(facts, game, seat, slot, target, np.int64(1))
    if facts["special"]:
        follow(facts, game, seat, old, np.int64(facts["slide_end"][target]))


@inner
def try_parts(
    facts: Any, game: Any, seat: Any, slot: Any, steps: Any, seat2: Any, slot2: Any, steps2: Any
) -> Any:
    """Play two forward moves one after the other; False where either is illegal.

    The second pawn is the one that stood in ``slot2`` before the first moved; bumped or carried to
    Start by a slide of the first, it cannot go on.

    game: GAME record, changed: a copy
    """
    code2 = np.int64(game["pawns"][seat2, slot2])
    target = step_target(facts, game, seat, slot, steps)
    if target == NOWHERE or not movable(code2):
        return False
    move_by_count(facts, game, seat, slot, target)
    if seat == seat2 and np.int64(facts["slide_end"][target]) == code2:
        return False  # the first pawn slid onto the second and stands there in its place
    now = slot_of(game["pawns"], seat2, code2)
    if now == NOWHERE:
        return False
    target2 = step_target(facts, game, seat2, now, steps2)
    if target2 == NOWHERE:
        return False
    move_by_count(facts, game, seat2, now, target2)
    return True


@inner
def split_on_copies(facts: Any, game: Any, action: Any, work: Any) -> Any:
    """The rule of the split as it reads: play both orders out and compare.

    An order is a move of its own if it is legal and the other is not, or leads elsewhere. Two
    legal orders that lead to the same position are one move: the one that begins with the pawn
    nearer to Home, or, equally near, with the colour that comes first in r b y g.

    work: WORK[2], overwritten
    Returns GIVEN, OTHER, both added or 0.
    """
    seat, seat2 = seat_of(game, action), other_seat(game, action)
    slot, slot2 = np.int64(action["slot"]), np.int64(action["slot2"])
    steps, steps2 = np.int64(action["steps"]), np.int64(action["steps2"])
    work[0] = game
    work[1] = game
    given = try_parts(facts, work[0], seat, slot, steps, seat2, slot2, steps2)
    other = try_parts(facts, work[1], seat2, slot2, steps2, seat, slot, steps)
    if given and other:
        # Of two on one slide, which of them is left may matter to the Fire.
        same = work[0]["fire_code"] == work[1]["fire_code"]
        for c in range(SEATS):
            for k in range(MAX_PAWNS):
                same &= work[0]["pawns"][c, k] == work[1]["pawns"][c, k]
        if same:
            code, code2 = np.int64(game["pawns"][seat, slot]), np.int64(game["pawns"][seat2, slot2])
            given = code > code2 or (code == code2 and seat < seat2)
            other = not given
    return (GIVEN if given else 0) | (OTHER if other else 0)


@helper
def own_split(facts: Any, others: Any, code: Any, target: Any, code2: Any, target2: Any) -> Any:
    """Which orders of a split between two pawns of one colour that carry nothing are moves.

    others: squares of the colour's other pawns, as bits of `FACTS`

    The pawn that goes second must still stand where it did. Other pawns block both squares, except
    those that the first has sent to Start by then. The two orders sweep the same squares, so they
    lead to the same position unless only in one of them the second pawn slides over the first.
    """
    square, square2 = facts["squares"][target], facts["squares"][target2]
    swept, swept2 = facts["swept"][target], facts["swept"][target2]
    rest, rest2 = facts["rest"][target], facts["rest"][target2]
    start, start2 = facts["squares"][code], facts["squares"][code2]
    in_way = (others | start2) & square | swept & start2 | (rest | others & ~swept) & square2
    in_way2 = (others | start) & square2 | swept2 & start | (rest2 | others & ~swept2) & square
    given, other = in_way == 0, in_way2 == 0
    same = (rest & swept2 == 0) == (rest2 & swept == 0)
    # The pawn nearer to Home goes first where it makes no difference.
    return GIVEN * np.int64(given) + OTHER * np.int64(other & (not (given & same)))


@helper
def own_squares(facts: Any, pawns: Any, seat: Any) -> Any:
    """Squares of a colour's pawns as bits of `FACTS`."""
    bits = np.int64(0)
    for slot in range(facts["pawns"]):
        bits |= facts["squares"][pawns[seat, slot]]
    return bits


@inner
def untouched(facts: Any, game: Any, action: Any) -> Any:
    """Whether no pawn that cannot be touched forbids a switch or a take and what slides follow."""
    pawns = game["pawns"]
    seat, seat2 = seat_of(game, action), other_seat(game, action)
    slides = np.int64(action["kind"] == TAKE or facts["switch_slides"] != NEITHER)
    target = np.int64(pawns[seat2, np.int64(action["slot2"])])
    if barred(facts, game, seat, in_frame(target, seat2, seat), slides):
        return False
    if action["kind"] == TAKE:
        return True
    code = np.int64(pawns[seat, np.int64(action["slot"])])
    if held(facts, game, seat, code):
        return False
    if facts["switch_slides"] != BOTH or not on_track(code):
        return True
    return not barred(facts, game, seat2, in_frame(code, seat, seat2), np.int64(1))
