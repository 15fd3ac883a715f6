"""Board and turn (sections 1 and 2 of the rules), worked by hand against the reference.

``test_reference_cards.py`` has section 3, ``test_reference_editions.py`` sections 4-6 and
``test_reference_play.py`` perft and random play. Squares: Red's side is 0-14 (slides 1-4, 9-13,
entry 2, circle 4), Blue's 15-29 (16-19, 24-28, entry 17, circle 19), Yellow's 30-44 (31-34,
39-43, entry 32, circle 34), Green's 45-59 (46-49, 54-58, entry 47, circle 49).
"""

from __future__ import annotations

from fractions import Fraction

import pytest

from .positions import WHOLE, after, full, legal, position
from .reference import ReferenceGame

# (pawns, turn, card, every legal move)
LEGAL = [
    # --- 1 Board -----------------------------------------------------------------------------
    # 60 outer squares numbered clockwise, clockwise is forward: after 59 comes 0.
    ("58/-/S/-", "r", "3", ["3:58-1"]),
    ("-/59/S/-", "b", "5", ["5:59-4"]),
    # Offset 4 of each side is the circle where that colour's pawns come out of Start.
    ("S/-/S/-", "r", "1", ["1:rS-4"]),
    ("-/S/S/-", "b", "1", ["1:bS-19"]),
    ("S/-/S/-", "y", "1", ["1:yS-34"]),
    ("-/S/-/S", "g", "1", ["1:gS-49"]),
    # Offset 2 is the last outer square before that colour's zone: one step on is safety 1.
    ("2/-/S/-", "r", "1", ["1:2-r1", "1:rS-4"]),
    ("-/17/S/-", "b", "1", ["1:17-b1", "1:bS-19"]),
    ("S/-/32/-", "y", "1", ["1:32-y1", "1:yS-34"]),
    ("S/-/-/47", "g", "1", ["1:47-g1", "1:gS-49"]),
    # Five safety squares, 5 steps from the entry; Home is 6 steps from it (0 -> 2 -> Home: 8).
    ("2/-/S/-", "r", "5", ["5:2-r5"]),
    ("0/-/S/-", "r", "8", ["8:0-rH"]),
    ("S/-/S/45", "g", "8", ["8:45-gH"]),
    # --- 2.2 You must make a legal move if there is one ... -----------------------------------
    ("20/-/S/-", "r", "5", ["5:20-25"]),
    # ... if there is none the turn is lost.
    ("S/-/S/-", "r", "5", ["pass"]),
    ("rH,rH,rH,r5/-/S/-", "r", "12", ["pass"]),
    # --- 2.3 Every square counts one, occupied or not; any pawn may be jumped ------------------
    ("22,20/-/21/-", "r", "5", ["5:20-25", "5:22-27"]),
    # --- 2.4 Two pawns of one colour never share a square --------------------------------------
    ("23,20/-/S/-", "r", "3", ["3:23-26"]),
    # The counted square decides, before any slide: here an own pawn stands on the triangle 16.
    ("16,13/-/S/-", "r", "3", ["3:16-19"]),
    # Where the slide ends does not matter: the own pawn on 19 forbids nothing.
    ("19,13/-/S/-", "r", "3", ["3:13-16", "3:19-22"]),
    # Backward the same.
    ("21,17/-/S/-", "r", "4", ["4:17-13"]),
    # --- 2.6 Passing the own entry turns into the own zone --------------------------------------
    ("59/-/S/-", "r", "5", ["5:59-r2"]),
    ("-/12/S/-", "b", "8", ["8:12-b3"]),
    # Landing exactly on the entry is still on the outer track.
    ("59/-/S/-", "r", "3", ["3:59-2"]),
    # Another colour's entry is an ordinary square.
    ("-/0/S/-", "b", "5", ["5:0-5"]),
    ("12/-/S/-", "r", "8", ["8:12-20"]),
    # A pawn on its own diamond (offset 3) or circle is past its entry and goes round.
    ("3/-/S/-", "r", "5", ["5:3-8"]),
    ("4/-/S/-", "r", "5", ["5:4-9"]),
    ("-/-/33/S", "y", "12", ["12:33-45"]),
    # --- 2.7 Home needs the exact count ---------------------------------------------------------
    ("r3/-/S/-", "r", "3", ["3:r3-rH"]),
    ("r3/-/S/-", "r", "5", ["pass"]),
    ("0/-/S/-", "r", "12", ["pass"]),
    # A pawn that is Home never moves again (nor backward).
    ("rH/-/S/-", "r", "1", ["1:rS-4"]),
    ("rH/-/S/-", "r", "4", ["pass"]),
    ("rH/-/S/-", "r", "10", ["pass"]),
    # Home is shared: a second pawn may come Home.
    ("rH,r3/-/S/-", "r", "3", ["3:r3-rH"]),
    # Inside the zone jumping is free and landing on an own pawn is not.
    ("r2,r1/-/S/-", "r", "3", ["3:r1-r4", "3:r2-r5"]),
    ("r4,r1/-/S/-", "r", "3", ["pass"]),
    # --- 2.8 Backward moves on the outer track ignore the own entry -----------------------------
    ("4/-/S/-", "r", "4", ["4:4-0"]),
    ("3/-/S/-", "r", "4", ["4:3-59"]),
    ("2/-/S/-", "r", "4", ["4:2-58"]),
    ("S/-/34/-", "y", "4", ["4:34-30"]),
    # From the zone backward inside it ...
    ("r5/-/S/-", "r", "4", ["4:r5-r1"]),
    # ... n = k is the entry itself ...
    ("r4/-/S/-", "r", "4", ["4:r4-2"]),
    # ... and n > k lands n-k before the entry.
    ("r3/-/S/-", "r", "4", ["4:r3-1"]),
    ("r2/-/S/-", "r", "4", ["4:r2-0"]),
    ("r1/-/S/-", "r", "4", ["4:r1-59"]),
    ("-/b1/S/-", "b", "4", ["4:b1-14"]),
    ("r1/-/S/-", "r", "10", ["10:r1-2"]),
    # An own pawn there forbids it.
    ("r2,0/-/S/-", "r", "4", ["4:0-56"]),
    ("r5,r1/-/S/-", "r", "4", ["4:r1-59"]),
    # Pawns in Start and Home never move backward.
    ("rH,rH/-/S/-", "r", "4", ["pass"]),
    # --- 2.9 A move that costs an own pawn is compulsory when it is the only one ----------------
    # Blue 57 + 12 is Red's triangle 9 and slides over Blue's own 13, which cannot go 12 itself
    # (13 is ten steps from Home).
    ("S/13,57/S/-", "b", "12", ["12:57-9"]),
]


