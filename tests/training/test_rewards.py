"""Rewards lie within the range of the values, and say what the game or the clock says."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from sorry_training.config import PPOConfig
from sorry_training.rewards import Rewards, score_bound

Small = Callable[..., PPOConfig]


def play(config: PPOConfig, games: int, steps: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Rewards float32[steps, games, 4], ends and lengths of games played at random."""
    rewards = Rewards(config)
    batch = config.family.Batch(
        config.ruleset, config.seat_sets()[0], games, seed=2, reward=rewards.counted,
        max_plies=config.max_plies, skip_forced=True,
    )  # fmt: skip
    random = np.random.default_rng(3)
    found, ended, lengths = [], [], []
    for _ in range(steps):
        weights = np.where(batch.mask, random.random(batch.mask.shape), -1)
        out = np.full((games, 4), np.nan, np.float32)
        rewards.step(batch, weights.argmax(axis=1).astype(np.int32), out)
        found.append(out)
        ended.append(batch.terminated.copy())
        lengths.append(batch.length.copy())
    return np.array(found), np.array(ended), np.array(lengths)


def test_alone_each_decision_costs_the_same_forced_ones_too(small: Small) -> None:
    """From the beginning to the end a game's rewards are minus its length over max_plies."""
    config = small(
        "ruleset=solo", "seats=red", "reward=speed", "past_games=0", "bot_games=0", "max_plies=1000"
    )
    rewards, ended, lengths = play(config, 6, 900)
    whole = 0
    for game in range(6):
        ends = np.flatnonzero(ended[:, game])
        for before, end in zip([-1, *ends[:-1].tolist()], ends.tolist(), strict=True):
            total = rewards[before + 1 : end + 1, game, 0].sum(dtype=np.float64)
            assert total == pytest.approx(-lengths[end, game] / 1000, abs=1e-4)
            whole += 1
    assert whole > 6
    assert (rewards[:, :, 1:] == 0).all()


def test_points_are_shares_of_what_can_be_had(small: Small) -> None:
    """Two seats: 8 pawns of 5 points and 100 at best; four: 16 pawns; 1939: 8 of 1 point and 24."""
    config = small("ruleset=points", "reward=points")
    assert score_bound(config.tables.ruleset, ((0, 2),)) == 140
    assert score_bound(config.tables.ruleset, ((0, 2), (0, 1, 2, 3))) == 180
    assert score_bound(small("ruleset=points-1939").tables.ruleset, ((0, 2),)) == 32
    rewards, ended, _ = play(config, 64, 300)
    finals = rewards[ended]
    assert len(finals) > 20
    points = finals * 140
    assert np.allclose(points, np.rint(points), atol=1e-3) and (np.rint(points) % 5 == 0).all()
    assert finals.min() >= 0 and finals.max() <= 1
    # The winner has at least all four pawns' points.
    assert (points.max(axis=1) > 20 - 1e-3).all()
    assert (rewards[~ended] == 0).all()
