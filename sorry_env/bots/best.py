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

    @property
    def secret(self) -> np.uint64:
        """Follows from the seed alone: for what must be the same whenever it is asked."""
        return self._dice.secret

    def choose_batch(self, request: BatchRequest) -> np.ndarray:
        """See `Bot`."""
        return self.pick(request, self._best(request))

    def distribution(self, request: BatchRequest) -> np.ndarray:
        """See `Bot`."""
        return self.spread(request, self._best(request))

    def pick(self, request: BatchRequest, best: tuple[np.ndarray, np.ndarray]) -> np.ndarray:
        """int32[n], one of the best actions for each row; see `_best`."""
        rows, actions = best
        counts = np.bincount(rows, minlength=len(request))
        return pick_flat(actions, counts, self._dice.roll(request))

    def spread(self, request: BatchRequest, best: tuple[np.ndarray, np.ndarray]) -> np.ndarray:
        """float64[n, A], the chances of the choice that `pick` makes."""
        allowed = np.zeros(request.mask.shape, np.bool_)
        allowed[best] = True
        return uniform(allowed)

    def _best(self, request: BatchRequest) -> tuple[np.ndarray, np.ndarray]:
        """The best actions, at least one of each row: row int[m], ascending, and action int[m]."""
        raise NotImplementedError
