"""Random numbers of bots: uniform, and the same whatever company a game is in."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from sorry_env.bots.base import BatchRequest
from sorry_env.bots.dice import Dice, pick
from tests.bots.positions import request_after


def keyed(keys: np.ndarray) -> BatchRequest:
    """A request of which only the keys matter."""
    return replace(unkeyed(len(keys)), keys=keys)


def unkeyed(count: int) -> BatchRequest:
    """A request of which only the length matters."""
    one = request_after(1, size=1)
    seen, mask = (np.repeat(array, count, axis=0) for array in (one.observation, one.mask))
    return replace(one, games=np.repeat(one.games, count), observation=seen, mask=mask)


def test_keyed_numbers_depend_on_seed_and_key_alone() -> None:
    keys = np.arange(1000, dtype=np.uint64)
    numbers = Dice(3).roll(keyed(keys))
    shuffled = np.random.default_rng(0).permutation(1000)
    assert np.array_equal(Dice(3).roll(keyed(keys[shuffled])), numbers[shuffled])
    dice = Dice(3)
    dice.roll(keyed(keys[:7]))
    assert np.array_equal(dice.roll(keyed(keys)), numbers)
    assert not np.array_equal(Dice(4).roll(keyed(keys)), numbers)


def test_numbers_are_uniform_and_unrelated() -> None:
    n = 1 << 16
    columns = []
    for seed in (0, 1, 2**64 - 5, 2**63 + 9):
        for keys in (np.arange(n), np.arange(n) << 32):
            columns.append(Dice(seed).roll(keyed(keys.astype(np.uint64))))
        columns.append(Dice(seed).roll(unkeyed(n)))
    for numbers in columns:
        assert numbers.dtype == np.float64 and numbers.min() >= 0 and numbers.max() < 1
        cells = np.bincount((numbers * 64).astype(int), minlength=64)
        # Chi-squared with 63 degrees of freedom: mean 63, standard deviation 11.2.
        assert abs(((cells - n / 64) ** 2 / (n / 64)).sum() - 63) < 56
        assert abs(np.corrcoef(numbers[:-1], numbers[1:])[0, 1]) < 5 / n**0.5
    related = np.corrcoef(columns) - np.eye(len(columns))
    assert abs(related).max() < 5 / n**0.5


def test_pick_divides_the_unit_interval_evenly() -> None:
    allowed = np.array([[False, True, False, True, True, True]])
    for number, action in [(0.0, 1), (0.2499, 1), (0.25, 3), (0.5, 4), (0.75, 5), (0.9999, 5)]:
        assert pick(allowed, np.array([number])).tolist() == [action]
    # A number that rounding has made 1 does not reach past the row.
    both = np.array([[True, False], [False, True]])
    assert pick(both, np.array([1.0, 1.0])).tolist() == [0, 1]
