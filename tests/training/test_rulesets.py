"""Every ruleset trains, and what it exports plays: in miniature here, for half a minute as slow."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml
from sorry_training.checkpoint import load_policy
from sorry_training.config import PPOConfig, load_config
from sorry_training.export import export_policy
from sorry_training.figures import read_rows
from sorry_training.logbook import METRICS
from sorry_training.ppo import train

from sorry_env.arena import play_match
from sorry_env.families import FAMILIES
from sorry_env.rules import RULESETS, get_ruleset

ROOT = Path(__file__).parents[2]
CONFIGS = {path.stem: path for path in sorted(ROOT.glob("configs/ppo/*.yaml"))}
#: One configuration of each kind of game: hands, tokens, questions, turbo squares, moods, partners,
#: one agent for two colours, a seat alone, the dice game, a ruleset of one's own.
KINDS = (
    "points", "fire-and-ice", "not-sorry", "bump-em", "way-sorry", "teams", "teams-two", "solo",
    "express", "house",
)  # fmt: skip
MINIATURE = (
    "games=8", "steps=48", "width=16", "layers=2", "minibatch=192", "decisions=6000", "shards=1",
    "threads=1", "evaluate_every=0", "final_games=12", "max_plies=2000",
)  # fmt: skip


def exported_bot_plays(config: PPOConfig, folder: Path) -> None:
    """Export the run in ``folder`` and let its bot play 20 games in each seating."""
    bot = folder / "bot.onnx"
    export_policy(load_policy(folder), bot)
    for seats in config.seat_sets():
        others = 1 if config.tables.ruleset.teams != "none" else len(seats) - 1
        names = [f"learned:{bot}", *["random"] * others]
        result = play_match(names, config.ruleset, seats, games=20, seed=5)
        assert result.games >= 20
        assert result.asked[0] > 0


@pytest.mark.parametrize("name", KINDS)
def test_each_kind_of_game_in_miniature(name: str, tmp_path: Path) -> None:
    config = load_config(CONFIGS[name], MINIATURE)
    run = train(config, tmp_path, quiet=True)
    rows = read_rows(tmp_path / METRICS)
    assert run.decisions >= config.decisions and run.games > 0
    # A policy that learns does not stay where it was.
    assert float(rows[-1]["entropy"]) != float(rows[0]["entropy"])
    assert all(float(row["gradient_norm"]) > 0 for row in rows)
    exported_bot_plays(config, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("name", CONFIGS)
def test_every_configuration_trains_for_half_a_minute(name: str, tmp_path: Path) -> None:
    config = load_config(CONFIGS[name], ["minutes=0.5", "evaluate_every=0", "final_games=64"])
    run = train(config, tmp_path, quiet=True)
    assert run.seconds >= 30 or run.decisions >= config.decisions
    assert run.games > 0
    exported_bot_plays(config, tmp_path)


def test_every_ruleset_has_a_configuration() -> None:
    named = {yaml.safe_load(path.read_text("utf-8"))["ruleset"] for path in CONFIGS.values()}
    assert {*RULESETS, *FAMILIES} <= named
    for count in get_ruleset("classic").seat_counts:
        config = load_config(CONFIGS["classic-all-seats"])
        assert count in {len(seats) for seats in config.seat_sets()}


@pytest.mark.slow
def test_the_bot_of_points_beats_random_and_greedy(tmp_path: Path) -> None:
    """Minutes: lower bounds over 90 % and 50 % in games with seeds of its own."""
    train(load_config(CONFIGS["points"]), tmp_path, quiet=True)
    export_policy(load_policy(tmp_path), tmp_path / "bot.onnx")
    for opponent, bound in (("random", 0.9), ("greedy", 0.5)):
        bots = [f"learned:{tmp_path / 'bot.onnx'}", opponent]
        assert play_match(bots, "points", games=8192, seed=7).interval()[0] > bound
