"""Way Sorry! (section 6.6 of the rules), worked by hand.

Read ``test_reference.py`` first; it lists the squares of the sides.
"""

from __future__ import annotations

from fractions import Fraction

import pytest

from .positions import full, position
from .reference import ReferenceGame

NAME = "way-sorry"
WHOLE = "5.4.4.4.4.4.4.4.4.4.4.2.2.2.2.1"


def game(pawns: str, card: str, extra: str = "-", turn: str = "r") -> ReferenceGame:
    return ReferenceGame.from_text(position(pawns, turn, card, NAME, None, extra))


def fields(at: ReferenceGame) -> list[str]:
    """PAWNS, TURN, PHASE, CARD and EXTRA."""
    parts = at.text().split(" ")
    return [*parts[1:5], parts[7]]


def test_the_deck() -> None:
    # 45 + 9 cards: 2 Happy, 2 Punish, 2 Buddy, 2 Bully, 1 Way Sorry!.
    first = ReferenceGame.new(NAME)
    assert first.text() == f"{NAME} {full('S/-/S/-')} r move ? {WHOLE} - -"
    draws = first.draws()
    assert (draws["1"], draws["HAPPY"], draws["PUNISH"], draws["BUDDY"], draws["BULLY"]) == (
        Fraction(5, 54), Fraction(2, 54), Fraction(2, 54), Fraction(2, 54), Fraction(2, 54),
    )  # fmt: skip
    assert draws["WAY"] == Fraction(1, 54)
    assert first.draw("WAY").text().split(" ")[5] == WHOLE[:-1] + "0"
    with pytest.raises(ValueError):
        ReferenceGame.new(f"{NAME}?hand=5")


