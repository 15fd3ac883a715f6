"""What pawns carry: Fire and Ice, happiness and punishment, and what that forbids.

All are known by the seat and the code of the pawn: pawns of one colour never share a square of the
track, so the code identifies the pawn though slots shift. In rulesets without such things every
question here is answered at once. Read `geometry.py` before and `landing.py` after this file.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from sorry_env.engine.geometry import holds, in_frame, on_track, place
from sorry_env.engine.jit import helper, inner
from sorry_env.engine.state import ENTRY, HOME, NOBODY, SEATS, START
from sorry_env.rules.ruleset import MAX_PAWNS


@helper
def has_mark(marks: Any, seat: Any, code: Any) -> Any:
    """Whether ``code`` is in a colour's row of happy or punished pawns."""
    found = False
    for i in range(MAX_PAWNS):
        found |= marks[seat, i] == code
    return found & (code != START)


@helper
def clear_marks(marks: Any, seat: Any) -> None:
    """Nobody of this colour is happy, or punished, any more."""
    for i in range(MAX_PAWNS):
        marks[seat, i] = START


@helper
def change_mark(marks: Any, seat: Any, old: Any, new: Any) -> None:
    """Put ``new`` in the place of ``old`` in a colour's row, kept in descending order.

    With ``old`` START a mark is added, with ``new`` START one is taken away.
    """
    if old == START and has_mark(marks, seat, new):
        return
    for i in range(MAX_PAWNS):
        if marks[seat, i] == old:
            place(marks, seat, i, new)
            return


@inner
def happy_at(game: Any, seat: Any, low: Any, high: Any) -> Any:
    """Whether a happy pawn stands where ``seat`` counts from ``low`` to ``high``."""
    for other in range(SEATS):
        for i in range(MAX_PAWNS):
            code = np.int64(game["happy"][other, i])
            if code != START and low <= in_frame(code, other, seat) <= high:
                return True
    return False


@inner
def frozen(facts: Any, game: Any, seat: Any, code: Any) -> Any:
    """Whether the square on which ``seat`` counts ``code`` holds a pawn that cannot be touched."""
    if not facts["special"] or not on_track(code):
        return False
    if facts["moods"]:
        return happy_at(game, seat, code, code)
    if game["ice_seat"] == NOBODY:
        return False
    return in_frame(np.int64(game["ice_code"]), np.int64(game["ice_seat"]), seat) == code


@inner
def held(facts: Any, game: Any, seat: Any, code: Any) -> Any:
    """Whether the own pawn on ``code`` cannot be moved."""
    if facts["moods"] and has_mark(game["punished"], seat, code):
        return True
    return frozen(facts, game, seat, code)


@inner
def barred(facts: Any, game: Any, seat: Any, code: Any, slides: Any) -> Any:
    """Whether a pawn of ``seat`` cannot land on ``code``, or slide on from it.

    No pawn slides onto the Ice, and none past a happy pawn.
    """
    if not facts["special"] or not on_track(code):
        return False
    end = np.int64(facts["slide_end"][code]) if slides else code
    if facts["moods"]:
        return happy_at(game, seat, code, end)
    return frozen(facts, game, seat, code) or frozen(facts, game, seat, end)


@helper
def carries_fire(game: Any, seat: Any, code: Any) -> Any:
    """Whether the pawn of ``seat`` on ``code`` carries the Fire."""
    return game["fire_seat"] == seat and game["fire_code"] == code


@helper
def drop_fire(game: Any) -> None:
    """Take the Fire off the board."""
    game["fire_seat"] = NOBODY
    game["fire_code"] = START


@inner
def follow(facts: Any, game: Any, seat: Any, old: Any, new: Any) -> None:
    """After a pawn of ``seat`` went from ``old`` to ``new``: its Fire or its punishment goes along.

    Pawns that the move has bumped lose theirs; on a slide the mover may stand where one of them
    stood.

    new: the code on which the pawn has come to rest, slide included
    """
    if not facts["special"]:
        return
    if facts["moods"]:
        follow_punished(game, seat, old, new)
    # Once the first half of a split has brought the Fire Home, the second changes nothing.
    elif np.int64(game["fire_seat"]) != NOBODY and np.int64(game["fire_code"]) != HOME:
        if carries_fire(game, seat, old):
            game["fire_code"] = new
        elif carries_fire(game, seat, new) or not holds(
            game["pawns"], np.int64(game["fire_seat"]), np.int64(game["fire_code"])
        ):
            drop_fire(game)


@inner
def follow_punished(game: Any, seat: Any, old: Any, new: Any) -> None:
    """`follow` for punished pawns: they are moved by others, or bumped."""
    marks = game["punished"]
    if old != new:  # a pawn that was switched may stay where it is instead of sliding
        moved = has_mark(marks, seat, old)
        change_mark(marks, seat, new, np.int64(START))
        if moved:
            change_mark(marks, seat, old, new)
    for other in range(SEATS):
        for i in range(MAX_PAWNS - 1, -1, -1):
            code = np.int64(marks[other, i])
            if code != START and not holds(game["pawns"], other, code):
                place(marks, other, i, np.int64(START))


@helper
def next_corner(code: Any) -> Any:
    """Code of the next corner square ahead of a pawn on the track, HOME if its entry comes first.

    Corners are the outer squares 0, 15, 30 and 45: codes 13, 28, 43 and 58 from every side.
    """
    corner = code + 15 - (code + 2) % 15
    return corner if corner <= ENTRY else HOME


@helper
def is_corner(code: Any) -> Any:
    """Whether a pawn of this code stands on an outer corner."""
    return on_track(code) and (code + 2) % 15 == 0
