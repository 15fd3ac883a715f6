"""PPO learns: the small duel in seconds, and (slow) the real game."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from sorry_training.checkpoint import load_policy
from sorry_training.config import PPOConfig, load_config
from sorry_training.evaluate import evaluate
from sorry_training.export import export_policy
from sorry_training.ppo import train
from sorry_training.workers import Workers

Small = Callable[..., PPOConfig]
QUICK = Path(__file__).parents[2] / "configs" / "ppo" / "quick.yaml"


def test_it_learns_the_duel_with_two_pawns(small: Small, tmp_path: Path) -> None:
    """From nothing to clearly better than random, and than greedy's first steps, in seconds."""
    config = small(
        "ruleset=duel-2", "games=128", "steps=32", "width=64", "minibatch=1024",
        "decisions=100000", "learning_rate=3e-3", "trace=0.7", "entropy=0.03",
        "final_games=2000", "past_games=0.1", "bot_games=0.1",
    )  # fmt: skip
    train(config, tmp_path, quiet=True)
    with Workers(1) as workers:
        scores = evaluate(load_policy(tmp_path).net, config, 2000, workers, seed=7)
    random = next(score for score in scores if score.opponent == "random")
    assert random.interval[0] > 0.6, random.text()


@pytest.mark.slow
def test_the_quick_configuration_reaches_its_goal(tmp_path: Path) -> None:
    """Minutes: the bot of quick.yaml beats random over 83 % and greedy over 58 % (lower bounds)."""
    config = load_config(QUICK)
    train(config, tmp_path, quiet=True)
    policy = load_policy(tmp_path)
    export_policy(policy, tmp_path / "bot.onnx")
    with Workers(config.threads) as workers:
        scores = evaluate(policy.net, config, 8000, workers, seed=7)
    bounds = {score.opponent: score.interval[0] for score in scores}
    assert bounds["random"] > 0.83, scores
    assert bounds["greedy"] > 0.58, scores
