"""Fire & Ice (section 6.3 of the rules), worked by hand.

Read ``test_reference.py`` first; it lists the squares of the sides.
"""

from __future__ import annotations

from fractions import Fraction

import pytest

from .positions import WHOLE, full, position
from .reference import ReferenceGame

NAME = "fire-and-ice"


def game(
    pawns: str, card: str, extra: str = "-", phase: str = "move", turn: str = "r"
) -> ReferenceGame:
    """A game of three pawns a colour, Red to play."""
    return ReferenceGame.from_text(position(pawns, turn, card, NAME, None, extra, phase))


def fields(at: ReferenceGame) -> list[str]:
    """PAWNS, TURN, PHASE, CARD and EXTRA."""
    parts = at.text().split(" ")
    return [*parts[1:5], parts[7]]


def test_the_first_position() -> None:
    # 3 pawns a colour, 45 cards, both tokens off the board.
    first = ReferenceGame.new(NAME)
    assert first.text() == f"{NAME} rS,rS,rS/-/yS,yS,yS/- r move ? {WHOLE} - -"
    assert first.draws()["1"] == Fraction(5, 45)
    assert first.draw("7").legal() == ["7:rS-4"]
    for name in (f"{NAME}?hand=5", f"{NAME}?winner_counts=opponents_home"):
        with pytest.raises(ValueError):
            ReferenceGame.new(name)
    assert ReferenceGame.new(f"{NAME}?pawns=2").text().startswith(f"{NAME}?pawns=2 rS,rS/-/")


# (pawns, card, EXTRA, every legal move) in phase `move`
LEGAL = [
    # Any card that can move forward takes a pawn out of Start (to the circle, whatever the value).
    *[
        ("S/-/S/-", card, "-", [f"{card}:rS-4"])
        for card in ("1", "2", "3", "5", "7", "8", "10", "11", "12")
    ],
    ("20/-/S/-", "3", "-", ["3:20-23", "3:rS-4"]),
    ("20/-/S/-", "12", "-", ["12:20-32", "12:rS-4"]),
    ("4/-/S/-", "5", "-", ["5:4-9"]),  # the circle is taken
    ("S/-/S/-", "4", "-", ["pass"]),
    ("20/-/S/-", "4", "-", ["4:20-16"]),
    # A 7 used so is used whole: no split with a pawn in Start.
    ("20/-/S/-", "7", "-", ["7:20-27", "7:rS-4"]),
    ("rH,r4,r1/-/S/-", "7", "-", ["7:r4-rH,r1-rH"]),
    # 10: out, +10 or -1.
    ("20/-/S/-", "10", "-", ["10:20-19", "10:20-30", "10:rS-4"]),
    ("rH,r5,20/-/S/-", "10", "-", ["10:20-19", "10:20-30", "10:r5-r4"]),
    # 11: the pass exists only if nothing but switches is possible.
    ("20/-/40/-", "11", "-", ["11:20-31", "11:20x40", "11:rS-4"]),
    ("rH,0/-/40/-", "11", "-", ["11:0x40", "11:rS-4"]),
    ("rH,rH,0/-/40/-", "11", "-", ["11:0x40", "pass"]),
    ("rH,r5,0/-/S/-", "11", "-", ["pass"]),
    # Sorry!: as classic, or one pawn +4; neither: lost. +4 takes nobody out of Start.
    ("20/-/40/-", "S", "-", ["S:20-24", "S:rSx40"]),
    ("rH,rH,20/-/40/-", "S", "-", ["S:20-24"]),
    ("r5/-/40/-", "S", "-", ["S:rSx40"]),
    ("S/-/S/-", "S", "-", ["pass"]),
    # A pawn with Ice cannot move: forward, backward, in a split, in a switch, with the Sorry! 4.
    ("20/-/S/-", "3", "ice=20", ["3:rS-4"]),
    ("20/-/S/-", "4", "ice=20", ["pass"]),
    ("20/-/S/-", "10", "ice=20", ["10:rS-4"]),
    ("rH,40,20/-/S/-", "7", "ice=20", ["7:40-47"]),
    ("rH,rH,20/-/40/-", "11", "ice=20", ["pass"]),
    ("rH,rH,20/-/40/-", "S", "ice=20", ["pass"]),
    # Others may.
    ("rH,40,20/-/S/-", "3", "ice=20", ["3:40-43"]),
    # It cannot be switched or taken by Sorry!; others can.
    ("rH,rH,0/-/40/-", "11", "ice=40", ["pass"]),
    ("rH,rH,20/-/40/-", "11", "ice=40", ["11:20-31"]),
    ("S/-/40/-", "S", "ice=40", ["pass"]),
    ("S/-/41,40/-", "S", "ice=40", ["S:rSx41"]),
    # Landing on it is illegal (by count, on the circle, backward), jumping it is legal.
    ("rH,20/-/23/-", "3", "ice=23", ["3:rS-4"]),
    ("S/-/4/-", "3", "ice=4", ["pass"]),
    ("20/-/16/-", "4", "ice=16", ["pass"]),
    ("rH,20/-/22/-", "3", "ice=22", ["3:20-23", "3:rS-4"]),
    ("rH,rH,20/-/27/-", "7", "ice=27", ["pass"]),
    # A slide that would end on it is illegal (13 + 3 slides 16-19), over it is legal.
    ("rH,rH,13/-/19/-", "3", "ice=19", ["pass"]),
    ("rH,rH,13/-/18/-", "3", "ice=18", ["3:13-16"]),
    ("rH,rH,13/-/19/-", "3", "-", ["3:13-16"]),
    # The triangle itself is landed on.
    ("rH,rH,13/-/16/-", "3", "ice=16", ["pass"]),
    # A switch that slides the mover onto it: Red to 31, slide 31-34; not from Yellow's own 34.
    ("rH,rH,0/34/31/-", "11", "ice=34", ["pass"]),
    ("rH,rH,0/31/S/34", "11", "ice=34", ["pass"]),
    ("rH,rH,0/33/31/-", "11", "ice=33", ["11:0x31", "pass"]),
    # A Sorry! that slides onto it.
    ("S/34/31/-", "S", "ice=34", ["pass"]),
    ("S/33/31/-", "S", "ice=33", ["S:rSx31"]),
    # A part of a 7 the same: 13 + 3 is the triangle and 13 + 6 the Ice itself.
    (
        "rH,40,13/-/19/-", "7", "ice=19",
        ["7:13-20", "7:40-42,13-18", "7:40-43,13-17", "7:40-45,13-15", "7:40-46,13-14", "7:40-47"],
    ),
]  # fmt: skip


