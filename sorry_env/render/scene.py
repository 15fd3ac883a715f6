"""The picture of a game as a flat list of shapes: the board, the last move and the pawns.

A pure function of a `Snapshot`, in board units and without a painter, so that the SVG and the
pixels cannot differ. Read `board.py` (what does not move), `marks.py` (what pawns carry) and
`centre.py` (cards and words in the middle) before, and `svg.py` after this file.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Final

from sorry_env.render.board import PAWN_RADIUS, board_shapes, nest_shapes
from sorry_env.render.centre import centre_shapes
from sorry_env.render.layout import Layout, Point
from sorry_env.render.leaf import picture_layout
from sorry_env.render.marks import pawn_marks
from sorry_env.render.shapes import (
    MARK,
    PAPER,
    SQUARE,
    TONES,
    Circle,
    Line,
    Polygon,
    Shape,
    Text,
    Tone,
)
from sorry_env.render.snapshot import Played, Snapshot
from sorry_env.render.words import letter, start_name
from sorry_env.rules import LETTERS

#: Length of an arrow's head.
_HEAD: Final = 0.55


def scene(
    view: Snapshot, last_move: Played | None = None, next_move: Played | None = None
) -> tuple[Shape, ...]:
    """All shapes of the picture in the order they are painted.

    last_move: a move to mark, its squares as codes in the frame of the pawn's colour
    next_move: one that is to be played in this position, to be shown by arrows
    Raises PositionError for a pawn whose code is no place on the board.
    """
    layout = picture_layout(view.ruleset)
    shapes = list(board_shapes(layout))
    start = start_name(view.ruleset)
    for colour in range(4):
        places = len(view.pawns[colour])
        shapes += nest_shapes(layout.starts[colour], colour, "start", start, places)
        shapes += nest_shapes(layout.homes[colour], colour, "home", "Home", places)
    for winner in view.winners if view.over else ():
        x, y = layout.homes[winner].centre
        radius = layout.homes[winner].radius + 0.06
        shapes.append(Circle(x, y, radius, None, MARK, 0.12, f"winner-{LETTERS[winner]}"))
    if last_move is not None:
        shapes += _last_move(layout, last_move)
    shapes += centre_shapes(view)
    shapes += _pawns(layout, view)
    if next_move is not None:
        shapes += _next_move(layout, view, next_move)
    return tuple(shapes)


def _last_move(layout: Layout, move: Played) -> Iterator[Shape]:
    """For each part of the move a ring where it began, a ring where it ended, a line between."""
    for part in move.parts:
        begin = layout.point(part.seat, part.start)
        end = layout.point(part.seat, part.end)
        yield Line((begin, end), MARK, 0.09, "last-move")
        for (x, y), fill in ((begin, SQUARE), (end, MARK)):
            radius = 0.3 if fill == SQUARE else PAWN_RADIUS + 0.12
            yield Circle(x, y, radius, fill, MARK, 0.09, "last-move")


def _next_move(layout: Layout, view: Snapshot, move: Played) -> Iterator[Shape]:
    """For each part of the move a ring round the pawn and an arrow to where it gets by count."""
    for part in move.parts:
        codes = list(view.pawns[part.seat])
        slot = codes.index(part.start) if part.start in codes else 0
        begin = layout.point(part.seat, part.start, slot)
        (x, y), end = begin, layout.point(part.seat, part.end)
        yield Circle(x, y, PAWN_RADIUS + 0.06, None, MARK, 0.12, "next-move")
        length = math.dist(begin, end)
        if length < 2 * _HEAD:
            continue
        dx, dy = (end[0] - x) / length, (end[1] - y) / length
        tip = end[0] - 0.08 * dx, end[1] - 0.08 * dy
        neck = tip[0] - _HEAD * dx, tip[1] - _HEAD * dy
        start = x + (PAWN_RADIUS + 0.12) * dx, y + (PAWN_RADIUS + 0.12) * dy
        sides = tuple((neck[0] - s * dy, neck[1] + s * dx) for s in (-0.3, 0.3))
        yield Line((start, neck), PAPER, 0.26, "next-move")
        yield Polygon((tip, *sides), MARK, PAPER, 0.1, "next-move")
        yield Line((start, neck), MARK, 0.15, "next-move")


def _pawns(layout: Layout, view: Snapshot) -> Iterator[Shape]:
    """All pawns, then what some of them carry: it may reach over the square's edge."""
    for colour, codes in enumerate(view.pawns):
        for slot, code in enumerate(codes):
            point = layout.point(colour, int(code), slot)
            yield from _pawn(point, TONES[colour], letter(colour), f"pawn-{LETTERS[colour]}{slot}")
    yield from pawn_marks(layout, view)


def _pawn(at: Point, tone: Tone, label: str, part: str) -> Iterator[Shape]:
    """A pawn from above with its colour's letter, for eyes that do not tell the colours apart."""
    x, y = at
    yield Circle(x, y, PAWN_RADIUS, tone.dark, PAPER, 0.06, part)
    yield Circle(x, y - 0.02, PAWN_RADIUS - 0.09, tone.main)
    yield Text(x, y - 0.01, label, 0.4, tone.ink, True)
