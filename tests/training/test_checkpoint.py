"""Checkpoints: a run that is killed goes on exactly, and nothing else is taken for a checkpoint."""

from __future__ import annotations

import csv
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from sorry_training.checkpoint import (
    FILE,
    check_layout,
    load_checkpoint,
    load_policy,
    save_checkpoint,
)
from sorry_training.config import PPOConfig, config_to_mapping
from sorry_training.figures import read_rows
from sorry_training.logbook import CLOCK, EVALUATIONS, METRICS
from sorry_training.ppo import Run, train
from sorry_training.run_folder import saved_settings

from sorry_env.engine.batch import Batch
from sorry_env.errors import ConfigError, ModelError

Small = Callable[..., PPOConfig]


def rows(folder: Path, name: str = METRICS) -> list[list[str]]:
    """The text of a CSV file's columns that do not depend on the clock."""
    with (folder / name).open(encoding="utf-8", newline="") as file:
        lines = list(csv.DictReader(file))
    return [[text for key, text in line.items() if key not in CLOCK] for line in lines]


def same_weights(one: Any, other: Any) -> bool:
    """Whether two saved states have the same weights and optimiser to the last bit."""
    state, later = one["net"], other["net"]
    moments = one["optimiser"]["state"], other["optimiser"]["state"]
    return all(torch.equal(state[key], later[key]) for key in state) and all(
        torch.equal(moments[0][key]["exp_avg"], moments[1][key]["exp_avg"]) for key in moments[0]
    )


TRAIN = """
import sys
from pathlib import Path
from sorry_training.config import load_config
from sorry_training.ppo import train
train(load_config(None, sys.argv[2:]), Path(sys.argv[1]), quiet=True)
"""


def kill_after(arguments: list[str], folder: Path, updates: int) -> None:
    """Start a command and kill it, without warning, when its run has written so many rows."""
    process = subprocess.Popen(
        [sys.executable, *arguments], stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
        env={**os.environ, "OMP_NUM_THREADS": "1"},
    )  # fmt: skip
    while len(read_rows(folder / METRICS)) < updates:
        assert process.poll() is None, "it ended before it was killed"
        time.sleep(0.002)
    process.send_signal(signal.SIGKILL)
    process.wait()


def assert_same_runs(one: Path, other: Path) -> None:
    """The same rows byte for byte, and the same weights, in two folders."""
    assert rows(one) == rows(other)
    assert rows(one, EVALUATIONS) == rows(other, EVALUATIONS)
    assert same_weights(load_checkpoint(one / FILE), load_checkpoint(other / FILE))


LONG = ["decisions=3500", "checkpoint_every=3", "evaluate_every=4", "evaluate_games=8"]


def test_a_run_that_is_killed_goes_on_exactly(
    small: Small, small_words: list[str], tmp_path: Path
) -> None:
    whole, killed = tmp_path / "whole", tmp_path / "killed"
    train(small(*LONG), whole, quiet=True)
    kill_after(["-c", TRAIN, str(killed), *small_words, *LONG], killed, 6)
    assert 6 <= len(rows(killed)) < len(rows(whole))
    train(saved_settings(killed, (), PPOConfig), killed, resume=True, quiet=True)
    assert_same_runs(killed, whole)


@pytest.mark.slow
def test_a_run_that_is_killed_again_and_again(
    small: Small, small_words: list[str], tmp_path: Path
) -> None:
    """The same through the command line, killed wherever it happens to be."""
    whole, killed = tmp_path / "whole", tmp_path / "killed"
    train(small(*LONG), whole, quiet=True)
    (tmp_path / "small.yaml").write_text("seed: 1\n", encoding="utf-8")
    command = ["-m", "sorry_training", "ppo"]
    start = [*command, str(tmp_path / "small.yaml"), *small_words, *LONG, "--out", str(killed)]
    kill_after(start, killed, 2)
    for updates in (5, 9, 14, 18):
        kill_after([*command, "--resume", str(killed)], killed, updates)
    subprocess.run([sys.executable, *command, "--resume", str(killed)], check=True)
    assert_same_runs(killed, whole)


