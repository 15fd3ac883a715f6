"""Known statistics of random play, from an independent engine (100,000 games each).

Moves are uniform over the distinct legal ones. That engine takes the two orders of a split for one
move and may differ in what slides; both are rare enough to leave no trace at this size. Its own
standard errors are about 0.15 cards and 0.0016. A gap is to be explained, never tuned away.
"""

from __future__ import annotations

import numpy as np
import pytest

from sorry_env.engine.batch import Batch

# Seats, cards drawn per game, share of wins by seat.
KNOWN = [
    ("red,yellow", 184.7, (0.502, 0.0, 0.498, 0.0)),
    ("red,blue", 184.0, (0.446, 0.554, 0.0, 0.0)),
    ("red,blue,yellow", 288.3, (0.302, 0.338, 0.360, 0.0)),
    ("red,blue,yellow,green", 392.7, (0.25, 0.25, 0.25, 0.25)),
]
CARDS_ERROR, SHARE_ERROR = 0.15, 0.0016


def first_games(seats: str, count: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Cards drawn int[count] and winner int[count] of one game a row, short and long ones alike."""
    batch = Batch("classic", seats, count, seed=seed)
    cards, winners = np.zeros(count, int), np.full(count, -1)
    for _ in range(5000):
        if (winners >= 0).all():
            break
        batch.random_steps(1)
        ended = batch.terminated & (winners < 0)
        cards[ended] = batch.length[ended]  # one card a decision
        winners[ended] = batch.rewards[ended].argmax(axis=1)
    assert (winners >= 0).all()
    return cards, winners


def check(seats: str, cards_known: float, shares: tuple[float, ...], count: int) -> None:
    """Within four standard errors of the difference, here and there taken together."""
    cards, winners = first_games(seats, count, seed=41)
    error = np.hypot(cards.std() / count**0.5, CARDS_ERROR)
    assert abs(cards.mean() - cards_known) < 4 * error, (cards.mean(), error)
    for seat, share in enumerate(shares):
        found = float((winners == seat).mean())
        if share == 0:
            assert found == 0, seat
        else:
            error = np.hypot((share * (1 - share) / count) ** 0.5, SHARE_ERROR)
            assert abs(found - share) < 4 * error, (seat, found, error)


@pytest.mark.parametrize(("seats", "cards", "shares"), KNOWN)
def test_statistics(seats: str, cards: float, shares: tuple[float, ...]) -> None:
    check(seats, cards, shares, 3000)


@pytest.mark.slow
@pytest.mark.parametrize(("seats", "cards", "shares"), KNOWN)
def test_statistics_in_full(seats: str, cards: float, shares: tuple[float, ...]) -> None:
    check(seats, cards, shares, 100_000)
