"""`sorry solve`: figures as JSON and in words, files, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from sorry_env.cli import main
from sorry_env.solve import load_solution, solve


def test_json_is_one_object(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["solve", "duel-1", "--json"]) == 0
    (line,) = capsys.readouterr().out.splitlines()
    found = json.loads(line)
    assert list(found) == ["ruleset", "seats", "states", "value", "residual", "seconds"]
    assert (found["ruleset"], found["seats"]) == ("duel-1", ["red", "yellow"])
    assert found["states"] == 66 * 66 - 60
    assert found["value"] == solve("duel-1").value()
    assert found["residual"] < 1e-9
    assert found["seconds"] > 0


def test_draws_of_one_seat_in_words(capsys: pytest.CaptureFixture[str]) -> None:
    ones = "solo?deck=1.0.0.0.0.0.0.0.0.0.0&pawns=1&slides=none"
    assert main(["solve", ones, "--seats", "blue"]) == 0
    out = capsys.readouterr().out
    assert "(blue): 66 positions before a draw" in out
    assert "expected draws: 65.00000000" in out


def test_an_evaluation(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["solve", "duel-1", "--evaluate", "greedy", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)["evaluation"]
    assert found["policy"] == "greedy"
    assert 0 < found["lost_to_optimum"] <= found["exploitability"] < 0.1
    assert set(found["regret_by_card"]) == {*"1234578", "10", "11", "12", "S"} - {""} - set("6")
    assert main(["solve", "duel-1", "--evaluate", "greedy"]) == 0
    words = capsys.readouterr().out
    assert f"loses {found['exploitability']:.6f} of a win" in words
    assert found["worst"][0]["position"] in words
    assert main(["solve", "solo?pawns=1", "--evaluate", "random"]) == 0
    assert "more than optimal" in capsys.readouterr().out


def test_files(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from sorry_env.solve import files

    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(files, "SOLVED_AT_ONCE", 1000)
    out = tmp_path / "out.npz"
    assert main(["solve", "duel-1", "--out", str(out), "--json"]) == 0
    first = json.loads(capsys.readouterr().out)
    (kept,) = (tmp_path / "sorry_env" / "solutions").rglob("*.npz")
    assert kept.read_bytes() == out.read_bytes()
    assert load_solution(out, "duel-1").value() == first["value"]
    # Once more: what is kept, its time and all, is read; and then it is solved and written anew.
    written = kept.stat().st_mtime_ns
    assert main(["solve", "duel-1", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == first
    assert kept.stat().st_mtime_ns == written
    assert main(["solve", "duel-1", "--json", "--fresh"]) == 0
    assert json.loads(capsys.readouterr().out)["value"] == first["value"]
    assert kept.stat().st_mtime_ns != written


def test_a_ruleset_from_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "small.yaml"
    path.write_text("edition: small\nbase: duel-1\nswitch_slides: none\n", encoding="utf-8")
    assert main(["solve", str(path), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["ruleset"] == "small"
    assert found["value"] == solve("duel-1?switch_slides=none").value()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["classic"], "deck=standard must be infinite"),
        (["duel-3"], "2,745,131,236 positions"),
        (["duel-2", "--memory", "0.1"], "the limit is 0.1 GiB"),
        (["duel-2", "--evaluate", "random", "--memory", "3"], "the limit is 3 GiB"),
        (["duel-2", "--evaluate", "nobody"], "unknown bot 'nobody'"),
        (["duel-1", "--seats", "red"], "is for 2 seats, not 1"),
    ],
)
def test_refused(arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["solve", *arguments]) == 2
    assert message in capsys.readouterr().err
