"""Where everything lies on the board: geometry as data, without colours or shapes.

The board is a grid of 16 x 16 cells, column 0 at the left and row 0 at the top, each one unit
wide. Its 60 border cells are the outer squares, clockwise from square 0 in the top left corner:
red's side runs along the top, blue's down the right, yellow's along the bottom, green's up the
left. What belongs to the other colours is red's turned by quarters, so only red is spelled out
here. Points are (x, y) in the same units: the middle of cell (c, r) is (c + 0.5, r + 0.5).
Read `rules/seats.py` before; `ansi.py` (text) and `board.py` (pictures) draw from this, and
`leaf.py` is the other board that pictures know.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from sorry_env.errors import PositionError
from sorry_env.rules import LETTERS

if TYPE_CHECKING:
    from sorry_env.rules import Ruleset

Cell = tuple[int, int]
Point = tuple[float, float]

GRID = 16
SIDE = 15  # outer squares of one colour's side
TRACK = 4 * SIDE
ENTRY_OFFSET = 2  # the last outer square before the safety zone
DIAMOND_OFFSET = 3
CIRCLE_OFFSET = 4  # where pawns come out of Start
CORNERS = (0, SIDE, 2 * SIDE, 3 * SIDE)
SAFETY = 5

# Pawn codes, each in its own colour's frame: 1 is the own diamond square, 60 the own entry.
IN_START = 0
ENTRY = 60
HOME = ENTRY + SAFETY + 1

#: Forward along the sides of red, blue, yellow and green.
FORWARD: tuple[Cell, ...] = ((1, 0), (0, 1), (-1, 0), (0, -1))

_RED_START: Point = (4.5, 2.45)
_RED_HOME: Point = (2.5, 7.2)
_RED_START_BOX: Cell = (3, 1)
_RED_HOME_BOX: Cell = (1, 6)
NEST_RADIUS = 1.25
NEST_BOX = 3
_SPOT = 0.48  # from the middle of a nest to its four pawn places, along both axes


@dataclass(frozen=True)
class Nest:
    """A Start or a Home: a circle with room for four pawns.

    centre, radius: the circle
    spots:  where the pawn of each slot stands, upper left, upper right, lower left, lower right
    label:  the middle of its name, above or below the circle
    box:    upper left cell of the 3 x 3 cells in text, none of them a square
    """

    centre: Point
    radius: float
    spots: tuple[Point, ...]
    label: Point
    box: Cell


@dataclass(frozen=True)
class Slide:
    """A slide: its colour and its outer squares, the triangle first, all on one side."""

    colour: int
    squares: tuple[int, ...]


@dataclass(frozen=True)
class Layout:
    """Where everything of a ruleset's board lies. All per-colour tuples are in the order r b y g.

    track:    cell of each outer square 0 ... 59
    safety:   per colour, the cells of safety squares 1 ... 5
    starts:   per colour
    homes:    per colour
    slides:   all of them, side by side from red's
    diamonds: the outer squares with a printed diamond, () where the board has none
    turbos:   the outer squares from which a pawn moves on instead of being bumped, likewise
    """

    track: tuple[Cell, ...]
    safety: tuple[tuple[Cell, ...], ...]
    starts: tuple[Nest, ...]
    homes: tuple[Nest, ...]
    slides: tuple[Slide, ...]
    diamonds: tuple[int, ...]
    turbos: tuple[int, ...]

    def cell(self, colour: int, code: int) -> Cell | None:
        """The cell of a pawn on a square; None in Start and at Home, which are no squares.

        Raises PositionError for a code that is no place on the board.
        """
        if not 0 <= code <= HOME:
            raise PositionError(
                f"pawn code {code} of colour {colour} is no place: 0 (Start) to {HOME} (Home)",
                value=code,
            )
        if code in (IN_START, HOME):
            return None
        if code > ENTRY:
            return self.safety[colour][code - ENTRY - 1]
        return self.track[outer_square(colour, code)]

    def square(self, number: int) -> Point:
        """The middle of an outer square."""
        return middle(self.track[number])

    def point(self, colour: int, code: int, slot: int | None = None) -> Point:
        """Where a pawn stands. In Start and Home: its slot's place, or the middle for slot None."""
        cell = self.cell(colour, code)
        if cell is not None:
            return middle(cell)
        nest = self.starts[colour] if code == IN_START else self.homes[colour]
        return nest.centre if slot is None else nest.spots[slot]


def outer_square(colour: int, code: int) -> int:
    """The outer square 0 ... 59 of a pawn code 1 ... 60 of this colour."""
    return (SIDE * colour + code + ENTRY_OFFSET) % TRACK


def middle(cell: Cell) -> Point:
    """The middle of a cell."""
    return cell[0] + 0.5, cell[1] + 0.5


def side_of(square: int) -> int:
    """The colour whose side an outer square belongs to."""
    return square // SIDE


def place_name(colour: int, code: int) -> str:
    """A place as it is written on the board: `12` on the track, `r3` in a safety zone."""
    if code > ENTRY:
        return f"{LETTERS[colour]}{code - ENTRY}"
    return str(outer_square(colour, code))


def board_layout(ruleset: Ruleset) -> Layout:
    """The grid of this ruleset; only its slides, diamonds and turbo squares make a difference."""
    return _layout(tuple(ruleset.slides), ruleset.diamond, ruleset.turbo)


@lru_cache(maxsize=16)
def _layout(slides: tuple[tuple[int, int], ...], diamond: bool, turbo: bool) -> Layout:
    colours = range(4)
    return Layout(
        track=tuple(_turn_cell((n % SIDE, 0), n // SIDE) for n in range(TRACK)),
        safety=tuple(
            tuple(_turn_cell((ENTRY_OFFSET, k), c) for k in range(1, SAFETY + 1)) for c in colours
        ),
        starts=tuple(_nest(_RED_START, _RED_START_BOX, c) for c in colours),
        homes=tuple(_nest(_RED_HOME, _RED_HOME_BOX, c) for c in colours),
        slides=tuple(
            Slide(c, tuple((SIDE * c + o) % TRACK for o in range(first, last + 1)))
            for c in colours
            for first, last in slides
        ),
        diamonds=tuple(SIDE * c + DIAMOND_OFFSET for c in colours) if diamond else (),
        turbos=CORNERS if turbo else (),
    )


def _nest(centre: Point, box: Cell, colour: int) -> Nest:
    last = (box[0] + NEST_BOX - 1, box[1] + NEST_BOX - 1)
    corners = (_turn_cell(box, colour), _turn_cell(last, colour))
    upper_left = (min(c for c, _ in corners), min(r for _, r in corners))
    return round_nest(turn_point(centre, colour), NEST_RADIUS, _SPOT, upper_left)


def round_nest(centre: Point, radius: float, spot: float, box: Cell) -> Nest:
    """A nest with its pawns' places `spot` from the middle along both axes."""
    x, y = centre
    down = 1 if y < GRID / 2 else -1
    return Nest(
        centre=centre,
        radius=radius,
        spots=tuple((x + dx, y + dy) for dy in (-spot, spot) for dx in (-spot, spot)),
        label=(x, y + down * (radius + 0.31)),
        box=box,
    )


def _turn_cell(cell: Cell, quarters: int) -> Cell:
    for _ in range(quarters):
        cell = (GRID - 1 - cell[1], cell[0])
    return cell


def turn_point(point: Point, quarters: int) -> Point:
    """A point turned clockwise around the board's middle, from red's side to another's."""
    for _ in range(quarters):
        point = (GRID - point[1], point[0])
    return point
