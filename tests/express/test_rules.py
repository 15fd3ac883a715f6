"""Section 6.7 of the rules, sentence by sentence, worked by hand.

Pawns are counted in the order red, blue, yellow, green. Read `support.py` before this file.
"""

from __future__ import annotations

import pytest

from sorry_env.errors import RequestError, RulesetError
from sorry_env.express import ExpressGame, notation
from tests.express.support import MIDDLE, at, text_of


def test_players_pawns_and_bases_at_the_beginning() -> None:
    # 2-4 players, 16 pawns (four of each colour) on a common start base, different Home colours.
    assert text_of(ExpressGame(draw=False)) == "r:0.0.0.0/b:0.0.0.0 4.4.4.4 0 ? -"
    four = ExpressGame(4, first=2, homes="ygrb", draw=False)
    assert text_of(four) == "y:0.0.0.0/g:0.0.0.0/r:0.0.0.0/b:0.0.0.0 4.4.4.4 2 ? -"
    for wrong in (1, 5, "1", "0,2", "red", [0, 2], (1, 0), True, 2.0):
        with pytest.raises(RulesetError):
            ExpressGame(wrong)  # type: ignore[arg-type]
    for homes in ("rr", "r", "rx", "rby", "S", ["r", "b"]):
        with pytest.raises(RequestError):
            ExpressGame(2, homes=homes)  # type: ignore[arg-type]
    for first in (2, -1, "2", "red", True):
        with pytest.raises(RequestError):
            ExpressGame(2, first=first)


def test_home_section_and_waiting_area() -> None:
    # Pawns held of the Home colour are in the Home section: Sorry! takes those, Wild the others.
    assert notation.legal_texts(at(f"{MIDDLE} 0 1=S -")) == ["1:S<1"]
    taken = at("r:2.1.0.0/b:1.3.2.0 1.0.2.4 0 1=S,2=r -")
    taken.play(notation.parse_move(taken, "1:S<1"), draw=False)
    assert text_of(taken) == "r:2.2.0.0/b:1.2.2.0 1.0.2.4 0 2=r -"


def test_all_three_dice_are_rolled_once_a_turn() -> None:
    game = ExpressGame(seed=1)
    assert len(game.dice) == 3
    rolled = game.card
    for left in (2, 1):
        game.play(game.legal_moves()[0])
        assert len(game.dice) == left, "what is left lies as it was rolled"
        assert all(part in rolled.split(",") for part in game.card.split(","))
    game.play(game.legal_moves()[0], draw=False)
    assert (game.turn, game.waiting, game.draws) == (1, True, 1)


