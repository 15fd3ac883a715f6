"""What a run keeps in its folder: good checkpoints alone, one process, its own settings."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
import torch
from sorry_training import ppo, td
from sorry_training.__main__ import PACKAGES, main
from sorry_training.checkpoint import (
    CONFIG,
    FILE,
    RESUMABLE,
    load_checkpoint,
    load_policy,
    load_run,
    older_checkpoints,
    save_checkpoint,
    saved_settings,
)
from sorry_training.config import PPOConfig, load_settings
from sorry_training.figures import read_rows
from sorry_training.logbook import METRICS
from sorry_training.ppo import DivergedError, lock_folder
from sorry_training.td_config import TDConfig

from sorry_env.errors import ConfigError, ModelError
from sorry_env.files import write_file
from tests.training.conftest import SMALL
from tests.training.test_checkpoint import assert_same_runs

#: Settings that TD has no use for.
PPO_ONLY = ("pool_every", "pool_size", "past_games")
TRAINERS: dict[str, tuple[Callable[..., Any], type[PPOConfig]]] = {
    "ppo": (ppo.train, PPOConfig),
    "td": (td.train, TDConfig),
}


def settings(algorithm: str, *words: str) -> PPOConfig:
    small = [w for w in SMALL if algorithm == "ppo" or w.split("=")[0] not in PPO_ONLY]
    return load_settings(None, [*small, *words], TRAINERS[algorithm][1])


def small_run(folder: Path, *words: str, algorithm: str = "ppo") -> Any:
    return TRAINERS[algorithm][0](settings(algorithm, *words), folder, quiet=True)


def edit(folder: Path, change: Callable[[dict[str, Any]], None]) -> None:
    """Change the newest checkpoint of a run."""
    state = load_checkpoint(folder / FILE)
    change(state)
    save_checkpoint(folder / FILE, state)


# ---------------------------------------------------------------------------- divergence


def spoil_loss(monkeypatch: pytest.MonkeyPatch, spoilt: float) -> None:
    """The value loss is no number from its 7th computation on."""
    calls = [0]
    good = ppo.losses.value_loss

    def value_loss(*arguments: Any) -> Any:
        calls[0] += 1
        return good(*arguments) * (spoilt if calls[0] >= 7 else 1.0)

    monkeypatch.setattr(ppo.losses, "value_loss", value_loss)


@pytest.mark.parametrize("algorithm", TRAINERS)
@pytest.mark.parametrize("spoilt", [float("nan"), float("inf")])
def test_a_loss_that_is_no_number_ends_the_run_and_keeps_the_last_good_checkpoint(
    algorithm: str, spoilt: float, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    spoil_loss(monkeypatch, spoilt)
    with pytest.raises(DivergedError, match=r"value_loss is (nan|inf) in update") as caught:
        small_run(tmp_path / "run", algorithm=algorithm)
    state = load_checkpoint(tmp_path / "run" / FILE)
    assert f"the checkpoint of update {state['update']} is kept" in caught.value.message
    assert state["update"] == int(read_rows(tmp_path / "run" / METRICS)[-1]["update"]) > 0
    assert all(torch.isfinite(weight).all() for weight in state["net"].values())


@pytest.mark.parametrize("algorithm", TRAINERS)
def test_a_weight_that_is_no_number_ends_the_run(
    algorithm: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    step = torch.optim.Adam.step
    calls = [0]

    def spoil(self: Any, *arguments: Any, **options: Any) -> Any:
        result = step(self, *arguments, **options)
        calls[0] += 1
        if calls[0] == 5:
            with torch.no_grad():
                self.param_groups[0]["params"][0].view(-1)[3] = float("inf")
        return result

    monkeypatch.setattr(torch.optim.Adam, "step", spoil)
    with pytest.raises(DivergedError, match=r"is (not finite|nan|inf) in update"):
        small_run(tmp_path / "run", algorithm=algorithm)
    state = load_run(tmp_path / "run")[0]
    assert all(torch.isfinite(weight).all() for weight in state["net"].values())


def test_the_command_says_so_in_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    spoil_loss(monkeypatch, float("nan"))
    write_file(tmp_path / "small.yaml", "seed: 1\n")
    folder = str(tmp_path / "run")
    assert main(["ppo", str(tmp_path / "small.yaml"), *SMALL, "--out", folder, "--quiet"]) == 2
    errors = capsys.readouterr().err
    assert "learning has diverged" in errors and "Traceback" not in errors
    assert not (tmp_path / "run" / "bot.onnx").exists()


def test_weights_that_are_no_numbers_are_neither_resumed_nor_exported(tmp_path: Path) -> None:
    small_run(tmp_path, "decisions=300")

    def spoil(state: dict[str, Any]) -> None:
        for weights in (state["net"], state["average"]):
            weights["policy.weight"][0, 0] = float("nan")

    edit(tmp_path, spoil)
    before = (tmp_path / FILE).read_bytes()
    with pytest.raises(ModelError, match="not all finite numbers"):
        TRAINERS["ppo"][0](settings("ppo", "decisions=900"), tmp_path, resume=True, quiet=True)
    with pytest.raises(ModelError, match="not all finite numbers"):
        load_policy(tmp_path)
    assert (tmp_path / FILE).read_bytes() == before


# ---------------------------------------------------------------------------- checkpoints


@pytest.mark.parametrize("kept", [1, 2, 3])
def test_the_last_checkpoints_are_kept(kept: int, tmp_path: Path) -> None:
    run = small_run(tmp_path, f"checkpoints_kept={kept}")
    newest = load_checkpoint(tmp_path / FILE)
    assert newest["update"] == run.update > 3
    older = [load_checkpoint(path)["update"] for path in older_checkpoints(tmp_path)]
    assert older == [run.update - back for back in range(1, kept)]


@pytest.mark.parametrize("damage", ["cut", "gone"])
def test_a_damaged_checkpoint_is_replaced_by_the_one_before_it(
    damage: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    whole, broken = tmp_path / "whole", tmp_path / "broken"
    small_run(whole, "decisions=1500")
    small_run(broken, "decisions=800")
    data = (broken / FILE).read_bytes()
    (broken / FILE).unlink()
    if damage == "cut":
        (broken / FILE).write_bytes(data[: len(data) // 2])
    config = saved_settings(broken, ["decisions=1500"], PPOConfig)
    TRAINERS["ppo"][0](config, broken, resume=True, quiet=True)
    # The schedules run over the budget, so that only the network's last steps may differ.
    assert load_checkpoint(broken / FILE)["update"] == load_checkpoint(whole / FILE)["update"]
    for path in [broken / FILE, *older_checkpoints(broken)]:
        load_checkpoint(path)
    if damage == "cut":
        assert "is not a checkpoint, or a damaged one" in capsys.readouterr().err


def test_going_on_from_an_older_checkpoint_is_exact(tmp_path: Path) -> None:
    whole, broken = tmp_path / "whole", tmp_path / "broken"
    small_run(whole)
    small_run(broken)
    (broken / FILE).write_bytes(b"damaged")
    TRAINERS["ppo"][0](settings("ppo"), broken, resume=True, quiet=True)
    assert_same_runs(broken, whole)


# ---------------------------------------------------------------------------- one process


def test_a_folder_in_use_is_refused_and_left_alone(tmp_path: Path) -> None:
    small_run(tmp_path, "decisions=300")
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir() if path.is_file()}
    with ExitStack() as stack:
        lock_folder(tmp_path, stack)
        for resume in (True, False):
            with pytest.raises(ConfigError, match="another process trains in this folder"):
                TRAINERS["ppo"][0](settings("ppo"), tmp_path, resume=resume, quiet=True)
    after = {path.name: path.read_bytes() for path in tmp_path.iterdir() if path.is_file()}
    assert after == before
    TRAINERS["ppo"][0](settings("ppo"), tmp_path, resume=True, quiet=True)


def test_the_lock_of_a_killed_process_is_free(tmp_path: Path) -> None:
    holder = subprocess.Popen(
        [
            sys.executable, "-c",
            "import sys, time, filelock\n"
            "lock = filelock.FileLock(sys.argv[1]).acquire()\n"
            "print('held', flush=True)\n"
            "time.sleep(600)",
            str(tmp_path / ppo.LOCK),
        ],
        stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert holder.stdout is not None
    with holder.stdout:
        assert holder.stdout.readline() == "held\n"
        with ExitStack() as stack, pytest.raises(ConfigError, match="another process"):
            lock_folder(tmp_path, stack)
        holder.send_signal(signal.SIGKILL)
        holder.wait()
    with ExitStack() as stack:
        lock_folder(tmp_path, stack)


# ---------------------------------------------------------------------------- settings


def test_edited_settings_are_refused_by_name_and_kept(tmp_path: Path) -> None:
    small_run(tmp_path, "decisions=300")
    path = tmp_path / CONFIG
    text = path.read_text(encoding="utf-8")
    edited = text.replace("learning_rate: 0.003", "learning_rate: 0.1").replace(
        "width: 16", "width: 32"
    )
    path.write_text(edited, encoding="utf-8")
    with pytest.raises(ConfigError) as caught:
        saved_settings(tmp_path, (), PPOConfig)
    message = caught.value.message
    assert "learning_rate: 0.1, it began with 0.003" in message and "width: 32" in message
    assert all(key in message for key in RESUMABLE)
    assert path.read_text(encoding="utf-8") == edited
    path.unlink()
    assert saved_settings(tmp_path, (), PPOConfig).width == 16


def test_settings_that_may_change_are_taken_from_the_file_and_then_from_the_words(
    tmp_path: Path,
) -> None:
    small_run(tmp_path, "decisions=300")
    path = tmp_path / CONFIG
    text = path.read_text(encoding="utf-8")
    path.write_text(
        text.replace("decisions: 300", "decisions: 900").replace(
            "final_games: 20", "final_games: 8"
        ),
        encoding="utf-8",
    )
    config = saved_settings(tmp_path, ["decisions=700", "threads=2"], PPOConfig)
    assert (config.decisions, config.final_games, config.threads) == (700, 8, 2)
    run = TRAINERS["ppo"][0](config, tmp_path, resume=True, quiet=True)
    assert run.decisions >= 700


def test_a_run_of_a_gpu_goes_on_without_one(tmp_path: Path) -> None:
    small_run(tmp_path, "decisions=300")
    edit(tmp_path, lambda state: state["config"].update(device="cuda"))
    path = tmp_path / CONFIG
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("device: cpu", "device: cuda"), encoding="utf-8")
    config = saved_settings(tmp_path, ["device=cpu", "decisions=600"], PPOConfig)
    run = TRAINERS["ppo"][0](config, tmp_path, resume=True, quiet=True)
    assert run.config.device == "cpu" and run.decisions >= 600


# ---------------------------------------------------------------------------- what is missing


@pytest.mark.parametrize("package", PACKAGES)
def test_a_missing_package_is_said_before_the_work(
    package: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    monkeypatch.setitem(sys.modules, package, None)
    write_file(tmp_path / "small.yaml", "seed: 1\n")
    folder = tmp_path / "run"
    assert main(["ppo", str(tmp_path / "small.yaml"), *SMALL, "--out", str(folder)]) == 2
    errors = capsys.readouterr().err
    assert f"training needs {package}: pip install 'sorry_env[train]'" in errors
    assert not folder.exists()


FULL = """
import resource, signal, sys
from sorry_training.__main__ import main
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
limit = int(sys.argv[1])
resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
sys.exit(main(sys.argv[2:]))
"""


@pytest.mark.parametrize(("limit", "written"), [(20_000, False), (240_000, True)])
def test_a_full_disk_is_said_in_words_and_leaves_nothing_half_written(
    limit: int, written: bool, tmp_path: Path
) -> None:
    """Files that cannot grow stand for a disk without room: first the checkpoint, then the bot."""
    write_file(tmp_path / "small.yaml", "seed: 1\n")
    folder = tmp_path / "run"
    words = [str(limit), "ppo", str(tmp_path / "small.yaml"), *SMALL, "width=4", "decisions=100"]
    result = subprocess.run(
        [sys.executable, "-c", FULL, *words, "--out", str(folder), "--quiet"],
        capture_output=True, text=True, env={**os.environ, "OMP_NUM_THREADS": "1"},
    )  # fmt: skip
    assert result.returncode == 2, result.stderr
    assert "File too large" in result.stderr and "Traceback" not in result.stderr
    assert (folder / FILE).exists() == written
    assert not [path for path in folder.rglob("*") if path.name.endswith((".part", ".new"))]
