"""Wilson's interval against published values and its equation; luck taken out of shares."""

from __future__ import annotations

from math import sqrt

import numpy as np
import pytest

from sorry_env.arena.stats import Z95, adjust, wilson


@pytest.mark.parametrize(
    ("wins", "games", "low", "high"),
    [
        # R. G. Newcombe, "Two-sided confidence intervals for the single proportion: comparison of
        # seven methods", Statistics in Medicine 17, 1998, table I, method 3.
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0000, 0.1611),
        (1, 29, 0.0061, 0.1718),
        # By hand with z = 1.96: 5 of 10 is 0.5 -+ 1.96 / (2 sqrt(10 + 3.8416)) = 0.5 -+ 0.2634.
        (5, 10, 0.2366, 0.7634),
    ],
)
def test_published_values(wins: int, games: int, low: float, high: float) -> None:
    assert wilson(wins, games) == pytest.approx((low, high), abs=5.1e-5)
    # Wins and losses are alike.
    assert wilson(games - wins, games) == pytest.approx((1 - high, 1 - low), abs=5.1e-5)


@pytest.mark.parametrize(("wins", "games"), [(1, 2), (3, 10), (700, 1000), (49_999, 100_000)])
def test_the_bounds_are_z_standard_errors_from_the_share(wins: int, games: int) -> None:
    low, high = wilson(wins, games)
    assert low < wins / games < high
    for bound in (low, high):
        error = sqrt(bound * (1 - bound) / games)
        assert abs(wins / games - bound) == pytest.approx(Z95 * error)


def test_the_ends() -> None:
    assert wilson(0, 0) == (0.0, 1.0)
    assert wilson(0, 7)[0] == 0.0
    assert wilson(7, 7)[1] == 1.0
    for games in range(1, 200):
        for wins in range(games + 1):
            low, high = wilson(wins, games)
            assert 0.0 <= low <= wins / games <= high <= 1.0


# -- taking luck out ------------------------------------------------------------------------------


def test_taking_out_by_hand() -> None:
    # Slopes: of the first half (0, 1) over (-1, 1) 1/2, of the second (1, 1/2) over (1, -1) 1/4.
    adjusted = adjust(np.array([0.0, 1.0, 1.0, 0.5]), np.array([-1.0, 1.0, 1.0, -1.0]))
    # Left: 0 + 1/4, 1 - 1/4, 1 - 1/2, 1/2 + 1/2; the mean stays 5/8.
    assert adjusted.rate == pytest.approx(5 / 8) and adjusted.luck == pytest.approx(0)
    assert adjusted.coefficient == pytest.approx(3 / 8)
    squares = sum((x - 5 / 8) ** 2 for x in (0.25, 0.75, 0.5, 1.0))
    half = Z95 * sqrt(squares + (5 / 8) ** 2 + (3 / 8) ** 2) / 4
    assert (adjusted.low, adjusted.high) == pytest.approx((5 / 8 - half, 5 / 8 + half))
    assert adjusted.variance == pytest.approx(squares / (4 * 11 / 64))


def test_the_coefficient_does_not_move_the_mean() -> None:
    # Few units and a luck that says little: a slope of the very units would lean towards them.
    random = np.random.default_rng(1)
    rates = []
    for _ in range(4000):
        luck = random.exponential(size=6) - 1
        rates.append(adjust((luck**2 > 1) + 0.0, luck).rate)
    # P(|x| > 1) for x = exponential - 1 is that of exponential > 2.
    assert abs(np.mean(rates) - np.exp(-2)) < 4.5 * np.std(rates) / sqrt(4000)


def test_without_spread_the_coefficient_is_one() -> None:
    adjusted = adjust(np.array([0.5, 0.5, 0.5]), np.zeros(3))
    assert (adjusted.coefficient, adjusted.variance, adjusted.rate) == (1.0, None, 0.5)
