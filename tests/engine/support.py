"""What the engine's tests share: sizes for compiled and plain runs, and choices without chance.

The same tests run compiled, with bounds checked and as plain Python (`make test-nojit`), which is
some hundred times slower: sizes are given for both.
"""

from __future__ import annotations

import numba
import numpy as np

#: Whether kernels are compiled in this run.
COMPILED = not numba.config.DISABLE_JIT


def size(compiled: int, plain: int) -> int:
    """How much to do: in a compiled run, and where the kernels are plain Python."""
    return compiled if COMPILED else plain


def pick(masks: np.ndarray, step: int) -> np.ndarray:
    """int32[B], a legal action for each row of bool[B, A] that follows from row and step alone.

    It looks random but asks no generator, so that a batch and its parts choose alike; the row is
    told by its mask, not by its place.
    """
    actions = np.empty(len(masks), np.int32)
    for i, mask in enumerate(masks):
        legal = np.flatnonzero(mask)
        actions[i] = legal[(step * 2654435761 + int(legal.sum())) % 1000003 % len(legal)]
    return actions


def chi_square(observed: np.ndarray, chances: np.ndarray) -> float:
    """Pearson's statistic of counts against the chances they should have."""
    expected = chances / chances.sum() * observed.sum()
    return float(((observed - expected) ** 2 / expected).sum())


def chi_square_limit(freedom: int) -> float:
    """The value that a chi-square exceeds once in ten thousand times (Wilson and Hilferty)."""
    spread = 2 / (9 * freedom)
    return float(freedom * (1 - spread + 3.719 * spread**0.5) ** 3)
