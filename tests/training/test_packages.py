"""Packages of the extra `train` that are missing: said before the work, or done without."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from sorry_training.__main__ import main
from sorry_training.packages import OPTIONAL

NEEDED = ["onnx", "onnxruntime", "torch"]
#: Lets none of the packages be found, as if they were not installed.
BLOCKER = """
import sys

class Blind:
    # A finder that does not see them.

    def __init__(self, finder):
        self.finder = finder

    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] not in {blocked}:
            return self.finder.find_spec(name, path, target)

    def __getattr__(self, name):
        return getattr(self.finder, name)

sys.meta_path = [Blind(finder) for finder in sys.meta_path]
from sorry_training.__main__ import main
sys.exit(main(sys.argv[1:]))
"""


def run_without(blocked: list[str], *arguments: str) -> subprocess.CompletedProcess[str]:
    program = BLOCKER.format(blocked=set(blocked))
    command = [sys.executable, "-c", program, *arguments]
    return subprocess.run(command, capture_output=True, text=True)


@pytest.mark.parametrize(
    ("command", "package"),
    [(command, package) for command in ("ppo", "td", "export", "report", "ship")
     for package in NEEDED if (command, package) != ("report", "onnxruntime")],
)  # fmt: skip
def test_what_is_needed_is_told_before_the_work(
    command: str, package: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    monkeypatch.setitem(sys.modules, package, None)
    out = ["--out", str(tmp_path / "out")]
    arguments = {
        "ppo": out, "td": out, "export": [str(tmp_path), *out], "report": [str(tmp_path)],
        "ship": [str(tmp_path), *out],
    }[command]  # fmt: skip
    assert main([command, *arguments]) == 2
    assert capsys.readouterr().err == (
        f"sorry-train: training needs {package}: pip install 'sorry_env[train]'\n"
    )
    assert not list(tmp_path.iterdir())


def test_all_that_is_needed_is_told_at_once(tmp_path: Path) -> None:
    done = run_without(NEEDED, "ppo", "quick", "--out", str(tmp_path / "run"))
    assert done.returncode == 2
    assert done.stderr.endswith(
        "training needs onnx and onnxruntime and torch: pip install 'sorry_env[train]'\n"
    )
    assert "Traceback" not in done.stderr
    assert not list(tmp_path.iterdir())


def test_a_package_that_is_broken_says_why(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "onnxruntime.py").write_text("raise ImportError('libgomp.so.1 is missing')\n")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "onnxruntime")
    assert main(["ppo", "--out", str(tmp_path / "run")]) == 2
    assert "onnxruntime: libgomp.so.1 is missing" in capsys.readouterr().err
    assert not (tmp_path / "run").exists()


def test_without_the_optional_ones_a_run_has_all_but_their_files(
    small_words: list[str], tmp_path: Path
) -> None:
    run = tmp_path / "run"
    words = [*small_words, "decisions=200", "final_games=2", "opponents=random"]
    done = run_without([*OPTIONAL], "ppo", *words, "--out", str(run))
    assert done.returncode == 0, done.stderr
    told = done.stderr.splitlines()
    assert len(told) == len(OPTIONAL)
    for line, (package, lacking) in zip(told, OPTIONAL.items(), strict=True):
        assert line.startswith(f"sorry-train: {package} is not installed: {lacking}; ")
        assert "pip install 'sorry_env[train]'" in line
    names = {path.name for path in run.iterdir()}
    assert {"bot.onnx", "report.md", "metrics.csv", "checkpoint.pt"} <= names
    assert not {"curve.png", "tensorboard"} & names
    assert "curve.png" not in (run / "report.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("package", OPTIONAL)
def test_each_optional_one_alone(
    package: str, small_words: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    monkeypatch.setitem(sys.modules, package, None)
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    monkeypatch.setenv("TERM", "xterm")
    run = tmp_path / "run"
    words = [*small_words, "decisions=100", "final_games=2", "opponents=random"]
    assert main(["ppo", *words, "--out", str(run)]) == 0
    captured = capsys.readouterr()
    assert f"{package} is not installed: {OPTIONAL[package]}" in captured.err
    assert ("\r" in captured.err) is (package != "tqdm")
    assert (run / "curve.png").exists() is (package != "matplotlib")
    assert (run / "tensorboard").exists() is (package != "tensorboard")
    assert f"report: {run / 'report.md'}" in captured.out
