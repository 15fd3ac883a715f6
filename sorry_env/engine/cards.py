"""The draw pile and the hands: one card out of the pile, into a hand, out of a hand.

Read `rng.py` before and `turn.py` after this file.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from sorry_env.engine.jit import helper, inner
from sorry_env.engine.rng import advance, below
from sorry_env.engine.state import EMPTY, SEATS
from sorry_env.rules.ruleset import MAX_CARDS, MAX_HAND

HALF: Final = MAX_CARDS // 2


@helper
def count_pile(game: Any, low: Any, high: Any) -> Any:
    """How many cards of the kinds low ... high - 1 are in the draw pile."""
    total: Any = 0
    for card in range(low, high):
        total += np.int64(game["deck"][card])
    return total


@helper
def refill(facts: Any, game: Any) -> None:
    """Shuffle the discards into a new draw pile if it is empty and a card is needed."""
    if count_pile(game, np.int64(0), np.int64(MAX_CARDS)) == 0:
        shuffle(facts, game)


@inner
def shuffle(facts: Any, game: Any) -> None:
    """Make a new draw pile of all cards that are in no hand."""
    for card in range(MAX_CARDS):
        game["deck"][card] = facts["deck"][card]
    if facts["hand"]:
        for seat in range(SEATS):
            for i in range(MAX_HAND):
                if game["hands"][seat, i] >= 0:
                    game["deck"][game["hands"][seat, i]] -= 1


@helper
def take_from_pile(facts: Any, game: Any, card: Any) -> None:
    """Count a card out of the draw pile."""
    if not facts["infinite"]:
        game["deck"][card] -= 1
    game["draws"] += 1


@helper
def pick_card(facts: Any, game: Any) -> Any:
    """Take a card from the pile: a uniform choice, by exactly one random number."""
    refill(facts, game)
    lower = count_pile(game, np.int64(0), np.int64(HALF))
    upper = count_pile(game, np.int64(HALF), np.int64(MAX_CARDS))
    game["rng"] = advance(game["rng"])
    left = below(game["rng"], lower + upper)
    # Kinds whose cards are all passed over come before the one drawn: to count them takes no guess
    # at where to stop, which would be wrong too often to pay.
    card: Any = 0 if left < lower else HALF
    passed = 0 if left < lower else lower
    first = card
    for kind in range(HALF):
        passed += np.int64(game["deck"][first + kind])
        card += np.int64(passed <= left)
    take_from_pile(facts, game, card)
    return card


@helper
def add_to_hand(game: Any, seat: Any, card: Any) -> None:
    """Put a card into a hand and keep the hand in card order, empty places last."""
    hand = game["hands"][seat]
    i = 0
    while hand[i] != EMPTY:
        i += 1
    while i > 0 and hand[i - 1] > card:
        hand[i] = hand[i - 1]
        i -= 1
    hand[i] = card


@helper
def drop_from_hand(game: Any, seat: Any, card: Any) -> None:
    """Take one card of this kind out of a hand."""
    hand = game["hands"][seat]
    i = 0
    while hand[i] != card:
        i += 1
    while i < MAX_HAND - 1:
        hand[i] = hand[i + 1]
        i += 1
    hand[MAX_HAND - 1] = EMPTY
