"""The tokens of Fire & Ice (section 6.3 of the rules): their decisions, worked by hand.

Read ``test_reference_fire_ice.py`` first.
"""

from __future__ import annotations

import pytest

from .positions import WHOLE, full, position
from .reference import ReferenceGame
from .test_reference_fire_ice import NAME, fields, game

# --- Ice: on drawing a 1, before moving ----------------------------------------------------------

# (pawns, EXTRA, every decision in phase `ice`)
ICE = [
    # To an opponents' pawn on the outer track ...
    ("20/-/40/-", "-", ["ice:40"]),
    ("20/5/yH,y1,40/50", "-", ["ice:40", "ice:5", "ice:50"]),
    # ... that does not carry it already; an own pawn with Ice is freed by it.
    ("20/5/40/-", "ice=40", ["ice:5"]),
    ("20/5/40/-", "ice=20", ["ice:40", "ice:5"]),
    # None: it leaves the board, also when it is off the board already.
    ("20/-/yH,y1/-", "-", ["ice:off"]),
    ("20/-/40/-", "ice=40", ["ice:off"]),
    ("20/-/y1/-", "ice=20", ["ice:off"]),
    # Also onto a pawn with Fire.
    ("20/-/40/-", "fire=40", ["ice:40"]),
]


@pytest.mark.parametrize(("pawns", "extra", "moves"), ICE)
def test_ice_decisions(pawns: str, extra: str, moves: list[str]) -> None:
    assert game(pawns, "1", extra, "ice").legal() == moves


def test_ice_comes_before_the_move() -> None:
    at = ReferenceGame.from_text(position("20/-/40/-", "r", "?", NAME)).draw("1")
    assert fields(at) == [full("20/-/40/-", 3), "r", "ice", "1", "-"]
    at = at.apply("ice:40")
    assert fields(at) == [full("20/-/40/-", 3), "r", "move", "1", "ice=40"]
    assert at.legal() == ["1:20-21", "1:rS-4"]
    at = at.apply("1:rS-4")
    assert fields(at) == [full("20,4/-/40/-", 3), "y", "move", "?", "ice=40"]


def test_ice_leaves_and_frees() -> None:
    at = game("20/-/S/-", "1", "ice=20", "ice").apply("ice:off")
    assert fields(at) == [full("20/-/S/-", 3), "r", "move", "1", "-"]
    assert at.legal() == ["1:20-21", "1:rS-4"]
    at = game("S/-/S/-", "1", "-", "ice").apply("ice:off")
    assert fields(at)[2:] == ["move", "1", "-"]


def test_a_turn_is_lost_after_placing_the_ice() -> None:
    at = game("rH,rH,20/-/21,40/-", "1", "-", "ice").apply("ice:21")
    assert at.legal() == ["pass"]
    assert fields(at.apply("pass"))[1:] == ["y", "move", "?", "ice=21"]


# --- Fire: on drawing a 2 -----------------------------------------------------------------------

# (pawns, EXTRA, every decision in phase `token`)
TOKEN = [
    # To any own pawn on the outer track or in the zone, or leave it.
    ("r3,20/-/40/-", "-", ["token:20", "token:no", "token:r3"]),
    # That does not carry it already; taken from another colour's pawn.
    ("r3,20/-/40/-", "fire=20", ["token:no", "token:r3"]),
    ("r3,20/-/40/-", "fire=40", ["token:20", "token:no", "token:r3"]),
    # Even if `token:no` is the only move.
    ("rH,rH/-/40/-", "-", ["token:no"]),
    ("rH,rH,20/-/40/-", "fire=20", ["token:no"]),
    # Both tokens may sit on one pawn.
    ("20/-/40/-", "ice=20", ["token:20", "token:no"]),
]


@pytest.mark.parametrize(("pawns", "extra", "moves"), TOKEN)
def test_token_decisions(pawns: str, extra: str, moves: list[str]) -> None:
    assert game(pawns, "2", extra, "token").legal() == moves


