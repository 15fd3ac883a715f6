"""The board as an SVG picture: one self-contained text, without scripts, fonts or links.

A thin painter of the shapes of `scene.py`; read that before and `rgb.py`, which paints the same
shapes as pixels, after this file.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

from sorry_env.render.board import EXTENT, MARGIN
from sorry_env.render.layout import HOME, IN_START, Point
from sorry_env.render.scene import scene
from sorry_env.render.shapes import BASELINE, Circle, Line, Polygon, Rect, Shape, Text
from sorry_env.render.size import check_size
from sorry_env.render.snapshot import WAITING, Played, Snapshot
from sorry_env.render.words import (
    card_face,
    colour_name,
    hand_size,
    headline,
    mood_words,
    pile_size,
    start_name,
    token_words,
)


def svg(view: Snapshot, *, size: int = 640, last_move: Played | None = None) -> str:
    """The board as SVG text, `size` pixels wide and high; it may be scaled without loss.

    view:      what is drawn; nothing but the attributes of `Snapshot` is read
    last_move: a move to mark with rings and a line (its parts' colours and codes are read)

    The first child elements `title` and `desc` tell the position in words. Shapes that stand for
    something carry it as `data-part`: `pawn-r0`, `square-12`, `safety-b3`, `start-g`, `card`, ...
    Raises RequestError for an impossible size, PositionError for an impossible pawn.
    """
    title = f"Sorry! board: {headline(view)}"
    return svg_text(scene(view, last_move), title, describe(view), size)


def svg_text(shapes: Iterable[Shape], title: str, words: str, size: int) -> str:
    """Any picture as SVG text, `size` pixels wide and high.

    shapes: in board units, in the order they are painted
    title, words: what it shows, in short and in whole sentences
    """
    check_size(size)
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{size}" height="{size}" '
        f'viewBox="{-MARGIN:g} {-MARGIN:g} {EXTENT:g} {EXTENT:g}" role="img" '
        f'font-family="Helvetica, Arial, sans-serif" text-anchor="middle">',
        f"<title>{escape(title)}</title>",
        f"<desc>{escape(words)}</desc>",
        *map(element, shapes),
        "</svg>",
    ]
    return "\n".join(lines) + "\n"


def describe(view: Snapshot) -> str:
    """The position in a few sentences, for people who hear the picture."""
    sentences = [headline(view)]
    if view.card is not None and view.card != WAITING:
        sentences.append(f"Card {card_face(view.card)}")
    left = pile_size(view)
    if left is not None:
        sentences.append(f"{left} cards left in the pile")
    for seat in view.seats:
        codes = view.pawns[seat]
        home = sum(code == HOME for code in codes)
        start = sum(code == IN_START for code in codes)
        way = len(codes) - home - start
        place = start_name(view.ruleset)
        sentences.append(f"{colour_name(seat)}: {home} Home, {way} on the way, {start} in {place}")
    for seat in view.seats if view.hands is not None else ():
        sentences.append(f"{colour_name(seat)} holds {_hand(view, seat)}")
    sentences += (*token_words(view), *mood_words(view))
    return ". ".join(sentences) + "."


def _hand(view: Snapshot, seat: int) -> str:
    hand = view.hands[seat] if view.hands is not None else None
    return f"{hand_size(view, seat)} cards" if hand is None else ", ".join(map(card_face, hand))


def element(shape: Shape) -> str:
    """A shape as one SVG element; texts take their anchor and font from what they stand in."""
    part = _attributes(data_part=shape.part or None)
    match shape:
        case Rect():
            place = _attributes(
                x=shape.x, y=shape.y, width=shape.w, height=shape.h, rx=shape.radius or None
            )
            return f"<rect{place}{_paint(shape.fill, shape.stroke, shape.width)}{part}/>"
        case Circle():
            place = _attributes(cx=shape.x, cy=shape.y, r=shape.r)
            return f"<circle{place}{_paint(shape.fill, shape.stroke, shape.width)}{part}/>"
        case Polygon():
            place = _attributes(points=_points(shape.points), stroke_linejoin="round")
            return f"<polygon{place}{_paint(shape.fill, shape.stroke, shape.width)}{part}/>"
        case Line():
            place = _attributes(points=_points(shape.points), stroke_linecap="round")
            return f"<polyline{place}{_paint(None, shape.stroke, shape.width)}{part}/>"
        case Text():
            place = _attributes(
                x=shape.x,
                y=shape.y + BASELINE * shape.size,
                font_size=shape.size,
                font_weight="bold" if shape.bold else None,
                fill=shape.fill,
            )
            return f"<text{place}{part}>{escape(shape.text)}</text>"


def _paint(fill: str | None, stroke: str | None, width: float) -> str:
    outline = _attributes(stroke=stroke, stroke_width=width) if stroke else ""
    return _attributes(fill=fill or "none") + outline


def _attributes(**values: str | float | None) -> str:
    return "".join(
        f' {name.replace("_", "-")}="{escape(v) if isinstance(v, str) else _number(v)}"'
        for name, v in values.items()
        if v is not None
    )


def _points(points: Sequence[Point]) -> str:
    return " ".join(f"{_number(x)},{_number(y)}" for x, y in points)


def _number(value: float) -> str:
    return f"{round(value, 3):g}"
