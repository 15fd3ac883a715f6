"""The middle of the picture where players hold cards: a row of cards for each, and the pile.

A hand that the viewer knows lies face up, a hidden one as card backs with their number. Read
`centre.py` before and `svg.py` after this file.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sorry_env.render.shapes import (
    FELT,
    GRID_LINE,
    INK,
    MUTED,
    PAPER,
    TABLE,
    TONES,
    Circle,
    Rect,
    Shape,
    Text,
)
from sorry_env.render.snapshot import Snapshot
from sorry_env.render.words import card_face, hand_size, letter, pile_size
from sorry_env.rules import LETTERS

_LEFT, _TOP, _HEIGHT = 4.5, 5.45, 5.0
_CARDS_X, _CARDS_WIDTH = 5.2, 4.95
_ROW = 1.75  # a row is not higher than this,
_HIDDEN_ROW = 0.7  # and that of a hidden hand has this share of the others' height
_SHAPE = 0.7  # width of a card by its height
_GAP = 0.08
_PILE_X, _PILE_W, _PILE_H = 10.4, 1.15, 1.6
_ADVANCE = 0.6  # mean width of a letter, in font sizes, on the safe side
_LEAST = 0.24  # the smallest letters for a card's face; below, its name in move texts is shown


def hand_shapes(view: Snapshot) -> Iterator[Shape]:
    """The hands of all seats and the pile, for a view with hands."""
    hands = view.hands or ()
    shares = [_HIDDEN_ROW if hands[seat] is None else 1.0 for seat in view.seats]
    row = min(_ROW, _HEIGHT / sum(shares))
    y = _TOP + (_HEIGHT - row * sum(shares)) / 2
    for seat, share in zip(view.seats, shares, strict=True):
        height = row * share
        middle = y + height / 2
        tone = TONES[seat]
        disc = (_LEFT + 0.28, middle, 0.28)
        yield Circle(*disc, tone.main, tone.dark, 0.05, f"hand-{LETTERS[seat]}")
        yield Text(*disc[:2], letter(seat), 0.34, tone.ink, True)
        hand = hands[seat]
        if hand is None:
            yield from _hidden(hand_size(view, seat), middle, 0.86 * height, tone.text)
        else:
            places = max(len(hand), view.ruleset.hand)
            yield from _known(view, hand, places, middle, 0.9 * height)
        y += height
    yield from _pile(pile_size(view))


def _known(
    view: Snapshot, hand: Sequence[str], places: int, y: float, height: float
) -> Iterator[Shape]:
    """Cards face up, side by side, in the order of the hand."""
    width = min(_SHAPE * height, _CARDS_WIDTH / places - _GAP)
    height = min(height, width / _SHAPE)
    takes = {card.name for card in view.ruleset.cards if card.take}
    for place, name in enumerate(hand):
        x = _CARDS_X + place * (width + _GAP)
        box = (x, y - height / 2, width, height)
        yield Rect(*box, PAPER, GRID_LINE, 0.04, 0.12 * width, "hand-card")
        face = card_face(name)
        if 0.8 * width / (len(face) * _ADVANCE) < _LEAST:
            face = name
        size = min(0.5 * height, 0.8 * width / (len(face) * _ADVANCE))
        yield Text(x + width / 2, y, face, size, TONES[0].text if name in takes else INK, True)


def _hidden(count: int, y: float, height: float, ink: str) -> Iterator[Shape]:
    """Card backs, each over half of the one before, and their number."""
    width = _SHAPE * height
    x = _CARDS_X
    for _ in range(count):
        yield from _back(x, y - height / 2, width, height, "hand-back")
        x += width / 2
    yield Text(x + width / 2 + 0.35, y, str(count), 0.45, ink, True)


def _back(x: float, y: float, width: float, height: float, part: str) -> Iterator[Shape]:
    edge = 0.08 * width
    yield Rect(x, y, width, height, PAPER, GRID_LINE, 0.04, 0.12 * width, part)
    box = (x + edge, y + edge, width - 2 * edge, height - 2 * edge)
    yield Rect(*box, TABLE, radius=0.08 * width)


def _pile(size: int | None) -> Iterator[Shape]:
    """The draw pile face down with the number of its cards."""
    y = _TOP + _HEIGHT / 2 - 0.2
    x = _PILE_X + _PILE_W / 2
    if size == 0:
        box = (_PILE_X, y - _PILE_H / 2, _PILE_W, _PILE_H)
        yield Rect(*box, None, GRID_LINE, 0.05, 0.14, "pile")
        yield Text(x, y, "empty", 0.3, MUTED)
        return
    yield from _back(_PILE_X, y - _PILE_H / 2, _PILE_W, _PILE_H, "pile")
    yield Text(x, y, "" if size is None else str(size), 0.55, FELT, True)
    yield Text(x, y + _PILE_H / 2 + 0.3, "endless" if size is None else "left", 0.34, INK)
