"""Where squares lie, against the board of the rules worked out by hand."""

from __future__ import annotations

import itertools
import math

import pytest

from sorry_env.errors import PositionError
from sorry_env.render.layout import GRID, HOME, Cell, Nest, board_layout, middle, outer_square
from sorry_env.rules import get_ruleset

LAYOUT = board_layout(get_ruleset("classic"))
OLD_BOARD = board_layout(get_ruleset("first-edition"))


def adjacent(a: Cell, b: Cell) -> bool:
    return abs(a[0] - b[0]) + abs(a[1] - b[1]) == 1


def nests() -> list[Nest]:
    return [*LAYOUT.starts, *LAYOUT.homes]


@pytest.mark.parametrize(
    ("square", "cell"),
    [
        (0, (0, 0)),
        (1, (1, 0)),
        (14, (14, 0)),
        (15, (15, 0)),
        (16, (15, 1)),
        (30, (15, 15)),
        (31, (14, 15)),
        (45, (0, 15)),
        (46, (0, 14)),
        (59, (0, 1)),
    ],
)
def test_outer_squares_run_clockwise_from_the_top_left_corner(square: int, cell: Cell) -> None:
    assert LAYOUT.track[square] == cell


def test_the_track_is_the_closed_border_of_the_grid() -> None:
    assert len(set(LAYOUT.track)) == 60
    for a, b in itertools.pairwise((*LAYOUT.track, LAYOUT.track[0])):
        assert adjacent(a, b)
        assert 0 in a or GRID - 1 in a


@pytest.mark.parametrize(
    ("colour", "code", "square"),
    [
        # Red: diamond 3, circle 4, entry 2. The others are sides of 15 squares further on.
        (0, 1, 3),
        (0, 2, 4),
        (0, 58, 0),
        (0, 60, 2),
        (1, 2, 19),
        (1, 60, 17),
        (2, 2, 34),
        (2, 60, 32),
        (3, 2, 49),
        (3, 13, 0),
        (3, 60, 47),
    ],
)
def test_pawn_codes_are_squares(colour: int, code: int, square: int) -> None:
    assert outer_square(colour, code) == square
    assert LAYOUT.cell(colour, code) == LAYOUT.track[square]


def test_reds_safety_zone_goes_down_from_square_2() -> None:
    assert LAYOUT.safety[0] == ((2, 1), (2, 2), (2, 3), (2, 4), (2, 5))


def test_safety_zones_are_chains_from_the_entry_to_home() -> None:
    for colour in range(4):
        entry = LAYOUT.track[15 * colour + 2]
        chain = (entry, *LAYOUT.safety[colour])
        assert len(set(chain)) == 6
        assert all(adjacent(a, b) for a, b in itertools.pairwise(chain))
        home = LAYOUT.homes[colour]
        gap = math.dist(middle(chain[-1]), home.centre) - home.radius
        assert abs(gap - 0.5) < 0.1  # the circle touches the last square's edge


def test_start_lies_next_to_the_circle() -> None:
    for colour in range(4):
        circle, start = LAYOUT.track[15 * colour + 4], LAYOUT.starts[colour]
        gap = math.dist(middle(circle), start.centre) - start.radius
        assert 0.5 <= gap < 1
        # Straight inward from the circle: one coordinate is the same.
        assert any(math.isclose(a, b) for a, b in zip(middle(circle), start.centre, strict=True))


def test_nests_overlap_nothing() -> None:
    for nest in nests():
        for cell in (*LAYOUT.track, *itertools.chain(*LAYOUT.safety)):
            nearest = [min(max(p, c), c + 1) for p, c in zip(nest.centre, cell, strict=True)]
            assert math.dist(nest.centre, nearest) > nest.radius - 0.1
    for a, b in itertools.combinations(nests(), 2):
        assert math.dist(a.centre, b.centre) > a.radius + b.radius


def test_names_of_nests_stand_inward_of_their_circles() -> None:
    """Below those of the upper half and above those of the lower one, away from the track."""
    middle_line = GRID / 2
    assert nests()
    for nest in nests():
        x, y = nest.label
        assert x == nest.centre[0]
        assert (y > nest.centre[1]) == (nest.centre[1] < middle_line)
        assert nest.radius < abs(y - nest.centre[1]) < nest.radius + 0.5
        assert min(math.dist((x, y), middle(cell)) for cell in LAYOUT.track) > 1


def test_text_boxes_of_nests_cover_no_square_and_not_each_other() -> None:
    used = [*LAYOUT.track, *itertools.chain(*LAYOUT.safety)]
    for nest in nests():
        column, row = nest.box
        used += [(column + i, row + j) for i in range(3) for j in range(3)]
        assert column <= nest.centre[0] <= column + 3
        assert row <= nest.centre[1] <= row + 3
    assert len(set(used)) == len(used)


def test_every_place_of_a_colour_is_distinct_and_on_the_board() -> None:
    for colour in range(4):
        points = [LAYOUT.point(colour, code) for code in range(1, HOME)]
        points += [LAYOUT.point(colour, code, slot) for code in (0, HOME) for slot in range(4)]
        assert len(set(points)) == 65 + 8
        assert all(0 < x < GRID and 0 < y < GRID for x, y in points)
        assert all(math.dist(a, b) > 0.9 for a, b in itertools.combinations(points, 2))


def test_only_outer_squares_are_shared_by_colours() -> None:
    private = [
        LAYOUT.point(colour, code, 0) for colour in range(4) for code in (0, *range(61, HOME + 1))
    ]
    assert len(set(private)) == len(private)


def test_slides() -> None:
    assert [(s.colour, s.squares[0], s.squares[-1]) for s in LAYOUT.slides] == [
        (0, 1, 4),
        (0, 9, 13),
        (1, 16, 19),
        (1, 24, 28),
        (2, 31, 34),
        (2, 39, 43),
        (3, 46, 49),
        (3, 54, 58),
    ]
    assert LAYOUT.slides[0].squares == (1, 2, 3, 4)
    assert board_layout(get_ruleset("classic?slides=none")).slides == ()


def test_diamonds_are_on_old_boards_only() -> None:
    assert LAYOUT.diamonds == ()
    assert OLD_BOARD.diamonds == (3, 18, 33, 48)


@pytest.mark.parametrize("code", [-1, 67])
def test_a_code_that_is_no_place_is_refused(code: int) -> None:
    with pytest.raises(PositionError, match=str(code)) as caught:
        LAYOUT.point(2, code)
    assert caught.value.value == code
