"""The picture of a game as a flat list of shapes: the board, the last move and the pawns.

A pure function of a `Snapshot`, in board units and without a painter, so that the SVG and the
pixels cannot differ. Read `layout.py`, `snapshot.py` and `shapes.py` before, `centre.py` (cards and
words in the middle of the board) and `svg.py` after.
"""

from __future__ import annotations

from collections.abc import Iterator

from sorry_env.render.centre import centre_shapes
from sorry_env.render.layout import (
    CIRCLE_OFFSET,
    FORWARD,
    GRID,
    SIDE,
    Cell,
    Layout,
    Nest,
    Point,
    Slide,
    board_layout,
    middle,
    side_of,
)
from sorry_env.render.shapes import (
    FELT,
    GRID_LINE,
    MARK,
    MUTED,
    PAPER,
    SQUARE,
    TABLE,
    TONES,
    Circle,
    Line,
    Polygon,
    Rect,
    Shape,
    Text,
    Tone,
)
from sorry_env.render.snapshot import Played, Snapshot, letter
from sorry_env.rules import LETTERS

#: Width of the frame around the 16 x 16 cells; the picture spans -MARGIN ... GRID + MARGIN.
MARGIN = 0.45
EXTENT = GRID + 2 * MARGIN

PAWN_RADIUS = 0.36


def scene(view: Snapshot, last_move: Played | None = None) -> tuple[Shape, ...]:
    """All shapes of the picture in the order they are painted.

    last_move: a move to mark, its squares as codes in the frame of the pawn's colour
    Raises PositionError for a pawn whose code is no place on the board.
    """
    layout = board_layout(view.ruleset)
    shapes: list[Shape] = []
    shapes += _ground()
    shapes += _track(layout)
    for slide in layout.slides:
        shapes += _slide(layout, slide)
    shapes += (_diamond(layout, square) for square in layout.diamonds)
    for colour in range(4):
        shapes += _safety(layout, colour)
        shapes.append(_neck(layout, colour))
        places = len(view.pawns[colour])
        shapes += _nest(layout.starts[colour], colour, "Start", places)
        shapes += _nest(layout.homes[colour], colour, "Home", places)
    for winner in view.winners if view.over else ():
        x, y = layout.homes[winner].centre
        radius = layout.homes[winner].radius + 0.06
        shapes.append(Circle(x, y, radius, None, MARK, 0.12, f"winner-{LETTERS[winner]}"))
    if last_move is not None:
        shapes += _marks(layout, last_move)
    shapes += centre_shapes(view)
    shapes += _pawns(layout, view)
    return tuple(shapes)


def _ground() -> Iterator[Shape]:
    yield Rect(-MARGIN, -MARGIN, EXTENT, EXTENT, TABLE, radius=0.5, part="frame")
    yield Rect(0.5, 0.5, GRID - 1, GRID - 1, FELT, part="felt")


def _track(layout: Layout) -> Iterator[Shape]:
    """The outer squares, each with its number in the corner, where no slide or pawn covers it."""
    for number, cell in enumerate(layout.track):
        yield _square(cell, SQUARE, GRID_LINE, part=f"square-{number}")
    for number, cell in enumerate(layout.track):
        text = str(number)
        yield Text(cell[0] + 0.06 + 0.06 * len(text), cell[1] + 0.14, text, 0.21, MUTED)


def _square(cell: Cell, fill: str, stroke: str, part: str) -> Shape:
    return Rect(cell[0], cell[1], 1, 1, fill, stroke, 0.035, part=part)


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


def _diamond(layout: Layout, square: int) -> Shape:
    x, y = middle(layout.track[square])
    tone = TONES[side_of(square)]
    corners = ((x, y - 0.36), (x + 0.36, y), (x, y + 0.36), (x - 0.36, y))
    return Polygon(corners, tone.tint, tone.dark, 0.06, f"diamond-{square}")


def _safety(layout: Layout, colour: int) -> Iterator[Shape]:
    tone = TONES[colour]
    for number, cell in enumerate(layout.safety[colour], 1):
        part = f"safety-{LETTERS[colour]}{number}"
        yield _square(cell, tone.tint, tone.main, part)
        yield Text(*middle(cell), f"{LETTERS[colour]}{number}", 0.3, tone.text)


def _neck(layout: Layout, colour: int) -> Shape:
    """The way from Start to the circle."""
    x, y = middle(layout.track[SIDE * colour + CIRCLE_OFFSET])
    end_x, end_y = layout.starts[colour].centre
    along_x, along_y = FORWARD[colour]
    # Inward is a quarter to the right of forward.
    edge_x, edge_y = x - 0.52 * along_y, y + 0.52 * along_x
    corners = tuple(
        (px + side * along_x, py + side * along_y)
        for px, py, side in (
            (edge_x, edge_y, -0.22),
            (edge_x, edge_y, 0.22),
            (end_x, end_y, 0.22),
            (end_x, end_y, -0.22),
        )
    )
    return Polygon(corners, TONES[colour].main)


def _nest(nest: Nest, colour: int, name: str, places: int) -> Iterator[Shape]:
    """Start or Home: a ring around a light disc with its pawns' places, and its name.

    places: how many pawns the colour has, 0 if it is not seated
    """
    tone = TONES[colour]
    x, y = nest.centre
    part = f"{name.lower()}-{LETTERS[colour]}"
    yield Circle(x, y, nest.radius - 0.09, tone.tint, tone.main, 0.18, part)
    for spot in nest.spots[:places]:
        yield Circle(*spot, PAWN_RADIUS - 0.1, None, tone.slide, 0.04)
    down = 1 if y < GRID / 2 else -1
    yield Text(x, y + down * (nest.radius + 0.31), name, 0.36, tone.text, True)


def _marks(layout: Layout, move: Played) -> Iterator[Shape]:
    """For each part of the move a ring where it began, a ring where it ended, a line between."""
    for part in move.parts:
        begin = layout.point(part.seat, part.start)
        end = layout.point(part.seat, part.end)
        yield Line((begin, end), MARK, 0.09, "last-move")
        for (x, y), fill in ((begin, SQUARE), (end, MARK)):
            radius = 0.3 if fill == SQUARE else PAWN_RADIUS + 0.12
            yield Circle(x, y, radius, fill, MARK, 0.09, "last-move")


def _pawns(layout: Layout, view: Snapshot) -> Iterator[Shape]:
    for colour, codes in enumerate(view.pawns):
        for slot, code in enumerate(codes):
            point = layout.point(colour, int(code), slot)
            yield from _pawn(point, TONES[colour], letter(colour), f"pawn-{LETTERS[colour]}{slot}")


def _pawn(at: Point, tone: Tone, label: str, part: str) -> Iterator[Shape]:
    """A pawn from above with its colour's letter, for eyes that do not tell the colours apart."""
    x, y = at
    yield Circle(x, y, PAWN_RADIUS, tone.dark, PAPER, 0.06, part)
    yield Circle(x, y - 0.02, PAWN_RADIUS - 0.09, tone.main)
    yield Text(x, y - 0.01, label, 0.4, tone.ink, True)
