"""Decks, winning, editions and teams (sections 4, 5, 6 and 6.2), worked by hand.

Read ``test_reference.py`` first; it lists the squares of the sides.
"""

from __future__ import annotations

from fractions import Fraction

import pytest

from .positions import after, full, legal, position
from .reference import ReferenceGame

# 4 and the table of 6: the first position of every edition.
FIRST = {
    "classic": f"classic {full('S/-/S/-')} r move ? 5.4.4.4.4.4.4.4.4.4.4 - -",
    "first-edition": f"first-edition {full('S/-/S/-')} r move ? 4.4.4.4.4.4.4.4.4.4.4 - -",
    "waddingtons": f"waddingtons {full('S/-/S/-')} r move ? 5.5.5.5.5.5.5.5.5.5.5 - -",
    # Each colour's fourth pawn begins on its circle.
    "quick": "quick 4,rS,rS,rS/-/34,yS,yS,yS/- r move ? 5.4.4.4.4.4.4.4.4.4.4 - -",
    "teams": f"teams {full('S/S/S/S')} r move ? 5.4.4.4.4.4.4.4.4.4.4 - -",
    "teams-two": f"teams-two {full('S/S/S/S')} r move ? 5.4.4.4.4.4.4.4.4.4.4 - -",
    "duel-1": "duel-1 rS/-/yS/- r move ? * - -",
    "duel-2": "duel-2 rS,rS/-/yS,yS/- r move ? * - -",
    "duel-3": "duel-3 rS,rS,rS/-/yS,yS,yS/- r move ? * - -",
    "solo": "solo rS,rS,rS,rS/-/-/- r move ? * - -",
}


@pytest.mark.parametrize("name", FIRST)
def test_first_positions(name: str) -> None:
    assert ReferenceGame.new(name).text() == FIRST[name]
    assert ReferenceGame.from_text(FIRST[name]).text() == FIRST[name]


# 4: chances of a 1 and of a 7 from the whole deck.
@pytest.mark.parametrize(
    ("name", "one", "seven"),
    [
        ("classic", Fraction(5, 45), Fraction(4, 45)),
        ("first-edition", Fraction(1, 11), Fraction(1, 11)),
        ("waddingtons", Fraction(1, 11), Fraction(1, 11)),
        ("solo", Fraction(5, 45), Fraction(4, 45)),
    ],
)
def test_decks(name: str, one: Fraction, seven: Fraction) -> None:
    draws = ReferenceGame.new(name).draws()
    assert (draws["1"], draws["7"], len(draws), sum(draws.values())) == (one, seven, 11, 1)


def test_finite_decks_shrink_and_the_infinite_one_does_not() -> None:
    # 4: after the first 1 is gone from 45, four of 44 are left; `infinite` draws independently.
    game = ReferenceGame.new("classic").draw("1").apply("1:rS-4")
    assert game.draws()["1"] == Fraction(4, 44)
    game = ReferenceGame.new("duel-1").draw("1").apply("1:rS-4")
    assert game.draws()["1"] == Fraction(5, 45)
    assert game.text() == "duel-1 4/-/yS/- y move ? * - -"


# Derived rulesets: alphabetical order of the fields, those with the base's value left out.
@pytest.mark.parametrize(
    ("given", "name"),
    [
        ("classic?pawns=4", "classic"),
        ("classic?play_out=true&pawns=2", "classic?pawns=2&play_out=true"),
        ("first-edition?deck=first_edition", "first-edition"),
        ("classic?switch_slides=both&deck=infinite", "classic?deck=infinite&switch_slides=both"),
        ("solo?deck=1.0.0.0.0.0.0.0.0.0.2", "solo?deck=1.0.0.0.0.0.0.0.0.0.2"),
    ],
)
def test_derived_names(given: str, name: str) -> None:
    assert ReferenceGame.new(given).text().split(" ")[0] == name


@pytest.mark.parametrize(
    "name",
    ["chess", "classic?", "classic?pawns=5", "classic?pawn=2", "classic?play_out=yes",
     "classic?deck=1.2", "classic?pawns=2&pawns=2"],
)  # fmt: skip
def test_unknown_rulesets_are_errors(name: str) -> None:
    with pytest.raises(ValueError):
        ReferenceGame.new(name)