@pytest.mark.parametrize(("pawns", "turn", "card", "moves"), LEGAL)
def test_legal_moves(pawns: str, turn: str, card: str, moves: list[str]) -> None:
    assert legal(pawns, turn, card) == moves


# (pawns, turn, card, move, pawns afterwards)
RESULTS = [
    # 2.5 Landing on another colour's pawn bumps it to its own Start.
    ("20/-/25/-", "r", "5", "5:20-25", "25/-/S/-"),
    ("S/18/20/40", "b", "2", "2:18-20", "S/20/S/40"),
    # 2.3 A jumped pawn stays.
    ("20/-/22/-", "r", "5", "5:20-25", "25/-/22/-"),
    # 2.5 Only outer squares can hold two colours' claims: zones with equal numbers never meet.
    ("r1/-/y3/-", "r", "2", "2:r1-r3", "r3/-/y3/-"),
    # 2.7 Pawns that are Home are not touched by a pawn coming Home.
    ("rH,r3/-/yH/-", "r", "3", "3:r3-rH", "rH,rH/-/yH/-"),
    # 2.8 Out of the zone backward: a pawn there is bumped.
    ("r2/-/0/-", "r", "4", "4:r2-0", "0/-/S/-"),
    ("r4/-/2/-", "r", "4", "4:r4-2", "2/-/S/-"),
    # 2.9 Forward move onto another colour's triangle: on to the last square, short and long.
    ("13/-/S/-", "r", "3", "3:13-16", "19/-/S/-"),
    ("21/-/S/-", "r", "3", "3:21-24", "28/-/S/-"),
    ("58/-/S/-", "r", "3", "3:58-1", "1/-/S/-"),  # Red's own triangle: it stays
    ("4/-/S/-", "r", "5", "5:4-9", "9/-/S/-"),
    ("S/-/58/-", "y", "3", "3:58-1", "S/-/4/-"),
    # 2.9 The slide of a colour that is not seated works too.
    ("51/-/S/-", "r", "3", "3:51-54", "58/-/S/-"),
    # 2.9 Backward move onto a triangle, also out of the zone (Blue's own 16 is none for Blue).
    ("20/-/S/-", "r", "4", "4:20-16", "19/-/S/-"),
    ("17/-/S/-", "r", "10", "10:17-16", "19/-/S/-"),
    ("-/b3/S/-", "b", "4", "4:b3-16", "-/16/S/-"),
    # 2.9 Either half of a 7, first and second.
    ("30,13/-/S/-", "r", "7", "7:30-34,13-16", "34,19/-/S/-"),
    ("35,13/-/S/-", "r", "7", "7:35-39,13-16", "43,19/-/S/-"),
    # 2.9 An 11 switch.
    ("20/-/31/-", "r", "11", "11:20x31", "34/-/20/-"),
    # 2.9 A Sorry!.
    ("S/-/31/-", "r", "S", "S:rSx31", "34/-/S/-"),
    # 2.9 All pawns on the slide go to Start: any colour, the owner's, the last square's.
    ("13/17,19/18/20", "r", "3", "3:13-16", "19/S/S/20"),
    # 2.9 A pawn standing on the triangle is bumped by the landing.
    ("13/16/S/-", "r", "3", "3:13-16", "19/S/S/-"),
    # 2.9 The mover's own pawns too (17 and the last, 19).
    ("19,17,13/-/S/-", "r", "3", "3:13-16", "19/-/S/-"),
    # 2.9 Beyond and before the slide nothing happens.
    ("15,13/20/S/-", "r", "3", "3:13-16", "19,15/20/S/-"),
    # 2.9 Passing a triangle does nothing, nor does landing further on in a slide.
    ("14/17/S/-", "r", "5", "5:14-19", "19/17/S/-"),
    ("14/18/S/-", "r", "3", "3:14-17", "17/18/S/-"),
    # 2.9 Compulsory loss of an own pawn (see above).
    ("S/13,57/S/-", "b", "12", "12:57-9", "S/13/S/-"),
]


