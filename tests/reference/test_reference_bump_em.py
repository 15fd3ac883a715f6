"""Bump 'Em (section 6.5 of the rules), worked by hand.

Read ``test_reference.py`` first; it lists the squares of the sides. The turbo squares are 0 (on
Red's side), 15 (Blue's), 30 (Yellow's) and 45 (Green's).
"""

from __future__ import annotations

from fractions import Fraction

import pytest

from .positions import full, position
from .reference import ReferenceGame

NAME = "bump-em"
WHOLE = "4.4.4.4.4.4.4.4.4.4.4.4.4"


def game(pawns: str, card: str, turn: str = "r") -> ReferenceGame:
    return ReferenceGame.from_text(position(pawns, turn, card, NAME))


def test_the_deck() -> None:
    # Four each of 1-12 and Bump, in that order.
    first = ReferenceGame.new(NAME)
    assert first.text() == f"{NAME} {full('S/-/S/-')} r move ? {WHOLE} - -"
    assert first.draws() == {
        card: Fraction(1, 13)
        for card in ("1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12", "B")
    }
    drawn = first.draw("B")
    assert drawn.text() == f"{NAME} {full('S/-/S/-')} r move B 4.4.4.4.4.4.4.4.4.4.4.4.3 - -"
    with pytest.raises(ValueError):
        first.draw("S")
    assert ReferenceGame.new(f"{NAME}?deck={WHOLE}").text().split(" ")[0] == NAME
    assert ReferenceGame.new(f"{NAME}?deck=infinite").draws()["9"] == Fraction(1, 13)
    for name in (
        f"{NAME}?deck=standard",
        f"{NAME}?deck=4.4.4.4.4.4.4.4.4.4.4",
        f"{NAME}?teams=four",
    ):
        with pytest.raises(ValueError):
            ReferenceGame.new(name)


# (pawns, card, every legal move)
LEGAL = [
    # 1 and 12 bring a car out to the circle, or move 1 and 12.
    ("20/-/S/-", "1", ["1:20-21", "1:rS-4"]),
    ("20/-/S/-", "12", ["12:20-32", "12:rS-4"]),
    ("S/-/S/-", "12", ["12:rS-4"]),
    # Bump brings one out onto an opponent's square.
    ("20/5/40/-", "B", ["B:rSx40", "B:rSx5"]),
    ("20/b1/S/-", "B", ["pass"]),
    ("rH,rH,rH,20/5/40/-", "B", ["pass"]),
    # 4 goes back 4.
    ("20/-/S/-", "4", ["4:20-16"]),
    # 11 is +11 or switch; the pass as classic (0 is eight steps from Home).
    ("20/-/40/-", "11", ["11:20-31", "11:20x40"]),
    ("0/-/40/-", "11", ["11:0x40", "pass"]),
    # All others + value, no split, no -1 with a 10, nobody out of Start.
    *[
        ("20/-/S/-", str(value), [f"{value}:20-{20 + value}"])
        for value in (2, 3, 5, 6, 7, 8, 9, 10)
    ],
    ("30,20/-/S/-", "7", ["7:20-27", "7:30-37"]),
    *[("S/-/S/-", str(value), ["pass"]) for value in (2, 3, 4, 5, 6, 7, 8, 9, 10, 11)],
    # 2.4 stands: a car does not land on one of its own colour, on a turbo square either.
    ("15,10/-/S/-", "5", ["5:15-20"]),
    # The same ring of 60: after 59 comes 0, the entry leads into the zone.
    ("58/-/S/-", "3", ["3:58-1"]),
    ("58/-/S/-", "6", ["6:58-r2"]),
    # Home by exact count.
    ("r3/-/S/-", "3", ["3:r3-rH"]),
    ("r3/-/S/-", "9", ["pass"]),
]


@pytest.mark.parametrize(("pawns", "card", "moves"), LEGAL)
def test_legal_moves(pawns: str, card: str, moves: list[str]) -> None:
    assert game(pawns, card).legal() == moves


