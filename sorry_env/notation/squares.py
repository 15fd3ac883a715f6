"""Squares as text: `0` to `59` on the track, `rS` Start, `r1` to `r5` safety, `rH` Home.

Read `position.py` and `moves.py` after this file.
"""

from __future__ import annotations

from sorry_env.engine.geometry import code_at, outer_square
from sorry_env.engine.state import ENTRY, HOME, START
from sorry_env.errors import PositionError
from sorry_env.rules import COLOURS, LETTERS

#: The texts of the outer squares.
_OUTER = frozenset(map(str, range(60)))


def square_text(seat: int, code: int) -> str:
    """Text of the square where a pawn of this seat and code stands."""
    if code == START:
        return f"{LETTERS[seat]}S"
    if code == HOME:
        return f"{LETTERS[seat]}H"
    if code > ENTRY:
        return f"{LETTERS[seat]}{code - ENTRY}"
    return str(outer_square(seat, code))


def read_square(seat: int, text: str) -> int:
    """Code of a pawn of this seat on the square of this text.

    Raises PositionError for text that is no square of this colour.
    """
    if text in _OUTER:
        return code_at(seat, int(text))
    if len(text) == 2 and text[0] == LETTERS[seat]:
        if text[1] == "S":
            return START
        if text[1] == "H":
            return HOME
        if text[1] in "12345":
            return ENTRY + int(text[1])
    letter = LETTERS[seat]
    raise PositionError(
        f"{text!r} is no square of {COLOURS[seat]}: 0 to 59, {letter}S, {letter}1 to {letter}5 or "
        f"{letter}H",
        value=text,
    )
