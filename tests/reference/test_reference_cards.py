"""The cards (section 3 of the rules), worked by hand against the reference.

Read ``test_reference.py`` first; it lists the squares of the sides.
"""

from __future__ import annotations

import pytest

from .positions import after, full, legal, position
from .reference import ReferenceGame

# (pawns, turn, card, every legal move)
LEGAL = [
    # 1: a pawn from Start to the circle, or +1. All Start pawns are one move.
    ("20/-/S/-", "r", "1", ["1:20-21", "1:rS-4"]),
    ("S/-/S/-", "r", "1", ["1:rS-4"]),
    # 2: a pawn from Start to the circle (no further), or +2.
    ("20/-/S/-", "r", "2", ["2:20-22", "2:rS-4"]),
    # Circle with an own pawn: nobody comes out. (4+1; 4+2)
    ("4/-/S/-", "r", "1", ["1:4-5"]),
    ("4/-/S/-", "r", "2", ["2:4-6"]),
    # Nobody in Start: only the step.
    ("rH,rH,rH,20/-/S/-", "r", "1", ["1:20-21"]),
    # 3, 5, 8, 12: their value.
    ("20/-/S/-", "r", "3", ["3:20-23"]),
    ("20/-/S/-", "r", "5", ["5:20-25"]),
    ("20/-/S/-", "r", "8", ["8:20-28"]),
    ("20/-/S/-", "r", "12", ["12:20-32"]),
    # None of 3 4 5 7 8 10 11 12 takes a pawn out of Start.
    *[("S/-/S/-", "r", card, ["pass"]) for card in ("3", "4", "5", "7", "8", "10", "11", "12")],
    # 4: backward four, never forward.
    ("20/-/S/-", "r", "4", ["4:20-16"]),
    # 7: +7 with one pawn.
    ("20/-/S/-", "r", "7", ["7:20-27"]),
    # 7 split in 1-6 and the rest. 40 is 28 steps from Home, 20 is 48: 40 is written first.
    (
        "40,20/-/S/-", "r", "7",
        [
            "7:20-27", "7:40-41,20-26", "7:40-42,20-25", "7:40-43,20-24", "7:40-44,20-23",
            "7:40-45,20-22", "7:40-46,20-21", "7:40-47",
        ],
    ),
    # One part may bring a pawn Home.
    ("r5,20/-/S/-", "r", "7", ["7:20-27", "7:r5-rH,20-26"]),
    # A 7 that only works split, both pawns Home with it (2 and 5), must be split.
    ("r4,r1/-/S/-", "r", "7", ["7:r4-rH,r1-rH"]),
    # Two different pawns *on the board*: one on the board and others in Start or Home: no split.
    ("rH,20/-/S/-", "r", "7", ["7:20-27"]),
    # Inside the zone: r2 and r1 are 4 and 5 steps from Home. r2+2 with r1+5 and r2+4 with r1+3
    # are possible; r2+3 and r1+4 both end on r5, blocked in either order; the rest is too far.
    ("r2,r1/-/S/-", "r", "7", ["7:r2-r4,r1-rH", "7:r2-rH,r1-r4"]),
    # The second part is legal on the board that results. 13+3 slides 16-19 over 17: then 17 is
    # gone, so this split exists only with 17 first; 13+4 lands on 17, only with 17 first too.
    (
        "17,13/-/S/-", "r", "7",
        [
            "7:13-20", "7:17-18,13-19", "7:17-19,13-18", "7:17-20,13-17", "7:17-21,13-16",
            "7:17-22,13-15", "7:17-23,13-14", "7:17-24",
        ],
    ),
    # The same with the other pawn on the slide's last square, where the slider then stands: the
    # slider is not the second pawn.
    (
        "19,13/-/S/-", "r", "7",
        [
            "7:13-20", "7:19-20,13-19", "7:19-21,13-18", "7:19-22,13-17", "7:19-23,13-16",
            "7:19-24,13-15", "7:19-25,13-14", "7:19-26",
        ],
    ),
    # Orders that lead to different positions are two moves: 12+4 is the triangle 16, 14+3 is 17;
    # 12+5 is 17, 14+2 the triangle. (12+2 = 14 is free only after 14 has left: one order.)
    (
        "14,12/-/S/-", "r", "7",
        [
            "7:12-16,14-17", "7:12-17,14-16", "7:12-19", "7:14-15,12-18", "7:14-16,12-17",
            "7:14-17,12-16", "7:14-18,12-15", "7:14-19,12-14", "7:14-20,12-13", "7:14-21",
        ],
    ),
    # 10: +10 or -1, a free choice while both exist.
    ("20/-/S/-", "r", "10", ["10:20-19", "10:20-30"]),
    ("r2,20/-/S/-", "r", "10", ["10:20-19", "10:20-30", "10:r2-r1"]),
    # If no pawn can go +10, one must go -1 if one can.
    ("r2/-/S/-", "r", "10", ["10:r2-r1"]),
    ("0/-/S/-", "r", "10", ["10:0-59"]),
    # Home 10 steps away: 58 -> 2 is 4, then 6.
    ("58/-/S/-", "r", "10", ["10:58-57", "10:58-rH"]),
    # -1 onto an own pawn is illegal.
    ("21,20/-/S/-", "r", "10", ["10:20-19", "10:20-30", "10:21-31"]),
    # 11: +11, or switch an own pawn on the outer track with an opponent's there; no pass while a
    # pawn can go +11.
    ("20/-/40/-", "r", "11", ["11:20-31", "11:20x40"]),
    ("20/35/40/-", "r", "11", ["11:20-31", "11:20x35", "11:20x40"]),
    # No pawn can go +11 (0 is eight steps from Home): switch or pass.
    ("0/-/40/-", "r", "11", ["11:0x40", "pass"]),
    # Another pawn can: then no pass.
    ("0,20/-/40/-", "r", "11", ["11:0x40", "11:20-31", "11:20x40"]),
    # Nobody can do anything.
    ("r1/-/40/-", "r", "11", ["pass"]),
    ("0/-/y3/-", "r", "11", ["pass"]),
    ("0/-/yH,yH,yH/-", "r", "11", ["pass"]),
    # An own pawn that blocks +11 leaves the pass. (56 is 12 steps from Home, 57 is 11: +11 from 57
    # is Home, from 56 safety 5, where an own pawn stands.)
    ("r5,56/-/40/-", "r", "11", ["11:56x40", "pass"]),
    ("57/-/40/-", "r", "11", ["11:57-rH", "11:57x40"]),
    # Sorry!: one pawn from Start takes any opponent's on the outer track; compulsory.
    ("S/-/40/-", "r", "S", ["S:rSx40"]),
    ("20/5/y1,40/50", "r", "S", ["S:rSx40", "S:rSx5", "S:rSx50"]),
    # Not without a pawn in Start, not in zones, Starts or Home.
    ("rH,rH,20,19/-/40/-", "r", "S", ["pass"]),
    ("20/-/yH,y1/-", "r", "S", ["pass"]),
]  # fmt: skip


