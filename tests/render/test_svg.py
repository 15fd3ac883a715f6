"""The SVG picture: well formed, complete, and telling the position in words."""

from __future__ import annotations

import itertools
import math
import subprocess
import sys
from dataclasses import replace
from xml.etree import ElementTree

import pytest

from sorry_env.errors import PositionError, RequestError
from sorry_env.render import picture_layout, svg
from sorry_env.render.board import MARGIN, PAWN_RADIUS
from sorry_env.render.layout import GRID
from sorry_env.render.scene import scene
from sorry_env.render.shapes import Circle, Line, Polygon, Rect, Shape, Text
from sorry_env.render.words import card_words
from sorry_env.rules import LETTERS, RULESETS, Card, get_ruleset
from tests.render.views import StubMove, StubPart, StubView, two_seats

NS = "{http://www.w3.org/2000/svg}"


def parse(view: StubView, **options: object) -> ElementTree.Element:
    return ElementTree.fromstring(svg(view, **options))  # type: ignore[arg-type]


def parts(root: ElementTree.Element, prefix: str) -> list[ElementTree.Element]:
    return [e for e in root.iter() if e.get("data-part", "").startswith(prefix)]


def words(root: ElementTree.Element) -> list[str]:
    return [e.text or "" for e in root.iter(f"{NS}text")]


def extent(shape: Shape) -> tuple[float, float, float, float]:
    """Left, top, right and bottom edge; a text is taken for 0.6 of its size a letter."""
    match shape:
        case Rect(x=x, y=y, w=w, h=h):
            return x, y, x + w, y + h
        case Circle(x=x, y=y, r=r):
            return x - r, y - r, x + r, y + r
        case Text(x=x, y=y, text=text, size=size):
            half = 0.3 * size * len(text)
            return x - half, y - size / 2, x + half, y + size / 2
        case Line(points=points) | Polygon(points=points):
            xs, ys = zip(*points, strict=True)
            return min(xs), min(ys), max(xs), max(ys)


def test_every_pawn_is_drawn_once_in_its_place_with_its_letter() -> None:
    view = StubView()
    root = parse(view)
    pawns = {p.get("data-part"): p for p in parts(root, "pawn-")}
    assert len(pawns) == len(parts(root, "pawn-")) == 16
    layout = picture_layout(view.ruleset)
    for colour, slot in itertools.product(range(4), range(4)):
        pawn = pawns[f"pawn-{LETTERS[colour]}{slot}"]
        x, y = layout.point(colour, view.pawns[colour][slot], slot)
        assert float(pawn.get("cx", "")) == pytest.approx(x)
        assert float(pawn.get("cy", "")) == pytest.approx(y)
    assert [words(root).count(letter) for letter in "RBYG"] == [4, 4, 4, 4]


def test_the_board_is_complete() -> None:
    root = parse(StubView())
    names = {e.get("data-part") for e in root.iter()}
    assert {f"square-{n}" for n in range(60)} <= names
    assert {f"safety-{c}{n}" for c in "rbyg" for n in range(1, 6)} <= names
    for kind in ("start", "home", "slide"):
        assert {f"{kind}-{c}" for c in "rbyg"} <= names
    assert len([e for e in parts(root, "slide-") if e.tag == f"{NS}polygon"]) == 8
    assert not parts(root, "diamond-")
    assert {"turn", "card", "pile"} <= names


def test_the_old_board_has_its_diamonds() -> None:
    root = parse(StubView(ruleset=get_ruleset("first-edition")))
    assert {e.get("data-part") for e in parts(root, "diamond-")} == {
        "diamond-3",
        "diamond-18",
        "diamond-33",
        "diamond-48",
    }


def test_a_colour_that_is_not_seated_has_a_board_but_no_pawns() -> None:
    root = parse(two_seats())
    assert len(parts(root, "pawn-")) == 8
    assert not parts(root, "pawn-b")
    assert not parts(root, "score-1")
    assert parts(root, "start-b")
    assert "Blue" not in (root.findtext(f"{NS}desc") or "")


def test_title_and_description_tell_the_position() -> None:
    root = parse(StubView())
    assert root[0].tag == f"{NS}title"
    assert root[0].text == "Sorry! board: Red to play"
    description = root.findtext(f"{NS}desc") or ""
    assert "Card 7. 44 cards left" in description
    assert "Red: 1 Home, 2 on the way, 1 in Start." in description
    assert root.get("role") == "img"


def test_the_card_says_what_it_does() -> None:
    shown = words(parse(StubView()))
    assert {"7", "forward 7", "or split the 7", "44 left", "Red to play"} <= set(shown)
    assert "Sorry!" in words(parse(StubView(card="S")))