# (pawns, card, EXTRA, every legal move)
LEGAL = [
    # Happy: one own pawn on the outer track.
    ("r1,30,20/-/40/-", "HAPPY", "-", ["HAPPY:20", "HAPPY:30"]),
    ("r1/-/40/-", "HAPPY", "-", ["pass"]),
    # It cannot be moved, by its own player either: steps, splits, switches, Buddy, Bully.
    ("rH,rH,rH,20/-/40/-", "3", "happy=20", ["pass"]),
    ("rH,rH,rH,20/-/40/-", "4", "happy=20", ["pass"]),
    ("rH,rH,40,20/-/S/-", "7", "happy=20", ["7:40-47"]),
    ("rH,rH,rH,20/-/40/-", "11", "happy=20", ["pass"]),
    ("rH,rH,rH,20/-/40/-", "BUDDY", "happy=20", ["pass"]),
    ("rH,rH,rH,20/-/40/-", "BULLY", "happy=20", ["pass"]),
    # Bumped: by landing, on the circle, by Sorry!, Way Sorry! and Bully.
    ("rH,rH,rH,20/-/23/-", "3", "happy=23", ["pass"]),
    ("S/-/4/-", "1", "happy=4", ["pass"]),
    ("S/-/40/-", "S", "happy=40", ["pass"]),
    ("S/-/40/-", "WAY", "happy=40", ["pass"]),
    ("rH,rH,rH,20/-/40/-", "BULLY", "happy=40", ["pass"]),
    # Switched.
    ("0/-/40/-", "11", "happy=40", ["pass"]),
    ("0/5/40/-", "11", "happy=40", ["11:0x5", "pass"]),
    # Or passed by a slide (16-19, ends included), by any way to get on it.
    ("rH,rH,rH,13/-/18/-", "3", "happy=18", ["pass"]),
    ("rH,rH,rH,13/-/19/-", "3", "happy=19", ["pass"]),
    ("rH,rH,rH,13/-/20/-", "3", "happy=20", ["3:13-16"]),
    ("rH,rH,17,13/-/S/-", "3", "happy=17", ["pass"]),
    ("0/33/31/-", "11", "happy=33", ["pass"]),
    ("S/33/31/-", "S", "happy=33", ["pass"]),
    # Jumping it is not forbidden, nor an own triangle beside it.
    ("rH,rH,rH,20/-/22/-", "3", "happy=22", ["3:20-23"]),
    # Punish: one opponent's pawn on the outer track.
    ("20/5/y1,40/-", "PUNISH", "-", ["PUNISH:40", "PUNISH:5"]),
    ("20/S/y1/-", "PUNISH", "-", ["pass"]),
    # It cannot move in its owner's next turn.
    ("rH,rH,rH,20/-/40/-", "3", "punished=20", ["pass"]),
    ("rH,rH,rH,20/-/40/-", "10", "punished=20", ["pass"]),
    ("rH,rH,40,20/-/S/-", "7", "punished=20", ["7:40-47"]),
    ("rH,rH,rH,20/-/40/-", "11", "punished=20", ["pass"]),
    ("rH,rH,rH,20/-/40/-", "BUDDY", "punished=20", ["pass"]),
    ("rH,rH,rH,20/-/40/-", "BULLY", "punished=20", ["pass"]),
    ("S/-/20/-", "S", "punished=20", ["S:rSx20"]),  # but it can be taken
    ("0/-/40/-", "11", "punished=40", ["11:0x40", "pass"]),  # and switched
    # Buddy: the free square just before or behind the nearest other pawn, in either direction.
    # From 20 forward 28 (27, 29), backward 12 (11, 13); the pawns beyond are not the nearest.
    ("20/12,28/50/-", "BUDDY", "-",
     ["BUDDY:20-11", "BUDDY:20-13", "BUDDY:20-27", "BUDDY:20-29"]),
    # Any other pawn, also an own one. Both move beside one another: a single other pawn is the
    # nearest in both directions.
    ("40,20/-/S/-", "BUDDY", "-", ["BUDDY:20-39", "BUDDY:20-41", "BUDDY:40-19", "BUDDY:40-21"]),
    # Free squares only: 41 is taken; the own square is not free either.
    ("rH,rH,rH,20/-/41,40/-", "BUDDY", "-",
     ["BUDDY:20-39", "BUDDY:20-42"]),
    ("rH,rH,rH,20/-/21/-", "BUDDY", "-", ["BUDDY:20-22"]),
    # From 59 on to 0; zones, Starts and Homes do not count; nobody alone on the track has one.
    ("rH,rH,rH,20/-/0/-", "BUDDY", "-", ["BUDDY:20-1", "BUDDY:20-59"]),
    ("rH,rH,r3,20/-/y1/-", "BUDDY", "-", ["pass"]),
    ("rH,rH,rH,r3/-/40/-", "BUDDY", "-", ["pass"]),
    # A slide (39-43 for Red) that would pass a happy pawn.
    ("rH,rH,rH,20/-/40/-", "BUDDY", "happy=40", ["BUDDY:20-41"]),
    # Bully: onto the nearest opponent's pawn in either direction; own pawns are jumped.
    ("25,20/12/30,40/-", "BULLY", "-",
     ["BULLY:20x12", "BULLY:20x30", "BULLY:25x12", "BULLY:25x30"]),
    ("rH,rH,rH,20/-/40/-", "BULLY", "-", ["BULLY:20x40"]),
    ("20/-/y1/-", "BULLY", "-", ["pass"]),
    ("r1/-/40/-", "BULLY", "-", ["pass"]),
    # The nearest one only, be it happy.
    ("rH,rH,rH,20/-/30,40/-", "BULLY", "happy=30", ["BULLY:20x40"]),
    # Way Sorry!: as Sorry!.
    ("20/5/y1,40/-", "WAY", "-", ["WAY:rSx40", "WAY:rSx5"]),
    ("rH,rH,rH,20/5/40/-", "WAY", "-", ["pass"]),
]  # fmt: skip