@pytest.mark.parametrize(("pawns", "turn", "card", "moves"), LEGAL)
def test_legal_moves(pawns: str, turn: str, card: str, moves: list[str]) -> None:
    assert legal(pawns, turn, card) == moves


# (pawns, turn, card, move, pawns afterwards)
RESULTS = [
    # Circle: another colour's pawn is bumped (2.5) ...
    ("S/-/4/-", "r", "1", "1:rS-4", "4/-/S/-"),
    # ... and there is no slide: others on the own short slide stay.
    ("S/-/2/-", "r", "2", "2:rS-4", "4/-/2/-"),
    # 7 split: the first part is resolved completely, bump included, then the second.
    ("40,20/-/43/-", "r", "7", "7:40-43,20-24", "43,28/-/S/-"),
    # The two orders of one split that differ.
    ("14,12/-/S/-", "r", "7", "7:12-16,14-17", "19,17/-/S/-"),
    ("14,12/-/S/-", "r", "7", "7:14-17,12-16", "19/-/S/-"),
    ("14,12/-/S/-", "r", "7", "7:14-16,12-17", "19,17/-/S/-"),
    ("14,12/-/S/-", "r", "7", "7:12-17,14-16", "19/-/S/-"),
    ("17,13/-/S/-", "r", "7", "7:17-21,13-16", "21,19/-/S/-"),
    # 10: +10 and -1.
    ("20/-/30/-", "r", "10", "10:20-30", "30/-/S/-"),
    ("20/-/19/-", "r", "10", "10:20-19", "19/-/S/-"),
    # 11 switch: both change places, nobody goes to Start.
    ("20/-/40/-", "r", "11", "11:20x40", "40/-/20/-"),
    # The mover's pawn slides on another colour's triangle, which may bump the displaced one.
    ("33/-/31/-", "r", "11", "11:33x31", "34/-/S/-"),
    # On its own colour's triangle it stays.
    ("20/-/9/-", "r", "11", "11:20x9", "9/-/20/-"),
    # The displaced pawn does not slide (9 is Red's triangle, Yellow is put there).
    ("9/-/40/-", "r", "11", "11:9x40", "40/-/9/-"),
    # The slider's way bumps others, its own included.
    ("32,20/-/31/-", "r", "11", "11:20x31", "34/-/20/-"),
    # Sorry!: the pawn taken goes to its Start, the own stands in its place.
    ("20/-/40/-", "r", "S", "S:rSx40", "40,20/-/S/-"),
    # With a slide of another colour: the rest of the slide is cleared, own pawns too.
    ("33/32/31/-", "r", "S", "S:rSx31", "34/S/S/-"),
    # Own colour's triangle: no slide.
    ("S/-/9/-", "r", "S", "S:rSx9", "9/-/S/-"),
]


