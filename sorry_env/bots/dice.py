"""A bot's own random numbers, and choosing among legal actions with them.

Read `base.py` before and `random.py`, the simplest bot, after this file.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from sorry_env.bots.base import BatchRequest
from sorry_env.engine.rng import check_seed

_BITS: Final = (1 << 64) - 1


class Dice:
    """Random numbers that follow from a seed (0 to 2**64 - 1) alone.

    For a request with keys, a number depends on the seed and the row's key; for one without, on
    the seed and how many have been rolled before.
    """

    def __init__(self, seed: int) -> None:
        self._generator = np.random.default_rng(check_seed(seed))
        self._secret = self._generator.integers(_BITS, dtype=np.uint64, endpoint=True)

    def roll(self, request: BatchRequest) -> np.ndarray:
        """float64[n], a number from 0 (included) to 1 (not included) for each row."""
        if request.keys is None:
            return self._generator.random(len(request))
        bits = _mix(_mix(request.keys.astype(np.uint64)) ^ self._secret)
        return (bits >> np.uint64(11)) * 2.0**-53

    @property
    def secret(self) -> np.uint64:
        """What the numbers of requests with keys follow from, besides the key."""
        return np.uint64(self._secret)

    def roll_one(self) -> float:
        """One number from 0 (included) to 1 (not included)."""
        return float(self._generator.random())


def pick(allowed: np.ndarray, numbers: np.ndarray) -> np.ndarray:
    """A uniform choice among the True entries of each row.

    allowed: bool[n, A], at least one True a row
    numbers: float64[n], each from 0 to 1
    Returns int32[n].
    """
    rows, actions = np.nonzero(allowed)
    return pick_flat(actions, np.bincount(rows, minlength=len(allowed)), numbers)


def pick_flat(actions: np.ndarray, counts: np.ndarray, numbers: np.ndarray) -> np.ndarray:
    """As `pick`, for the choices of all rows listed one after another.

    actions: int[m], counts: int[n], the number of choices of each row (at least 1, m in all)
    """
    # Rounding must not reach past a row's last choice, hence the minimum.
    nth = np.minimum((numbers * counts).astype(np.int64), counts - 1)
    chosen: np.ndarray = actions[np.cumsum(counts) - counts + nth]
    return chosen.astype(np.int32)


def uniform(allowed: np.ndarray) -> np.ndarray:
    """float64[n, A], the chances of the choice that `pick` makes."""
    chances: np.ndarray = allowed / allowed.sum(axis=1, keepdims=True)
    return chances


def _mix(z: np.ndarray) -> np.ndarray:
    """uint64 -> uint64, the finalizer of splitmix64 as in `engine.rng`, for whole arrays."""
    z = (z + np.uint64(0x9E3779B97F4A7C15)).astype(np.uint64)
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    mixed: np.ndarray = z ^ (z >> np.uint64(31))
    return mixed