#: (position, every legal move)
LEGAL = [
    # In the order the player chooses: every die is offered.
    (f"{MIDDLE} 0 1=r,2=g,3=L -",
     ["1:r<pool", "2:g<pool", "3:L:0>b", "3:L:0>g", "3:L:0>y", "3:L:1>g", "3:L:1>r", "3:L:1>y"]),
    # A colour: take that pawn from the start base; nothing else while one is left there.
    (f"{MIDDLE} 0 1=r -", ["1:r<pool"]),
    (f"{MIDDLE} 0 3=y -", ["3:y<pool"]),
    # If none is left there, *may* take one of that colour from another player's waiting area.
    ("r:2.1.0.0/y:0.3.2.0 2.0.2.4 0 1=b -", ["1:b<1", "1:b<no"]),
    ("r:2.1.0.0/y:0.2.2.0/g:0.1.0.0 2.0.2.4 0 3=b -", ["3:b<1", "3:b<2", "3:b<no"]),
    ("r:2.1.0.0/y:0.2.2.0/g:0.1.0.0 2.0.2.4 1 3=b -", ["3:b<0", "3:b<2", "3:b<no"]),
    # Not from a Home section; with no target the die does nothing, and nothing is declined.
    (f"{MIDDLE} 0 1=b -", ["1:none"]),
    # Nor from one's own waiting area.
    ("r:2.4.0.0/g:1.0.2.0 1.0.2.4 0 1=b -", ["1:none"]),
    # Sorry!: from another player's Home section, compulsory.
    (f"{MIDDLE} 1 2=S -", ["2:S<0"]),
    ("r:2.1.0.0/y:0.2.2.0/g:0.1.0.1 2.0.2.3 0 1=S -", ["1:S<1", "1:S<2"]),
    ("r:2.1.0.0/g:0.3.2.0 2.0.2.4 0 1=S -", ["1:none"]),
    # Wild: any colour, from the start base or another player's waiting area, compulsory.
    (f"{MIDDLE} 0 1=W -", ["1:W:g<pool", "1:W:r<1", "1:W:r<pool", "1:W:y<1", "1:W:y<pool"]),
    (f"{MIDDLE} 1 3=W -", ["3:W:b<0", "3:W:g<pool", "3:W:r<pool", "3:W:y<pool"]),
    ("r:3.4.4.4/b:1.0.0.0 0.0.0.0 0 1=W -", ["1:W:r<1"]),
    ("r:3.4.4.3/g:0.0.0.1/r:1.0.0.0 0.0.0.0 0 1=W -", ["1:none"]),
    # Slide: one's own or another player's Home to another colour; it always finds a target.
    (f"{MIDDLE} 0 2=L -", ["2:L:0>b", "2:L:0>g", "2:L:0>y", "2:L:1>g", "2:L:1>r", "2:L:1>y"]),
    # Equal faces on two dice are two dice.
    (f"{MIDDLE} 0 1=r,2=r -", ["1:r<pool", "2:r<pool"]),
]  # fmt: skip


@pytest.mark.parametrize(("position", "moves"), LEGAL)
def test_legal_moves(position: str, moves: list[str]) -> None:
    assert notation.legal_texts(at(position)) == moves


#: (position, move, position afterwards)
RESULTS = [
    (f"{MIDDLE} 0 1=y,2=r -", "1:y<pool", "r:2.1.1.0/b:1.3.2.0 1.0.1.4 0 2=r -"),
    ("r:2.1.0.0/y:0.3.2.0 2.0.2.4 0 1=b,2=r -", "1:b<1", "r:2.2.0.0/y:0.2.2.0 2.0.2.4 0 2=r -"),
    ("r:2.1.0.0/y:0.3.2.0 2.0.2.4 0 1=b,2=r -", "1:b<no", "r:2.1.0.0/y:0.3.2.0 2.0.2.4 0 2=r -"),
    (f"{MIDDLE} 0 1=S,3=r -", "1:S<1", "r:2.2.0.0/b:1.2.2.0 1.0.2.4 0 3=r -"),
    (f"{MIDDLE} 0 1=W,2=r -", "1:W:r<1", "r:3.1.0.0/b:0.3.2.0 1.0.2.4 0 2=r -"),
    (f"{MIDDLE} 0 2=r,3=W -", "3:W:g<pool", "r:2.1.0.1/b:1.3.2.0 1.0.2.3 0 2=r -"),
    # Pawns stay with their holder when a Home turns: they are only sorted anew.
    (f"{MIDDLE} 0 2=L,3=r -", "2:L:1>y", "r:2.1.0.0/y:1.3.2.0 1.0.2.4 0 3=r -"),
    (f"{MIDDLE} 0 2=L,3=r -", "2:L:0>b", "b:2.1.0.0/b:1.3.2.0 1.0.2.4 0 3=r -"),
    (f"{MIDDLE} 0 1=b,2=r -", "1:none", f"{MIDDLE} 0 2=r -"),
    # After the last die the next player rolls.
    (f"{MIDDLE} 0 1=b -", "1:none", f"{MIDDLE} 1 ? -"),
    (f"{MIDDLE} 1 3=g -", "3:g<pool", "r:2.1.0.0/b:1.3.2.1 1.0.2.3 0 ? -"),
    ("r:2.1.0.0/y:0.2.2.0/g:0.1.0.0 2.0.2.4 1 3=b -", "3:b<2",
     "r:2.1.0.0/y:0.3.2.0/g:0.0.0.0 2.0.2.4 2 ? -"),
]  # fmt: skip


