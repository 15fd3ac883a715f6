"""NaN and infinity: training stops at the first, and nothing that holds one is used or written."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from sorry_training import ppo, td
from sorry_training.__main__ import main
from sorry_training.afterstates import NetValueBot, export_values
from sorry_training.algorithms import ALGORITHMS
from sorry_training.checkpoint import FILE, Policy, load_checkpoint, load_policy, make_net
from sorry_training.config import PPOConfig, load_settings
from sorry_training.evaluate import NetBot, evaluate
from sorry_training.export import export_policy
from sorry_training.figures import read_rows
from sorry_training.finite import DivergedError, all_finite
from sorry_training.logbook import METRICS
from sorry_training.ppo import Run
from sorry_training.processes import Processes
from sorry_training.td import TDRun
from sorry_training.td_config import UNUSED, TDConfig
from sorry_training.workers import Workers

from sorry_env.errors import ModelError

Small = Callable[..., PPOConfig]
KINDS: dict[str, Any] = {"ppo": Run, "td": TDRun}
NAN, INF = float("nan"), float("inf")


@pytest.fixture(params=KINDS)
def algorithm(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def words(algorithm: str, small_words: list[str]) -> list[str]:
    """The small configuration, without what the algorithm has no use for."""
    left_out = UNUSED if algorithm == "td" else ()
    return [word for word in small_words if word.partition("=")[0] not in left_out]


@pytest.fixture
def config(algorithm: str, words: list[str]) -> PPOConfig:
    kind: type[PPOConfig] = TDConfig if algorithm == "td" else PPOConfig
    return load_settings(None, words, kind)


def spoil(weights: torch.Tensor, value: float) -> None:
    with torch.no_grad():
        weights.view(-1)[-1] = value


def spoiled_learner(
    monkeypatch: pytest.MonkeyPatch, algorithm: str, quantity: str, value: float, update: int
) -> None:
    """Let a quantity be ``value`` in an update, counted from 0."""
    module: Any = {"ppo": ppo, "td": td}[algorithm]
    name = {"ppo": "minibatch_gradients", "td": "value_gradients"}[algorithm]
    run_of: list[Any] = []
    original, advance = getattr(module, name), KINDS[algorithm].advance

    def gradients(net: Any, *arguments: Any) -> Any:
        found, figures = original(net, *arguments)
        if run_of[0].update == update:
            if quantity == "loss":
                figures[0] = value
            elif quantity == "gradient":
                spoil(found[-1], value)
        return found, figures

    def spoiled_advance(run: Any, workers: Workers) -> dict[str, float]:
        run_of[:] = [run]
        row: dict[str, float] = advance(run, workers)
        if quantity == "weight" and run.update == update + 1:
            spoil(run.net.value.bias, value)
        return row

    monkeypatch.setattr(module, name, gradients)
    monkeypatch.setattr(KINDS[algorithm], "advance", spoiled_advance)


@pytest.mark.parametrize("value", [NAN, INF, -INF])
@pytest.mark.parametrize("quantity", ["loss", "gradient", "weight"])
def test_training_stops_at_the_first(
    quantity: str, value: float, algorithm: str, words: list[str], tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    """In the third update, with a checkpoint after each: that of the second is what stays."""
    spoiled_learner(monkeypatch, algorithm, quantity, value, 2)
    run = tmp_path / "run"
    assert main([algorithm, *words, "--out", str(run)]) == 1
    told = capsys.readouterr().err
    named = {
        "loss": {"ppo": "policy_loss", "td": "value_loss"}[algorithm],
        "gradient": "gradient of value.bias",
        "weight": "weights value.bias",
    }[quantity]
    assert told.startswith("sorry-train: update 3: not a finite number: ")
    for part in (named, str(value), f"export {run}", "a smaller learning_rate (now 0.003)"):
        assert part in told
    assert load_checkpoint(run / FILE)["update"] == 2
    assert [row["update"] for row in read_rows(run / METRICS)] == ["1", "2"]
    assert not (run / ALGORITHMS[algorithm].file).exists()
    assert main(["export", str(run), "--out", str(tmp_path / "bot.onnx")]) == 0


def test_settings_that_diverge_end_in_words(
    algorithm: str, words: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Without an epsilon Adam divides 0 by 0 where a gradient is 0."""
    assert main([algorithm, *words, "adam_epsilon=0", "--out", str(tmp_path / "run")]) == 1
    told = capsys.readouterr().err
    assert "update 1: not a finite number: weights table" in told
    assert "a larger adam_epsilon (now 0)" in told