@pytest.mark.parametrize(("pawns", "card", "extra", "moves"), LEGAL)
def test_legal_moves(pawns: str, card: str, extra: str, moves: list[str]) -> None:
    assert game(pawns, card, extra).legal() == moves


def test_no_slide_on_the_own_triangle() -> None:
    # As classic: on 16 Blue stays, so the Ice on 19 is no matter.
    assert game("19/bH,bH,13/S/-", "3", "ice=19", turn="b").legal() == ["3:13-16"]


# (pawns, card, EXTRA, move, PAWNS and EXTRA afterwards)
RESULTS = [
    # The circle whatever the value.
    ("S/-/S/-", "12", "-", "12:rS-4", "4/-/S/-", "-"),
    # Sorry! +4, with the slides of classic (24-28).
    ("20/-/40/-", "S", "-", "S:20-24", "28/-/40/-", "-"),
    ("20/-/40/-", "S", "-", "S:rSx40", "40,20/-/S/-", "-"),
    # A slide over the Ice leaves it in place.
    ("13/-/18,17/-", "3", "ice=18", "3:13-16", "19/-/18/-", "ice=18"),
    ("0/33/31/-", "11", "ice=33", "11:0x31", "34/33/0/-", "ice=33"),
    ("S/33/31/32", "S", "ice=33", "S:rSx31", "34/33/S/S", "ice=33"),
    # Own pawns with Ice too.
    ("17,13/-/S/-", "3", "ice=17", "3:13-16", "19,17/-/S/-", "ice=17"),
    # The Fire goes with its pawn, by its moves ...
    ("20/-/S/-", "3", "fire=20", "3:20-23", "23/-/S/-", "fire=23"),
    ("13/-/S/-", "3", "fire=13", "3:13-16", "19/-/S/-", "fire=19"),
    ("2/-/S/-", "3", "fire=2", "3:2-r3", "r3/-/S/-", "fire=r3"),
    ("40,20/-/S/-", "7", "fire=20", "7:40-43,20-24", "43,28/-/S/-", "fire=28"),
    # ... and by a switch it keeps it, mover or displaced.
    ("20/-/40/-", "11", "fire=20", "11:20x40", "40/-/20/-", "fire=40"),
    ("20/-/40/-", "11", "fire=40", "11:20x40", "40/-/20/-", "fire=20"),
    # A Fire pawn that is bumped loses the Fire: landed on, slid over, taken by Sorry!.
    ("20/-/23/-", "3", "fire=23", "3:20-23", "23/-/S/-", "-"),
    ("13/-/17/-", "3", "fire=17", "3:13-16", "19/-/S/-", "-"),
    ("17,13/-/S/-", "3", "fire=17", "3:13-16", "19/-/S/-", "-"),
    ("S/-/40/-", "S", "fire=40", "S:rSx40", "40/-/S/-", "-"),
    # The other pawns' Fire stays.
    ("20/-/23,40/-", "3", "fire=40", "3:20-23", "23/-/40/-", "fire=40"),
]


@pytest.mark.parametrize(("pawns", "card", "extra", "move", "result", "left"), RESULTS)
def test_results(pawns: str, card: str, extra: str, move: str, result: str, left: str) -> None:
    # Yellow's Fire pawns may advance at once: only PAWNS and EXTRA are looked at here.
    after = fields(game(pawns, card, extra).apply(move))
    assert [after[0], after[4]] == [full(result, 3), left]


def test_a_two_does_not_draw_again() -> None:
    at = game("20/-/S/-", "2").apply("2:20-22")
    assert fields(at)[1:4] == ["y", "move", "?"]


def test_two_orders_of_a_seven_that_differ_only_in_the_fire() -> None:
    # 13 + 3 and 12 + 4 both land on the triangle 16 and slide to 19; the later bumps the earlier.
    # Without the Fire that is the same position twice: one move.
    at = game("rH,13,12/-/S/-", "7")
    assert "7:13-16,12-16" in at.legal()
    assert "7:12-16,13-16" not in at.legal()
    at = game("rH,13,12/-/S/-", "7", "fire=13")
    assert fields(at.apply("7:13-16,12-16"))[::4] == ["rH,19,rS/-/yS,yS,yS/-", "-"]
    assert fields(at.apply("7:12-16,13-16"))[::4] == ["rH,19,rS/-/yS,yS,yS/-", "fire=19"]


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