@pytest.mark.parametrize(("position", "move", "result"), RESULTS)
def test_results(position: str, move: str, result: str) -> None:
    game = at(position)
    game.play(notation.parse_move(game, move), draw=False)
    assert text_of(game) == result


def test_each_die_sees_what_the_last_one_left() -> None:
    # The last red pawn of the base goes with die 1; then die 2 may take the one that waits.
    game = at(f"{MIDDLE} 0 1=r,2=r -")
    game.play(notation.parse_move(game, "1:r<pool"))
    assert notation.legal_texts(game) == ["2:r<1", "2:r<no"]
    # Re-sorted at once: seat 1 now shows yellow, so its blue ones wait.
    game = at(f"{MIDDLE} 0 1=b,2=L -")
    game.play(notation.parse_move(game, "2:L:1>y"))
    assert notation.legal_texts(game) == ["1:b<1", "1:b<no"]


def test_faces() -> None:
    # Each die has the four colours and two specials.
    faces: list[set[str]] = [set(), set(), set()]
    for roll, _ in ExpressGame(draw=False).chances():
        for die, part in enumerate(roll.split(",")):
            faces[die].add(part[-1])
    assert faces == [set("rbygSW"), set("rbygSL"), set("rbygWL")]


#: The first to hold all four pawns of the Home colour in the Home section wins.
WINS = [
    # Checked after each die: the others are not resolved.
    ("r:3.1.0.0/b:0.2.2.0 1.1.2.4 0 1=r,2=S -", "1:r<pool",
     "r:4.1.0.0/b:0.2.2.0 0.1.2.4 0 - winner=0"),
    ("r:3.1.0.0/b:1.2.2.0 0.1.2.4 0 1=W,2=L -", "1:W:r<1",
     "r:4.1.0.0/b:0.2.2.0 0.1.2.4 0 - winner=0"),
    # By turning the own Home, or another's to that player.
    ("r:1.4.0.0/b:1.0.2.0 2.0.2.4 0 2=L,3=L -", "2:L:0>b",
     "b:1.4.0.0/b:1.0.2.0 2.0.2.4 0 - winner=0"),
    ("r:1.0.0.0/b:1.0.4.0 2.4.0.4 0 2=L -", "2:L:1>y",
     "r:1.0.0.0/y:1.0.4.0 2.4.0.4 0 - winner=1"),
    # By Sorry!, from another who shows the same colour.
    ("b:1.3.0.0/b:1.1.2.0 2.0.2.4 0 1=S,2=L -", "1:S<1",
     "b:1.4.0.0/b:1.0.2.0 2.0.2.4 0 - winner=0"),
]  # fmt: skip


@pytest.mark.parametrize(("position", "move", "result"), WINS)
def test_winning(position: str, move: str, result: str) -> None:
    game = at(position)
    game.play(notation.parse_move(game, move))
    assert text_of(game) == result
    winner = int(result[-1])
    assert game.over and not game.legal_moves() and not game.mask().any()
    outcome = game.outcome()
    assert outcome is not None and outcome.winners == (winner,)
    assert game.returns()[winner] == 1.0 and game.returns()[1 - winner] == -1.0


def test_four_in_the_waiting_area_do_not_win() -> None:
    game = at("r:1.3.0.0/b:1.0.2.0 2.1.2.4 0 1=b,2=b -")
    game.play(notation.parse_move(game, "1:b<pool"))
    assert not game.over and game.outcome() is None
    assert notation.legal_texts(game) == ["2:none"]


def test_the_losers_share_the_loss() -> None:
    three = at("r:0.0.0.0/b:0.4.0.0/y:0.0.0.0 4.0.4.4 0 - winner=1")
    assert three.returns() == (-0.5, 1.0, -0.5, 0.0)
    four = at("r:0.0.0.0/b:0.4.0.0/y:0.0.0.0/g:0.0.0.0 4.0.4.4 0 - winner=1")
    assert four.returns() == pytest.approx((-1 / 3, 1.0, -1 / 3, -1 / 3))
    with pytest.raises(RequestError):
        four.returns("rank")
