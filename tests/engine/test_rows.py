"""The numbers that `engine/rows.py` computes are those of `envs/opponents.py` and of the dice."""

from __future__ import annotations

import random

import numpy as np

from sorry_env.bots.dice import Dice
from sorry_env.engine import rows
from sorry_env.engine.rng import seed_state
from sorry_env.envs import opponents
from tests.engine.support import size

SEEDS = [0, 1, 2, (1 << 63) - 1, (1 << 64) - 1, (1 << 62)]
SEEDS += [random.Random(seed).getrandbits(64) for seed in range(40)]


def test_first_states_are_those_of_seeds_and_streams() -> None:
    for seed in SEEDS:
        for stream in (0, rows.KEY_STREAM, rows.PLACE_STREAM, 7):
            word = np.uint64(stream % (1 << 64))
            assert rows.first_state(np.uint64(seed), word) == seed_state(seed, stream)


def test_later_seeds_are_the_same_in_the_kernel() -> None:
    for seed in SEEDS:
        assert opponents.later_seed(seed, 0) == seed
        for number in (0, 1, 2, 1000):
            later = opponents.later_seed(seed, number)
            assert int(rows.later_seed(np.uint64(seed), np.int64(number))) == later
            assert number == 0 or 0 <= later < 1 << 63


def test_random_places_are_the_same_in_the_kernel_and_even() -> None:
    for players in (1, 2, 3, 4):
        for seed in SEEDS:
            place = opponents.random_place(seed, players)
            assert int(rows.random_place(np.uint64(seed), np.int64(players))) == place
        count = size(4000, 400)
        found = np.bincount([opponents.random_place(s, players) for s in range(count)])
        assert len(found) == players
        assert abs(found - count / players).max() < 5 * (count / 4) ** 0.5


def test_what_random_seats_choose_is_what_the_dice_would() -> None:
    for secret_seed in (0, 1):
        dice = Dice(secret_seed)
        for key in (0, 5, (1 << 64) - 2, *SEEDS[5:20]):
            for plies in (0, 1, 300):
                request = _Keyed((key + plies) % (1 << 64))
                number = float(dice.roll(request)[0])  # type: ignore[arg-type]
                assert opponents.keyed_number(int(dice.secret), key + plies) == number
                for count in (1, 2, 7, 40):
                    chosen = rows.choose(dice.secret, np.uint64(key), np.int64(plies), count)
                    assert chosen == min(int(number * count), count - 1)


class _Keyed:
    """As much of a request as dice look at."""

    def __init__(self, key: int) -> None:
        self.keys = np.array([key], np.uint64)
