"""Express, re-issued as Diced! (section 6.7 of the rules), worked by hand.

Pawns are counted in the order red, blue, yellow, green.
"""

from __future__ import annotations

import random
from fractions import Fraction

import pytest

from .express import ExpressGame


def after(position: str, move: str) -> str:
    return ExpressGame.from_text(f"express {position}").apply(move).text().removeprefix("express ")


def test_the_first_position() -> None:
    # 2-4 players, four pawns of each colour on a common base, different Home colours.
    game = ExpressGame.new()
    assert game.text() == "express r:0.0.0.0/b:0.0.0.0 4.4.4.4 0 ? -"
    four = ExpressGame.new(4, first=2, homes="ygrb")
    assert four.text() == "express y:0.0.0.0/g:0.0.0.0/r:0.0.0.0/b:0.0.0.0 4.4.4.4 2 ? -"
    assert ExpressGame.from_text(four.text()).text() == four.text()
    for players, first, homes in ((1, 0, "r"), (5, 0, None), (2, 2, None), (2, 0, "rr"),
                                  (2, 0, "rx"), (3, 0, "rb")):  # fmt: skip
        with pytest.raises(ValueError):
            ExpressGame.new(players, first, homes)


def test_the_roll() -> None:
    # All three dice once: four colours each, and Sorry! + Wild, Sorry! + Slide, Wild + Slide.
    game = ExpressGame.new()
    assert game.waiting
    with pytest.raises(ValueError):
        game.legal()
    draws = game.draws()
    assert len(draws) == 216
    assert set(draws.values()) == {Fraction(1, 216)}
    for die, specials in ((0, "SW"), (1, "SL"), (2, "WL")):
        faces = {roll.split(",")[die].partition("=")[2] for roll in draws}
        assert faces == set("rbyg" + specials)
    rolled = game.draw("1=b,2=S,3=L")
    assert rolled.text() == "express r:0.0.0.0/b:0.0.0.0 4.4.4.4 0 1=b,2=S,3=L -"
    assert not rolled.waiting
    for roll in ("1=b,2=S", "1=L,2=S,3=L", "1=b,2=W,3=L", "1=b,2=S,3=S"):
        with pytest.raises(ValueError):
            game.draw(roll)
    with pytest.raises(ValueError):
        rolled.draws()


# Seat 0 shows red and holds 2 red (Home), 1 blue; seat 1 shows blue and holds 1 red (waiting),
# 3 blue (Home), 2 yellow (waiting).
MIDDLE = "r:2.1.0.0/b:1.3.2.0 1.0.2.4"

# (position, every legal move)
LEGAL = [
    # A colour: that pawn from the start base.
    (f"{MIDDLE} 0 1=r -", ["1:r<pool"]),
    (f"{MIDDLE} 0 2=g -", ["2:g<pool"]),
    # If none is left there, *may* take one of that colour from another player's waiting area.
    ("r:2.1.0.0/y:0.3.2.0 2.0.2.4 0 1=b -", ["1:b<1", "1:b<no"]),
    ("r:2.1.0.0/y:0.2.2.0/g:0.1.0.0 2.0.2.4 0 3=b -", ["3:b<1", "3:b<2", "3:b<no"]),
    # Not from a Home section, not from the own waiting area: no target.
    (f"{MIDDLE} 0 1=b -", ["1:none"]),
    # Sorry!: from another player's Home section.
    (f"{MIDDLE} 0 1=S -", ["1:S<1"]),
    (f"{MIDDLE} 1 2=S -", ["2:S<0"]),
    ("r:2.1.0.0/y:0.2.2.0/g:0.1.0.1 2.0.2.3 0 1=S -", ["1:S<1", "1:S<2"]),
    ("r:2.1.0.0/g:0.3.2.0 2.0.2.4 0 1=S -", ["1:none"]),
    # Wild: any colour from the start base or another player's waiting area.
    (f"{MIDDLE} 0 1=W -", ["1:W:g<pool", "1:W:r<1", "1:W:r<pool", "1:W:y<1", "1:W:y<pool"]),
    (f"{MIDDLE} 1 3=W -", ["3:W:b<0", "3:W:g<pool", "3:W:r<pool", "3:W:y<pool"]),
    # Nothing anywhere: the start base is empty and the others hold only Home pawns (red, green).
    ("r:3.4.4.4/b:1.0.0.0 0.0.0.0 0 1=W -", ["1:W:r<1"]),
    ("r:3.4.4.3/g:0.0.0.1/r:1.0.0.0 0.0.0.0 0 1=W -", ["1:none"]),
    # Slide: one's own or another player's Home to another colour.
    (f"{MIDDLE} 0 2=L -",
     ["2:L:0>b", "2:L:0>g", "2:L:0>y", "2:L:1>g", "2:L:1>r", "2:L:1>y"]),
    # The dice are resolved in the order the player chooses.
    (f"{MIDDLE} 0 1=r,2=r,3=W -",
     ["1:r<pool", "2:r<pool", "3:W:g<pool", "3:W:r<1", "3:W:r<pool", "3:W:y<1", "3:W:y<pool"]),
]  # fmt: skip


