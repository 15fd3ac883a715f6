"""The board as text for a terminal of 80 columns: 16 lines, in colours or in plain ASCII.

A cell of `layout.py` is three characters wide and one line high; beside the board stand the
headline, the card and each seat's count. Every track square shows its number, as in move texts,
unless a pawn stands there: `(R)` is a red pawn. `>` `-` `o` are a slide's triangle, way and end,
`*` is a diamond. Only ASCII characters are used, so that it prints in any encoding. Read
`layout.py` and `snapshot.py` before this file.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import groupby
from textwrap import wrap

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
from sorry_env.render.snapshot import WAITING, Snapshot
from sorry_env.render.words import (
    card_face,
    card_words,
    colour_name,
    find_card,
    headline,
    leading_colour,
    letter,
    pile_size,
)
from sorry_env.rules import LETTERS

CELL = 3  # characters
BOARD = CELL * GRID
WIDTH = 79
_PANEL = BOARD + 2
_NEST = CELL * NEST_BOX
_ARROWS = ">v<^"  # triangles of the slides along each side
_BARS = "-|-|"


@dataclass(frozen=True)
class _Ink:
    """Colours of a character in the 256-colour palette; None is the terminal's own."""

    fg: int | None = None
    bg: int | None = None
    bold: bool = False


@dataclass(frozen=True)
class _Tone:
    """A player's colour: its pawns, its slides, its nests and safety squares."""

    pawn: _Ink
    slide: _Ink
    nest: _Ink


# Chosen by eye from the palette's few light colours, in the spirit of TONES in shapes.py.
_TONES = (
    _Tone(_Ink(231, 160, True), _Ink(88, 210, True), _Ink(124, 224)),
    _Tone(_Ink(231, 26, True), _Ink(18, 111, True), _Ink(25, 153)),
    _Tone(_Ink(16, 220, True), _Ink(94, 222, True), _Ink(94, 229)),
    _Tone(_Ink(231, 29, True), _Ink(22, 114, True), _Ink(22, 157)),
)
_PLAIN = _Ink()
_FIELD = _Ink(235, 187)
_SQUARE = _Ink(102, 230)
_PAPER = _Ink(17, 231)


class _Page:
    """Lines of characters, each with its colours."""

    def __init__(self, width: int, height: int) -> None:
        self.rows = [[(" ", _PLAIN)] * width for _ in range(height)]

    def put(self, column: int, row: int, text: str, ink: _Ink = _PLAIN) -> None:
        line = self.rows[row]
        for i, char in enumerate(text[: len(line) - column], column):
            line[i] = (char, ink)

    def text(self, colour: bool) -> str:
        if not colour:
            return "\n".join("".join(c for c, _ in row).rstrip() for row in self.rows)
        return "\n".join(_coloured(row) for row in self.rows)


def ansi(view: Snapshot, *, colour: bool = True) -> str:
    """The board as 16 lines of at most 79 visible characters, without a newline at the end.

    view:   what is shown; nothing but the attributes of `Snapshot` is read
    colour: use the terminal's 256 colours; False gives plain ASCII without escape codes
    Raises PositionError for a pawn whose code is no place on the board.
    """
    layout = board_layout(view.ruleset)
    page = _Page(WIDTH, GRID)
    for row in range(GRID):
        page.put(0, row, " " * BOARD, _FIELD)
    _put_track(page, layout)
    for seat in range(4):
        _put_safety(page, layout, seat)
        _put_nest(page, layout.starts[seat], seat, "Start", IN_START, view)
        _put_nest(page, layout.homes[seat], seat, "Home", HOME, view)
    for seat, codes in enumerate(view.pawns):
        for code in codes:
            cell = layout.cell(seat, int(code))
            if cell is not None:
                page.put(CELL * cell[0], cell[1], f"({letter(seat)})", _TONES[seat].pawn)
    _put_card(page, view)
    _put_panel(page, view)
    return page.text(colour)


