"""Worlds that a seat must reckon with: the cards that it cannot see, dealt at random.

A search bot that knows only its own hand plays on in such worlds, in which every card is
somewhere. Read `state.py` before this file.
"""

from __future__ import annotations

import numpy as np

from sorry_env.engine.state import EMPTY, HIDDEN, SEATS
from sorry_env.engine.tables import RuleTables
from sorry_env.rules.ruleset import MAX_CARDS, MAX_HAND


def determinize(
    tables: RuleTables,
    state: np.ndarray,
    seat: int,
    rng: np.random.Generator,
    count: int = 1,
) -> np.ndarray:
    """GAME[count]: the game with the cards unseen by ``seat`` dealt anew, and new chance.

    Every way to deal them into the other hands and the pile is equally likely, whatever the others'
    moves may tell about their cards.

    state: GAME[1], read only: a view's record, in which other hands are HIDDEN, or a whole game's,
           whose other hands are then not looked at
    rng:   where the deal and the random states of the games come from
    """
    games = np.repeat(state, count)
    games["rng"] = rng.integers(2**64, size=count, dtype=np.uint64)
    if not tables.ruleset.hand:
        return games
    hands = state["hands"][0]
    others = np.arange(SEATS) != seat
    places = (hands != EMPTY) & others[:, None]
    unseen = state["deck"][0].astype(np.int64)
    unseen += np.bincount(hands[places & (hands != HIDDEN)], minlength=MAX_CARDS)
    cards = np.repeat(np.arange(MAX_CARDS, dtype=np.int8), unseen)
    dealt = rng.permuted(np.tile(cards, (count, 1)), axis=1)[:, : int(places.sum())]
    # Sorted hand by hand; a place without a card counts as the highest and comes last.
    worlds = np.full((count, SEATS, MAX_HAND), MAX_CARDS, np.int8)
    worlds[:, places] = dealt
    worlds.sort(axis=2)
    worlds[worlds == MAX_CARDS] = EMPTY
    games["hands"][:, others] = worlds[:, others]
    out = np.zeros((count, MAX_CARDS), np.int64)
    np.add.at(out, (np.arange(count)[:, None], dealt), 1)
    games["deck"] = unseen - out
    return games
