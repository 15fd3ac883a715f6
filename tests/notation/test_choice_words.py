"""Words of every kind of choice that is no move of a pawn by a card."""

from __future__ import annotations

import pytest

from sorry_env.engine.state import HOME
from sorry_env.game import Game
from sorry_env.move import Move, Part
from sorry_env.notation import move_words
from sorry_env.notation.squares import read_square

RED, BLUE, YELLOW, GREEN = range(4)


def on(seat: int, square: str) -> tuple[int, int]:
    """A pawn as the target of a move."""
    return seat, read_square(seat, square)


@pytest.mark.parametrize(
    ("move", "words"),
    [
        (Move(0, "discard", "5"), "discard 5"),
        (Move(0, "discard", "S"), "discard Sorry!"),
        (Move(0, "decline", "5", "fire"), "leave the Fire pawn where it is"),
        (Move(0, "decline", "5", "ice"), "take the Ice off the board"),
        (Move(0, "decline", "5", "token"), "leave the Fire where it is"),
        (Move(0, "ice", "5", "ice", target=on(BLUE, "20")), "give the Ice to the pawn on 20"),
        (Move(0, "ice", "5", "ice", target=on(GREEN, "gS")), "give the Ice to the pawn on gS"),
        (Move(0, "token", "5", "token", target=on(RED, "r3")), "give the Fire to the pawn on r3"),
        (Move(0, "ask", "?", target=(BLUE, 0)), "ask blue"),
        (Move(0, "ask", "?", target=(GREEN, 0)), "ask green"),
        (Move(0, "yes", "?"), "answer yes: both move 6"),
        (Move(0, "no", "?"), "answer no: both move 3"),
        (Move(0, "happy", "5", target=on(YELLOW, "40")), "make happy the pawn on 40"),
        (Move(0, "punish", "5", target=on(RED, "0")), "punish the pawn on 0"),
        (
            Move(0, "home", "5", parts=(Part(BLUE, read_square(BLUE, "b2"), HOME),)),
            "the pawn from b2 goes Home too",
        ),
        (
            Move(0, "home", "5", parts=(Part(BLUE, read_square(BLUE, "bS"), HOME),)),
            "the pawn from Start goes Home too",
        ),
    ],
)
def test_words(move: Move, words: str) -> None:
    assert move_words(Game("classic"), move) == words
