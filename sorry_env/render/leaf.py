"""The board as a clover leaf, for pictures of rulesets with turbo squares.

The same ring of 60 squares, bent into four rounded lobes with a turbo square at the tip of each.
A quarter of the ring, from tip to tip, is half a lobe, a rounded notch and half of the next lobe:
arcs of circles that touch, along which the squares stand at equal distances. Only red's quarter is
spelled out; the others are red's turned. Text is drawn on the grid all the same. Read `layout.py`
before and `board.py` after this file.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING

from sorry_env.render.layout import (
    ENTRY,
    ENTRY_OFFSET,
    GRID,
    HOME,
    IN_START,
    SIDE,
    Layout,
    Nest,
    Point,
    board_layout,
    outer_square,
    round_nest,
    turn_point,
)

if TYPE_CHECKING:
    from sorry_env.rules import Ruleset

_MIDDLE = GRID / 2
_LOBE = 3.8  # radius of a lobe
_LOBE_AT = 3.7  # from the board's middle to a lobe's, along both axes
_NOTCH = 1.1  # radius of a notch
_NOTCH_AT = _LOBE_AT + math.sqrt((_LOBE + _NOTCH) ** 2 - _LOBE_AT**2)  # lobe and notch touch
_TIP = -math.pi / 4  # angles run clockwise from upward: the tip is on the upper left
_JOINT = math.atan2(_LOBE_AT, _NOTCH_AT - _LOBE_AT)  # where the lobe gives way to the notch
_LOBE_LENGTH = _LOBE * (_JOINT - _TIP)
_QUARTER = 2 * _LOBE_LENGTH + 2 * _JOINT * _NOTCH

_HALF = 0.46  # half the width of a square, across the way
_NUMBER_AT = 0.61  # from the middle of a square out to its number
# Chosen by trying many: red's safety zone, Start and Home keep clear of each other and of the ring.
_LANE_STEP = 0.86  # from one safety square to the next
_LANE_TURNS = (0, 0, 12, 0, 30)  # degrees to the right in each of them
_START_AT: Point = (5.8, 2.78)
_RADIUS, _SPOT = 1.06, 0.41
_HOME_LABEL: Point = (0.12, 1.72)  # from the middle of red's Home; turned with the board


@dataclass(frozen=True)
class Tile:
    """A square of the leaf: its middle, its four corners, the way forward, its number's place."""

    middle: Point
    corners: tuple[Point, ...]
    forward: Point
    number: Point


@dataclass(frozen=True)
class Leaf(Layout):
    """The places of the leaf.

    tiles: of each outer square 0 ... 59
    lanes: per colour, of safety squares 1 ... 5
    """

    tiles: tuple[Tile, ...]
    lanes: tuple[tuple[Tile, ...], ...]

    def square(self, number: int) -> Point:
        """The middle of an outer square."""
        return self.tiles[number].middle

    def point(self, colour: int, code: int, slot: int | None = None) -> Point:
        """Where a pawn stands. In Start and Home: its slot's place, or the middle for slot None."""
        if not IN_START < code < HOME:
            return super().point(colour, code, slot)
        if code > ENTRY:
            return self.lanes[colour][code - ENTRY - 1].middle
        return self.square(outer_square(colour, code))


def picture_layout(ruleset: Ruleset) -> Layout:
    """Where everything lies in a picture: a leaf if there are turbo squares, else the grid."""
    layout = board_layout(ruleset)
    return _leaf(layout) if layout.turbos else layout


@lru_cache(maxsize=16)
def _leaf(grid: Layout) -> Leaf:
    squares = tuple(_square(offset) for offset in range(SIDE))
    lane = _lane(squares[ENTRY_OFFSET])
    home = _walk(lane[-1].middle, lane[-1].forward, _LANE_STEP / 2 + _RADIUS - 0.04)
    colours = range(4)
    return Leaf(
        track=grid.track,
        safety=grid.safety,
        starts=tuple(_nest(_START_AT, grid.starts[c], c) for c in colours),
        homes=tuple(_home(home, grid.homes[c], c) for c in colours),
        slides=grid.slides,
        diamonds=grid.diamonds,
        turbos=grid.turbos,
        tiles=tuple(_turn(square, c) for c in colours for square in squares),
        lanes=tuple(tuple(_turn(tile, c) for tile in lane) for c in colours),
    )


