"""The clover leaf: every place distinct, pawns side by side, and the same ring as on the grid."""

from __future__ import annotations

import itertools
import math
from xml.etree import ElementTree

import pytest

from sorry_env.render import Leaf, board_layout, picture_layout, svg
from sorry_env.render.board import PAWN_RADIUS
from sorry_env.render.layout import GRID, HOME, Point
from sorry_env.rules import get_ruleset
from tests.render.views import StubView

BUMP_EM = get_ruleset("bump-em")
LEAF = picture_layout(BUMP_EM)
TURBOS = (0, 15, 30, 45)


def leaf() -> Leaf:
    assert isinstance(LEAF, Leaf)
    return LEAF


def places() -> list[Point]:
    """Every place that a pawn can stand on: 60 squares, 20 safety squares, 8 nests of 4."""
    points = [LEAF.square(number) for number in range(60)]
    for colour in range(4):
        points += [LEAF.point(colour, code) for code in range(61, HOME)]
        points += [LEAF.point(colour, code, slot) for code in (0, HOME) for slot in range(4)]
    return points


def test_only_turbo_squares_make_a_leaf() -> None:
    assert not isinstance(picture_layout(get_ruleset("classic")), Leaf)
    assert board_layout(BUMP_EM).turbos == LEAF.turbos == TURBOS
    assert LEAF.slides == ()


def test_no_two_pawns_can_touch() -> None:
    points = places()
    assert len(points) == 60 + 20 + 32
    closest = min(math.dist(a, b) for a, b in itertools.combinations(points, 2))
    assert closest > 2 * (PAWN_RADIUS + 0.03)


def test_everything_is_on_the_board() -> None:
    for x, y in (*places(), *(tile.number for tile in leaf().tiles)):
        assert -0.25 < x < GRID + 0.25
        assert -0.25 < y < GRID + 0.25


def test_a_square_is_the_same_for_all_colours() -> None:
    # Circles are squares 4 and 19, Yellow's entry is 32; from 19 it is 45 squares on to 4.
    assert LEAF.point(0, 2) == LEAF.square(4)
    assert LEAF.point(1, 2) == LEAF.square(19)
    assert LEAF.point(2, 60) == LEAF.square(32)
    assert LEAF.point(1, 2 + 45) == LEAF.square(4)


def test_the_ring_is_closed_and_evenly_spaced() -> None:
    ring = [*(LEAF.square(n) for n in range(60)), LEAF.square(0)]
    steps = [math.dist(a, b) for a, b in itertools.pairwise(ring)]
    assert min(steps) > 0.8
    assert max(steps) < 1.1
    for tile, after in itertools.pairwise(leaf().tiles):
        shared = {(round(x, 6), round(y, 6)) for x, y in tile.corners}
        assert len(shared & {(round(x, 6), round(y, 6)) for x, y in after.corners}) == 2


def test_it_has_four_lobes_with_turbo_squares_at_their_tips() -> None:
    middle = (GRID / 2, GRID / 2)
    far = [math.dist(LEAF.square(number), middle) for number in range(60)]
    tips = [n for n in range(60) if far[n] > max(far[n - 1], far[(n + 1) % 60])]
    assert tuple(tips) == TURBOS
    # Half way between two tips the ring comes much closer to the middle.
    assert all(far[side + 7] < 0.7 * far[side] for side in TURBOS)


def test_sides_are_turned_by_quarters() -> None:
    for number in range(60):
        x, y = LEAF.square(number)
        assert LEAF.square((number + 15) % 60) == pytest.approx((GRID - y, x))


def test_safety_zones_lead_from_the_entry_to_home() -> None:
    for colour in range(4):
        chain = [LEAF.point(colour, code) for code in range(60, HOME)]
        assert all(0.75 < math.dist(a, b) < 1 for a, b in itertools.pairwise(chain))
        home = LEAF.homes[colour]
        assert 0.3 < math.dist(chain[-1], home.centre) - home.radius < 0.5


def test_nests_overlap_no_square_and_no_nest() -> None:
    squares = [LEAF.square(number) for number in range(60)]
    nests = [*LEAF.starts, *LEAF.homes]
    for nest in nests:
        assert min(math.dist(nest.centre, square) for square in squares) > nest.radius + 0.46
    for a, b in itertools.combinations(nests, 2):
        assert math.dist(a.centre, b.centre) > a.radius + b.radius
    for colour, start in enumerate(LEAF.starts):
        lane = [LEAF.point(colour, code) for code in range(61, HOME)]
        assert min(math.dist(start.centre, point) for point in lane) > start.radius + 0.46


def test_the_picture_of_a_leaf() -> None:
    view = StubView(ruleset=BUMP_EM, card="B", unseen=(4,) * 13)
    root = ElementTree.fromstring(svg(view))
    names = {element.get("data-part") for element in root.iter()}
    assert {f"square-{n}" for n in range(60)} <= names
    assert {n for n in names if n and n.startswith("turbo-")} == {f"turbo-{n}" for n in TURBOS}
    words = [element.text for element in root.iter() if element.tag.endswith("text")]
    assert words.count("Pit row") == 4
    assert "Start" not in words
    assert {str(n) for n in range(60)} <= set(words)
    assert "Bump" in words
    pawns = [element for element in root.iter() if element.get("data-part", "") == "pawn-b0"]
    assert [(float(p.get("cx", "")), float(p.get("cy", ""))) for p in pawns] == [
        pytest.approx(LEAF.point(1, 60), abs=0.001)
    ]
