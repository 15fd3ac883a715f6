"""Fire & Ice (section 6.3 of the rules): cards and moves, worked by hand.

Read ``test_reference.py`` first; it lists the squares of the sides. The decisions about
the tokens are in ``test_reference_tokens.py``.
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
    for name in (f"{NAME}?hand=5", f"{NAME}?teams=four", f"{NAME}?turbo=true"):
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