@pytest.mark.parametrize(("position", "moves"), LEGAL)
def test_legal_moves(position: str, moves: list[str]) -> None:
    assert ExpressGame.from_text(f"express {position}").legal() == moves


# (position, move, position afterwards)
RESULTS = [
    (f"{MIDDLE} 0 1=y,2=r -", "1:y<pool", "r:2.1.1.0/b:1.3.2.0 1.0.1.4 0 2=r -"),
    ("r:2.1.0.0/y:0.3.2.0 2.0.2.4 0 1=b,2=r -", "1:b<1", "r:2.2.0.0/y:0.2.2.0 2.0.2.4 0 2=r -"),
    ("r:2.1.0.0/y:0.3.2.0 2.0.2.4 0 1=b,2=r -", "1:b<no", "r:2.1.0.0/y:0.3.2.0 2.0.2.4 0 2=r -"),
    (f"{MIDDLE} 0 1=S,2=r -", "1:S<1", "r:2.2.0.0/b:1.2.2.0 1.0.2.4 0 2=r -"),
    (f"{MIDDLE} 0 1=W,2=r -", "1:W:r<1", "r:3.1.0.0/b:0.3.2.0 1.0.2.4 0 2=r -"),
    (f"{MIDDLE} 0 1=W,2=r -", "1:W:g<pool", "r:2.1.0.1/b:1.3.2.0 1.0.2.3 0 2=r -"),
    (f"{MIDDLE} 0 2=L,3=r -", "2:L:1>y", "r:2.1.0.0/y:1.3.2.0 1.0.2.4 0 3=r -"),
    (f"{MIDDLE} 0 2=L,3=r -", "2:L:0>b", "b:2.1.0.0/b:1.3.2.0 1.0.2.4 0 3=r -"),
    (f"{MIDDLE} 0 1=b,2=r -", "1:none", f"{MIDDLE} 0 2=r -"),
    # After the last die the next player rolls.
    (f"{MIDDLE} 0 1=b -", "1:none", f"{MIDDLE} 1 ? -"),
    (f"{MIDDLE} 1 3=g -", "3:g<pool", "r:2.1.0.0/b:1.3.2.1 1.0.2.3 0 ? -"),
]


@pytest.mark.parametrize(("position", "move", "result"), RESULTS)
def test_results(position: str, move: str, result: str) -> None:
    assert after(position, move) == result


def test_each_die_sees_what_the_last_one_left() -> None:
    # The last red pawn of the base goes with die 1; then die 2 may take the one that waits.
    game = ExpressGame.from_text(f"express {MIDDLE} 0 1=r,2=r -")
    game = game.apply("1:r<pool")
    assert game.legal() == ["2:r<1", "2:r<no"]
    # Pawns are re-sorted at once: seat 1 now shows yellow, its blue ones wait.
    game = ExpressGame.from_text(f"express {MIDDLE} 0 1=b,2=L -").apply("2:L:1>y")
    assert game.legal() == ["1:b<1", "1:b<no"]


