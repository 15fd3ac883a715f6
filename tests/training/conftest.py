"""A small configuration, so that what is tested and not its size takes the time."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from sorry_training.config import PPOConfig, load_config

SMALL = [
    "ruleset=duel-1", "games=16", "steps=12", "width=16", "minibatch=64", "decisions=1500",
    "pool_every=2", "pool_size=3", "past_games=0.25", "bot_games=0.25", "evaluate_every=0",
    "final_games=20", "checkpoint_every=1", "threads=1",
]  # fmt: skip


@pytest.fixture
def small() -> Callable[..., PPOConfig]:
    """Makes the small configuration, changed by ``key=value`` words."""
    return lambda *words: load_config(None, [*SMALL, *words])


@pytest.fixture
def small_words() -> list[str]:
    """The same as words of the command line."""
    return list(SMALL)