@pytest.mark.parametrize("part", ["net", "average", "optimiser", "pool"])
def test_no_checkpoint_holds_one(part: str, config: PPOConfig, tmp_path: Path) -> None:
    """None is written, and one that was written by others is not read."""
    run = KINDS[config.algorithm](config)
    run.optimiser.zero_grad()
    for parameter in run.net.parameters():
        parameter.grad = torch.zeros_like(parameter)
    run.optimiser.step()
    ppo.save(run, tmp_path)
    before = (tmp_path / FILE).read_bytes()
    content: dict[str, Any] = torch.load(tmp_path / FILE, weights_only=True)
    spoiled = {
        "net": lambda: content["net"]["bias"],
        "average": lambda: content["average"]["bias"],
        "optimiser": lambda: content["optimiser"]["state"][0]["exp_avg_sq"],
        "pool": lambda: content["pool"]["past"][0]["bias"],
    }[part]()
    spoil(spoiled, NAN)
    torch.save(content, tmp_path / "bad.pt")
    with pytest.raises(ModelError, match=rf"bad\.pt holds numbers that are not finite: {part}"):
        load_policy(tmp_path / "bad.pt")
    state = run.state_dict()
    spoil({
        "net": lambda: state["net"]["bias"],
        "average": lambda: state["average"]["bias"],
        "optimiser": lambda: state["optimiser"]["state"][0]["exp_avg_sq"],
        "pool": lambda: state["pool"]["past"][0]["bias"],
    }[part](), INF)  # fmt: skip
    run.update += 1
    with pytest.raises(ModelError, match="not finite"):
        ppo.save(run, tmp_path)
    assert (tmp_path / FILE).read_bytes() == before


@pytest.mark.parametrize("weight", ["table", "bias", "value.bias"])
def test_evaluations_and_exports_refuse_one(weight: str, config: PPOConfig, tmp_path: Path) -> None:
    net = make_net(config)
    policy = Policy(net.eval(), config, config.tables, {"update": 1, "decisions": 2, "games": 3})
    spoil(dict(net.named_parameters())[weight], NAN)
    bot = NetBot(net) if config.algorithm == "ppo" else NetValueBot(net)
    export: Any = export_policy if config.algorithm == "ppo" else export_values
    with pytest.raises(ModelError, match=f"the network holds .* net {weight}"):
        export(policy, tmp_path / "bot.onnx")
    assert not list(tmp_path.iterdir())
    if weight == "bias" or (config.algorithm == "td" and weight == "value.bias"):
        with Workers(1) as workers, pytest.raises(DivergedError, match="an output of the network"):
            evaluate(bot, replace(config, opponents=("random",)), 4, workers)


def test_outputs_that_overflow_end_training_in_words(config: PPOConfig) -> None:
    """Finite weights whose sums are not: every position has the value NaN or infinite logits."""
    run = KINDS[config.algorithm](config)
    with torch.no_grad():
        run.net.bias.fill_(1e38)
        for layer in (run.net.hidden[0], run.net.policy, run.net.value):
            layer.weight.fill_(1e38)
        run.net.value.weight.view(-1)[::2] = -1e38
    assert all_finite(run.net.parameters())
    with Workers(1) as workers, pytest.raises(DivergedError, match="update 1: not a finite number"):
        ppo.advance(run, workers)


@pytest.mark.parametrize("value", [0.0, -3e38, NAN, INF, -INF])
def test_all_finite_is_told_by_each_number(value: float) -> None:
    for place in range(5):
        tensor = torch.full((5,), 3e38)
        tensor[place] = value
        assert all_finite([torch.ones(2), torch.ones(0), tensor]) is math.isfinite(value)
        assert bool(np.isfinite(tensor.numpy()).all()) is math.isfinite(value)


class OtherDiverged(Processes):
    """A group in which another process has found such a number."""

    def sum(self, tensor: torch.Tensor) -> torch.Tensor:
        """One more than ours."""
        return tensor + 1


def test_all_processes_stop_where_one_does(config: PPOConfig) -> None:
    """Each is told, instead of waiting for the one that has gone."""
    run = KINDS[config.algorithm](config)
    run.processes = OtherDiverged()
    anything: Any = None
    with Workers(1) as workers, pytest.raises(DivergedError, match="in another process"):
        ppo.collect(run, workers, lambda collector: anything)
