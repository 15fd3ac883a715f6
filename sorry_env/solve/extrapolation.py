"""Fewer sweeps: from the last few of them, Anderson's extrapolation tells where all would lead.

Near the end each sweep changes values by nearly the same factors as the one before, so that some
of them together show what is still to come (D. G. Anderson, Iterative procedures for nonlinear
integral equations, 1965). It decides how soon values are found, not which: they are found when a
backup changes them no more. Read `backup.py`, which uses it, before this file.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

import numpy as np

from sorry_env.engine.jit import kernel

#: Sweeps that are compared with the one before them, at most.
DEPTH: Final = 6
#: A leap is taken back when the sweep after it changes so many times as much as the least so far.
WORSE: Final = 2.0


class Track(NamedTuple):
    """What is remembered of the sweeps over one array of values.

    start:   float64[n], where the sweep begins
    change:  float64[n], what the last sweep changed, and result: float64[n], where it led
    changes: float32[DEPTH, n], differences of these from those of the sweep before, and
    results: float32[DEPTH, n], likewise; they only say where to go
    """

    start: np.ndarray
    change: np.ndarray
    result: np.ndarray
    changes: np.ndarray
    results: np.ndarray


def bytes_a_value() -> int:
    """What is remembered of each value, in bytes."""
    return 3 * 8 + 2 * 4 * DEPTH


class Extrapolation:
    """Leaps between sweeps over some arrays of values.

    values: float64[n] each, where the first sweep begins; sweeps change them, and so does `leap`
    low, high: no value is less or more
    """

    def __init__(self, values: Sequence[np.ndarray], low: float, high: float) -> None:
        self._values = values
        self._bounds = low, high
        self._tracks = [
            Track(array.copy(), np.empty(len(array)), np.empty(len(array)),
                  np.empty((DEPTH, len(array)), np.float32),
                  np.empty((DEPTH, len(array)), np.float32))
            for array in values
        ]  # fmt: skip
        self._products = np.zeros((DEPTH, DEPTH))
        self._least = np.inf
        self._sweeps = 0

    def leap(self, change: float) -> None:
        """After a sweep, go on to where the sweeps so far lead together.

        change: the largest of the sweep; where it is too large, the leap before it is taken back
        """
        if self._sweeps and change > WORSE * self._least:
            for track, values in zip(self._tracks, self._values, strict=True):
                values[:] = track.start[:] = track.result
            self._sweeps = 0
            return
        self._least = min(self._least, change)
        row = (self._sweeps - 1) % DEPTH if self._sweeps else -1
        for track, values in zip(self._tracks, self._values, strict=True):
            note(track, values, row)
        weights = self._weigh(row, min(self._sweeps, DEPTH))
        for track, values in zip(self._tracks, self._values, strict=True):
            go_on(track, values, weights, *self._bounds)
        self._sweeps += 1

    def _weigh(self, row: int, known: int) -> np.ndarray:
        """float64[known], how often to take each difference off so that least is left to change.

        row: the latest difference
        """
        wanted, latest = np.zeros(known), np.zeros(known)
        for track in self._tracks:
            multiply(track.changes, track.change, wanted)
            multiply(track.changes, track.changes[row], latest)
        self._products[row, :known] = self._products[:known, row] = latest
        weights: np.ndarray = np.linalg.lstsq(self._products[:known, :known], wanted)[0]
        return weights


@kernel
def note(track: Any, values: Any, row: Any) -> None:
    """Remember a sweep that led to values float64[n], and its differences in a row, unless -1."""
    for i in range(len(values)):
        # Not the difference: infinite values stay as they are.
        change = values[i] - track.start[i] if values[i] != track.start[i] else 0.0
        if row >= 0:
            track.changes[row, i] = change - track.change[i]
            apart = values[i] != track.result[i]
            track.results[row, i] = values[i] - track.result[i] if apart else 0.0
        track.change[i] = change
        track.result[i] = values[i]


@kernel
def multiply(rows: Any, vector: Any, products: Any) -> None:
    """Add the scalar products of the first rows float32[k, n] with a vector [n] to float64[k]."""
    for k in range(len(products)):
        total = 0.0
        for i in range(len(vector)):
            total += np.float64(rows[k, i]) * np.float64(vector[i])
        products[k] += total


@kernel
def go_on(track: Any, values: Any, weights: Any, low: Any, high: Any) -> None:
    """Take the weighed differences of results off values float64[n]; the next sweep starts there.

    weights: float64[k]; low, high: the values' bounds
    """
    for i in range(len(values)):
        leap = 0.0
        for k in range(len(weights)):
            leap += weights[k] * np.float64(track.results[k, i])
        values[i] = min(max(values[i] - leap, low), high)
        track.start[i] = values[i]