def leaf_outline(points: int = 24) -> tuple[Point, ...]:
    """The ring's middle line as a polygon, so many points to each quarter."""
    quarter = [_along(_QUARTER * step / points)[0] for step in range(points)]
    return tuple(turn_point(point, c) for c in range(4) for point in quarter)


def _square(offset: int) -> Tile:
    """The tile of a square of red's side; neighbours share their corners."""
    step = _QUARTER / SIDE
    middle, forward = _along(step * offset)
    outward = forward[1], -forward[0]
    corners = []
    for at, order in ((-0.5, (_HALF, -_HALF)), (0.5, (-_HALF, _HALF))):
        edge, (dx, dy) = _along(step * (offset + at))
        corners += [_walk(edge, (dy, -dx), far) for far in order]
    return Tile(middle, tuple(corners), forward, _walk(middle, outward, _NUMBER_AT))


def _along(length: float) -> tuple[Point, Point]:
    """The point so far along red's quarter from its tip, and the way forward there.

    length: from a little before the tip to the quarter's end
    """
    if length > _QUARTER / 2:  # the second half is the first one's mirror image
        (x, y), (dx, dy) = _along(_QUARTER - length)
        return (GRID - x, y), (dx, -dy)
    if length <= _LOBE_LENGTH:
        angle = _TIP + length / _LOBE
        centre, radius, sense = (_MIDDLE - _LOBE_AT,) * 2, _LOBE, 1
    else:  # around the notch the other way, from the point opposite to the joint
        angle = _JOINT - math.pi - (length - _LOBE_LENGTH) / _NOTCH
        centre, radius, sense = (_MIDDLE, _MIDDLE - _NOTCH_AT), _NOTCH, -1
    sin, cos = math.sin(angle), math.cos(angle)
    return (centre[0] + radius * sin, centre[1] - radius * cos), (sense * cos, sense * sin)


def _lane(entry: Tile) -> tuple[Tile, ...]:
    """Red's safety squares: inward from the entry, then bending towards Home."""
    dx, dy = entry.forward
    angle = math.atan2(dx, -dy) + math.pi / 2  # a quarter to the right of forward is inward
    point = _walk(entry.middle, _way(angle), _HALF - _LANE_STEP / 2)
    tiles = []
    for turn in _LANE_TURNS:
        point = _walk(point, _way(angle), _LANE_STEP / 2)
        angle += math.radians(turn)
        forward = _way(angle)
        point = _walk(point, forward, _LANE_STEP / 2)
        across = -forward[1], forward[0]
        corners = tuple(
            _walk(_walk(point, forward, along * _LANE_STEP / 2), across, side * _HALF)
            for along, side in ((-1, -1), (-1, 1), (1, 1), (1, -1))
        )
        tiles.append(Tile(point, corners, forward, point))
    return tuple(tiles)


def _nest(red: Point, grid: Nest, colour: int) -> Nest:
    return round_nest(turn_point(red, colour), _RADIUS, _SPOT, grid.box)


def _home(red: Point, grid: Nest, colour: int) -> Nest:
    """A Home, its name where the neighbours leave room for it."""
    nest = _nest(red, grid, colour)
    label = red[0] + _HOME_LABEL[0], red[1] + _HOME_LABEL[1]
    return replace(nest, label=turn_point(label, colour))


def _turn(tile: Tile, quarters: int) -> Tile:
    dx, dy = tile.forward
    for _ in range(quarters):
        dx, dy = -dy, dx
    return Tile(
        turn_point(tile.middle, quarters),
        tuple(turn_point(corner, quarters) for corner in tile.corners),
        (dx, dy),
        turn_point(tile.number, quarters),
    )


def _walk(point: Point, way: Point, length: float) -> Point:
    return point[0] + way[0] * length, point[1] + way[1] * length


def _way(angle: float) -> Point:
    """The unit vector of an angle that runs clockwise from upward."""
    return math.sin(angle), -math.cos(angle)