@pytest.mark.parametrize(("pawns", "card", "extra", "moves"), LEGAL)
def test_legal_moves(pawns: str, card: str, extra: str, moves: list[str]) -> None:
    assert game(pawns, card, extra).legal() == moves


# (pawns, card, EXTRA, move, pawns and EXTRA afterwards, the turn then)
RESULTS = [
    # Happy and Punish draw again.
    ("20/-/40/-", "HAPPY", "-", "HAPPY:20", "20/-/40/-", "happy=20", "r"),
    ("20/-/40/-", "PUNISH", "-", "PUNISH:40", "20/-/40/-", "punished=40", "r"),
    # Also when there was nobody to choose, as with a 2.
    ("S/-/40/-", "HAPPY", "-", "pass", "S/-/40/-", "-", "r"),
    ("20/-/S/-", "PUNISH", "-", "pass", "20/-/S/-", "-", "r"),
    # Several marks: colours in the order r b y g, most advanced first.
    ("30,20/-/40/-", "HAPPY", "happy=20", "HAPPY:30", "30,20/-/40/-", "happy=30,20", "r"),
    ("20/-/40/-", "HAPPY", "happy=40", "HAPPY:20", "20/-/40/-", "happy=20,40", "r"),
    # Who is so already stays so, once.
    ("30,20/-/40/-", "HAPPY", "happy=20", "HAPPY:20", "30,20/-/40/-", "happy=20", "r"),
    ("20/-/40/-", "PUNISH", "punished=40", "PUNISH:40", "20/-/40/-", "punished=40", "r"),
    ("20/-/30,40/-", "PUNISH", "happy=40", "PUNISH:40", "20/-/30,40/-",
     "happy=40;punished=40", "r"),
    # A punished pawn that is bumped has no mark any more; a switched one keeps it.
    ("20/-/23/-", "3", "punished=23", "3:20-23", "23/-/S/-", "-", "y"),
    ("13/-/18/-", "3", "punished=18", "3:13-16", "19/-/S/-", "-", "y"),
    ("20/-/40/-", "11", "punished=40", "11:20x40", "40/-/20/-", "punished=20", "y"),
    # Buddy: landing on another colour's triangle slides (39-43, over Yellow's 40); so backward.
    ("20/-/40/-", "BUDDY", "-", "BUDDY:20-39", "43/-/S/-", "-", "y"),
    ("20/-/40/-", "BUDDY", "-", "BUDDY:20-41", "41/-/40/-", "-", "y"),
    ("50/-/40/-", "BUDDY", "-", "BUDDY:50-41", "41/-/40/-", "-", "y"),
    # The own entry (2) does not matter.
    ("58/-/10/-", "BUDDY", "-", "BUDDY:58-11", "11/-/10/-", "-", "y"),
    # Bully bumps, and slides where it lands on a triangle.
    ("20/-/40/-", "BULLY", "-", "BULLY:20x40", "40/-/S/-", "-", "y"),
    ("20/40/39/-", "BULLY", "-", "BULLY:20x39", "43/S/S/-", "-", "b"),
    ("20/-/9/-", "BULLY", "-", "BULLY:20x9", "9/-/S/-", "-", "y"),
    # A slide that passes no happy pawn.
    ("13/S/20,18/-", "3", "happy=20", "3:13-16", "19/S/20/-", "happy=20", "b"),
]  # fmt: skip


@pytest.mark.parametrize(("pawns", "card", "extra", "move", "result", "left", "turn"), RESULTS)
def test_results(
    pawns: str, card: str, extra: str, move: str, result: str, left: str, turn: str
) -> None:
    at = game(pawns, card, extra).apply(move)
    assert fields(at) == [full(result), turn, "move", "?", left]


