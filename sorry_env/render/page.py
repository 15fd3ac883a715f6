"""A page of characters with their colours, and the players' colours in a terminal.

`ansi.py` and `panel.py` write on it; read it before them.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby


@dataclass(frozen=True)
class Ink:
    """Colours of a character in the 256-colour palette; None is the terminal's own."""

    fg: int | None = None
    bg: int | None = None
    bold: bool = False


@dataclass(frozen=True)
class PlayerInk:
    """A player's colour: its pawns, its slides, its nests and safety squares."""

    pawn: Ink
    slide: Ink
    nest: Ink


# Chosen by eye from the palette's few light colours, in the spirit of TONES in shapes.py.
PLAYERS = (
    PlayerInk(Ink(231, 160, True), Ink(88, 210, True), Ink(124, 224)),
    PlayerInk(Ink(231, 26, True), Ink(18, 111, True), Ink(25, 153)),
    PlayerInk(Ink(16, 220, True), Ink(94, 222, True), Ink(94, 229)),
    PlayerInk(Ink(231, 29, True), Ink(22, 114, True), Ink(22, 157)),
)
PLAIN = Ink()
STRONG = Ink(bold=True)


class Page:
    """Lines of characters, each with its colours."""

    def __init__(self, width: int, height: int) -> None:
        self.rows = [[(" ", PLAIN)] * width for _ in range(height)]

    def put(self, column: int, row: int, text: str, ink: Ink = PLAIN) -> None:
        """Write over what is there; what does not fit the line is left out."""
        line = self.rows[row]
        for i, char in enumerate(text[: len(line) - column], column):
            line[i] = (char, ink)

    def text(self, colour: bool) -> str:
        """The lines, with escape codes if in colour."""
        if not colour:
            return "\n".join("".join(c for c, _ in row).rstrip() for row in self.rows)
        return "\n".join(_coloured(row) for row in self.rows)


def _coloured(row: list[tuple[str, Ink]]) -> str:
    """A line with its escape codes: one for each run of characters of the same colours."""
    runs = [(ink, "".join(c for c, _ in run)) for ink, run in groupby(row, key=lambda c: c[1])]
    if runs[-1][0] == PLAIN:
        runs[-1] = (PLAIN, runs[-1][1].rstrip())
    return "".join(text if ink == PLAIN else f"{_escape(ink)}{text}\x1b[0m" for ink, text in runs)


def _escape(ink: Ink) -> str:
    codes = ["1"] if ink.bold else []
    if ink.fg is not None:
        codes.append(f"38;5;{ink.fg}")
    if ink.bg is not None:
        codes.append(f"48;5;{ink.bg}")
    return f"\x1b[{';'.join(codes)}m"
