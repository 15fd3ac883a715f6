"""Export: the file equals the network, fits its game, plays without torch, or is not written."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest
import torch
from sorry_training import export
from sorry_training.checkpoint import Policy, make_net
from sorry_training.config import PPOConfig
from sorry_training.evaluate import NetBot
from sorry_training.export import export_policy, positions, weights_sha256

from sorry_env.arena import play_match
from sorry_env.bots.policy import load_policy as load_exported
from sorry_env.bots.registry import make_bot
from sorry_env.errors import ModelError
from sorry_env.express import ExpressGame
from sorry_env.express.bots import make_bot as make_express_bot

Small = Callable[..., PPOConfig]

GAMES = [
    ("classic", "red,yellow"), ("classic", "red,yellow;red,blue,yellow;red,blue,yellow,green"),
    ("duel-1", "red,yellow"), ("teams", "red,blue,yellow,green"), ("first-edition", "blue,green"),
    ("points", "red,yellow"), ("fire-and-ice", "2"), ("way-sorry", "3"), ("express", "2;3;4"),
]  # fmt: skip


def policy_of(config: PPOConfig) -> Policy:
    """A policy with random weights large enough that its logits spread over tens."""
    torch.manual_seed(3)
    net = make_net(config)
    with torch.no_grad():
        for parameter in net.parameters():
            parameter.normal_(std=0.5)
    summary = {"update": 1, "decisions": 2, "games": 3}
    return Policy(net.eval(), config, config.tables, summary)


@pytest.mark.parametrize(("ruleset", "seats"), GAMES)
@pytest.mark.parametrize("layers", [1, 3])
def test_the_file_equals_the_network(
    ruleset: str, seats: str, layers: int, small: Small, tmp_path: Path
) -> None:
    policy = policy_of(small(f"ruleset={ruleset}", f"seats={seats}", f"layers={layers}"))
    export_policy(policy, tmp_path / "bot.onnx")
    exported = load_exported(tmp_path / "bot.onnx")
    for size in (1, 2, 3, 257, 1000):
        observation, mask = positions(policy, size)
        with torch.no_grad():
            logits, value = policy.net(torch.from_numpy(observation), torch.from_numpy(mask))
        there, value_there = exported.evaluate(observation, mask)
        assert np.allclose(logits.numpy()[mask], there[mask], rtol=1e-5, atol=1e-5)
        assert np.allclose(value.numpy(), value_there, atol=1e-5)
        probabilities = torch.softmax(torch.from_numpy(there), dim=1).numpy()
        assert (probabilities[~mask] == 0).all()
    assert [path.name for path in tmp_path.iterdir()] == ["bot.onnx"]


def test_the_metadata_say_what_it_is(small: Small, tmp_path: Path) -> None:
    seats = "red,yellow;red,blue,yellow"
    policy = policy_of(small("ruleset=classic", f"seats={seats}"))
    export_policy(policy, tmp_path / "bot.onnx")
    model = onnx.load(tmp_path / "bot.onnx")
    onnx.checker.check_model(model, full_check=True)
    metadata = {entry.key: entry.value for entry in model.metadata_props}
    assert metadata["sorry_env.format"] == metadata["position_format"] == "1"
    assert metadata["ruleset"] == "classic"
    assert json.loads(metadata["seat_counts"]) == [2, 3]
    assert json.loads(metadata["actions"]) == list(policy.tables.labels)
    assert json.loads(metadata["observation"])[0] == {
        "name": "pawns", "offset": 0, "size": 16, "low": -1, "high": 66,
    }  # fmt: skip
    training = json.loads(metadata["training"])
    assert training["algorithm"] == "ppo" and training["decisions"] == 2
    assert training["config"]["ruleset"] == "classic"
    assert metadata["weights_sha256"] == weights_sha256(policy.net)
    assert model.opset_import[0].version <= 18
    for port in (*model.graph.input, *model.graph.output):
        assert port.type.tensor_type.shape.dim[0].dim_param == "N"


def test_the_same_weights_make_the_same_file(small: Small, tmp_path: Path) -> None:
    for name in ("one", "other"):
        export_policy(policy_of(small()), tmp_path / name)
    assert (tmp_path / "one").read_bytes() == (tmp_path / "other").read_bytes()
    changed = policy_of(small())
    with torch.no_grad():
        changed.net.bias[0] += 1e-3
    assert weights_sha256(changed.net) != weights_sha256(policy_of(small()).net)


def test_it_plays_without_torch(small: Small, tmp_path: Path) -> None:
    export_policy(policy_of(small()), tmp_path / "bot.onnx")
    program = (
        "import sys\n"
        "for name in ('torch', 'sorry_training', 'onnx'):\n"
        "    sys.modules[name] = None\n"
        "from sorry_env.arena import play_match\n"
        "result = play_match(['learned:' + sys.argv[1], 'random'], 'duel-1', games=20)\n"
        "print(sum(result.wins))\n"
    )
    done = subprocess.run([sys.executable, "-c", program, str(tmp_path / "bot.onnx")],
                          capture_output=True, text=True, check=True)  # fmt: skip
    assert done.stdout == "20\n"


def test_the_bot_plays_as_the_network_does(small: Small, tmp_path: Path) -> None:
    policy = policy_of(small("ruleset=classic"))
    export_policy(policy, tmp_path / "bot.onnx")
    name = f"learned:{tmp_path / 'bot.onnx'}"
    one = play_match([NetBot(policy.net), "greedy"], "classic", games=60, seed=4)
    other = play_match([make_bot(name), "greedy"], "classic", games=60, seed=4)
    assert one.wins == other.wins and one.asked == other.asked


def test_the_bot_of_the_dice_game_plays_as_the_network_does(small: Small, tmp_path: Path) -> None:
    policy = policy_of(small("ruleset=express", "seats=2;3"))
    export_policy(policy, tmp_path / "bot.onnx")
    bot = f"learned:{tmp_path / 'bot.onnx'}"
    for others in (["greedy"], ["random", "greedy"]):
        one = play_match([NetBot(policy.net), *others], "express", games=60, seed=4)
        other = play_match([bot, *others], "express", games=60, seed=4)
        assert one.wins == other.wins and one.asked == other.asked
    with pytest.raises(ModelError, match="was trained with 2 or 3 seats, not with 4"):
        play_match([bot, *["random"] * 3], "express", games=4)
    with pytest.raises(ModelError, match="was trained for ruleset express, not for classic"):
        play_match([bot, "random"], "classic", games=4)
    game = ExpressGame(2, seed=1)
    player: Any = make_express_bot(bot)
    while not game.over:
        game.play(player.choose(game.view(game.actor)))


def test_a_ruleset_of_ones_own_is_told_from_another_of_its_name(
    small: Small, tmp_path: Path
) -> None:
    """The file holds the rules: the same name with other slides is another game."""
    (tmp_path / "mine.yaml").write_text("edition: mine-own\npawns: 2\n", encoding="utf-8")
    config = small(f"ruleset={tmp_path / 'mine.yaml'}")
    assert config.ruleset == "mine-own" and config.rules.startswith("edition: mine-own")
    export_policy(policy_of(config), tmp_path / "bot.onnx")
    bot = make_bot(f"learned:{tmp_path / 'bot.onnx'}")
    assert play_match([bot, "random"], "mine-own", games=4).games == 4
    (tmp_path / "mine.yaml").write_text(
        "edition: mine-own\npawns: 2\nslides: []\n", encoding="utf-8"
    )
    program = "import sys, sorry_env.cli as cli; sys.exit(cli.main(['arena', *sys.argv[1:]]))"
    words = [bot.name, "random", "--games", "4", "--ruleset", str(tmp_path / "mine.yaml")]
    done = subprocess.run([sys.executable, "-c", program, *words], capture_output=True, text=True)
    assert done.returncode == 2
    assert "was trained for another ruleset of the name mine-own" in done.stderr


def test_nothing_is_written_where_the_file_differs(
    small: Small, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    policy = policy_of(small())
    (tmp_path / "bot.onnx").write_bytes(b"what was there before")
    build = export.build_model

    def slightly_wrong(net: Any) -> Any:
        with torch.no_grad():
            net.policy.bias += 1e-3
            model = build(net)
            net.policy.bias -= 1e-3
        return model

    monkeypatch.setattr(export, "build_model", slightly_wrong)
    with pytest.raises(ModelError, match=r"logits differ .* nothing was written"):
        export_policy(policy, tmp_path / "bot.onnx")
    assert (tmp_path / "bot.onnx").read_bytes() == b"what was there before"
    assert [path.name for path in tmp_path.iterdir()] == ["bot.onnx"]


def test_weights_that_are_no_numbers_are_not_exported(small: Small, tmp_path: Path) -> None:
    policy = policy_of(small())
    with torch.no_grad():
        policy.net.value.bias.fill_(float("nan"))
    with pytest.raises(ModelError):
        export_policy(policy, tmp_path / "bot.onnx")
    assert not list(tmp_path.iterdir())