# (pawns, card, move, pawns afterwards)
RESULTS = [
    # No slides, by any move.
    ("13/18/S/-", "3", "3:13-16", "16/18/S/-"),
    ("20/-/S/-", "4", "4:20-16", "16/-/S/-"),
    ("20/-/31/-", "11", "11:20x31", "31/-/20/-"),
    ("S/-/31/-", "B", "B:rSx31", "31/-/S/-"),
    # Elsewhere landing bumps, the circle included.
    ("20/-/23/-", "3", "3:20-23", "23/-/S/-"),
    ("S/-/4/-", "12", "12:rS-4", "4/-/S/-"),
    ("S/-/40/-", "B", "B:rSx40", "40/-/S/-"),
    # A car on a turbo square moves on to the next one ...
    ("12/-/15/-", "3", "3:12-15", "15/-/30/-"),
    ("27/30/S/-", "3", "3:27-30", "30/45/S/-"),
    ("42/45/S/-", "3", "3:42-45", "45/0/S/-"),
    # ... or Home, if its own entry lies before that: Yellow 32 after 30, Blue 17 after 15,
    # Green 47 after 45, Red 2 after 0.
    ("27/-/30/-", "3", "3:27-30", "30/-/yH/-"),
    ("12/15/S/-", "3", "3:12-15", "15/bH/S/-"),
    ("42/-/-/45", "3", "3:42-45", "45/-/-/gH"),
    # Landing backward is landing.
    ("19/-/15/-", "4", "4:19-15", "15/-/30/-"),
    # A car taken by Bump on a turbo square moves on too.
    ("S/-/15/-", "B", "B:rSx15", "15/-/30/-"),
    ("S/-/30/-", "B", "B:rSx30", "30/-/yH/-"),
    # A switch is not a landing.
    ("20/-/15/-", "11", "11:20x15", "15/-/20/-"),
    # Passing is none either.
    ("14/-/15/-", "3", "3:14-17", "17/-/15/-"),
    # A car it meets there moves on in the same way: Yellow to 30, Green to 45, Blue to 0.
    ("12/45/15/30", "3", "3:12-15", "15/0/30/45"),
    # Home ends it: Yellow to 30, another Yellow from 30 Home.
    ("12/-/30,15/-", "3", "3:12-15", "15/-/yH,30/-"),
    # Whatever its colour: a car of the player's own.
    ("30,12/-/15/-", "3", "3:12-15", "45,15/-/30/-"),
    # The car just moved included. Red 12 to 15; Yellow 15 to 30; Green 30 to 45; Red 45 to 0;
    # Yellow 0 to 15; the first Red 15 to 30; the first Yellow 30 to Home.
    ("45,12/-/15,0/30", "3", "3:12-15", "0,30/-/yH,15/45"),
    # With Bump: the car from Start goes 15 to 30 as above.
    ("45/-/15,0/30", "B", "B:rSx15", "0,30/-/yH,15/45"),
]


@pytest.mark.parametrize(("pawns", "card", "move", "result"), RESULTS)
def test_results(pawns: str, card: str, move: str, result: str) -> None:
    assert game(pawns, card).apply(move).text().split(" ")[1] == full(result)


def test_the_car_just_moved_may_come_home() -> None:
    # Red 57 to 0; Blue 0 to 15; Yellow 15 to 30; Green 30 to 45; Yellow 45 to 0; Red 0 Home.
    result = game("57/0/15,45/30", "3").apply("3:57-0")
    assert result.text().split(" ")[1] == full("rH/15/30,0/45")


def test_a_three_draws_again() -> None:
    # Played or not; a 2 does not.
    assert game("20/-/S/-", "3").apply("3:20-23").text().split(" ")[2:5] == ["r", "move", "?"]
    assert game("S/-/S/-", "3").apply("pass").text().split(" ")[2:5] == ["r", "move", "?"]
    assert game("20/-/S/-", "2").apply("2:20-22").text().split(" ")[2:5] == ["y", "move", "?"]


def test_a_car_brought_home_may_win_for_its_owner() -> None:
    after = game("27/S/yH,yH,yH,30/S", "3").apply("3:27-30")
    left = "4.4.3.4.4.4.4.4.4.4.4.4.4"
    assert after.text() == f"{NAME} {full('30/S/H/S')} r over - {left} - winner=y"
    third = Fraction(-1, 3)
    assert after.outcome() == {"red": third, "blue": third, "yellow": Fraction(1), "green": third}
    # The player's own as well: the car just moved, at the end of the chain above.
    after = game("rH,rH,rH,57/0/15,45/30", "3").apply("3:57-0")
    assert after.text().split(" ")[2:5] == ["r", "over", "-"]
    assert after.text().endswith(" winner=r")