def test_fire_comes_before_the_move() -> None:
    at = ReferenceGame.from_text(position("20/-/40/-", "r", "?", NAME, None, "fire=40")).draw("2")
    assert fields(at) == [full("20/-/40/-", 3), "r", "token", "2", "fire=40"]
    at = at.apply("token:20")
    assert fields(at) == [full("20/-/40/-", 3), "r", "move", "2", "fire=20"]
    at = at.apply("2:20-22")
    assert fields(at) == [full("22/-/40/-", 3), "y", "move", "?", "fire=22"]
    at = game("20/-/40/-", "2", "fire=40", "token").apply("token:no")
    assert fields(at)[2:] == ["move", "2", "fire=40"]


# --- Fire: at the beginning of a turn ------------------------------------------------------------

# (Red's and the others' pawns when Red's turn begins, EXTRA, the advance or None)
ADVANCES = [
    # To the next corner square, 0 15 30 45.
    ("20/-/S/-", "fire=20", "fire:20-30"),
    ("44/-/S/-", "fire=44", "fire:44-45"),
    ("50/-/S/-", "fire=50", "fire:50-0"),
    # From a corner to the next one.
    ("15/-/S/-", "fire=15", "fire:15-30"),
    # Own entry (2) before the next corner: not from 0, 1, 2; past it from diamond and circle.
    ("0/-/S/-", "fire=0", None),
    ("1/-/S/-", "fire=1", None),
    ("2/-/S/-", "fire=2", None),
    ("3/-/S/-", "fire=3", "fire:3-15"),
    ("4/-/S/-", "fire=4", "fire:4-15"),
    # Not in the safety zone.
    ("r2/-/S/-", "fire=r2", None),
    # Only a pawn that carries Fire, and no Ice, of the player in turn.
    ("20/-/S/-", "-", None),
    ("20/-/S/-", "ice=20", None),
    ("20/-/S/-", "fire=20;ice=20", None),
    ("20/-/40/-", "fire=40", None),
    # By the normal rules of landing: not on an own pawn, not on Ice; jumping anything.
    ("30,20/-/S/-", "fire=20", None),
    ("20/-/30/-", "fire=20;ice=30", None),
    ("25,20/-/29/-", "fire=20;ice=29", "fire:20-30"),
    ("20/-/30/-", "fire=20", "fire:20-30"),
]


@pytest.mark.parametrize(("pawns", "extra", "move"), ADVANCES)
def test_advances(pawns: str, extra: str, move: str | None) -> None:
    # Green, all in Start, cannot go back 4 and passes. Then Red's turn begins.
    at = game(f"{pawns[:-1]}S", "4", extra, turn="g").apply("pass")
    if move is None:
        assert fields(at)[1:4] == ["r", "move", "?"]
    else:
        assert fields(at)[1:4] == ["r", "fire", "-"]
        assert at.legal() == [move, "fire:no"]
        assert not at.waiting


def test_advance_or_not_then_the_draw() -> None:
    at = game("20/-/30/-", "-", "fire=20", "fire")
    after = at.apply("fire:20-30")  # the pawn there is bumped
    assert fields(after) == [full("30/-/S/-", 3), "r", "move", "?", "fire=30"]
    assert after.text().split(" ")[5] == WHOLE
    after = at.apply("fire:no")
    assert fields(after) == [full("20/-/30/-", 3), "r", "move", "?", "fire=20"]
    assert fields(after.draw("5"))[1:4] == ["r", "move", "5"]


def test_no_fire_phase_where_no_advance_is_legal() -> None:
    with pytest.raises(ValueError):
        game("0/-/S/-", "-", "fire=0", "fire")
    with pytest.raises(ValueError):
        game("20/-/S/-", "3", "fire=20", "fire")


# --- Fire: reaching Home -------------------------------------------------------------------------