@pytest.mark.parametrize(("pawns", "turn", "card", "move", "result"), RESULTS)
def test_results(pawns: str, turn: str, card: str, move: str, result: str) -> None:
    assert after(pawns, turn, card, move) == full(result)


# 1 Offset 1 of a side starts a short slide that ends on 4, offset 9 a long one that ends on 13.
@pytest.mark.parametrize(
    ("colour", "before", "triangle", "end"),
    [
        ("b", 59, 1, 4), ("b", 7, 9, 13), ("r", 14, 16, 19), ("r", 22, 24, 28),
        ("r", 29, 31, 34), ("r", 37, 39, 43), ("r", 44, 46, 49), ("r", 52, 54, 58),
    ],
)  # fmt: skip
def test_every_slide(colour: str, before: int, triangle: int, end: int) -> None:
    pawns = "{}/{}/S/S".format(*((before, "S") if colour == "r" else ("S", before)))
    result = pawns.replace(str(before), str(end))
    assert after(pawns, colour, "2", f"2:{before}-{triangle}") == full(result)


def test_circle_to_home_is_64_steps() -> None:
    # 1: eight times eight from the circle, never on a triangle: 12 20 28 36 44 52 0 Home.
    pawns = "4/-/S/-"
    for target in ("12", "20", "28", "36", "44", "52", "0", "rH"):
        start = pawns.split("/")[0]
        assert after(pawns, "r", "8", f"8:{start}-{target}") == full(f"{target}/-/S/-")
        pawns = f"{target}/-/S/-"