def test_a_run_that_is_stopped_and_resumed_in_one_process(small: Small, tmp_path: Path) -> None:
    """The same within a process, with everything on: pool, bots, average, mixed seatings."""
    words = [
        "ruleset=classic", "seats=red,yellow;red,blue,yellow", "average=0.9", "decisions=3000",
        "pool_every=1", "discount=0.99", "checkpoint_every=4",
    ]  # fmt: skip
    whole = train(small(*words), tmp_path / "whole", quiet=True)
    train(small(*words, "decisions=3000", "minutes=1e-9"), tmp_path / "parts", quiet=True)
    for _ in range(3):
        train(small(*words), tmp_path / "parts", resume=True, quiet=True)
    assert rows(tmp_path / "whole") == rows(tmp_path / "parts")
    saved = load_checkpoint(tmp_path / "parts" / FILE)
    assert same_weights(whole.state_dict(), saved)


def test_threads_change_nothing(small: Small, tmp_path: Path) -> None:
    for threads in (1, 2, 3):
        config = small("shards=4", f"threads={threads}")
        train(config, tmp_path / str(threads), quiet=True)
    assert rows(tmp_path / "1") == rows(tmp_path / "2") == rows(tmp_path / "3")


def test_the_seed_changes_everything(small: Small, tmp_path: Path) -> None:
    for seed in (1, 2):
        train(small(f"seed={seed}", "decisions=400"), tmp_path / str(seed), quiet=True)
    assert rows(tmp_path / "1")[0][3:8] != rows(tmp_path / "2")[0][3:8]


def test_global_random_states_are_left_alone(small: Small, tmp_path: Path) -> None:
    def states() -> list[Any]:
        numpy_state: Any = np.random.get_state()  # noqa: NPY002
        return [random.getstate(), numpy_state[1].tolist(), torch.get_rng_state().tolist()]

    before = states()
    train(small("decisions=400"), tmp_path, quiet=True)
    assert states() == before


def test_a_folder_with_a_run_is_not_overwritten(small: Small, tmp_path: Path) -> None:
    train(small("decisions=200"), tmp_path, quiet=True)
    before = (tmp_path / METRICS).read_bytes()
    with pytest.raises(ConfigError, match="--resume"):
        train(small("decisions=200"), tmp_path, quiet=True)
    assert (tmp_path / METRICS).read_bytes() == before


def test_the_budget_and_the_threads_may_differ_when_resumed(small: Small, tmp_path: Path) -> None:
    train(small("decisions=200"), tmp_path, quiet=True)
    assert saved_settings(tmp_path, (), PPOConfig) == small("decisions=200")
    config = saved_settings(tmp_path, ["decisions=600", "threads=2", "minutes=3"], PPOConfig)
    assert (config.decisions, config.threads, config.minutes) == (600, 2, 3.0)
    for word in ("games=8", "seed=3", "learning_rate=0.1", "nonsense=1", "games"):
        with pytest.raises(ConfigError, match="decisions, minutes, threads"):
            saved_settings(tmp_path, [word], PPOConfig)
    longer = train(config, tmp_path, resume=True, quiet=True)
    assert longer.decisions >= 600
    updates = [row[0] for row in rows(tmp_path)]
    assert updates == [str(i + 1) for i in range(longer.update)]


def test_everything_survives_saving(tmp_path: Path) -> None:
    batch = Batch("classic", (0, 1, 2), 5, seed=1)
    batch.random_steps(30)
    state: dict[str, Any] = {
        "batch": batch.state_dict(), "numbers": [1, 2.5, None, True, "word"], "pair": (1, "two"),
        "big": 2**100, "tensor": torch.arange(3), "scalar": np.float32(0.5),
    }  # fmt: skip
    save_checkpoint(tmp_path / "x.pt", state)
    loaded = load_checkpoint(tmp_path / "x.pt")
    assert {key: loaded[key] for key in ("numbers", "pair", "big", "scalar")} == {
        "numbers": [1, 2.5, None, True, "word"], "pair": (1, "two"), "big": 2**100, "scalar": 0.5,
    }  # fmt: skip
    for name, value in state["batch"].items():
        assert np.array_equal(loaded["batch"][name], value)
        assert np.asarray(loaded["batch"][name]).dtype == np.asarray(value).dtype
    assert [path.name for path in tmp_path.iterdir()] == ["x.pt"]