def _put_track(page: _Page, layout: Layout) -> None:
    marks: dict[int, tuple[str, int]] = {}
    for slide in layout.slides:
        for square in slide.squares:
            marks[square] = _BARS[slide.colour], slide.colour
    for square in layout.diamonds:
        marks[square] = "*", side_of(square)
    for slide in layout.slides:
        marks[slide.squares[0]] = _ARROWS[slide.colour], slide.colour
        marks[slide.squares[-1]] = "o", slide.colour
    for square, cell in enumerate(layout.track):
        mark, seat = marks.get(square, (" ", None))
        ink = _SQUARE if seat is None else _TONES[seat].slide
        page.put(CELL * cell[0], cell[1], f"{mark}{square:>2}", ink)


def _put_safety(page: _Page, layout: Layout, seat: int) -> None:
    for number, (column, row) in enumerate(layout.safety[seat], 1):
        page.put(CELL * column, row, f" {LETTERS[seat]}{number}", _TONES[seat].nest)


def _put_nest(page: _Page, nest: Nest, seat: int, name: str, code: int, view: Snapshot) -> None:
    """Start or Home: its name, then a pawn or a dot for each of the seat's pawns."""
    column, row = CELL * nest.box[0], nest.box[1]
    ink = _TONES[seat].nest
    page.put(column, row, name.center(_NEST), replace(ink, bold=True))
    for line in range(1, NEST_BOX):
        page.put(column, row + line, " " * _NEST, ink)
    for slot, pawn in enumerate(view.pawns[seat]):
        x, y = column + 1 + 4 * (slot % 2), row + 1 + slot // 2
        if pawn == code:
            page.put(x, y, f"({letter(seat)})", _TONES[seat].pawn)
        else:
            page.put(x, y, " . ", ink)


def _put_card(page: _Page, view: Snapshot) -> None:
    """The card in the middle of the board."""
    card = find_card(view)
    face = card_face(card.name) if card else "?" if view.card == WAITING else ""
    width = 12
    left, top = (BOARD - width) // 2, 5
    ink = replace(_PAPER, bold=True, fg=_TONES[0].nest.fg if card and card.take else _PAPER.fg)
    edge = "+" + "-" * (width - 2) + "+"
    page.put(left, top, edge, _PAPER)
    for line in range(1, 5):
        page.put(left, top + line, "|" + " " * (width - 2) + "|", _PAPER)
    page.put(left, top + 5, edge, _PAPER)
    page.put(left + 1, top + 2, face.center(width - 2)[: width - 2], ink)


def _put_panel(page: _Page, view: Snapshot) -> None:
    """Who is to do what, the card's words, the pile, and a line of counts for each seat."""
    page.put(_PANEL, 0, f" {headline(view)} ", _TONES[leading_colour(view)].pawn)
    card, row = find_card(view), 6
    if card is not None:
        page.put(_PANEL, 2, f"Card {card_face(card.name)}", _Ink(bold=True))
        lines = [line for words in card_words(card) for line in wrap(words, WIDTH - _PANEL - 2)]
        for row, text in enumerate(lines[:7], 3):
            page.put(_PANEL + 2, row, text)
    size = pile_size(view)
    left = "Pile: endless" if size is None else f"Pile: {size} left"
    page.put(_PANEL, max(8, row + 1), left)
    page.put(_PANEL, 11, "           Start  Way Home")
    for line, seat in enumerate(view.seats, 12):
        codes = view.pawns[seat]
        start, home = (sum(code == at for code in codes) for at in (IN_START, HOME))
        page.put(_PANEL, line, f"({letter(seat)})", _TONES[seat].pawn)
        counts = f"{start:>5} {len(codes) - start - home:>4} {home:>4}"
        page.put(_PANEL + 4, line, f"{colour_name(seat):<6} {counts}")


def _coloured(row: list[tuple[str, _Ink]]) -> str:
    """A line with its escape codes: one for each run of characters of the same colours."""
    runs = [(ink, "".join(c for c, _ in run)) for ink, run in groupby(row, key=lambda c: c[1])]
    if runs[-1][0] == _PLAIN:
        runs[-1] = (_PLAIN, runs[-1][1].rstrip())
    return "".join(text if ink == _PLAIN else f"{_escape(ink)}{text}\x1b[0m" for ink, text in runs)


def _escape(ink: _Ink) -> str:
    codes = ["1"] if ink.bold else []
    if ink.fg is not None:
        codes.append(f"38;5;{ink.fg}")
    if ink.bg is not None:
        codes.append(f"48;5;{ink.bg}")
    return f"\x1b[{';'.join(codes)}m"