# 5: the first colour with all its pawns Home wins at once.
def test_winning() -> None:
    game = ReferenceGame.from_text(position("rH,rH,rH,r3/S/20/S", "r", "3")).apply("3:r3-rH")
    pawns = full("H/S/20/S")
    assert game.text() == f"classic {pawns} r over - 5.4.3.4.4.4.4.4.4.4.4 - winner=r"
    assert game.legal() == []
    third = Fraction(-1, 3)
    assert game.outcome() == {"red": Fraction(1), "blue": third, "yellow": third, "green": third}
    assert ReferenceGame.from_text(game.text()).text() == game.text()
    with pytest.raises(ValueError):
        game.draws()


def test_no_draw_again_after_winning_with_a_two() -> None:
    # 5: at once.
    game = ReferenceGame.from_text(position("rH,rH,rH,r4/-/S/-", "r", "2")).apply("2:r4-rH")
    assert game.text().endswith("r over - 5.3.4.4.4.4.4.4.4.4.4 - winner=r")
    assert game.outcome() == {"red": Fraction(1), "yellow": Fraction(-1)}


def test_three_pawns_home_do_not_win() -> None:
    # 5: *all* its pawns.
    game = ReferenceGame.from_text(position("rH,rH,r3/-/S/-", "r", "3")).apply("3:r3-rH")
    assert game.outcome() is None
    assert game.text().split(" ")[2:4] == ["y", "move"]


def test_play_out_ranks_all_seats() -> None:
    # 5: goes on until all but one colour have finished; finished colours are skipped.
    name = "classic?play_out=true"
    game = ReferenceGame.from_text(position("rH,rH,rH,r3/bH,bH,bH,b5/S/-", "r", "3", name))
    game = game.apply("3:r3-rH")
    assert game.outcome() is None
    left = "5.4.3.4.4.4.4.4.4.4.4"
    assert game.text() == position("H/bH,bH,bH,b5/S/-", "b", "?", name, left, "winner=r")
    # Blue cannot go 5, Yellow neither; Red is skipped.
    game = game.draw("5").apply("pass").draw("5").apply("pass")
    left = "5.4.3.4.2.4.4.4.4.4.4"
    assert game.text() == position("H/bH,bH,bH,b5/S/-", "b", "?", name, left, "winner=r")
    game = game.draw("1").apply("1:b5-bH")
    pawns = full("H/H/S/-")
    assert game.text() == f"{name} {pawns} b over - 4.4.3.4.2.4.4.4.4.4.4 - winner=r"
    half = Fraction(-1, 2)
    assert game.outcome() == {"red": Fraction(1), "blue": half, "yellow": half}


def test_play_out_with_two_seats_and_with_a_last_two() -> None:
    # 5: with two seats all but one have finished when the first has.
    name = "classic?play_out=true"
    game = ReferenceGame.from_text(position("rH,rH,rH,r3/-/S/-", "r", "3", name)).apply("3:r3-rH")
    assert game.text().split(" ")[3:5] == ["over", "-"]
    # A colour that finishes with a 2 is skipped at once: it has nothing to draw for.
    game = ReferenceGame.from_text(position("rH,rH,rH,r4/S/S/-", "r", "2", name)).apply("2:r4-rH")
    assert game.text().split(" ")[2:5] == ["b", "move", "?"]


def test_solo_and_duel() -> None:
    # 6: one seat, turns come back to it, no opponents for Sorry! and switches.
    game = ReferenceGame.from_text("solo rH,rH,r5,20/-/-/- r move 11 * - -")
    assert game.legal() == ["11:20-31"]
    assert game.apply("11:20-31").text() == "solo rH,rH,r5,34/-/-/- r move ? * - -"
    assert ReferenceGame.from_text("solo rH,rH,20,rS/-/-/- r move S * - -").legal() == ["pass"]
    game = ReferenceGame.from_text("solo rH,rH,rH,r5/-/-/- r move 1 * - -").apply("1:r5-rH")
    assert game.text() == "solo rH,rH,rH,rH/-/-/- r over - * - winner=r"
    assert game.outcome() == {"red": Fraction(1)}
    game = ReferenceGame.from_text("duel-1 20/-/yH/- r over - * - winner=y")
    assert game.outcome() == {"red": Fraction(-1), "yellow": Fraction(1)}
    assert ReferenceGame.new("solo", ["green"]).text() == "solo -/-/-/gS,gS,gS,gS g move ? * - -"