def test_happy_until_the_owners_next_turn() -> None:
    at = game("30,20/-/40/-", "HAPPY").apply("HAPPY:20").draw("5")
    # The rest of Red's turn.
    assert at.legal() == ["5:30-35"]
    at = at.apply("5:30-35")
    assert fields(at)[1:] == ["y", "move", "?", "happy=20"]
    # Yellow's turn, however many cards: it cannot be taken.
    at = at.draw("2").apply("2:yS-34")
    assert fields(at)[1:] == ["y", "move", "?", "happy=20"]
    at = at.draw("S")
    assert at.legal() == ["S:ySx35"]
    at = at.apply("S:ySx35")
    # Red's next turn: it may move again.
    assert fields(at) == [
        full("20/-/40,35,34/-"),
        "r",
        "move",
        "?",
        "-",
    ]
    assert at.draw("5").legal() == ["5:20-25"]


def test_punished_in_the_owners_next_turn() -> None:
    at = game("20/-/40,35/-", "PUNISH").apply("PUNISH:40").draw("5").apply("5:20-25")
    assert fields(at)[1:] == ["y", "move", "?", "punished=40"]
    # The whole of that turn.
    at = at.draw("2")
    assert at.legal() == ["2:35-37", "2:yS-34"]
    at = at.apply("2:35-37").draw("5")
    assert at.legal() == ["5:37-42"]
    assert fields(at)[4] == "punished=40"
    at = at.apply("5:37-42")
    assert fields(at)[1:] == ["r", "move", "?", "-"]


def test_punished_with_a_turn_between() -> None:
    # Blue's turn comes first.
    at = game("20/S/40/-", "PUNISH").apply("PUNISH:40").draw("5").apply("5:20-25")
    assert fields(at)[1:] == ["b", "move", "?", "punished=40"]
    at = at.draw("5").apply("pass")
    assert fields(at)[1:] == ["y", "move", "?", "punished=40"]
    at = at.draw("5")
    assert at.legal() == ["pass"]
    assert fields(at.apply("pass"))[1:] == ["r", "move", "?", "-"]


def test_way_sorry_is_repeated_until_no_target_is_left() -> None:
    at = game("20/5/y1,40/-", "WAY").apply("WAY:rSx40")
    assert fields(at) == [full("40,20/5/y1/-"), "r", "move", "WAY", "-"]
    assert at.legal() == ["WAY:rSx5"]
    at = at.apply("WAY:rSx5")
    # Red still has a pawn in Start, but the others are safe.
    assert fields(at)[1:] == ["b", "move", "?", "-"]


def test_way_sorry_is_repeated_until_start_is_empty() -> None:
    at = game("rH,rH,rH/6,5/40/-", "WAY")
    assert at.legal() == ["WAY:rSx40", "WAY:rSx5", "WAY:rSx6"]
    at = at.apply("WAY:rSx6")
    assert fields(at)[1:] == ["b", "move", "?", "-"]


def test_two_orders_of_a_seven_that_differ_only_in_a_mark() -> None:
    # 13 + 3 and 12 + 4 both land on 16 and slide to 19, the later bumps the earlier. Here 13 is
    # punished and cannot take part: no such split.
    assert "7:13-16,12-16" in game("13,12/-/S/-", "7").legal()
    assert game("13,12/-/S/-", "7", "punished=13").legal() == ["7:12-19"]


def test_classic_cards_and_winning() -> None:
    at = game("20/-/S/-", "2").apply("2:20-22")
    assert fields(at)[1:4] == ["r", "move", "?"]
    at = game("rH,rH,rH,r3/-/40/-", "3", "happy=40").apply("3:r3-rH")
    assert fields(at)[1:] == ["r", "over", "-", "happy=40;winner=r"]
    assert ReferenceGame.from_text(at.text()).text() == at.text()


@pytest.mark.parametrize(
    "extra",
    ["happy=21", "happy=rS", "happy=r1", "happy=20,30", "happy=", "punished=20;happy=20"],
)
def test_impossible_marks(extra: str) -> None:
    # Nobody there; not on the outer track; not most advanced first; nothing; not in order.
    with pytest.raises(ValueError):
        game("r1,30,20/-/S/-", "3", extra)
