"""Which moves a piece of advice is about, in positions by hand. Squares are those of RULES.

Red's circle is 4, its entry 2; Yellow's circle is 34, its entry 32. Slides of Yellow's side are
31-34 and 39-43.
"""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks.strategy.advice import ADVICE
from benchmarks.strategy.examples import EXAMPLES, Example
from benchmarks.strategy.moves import Moves
from sorry_env.game import Game
from sorry_env.notation.moves import move_text
from sorry_env.notation.position import read

PILE = {"1": 0, "2": 1, "3": 2, "4": 3, "5": 4, "7": 5, "8": 6, "10": 7, "11": 8, "12": 9, "S": 10}


def game_of(pawns: str, card: str) -> Game:
    pile = [5, *[4] * 10]
    pile[PILE[card]] -= 1
    return read(f"classic {pawns} r move {card} {'.'.join(map(str, pile))} - -")


def moves_of(game: Game) -> Moves:
    return Moves.of(game.tables, game.state, game.mask()[None])


def parts(advice: str, pawns: str, card: str) -> tuple[set[str], set[str]]:
    """The texts of moves X and Y."""
    return parts_of(advice, game_of(pawns, card))


def parts_of(advice: str, game: Game) -> tuple[set[str], set[str]]:
    moves = moves_of(game)
    texts = np.array([move_text(game.describe(int(action))) for action in moves.action])
    x, y = ADVICE[advice].parts(moves)
    assert not (x & y).any()
    return set(texts[x]), set(texts[y])


@pytest.mark.parametrize("example", EXAMPLES, ids=[f"{e.advice} {e.one}" for e in EXAMPLES])
def test_examples_are_of_their_advice(example: Example) -> None:
    x, y = parts_of(example.advice, read(example.position))
    assert example.one in x and example.other in y


def test_a_pawn_stops_on_a_circle_that_threatens_it() -> None:
    x, y = parts("on-circle", "29,12,rS,rS/-/44,yS,yS,yS/-", "5")
    assert (x, y) == ({"5:29-34"}, {"5:12-17"})


def test_a_slide_may_end_on_such_a_circle() -> None:
    x, _ = parts("on-circle", "28,12,rS,rS/-/44,yS,yS,yS/-", "3")
    assert x == {"3:28-31"}


def test_nobody_comes_out_of_an_empty_start() -> None:
    x, y = parts("on-circle", "29,12,rS,rS/-/50,44,38,36/-", "5")
    assert (x, y) == (set(), {"5:29-34", "5:12-17"})


def test_a_pawn_that_stays_on_the_circle_does_not_stop_there() -> None:
    x, y = parts("on-circle", "34,12,rS,rS/-/44,yS,yS,yS/-", "5")
    # 39 is a triangle of Yellow's: the slide ends on 43, out of reach of the advice.
    assert (x, y) == (set(), {"5:34-39", "5:12-17"})


@pytest.mark.parametrize(
    ("advice", "start", "stops"),
    # 35 to 38 and 39, where a pawn slides on to 43 and so to 9 beyond; 40 is 6 beyond.
    [("past-circle", 30, True), ("past-circle", 29, False), ("past-circle", 35, False),
     ("past-circle", 33, True), ("past-circle", 34, False)],
)  # fmt: skip
def test_stopping_beyond_a_circle(advice: str, start: int, stops: bool) -> None:
    x, _ = parts(advice, f"{start},12,rS,rS/-/50,yS,yS,yS/-", "5")
    assert (f"5:{start}-{start + 5}" in x) is stops


def test_short_of_a_circle_or_beyond_it() -> None:
    # 27-32 is 2 short. 31-36 cannot be: a pawn never stands on 31. 33-38 is 4 beyond.
    x, y = parts("short-of-circle", "33,27,12,rS/-/50,yS,yS,yS/-", "5")
    assert (x, y) == ({"5:27-32"}, {"5:33-38"})


def test_the_own_circle_is_cleared_for_those_in_start() -> None:
    x, y = parts("clear-circle", "30,4,rS,rS/-/50,yS,yS,yS/-", "5")
    assert (x, y) == ({"5:4-9"}, {"5:30-35"})
    assert parts("clear-circle", "30,20,12,4/-/50,yS,yS,yS/-", "5") == (set(), set())


