"""Hidden cards in other places: what the tests of hidden information share."""

from __future__ import annotations

import numpy as np

from sorry_env.engine.state import EMPTY
from sorry_env.game import Game


def dealt_anew(game: Game, seat: int, seed: int) -> Game:
    """The same game with the cards that a seat (or, with -1, nobody) sees in other places."""
    twin = game.copy()
    state = twin.state[0]
    cards = [card for card, left in enumerate(state["deck"].tolist()) for _ in range(left)]
    others = [s for s in range(4) if s != seat]
    cards += [card for s in others for card in state["hands"][s].tolist() if card != EMPTY]
    np.random.default_rng(seed).shuffle(cards)
    for s in others:
        held = int((state["hands"][s] != EMPTY).sum())
        state["hands"][s, :held] = sorted(cards[:held])
        cards = cards[held:]
    state["deck"] = np.bincount(np.array(cards, np.int64), minlength=len(state["deck"]))
    state["rng"] = np.uint64(seed)
    return twin
