"""Positions and moves of the dice game as text: read back as written, everything else refused."""

from __future__ import annotations

import pytest

from sorry_env.errors import MoveError, PositionError, RulesetError, SorryError
from sorry_env.express import notation
from tests.express.support import MIDDLE, at, random_positions

GOOD = f"express {MIDDLE} 0 1=b,3=L -"


@pytest.mark.parametrize("players", [2, 3, 4])
def test_positions_and_moves_are_read_back(players: int) -> None:
    for game in random_positions(players, seed=players, count=400):
        text = notation.write(game)
        again = notation.read(text, seed=0)
        assert notation.write(again) == text == notation.write(game.view())
        texts = notation.legal_texts(game)
        assert texts == sorted(set(texts)) == notation.legal_texts(again)
        for move in game.legal_moves():
            assert notation.parse_move(again, notation.move_text(move)) == move
            assert notation.move_words(game, move)


#: Malformed or impossible positions: (field, what is put there, what the message must say).
BAD = [
    ("RULESET", "classic", "classic"), ("RULESET", "Express", "Express"), ("RULESET", "", "''"),
    ("RULESET", "express?dice=2", "dice=2"),
    ("BASES", "r:2.1.0.0", "players"), ("BASES", "", "''"),
    ("BASES", "/".join(["r:0.0.0.0"] * 5), "5"),
    ("BASES", "x:2.1.0.0/b:1.3.2.0", "x:2"), ("BASES", "R:2.1.0.0/b:1.3.2.0", "R:2"),
    ("BASES", "r2.1.0.0/b:1.3.2.0", "r2"), ("BASES", "rb:2.1.0.0/b:1.3.2.0", "rb"),
    ("BASES", "r:2.1.0/b:1.3.2.0", "2.1.0"), ("BASES", "r:2.1.0.0.0/b:1.3.2.0", "four"),
    ("BASES", "r:2.1.0.5/b:1.3.2.0", "2.1.0.5"), ("BASES", "r:2.1.0.-1/b:1.3.2.0", "-1"),
    ("BASES", "r:2.1.0.00/b:1.3.2.0", "00"), ("BASES", "r:2.1.0.\u0660/b:1.3.2.0", "four"),
    ("BASES", "r:3.1.0.0/b:1.3.2.0", "4 pawns"), ("BASES", "r:2.1.0.0/b:1.3.2.0/", "''"),
    ("BASES", "r:2.1.0.0/S:1.3.2.0", "S:1"), ("BASES", "?/b:1.3.2.0", "?"),
    ("POOL", "1.0.2.3", "4 pawns"), ("POOL", "1.0.2", "four"), ("POOL", "1,0,2,4", "four"),
    ("POOL", "a.0.2.4", "a.0"), ("POOL", "-", "'-'"), ("POOL", "2.0.2.4", "4 pawns"),
    ("TURN", "2", "turn is 2"), ("TURN", "4", "'4'"), ("TURN", "-1", "-1"), ("TURN", "r", "'r'"),
    ("TURN", "00", "00"), ("TURN", "", "''"), ("TURN", "0>1", "0>1"), ("TURN", "²", "²"),
    ("DICE", "-", "over"), ("DICE", "", "''"), ("DICE", "1=L", "no face L"),
    ("DICE", "2=W", "no face W"), ("DICE", "3=S", "no face S"), ("DICE", "4=r", "4=r"),
    ("DICE", "0=r", "0=r"), ("DICE", "1=x", "1=x"), ("DICE", "1=", "1="), ("DICE", "1r", "1r"),
    ("DICE", "3=L,1=b", "1=b"), ("DICE", "1=b,1=r", "1=r"), ("DICE", "1=b,", "''"),
    ("DICE", "1=b,?", "?"), ("DICE", "1=rb", "rb"), ("DICE", "??", "??"), ("DICE", "1=B", "1=B"),
    ("EXTRA", "winner=0", "has won"), ("EXTRA", "winner=1", "has won"), ("EXTRA", "winner=", "''"),
    ("EXTRA", "winner=4", "'4'"), ("EXTRA", "winner=01", "01"), ("EXTRA", "x", "winner=N"),
    ("EXTRA", "", "''"), ("EXTRA", "winner=r", "'r'"),
]  # fmt: skip
FIELDS = ("RULESET", "BASES", "POOL", "TURN", "DICE", "EXTRA")


