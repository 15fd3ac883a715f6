"""Random numbers: splitmix64 as published, the same compiled and plain, and well spread."""

from __future__ import annotations

import random

import numpy as np
import pytest

from sorry_env.engine.rng import advance, below, fresh_seed, mix, seed_state
from tests.engine.support import chi_square, chi_square_limit, size

WORD = (1 << 64) - 1


def plain_mix(z: int) -> int:
    """splitmix64's output function in Python's unbounded integers."""
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & WORD
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & WORD
    return z ^ (z >> 31)


def plain_advance(state: int) -> int:
    return (state + 0x9E3779B97F4A7C15) & WORD


def states(count: int) -> list[int]:
    """Edges of the 64 bits and random states."""
    rng = random.Random(1)
    edges = [0, 1, WORD, WORD - 1, 1 << 63, (1 << 63) - 1, 1 << 32, (1 << 31) - 1, 0xFFFFFFFF]
    return edges + [rng.getrandbits(64) for _ in range(count)]


def test_published_numbers() -> None:
    # The first five outputs of splitmix64 from state 1234567, as its descriptions print them.
    published = [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
        4593380528125082431,
        16408922859458223821,
    ]
    state = np.uint64(1234567)
    for number in published:
        state = np.uint64(advance(state))
        assert int(mix(state)) == number


def test_mix_and_advance_equal_plain_integers() -> None:
    for state in states(size(2000, 200)):
        assert int(mix(np.uint64(state))) == plain_mix(state)
        assert int(advance(np.uint64(state))) == plain_advance(state)


@pytest.mark.parametrize("n", [1, 2, 3, 11, 45, 179, 1000, (1 << 31) - 1])
def test_below_scales_the_top_bits(n: int) -> None:
    for state in states(size(500, 50)):
        number = int(below(np.uint64(state), n))
        assert number == ((plain_mix(state) >> 32) * n) >> 32
        assert 0 <= number < n


def test_below_is_uniform() -> None:
    state = seed_state(5)
    counts = np.zeros(45)
    for _ in range(size(45_000, 4_500)):
        state = np.uint64(advance(state))
        counts[int(below(state, 45))] += 1
    assert chi_square(counts, np.ones(45)) < chi_square_limit(44)


def test_seeds_give_different_streams() -> None:
    seeds = [0, 1, 2, -1, 7, 1 << 63, (1 << 64) - 2, 10**30]
    starts = {int(seed_state(seed, stream)) for seed in seeds for stream in range(100)}
    assert len(starts) == 100 * len(seeds)
    assert all(0 <= start <= WORD for start in starts)
    assert seed_state(3, 4) == seed_state(3, 4)
    assert seed_state(3 + (1 << 64)) == seed_state(3)
    assert seed_state(3).dtype == np.uint64


def test_fresh_seeds_differ() -> None:
    assert len({fresh_seed() for _ in range(100)}) == 100