def test_before_a_draw_and_with_an_endless_or_empty_pile() -> None:
    waiting = words(parse(StubView(card="?", turn=2, actor=2, unseen=None)))
    assert {"?", "Yellow draws", "endless"} <= set(waiting)
    assert "empty" in words(parse(StubView(unseen=(0,) * 11)))


def test_another_seat_may_decide() -> None:
    assert "Green's turn, Blue decides" in words(parse(StubView(turn=3, actor=1)))


def test_a_finished_game_shows_the_winner() -> None:
    view = StubView(card=None, winners=(0,), turn=0)
    root = parse(replace(view, pawns=((66,) * 4, *view.pawns[1:])))
    assert "Red wins" in words(root)
    assert [e.get("data-part") for e in parts(root, "winner-")] == ["winner-r"]
    assert not parts(root, "card")
    assert "Red and Yellow win" in words(parse(replace(view, winners=(0, 2))))


def test_the_last_move_is_marked_under_the_pawns() -> None:
    move = StubMove((StubPart(0, 23, 30), StubPart(3, 40, 0)))
    root = parse(StubView(), last_move=move)
    assert len(parts(root, "last-move")) == 2 * 3
    order = [e.get("data-part", "") for e in root.iter()]
    last_mark = max(i for i, part in enumerate(order) if part == "last-move")
    assert last_mark < min(i for i, part in enumerate(order) if part.startswith("pawn-"))
    assert not parts(parse(StubView()), "last-move")


@pytest.mark.parametrize("name", RULESETS)
def test_every_ruleset_and_card_is_drawn_inside_the_frame(name: str) -> None:
    ruleset = get_ruleset(name)
    pawns = tuple((0,) * ruleset.pawns for _ in range(4))
    for card in (*ruleset.card_names, "?", None):
        view = StubView(ruleset=ruleset, card=card, pawns=pawns)
        assert len(parts(parse(view), "pawn-")) == 4 * ruleset.pawns
        for shape in scene(view):
            x0, y0, x1, y1 = extent(shape)
            assert min(x0, y0) >= -MARGIN, shape
            assert max(x1, y1) <= GRID + MARGIN, shape


def test_pawns_on_neighbouring_squares_do_not_touch() -> None:
    assert PAWN_RADIUS < 0.45


def test_words_of_a_card_come_from_its_data() -> None:
    assert card_words(Card("1", forward=1, start=True)) == ("leave Start", "or forward 1")
    assert card_words(Card("4", backward=4)) == ("back 4",)
    assert card_words(Card("2", forward=2, start=True, again=True))[-1] == "then draw again"
    assert card_words(Card("11", forward=11, switch=True)) == ("forward 11", "or switch places")


def test_size_scales_the_same_picture() -> None:
    small, large = parse(StubView(), size=100), parse(StubView(), size=1000)
    assert small.get("width") == "100"
    assert large.get("height") == "1000"
    assert small.get("viewBox") == large.get("viewBox")


@pytest.mark.parametrize("size", [0, -1, 15, 10**6, 6.5, "640"])
def test_an_impossible_size_is_refused(size: object) -> None:
    with pytest.raises(RequestError, match="picture size"):
        svg(StubView(), size=size)  # type: ignore[arg-type]


def test_an_impossible_pawn_is_refused() -> None:
    with pytest.raises(PositionError, match="77"):
        svg(two_seats(pawns=((77, 0, 0, 0), (), (0,) * 4, ())))


def test_importing_the_package_loads_no_painter() -> None:
    code = "import sys, sorry_env.render; assert not {'PIL', 'pygame'} & set(sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_a_move_to_come_is_an_arrow_from_its_pawn() -> None:
    """Red's pawn in slot 2 stands on code 30 and goes 5 steps: ring, shaft, head at its end."""
    view = StubView()
    layout = picture_layout(view.ruleset)
    shapes = scene(view, next_move=StubMove((StubPart(0, 30, 35),)))
    added = [shape for shape in shapes if getattr(shape, "part", "") == "next-move"]
    assert shapes[: -len(added)] == scene(view), "it lies above everything else"
    ring = next(shape for shape in added if isinstance(shape, Circle))
    assert (ring.x, ring.y) == layout.point(0, 30) and ring.fill is None
    head = next(shape for shape in added if isinstance(shape, Polygon))
    assert math.dist(head.points[0], layout.point(0, 35)) < 0.1
    shaft = [shape for shape in added if isinstance(shape, Line)]
    assert all(math.dist(line.points[0], layout.point(0, 30)) < 0.5 for line in shaft)


def test_a_move_without_pawns_has_no_arrow() -> None:
    assert scene(StubView(), next_move=StubMove(())) == scene(StubView())