@pytest.mark.parametrize(("pawns", "turn", "card", "move", "result"), RESULTS)
def test_results(pawns: str, turn: str, card: str, move: str, result: str) -> None:
    assert after(pawns, turn, card, move) == full(result)


# Field switch_slides, `mover` is above. `both` resolves the mover first, `none` nobody.
BOTH, NONE = "classic?switch_slides=both", "classic?switch_slides=none"
SWITCHES = [
    # Only the displaced pawn stands on a triangle (Red's 9).
    (BOTH, "9/-/40/-", "11:9x40", "40/-/13/-"),
    (NONE, "9/-/40/-", "11:9x40", "40/-/9/-"),
    # Both do: Red on Yellow's 39, Blue on Red's 9.
    (BOTH, "9/39/S/-", "11:9x39", "43/13/S/-"),
    (NONE, "9/39/S/-", "11:9x39", "39/9/S/-"),
    # The mover's slide comes first: it bumps the displaced pawn on 33.
    (BOTH, "33/-/31/-", "11:33x31", "34/-/S/-"),
    (NONE, "33/-/31/-", "11:33x31", "31/-/33/-"),
    # The displaced pawn's slide, 9 to 13, bumps the mover on 11.
    (BOTH, "9/-/11/-", "11:9x11", "S/-/13/-"),
    # The displaced pawn's own triangle is none for it.
    (BOTH, "31/-/40/-", "11:31x40", "40/-/31/-"),
]


@pytest.mark.parametrize(("ruleset", "pawns", "move", "result"), SWITCHES)
def test_switch_slides(ruleset: str, pawns: str, move: str, result: str) -> None:
    assert after(pawns, "r", "11", move, ruleset) == full(result)


# After a 2 the same seat draws again, even if the 2 could not be played; after others not.
@pytest.mark.parametrize(
    ("pawns", "card", "move", "turn"),
    [
        ("20/-/S/-", "2", "2:20-22", "r"),
        ("20/-/S/-", "2", "2:rS-4", "r"),
        ("rH,rH,rH,r5/-/S/-", "2", "pass", "r"),
        ("20/-/S/-", "1", "1:20-21", "y"),
        ("S/-/S/-", "3", "pass", "y"),
    ],
)
def test_draw_again(pawns: str, card: str, move: str, turn: str) -> None:
    game = ReferenceGame.from_text(position(pawns, "r", card)).apply(move)
    assert game.text().split(" ")[2:5] == [turn, "move", "?"]
    # The card played is in no pile: its discard is what is missing.
    expected = "5.3.4.4.4.4.4.4.4.4.4" if card == "2" else game.text().split(" ")[5]
    assert game.text().split(" ")[5] == expected
