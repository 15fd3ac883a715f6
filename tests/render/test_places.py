"""Where things lie that are told apart by their place alone: slots, marks, cards in a hand."""

from __future__ import annotations

import pytest

from sorry_env.render import ansi
from sorry_env.render.hands import hand_shapes
from sorry_env.render.layout import LETTERS, board_layout
from sorry_env.render.marks import pawn_marks
from sorry_env.render.shapes import TONES, Text
from sorry_env.rules import get_ruleset
from tests.render.views import StubView


@pytest.mark.parametrize("code", [0, 66], ids=["Start", "Home"])
@pytest.mark.parametrize("seat", range(4))
def test_a_slot_has_the_same_place_in_the_terminal_as_in_the_picture(seat: int, code: int) -> None:
    """Upper left, upper right, lower left, lower right: one pawn alone in the nest of each slot."""
    layout = board_layout(get_ruleset("classic"))
    nest = (layout.starts if code == 0 else layout.homes)[seat]
    places = []
    for slot in range(4):
        codes = tuple(code if one == slot else 30 + one for one in range(4))
        pawns = tuple(codes if one == seat else () for one in range(4))
        view = StubView(seats=(seat,), pawns=pawns)
        lines = ansi(view, colour=False).split("\n")
        column, row = nest.box
        found = [
            (line, at)
            for line in range(row, row + 3)
            for at in range(3 * column, 3 * column + 9)
            if lines[line][at : at + 3] == f"({LETTERS[seat].upper()})"
        ]
        assert len(found) == 1
        places += found
    assert [(line > row + 1, at > 3 * column + 3) for line, at in places] == [
        (False, False), (False, True), (True, False), (True, True),
    ]  # fmt: skip
    x, y = nest.centre
    assert [(spot[1] > y, spot[0] > x) for spot in nest.spots] == [
        (False, False), (False, True), (True, False), (True, True),
    ]  # fmt: skip


@pytest.mark.parametrize(("name", "below"), [("fire", False), ("ice", True)])
def test_two_tokens_of_one_pawn_lie_one_above_the_other(name: str, below: bool) -> None:
    rules = get_ruleset("fire-and-ice")
    layout = board_layout(rules)
    pawn = (1, 12)
    view = StubView(rules, fire=pawn, ice=pawn)
    shapes = [shape for shape in pawn_marks(layout, view) if shape.part.startswith(name)]
    assert len(shapes) == 1
    heights = [y for _, y in shapes[0].points]  # type: ignore[union-attr]
    middle = (min(heights) + max(heights)) / 2
    assert (middle > layout.point(*pawn)[1]) is below


def test_the_card_that_takes_is_red_in_a_hand() -> None:
    view = StubView(get_ruleset("points"), hands=(("1", "S", "12"), None, None, None))
    colours = {shape.text: shape.fill for shape in hand_shapes(view) if isinstance(shape, Text)}
    red = [text for text in ("1", "Sorry!", "S", "12") if colours.get(text) == TONES[0].text]
    assert red in (["Sorry!"], ["S"])
