"""Moves as text and in words, and every text that is no legal move refused."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from sorry_env import notation
from sorry_env.errors import MoveError, PositionError
from sorry_env.game import Game
from sorry_env.notation.squares import read_square, square_text
from sorry_env.rules import LETTERS
from tests.cases import DERIVED, PUBLISHED, SEATINGS
from tests.reference.positions import position


def at(pawns: str, seat: str, card: str, ruleset: str = "classic") -> Game:
    """A game from a short text, see `tests/reference/positions.py`."""
    return notation.read(position(pawns, seat, card, ruleset), seed=1)


# The examples of the formats, each with a position where it is legal.
EXAMPLES = [
    ("S/-/S/-", "r", "1", "1:rS-4"),
    ("58/-/S/-", "r", "3", "3:58-1"),
    ("r1/-/S/-", "r", "5", "5:r1-rH"),
    ("12/-/S/-", "r", "4", "4:12-8"),
    ("4/-/S/-", "r", "10", "10:4-3"),
    ("12,30/-/S/-", "r", "7", "7:30-34,12-15"),
    ("12/-/30/-", "r", "11", "11:12x30"),
    ("S/-/30/-", "r", "S", "S:rSx30"),
    ("S/-/S/-", "r", "5", "pass"),
]


@pytest.mark.parametrize(("pawns", "seat", "card", "text"), EXAMPLES)
def test_examples_of_the_formats(pawns: str, seat: str, card: str, text: str) -> None:
    if text == "7:30-34,12-15":  # most advanced first
        pawns = "30,12/-/S/-"
    game = at(pawns, seat, card)
    move = notation.parse_move(game, text)
    assert notation.move_text(move) == text
    assert text in notation.legal_texts(game)


_DECK = "5.4.4.4.4.4.4.4.4.4.4"
# The forms of further editions: a position and all that is legal there.
FURTHER = [
    (f"fire-and-ice 12,rS,rS/-/40,yS,yS/- r fire - {_DECK} - fire=12", "fire:12-15 fire:no"),
    ("fire-and-ice 12,rS,rS/-/30,yS,yS/- r ice 1 4.4.4.4.4.4.4.4.4.4.4 - -", "ice:30"),
    ("fire-and-ice 12,rS,rS/-/30,yS,yS/- r ice 1 4.4.4.4.4.4.4.4.4.4.4 - ice=30", "ice:off"),
    ("fire-and-ice 12,rS,rS/-/yS,yS,yS/- r ice 1 4.4.4.4.4.4.4.4.4.4.4 - -", "ice:off"),
    ("fire-and-ice 12,rS,rS/-/30,yS,yS/- r token 2 5.3.4.4.4.4.4.4.4.4.4 - -", "token:12 token:no"),
    ("fire-and-ice rS,rS,rS/-/30,yS,yS/- r token 2 5.3.4.4.4.4.4.4.4.4.4 - -", "token:no"),
    ("fire-and-ice rH,12,rS/-/30,yS,yS/- r home 5 5.4.4.4.3.4.4.4.4.4.4 - -", "home:12 home:rS"),
    ("not-sorry 12,rS,rS,rS/-/30,yS,yS,yS/- r ask Q 5.4.4.4.4.4.4.4.4.4.4.7 - -", "ask:yellow"),
    (
        "not-sorry?answers=player 12,rS,rS,rS/-/30,yS,yS,yS/- r>y answer Q "
        "5.4.4.4.4.4.4.4.4.4.4.7 - -",
        "answer:no answer:yes",
    ),
    (
        "not-sorry 12,rS,rS,rS/-/30,yS,yS,yS/- r move Q 5.4.4.4.4.4.4.4.4.4.4.7 - asked=y;steps=6",
        "Q:12-18",
    ),
    (
        "points rS,rS,rS,rS/-/yS,yS,yS,yS/- r move - 4.1.3.3.3.3.3.4.3.4.4 "
        "3.4.5.7.8/-/1.2.2.2.11/- -",
        "3:discard 4:discard 5:discard 7:discard 8:discard",
    ),
    *(
        (
            f"way-sorry 12,rS,rS,rS/-/30,yS,yS,yS/- r move {card} {_DECK}.{further} - -",
            moves,
        )
        for card, further, moves in (
            ("HAPPY", "1.2.2.2.1", "HAPPY:12"),
            ("PUNISH", "2.1.2.2.1", "PUNISH:30"),
            ("BUDDY", "2.2.1.2.1", "BUDDY:12-29 BUDDY:12-31"),
            ("BULLY", "2.2.2.1.1", "BULLY:12x30"),
            ("WAY", "2.2.2.2.0", "WAY:rSx30"),
        )
    ),
]


@pytest.mark.parametrize(("line", "moves"), FURTHER)
def test_forms_of_further_editions(line: str, moves: str) -> None:
    game = notation.read(line, seed=1)
    assert notation.legal_texts(game) == moves.split(" ")
    for text in moves.split(" "):
        move = notation.parse_move(game, text)
        assert notation.move_text(move) == text and notation.move_words(game, move)


def test_legal_texts_are_sorted_by_text_and_unique() -> None:
    assert notation.legal_texts(at("9,5/-/S/-", "r", "10")) == [
        "10:5-15", "10:5-4", "10:9-19", "10:9-8",
    ]  # fmt: skip


def games(count: int) -> Iterator[Game]:
    """Random games of all rulesets at a decision with a choice."""
    rng = np.random.default_rng(27)
    cases = [*((n, SEATINGS[c][-1]) for n, c in PUBLISHED), *DERIVED]
    for i in range(count):
        name, seats = cases[i % len(cases)]
        game = Game(name, seats, seed=i)
        for _ in range(int(rng.integers(20, 150))):
            if not game.over:
                game.play(int(rng.choice(game.legal_actions())))
        while not game.over and len(game.legal_actions()) < 2:
            game.play(int(game.legal_actions()[0]))
        if not game.over:
            yield game


def test_texts_are_unique_and_come_back_as_their_moves() -> None:
    positions = list(games(120))
    assert len(positions) > 80
    for game in positions:
        moves = game.legal_moves()
        texts = [notation.move_text(move) for move in moves]
        assert len(set(texts)) == len(texts)
        assert sorted(texts) == notation.legal_texts(game) == notation.legal_texts(game.view())
        for move, text in zip(moves, texts, strict=True):
            assert notation.parse_move(game, text) == move
            assert text.isascii() and " " not in text
            words = notation.move_words(game, move)
            assert words and words.isprintable()


# (pawns, seat, card, texts that are no legal move there)
BAD: list[tuple[str, str, str, list[Any]]] = [
    (
        # 7 with 20 and 40: 7:40-43,20-24 and the like are legal.
        "40,20/-/43/-", "r", "7",
        [
            "", " ", "7", "7:", "7:20", "7:20-", "7:-27", "7:20-28", "7:20-26", "7:27-20",
            "7:20x27", "7:20-27 ", " 7:20-27", "7: 20-27", "7:20 -27", "7:20-27\n", "7;20-27",
            "8:20-27", "07:20-27", "7:020-27", "7:20-027", "7:20-27,", ",7:20-27", "7:20-27,40-40",
            "7:20-27,40-47", "7:20-24,40-43", "7:40-43,20-23", "7:40-43,20-25", "7:40-43;20-24",
            "7:40-43,20-24,", "7:40-43, 20-24", "7:40-43,40-44", "7:20-23,20-24", "7:40-43",
            "7:20-24", "7:43-50", "7:rS-4", "7:rS-11", "7:20-27,rS-4", "7:20x43", "7:40x20",
            "7:20-34,40-33", "pass", "Pass", "PASS", "-", "?", "*", "0", "7:discard", "fire:no",
            "7:20\u201327", "\uff17:20-27", "7:20-2\u0667", "x" * 5000, "7:20-27\0",
            None, 7, 3.5, b"7:20-27", ["7:20-27"], ("7:20-27",), {"move": "7:20-27"},
        ],
    ),
    (
        "20/-/40/-", "r", "11",
        ["11:20-40", "11:20x31", "11:40x20", "11:20x41", "11:20X40", "11:20x", "11:x40", "11:rSx40",
         "11:20x40,20-31", "S:rSx40", "11:20-9", "pass", "11:20-34"],
    ),
    (
        "S/-/40/-", "r", "S",
        ["S:rS-40", "S:rSx41", "S:ySx40", "s:rSx40", "S:4x40", "S:rSxyS", "pass"],
    ),
    ("S/-/S/-", "r", "1", ["1:rS-5", "1:rS-3", "1:yS-34", "1:S-4", "1:RS-4", "1:rH-4", "1:4-5"]),
    ("r1/-/S/-", "r", "4", ["4:r1-r5", "4:r1-57", "4:r1-2", "4:59-r1", "4:r1--3"]),
    ("S/-/S/-", "r", "5", ["5:rS-4", "5:4-9", "pass ", "pass:5", "5:pass"]),
]  # fmt: skip
BAD_MOVES = [(pawns, seat, card, text) for pawns, seat, card, texts in BAD for text in texts]


def test_there_are_many_illegal_moves() -> None:
    assert len(BAD_MOVES) >= 80


@pytest.mark.parametrize(("pawns", "seat", "card", "text"), BAD_MOVES, ids=lambda v: ascii(v)[:40])
def test_illegal_moves_are_refused(pawns: str, seat: str, card: str, text: Any) -> None:
    game = at(pawns, seat, card)
    before = game.state.tobytes()
    with pytest.raises(MoveError) as caught:
        notation.parse_move(game, text)
    assert caught.value.code == "illegal_move"
    assert caught.value.value is text
    assert repr(text)[:200] in str(caught.value)
    assert f"card {card}" in str(caught.value) or not isinstance(text, str)
    assert game.state.tobytes() == before


def test_where_a_coin_answers() -> None:
    line = "not-sorry 20,rS,rS,rS/-/34,yS,yS,yS/- r>y answer Q 5.3.3.4.4.1.4.2.4.2.3.7 - -"
    with pytest.raises(MoveError, match="'answer:yes' is not legal; a coin answers first"):
        notation.parse_move(notation.read(line, seed=1), "answer:yes")


def test_without_a_card_and_after_the_end() -> None:
    waiting = Game("classic", seed=1, draw=False)
    for text in ("1:rS-4", "pass", ""):
        with pytest.raises(MoveError, match="drawn first") as caught:
            notation.parse_move(waiting, text)
        assert caught.value.value == text
    over = at("rH,rH,rH,r3/-/S/-", "r", "3")
    over.play(over.legal_moves()[0])
    with pytest.raises(MoveError, match="over"):
        notation.parse_move(over, "3:r3-rH")


def test_mutated_moves_are_refused_or_legal() -> None:
    rng = random.Random(28)
    alphabet = "rbyg0123456789SH,:-x "
    refused = 0
    for game in games(60):
        before = game.state.tobytes()
        legal = notation.legal_texts(game)
        for text in rng.sample(legal, min(len(legal), 3)):
            for _ in range(8):
                at_ = rng.randrange(len(text))
                letter = rng.choice(alphabet)
                for mutant in (
                    text[:at_] + text[at_ + 1 :],
                    text[:at_] + letter + text[at_:],
                    text[:at_] + letter + text[at_ + 1 :],
                ):
                    if mutant in legal:
                        assert notation.move_text(notation.parse_move(game, mutant)) == mutant
                        continue
                    with pytest.raises(MoveError) as caught:
                        notation.parse_move(game, mutant)
                    assert caught.value.value == mutant
                    refused += 1
        assert game.state.tobytes() == before
    assert refused > 1000


@pytest.mark.parametrize(
    ("pawns", "seat", "card", "text", "words"),
    [
        ("S/-/4/-", "r", "1", "1:rS-4", ["out to 4", "bumping yellow"]),
        ("S/-/S/-", "r", "5", "pass", ["5", "lose the turn"]),
        ("r3/-/S/-", "r", "3", "3:r3-rH", ["3", "from r3", "Home"]),
        ("59/-/S/-", "r", "5", "5:59-r2", ["from 59", "safety square 2"]),
        ("20/-/S/-", "r", "4", "4:20-16", ["4 back", "from 20", "to 16", "slide to 19"]),
        ("3/-/S/-", "r", "4", "4:3-59", ["4 back", "from 3", "to 59"]),
        ("r1/-/S/-", "r", "4", "4:r1-59", ["4 back", "from r1", "to 59"]),
        ("20/-/25/-", "r", "5", "5:20-25", ["from 20", "to 25", "bumping yellow"]),
        (
            "40,20/-/S/-",
            "r",
            "7",
            "7:40-43,20-24",
            ["3 from 40", "then", "4 from 20", "slide to 28"],
        ),
        ("20/-/39/-", "r", "11", "11:20x39", ["switch", "yellow", "39", "from 20", "slide to 43"]),
        ("S/-/40/-", "r", "S", "S:rSx40", ["take", "yellow", "40", "from Start"]),
    ],
)
def test_words(pawns: str, seat: str, card: str, text: str, words: list[str]) -> None:
    game = at(pawns, seat, card)
    said = notation.move_words(game, notation.parse_move(game, text))
    assert all(word in said for word in words), said


def test_words_of_passes() -> None:
    def words(pawns: str, card: str) -> str:
        game = at(pawns, "r", card)
        return notation.move_words(game, notation.parse_move(game, "pass"))

    assert words("S/-/S/-", "5") == "no move with 5: lose the turn"
    assert words("r1/-/S/-", "S") == "no move with Sorry!: lose the turn"
    assert words("rH,rH,rH,r5/-/S/-", "2") == "no move with 2: draw again"
    assert words("0/-/40/-", "11") == "leave the 11 unplayed: lose the turn"


def test_words_of_partners_that_meet() -> None:
    # Yellow leaves 21 before Red comes there; with 50 in its place it is bumped.
    game = at("20/S/21/S", "r", "7", "teams")
    said = notation.move_words(game, notation.parse_move(game, "7:21-27,20-21"))
    assert "bump" not in said, said
    game = at("20/21/50/S", "r", "7", "teams")
    said = notation.move_words(game, notation.parse_move(game, "7:20-21,50-56"))
    assert "bumping blue" in said, said


def test_words_of_a_switch_that_does_not_slide() -> None:
    game = at("20/-/39/-", "r", "11", "classic?switch_slides=none")
    said = notation.move_words(game, notation.parse_move(game, "11:20x39"))
    assert "slide" not in said, said


def test_squares() -> None:
    # Red's circle is 4, Blue's 19, Yellow's 34, Green's 49; entries 2, 17, 32, 47.
    for seat, letter in enumerate(LETTERS):
        assert square_text(seat, 0) == f"{letter}S" and square_text(seat, 66) == f"{letter}H"
        assert square_text(seat, 2) == str(15 * seat + 4)
        assert square_text(seat, 60) == str(15 * seat + 2)
        assert square_text(seat, 1) == str(15 * seat + 3)
        assert [square_text(seat, code) for code in range(61, 66)] == [
            f"{letter}{k}" for k in range(1, 6)
        ]
        texts = [square_text(seat, code) for code in range(67)]
        assert len(set(texts)) == 67
        assert [read_square(seat, text) for text in texts] == list(range(67))
        for text in ("", "S", "60", "-1", "1.0", f"{letter}6", f"{letter}0", "xS", "\u0661"):
            with pytest.raises(PositionError) as caught:
                read_square(seat, text)
            assert caught.value.value == text
