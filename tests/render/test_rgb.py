"""The pixels: shape, determinism, and colours where the layout puts them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from sorry_env.errors import RequestError
from sorry_env.render import picture_layout, rgb
from sorry_env.render.board import EXTENT, MARGIN
from sorry_env.render.shapes import TONES
from tests.render.views import StubMove, StubPart, StubView, two_seats

SIZE = 480


def at(pixels: NDArray[np.uint8], point: tuple[float, float]) -> str:
    x, y = ((p + MARGIN) * pixels.shape[0] / EXTENT for p in point)
    return "#" + "".join(f"{channel:02x}" for channel in pixels[int(y), int(x)])


def changed(a: NDArray[np.uint8], b: NDArray[np.uint8]) -> NDArray[Any]:
    return np.argwhere((a != b).any(axis=2))


@pytest.mark.parametrize("size", [16, 101, 640])
def test_shape_and_dtype(size: int) -> None:
    pixels = rgb(StubView(), size=size)
    assert pixels.shape == (size, size, 3)
    assert pixels.dtype == np.uint8
    assert pixels.flags.writeable
    assert pixels.flags.c_contiguous


def test_the_default_size_is_640() -> None:
    assert rgb(StubView()).shape == (640, 640, 3)


def test_same_view_same_pixels() -> None:
    assert (rgb(StubView(), size=SIZE) == rgb(StubView(), size=SIZE)).all()


def test_every_pawn_is_painted_in_its_colour_at_its_place() -> None:
    view = StubView()
    assert [len(codes) for codes in view.pawns] == [4, 4, 4, 4]
    pixels, layout = rgb(view, size=SIZE), picture_layout(view.ruleset)
    for colour, codes in enumerate(view.pawns):
        for slot, code in enumerate(codes):
            x, y = layout.point(colour, code, slot)
            assert at(pixels, (x + 0.21, y)) == TONES[colour].main  # beside the letter


def test_moving_a_pawn_changes_its_two_places_only() -> None:
    before = rgb(two_seats(pawns=((5, 0, 0, 0), (), (0,) * 4, ())), size=SIZE)
    after = rgb(two_seats(pawns=((6, 0, 0, 0), (), (0,) * 4, ())), size=SIZE)
    places = changed(before, after)
    assert len(places)
    unit = SIZE / EXTENT
    # Codes 5 and 6 of Red are squares 7 and 8: columns 7 and 8 of the top row.
    assert places[:, 0].max() < (1 + MARGIN) * unit
    assert places[:, 1].min() > (7 + MARGIN) * unit - 1
    assert places[:, 1].max() < (9 + MARGIN) * unit + 1


@pytest.mark.parametrize(
    "other",
    [
        StubView(card="8"),
        StubView(card="?"),
        StubView(turn=1, actor=1),
        StubView(winners=(2,), card=None),
        StubView(unseen=(1,) * 11),
        StubView(unseen=None),
    ],
)
def test_card_turn_winner_and_pile_are_seen(other: StubView) -> None:
    assert len(changed(rgb(StubView(), size=SIZE), rgb(other, size=SIZE)))


def test_the_last_move_is_seen() -> None:
    move = StubMove((StubPart(0, 23, 30),))
    plain, marked = rgb(StubView(), size=SIZE), rgb(StubView(), size=SIZE, last_move=move)
    assert len(changed(plain, marked))


def test_edges_are_smooth() -> None:
    # A picture without mixed colours has but its palette and what the letters add.
    assert len(np.unique(rgb(StubView(), size=SIZE).reshape(-1, 3), axis=0)) > 200


@pytest.mark.parametrize("size", [0, -640, 15, 10**6, 64.0])
def test_an_impossible_size_is_refused(size: object) -> None:
    with pytest.raises(RequestError, match="picture size"):
        rgb(StubView(), size=size)  # type: ignore[arg-type]