def test_default_seats_and_who_begins() -> None:
    # 1: two players sit opposite; the first in the order r b y g begins unless another is named.
    start = f"- r move ? {WHOLE} - -"
    two = full("S/-/S/-")
    assert ReferenceGame.new("classic").text() == f"classic {two} r move ? {WHOLE} - -"
    game = ReferenceGame.new("classic", ["yellow", "green", "blue"])
    assert game.text() == f"classic {full('-/S/S/S')} b move ? {WHOLE} - -"
    game = ReferenceGame.new("classic", ["red", "yellow"], first="yellow")
    assert game.text() == f"classic {two} y {start[4:]}"
    for seats, first in ((["red"], None), (["red", "red"], None), (["red", "blue"], "green")):
        with pytest.raises(ValueError):
            ReferenceGame.new("classic", seats, first)


# 2.1 Play passes clockwise among the seated colours.
@pytest.mark.parametrize(
    ("pawns", "order"),
    [("S/S/S/S", "rbyg"), ("S/S/S/-", "rby"), ("S/-/S/-", "ry"), ("-/S/-/S", "bg")],
)
def test_turns_go_clockwise(pawns: str, order: str) -> None:
    for seat, following in zip(order, order[1:] + order[0], strict=True):
        game = ReferenceGame.from_text(position(pawns, seat, "5")).apply("pass")
        assert game.text().split(" ")[2:5] == [following, "move", "?"]


def test_drawing_is_uniform_over_the_cards_left() -> None:
    # 2.1: one 7 and two Sorry! are left.
    game = ReferenceGame.from_text(position("S/-/S/-", "r", "?", deck="0.0.0.0.0.1.0.0.0.0.2"))
    assert game.draws() == {"7": Fraction(1, 3), "S": Fraction(2, 3)}
    drawn = game.draw("S")
    assert drawn.text() == position("S/-/S/-", "r", "S", deck="0.0.0.0.0.1.0.0.0.0.1")
    with pytest.raises(ValueError):
        game.draw("1")


def test_the_discards_are_shuffled_when_a_card_is_needed() -> None:
    # 2.1: the last card is drawn; the pile stays empty while it is played, and until the draw.
    game = ReferenceGame.from_text(position("S/-/S/-", "r", "?", deck="0.0.0.0.0.1.0.0.0.0.0"))
    played = game.draw("7")
    empty = "0.0.0.0.0.0.0.0.0.0.0"
    assert played.text() == position("S/-/S/-", "r", "7", deck=empty)
    waiting = played.apply("pass")
    assert waiting.text() == position("S/-/S/-", "y", "?", deck=empty)
    # All 45 cards are among the discards then, the 7 just played included.
    assert waiting.draws()["1"] == Fraction(5, 45)
    assert waiting.draws()["7"] == Fraction(4, 45)
    assert waiting.draw("7").text() == position("S/-/S/-", "y", "7", deck="5.4.4.4.4.3.4.4.4.4.4")


def test_the_order_of_calls() -> None:
    # 2.1: a card is drawn, then played: nothing else is possible.
    waiting = ReferenceGame.new("classic")
    with pytest.raises(ValueError):
        waiting.legal()
    with pytest.raises(ValueError):
        waiting.apply("pass")
    drawn = waiting.draw("5")
    with pytest.raises(ValueError):
        drawn.draws()
    with pytest.raises(ValueError):
        drawn.draw("5")
    with pytest.raises(ValueError):
        drawn.apply("5:rS-4")  # 3: only a 1 or 2 takes a pawn out of Start
