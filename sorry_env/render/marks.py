"""What a pawn can carry: the Fire, the Ice, a happy face, a punished pawn's cross.

Each is told by its shape alone: a flame, a six-armed crystal, a smiling face, a barred circle.
Read `shapes.py` before and `scene.py` after this file.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator

from sorry_env.render.layout import Layout, Point
from sorry_env.render.shapes import (
    FACE,
    FIRE,
    FIRE_DARK,
    FIRE_LIGHT,
    ICE,
    ICE_DARK,
    INK,
    PAPER,
    PUNISHED,
    Circle,
    Line,
    Polygon,
    Shape,
)
from sorry_env.render.snapshot import Pawn, Snapshot
from sorry_env.rules import LETTERS

#: From a pawn's middle to the mark's: to the right, up or down.
_SIDE, _HEIGHT = 0.33, 0.25
_SIZE = 0.25  # half the height of a mark on a pawn
_ASIDE = 0.3  # and of a token off the board

# A flame around (0, 0), one unit to its top and its foot, and the small one inside it.
_FLAME: tuple[Point, ...] = (
    (0.1, -1.1), (0.16, -0.78), (0.42, -0.42), (0.56, -0.62), (0.74, -0.12), (0.78, 0.3),
    (0.62, 0.72), (0.3, 0.97), (-0.1, 1.0), (-0.5, 0.84), (-0.76, 0.46), (-0.76, 0.06),
    (-0.56, -0.28), (-0.44, 0.0), (-0.3, -0.2), (-0.28, -0.6), (-0.12, -0.9),
)  # fmt: skip
_HEART: tuple[Point, ...] = (
    (0.04, -0.3), (0.28, 0.1), (0.36, 0.42), (0.24, 0.74), (-0.02, 0.84), (-0.28, 0.74),
    (-0.38, 0.42), (-0.2, 0.14),
)  # fmt: skip


def pawn_marks(layout: Layout, view: Snapshot) -> Iterator[Shape]:
    """The marks of all pawns: the first of two to the upper right, the other to the lower."""
    marks: list[tuple[str, Pawn, int]] = []
    if view.fire is not None:
        marks.append(("fire", view.fire, -1))
    if view.ice is not None:
        marks.append(("ice", view.ice, 1))
    marks += (("happy", pawn, -1) for pawn in view.happy)
    marks += (("punished", pawn, 1) for pawn in view.punished)
    for name, (colour, code), down in marks:
        x, y = layout.point(colour, code)
        part = f"{name}-{LETTERS[colour]}{list(view.pawns[colour]).index(code)}"
        yield from _DRAWN[name]((x + _SIDE, y + down * _HEIGHT), _SIZE, part)


def token_aside(name: str, at: Point) -> Iterator[Shape]:
    """The Fire or the Ice beside the board."""
    yield from _DRAWN[name](at, _ASIDE, f"{name}-off")


def _fire(at: Point, size: float, part: str) -> Iterator[Shape]:
    yield Polygon(_sized(_FLAME, at, size), FIRE, FIRE_DARK, 0.16 * size, part)
    yield Polygon(_sized(_HEART, at, size), FIRE_LIGHT)


def _ice(at: Point, size: float, part: str) -> Iterator[Shape]:
    """A hexagon with a crystal of six arms."""
    edge = [_polar(60 * n) for n in range(6)]
    yield Polygon(_sized(edge, at, size), ICE, ICE_DARK, 0.16 * size, part)
    for n in range(3):
        arm = [_polar(60 * n, far) for far in (0.66, -0.66)]
        yield Line(_sized(arm, at, size), ICE_DARK, 0.17 * size)


def _happy(at: Point, size: float, part: str) -> Iterator[Shape]:
    x, y = at
    yield Circle(x, y, 0.9 * size, FACE, INK, 0.14 * size, part)
    for side in (-1, 1):
        yield Circle(x + 0.32 * side * size, y - 0.25 * size, 0.14 * size, INK)
    mouth = [_polar(angle, 0.52) for angle in (105, 140, 180, 220, 255)]
    yield Line(_sized(mouth, at, size), INK, 0.14 * size)


def _punished(at: Point, size: float, part: str) -> Iterator[Shape]:
    yield Circle(*at, 0.88 * size, PAPER, PUNISHED, 0.24 * size, part)
    bar = [_polar(angle, 0.8) for angle in (45, 225)]
    yield Line(_sized(bar, at, size), PUNISHED, 0.26 * size)


_DRAWN: dict[str, Callable[[Point, float, str], Iterator[Shape]]] = {
    "fire": _fire,
    "ice": _ice,
    "happy": _happy,
    "punished": _punished,
}


def _polar(degrees: float, far: float = 1.0) -> Point:
    """A point so far from (0, 0), its angle clockwise from upward."""
    angle = math.radians(degrees)
    return far * math.sin(angle), -far * math.cos(angle)


def _sized(points: tuple[Point, ...] | list[Point], at: Point, size: float) -> tuple[Point, ...]:
    return tuple((at[0] + size * x, at[1] + size * y) for x, y in points)