@pytest.mark.parametrize(("field", "value", "said"), BAD)
def test_bad_fields_are_refused_in_words(field: str, value: str, said: str) -> None:
    fields = GOOD.split(" ")
    fields[FIELDS.index(field)] = value
    with pytest.raises(SorryError) as caught:
        notation.read(" ".join(fields))
    assert isinstance(caught.value, RulesetError if field == "RULESET" else PositionError)
    assert said in caught.value.message


@pytest.mark.parametrize(
    "text",
    [
        "", "express", f"{GOOD} ", f" {GOOD}", GOOD.replace(" ", "  ", 1), GOOD[:-2],
        f"{GOOD} -", GOOD.replace(" ", "\t"), f"{GOOD}\n", GOOD + "x" * 5000, None, 7,
        GOOD.encode(),
        # Somebody holds all four and the game goes on; nobody does and it is over.
        "express r:4.0.0.0/b:0.0.0.0 0.4.4.4 0 ? -",
        "express r:4.0.0.0/b:0.0.0.0 0.4.4.4 0 1=b winner=0",
        "express r:0.0.0.0/b:0.0.0.0 4.4.4.4 0 - winner=1",
        # Both hold all four: the player in turn is first.
        "express r:4.0.0.0/b:0.4.0.0 0.0.4.4 0 - winner=1",
    ],
)  # fmt: skip
def test_what_is_no_position_is_refused(text: object) -> None:
    with pytest.raises(SorryError):
        notation.read(text)  # type: ignore[arg-type]


def test_the_player_in_turn_is_looked_at_first() -> None:
    for turn in (0, 1):
        game = at(f"r:4.0.0.0/b:0.4.0.0 0.0.4.4 {turn} - winner={turn}")
        assert game.winners == (turn,)


BAD_MOVES = [
    "", "pass", "1:b", "1:b<pool", "1:b<1", "1:b<no", "1:r<pool", "1:none ", " 1:none", "none",
    "3:none", "2:none", "1:W:b<pool", "3:L:0>r", "3:L:1>b", "3:L:2>r", "3:L:0", "3:L:0>", "3:L",
    "3:l:0>b", "3:L:0>x", "3=L", "3:L:00>b", "1:NONE", "1:none,3:L:0>b", "1:S<1", "3:L:-1>b",
    None, 1,
]  # fmt: skip


@pytest.mark.parametrize("text", BAD_MOVES)
def test_bad_moves_are_refused_and_nothing_changes(text: str) -> None:
    game = notation.read(GOOD, seed=3)
    before = game.state.tobytes()
    with pytest.raises(MoveError) as caught:
        game.play(notation.parse_move(game, text))
    assert "1:none" in caught.value.message and repr(text) in caught.value.message
    assert game.state.tobytes() == before


def test_why_no_move_can_be_played() -> None:
    with pytest.raises(MoveError, match="the dice must be rolled"):
        notation.parse_move(at(f"{MIDDLE} 0 ? -"), "1:none")
    over = at("r:4.0.0.0/b:0.0.0.0 0.4.4.4 0 - winner=0")
    with pytest.raises(MoveError, match="over"):
        notation.parse_move(over, "1:none")


#: Each kind of move in words.
WORDS = [
    (f"{MIDDLE} 0 1=r -", "1:r<pool", "take a red pawn from the start base"),
    (f"{MIDDLE} 0 1=W -", "1:W:y<1", "take a yellow pawn from player 1's waiting area"),
    (f"{MIDDLE} 0 1=S -", "1:S<1", "take a blue pawn from player 1's Home"),
    (f"{MIDDLE} 0 2=L -", "2:L:0>g", "turn the own Home to green"),
    (f"{MIDDLE} 1 2=L -", "2:L:0>g", "turn player 0's Home to green"),
    (f"{MIDDLE} 0 1=b -", "1:none", "nothing for die 1 to do"),
    ("r:2.1.0.0/y:0.3.2.0 2.0.2.4 0 1=b -", "1:b<no", "take no blue pawn"),
]


@pytest.mark.parametrize(("position", "move", "words"), WORDS)
def test_moves_in_words(position: str, move: str, words: str) -> None:
    game = at(position)
    assert notation.move_words(game, notation.parse_move(game, move)) == words
