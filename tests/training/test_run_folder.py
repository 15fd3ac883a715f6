"""The folder of a run: several checkpoints, one process at a time, settings that stay its own."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import pytest
from sorry_training.__main__ import main
from sorry_training.checkpoint import FILE, checkpoints, keep_checkpoint, load_checkpoint
from sorry_training.checkpoint import load_newest as newest
from sorry_training.config import PPOConfig, write_config
from sorry_training.locks import LOCK, lock_folder
from sorry_training.ppo import Run, train
from sorry_training.run_folder import RESUMABLE, saved_settings

from sorry_env.errors import ConfigError, ModelError, RequestError

Small = Callable[..., PPOConfig]
NAMES = ["checkpoint.pt", "checkpoint-000004.pt", "checkpoint-000003.pt"]


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of five updates with a checkpoint after each, three of them kept."""
    folder = tmp_path_factory.mktemp("trained") / "run"
    run = train(config_of(), folder, quiet=True)
    assert run.update == 5
    return folder


def config_of(**changes: Any) -> PPOConfig:
    return replace(
        PPOConfig(
            ruleset="duel-1", games=16, steps=12, width=16, minibatch=64, decisions=850,
            evaluate_every=0, final_games=2, checkpoint_every=1, threads=1, opponents=("random",),
        ),
        **changes,
    )  # fmt: skip


@pytest.fixture
def run(trained: Path, tmp_path: Path) -> Path:
    """A copy of it, to be spoiled."""
    folder = tmp_path / "run"
    folder.mkdir()
    for path in trained.iterdir():
        if path.is_file():
            (folder / path.name).write_bytes(path.read_bytes())
    return folder


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}


# --- several checkpoints ------------------------------------------------------------------------


def test_the_last_checkpoints_stay(run: Path) -> None:
    assert [path.name for path in checkpoints(run)] == NAMES
    assert [load_checkpoint(path)["update"] for path in checkpoints(run)] == [5, 4, 3]


@pytest.mark.parametrize(("kept", "updates"), [(1, [7]), (2, [7, 6]), (5, [7, 6, 5, 4, 3])])
def test_as_many_as_the_setting_says(kept: int, updates: list[int], run: Path) -> None:
    more = replace(config_of(), checkpoints_kept=kept, decisions=1100)
    assert train(more, run, resume=True, quiet=True).update == 7
    assert [load_checkpoint(path)["update"] for path in checkpoints(run)] == updates


def test_checkpoints_of_a_future_that_was_left_go(run: Path) -> None:
    """Somebody goes back to an older one by hand."""
    (run / FILE).write_bytes((run / NAMES[2]).read_bytes())
    state = newest(run)[1]
    assert state["update"] == 3
    (run / "checkpoint-mine.pt").write_bytes(b"mine")
    keep_checkpoint(run, state | {"update": 4}, 3, 3)
    assert [load_checkpoint(path)["update"] for path in checkpoints(run)] == [4, 3]
    assert (run / "checkpoint-mine.pt").read_bytes() == b"mine"


def flip(data: bytes, part: float) -> bytes:
    spoiled = bytearray(data)
    spoiled[int(len(data) * part)] ^= 0x40
    return bytes(spoiled)