# 6.7: the first to hold all four pawns of the Home colour in the Home section wins.
WINS = [
    # Checked after each die: the others are not resolved.
    ("r:3.1.0.0/b:0.2.2.0 1.1.2.4 0 1=r,2=S -", "1:r<pool",
     "r:4.1.0.0/b:0.2.2.0 0.1.2.4 0 - winner=0"),
    ("r:3.1.0.0/b:1.2.2.0 0.1.2.4 0 1=W,2=L -", "1:W:r<1",
     "r:4.1.0.0/b:0.2.2.0 0.1.2.4 0 - winner=0"),
    ("b:1.3.0.0/r:0.1.2.0 3.0.2.4 0 2=L,3=b -", "3:b<1",
     "b:1.4.0.0/r:0.0.2.0 3.0.2.4 0 - winner=0"),
    # By a slide of the own Home, or with another's to that player.
    ("r:1.4.0.0/b:1.0.2.0 2.0.2.4 0 2=L,3=L -", "2:L:0>b",
     "b:1.4.0.0/b:1.0.2.0 2.0.2.4 0 - winner=0"),
    ("r:1.0.0.0/b:1.0.4.0 2.4.0.4 0 2=L -", "2:L:1>y",
     "r:1.0.0.0/y:1.0.4.0 2.4.0.4 0 - winner=1"),
    # By a Sorry!: the fourth comes from another who shows the same colour.
    ("b:1.3.0.0/b:1.1.2.0 2.0.2.4 0 1=S,2=L -", "1:S<1",
     "b:1.4.0.0/b:1.0.2.0 2.0.2.4 0 - winner=0"),
]  # fmt: skip


@pytest.mark.parametrize(("position", "move", "result"), WINS)
def test_winning(position: str, move: str, result: str) -> None:
    assert after(position, move) == result
    game = ExpressGame.from_text(f"express {result}")
    assert game.legal() == []
    winner = int(result[-1])
    assert game.outcome() == {winner: Fraction(1), 1 - winner: Fraction(-1)}


def test_four_in_the_waiting_area_do_not_win() -> None:
    game = ExpressGame.from_text("express r:1.3.0.0/b:1.0.2.0 2.1.2.4 0 1=b,2=b -")
    game = game.apply("1:b<pool")
    assert game.outcome() is None
    assert game.legal() == ["2:none"]


def test_losers_share() -> None:
    game = ExpressGame.from_text("express r:0.0.0.0/b:0.4.0.0/y:0.0.0.0 4.0.4.4 0 - winner=1")
    half = Fraction(-1, 2)
    assert game.outcome() == {0: half, 1: Fraction(1), 2: half}


@pytest.mark.parametrize(
    "position",
    [
        "r:0.0.0.0 4.4.4.4 0 ? -",  # one player
        "r:0.0.0.0/b:1.0.0.0 4.4.4.4 0 ? -",  # five red pawns
        "r:0.0.0.0/x:0.0.0.0 4.4.4.4 0 ? -",  # no such colour
        "r:0.0.0.0/b:0.0.0.0 4.4.4.4 2 ? -",  # no such seat
        "r:0.0.0.0/b:0.0.0.0 4.4.4.4 0 3=L,1=b -",  # not in die order
        "r:0.0.0.0/b:0.0.0.0 4.4.4.4 0 1=b,1=r -",  # one die twice
        "r:0.0.0.0/b:0.0.0.0 4.4.4.4 0 1=L -",  # not a face of this die
        "r:0.0.0.0/b:0.0.0.0 4.4.4.4 0 - -",  # nobody has won
        "r:0.0.0.0/b:0.0.0.0 4.4.4.4 0 - winner=1",
        "r:4.0.0.0/b:0.0.0.0 0.4.4.4 0 ? -",  # seat 0 has
        "r:4.0.0.0/b:0.0.0.0 0.4.4.4 0 1=b winner=0",
        "r:0.0.0/b:0.0.0.0 4.4.4.4 0 ? -",
        "r:0.0.0.0/b:0.0.0.0 4.4.4.4 0 ?",
    ],
)
def test_impossible_positions(position: str) -> None:
    with pytest.raises(ValueError):
        ExpressGame.from_text(f"express {position}")


@pytest.mark.parametrize("players", [2, 3, 4])
def test_random_play_keeps_the_rules(players: int) -> None:
    rng = random.Random(players)
    rolls = list(ExpressGame.new(players).draws())
    for _ in range(5):
        game = ExpressGame.new(players)
        while game.outcome() is None:
            again = ExpressGame.from_text(game.text())
            assert again == game
            if game.waiting:
                game = again.draw(rng.choice(rolls))
            else:
                assert game.legal() == again.legal() == sorted(set(game.legal()))
                game = again.apply(rng.choice(game.legal()))
        assert ExpressGame.from_text(game.text()) == game
