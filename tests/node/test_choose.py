"""Node loads a bot's file itself and chooses the moves that Python chooses."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest
import torch
from sorry_training.afterstates import export_values
from sorry_training.checkpoint import Policy, make_net
from sorry_training.config import PPOConfig, load_config, load_settings
from sorry_training.export import export_policy
from sorry_training.td_config import TDConfig

from sorry_env.bots.policy import load_policy, read_file
from sorry_env.errors import ModelError
from sorry_env.families import family_of
from tests.bots.models import build, save
from tests.node.support import EXAMPLES, PACKAGES, ROOT, games, node, sorry

#: Positions of each bot that comes with sorry_env, in every run and at full size.
SOME, MANY = 100, 1_000
SHIPPED = sorted(ROOT.glob("checkpoints/**/*.onnx"))
BOT = pytest.mark.parametrize("path", SHIPPED, ids=lambda path: str(path.relative_to(ROOT)))

GAMES: list[tuple[type[PPOConfig | TDConfig], str, str]] = [
    (PPOConfig, "classic", "red,yellow;blue,yellow,green;4"), (PPOConfig, "points", "red,yellow;3"),
    (PPOConfig, "way-sorry", "2"), (TDConfig, "teams", "4"), (TDConfig, "points", "red,yellow"),
    (TDConfig, "fire-and-ice", "2;4"), (PPOConfig, "express", "2;3;4"),
]  # fmt: skip


def made_up(ruleset: str, seats: str, kind: type[PPOConfig | TDConfig], folder: Path) -> Path:
    """A file of random weights, exported as trained ones are."""
    words = [f"ruleset={ruleset}", f"seats={seats}", "width=24", "layers=1"]
    config = load_config(None, words) if kind is PPOConfig else load_settings(None, words, TDConfig)
    torch.manual_seed(3)
    net = make_net(config)
    with torch.no_grad():
        for parameter in net.parameters():
            parameter.normal_(std=0.3)
    policy = Policy(net.eval(), config, config.tables, {"update": 1, "decisions": 2, "games": 3})
    path = folder / "bot.onnx"
    (export_policy if kind is PPOConfig else export_values)(policy, path)
    return path


def is_policy(path: Path) -> bool:
    try:
        load_policy(path)
    except ModelError:
        return False
    return True


def compare(path: Path, count: int, folder: Path) -> None:
    """Node's best moves are Python's, one decision at a time, in ``count`` positions."""
    policy = is_policy(path)
    metadata = read_file(path, values_only=not policy)
    family = family_of(metadata.ruleset)
    bot = family.make_bot(f"{'learned' if policy else 'value'}:{path}")
    seats = [str(number) for number in metadata.seat_counts]
    lines, wanted = [], []
    for game in games(metadata.ruleset, seats, count):
        view = game.view(game.actor)
        chances = bot.distribution(family.BatchRequest.of_view(view))[0]
        lines.append(family.write(view))
        wanted.append({family.move_text(m) for m in view.legal_moves() if chances[m.action] > 0})
    given = "".join(f"{line}\n" for line in lines)
    begin = time.monotonic()
    printed = node(EXAMPLES / "choose.mjs", "--sorry", sorry(folder), path, given=given)
    print(f"{path}: {count} positions in {time.monotonic() - begin:.1f} s")
    got = [json.loads(row) for row in printed.splitlines()]
    assert len(got) == count
    for line, mine, theirs in zip(lines, got, wanted, strict=True):
        assert set(mine["best"]) == theirs, line
        assert mine["move"] in theirs, line


@PACKAGES
@pytest.mark.parametrize(("kind", "ruleset", "seats"), GAMES)
def test_files_of_every_kind(
    kind: type[PPOConfig | TDConfig], ruleset: str, seats: str, tmp_path: Path
) -> None:
    compare(made_up(ruleset, seats, kind, tmp_path), 40, tmp_path)


@PACKAGES
@BOT
def test_bots_that_come_with_it(path: Path, tmp_path: Path) -> None:
    compare(path, SOME, tmp_path)


@pytest.mark.slow
@PACKAGES
@BOT
def test_bots_that_come_with_it_at_full_size(path: Path, tmp_path: Path) -> None:
    compare(path, MANY, tmp_path)


@PACKAGES
def test_files_that_do_not_fit_are_refused(tmp_path: Path) -> None:
    script, program = EXAMPLES / "choose.mjs", sorry(tmp_path)
    line = "duel-1 20/-/yS/- r move 1 * - -"
    newer = save(tmp_path, build(metadata={"observation_version": "2"}), "newer.onnx")
    for path, told in (
        (newer, "observation_version is 2, not 1"),
        (save(tmp_path, build()), "it plays classic, not duel-1"),
        (tmp_path / "missing.onnx", "no such file"),
        (ROOT / "checkpoints/express/bot.onnx", "it plays express, not duel-1"),
    ):
        assert told in node(script, "--sorry", program, path, line, status=1)
    over = "classic rH,rH,rH,rH/-/yS,yS,yS,yS/- r over - 5.4.4.4.4.4.4.4.4.4.4 - winner=r"
    told = node(script, "--sorry", program, tmp_path / "bot.onnx", over, status=1)
    assert "nothing is to decide" in told


def test_the_lock_file_names_no_registry() -> None:
    """Whose copy of the registry it was made with is no part of the project."""
    lock = json.loads((EXAMPLES / "package-lock.json").read_text(encoding="utf-8"))
    packages = {name: entry for name, entry in lock["packages"].items() if name}
    assert "node_modules/onnxruntime-node" in packages
    for name, entry in packages.items():
        assert "resolved" not in entry, name
        assert entry["integrity"].startswith("sha512-"), name
