"""Fire and Ice: which pawns cannot be touched, and where the Fire goes with its pawn.

A token is known by the seat and the code of its pawn: pawns of one colour never share a square of
the track, so the code identifies the pawn though slots shift. In rulesets without tokens every
question here is answered at once. Read `geometry.py` before and `landing.py` after this file.
"""

from __future__ import annotations

from typing import Any

from sorry_env.engine.geometry import holds, in_frame, on_track
from sorry_env.engine.jit import helper
from sorry_env.engine.state import ENTRY, HOME, NOBODY, START


@helper
def frozen(rules: Any, game: Any, seat: Any, code: Any) -> Any:
    """Whether the square on which ``seat`` counts ``code`` holds the pawn with the Ice."""
    if not rules.facts[0]["tokens"] or game["ice_seat"] == NOBODY:
        return False
    return on_track(code) and in_frame(game["ice_code"], game["ice_seat"], seat) == code


@helper
def barred(rules: Any, game: Any, seat: Any, code: Any, slides: Any) -> Any:
    """Whether a pawn of ``seat`` cannot land on ``code``, or slide on from it, because of Ice."""
    if not rules.facts[0]["tokens"]:
        return False
    end = rules.facts[0]["slide_end"][code] if slides else code
    return frozen(rules, game, seat, code) or frozen(rules, game, seat, end)


@helper
def carries_fire(game: Any, seat: Any, code: Any) -> Any:
    """Whether the pawn of ``seat`` on ``code`` carries the Fire."""
    return game["fire_seat"] == seat and game["fire_code"] == code


@helper
def drop_fire(game: Any) -> None:
    """Take the Fire off the board."""
    game["fire_seat"] = NOBODY
    game["fire_code"] = START


@helper
def follow_fire(rules: Any, game: Any, seat: Any, old: Any, new: Any) -> None:
    """After a pawn of ``seat`` went from ``old`` to ``new``: move the Fire with it, or lose it.

    new: the code on which the pawn has come to rest, slide included
    """
    if not rules.facts[0]["tokens"] or game["fire_seat"] == NOBODY or game["fire_code"] == HOME:
        return  # there is no Fire, or the first half of a split has brought it Home
    if carries_fire(game, seat, old):
        game["fire_code"] = new
    elif carries_fire(game, seat, new) or not holds(
        game["pawns"], game["fire_seat"], game["fire_code"]
    ):
        # The Fire pawn was bumped; on a slide the mover may stand where it stood.
        drop_fire(game)


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