DAMAGES: dict[str, Callable[[bytes], bytes]] = {
    "empty": lambda data: b"",
    "half": lambda data: data[: len(data) // 2],
    "the end is missing": lambda data: data[:-1],
    "zeros": lambda data: bytes(len(data)),
    "a bit near the start": lambda data: flip(data, 0.3),
    "a bit in the middle": lambda data: flip(data, 0.5),
    "a bit near the end": lambda data: flip(data, 0.9),
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_checkpoint_is_told_and_the_one_before_is_taken(
    damage: str, run: Path, trained: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (run / FILE).write_bytes(DAMAGES[damage]((run / FILE).read_bytes()))
    assert saved_settings(run, (), PPOConfig) == config_of()
    again = train(config_of(), run, resume=True, quiet=True)
    told = capsys.readouterr().err
    assert f"{run / FILE} is " in told
    assert "going back to checkpoint-000004.pt, of update 4" in told
    assert again.update == 5
    there, here = load_checkpoint(trained / FILE), load_checkpoint(run / FILE)
    assert all((there["net"][name] == here["net"][name]).all() for name in there["net"])
    assert [load_checkpoint(path)["update"] for path in checkpoints(run)] == [5, 4, 3]


def test_without_a_whole_checkpoint_the_newest_is_named(run: Path) -> None:
    for path in checkpoints(run):
        path.write_bytes(b"no checkpoint")
    before = contents(run)
    with pytest.raises(ModelError, match=r"checkpoint\.pt is not a checkpoint"):
        train(config_of(), run, resume=True, quiet=True)
    assert contents(run) == before


def test_an_older_checkpoint_alone_is_a_run(run: Path) -> None:
    """As after a crash of the machine, or by hand."""
    (run / FILE).unlink()
    with pytest.raises(ConfigError, match="holds a run already"):
        train(config_of(), run, quiet=True)
    assert train(config_of(), run, resume=True, quiet=True).update == 5


# --- one process at a time ----------------------------------------------------------------------

HOLD = """
import sys
from pathlib import Path
from sorry_training.locks import lock_folder
with lock_folder(Path(sys.argv[1])):
    print("locked", flush=True)
    sys.stdin.read()
"""


@pytest.fixture
def holder(run: Path) -> Iterator[subprocess.Popen[str]]:
    """Another process that has locked the run's folder."""
    with subprocess.Popen([sys.executable, "-c", HOLD, str(run)], stdin=subprocess.PIPE,
                          stdout=subprocess.PIPE, text=True) as process:  # fmt: skip
        assert process.stdout is not None
        assert process.stdout.readline() == "locked\n"
        yield process
        process.kill()


def test_two_processes_do_not_train_in_one_folder(
    run: Path, holder: subprocess.Popen[str], capsys: pytest.CaptureFixture[str]
) -> None:
    before = contents(run)
    assert main(["ppo", "--resume", str(run), "decisions=5000"]) == 2
    told = capsys.readouterr().err
    assert f"{run} is in use: process {holder.pid} on " in told
    assert contents(run) == before
    # Killed, it locks nobody out, though its file is still there.
    holder.send_signal(signal.SIGKILL)
    holder.wait()
    assert (run / LOCK).exists()
    train(config_of(decisions=1000), run, resume=True, quiet=True)
    assert not (run / LOCK).exists()


def test_two_new_runs_do_not_share_a_folder(tmp_path: Path) -> None:
    with lock_folder(tmp_path), pytest.raises(RequestError, match=f"process {os.getpid()} on"):
        train(config_of(), tmp_path, quiet=True)
    assert not list(tmp_path.iterdir())


def test_many_processes_get_the_lock_one_after_the_other(tmp_path: Path) -> None:
    """Each leaves the file's removal to the one that has the lock."""
    program = (
        "import sys, time\nfrom pathlib import Path\n"
        "from sorry_env.errors import RequestError\n"
        "from sorry_training.locks import lock_folder\n"
        "folder = Path(sys.argv[1])\n"
        "for _ in range(40):\n"
        "    try:\n"
        "        with lock_folder(folder):\n"
        "            (folder / 'alone').touch(exist_ok=False)\n"
        "            time.sleep(0.001)\n"
        "            (folder / 'alone').unlink()\n"
        "    except RequestError:\n"
        "        time.sleep(0.001)\n"
    )
    command = [sys.executable, "-c", program, str(tmp_path)]
    processes = [subprocess.Popen(command, stderr=subprocess.PIPE) for _ in range(3)]
    assert [(process.communicate()[1], process.returncode) for process in processes] == (
        [(b"", 0)] * 3
    )
    assert not list(tmp_path.iterdir())


# --- settings -----------------------------------------------------------------------------------


def edit(run: Path, old: str, new: str) -> None:
    path = run / "config.yaml"
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")


CHANGES = [
    ("games: 16", "games: 32", "games ('32' in place of '16')"),
    ("seed: 1", "seed: 2", "seed ('2' in place of '1')"),
    ("learning_rate: 0.003", "learning_rate: 0.001", "learning_rate ('0.001' in place of '0.003')"),
    ("- random", "- greedy", "opponents ('greedy' in place of 'random')"),
    ("ruleset: duel-1", "ruleset: duel-2", "ruleset ('duel-2' in place of 'duel-1')"),
    ("width: 16", "", "width ('128' in place of '16')"),
    ("width: 16", "widht: 16", "did you mean width?"),
    ("width: 16", "width: [", "config.yaml is not plain YAML"),
]


@pytest.mark.parametrize(("old", "new", "words"), CHANGES)
def test_an_edited_config_is_refused(
    old: str, new: str, words: str, run: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    edit(run, old, new)
    before = contents(run)
    for resume in (
        lambda: main(["ppo", "--resume", str(run), "decisions=5000"]),
        lambda: train(config_of(decisions=5000), run, resume=True, quiet=True),
    ):
        try:
            assert resume() == 2
            told = capsys.readouterr().err
        except ConfigError as error:
            told = error.message
        assert words in told
        if "in place of" in words:
            assert ", ".join(RESUMABLE) in told
        assert contents(run) == before


def test_settings_that_may_change_are_taken_from_the_file_and_from_words(run: Path) -> None:
    values = {
        "decisions": 1100, "minutes": 9.0, "threads": 2, "checkpoint_every": 4,
        "checkpoints_kept": 2, "evaluate_every": 7, "evaluate_games": 4, "final_games": 6,
    }  # fmt: skip
    assert {*values, "device"} == {*RESUMABLE}
    for key, value in values.items():
        edit(run, f"\n{key}: {getattr(config_of(), key)}\n", f"\n{key}: {value}\n")
    comment = "# my own remarks\n" + (run / "config.yaml").read_text(encoding="utf-8")
    (run / "config.yaml").write_text(comment, encoding="utf-8")
    config = saved_settings(run, (), PPOConfig)
    assert config == config_of(**values)
    assert saved_settings(run, ["decisions=950", "device=cpu"], PPOConfig).decisions == 950
    train(config, run, resume=True, quiet=True)
    assert (run / "config.yaml").read_text(encoding="utf-8") == comment  # it says so already
    train(replace(config, decisions=1300), run, resume=True, quiet=True)
    assert saved_settings(run, (), PPOConfig).decisions == 1300


def test_the_device_may_change(run: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import torch

    assert saved_settings(run, ["device=cuda"], PPOConfig).device == "cuda"
    with monkeypatch.context() as patched:
        patched.setattr(torch.cuda, "is_available", lambda: False)
        before = contents(run)
        with pytest.raises(ConfigError, match="needs a GPU"):
            train(config_of(device="cuda"), run, resume=True, quiet=True)
        assert contents(run) == before


def test_other_settings_are_refused_by_the_function_too(run: Path) -> None:
    before = contents(run)
    unlike = {"games": 32, "seed": 9, "trace": 0.5, "opponents": ("greedy",)}
    for key, value in unlike.items():
        with pytest.raises(ConfigError, match=f"{key} "):
            train(config_of(**{key: value}), run, resume=True, quiet=True)
    assert contents(run) == before


def test_a_run_without_its_config_gets_it_again(run: Path) -> None:
    text = (run / "config.yaml").read_bytes()
    (run / "config.yaml").unlink()
    train(config_of(), run, resume=True, quiet=True)
    assert (run / "config.yaml").read_bytes() == text


def test_a_checkpoint_from_before_a_setting_existed(run: Path) -> None:
    """It goes on with the setting's default."""
    edit(run, "checkpoints_kept: 3\n", "")
    for path in checkpoints(run):
        state = load_checkpoint(path)
        del state["config"]["checkpoints_kept"]
        from sorry_training.checkpoint import save_checkpoint

        save_checkpoint(path, state)
    assert saved_settings(run, (), PPOConfig) == config_of()
    train(config_of(), run, resume=True, quiet=True)


def test_a_new_run_does_not_overwrite_somebodys_config(tmp_path: Path) -> None:
    """`sorry-train ppo config.yaml games=32 --out .` keeps config.yaml as it is."""
    path = tmp_path / "config.yaml"
    path.write_text("# mine\nruleset: duel-1\n", encoding="utf-8")
    before = contents(tmp_path)
    with pytest.raises(ConfigError, match="is there already, with other contents"):
        train(config_of(), tmp_path, quiet=True)
    assert contents(tmp_path) == before
    write_config(config_of(), path)
    path.write_text("# mine\n" + path.read_text(encoding="utf-8"), encoding="utf-8")
    train(config_of(), tmp_path, quiet=True)
    assert path.read_text(encoding="utf-8").startswith("# mine\n")


def test_an_edited_ruleset_is_refused(tmp_path: Path) -> None:
    rules = "edition: edited-later\npawns: 1\nbase: duel-1\n"
    config = config_of(ruleset="duel-1", decisions=100)
    (tmp_path / "mine.yaml").write_text(rules, encoding="utf-8")
    from sorry_training.config import load_config

    words = [f"{f.name}={getattr(config, f.name)}" for f in fields(config)
             if f.type in ("int", "float") and f.name != "games"]  # fmt: skip
    config = load_config(None, [*words, "games=16", f"ruleset={tmp_path / 'mine.yaml'}"])
    run = tmp_path / "run"
    train(config, run, quiet=True)
    (run / "ruleset.yaml").write_text(rules.replace("duel-1", "duel-2"), encoding="utf-8")
    before = contents(run)
    with pytest.raises(ConfigError, match=r"ruleset\.yaml is not the ruleset that this run"):
        train(config, run, resume=True, quiet=True)
    assert contents(run) == before


def test_a_lock_costs_nothing_that_is_seen(run: Path) -> None:
    """Locking and letting go a hundred times takes well under a second."""
    started = time.perf_counter()
    for _ in range(100):
        with lock_folder(run):
            pass
    assert time.perf_counter() - started < 2
    assert Run(config_of()).saved is None