def test_the_last_pawn_is_kept_in_start() -> None:
    x, y = parts("keep-last", "r3,50,20,rS/-/44,yS,yS,yS/-", "1")
    assert x == {"1:r3-r4", "1:50-51", "1:20-21"} and y == {"1:rS-4"}
    two = "50,20,rS,rS/-/44,yS,yS,yS/-"
    assert parts("keep-last", two, "2") == (set(), set())
    assert parts("keep-more", two, "2") == ({"2:50-52", "2:20-22"}, {"2:rS-4"})
    # No such choice: a Sorry! is compulsory.
    assert parts("keep-last", "r3,50,20,rS/-/44,yS,yS,yS/-", "S") == (set(), set())


@pytest.mark.parametrize(
    ("card", "square", "text", "short"),
    [
        ("4", 4, "4:4-0", True),
        ("4", 6, "4:6-2", True),  # the entry itself
        ("4", 7, "4:7-3", False),  # the diamond is past the entry: the whole lap is left
        ("10", 3, "10:3-2", True),
        ("10", 4, "10:4-3", False),
    ],
)
def test_a_step_back_shortens_the_lap(card: str, square: int, text: str, short: bool) -> None:
    order = (f"40,{square}" if square > 3 else "40,3") + ",rS,rS"
    x, y = parts("back-home", f"{order}/-/50,yS,yS,yS/-", card)
    assert (text in x) is short and (text in y) is not short


def test_back_out_of_the_safety_zone_is_no_shorter_lap() -> None:
    x, y = parts("back-home", "r2,40,rS,rS/-/50,yS,yS,yS/-", "4")
    assert (x, y) == (set(), {"4:r2-0", "4:40-36"})


def test_one_back_from_the_circle() -> None:
    x, y = parts("back-one", "40,20,4,rS/-/50,yS,yS,yS/-", "10")
    assert (x, y) == ({"10:4-3"}, {"10:40-50", "10:20-30", "10:4-14"})


def test_waiting_near_the_circle() -> None:
    x, y = parts("wait-back", "r3,40,20,4/-/50,yS,yS,yS/-", "5")
    assert (x, y) == ({"5:40-45", "5:20-25"}, {"5:4-9"})
    # With a pawn in Start the one on the circle is in the way: other advice.
    assert parts("wait-back", "40,20,4,rS/-/50,yS,yS,yS/-", "5") == (set(), set())


def test_a_hit_at_ones_own_cost() -> None:
    # Switching with 30 costs Red 15 steps, with 56 (code 24 of Yellow's) it gains 11.
    x, y = parts("hit-at-cost", "45,20,rS,rS/-/30,yS,yS,yS/-", "11")
    assert x == {"11:45x30", "11:20x30"} and y == {"11:45-56", "11:20-31"}
    game = game_of("45,20,rS,rS/-/30,yS,yS,yS/-", "11")
    moves = moves_of(game)
    texts = [move_text(game.describe(int(action))) for action in moves.action]
    one = texts.index("11:45x30")
    # Red 45 to 30. Yellow at 30 has 58 steps of its 66 and 13 at 45.
    assert moves.gain[one] == -15 and moves.harm[one].tolist() == [0, 0, 45, 0]
    # 20-31 slides to 34.
    assert moves.gain[texts.index("11:20-31")] == 14


def test_a_slide_sends_the_own_pawn_back_too() -> None:
    game = game_of("33,28,rS,rS/-/50,yS,yS,yS/-", "3")
    moves = moves_of(game)
    texts = [move_text(game.describe(int(action))) for action in moves.action]
    # 28 slides 31-34: six steps gained, and the pawn on 33 (31 steps) is back in Start.
    assert moves.gain[texts.index("3:28-31")] == 6 - 31


def test_hitting_the_leader_or_another() -> None:
    pawns = "20,rS,rS,rS/10,30,bS,bS/yH,yH,y3,45/50,gS,gS,gS"
    x, y = parts("hit-leader", pawns, "S")
    assert x == {"S:rSx45"} and y == {"S:rSx10", "S:rSx30", "S:rSx50"}
    # Red gains 43 steps on 45, 48 on 50 and fewer elsewhere.
    assert parts("hit-leader-at-cost", pawns, "S")[0] == {"S:rSx45"}
    # Blue and Green share the lead: nobody leads.
    even = "20,rS,rS,rS/25,bS,bS,bS/yS,yS,yS,yS/55,gS,gS,gS"
    assert parts("hit-leader", even, "S") == (set(), set())


def test_splitting_a_seven() -> None:
    x, y = parts("split", "r4,20,rS,rS/-/50,yS,yS,yS/-", "7")
    # Home is 2 steps from the fourth safety square.
    assert x == {"7:r4-r5,20-26", "7:r4-rH,20-25"} and y == {"7:20-27"}
