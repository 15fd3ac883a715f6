"""Seeds from the operating system use the whole range that they are said to come from."""

from __future__ import annotations

from sorry_env.engine.rng import check_seed, fresh_seed


def test_every_bit_of_63_is_drawn_and_no_other() -> None:
    # A bit that is drawn at random is missing from 200 seeds once in 2**200 times.
    seeds = [fresh_seed() for _ in range(200)]
    every, common = 0, (1 << 64) - 1
    for seed in seeds:
        every |= seed
        common &= seed
    assert every == (1 << 63) - 1
    assert common == 0
    assert [check_seed(seed) for seed in seeds] == seeds
