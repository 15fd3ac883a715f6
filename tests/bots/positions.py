"""Decisions taken from random play, for tests that compare bots on many positions."""

from __future__ import annotations

from typing import Any

import numpy as np

from sorry_env.bots.base import BatchRequest
from sorry_env.engine.batch import Batch
from sorry_env.engine.determinize import determinize
from sorry_env.engine.state import GAME
from sorry_env.game import Game


def request_after(
    steps: int, ruleset: str = "classic", seats: Any = None, size: int = 64, seed: int = 0
) -> BatchRequest:
    """The decisions due in ``size`` games after some random moves."""
    batch = Batch(ruleset, seats, size, seed=seed)
    batch.random_steps(steps)
    return BatchRequest(
        batch.tables, batch.games, batch.observation.copy(), batch.mask.copy(), None
    )


def game_of(request: BatchRequest, row: int) -> Game:
    """One game of a request, to be played on by hand, with some cards in the hidden hands."""
    record = np.zeros(1, GAME)
    record[0] = request.games[row]
    seat = int(record["actor"][0])
    world = determinize(request.tables, record, seat, np.random.default_rng(row))
    return Game.from_state(request.tables, world, seed=row)
