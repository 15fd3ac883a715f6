"""The dice game as shapes: bases, the start base with its pawns, and the dice.

Shapes, tones and board units are those of `render/shapes.py`. Read it and `view.py` before and
`pictures.py` after this file.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from sorry_env.express.notation import move_text
from sorry_env.express.rules import FACES, SLIDE, SORRY, WILD
from sorry_env.express.state import COLOURS, DICE
from sorry_env.express.view import ExpressMove, ExpressReader
from sorry_env.render.board import EXTENT, MARGIN
from sorry_env.render.layout import GRID, Point
from sorry_env.render.shapes import (
    FELT,
    GRID_LINE,
    INK,
    MARK,
    MUTED,
    PAPER,
    SHADOW,
    SQUARE,
    TABLE,
    TONES,
    Circle,
    Line,
    Polygon,
    Rect,
    Shape,
    Text,
)
from sorry_env.rules import COLOURS as COLOUR_NAMES

_BASE_W, _BASE_H = 7.4, 4.9
_LEFT, _MIDDLE, _RIGHT = 0.4, 4.3, 8.2
_TOP, _BOTTOM = 0.4, 10.7
#: Upper left corners of the bases by number of players, clockwise round the table.
_CORNERS: Final[dict[int, tuple[Point, ...]]] = {
    2: ((_MIDDLE, _TOP), (_MIDDLE, _BOTTOM)),
    3: ((_LEFT, _TOP), (_RIGHT, _TOP), (_MIDDLE, _BOTTOM)),
    4: ((_LEFT, _TOP), (_RIGHT, _TOP), (_RIGHT, _BOTTOM), (_LEFT, _BOTTOM)),
}
_DIE, _DICE_X, _DICE_Y = 2.0, 8.75, 7.1
_DIE_STEP = 2.35
#: Words on the faces that are no colours.
SPECIALS: Final = {SORRY: "Sorry!", WILD: "Wild", SLIDE: "Slide"}


def headline(view: ExpressReader) -> str:
    """Who has won, or who is to do what."""
    if view.over:
        return f"Player {view.winners[0]} wins"
    return f"Player {view.turn} {'rolls' if view.waiting else 'to play'}"


def scene(view: ExpressReader, last_move: ExpressMove | None = None) -> Iterator[Shape]:
    """All shapes, in the order they are painted.

    last_move: a move to tell of below the dice
    """
    yield Rect(-MARGIN, -MARGIN, EXTENT, EXTENT, TABLE, radius=0.5, part="frame")
    yield Rect(0, 0, GRID, GRID, FELT, radius=0.4, part="felt")
    for seat, corner in zip(view.seats, _CORNERS[len(view.seats)], strict=True):
        yield from _base(view, seat, corner)
    yield from _banner(view)
    yield from _pool(view)
    for die in range(1, DICE + 1):
        yield from _die(view, die)
    if last_move is not None:
        words = f"last: {move_text(last_move)}"
        yield Text(_DICE_X + _DIE_STEP + _DIE / 2, 10.2, words, 0.42, MUTED, part="last-move")


def _base(view: ExpressReader, seat: int, corner: Point) -> Iterator[Shape]:
    """A player's base: the Home section at the left, the waiting area by colour beside it."""
    x, y = corner
    home, held = view.homes[seat], view.held[seat]
    tone = TONES[home]
    leads = seat == (view.winners[0] if view.over else view.turn)
    yield Rect(x + 0.09, y + 0.09, _BASE_W, _BASE_H, SHADOW, radius=0.4)
    edge, width = (MARK, 0.16) if leads else (tone.dark, 0.05)
    yield Rect(x, y, _BASE_W, _BASE_H, PAPER, edge, width, 0.4, f"base-{seat}")
    yield Rect(x + 0.22, y + 0.22, _BASE_W - 0.44, 0.8, tone.main, radius=0.3)
    yield Text(x + 1.75, y + 0.62, f"Player {seat}", 0.5, tone.ink, True)
    name = f"{COLOUR_NAMES[home].capitalize()} Home {held[home]}/{sum(_all(view, home))}"
    yield Text(x + 5.1, y + 0.62, name, 0.46, tone.ink)
    yield Rect(x + 0.25, y + 1.2, 2.9, 3.45, tone.tint, tone.main, 0.06, 0.3, f"home-{seat}")
    yield Text(x + 1.7, y + 1.55, "Home", 0.36, tone.text, True)
    for place in range(4):
        at = (x + 1.05 + 1.3 * (place % 2), y + 2.4 + 1.35 * (place // 2))
        yield from _pawn(at, 0.5, home, place < held[home], f"home-{seat}-{place}")
    yield Text(x + 5.25, y + 1.4, "Waiting", 0.36, MUTED, True)
    for column, colour in enumerate(c for c in range(COLOURS) if c != home):
        left = x + 3.4 + 1.27 * column
        yield Rect(left, y + 1.7, 1.15, 2.95, SQUARE, GRID_LINE, 0.04, 0.25)
        for place in range(4):
            at = (left + 0.575, y + 2.08 + 0.73 * place)
            part = f"waiting-{seat}-{FACES[colour]}{place}"
            yield from _pawn(at, 0.3, colour, place < held[colour], part)


def _all(view: ExpressReader, colour: int) -> tuple[int, ...]:
    """Where the pawns of a colour are: by seat, and on the start base."""
    return (*(held[colour] for held in view.held), view.pool[colour])


def _pawn(at: Point, r: float, colour: int, there: bool, part: str) -> Iterator[Shape]:
    tone = TONES[colour]
    if not there:
        yield Circle(*at, 0.72 * r, None, tone.slide, 0.04)
        return
    yield Circle(*at, r, tone.main, tone.dark, 0.07, part)
    yield Text(*at, FACES[colour].upper(), r, tone.ink, True)


def _banner(view: ExpressReader) -> Iterator[Shape]:
    yield Rect(4.9, 5.6, 6.2, 0.8, INK, radius=0.4, part="turn")
    yield Text(8.0, 6.0, headline(view), 0.52, PAPER, True)


def _pool(view: ExpressReader) -> Iterator[Shape]:
    yield Rect(0.6, 6.65, 7.5, 3.8, SQUARE, GRID_LINE, 0.06, 0.5, "pool")
    yield Text(4.35, 7.02, "Start base", 0.38, MUTED, True)
    for colour, count in enumerate(view.pool):
        for place in range(4):
            at = (1.65 + 1.8 * colour, 7.65 + 0.78 * place)
            yield from _pawn(at, 0.35, colour, place < count, f"pool-{FACES[colour]}{place}")


def _die(view: ExpressReader, die: int) -> Iterator[Shape]:
    """A die with its face; an empty place where it has been resolved."""
    x, y = _DICE_X + _DIE_STEP * (die - 1), _DICE_Y
    middle = (x + _DIE / 2, y + _DIE / 2)
    face = view.dice.get(die)
    yield Text(middle[0], y + _DIE + 0.42, str(die), 0.4, MUTED, True)
    if face is None:
        yield Rect(x, y, _DIE, _DIE, None, GRID_LINE, 0.07, 0.35)
        if view.waiting:
            yield Text(*middle, "?", 1.1, GRID_LINE, True, f"die-{die}")
        return
    yield Rect(x + 0.08, y + 0.08, _DIE, _DIE, SHADOW, radius=0.35)
    yield Rect(x, y, _DIE, _DIE, PAPER, INK, 0.06, 0.35, f"die-{die}")
    yield from _face(FACES.index(face), middle)


def _face(face: int, at: Point) -> Iterator[Shape]:
    x, y = at
    if face < COLOURS:
        yield from _pawn(at, 0.68, face, True, f"face-{FACES[face]}")
        return
    word = Text(x, y + 0.6, SPECIALS[face], 0.42, INK, True, f"face-{FACES[face]}")
    if face == SORRY:
        yield Text(x, y, SPECIALS[face], 0.58, TONES[0].text, True, f"face-{FACES[face]}")
    elif face == WILD:
        y -= 0.2
        tips = ((x - 0.62, y), (x, y - 0.62), (x + 0.62, y), (x, y + 0.62))
        for colour, tone in enumerate(TONES):
            yield Polygon((tips[colour], tips[(colour + 1) % 4], (x, y)), tone.main, PAPER, 0.05)
        yield word
    else:
        yield Line(((x - 0.6, y - 0.2), (x + 0.4, y - 0.2)), INK, 0.16)
        tip = ((x + 0.68, y - 0.2), (x + 0.28, y - 0.52), (x + 0.28, y + 0.12))
        yield Polygon(tip, INK)
        yield word
