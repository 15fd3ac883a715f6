"""A full disk, and a standard output that takes nothing: in words, and nothing half is left."""

from __future__ import annotations

import csv
import errno
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from sorry_training.__main__ import main
from sorry_training.algorithms import ALGORITHMS
from sorry_training.checkpoint import FILE, load_checkpoint
from sorry_training.logbook import CLOCK, EVALUATIONS, METRICS
from sorry_training.ship import write_folder
from sorry_training.td_config import UNUSED

from sorry_env import files

#: A file of a run, and which time it is written (from 1) the disk is full.
WRITES = [
    ("ppo", "config.yaml", 1), ("ppo", "checkpoint.pt", 1), ("ppo", "checkpoint.pt", 3),
    ("ppo", "checkpoint-000001.pt", 1), ("ppo", "metrics.csv", 1), ("ppo", "metrics.csv", 3),
    ("ppo", "evaluations.csv", 1), ("ppo", "evaluations.csv", 2), ("ppo", "events.out", 1),
    ("ppo", "events.out", 3), ("ppo", "bot.onnx", 1), ("td", "value.onnx", 1),
    ("ppo", "curve.png", 1), ("ppo", "report.md", 1),
]  # fmt: skip


def fill_disk(monkeypatch: pytest.MonkeyPatch, name: str, time: int) -> None:
    """Let the disk be full when a file is written for the ``time``-th time, half way through."""
    times = 0

    def no_room(path: str) -> None:
        nonlocal times
        if Path(path).name.lstrip(".").startswith(name):
            times += 1
            if times == time:
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    fsync, write_all = os.fsync, files._write_all

    def full_fsync(descriptor: int) -> None:
        no_room(str(Path(f"/proc/self/fd/{descriptor}").readlink()))
        fsync(descriptor)

    def full_write(raw: Any, data: bytes) -> None:
        try:
            no_room(str(raw.name))
        except OSError:
            write_all(raw, data[: len(data) // 2])
            raise
        write_all(raw, data)

    monkeypatch.setattr(os, "fsync", full_fsync)
    monkeypatch.setattr(files, "_write_all", full_write)


def words_of(algorithm: str, small_words: list[str]) -> list[str]:
    left_out = UNUSED if algorithm == "td" else ()
    return [
        *(word for word in small_words if word.partition("=")[0] not in left_out),
        "decisions=500", "evaluate_every=2", "evaluate_games=2", "final_games=2",
    ]  # fmt: skip


def rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return [{k: v for k, v in row.items() if k not in CLOCK} for row in csv.DictReader(file)]


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Where the runs that nothing happened to go, by algorithm."""
    return {name: tmp_path_factory.mktemp("whole") / name for name in ALGORITHMS}


@pytest.mark.parametrize(("algorithm", "name", "time"), WRITES)
def test_a_full_disk_stops_a_run_that_goes_on_exactly(
    algorithm: str, name: str, time: int, small_words: list[str], tmp_path: Path,
    whole: dict[str, Path], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    words = words_of(algorithm, small_words)
    run, other = tmp_path / "run", whole[algorithm]
    if not other.exists():
        assert main([algorithm, *words, "--out", str(other)]) == 0
    capsys.readouterr()
    with monkeypatch.context() as patched:
        fill_disk(patched, name, time)
        assert main([algorithm, *words, "--out", str(run)]) == 2
    told = capsys.readouterr().err
    assert "Traceback" not in told
    assert f"{run}/" in told and name in told and "No space left on device" in told
    assert not [path for path in tmp_path.rglob("*") if path.suffix in (".part", ".new", ".lock")]
    going_on = (run / FILE).exists()
    if going_on and load_checkpoint(run / FILE)["decisions"] < 500:
        assert f"{algorithm} --resume {run}" in told
    again = (
        [algorithm, "--resume", str(run)] if going_on else [algorithm, *words, "--out", str(run)]
    )
    assert main(again) == 0
    for table in (METRICS, EVALUATIONS):
        assert rows(run / table) == rows(other / table)
    assert sorted(path.name for path in run.iterdir()) == sorted(p.name for p in other.iterdir())
    file = ALGORITHMS[algorithm].file
    assert (run / file).read_bytes() == (other / file).read_bytes()


@pytest.mark.parametrize("name", ["card", "bot"])
def test_a_folder_is_made_as_a_whole_or_not_at_all(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And what somebody has beside it stays."""
    (tmp_path / "mine.new").mkdir()
    (tmp_path / "mine.new" / "work").write_text("of a week")
    contents: dict[str, bytes | str] = {"bot": b"1", "card": "2"}
    with monkeypatch.context() as patched:
        fill_disk(patched, name, 1)
        with pytest.raises(OSError, match="No space left on device"):
            write_folder(tmp_path / "mine", contents)
    assert [path.name for path in tmp_path.iterdir()] == ["mine.new"]
    write_folder(tmp_path / "mine", contents)
    assert {path.name: path.read_text() for path in (tmp_path / "mine").iterdir()} == {
        "bot": "1", "card": "2",
    }  # fmt: skip
    assert (tmp_path / "mine.new" / "work").read_text() == "of a week"


#: Help longer than the buffer, or without one, fails when it is printed, not at the end.
PROGRAMS = [
    ("sorry_training", "ppo --help", ""), ("sorry_training", "ppo --help", "1"),
    ("sorry_training", "td --list", ""), ("sorry_env", "arena --help", "1"),
]  # fmt: skip


@pytest.mark.parametrize(("module", "words", "unbuffered"), PROGRAMS)
def test_an_output_that_takes_nothing_is_told(module: str, words: str, unbuffered: str) -> None:
    line = f"'{sys.executable}' -m {module} {words}"
    done = subprocess.run(
        f"{line} >/dev/full; echo $?; {line} >&-; echo $?", shell=True, capture_output=True,
        text=True, env={**os.environ, "PYTHONUNBUFFERED": unbuffered},
    )  # fmt: skip
    assert done.stdout.split() == ["2", "2"]
    program = {"sorry_training": "sorry-train", "sorry_env": "sorry"}[module]
    full, closed = done.stderr.splitlines()
    assert full == f"{program}: standard output: No space left on device"
    assert closed.startswith(f"{program}: standard output: ")


def test_a_run_goes_on_without_its_output(
    small_words: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    run = tmp_path / "run"
    with Path("/dev/full").open("w") as full, monkeypatch.context() as patched:
        patched.setattr(sys, "stdout", full)
        assert main(["ppo", *words_of("ppo", small_words), "--out", str(run)]) == 2
    told = capsys.readouterr().err
    assert "standard output: No space left on device; the run goes on without it" in told
    assert "Traceback" not in told
    assert (run / "report.md").exists() and (run / "bot.onnx").exists()