# 6.2 Teams: Red and Yellow against Blue and Green. (pawns, turn, card, every legal move)
TEAMS = [
    # All eight pawns are usable by either partner's card.
    ("20/S/50/S", "r", "3", ["3:20-23", "3:50-53"]),
    ("20/S/50/S", "y", "3", ["3:20-23", "3:50-53"]),
    ("S/20/S/50", "g", "3", ["3:20-23", "3:50-53"]),
    # Opponents' pawns are not.
    ("S/20/S/50", "r", "3", ["pass"]),
    # A moved pawn uses its own circle ...
    ("S/S/S/S", "r", "1", ["1:rS-4", "1:yS-34"]),
    # ... its own entry, zone and Home: Yellow turns in at 32, Red does not.
    ("29/S/30/S", "r", "5", ["5:29-34", "5:30-y3"]),
    ("rH,rH,rH,rH/S/y3/S", "r", "3", ["3:y3-yH"]),
    # 2.4 is per colour: 20 may land on the partner's 23; an own pawn forbids as ever.
    ("20/S/23/S", "r", "3", ["3:20-23", "3:23-26"]),
    ("23,20/S/S/S", "r", "3", ["3:23-26"]),
    # The circle with the partner's pawn on it is open, with an own pawn it is not.
    ("34/S/4/S", "y", "1", ["1:34-35", "1:4-5", "1:rS-4", "1:yS-34"]),
    ("4/S/34/S", "y", "1", ["1:34-35", "1:4-5"]),
    # A 7 between two of the eight pawns. Both are 48 steps from Home: Red is written first.
    (
        "20/S/50/S", "y", "7",
        [
            "7:20-21,50-56", "7:20-22,50-55", "7:20-23,50-54", "7:20-24,50-53",
            "7:20-25,50-52", "7:20-26,50-51", "7:20-27", "7:50-57",
        ],
    ),
    # Partners meeting: 20+3 lands on 23, so Yellow must go first; with 20+4 the slide 24-28 does
    # or does not catch 23+3 = 26; 20+5 and 23+2 meet on 25, the later bumps the earlier;
    # 23+1 slides 24-28 and does or does not catch 20+6 = 26. (Yellow 23 is 15 from Home.)
    (
        "20/S/23/S", "r", "7",
        [
            "7:20-24,23-26", "7:20-25,23-25", "7:20-26,23-24", "7:20-27", "7:23-24,20-26",
            "7:23-25,20-25", "7:23-26,20-24", "7:23-27,20-23", "7:23-28,20-22",
            "7:23-29,20-21", "7:23-30",
        ],
    ),
    # 10 over all eight: Red 0 cannot go +10, Yellow 50 can; both may still go -1.
    ("0/S/50/S", "r", "10", ["10:0-59", "10:50-0", "10:50-49"]),
    # "Can go +11" is judged over all eight: Yellow can, so there is no pass.
    ("0/40/50/S", "r", "11", ["11:0x40", "11:50-1", "11:50x40"]),
    # Neither 0 nor 30 can (eight steps from Home each). Never with the partner's.
    ("0/40/30/S", "r", "11", ["11:0x40", "11:30x40", "pass"]),
    ("0/S/30/S", "r", "11", ["pass"]),
    # Sorry!: a Start pawn of either partner takes an opponents' pawn ...
    ("20/40/S/S", "r", "S", ["S:rSx40", "S:ySx40"]),
    ("rH,rH,rH,20/40/S/5", "r", "S", ["S:ySx40", "S:ySx5"]),
    # ... only if none can be taken, a team pawn of the other colour than the one leaving.
    ("20/S/50/S", "r", "S", ["S:rSx50", "S:ySx20"]),
    ("20/b1/S/gH", "r", "S", ["S:ySx20"]),
    ("20/b1/y1/gH", "y", "S", ["S:ySx20"]),
    ("rH,rH,rH,20/S/50/S", "y", "S", ["S:ySx20"]),
    # Nobody to take at all; nobody in Start.
    ("r1/S/y1/S", "r", "S", ["pass"]),
    ("rH,rH,rH,20/40/yH,yH,yH,50/S", "r", "S", ["pass"]),
    # A colour that is all Home keeps drawing and plays for the partner.
    ("H/S/50/S", "r", "3", ["3:50-53"]),
]  # fmt: skip


