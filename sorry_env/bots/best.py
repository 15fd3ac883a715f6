"""What bots share that find several actions equally good: one of them is drawn.

Read `dice.py` before and `greedy.py` after this file.
"""

from __future__ import annotations

import numpy as np

from sorry_env.bots.base import BatchRequest, Bot
from sorry_env.bots.dice import Dice, pick_flat, uniform


class BestBot(Bot):
    """Plays one of the actions that it finds best, all equally likely; a subclass says which."""

    def __init__(self) -> None:
        self.reset(0)

    def reset(self, seed: int) -> None:
        """See `Bot`."""
        self._dice = Dice(seed)

    def choose_batch(self, request: BatchRequest) -> np.ndarray:
        """See `Bot`."""
        rows, actions = self._best(request)
        counts = np.bincount(rows, minlength=len(request))
        return pick_flat(actions, counts, self._dice.roll(request))

    def distribution(self, request: BatchRequest) -> np.ndarray:
        """See `Bot`."""
        best = np.zeros(request.mask.shape, np.bool_)
        best[self._best(request)] = True
        return uniform(best)

    def _best(self, request: BatchRequest) -> tuple[np.ndarray, np.ndarray]:
        """The best actions, at least one of each row: row int[m], ascending, and action int[m]."""
        raise NotImplementedError
