"""The dice game as text for a terminal of 80 columns, in colours or in plain ASCII.

`(R)` is a red pawn. Read `render/page.py` and `pictures.py` before this file.
"""

from __future__ import annotations

from sorry_env.express.pictures import face_word
from sorry_env.express.rules import FACES
from sorry_env.express.scene import headline
from sorry_env.express.state import COLOURS, DICE, SEATS
from sorry_env.express.view import ExpressReader
from sorry_env.render.page import PLAYERS, STRONG, Ink, Page
from sorry_env.rules import COLOURS as COLOUR_NAMES

WIDTH = 79
_FIRST_BASE = 6
HEIGHT = _FIRST_BASE + 2 * SEATS
_DIE = Ink(17, 231, True)
_GONE = Ink(246)


def ansi(view: ExpressReader, *, colour: bool = True) -> str:
    """The game as 14 lines of at most 79 visible characters, without a newline at the end.

    colour: use the terminal's 256 colours; False gives plain ASCII without escape codes
    """
    page = Page(WIDTH, HEIGHT)
    page.put(0, 0, headline(view), STRONG)
    page.put(0, 2, "Dice")
    for die in range(1, DICE + 1):
        _put_die(page, view, die)
    page.put(0, 4, "Start base")
    for c, count in enumerate(view.pool):
        _put_pawns(page, 20 + 14 * c, 4, c, count, 4)
    for seat in view.seats:
        _put_base(page, view, seat)
    return page.text(colour)


def _put_die(page: Page, view: ExpressReader, die: int) -> None:
    face = view.dice.get(die)
    column = 6 + 14 * die
    if face is None:
        page.put(column, 2, f"{die}: {'?' if view.waiting else '-'}", _GONE)
        return
    code = FACES.index(face)
    ink = PLAYERS[code].pawn if code < COLOURS else _DIE
    page.put(column, 2, f"{die}: ")
    page.put(column + 3, 2, f" {face_word(face)} ", ink)


def _put_base(page: Page, view: ExpressReader, seat: int) -> None:
    row, home, held = _FIRST_BASE + 2 * seat, view.homes[seat], view.held[seat]
    leads = seat == (view.winners[0] if view.over else view.turn)
    page.put(0, row, f"{'>' if leads else ' '} Player {seat}", STRONG)
    page.put(12, row, f"{COLOUR_NAMES[home]:>6}")
    column = _put_pawns(page, 20, row, home, held[home], 4)
    page.put(column + 2, row, "|", _GONE)
    column += 4
    for c, count in enumerate(held):
        if c != home and count:
            column = 1 + _put_pawns(page, column, row, c, count, count)


def _put_pawns(page: Page, column: int, row: int, c: int, count: int, places: int) -> int:
    """Pawns of a colour, then dots for the places left; the column behind them."""
    for place in range(places):
        if place < count:
            page.put(column, row, f"({FACES[c].upper()})", PLAYERS[c].pawn)
        else:
            page.put(column, row, " . ", _GONE)
        column += 3
    return column