@pytest.mark.parametrize(("pawns", "turn", "card", "moves"), TEAMS)
def test_legal_moves_in_teams(pawns: str, turn: str, card: str, moves: list[str]) -> None:
    assert legal(pawns, turn, card, "teams") == moves
    assert legal(pawns, turn, card, "teams-two") == moves


# 6.2 (pawns, card, move, pawns afterwards), Red to play.
TEAM_RESULTS = [
    # Landing on the partner's pawn bumps it, also on the circle.
    ("20/S/23/S", "3", "3:20-23", "23/S/S/S"),
    ("S/S/4/S", "1", "1:rS-4", "4/S/S/S"),
    # Own slides: Red slides on Yellow's triangle, Yellow does not, and the other way round.
    ("28/S/S/S", "3", "3:28-31", "34/S/S/S"),
    ("S/S/28/S", "3", "3:28-31", "S/S/31/S"),
    ("S/S/58/S", "3", "3:58-1", "S/S/4/S"),
    # A slide takes the partner's pawns too.
    ("13/S/18/S", "3", "3:13-16", "19/S/S/S"),
    # Parts of a 7 where the partners meet.
    ("20/S/23/S", "7", "7:20-25,23-25", "S/S/25/S"),
    ("20/S/23/S", "7", "7:23-25,20-25", "25/S/S/S"),
    ("20/S/23/S", "7", "7:20-24,23-26", "28/S/26/S"),
    ("20/S/23/S", "7", "7:23-26,20-24", "28/S/S/S"),
    ("20/S/23/S", "7", "7:20-26,23-24", "S/S/28/S"),
    ("20/S/23/S", "7", "7:23-24,20-26", "26/S/28/S"),
    # 11 with the partner's pawn against an opponent's; the mover slides (54 is Green's).
    ("S/S/50/54", "11", "11:50x54", "S/S/58/50"),
    # Sorry! on an opponent, and on the partner; the own triangle of the taker holds it.
    ("20/40/S/S", "S", "S:ySx40", "20/S/40/S"),
    ("20/S/S/S", "S", "S:ySx20", "S/S/20/S"),
    ("9/S/S/S", "S", "S:ySx9", "S/S/13/S"),
    ("31/S/S/S", "S", "S:ySx31", "S/S/31/S"),
]


@pytest.mark.parametrize(("pawns", "card", "move", "result"), TEAM_RESULTS)
def test_results_in_teams(pawns: str, card: str, move: str, result: str) -> None:
    assert after(pawns, "r", card, move, "teams") == full(result)


def test_a_finished_colour_in_a_team_keeps_its_turns() -> None:
    # 6.2: after Green comes Red, all Home; after Red's 2 Red again.
    game = ReferenceGame.from_text(position("H/S/50/S", "g", "3", "teams")).apply("pass")
    assert game.text().split(" ")[2] == "r"
    game = game.draw("2").apply("2:50-52")
    assert game.text().split(" ")[2] == "r"


def test_a_team_wins_with_all_eight_home() -> None:
    # 6.2: Red brings in Yellow's last pawn; four of one colour were not enough.
    before = position("H/S/yH,yH,yH,y5/S", "r", "1", "teams")
    game = ReferenceGame.from_text(before).apply("1:y5-yH")
    left = "4.4.4.4.4.4.4.4.4.4.4"
    assert game.text() == f"teams {full('H/S/H/S')} r over - {left} - winner=ry"
    one = Fraction(1)
    assert game.outcome() == {"red": one, "blue": -one, "yellow": one, "green": -one}
    two = ReferenceGame.from_text(game.text().replace("teams", "teams-two", 1))
    assert two.outcome() == {"red": one, "blue": -one}
    green = f"teams {full('S/H/S/H')} g over - {left} - winner=bg"
    assert ReferenceGame.from_text(green).outcome() == {
        "red": -one, "blue": one, "yellow": -one, "green": one,
    }  # fmt: skip


def test_teams_have_four_seats() -> None:
    # 6: four seats, two teams.
    with pytest.raises(ValueError):
        ReferenceGame.new("teams", ["red", "yellow"])
