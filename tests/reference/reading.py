"""Reading the fields of a position line.

Read ``cards.py`` before this file and ``state.py`` after it.
"""

from __future__ import annotations

from .board import Pawn
from .rules_data import ADVANCE, COLOURS, LETTERS, NAMES, Ruleset


def letter(name: str) -> str:
    """The letter of a colour's full name."""
    if name not in LETTERS:
        raise ValueError(f"no such colour: {name!r}")
    return LETTERS[name]


def by_colour(text: str) -> list[tuple[str, str]]:
    """The parts of the four colours in the order r b y g, which are joined by a stroke."""
    parts = text.split("/")
    if len(parts) != 4:
        raise ValueError(f"four colours are expected: {text!r}")
    return list(zip(COLOURS, parts, strict=True))


def read_pawns(text: str) -> list[Pawn]:
    """Per colour its squares joined by commas, or a dash when it is not seated."""
    pawns = []
    for colour, part in by_colour(text):
        for square in part.split(",") if part != "-" else ():
            if square not in ADVANCE[colour]:
                raise ValueError(f"no square of {NAMES[colour]}: {square!r}")
            pawns.append(Pawn(colour, square))
    return pawns


def read_pile(rules: Ruleset, text: str) -> dict[str, int] | None:
    """The cards left in card order, or a star for the infinite deck."""
    if rules.infinite:
        if text != "*":
            raise ValueError("the infinite deck is written *")
        return None
    parts = text.split(".")
    if len(parts) != len(rules.cards) or not all(p.isascii() and p.isdigit() for p in parts):
        raise ValueError(f"no draw pile: {text!r}")
    return {card: int(part) for card, part in zip(rules.cards, parts, strict=True)}


def read_extra(text: str) -> dict[str, str]:
    """The pairs ``key=value`` joined by semicolons, or a dash for none."""
    if text == "-":
        return {}
    pairs = {}
    for pair in text.split(";"):
        key, equals, value = pair.partition("=")
        if not equals or not value or key in pairs:
            raise ValueError(f"no such pair: {pair!r}")
        pairs[key] = value
    return pairs