class Evil:
    """Runs code where it is unpickled without care."""

    def __reduce__(self) -> tuple[Any, ...]:
        return os.system, ("touch /tmp/should-not-exist",)


def test_other_files_are_refused_in_words(small: Small, tmp_path: Path) -> None:
    good = tmp_path / "good.pt"
    save_checkpoint(good, Run(small()).state_dict())
    whole = good.read_bytes()
    cases: dict[str, bytes] = {
        "empty": b"", "words": b"not a checkpoint", "half": whole[: len(whole) // 2],
        "tail": whole[100:], "zeros": bytes(1000),
    }  # fmt: skip
    for name, content in cases.items():
        (tmp_path / name).write_bytes(content)
    torch.save({"weights": torch.ones(3)}, tmp_path / "torch")
    torch.save([1, 2, 3], tmp_path / "list")
    torch.save(Evil(), tmp_path / "evil")
    for name in [*cases, "torch", "list", "evil", "missing"]:
        with pytest.raises(ModelError, match=name):
            load_policy(tmp_path / name)
    (tmp_path / "folder").mkdir()
    with pytest.raises(ModelError, match="not the folder of a run"):
        load_policy(tmp_path / "folder")


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"version": 99}, "version 99"),
        ({"config": {"games": "many"}}, "games"),
        ({"config": {"width": 17}}, "does not describe a policy"),
        ({"config": None}, "does not describe a policy"),
        ({"average": {}}, "does not describe a policy"),
        ({"layout": {"fields": [], "actions": []}}, "another version of sorry_env"),
    ],
)
def test_checkpoints_that_do_not_fit(
    change: dict[str, Any], words: str, small: Small, tmp_path: Path
) -> None:
    state = Run(small()).state_dict()
    if isinstance(change.get("config"), dict):
        change = {"config": config_to_mapping(small()) | change["config"]}
    path = tmp_path / "x.pt"
    save_checkpoint(path, state)
    content: dict[str, Any] = torch.load(path, weights_only=True)
    torch.save(content | change, path)
    with pytest.raises(ModelError, match=words):
        load_policy(path)


@pytest.mark.parametrize("part", ["name", "offset", "size", "low", "high"])
def test_a_checkpoint_for_fields_that_mean_something_else_is_refused(
    part: str, small: Small, tmp_path: Path
) -> None:
    """Each fact of each field counts: bounds too, by which entries are scaled or made one-hot."""
    state = Run(small()).state_dict()
    at = ["name", "offset", "size", "low", "high"].index(part)
    fields = state["layout"]["fields"]
    assert len(fields) >= 4
    for number in range(len(fields)):
        changed = [list(field) for field in fields]
        changed[number][at] = "other" if part == "name" else changed[number][at] + 1
        wrong = {"layout": {**state["layout"], "fields": changed}}
        with pytest.raises(ModelError, match="its fields are not those of duel-1 today"):
            check_layout(wrong, small())
    path = tmp_path / "x.pt"
    save_checkpoint(path, {**state, **wrong})
    with pytest.raises(ModelError, match="its fields are not those of duel-1 today"):
        load_policy(path)


def test_a_checkpoint_for_other_actions_is_refused(small: Small) -> None:
    state = Run(small()).state_dict()
    check_layout(state, small())
    labels = state["layout"]["actions"]
    for wrong in (labels[:-1], [*labels, "x"], labels[::-1]):
        with pytest.raises(ModelError, match="its actions are not those of duel-1 today"):
            check_layout({"layout": {**state["layout"], "actions": wrong}}, small())
