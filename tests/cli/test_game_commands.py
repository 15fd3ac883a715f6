"""`sorry record`, `replay`, `arena` and `play`, as a shell user meets them."""

from __future__ import annotations

import builtins
import json
from pathlib import Path

import pytest

from sorry_env.cli import main
from sorry_env.notation import read_records


def record(capsys: pytest.CaptureFixture[str], *arguments: str) -> list[str]:
    assert main(["record", *arguments]) == 0
    return capsys.readouterr().out.splitlines()


def test_records_have_the_documented_lines(capsys: pytest.CaptureFixture[str]) -> None:
    lines = record(capsys, "--seats", "red,yellow", "--games", "3", "--seed", "7", "--legal")
    rows = [json.loads(line) for line in lines]
    games = [row for row in rows if row["type"] == "game"]
    assert [row["seed"] for row in games] == [7, 8, 9]
    assert len({row["id"] for row in games}) == 3
    assert games[0]["format"] == 1
    assert games[0]["ruleset"] == "classic"
    assert games[0]["seats"] == ["red", "yellow"]
    assert games[0]["players"] == {"red": "random", "yellow": "random"}
    moves = [row for row in rows if row["type"] == "move"]
    assert all(row["move"] in row["legal"] == sorted(row["legal"]) for row in moves)
    ends = [row for row in rows if row["type"] == "end"]
    assert all(sorted(row["returns"].values()) == [-1.0, 1.0] for row in ends)
    assert {row["reason"] for row in ends} == {"win"}
    assert [record.end["plies"] for record in read_records(lines)] == [e["plies"] for e in ends]


def test_the_same_command_prints_the_same_bytes(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ("--games", "2", "--seed", "3", "--player", "random", "--player", "greedy")
    first = record(capsys, *arguments)
    assert record(capsys, *arguments) == first
    assert json.loads(first[0])["players"] == {"red": "random", "yellow": "greedy"}
    assert "legal" not in json.loads(first[1])


@pytest.mark.parametrize(
    ("ruleset", "seats", "names"),
    [
        ("teams", "red,blue,yellow,green", ["blue", "green", "red", "yellow"]),
        ("teams-two", "red,blue,yellow,green", ["blue", "red"]),
        ("solo", "red", ["red"]),
        ("duel-2", "blue,green", ["blue", "green"]),
        ("classic", "red,blue,green", ["blue", "green", "red"]),
    ],
)
def test_players_and_returns_are_named_as_documented(
    ruleset: str, seats: str, names: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    rows = [json.loads(line) for line in record(capsys, "--ruleset", ruleset, "--seats", seats)]
    assert rows[0]["seats"] == seats.split(",")
    assert sorted(rows[0]["players"]) == names
    returns = rows[-1]["returns"]
    assert sorted(returns) == names
    assert max(returns.values()) == 1.0
    if ruleset != "solo":
        assert sum(returns.values()) == pytest.approx(0)


def test_a_game_broken_off_ends_after_its_last_move(capsys: pytest.CaptureFixture[str]) -> None:
    lines = record(capsys, "--max-plies", "5")
    end = json.loads(lines[-1])
    assert end["reason"] == "truncated"
    assert end["plies"] == 5
    assert end["returns"] == {"red": 0.0, "yellow": 0.0}
    assert " move ? " in end["position"]
    assert len(list(read_records(lines))) == 1


def test_replay_checks_and_shows(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "games.jsonl"
    lines = record(capsys, "--games", "2", "--seed", "1")
    path.write_text("\n".join(lines) + "\n")
    assert main(["replay", str(path), "--check"]) == 0
    assert capsys.readouterr().out.count("win after") == 2
    assert main(["replay", str(path), "--game", "2", "--board"]) == 0
    shown = capsys.readouterr().out
    assert "game 2" in shown
    assert "game 1" not in shown
    assert "to play" in shown
    assert main(["replay", str(path), "--game", "3"]) == 2
    assert "no game 3" in capsys.readouterr().err


def test_replay_refuses_an_illegal_move_with_file_and_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = record(capsys, "--seed", "1")
    row = json.loads(lines[4])
    row["move"] = "3:0-3"
    lines[4] = json.dumps(row)
    path = tmp_path / "bad.jsonl"
    path.write_text("\n".join(lines) + "\n")
    assert main(["replay", str(path)]) == 2
    error = capsys.readouterr().err
    assert f"{path}, line 5" in error
    assert "3:0-3" in error


def test_wrong_numbers_of_players_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["record", *["--player", "random"] * 3]) == 2
    assert "3 players for 2 agents" in capsys.readouterr().err
    assert main(["record", "--player", "nobody"]) == 2
    assert "nobody" in capsys.readouterr().err
    assert main(["record", "--reward", "rank"]) == 2
    assert "play_out" in capsys.readouterr().err


def test_arena_prints_shares_with_intervals(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["arena", "greedy", "random", "--games", "400", "--seed", "1"]) == 0
    table = capsys.readouterr().out
    assert "greedy" in table
    assert "random" in table
    assert "95" in table
    assert main(["arena", "random", "random", "--games", "100", "--json"]) == 0
    assert isinstance(json.loads(capsys.readouterr().out), dict)


# -- play -----------------------------------------------------------------------------------------


@pytest.fixture
def person(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Answers that the person gives one after the other; then the input ends."""
    answers: list[str] = []

    def answer(prompt: str = "") -> str:
        if not answers:
            raise EOFError
        print(prompt, end="")
        return answers.pop(0)

    monkeypatch.setattr(builtins, "input", answer)
    return answers


def test_a_person_plays_a_whole_game(
    person: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    person.extend(["1"] * 2000)
    path = tmp_path / "mine.jsonl"
    arguments = ["--seed", "3", "--bot", "random", "--plain", "--record", str(path)]
    assert main(["play", *arguments]) == 0
    out = capsys.readouterr().out
    assert " won after " in out
    assert "(R)" in out
    (game,) = read_records(path)
    assert game.header["players"] == {"red": "person", "yellow": "random"}
    assert game.header["seed"] == 3


def test_the_prompt_undoes_hints_explains_and_leaves(
    person: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    position = "classic 10,rS,rS,rS/-/yS,yS,yS,yS/- r move 10 5.4.4.4.4.4.4.3.4.4.4 - -"
    person.extend(["u", "?", "h", "p", "99", "10:3-3", "2", "u", "q"])
    assert main(["play", "--position", position, "--seed", "1", "--plain"]) == 0
    out = capsys.readouterr().out
    assert "no decision of yours to take back" in out
    assert "a hint from the hint bot" in out
    assert "hint: 10:10-20" in out  # forward is worth ten steps, back loses one
    assert position in out
    assert "99 is no number from 1 to 2" in out
    assert "'10:3-3' is not legal" in out
    assert out.count("10:10-20") >= 3  # listed at first and again after the undo
    assert "won after" not in out


def test_the_end_of_input_leaves_the_game(
    person: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["play", "--seed", "3", "--plain"]) == 0
    assert "Traceback" not in capsys.readouterr().err


def test_nobody_sits_where_nobody_is(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["play", "--you", "blue"]) == 2
    assert "blue is not seated" in capsys.readouterr().err
