"""The empty board as shapes: ground, squares, slides, safety zones, Starts and Homes.

What depends on the layout alone is made once for each layout. Read `layout.py`, `leaf.py` and
`shapes.py` before and `scene.py` after this file.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import lru_cache

from sorry_env.render.layout import (
    CIRCLE_OFFSET,
    FORWARD,
    GRID,
    SIDE,
    Layout,
    Nest,
    Point,
    Slide,
    middle,
    side_of,
)
from sorry_env.render.leaf import Leaf, leaf_outline
from sorry_env.render.shapes import (
    FELT,
    GRID_LINE,
    INK,
    MUTED,
    SQUARE,
    TABLE,
    TONES,
    TURBO,
    Circle,
    Line,
    Polygon,
    Rect,
    Shape,
    Text,
)
from sorry_env.rules import LETTERS

#: Width of the frame around the 16 x 16 cells; the picture spans -MARGIN ... GRID + MARGIN.
MARGIN = 0.45
EXTENT = GRID + 2 * MARGIN

PAWN_RADIUS = 0.36


@lru_cache(maxsize=16)
def board_shapes(layout: Layout) -> tuple[Shape, ...]:
    """All of the board but its Starts and Homes, in the order of painting."""
    shapes: list[Shape] = [Rect(-MARGIN, -MARGIN, EXTENT, EXTENT, TABLE, radius=0.5, part="frame")]
    shapes += _leaf(layout) if isinstance(layout, Leaf) else _grid(layout)
    for slide in layout.slides:
        shapes += _slide(layout, slide)
    shapes += (_diamond(layout, square) for square in layout.diamonds)
    shapes += (_neck(layout, colour) for colour in range(4))
    return tuple(shapes)


# -- the grid ---------------------------------------------------------------------------------


def _grid(layout: Layout) -> Iterator[Shape]:
    """Felt and squares; numbers stand in the corner, where no slide or pawn covers them."""
    yield Rect(0.5, 0.5, GRID - 1, GRID - 1, FELT, part="felt")
    for number, (x, y) in enumerate(layout.track):
        yield Rect(x, y, 1, 1, SQUARE, GRID_LINE, 0.035, part=f"square-{number}")
    for number, (x, y) in enumerate(layout.track):
        text = str(number)
        yield Text(x + 0.06 + 0.06 * len(text), y + 0.14, text, 0.21, MUTED)
    for colour, cells in enumerate(layout.safety):
        tone = TONES[colour]
        for number, (x, y) in enumerate(cells, 1):
            name = f"{LETTERS[colour]}{number}"
            yield Rect(x, y, 1, 1, tone.tint, tone.main, 0.035, part=f"safety-{name}")
            yield Text(*middle((x, y)), name, 0.3, tone.text)


def _slide(layout: Layout, slide: Slide) -> Iterator[Shape]:
    """Triangle, bar and end circle in the slide's colour; the triangle points forward."""
    tone = TONES[slide.colour]
    path = tuple(middle(layout.track[square]) for square in (slide.squares[0], slide.squares[-1]))
    part = f"slide-{LETTERS[slide.colour]}"
    yield Line(path, tone.dark, 0.3, part)
    yield Line(path, tone.main, 0.22, part)
    (x, y), (dx, dy) = path[0], FORWARD[side_of(slide.squares[0])]
    corners = ((0.37, 0.0), (-0.24, 0.25), (-0.24, -0.25))
    triangle = tuple((x + a * dx - b * dy, y + a * dy + b * dx) for a, b in corners)
    yield Polygon(triangle, tone.main, tone.dark, 0.05, part)
    yield Circle(*path[-1], 0.27, tone.main, tone.dark, 0.05, part)


# -- the leaf ---------------------------------------------------------------------------------


def _leaf(layout: Leaf) -> Iterator[Shape]:
    """Felt and squares; numbers stand outside the ring, chevrons mark the turbo squares."""
    yield Polygon(leaf_outline(), FELT, part="felt")
    for number, tile in enumerate(layout.tiles):
        fill = TURBO if number in layout.turbos else SQUARE
        yield Polygon(tile.corners, fill, GRID_LINE, 0.035, f"square-{number}")
        yield Text(*tile.number, str(number), 0.25, SQUARE)
    for number in layout.turbos:
        tile = layout.tiles[number]
        for along in (-0.22, 0.12):
            yield Line(_chevron(tile.middle, tile.forward, along), INK, 0.1, f"turbo-{number}")
    for colour, lane in enumerate(layout.lanes):
        tone = TONES[colour]
        for number, tile in enumerate(lane, 1):
            name = f"{LETTERS[colour]}{number}"
            yield Polygon(tile.corners, tone.tint, tone.main, 0.035, f"safety-{name}")
            yield Text(*tile.number, name, 0.3, tone.text)


def _chevron(at: Point, forward: Point, along: float) -> tuple[Point, ...]:
    """An arrow's head that points forward, its tip 0.2 further along than `along`."""
    (x, y), (dx, dy) = at, forward
    corners = ((along - 0.1, -0.26), (along + 0.16, 0.0), (along - 0.1, 0.26))
    return tuple((x + a * dx - b * dy, y + a * dy + b * dx) for a, b in corners)


# -- both -------------------------------------------------------------------------------------


def _diamond(layout: Layout, square: int) -> Shape:
    x, y = layout.square(square)
    tone = TONES[side_of(square)]
    corners = ((x, y - 0.36), (x + 0.36, y), (x, y + 0.36), (x - 0.36, y))
    return Polygon(corners, tone.tint, tone.dark, 0.06, f"diamond-{square}")


def _neck(layout: Layout, colour: int) -> Shape:
    """The way from Start to the circle."""
    x, y = layout.square(SIDE * colour + CIRCLE_OFFSET)
    end_x, end_y = layout.starts[colour].centre
    length = math.dist((x, y), (end_x, end_y))
    dx, dy = (end_x - x) / length, (end_y - y) / length
    edge_x, edge_y = x + 0.52 * dx, y + 0.52 * dy
    corners = tuple(
        (px - side * dy, py + side * dx)
        for px, py, side in (
            (edge_x, edge_y, -0.22),
            (edge_x, edge_y, 0.22),
            (end_x, end_y, 0.22),
            (end_x, end_y, -0.22),
        )
    )
    return Polygon(corners, TONES[colour].main)


def nest_shapes(nest: Nest, colour: int, kind: str, name: str, places: int) -> Iterator[Shape]:
    """Start or Home: a ring around a light disc with its pawns' places, and its name.

    kind:   `start` or `home`; name: what is written there
    places: how many pawns the colour has, 0 if it is not seated
    """
    tone = TONES[colour]
    part = f"{kind}-{LETTERS[colour]}"
    yield Circle(*nest.centre, nest.radius - 0.09, tone.tint, tone.main, 0.18, part)
    for spot in nest.spots[:places]:
        yield Circle(*spot, PAWN_RADIUS - 0.1, None, tone.slide, 0.04)
    yield Text(*nest.label, name, 0.36, tone.text, True)
