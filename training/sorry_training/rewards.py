"""What the learner is rewarded for: the batch's returns, brought into the range of its values.

Read before: ``config.py``.  Read next: ``rollout.py``.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from sorry_env.engine.batch import Batch
from sorry_training.config import PPOConfig


class Rewards:
    """The rewards of a run's games, whose sum over a game lies within -1 ... 1 for each seat.

    counted: the reward that the batch is to count
    """

    def __init__(self, config: PPOConfig) -> None:
        rules = config.tables.ruleset
        self.counted = "win" if config.reward == "speed" else config.reward
        self._speed = config.reward == "speed"
        self._unit = np.float32(1.0)
        if self._speed:
            self._unit = np.float32(1 / config.max_plies)
        elif config.reward == "points":
            self._unit = np.float32(1 / score_bound(rules, config.seat_sets()))

    def step(
        self, batch: Batch, actions: npt.NDArray[np.int32], out: npt.NDArray[np.float32]
    ) -> None:
        """Play ``actions`` int32[B] and write the rewards of that float32[B, 4] by seat."""
        if not self._speed:
            batch.step(actions)
            np.multiply(batch.rewards, self._unit, out=out)
            return
        seats, before = batch.actor.astype(np.int64), batch.games["plies"].copy()
        batch.step(actions)
        # A game that has ended has begun anew: what it took in all is its length.
        taken = np.where(batch.length > 0, batch.length, batch.games["plies"]) - before
        out[:] = 0.0
        out[np.arange(batch.size), seats] = -taken * self._unit


def score_bound(rules: Any, seat_sets: tuple[tuple[int, ...], ...]) -> int:
    """What no seat's points at the end of a game exceed: all pawns' points and the best bonus."""
    pawns = rules.pawns * max(len(seated) for seated in seat_sets)
    return int(pawns * rules.pawn_points + max(rules.bonuses, default=0))
