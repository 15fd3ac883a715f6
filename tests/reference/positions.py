"""Short ways to write positions in the tests of the reference.

The tests state expected values that were worked out by hand from the rules.
"""

from __future__ import annotations

import random
from typing import TypeVar

from .names import read_ruleset
from .reference import ReferenceGame
from .rules_data import COLOURS

T = TypeVar("T")


def reference_only(test: T) -> T:
    """Mark a test that is about the reference alone; all others are tried on the engine too."""
    test.reference_only = True  # type: ignore[attr-defined]
    return test


WHOLE = "5.4.4.4.4.4.4.4.4.4.4"


def full(pawns: str, count: int = 4) -> str:
    """Fill each seated colour up with pawns in Start: ``20/-/S/-`` is Red 20 and the rest Start.

    ``S`` is a colour with every pawn in Start, ``H`` one with every pawn Home.
    """
    parts = []
    for colour, part in zip(COLOURS, pawns.split("/"), strict=True):
        if part == "-":
            parts.append(part)
        elif part == "H":
            parts.append(",".join([colour + "H"] * count))
        else:
            squares = [] if part == "S" else part.split(",")
            squares += [colour + "S"] * (count - len(squares))
            parts.append(",".join(squares))
    return "/".join(parts)


def position(
    pawns: str,
    turn: str,
    card: str,
    ruleset: str = "classic",
    deck: str | None = None,
    extra: str = "-",
    phase: str = "move",
    hands: str = "-",
) -> str:
    """A position line; the draw pile is whole but for the card in play unless it is given."""
    rules = read_ruleset(ruleset)
    if deck is None:
        out = [card, *(held for hand in hands.split("/") for held in hand.split("."))]
        left = {key: count - out.count(key) for key, count in rules.deck_counts.items()}
        deck = "*" if rules.infinite else ".".join(str(count) for count in left.values())
    return f"{ruleset} {full(pawns, rules.pawns)} {turn} {phase} {card} {deck} {hands} {extra}"


def deal(ruleset: str, seats: list[str], rng: random.Random) -> dict[str, list[str]] | None:
    """Hands for a new game, or None where nobody holds cards."""
    rules = read_ruleset(ruleset)
    if not rules.hand:
        return None
    cards = [card for card, count in rules.deck_counts.items() for _ in range(count)]
    rng.shuffle(cards)
    return {name: [cards.pop() for _ in range(rules.hand)] for name in seats}


def legal(pawns: str, turn: str, card: str, ruleset: str = "classic") -> list[str]:
    """The legal moves there."""
    return ReferenceGame.from_text(position(pawns, turn, card, ruleset)).legal()


def after(pawns: str, turn: str, card: str, move: str, ruleset: str = "classic") -> str:
    """The PAWNS field after a move."""
    game = ReferenceGame.from_text(position(pawns, turn, card, ruleset))
    return game.apply(move).text().split(" ")[1]