def test_the_companion() -> None:
    # One more own pawn, from anywhere; the Fire leaves the board.
    at = game("r3,20/-/40/-", "3", "fire=r3").apply("3:r3-rH")
    assert fields(at) == [full("rH,20/-/40/-", 3), "r", "home", "3", "-"]
    assert at.legal() == ["home:20", "home:rS"]
    assert fields(at.apply("home:rS")) == ["rH,rH,20/-/40,yS,yS/-", "y", "move", "?", "-"]
    assert fields(at.apply("home:20")) == ["rH,rH,rS/-/40,yS,yS/-", "y", "move", "?", "-"]
    # From the zone as well.
    at = game("r3,r1,20/-/40/-", "3", "fire=r3").apply("3:r3-rH")
    assert at.legal() == ["home:20", "home:r1"]
    # Of two in Start it does not matter which: that is one move.
    at = game("r3/-/40/-", "3", "fire=r3").apply("3:r3-rH")
    assert at.legal() == ["home:rS"]
    assert fields(at.apply("home:rS")) == ["rH,rH,rS/-/40,yS,yS/-", "y", "move", "?", "-"]


def test_a_companion_has_no_ice() -> None:
    at = game("rH,r3,20/-/40/-", "3", "fire=r3;ice=20").apply("3:r3-rH")
    # None eligible: no decision.
    assert fields(at) == ["rH,rH,20/-/40,yS,yS/-", "y", "move", "?", "ice=20"]
    at = game("r3,20/-/40/-", "3", "fire=r3;ice=20").apply("3:r3-rH")
    assert at.legal() == ["home:rS"]
    assert fields(at)[4] == "ice=20"


def test_no_companion_for_a_pawn_without_fire() -> None:
    at = game("r3,20/-/40/-", "3", "fire=20").apply("3:r3-rH")
    assert fields(at)[1:] == ["y", "move", "?", "fire=20"]


def test_the_companion_comes_after_the_whole_seven() -> None:
    # The Fire pawn comes Home with the first part, 20 goes 5 with the second.
    at = game("r4,20/-/40/-", "7", "fire=r4").apply("7:r4-rH,20-25")
    assert fields(at) == [full("rH,25/-/40/-", 3), "r", "home", "7", "-"]
    assert at.legal() == ["home:25", "home:rS"]


def test_winning_with_and_without_the_companion() -> None:
    at = game("rH,r3,20/-/40/-", "3", "fire=r3").apply("3:r3-rH")
    assert at.legal() == ["home:20"]
    at = at.apply("home:20")
    left = "5.4.3.4.4.4.4.4.4.4.4"
    assert at.text() == f"{NAME} rH,rH,rH/-/40,yS,yS/- r over - {left} - winner=r"
    at = game("rH,rH,r3/-/40/-", "3", "fire=r3;ice=40").apply("3:r3-rH")
    assert fields(at) == ["rH,rH,rH/-/40,yS,yS/-", "r", "over", "-", "ice=40;winner=r"]
    # With a 7 that brings both others Home.
    at = game("rH,r4,r1/-/40/-", "7", "fire=r1").apply("7:r4-rH,r1-rH")
    assert fields(at)[2:] == ["over", "-", "winner=r"]


@pytest.mark.parametrize(
    ("pawns", "card", "extra", "phase"),
    [
        ("20/-/S/-", "3", "fire=21", "move"),  # nobody there
        ("20/-/S/-", "3", "fire=rS", "move"),  # not in Start
        ("r1/-/S/-", "3", "ice=r1", "move"),  # not in the zone
        ("20/-/S/-", "3", "ice=20;fire=20", "move"),  # not in alphabetical order
        ("20/-/S/-", "3", "-", "ice"),  # only with a 1
        ("20/-/S/-", "1", "-", "token"),  # only with a 2
        ("20/-/S/-", "3", "-", "home"),  # nobody is Home
        ("20/-/S/-", "3", "-", "ask"),  # another edition's
    ],
)
def test_impossible_positions(pawns: str, card: str, extra: str, phase: str) -> None:
    with pytest.raises(ValueError):
        game(pawns, card, extra, phase)
