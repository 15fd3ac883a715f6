"""Leaps between sweeps: fewer sweeps to the same values, whatever leads astray on the way."""

from __future__ import annotations

import numpy as np
import pytest

from sorry_env.solve import extrapolation
from sorry_env.solve.extrapolation import Extrapolation

N = 200


def chain(seed: int, norm: float) -> tuple[np.ndarray, np.ndarray]:
    """A matrix that shrinks everything to ``norm`` of it or less, and what a sweep adds."""
    rng = np.random.default_rng(seed)
    matrix = rng.random((N, N)) ** 8
    return norm * matrix / matrix.sum(axis=1, keepdims=True), rng.normal(size=N) * (1 - norm)


def sweeps_until(target: np.ndarray, values: np.ndarray, matrix: np.ndarray, added: np.ndarray,
                 leaping: bool) -> int:  # fmt: skip
    """How many sweeps it takes to come within 1e-9 of the target."""
    leaps = Extrapolation([values[: N // 2], values[N // 2 :]], -np.inf, np.inf)
    for number in range(1, 1000):
        new = matrix @ values + added
        change = float(np.abs(new - values).max())
        values[:] = new
        if np.abs(values - target).max() < 1e-9:
            return number
        if leaping:
            leaps.leap(change)
    raise AssertionError("too many sweeps")


def test_leaps_save_most_sweeps() -> None:
    matrix, added = chain(seed=1, norm=0.95)
    target = np.linalg.solve(np.eye(N) - matrix, added)
    plain = sweeps_until(target, np.zeros(N), matrix, added, leaping=False)
    leaping = sweeps_until(target, np.zeros(N), matrix, added, leaping=True)
    assert leaping < plain / 3


def test_a_leap_that_makes_it_worse_is_taken_back() -> None:
    values = np.zeros(3)
    leaps = Extrapolation([values], -np.inf, np.inf)
    values[:] = 8.0, 4.0, 2.0
    leaps.leap(8.0)
    # A first sweep shows no way to go on.
    assert values.tolist() == [8, 4, 2]
    values[:] = 12.0, 6.0, 3.0
    leaps.leap(4.0)
    # Changes halve: 8, 4, ... and so on lead to 16.
    assert values.tolist() == pytest.approx([16, 8, 4])
    values[:] = 1000.0, -1000.0, 0.0
    leaps.leap(1008.0)
    assert values.tolist() == [12, 6, 3]
    # It goes on from there as at first.
    values[:] = 14.0, 7.0, 3.5
    leaps.leap(2.0)
    values[:] = 15.0, 7.5, 3.75
    leaps.leap(1.0)
    assert values.tolist() == pytest.approx([16, 8, 4])


def test_what_is_infinite_stays_so() -> None:
    values = np.array([0.0, -np.inf])
    leaps = Extrapolation([values], -np.inf, 0.0)
    for first in (-8.0, -12.0):
        values[0] = first
        leaps.leap(8.0)
    assert values.tolist() == [pytest.approx(-16), -np.inf]


def test_no_leap_leads_out_of_bounds() -> None:
    values = np.zeros(2)
    leaps = Extrapolation([values], -15.0, 15.5)
    for first in (8.0, 12.0):
        values[:] = first, -first
        leaps.leap(8.0)
    assert values.tolist() == [15.5, -15]


def test_only_the_last_sweeps_are_remembered() -> None:
    matrix, added = chain(seed=2, norm=0.99)
    target = np.linalg.solve(np.eye(N) - matrix, added)
    # Far more sweeps than are remembered: the oldest make room.
    number = sweeps_until(target, np.zeros(N), matrix, added, leaping=True)
    assert number > extrapolation.DEPTH + 2
