"""Wilson's interval against published values and its defining equation."""

from __future__ import annotations

from math import sqrt

import pytest

from sorry_env.arena.stats import Z95, wilson


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
    for bound in wilson(wins, games):
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
