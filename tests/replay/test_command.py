"""`sorry replay` with --svg, --gif, --html and --bot, as a shell user meets it."""

from __future__ import annotations

from pathlib import Path

import pytest

from sorry_env.cli import main


def sorry(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    status = main([*words])
    out = capsys.readouterr()
    return status, out.out, out.err


@pytest.fixture
def games(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    """Two games of duel-1; the first is won by Red after 25 decisions."""
    _, text, _ = sorry(capsys, "record", "--ruleset", "duel-1", "--seed", "3", "--games", "2")
    path = tmp_path / "games.jsonl"
    path.write_text(text, encoding="utf-8")
    return path


def test_it_draws_one_game(games: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files = {kind: tmp_path / f"story.{kind}" for kind in ("svg", "gif", "html")}
    asked = [word for kind, path in files.items() for word in (f"--{kind}", str(path))]
    status, out, err = sorry(
        capsys, "replay", str(games), "--game", "1", "--size", "48", "--delay", "0.1", *asked
    )
    assert (status, out) == (0, "")
    assert err.splitlines() == [f"wrote {path}" for path in files.values()]
    begins = {"svg": b"<svg ", "gif": b"GIF89a", "html": b"<!doctype html>"}
    for kind, path in files.items():
        assert path.read_bytes().startswith(begins[kind])


def test_a_bot_tells_of_luck_and_decisions(games: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = sorry(capsys, "replay", str(games), "--game", "1", "--bot", "optimal")
    lines = out.splitlines()
    assert status == 0
    assert lines[0] == "duel-1-red-yellow-3 by optimal: Red wins after 25 decisions"
    assert lines[1] == "Red: plays as the bot in 1 of 1 choices, luck +32.6 %, decisions 0.0 %"
    assert lines[3].startswith("Red: 50.2 % at first") and "0.0 % (what the bot" in lines[3]
    assert lines[4].split() == ["25", "Red", "+31.8", "%", "draws", "7"]


def test_a_bot_without_values_says_so(games: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = sorry(capsys, "replay", str(games), "--game", "2", "--bot", "greedy")
    assert status == 0
    assert out.splitlines()[-1].startswith("greedy does not say what positions are worth")


def test_the_dice_game(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _, text, _ = sorry(capsys, "record", "--ruleset", "express", "--seed", "1")
    (tmp_path / "dice.jsonl").write_text(text, encoding="utf-8")
    page = tmp_path / "dice.html"
    words = ("replay", str(tmp_path / "dice.jsonl"), "--html", str(page), "--bot", "greedy")
    status, out, _ = sorry(capsys, *words)
    assert status == 0 and "plays as the bot in" in out
    assert "Player 0" in page.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--html", "story.html"), "has 2 games: --game N says which is meant"),
        (("--game", "3", "--html", "story.html"), "has 2 games, no game 3"),
        (("--game", "1", "--html", "missing/story.html"), "cannot be written"),
        (("--game", "1", "--bot", "nobody"), "unknown bot 'nobody'"),
        (("--game", "1", "--gif", "story.gif", "--delay", "0"), "seconds=0.0"),
    ],
)
def test_what_is_wrong_is_told(
    games: Path, words: tuple[str, ...], told: str, monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    monkeypatch.chdir(games.parent)
    status, _, err = sorry(capsys, "replay", str(games), *words)
    assert status == 2 and told in err
    assert not (games.parent / "story.html").exists()
