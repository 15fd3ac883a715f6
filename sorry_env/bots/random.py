"""The random bot: uniform over the distinct legal actions. Read `dice.py` before this file."""

from __future__ import annotations

import numpy as np

from sorry_env.bots.base import BatchRequest, Bot
from sorry_env.bots.dice import Dice, pick, uniform


class RandomBot(Bot):
    """Every legal action is equally likely; moves that differ in nothing are one action."""

    name = "random"

    def __init__(self) -> None:
        self.reset(0)

    def reset(self, seed: int) -> None:
        """See `Bot`."""
        self._dice = Dice(seed)

    @property
    def secret(self) -> np.uint64:
        """Of its dice: environments that play random seats in a kernel choose what it would."""
        return self._dice.secret

    def choose_batch(self, request: BatchRequest) -> np.ndarray:
        """See `Bot`."""
        return pick(request.mask, self._dice.roll(request))

    def distribution(self, request: BatchRequest) -> np.ndarray:
        """See `Bot`."""
        return uniform(request.mask)
