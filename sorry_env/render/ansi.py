"""The board as text for a terminal of 80 columns: 16 lines, in colours or in plain ASCII.

A cell of `layout.py` is three characters wide and one line high; `panel.py` writes what stands
beside the board. Every track square shows its number, as in move texts, unless a pawn stands
there: `(R)` is a red pawn, `{R}` one with the Fire, `[R]` with the Ice, `{R]` with both, `:R)` a
happy and `(R!` a punished one. `>` `-` `o` are a slide's triangle, way and end, `*` is a diamond
and `#` a turbo square. Only ASCII characters are used, so that it prints in any encoding. Read
`layout.py` and `words.py` before and `panel.py` after this file.
"""

from __future__ import annotations

from dataclasses import replace

from sorry_env.render.layout import (
    GRID,
    HOME,
    IN_START,
    NEST_BOX,
    Layout,
    Nest,
    board_layout,
    side_of,
)
from sorry_env.render.page import PLAYERS, Ink, Page
from sorry_env.render.panel import put_panel
from sorry_env.render.snapshot import WAITING, Snapshot
from sorry_env.render.words import card_face, find_card, letter, marked_pawns, start_name
from sorry_env.rules import LETTERS

CELL = 3  # characters
BOARD = CELL * GRID
WIDTH = 79
_PANEL = BOARD + 2
_NEST = CELL * NEST_BOX
_ARROWS = ">v<^"  # triangles of the slides along each side
_BARS = "-|-|"

_FIELD = Ink(235, 187)
_SQUARE = Ink(102, 230)
_TURBO = Ink(94, 223, True)
_PAPER = Ink(17, 231)


def ansi(view: Snapshot, *, colour: bool = True) -> str:
    """The board as 16 lines of at most 79 visible characters, without a newline at the end.

    view:   what is shown; nothing but the attributes of `Snapshot` is read
    colour: use the terminal's 256 colours; False gives plain ASCII without escape codes
    Raises PositionError for a pawn whose code is no place on the board.
    """
    layout = board_layout(view.ruleset)
    page = Page(WIDTH, GRID)
    for row in range(GRID):
        page.put(0, row, " " * BOARD, _FIELD)
    _put_track(page, layout)
    start = start_name(view.ruleset)
    for seat in range(4):
        _put_safety(page, layout, seat)
        _put_nest(page, layout.starts[seat], seat, start, IN_START, view)
        _put_nest(page, layout.homes[seat], seat, "Home", HOME, view)
    marked = marked_pawns(view)
    for seat, codes in enumerate(view.pawns):
        for code in codes:
            cell = layout.cell(seat, int(code))
            if cell is not None:
                text = marked.get((seat, int(code)), f"({letter(seat)})")
                page.put(CELL * cell[0], cell[1], text, PLAYERS[seat].pawn)
    if view.hands is None:
        _put_card(page, view)
    put_panel(page, view, _PANEL)
    return page.text(colour)


def _put_track(page: Page, layout: Layout) -> None:
    marks: dict[int, tuple[str, Ink]] = {}
    for slide in layout.slides:
        for square in slide.squares:
            marks[square] = _BARS[slide.colour], PLAYERS[slide.colour].slide
    for square in layout.diamonds:
        marks[square] = "*", PLAYERS[side_of(square)].slide
    for slide in layout.slides:
        marks[slide.squares[0]] = _ARROWS[slide.colour], PLAYERS[slide.colour].slide
        marks[slide.squares[-1]] = "o", PLAYERS[slide.colour].slide
    for square in layout.turbos:
        marks[square] = "#", _TURBO
    for square, cell in enumerate(layout.track):
        mark, ink = marks.get(square, (" ", _SQUARE))
        page.put(CELL * cell[0], cell[1], f"{mark}{square:>2}", ink)


def _put_safety(page: Page, layout: Layout, seat: int) -> None:
    for number, (column, row) in enumerate(layout.safety[seat], 1):
        page.put(CELL * column, row, f" {LETTERS[seat]}{number}", PLAYERS[seat].nest)


def _put_nest(page: Page, nest: Nest, seat: int, name: str, code: int, view: Snapshot) -> None:
    """Start or Home: its name, then a pawn or a dot for each of the seat's pawns."""
    column, row = CELL * nest.box[0], nest.box[1]
    ink = PLAYERS[seat].nest
    page.put(column, row, name.center(_NEST), replace(ink, bold=True))
    for line in range(1, NEST_BOX):
        page.put(column, row + line, " " * _NEST, ink)
    for slot, pawn in enumerate(view.pawns[seat]):
        x, y = column + 1 + 4 * (slot % 2), row + 1 + slot // 2
        if pawn == code:
            page.put(x, y, f"({letter(seat)})", PLAYERS[seat].pawn)
        else:
            page.put(x, y, " . ", ink)


def _put_card(page: Page, view: Snapshot) -> None:
    """The card in the middle of the board."""
    card = find_card(view)
    face = card_face(card.name) if card else "?" if view.card == WAITING else ""
    width = 12
    left, top = (BOARD - width) // 2, 5
    ink = replace(_PAPER, bold=True, fg=PLAYERS[0].nest.fg if card and card.take else _PAPER.fg)
    edge = "+" + "-" * (width - 2) + "+"
    page.put(left, top, edge, _PAPER)
    for line in range(1, 5):
        page.put(left, top + line, "|" + " " * (width - 2) + "|", _PAPER)
    page.put(left, top + 5, edge, _PAPER)
    page.put(left + 1, top + 2, face.center(width - 2)[: width - 2], ink)
