"""The middle of the picture: the headline, the pile, the drawn card and the score of each seat.

Where players hold cards, `hands.py` takes the place of pile and card. Called by `scene.py`; read
that before and `hands.py` after this file.
"""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import wrap

from sorry_env.render.hands import hand_shapes
from sorry_env.render.layout import GRID, HOME
from sorry_env.render.marks import token_aside
from sorry_env.render.shapes import (
    FELT,
    GRID_LINE,
    INK,
    MUTED,
    PAPER,
    SHADOW,
    TABLE,
    TONES,
    Line,
    Polygon,
    Rect,
    Shape,
    Text,
)
from sorry_env.render.snapshot import WAITING, Snapshot
from sorry_env.render.words import (
    card_face,
    card_words,
    find_card,
    headline,
    leading_colour,
    letter,
    pile_size,
    start_name,
)

_MIDDLE = GRID / 2
_WIDTH = 7.1
_CARD_W, _CARD_H, _CARD_Y = 3.3, 4.7, 5.55
_PILE_X = _MIDDLE - 0.25 - _CARD_W
_CARD_X = _MIDDLE + 0.25
_SCORE_Y = 11.02
_LINE = 16  # letters in a line of a card
_ADVANCE = 0.55  # mean width of a letter, in font sizes, in a wide font


def centre_shapes(view: Snapshot) -> Iterator[Shape]:
    """The shapes of the middle, in the order they are painted."""
    yield from _banner(view)
    if view.hands is None:
        yield from _pile(view)
        yield from _card(view)
    else:
        yield from hand_shapes(view)
    yield from _score(view)
    if view.ruleset.tokens:
        aside = _WIDTH / 2 - 0.1
        if view.fire is None:
            yield from token_aside("fire", (_MIDDLE - aside, _SCORE_Y))
        if view.ice is None:
            yield from token_aside("ice", (_MIDDLE + aside, _SCORE_Y))


def _banner(view: Snapshot) -> Iterator[Shape]:
    """Who is to do what, in the colour of that seat."""
    text, tone = headline(view), TONES[leading_colour(view)]
    size = min(0.5, (_WIDTH - 0.6) / (len(text) * _ADVANCE))
    width = min(_WIDTH, max(4.4, len(text) * size * _ADVANCE + 1.0))
    box = (_MIDDLE - width / 2, 4.42, width, 0.78)
    yield Rect(*box, tone.main, tone.dark, 0.05, radius=0.39, part="turn")
    yield Text(_MIDDLE, 4.81, text, size, tone.ink, True)


def _pile(view: Snapshot) -> Iterator[Shape]:
    """The draw pile face down: its thickness and number tell how many cards are left."""
    size = pile_size(view)
    if size == 0:
        yield _outline(_PILE_X)
        yield Text(_PILE_X + _CARD_W / 2, _CARD_Y + _CARD_H / 2, "empty", 0.42, MUTED)
        return
    layers = 4 if size is None else min(4, 1 + size // 12)
    for layer in range(layers, 0, -1):
        shift = 0.07 * (layer - 1)
        fill = SHADOW if layer == layers and layers > 1 else PAPER
        yield _sheet(_PILE_X - shift, _CARD_Y + shift, fill)
    inset = 0.16
    box = (_PILE_X + inset, _CARD_Y + inset, _CARD_W - 2 * inset, _CARD_H - 2 * inset)
    yield Rect(*box, TABLE, radius=0.2, part="pile")
    yield from _rose(_PILE_X + _CARD_W / 2, _CARD_Y + 1.95)
    words = "endless" if size is None else f"{size} left"
    yield Text(_PILE_X + _CARD_W / 2, _CARD_Y + 3.85, words, 0.48, FELT, True)


def _rose(x: float, y: float) -> Iterator[Shape]:
    """The back's ornament: a square on its tip in the four colours, as they sit at the board."""
    r = 1.12
    tips = ((x - r, y), (x, y - r), (x + r, y), (x, y + r))
    for colour, tone in enumerate(TONES):
        corners = (tips[colour], tips[(colour + 1) % 4], (x, y))
        yield Polygon(corners, tone.main, TABLE, 0.09)


def _card(view: Snapshot) -> Iterator[Shape]:
    """The card being played with its name and what it does; its empty place while there is none."""
    x = _CARD_X + _CARD_W / 2
    card = find_card(view)
    if card is None:
        yield _outline(_CARD_X)
        if view.card == WAITING:
            yield Text(x, _CARD_Y + _CARD_H / 2, "?", 1.8, GRID_LINE, True, "card")
        return
    yield _sheet(_CARD_X + 0.07, _CARD_Y + 0.07, SHADOW)
    yield _sheet(_CARD_X, _CARD_Y, PAPER, "card")
    ink = TONES[0].text if card.take else INK
    face = card_face(card.name)
    size = min(2.3, 0.82 * _CARD_W / (len(face) * _ADVANCE))
    yield Text(x, _CARD_Y + 1.6, face, size, ink, True, "card-name")
    yield Line(((x - 0.5, _CARD_Y + 2.85), (x + 0.5, _CARD_Y + 2.85)), ink, 0.05)
    lines = [
        line for words in card_words(card, start_name(view.ruleset)) for line in wrap(words, _LINE)
    ]
    step = min(0.47, 1.7 / len(lines))
    size = min(0.85 * step, 0.9 * _CARD_W / (max(map(len, lines)) * _ADVANCE))
    for row, line in enumerate(lines):
        y = _CARD_Y + 3.75 + step * (row - (len(lines) - 1) / 2)
        yield Text(x, y, line, size, INK)


def _score(view: Snapshot) -> Iterator[Shape]:
    """For each seat its letter and how many of its pawns are Home."""
    step = 1.5
    first = _MIDDLE - step * (len(view.seats) - 1) / 2
    for place, seat in enumerate(view.seats):
        x, tone = first + step * place, TONES[seat]
        home = sum(code == HOME for code in view.pawns[seat])
        box = (x - 0.65, _SCORE_Y - 0.3, 1.3, 0.6)
        yield Rect(*box, PAPER, tone.main, 0.06, 0.3, f"score-{seat}")
        text = f"{letter(seat)} {home}/{len(view.pawns[seat])}"
        yield Text(x, _SCORE_Y, text, 0.38, tone.text, True)


def _sheet(x: float, y: float, fill: str, part: str = "") -> Shape:
    return Rect(x, y, _CARD_W, _CARD_H, fill, GRID_LINE, 0.04, 0.3, part)


def _outline(x: float) -> Shape:
    return Rect(x, _CARD_Y, _CARD_W, _CARD_H, None, GRID_LINE, 0.07, 0.3)
