"""What stands beside the board in a terminal: the headline, cards, pile, tokens and counts.

Read `page.py` and `words.py` before; `ansi.py` draws the board to the left of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import wrap

from sorry_env.render.layout import HOME, IN_START
from sorry_env.render.page import PLAYERS, STRONG, Page
from sorry_env.render.snapshot import Snapshot
from sorry_env.render.words import (
    card_face,
    card_words,
    colour_name,
    find_card,
    hand_size,
    headline,
    leading_colour,
    letter,
    mark_words,
    pile_size,
    start_name,
)

WIDTH = 29  # characters
_CARD = 2  # lines from the top
_COUNTS = 11
_PILE = 8  # where it stands unless a wordy card needs more room


def put_panel(page: Page, view: Snapshot, left: int) -> None:
    """Write the panel, its first column at `left`."""
    ink = PLAYERS[leading_colour(view)].pawn
    for row, text in enumerate(wrap(headline(view), WIDTH - 2)[:2]):
        page.put(left, row, f" {text} ", ink)
    marks = mark_words(view)
    last = _COUNTS - 2 - (1 if marks else 0)  # the pile's line at the latest
    if view.hands is None:
        used = _put_card(page, view, left, last)
    else:
        used = _put_hands(page, view, view.hands, left)
    row = max(_PILE, used)
    size = pile_size(view)
    page.put(left, row, "Pile: endless" if size is None else f"Pile: {size} left")
    page.put(left, row + 1, marks)
    _put_counts(page, view, left)


def _put_card(page: Page, view: Snapshot, left: int, end: int) -> int:
    """The card's name and what it does, above line `end`; the first free line."""
    card = find_card(view)
    if card is None:
        return _CARD
    page.put(left, _CARD, f"Card {card_face(card.name)}", STRONG)
    words = card_words(card, start_name(view.ruleset))
    lines = [line for choice in words for line in wrap(choice, WIDTH - 2)]
    for row, text in enumerate(lines[: end - _CARD - 1], _CARD + 1):
        page.put(left + 2, row, text)
    return min(end, _CARD + 1 + len(lines))


def _put_hands(page: Page, view: Snapshot, hands: Sequence[Sequence[str] | None], left: int) -> int:
    """A line for each seat: its cards, or how many it has; the first free line."""
    page.put(left, _CARD, "Cards", STRONG)
    row = _CARD + 1
    for row, seat in enumerate(view.seats, _CARD + 1):
        page.put(left, row, f"({letter(seat)})", PLAYERS[seat].pawn)
        hand = hands[seat]
        text = f"{hand_size(view, seat)} hidden" if hand is None else _fit(hand, WIDTH - 4)
        page.put(left + 4, row, text)
    return row + 1


def _fit(names: Sequence[str], width: int) -> str:
    """The names side by side; those for which there is no room are counted."""
    text = " ".join(names)
    shown = len(names)
    while len(text) > width:
        shown -= 1
        text = " ".join((*names[:shown], f"+{len(names) - shown}"))
    return text


def _put_counts(page: Page, view: Snapshot, left: int) -> None:
    """For each seat, how many pawns are in Start, on the way and Home."""
    page.put(left, _COUNTS, f"{start_name(view.ruleset):>16}  Way Home")
    for line, seat in enumerate(view.seats, _COUNTS + 1):
        codes = view.pawns[seat]
        start, home = (sum(code == at for code in codes) for at in (IN_START, HOME))
        page.put(left, line, f"({letter(seat)})", PLAYERS[seat].pawn)
        counts = f"{start:>5} {len(codes) - start - home:>4} {home:>4}"
        page.put(left + 4, line, f"{colour_name(seat):<6} {counts}")
