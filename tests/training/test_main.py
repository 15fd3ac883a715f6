"""The command line: trains, exports and reports, and says in words what is wrong."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import NoReturn

import onnx
import pytest
from sorry_training.__main__ import main
from sorry_training.algorithms import ALGORITHMS
from sorry_training.config import FIELDS
from sorry_training.figures import read_rows
from sorry_training.logbook import EVALUATIONS, METRICS
from sorry_training.processes import LostProcessError


@pytest.fixture
def config(tmp_path: Path) -> Path:
    """A YAML file that says little; the small settings come as words."""
    path = tmp_path / "tiny.yaml"
    path.write_text("seed: 3\n", encoding="utf-8")
    return path


def refused(capsys: pytest.CaptureFixture[str], *arguments: object) -> str:
    """What a refused command says; the exit status is 2 and there is no traceback."""
    assert main([str(argument) for argument in arguments]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert "Traceback" not in captured.err
    assert captured.err.startswith("sorry-train: ")
    return captured.err


@pytest.mark.parametrize("dumb", [True, False])
@pytest.mark.parametrize("quiet", [True, False])
def test_progress_is_for_terminals(
    quiet: bool, dumb: bool, config: Path, small_words: list[str], tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    monkeypatch.setenv("TERM", "dumb" if dumb else "xterm")
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    words = [str(config), *small_words, "decisions=100", *(["--quiet"] if quiet else [])]
    assert main(["ppo", *words, "--out", str(tmp_path / "run")]) == 0
    captured = capsys.readouterr()
    assert ("\r" in captured.err) is (not quiet and not dumb)
    assert ("of 20 games against random" in captured.out) is not quiet
    assert "bot: learned:" in captured.out


def test_train_export_report(
    config: Path, small_words: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run = tmp_path / "run"
    words = [str(config), *small_words, "decisions=600", "evaluate_every=2"]
    assert main(["ppo", *words, "--out", str(run)]) == 0
    captured = capsys.readouterr()
    assert f"bot: learned:{run / 'bot.onnx'}" in captured.out
    assert "of 20 games against random" in captured.out
    last = read_rows(run / METRICS)[-1]["update"]
    older = [f"checkpoint-{update:06d}.pt" for update in (int(last) - 2, int(last) - 1)]
    assert {path.name for path in run.iterdir()} == {
        *older, "bot.onnx", "checkpoint.pt", "config.yaml", "curve.png", "evaluations.csv",
        "metrics.csv", "report.md", "tensorboard",
    }  # fmt: skip
    assert (run / "curve.png").read_bytes().startswith(b"\x89PNG")
    report = (run / "report.md").read_text(encoding="utf-8")
    for expected in ("# PPO on duel-1", "| random | 20 |", "| games | 16 | 1024 |", "curve.png"):
        assert expected in report
    assert len(read_rows(run / METRICS)) == int(read_rows(run / METRICS)[-1]["update"])
    assert {row["opponent"] for row in read_rows(run / EVALUATIONS)} == {"random", "greedy"}

    for source in (run, run / "checkpoint.pt"):
        out = tmp_path / "sub" / "bot.onnx"
        assert main(["export", str(source), "--out", str(out)]) == 0
        assert f"learned:{out}" in capsys.readouterr().out
        assert out.read_bytes() == (run / "bot.onnx").read_bytes()
    props = {entry.key: entry.value for entry in onnx.load(run / "bot.onnx").metadata_props}
    assert json.loads(props["training"])["config"]["seed"] == 3

    (run / "report.md").unlink()
    assert main(["report", str(run)]) == 0
    assert capsys.readouterr().out == f"{run / 'report.md'}\n"
    assert (run / "report.md").read_text(encoding="utf-8") == report

    assert str(run) in refused(capsys, "ppo", *words, "--out", run)
    assert main(["ppo", "--resume", str(run), "decisions=900"]) == 0
    assert int(read_rows(run / METRICS)[-1]["decisions"]) >= 900


def test_words_and_options_come_in_any_order(
    config: Path, small_words: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = [*small_words, "decisions=100", "final_games=2"]
    orders = [
        ["--out", "A", str(config), *words],
        [str(config), "--out", "A", *words],
        [*words, str(config), "--out", "A"],
        [*words[:3], "--out", "A", *words[3:], str(config)],
    ]
    for number, order in enumerate(orders):
        run = str(tmp_path / str(number))
        assert main(["ppo", *(run if word == "A" else word for word in order)]) == 0
        assert f"bot: learned:{run}/bot.onnx" in capsys.readouterr().out
    files = [(tmp_path / str(number) / "bot.onnx").read_bytes() for number in range(4)]
    assert len(set(files)) == 1
    assert main(["ppo", "decisions=200", "--resume", run, "threads=2"]) == 0


def test_a_ruleset_of_ones_own_is_kept_by_the_run(
    config: Path, small_words: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its file may go: the run has all it needs to go on, to export and to be played against."""
    rules = tmp_path / "short.yaml"
    rules.write_text("edition: short-of-tests\npawns: 1\nhand: 2\n", encoding="utf-8")
    words = [str(config), *small_words, f"ruleset={rules}?slides=none", "decisions=200"]
    run = tmp_path / "run"
    assert main(["ppo", *words, "--out", str(run)]) == 0
    text = rules.read_text(encoding="utf-8")
    rules.unlink()
    assert main(["ppo", "--resume", str(run), "decisions=400"]) == 0
    assert main(["export", str(run), "--out", str(tmp_path / "bot.onnx")]) == 0
    assert (run / "ruleset.yaml").read_text(encoding="utf-8") == text
    report = (run / "report.md").read_text(encoding="utf-8")
    assert f"--ruleset '{run / 'ruleset.yaml'}?slides=none'" in report
    program = (
        "import sys\nfrom sorry_env.cli import main\n"
        "sys.exit(main(['arena', f'learned:{sys.argv[1]}/bot.onnx', 'greedy', '--games', '4',"
        " '--ruleset', f'{sys.argv[1]}/ruleset.yaml?slides=none']))\n"
    )
    done = subprocess.run([sys.executable, "-c", program, str(run)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "4 games of short-of-tests?slides=none" in done.stdout


def test_refusals(
    config: Path, small_words: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "a file"
    file.write_text("words", encoding="utf-8")
    assert "takes one CONFIG at most" in refused(capsys, "ppo", config, config)
    assert "cannot read missing.yaml" in refused(capsys, "ppo", "missing.yaml")
    assert "did you mean games?" in refused(capsys, "ppo", config, "game=3")
    assert "'many'" in refused(capsys, "ppo", config, "games=many")
    assert "not the folder of a run" in refused(capsys, "ppo", "--resume", tmp_path)
    assert "no CONFIG" in refused(capsys, "ppo", config, "--resume", tmp_path)
    assert "no CONFIG" in refused(capsys, "ppo", "--resume", tmp_path, "--out", tmp_path)
    assert "a file" in refused(capsys, "ppo", config, *small_words, "--out", file)
    assert "not a checkpoint" in refused(capsys, "export", file)
    assert "missing" in refused(capsys, "export", tmp_path / "missing")
    assert "no evaluated run" in refused(capsys, "report", tmp_path)


def test_unknown_commands_and_options_show_the_usage(capsys: pytest.CaptureFixture[str]) -> None:
    for arguments in (
        [], ["fly"], ["ppo", "--fast"], ["ppo", "a.yaml", "--out", "x", "seed=1", "--fast"],
        ["export"], ["export", "a", "b"], ["report"],
    ):  # fmt: skip
        with pytest.raises(SystemExit) as caught:
            main(arguments)
        assert caught.value.code == 2
        assert "usage: sorry-train" in capsys.readouterr().err


def test_help_is_enough(capsys: pytest.CaptureFixture[str]) -> None:
    for arguments in ([], ["ppo"], ["td"], ["export"], ["report"], ["ship"]):
        with pytest.raises(SystemExit) as caught:
            main([*arguments, "--help"])
        assert caught.value.code == 0
        text = capsys.readouterr().out
        assert "usage: sorry-train" in text
        if arguments == ["ppo"]:
            assert all(f"{name}=" in text for name in FIELDS)
            assert "--resume" in text and "key=value" in text and "--list" in text


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_a_run_that_is_broken_off_says_how_to_go_on(
    algorithm: str, config: Path, monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    error: BaseException | None = LostProcessError("process 0 of 2 lost the others", value=0)

    def train(*arguments: object, **options: object) -> NoReturn:
        if error:
            raise error
        os.kill(os.getpid(), signal.SIGTERM)
        raise AssertionError("the signal was not heeded")

    monkeypatch.setitem(ALGORITHMS, algorithm, replace(ALGORITHMS[algorithm], train=train))
    assert main([algorithm, str(config), "--out", "run"]) == 1
    assert capsys.readouterr().err == (
        "sorry-train: process 0 of 2 lost the others; start all again with "
        f"{algorithm} --resume run, which goes on from the last checkpoint\n"
    )
    error = KeyboardInterrupt()
    assert main([algorithm, str(config), "--out", "run"]) == 130
    assert f"go on with sorry-train {algorithm} --resume run\n" in capsys.readouterr().err
    # What torchrun sends to the others when one is lost, if they have not found out before.
    error, before = None, signal.getsignal(signal.SIGTERM)
    assert main([algorithm, str(config), "--out", "run"]) == 143
    told = capsys.readouterr().err
    assert f"terminated; start all again with {algorithm} --resume run, which goes on" in told
    assert signal.getsignal(signal.SIGTERM) == before


def test_without_torch_it_says_what_to_install() -> None:
    program = (
        "import sys\nsys.modules['torch'] = None\n"
        "from sorry_training.__main__ import main\nsys.exit(main(['report', '.']))\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.returncode == 2
    assert "pip install 'sorry_env[train]'" in done.stderr
    assert "Traceback" not in done.stderr
