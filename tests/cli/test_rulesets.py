"""Rulesets from files on the command line, and a person at the table of every edition."""

from __future__ import annotations

import builtins
import json
from pathlib import Path

import pytest

from sorry_env.cli import main
from sorry_env.notation import read_records
from sorry_env.rules import EDITIONS

FILES = sorted((Path(__file__).parents[2] / "configs" / "rulesets").glob("*.yaml"))


@pytest.fixture
def person(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Answers that the person gives one after the other; then the input ends."""
    answers: list[str] = []

    def answer(prompt: str = "") -> str:
        if not answers:
            raise EOFError
        print(prompt)
        return answers.pop(0)

    monkeypatch.setattr(builtins, "input", answer)
    return answers


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_the_examples_are_played_recorded_and_replayed(
    path: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["record", "--ruleset", str(path), "--seed", "2", "--legal"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert json.loads(lines[0])["ruleset"] == path.stem
    records = tmp_path / "games.jsonl"
    records.write_text("\n".join(lines) + "\n")
    assert main(["replay", "--ruleset", str(path), str(records), "--check"]) == 0
    positions = tmp_path / "positions.txt"
    positions.write_text("".join(json.loads(line)["position"] + "\n" for line in lines[1:20]))
    capsys.readouterr()
    assert main(["legal", "--ruleset", str(path), str(positions)]) == 0
    legal = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert legal == [json.loads(line)["legal"] for line in lines[1:20]]
    assert main(["perft", "--ruleset", f"{path}?switch_slides=none", "--depth", "1"]) == 0


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_person_plays_a_ruleset_of_their_own(
    path: Path, person: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    person.extend(["1"] * 3000)
    record = tmp_path / "mine.jsonl"
    setup = ["--ruleset", str(path), "--bot", "random", "--seed", "5", "--plain"]
    assert main(["play", *setup, "--record", str(record)]) == 0
    assert " won after " in capsys.readouterr().out
    (game,) = read_records(record)
    assert game.header["ruleset"] == path.stem and game.end["reason"] == "win"


def test_a_bad_file_is_one_line_of_words(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text("edition: mine-too\npawns: 7\n")
    assert main(["show", "--ruleset", str(path)]) == 2
    error = capsys.readouterr().err
    assert error == f"sorry: {path}: ruleset mine-too: pawns=7 must be an int from 1 to 4\n"
    assert main(["show", "--ruleset", str(tmp_path / "none.yml")]) == 2
    assert "none.yml: cannot be read" in capsys.readouterr().err


@pytest.mark.parametrize("name", [n for n, r in EDITIONS.items() if r.pawns > 2])
def test_a_person_plays_every_edition_to_its_end(
    name: str, person: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    person.extend(["1", "p", "h"] * 2)
    person.extend(["1"] * 3000)
    path = tmp_path / "mine.jsonl"
    bots = [] if name == "solo" else ["--bot", "random"]
    setup = ["--ruleset", name, "--seed", "3", "--plain", *bots]
    assert main(["play", *setup, "--record", str(path)]) == 0
    out = capsys.readouterr().out
    assert " won after " in out and "hint: " in out
    (game,) = read_records(path)
    assert "person" in game.header["players"].values()
    assert ("points: red" in out) == (EDITIONS[name].pawn_points > 0)


def test_a_person_sees_the_own_hand_alone(
    person: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    person.extend(["p", "1", "p", "q"])
    assert main(["play", "--ruleset", "points", "--seed", "4", "--plain", "--you", "yellow"]) == 0
    out = capsys.readouterr().out
    lines = [line for line in out.splitlines() if line.startswith("points ")]
    assert len(lines) == 2
    for line in lines:
        hands = line.split(" ")[6].split("/")
        assert hands[0] == "?" and len(hands[2].split(".")) == 5
    assert "yellow, hand " in out
    assert "(R) 5 hidden" in out and "(Y) 5 hidden" not in out


def test_a_person_answers_a_question(person: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    position = (
        "not-sorry?answers=player r2,14,rS,rS/-/y2,44,yS,yS/- r>y answer Q "
        "5.4.4.4.4.4.4.4.4.4.4.7 - -"
    )
    person.extend(["answer:yes", "q"])
    assert main(["play", "--position", position, "--you", "yellow", "--plain"]) == 0
    out = capsys.readouterr().out
    assert "yellow, card Q, answer>" in out
    assert "answer yes: both move 6" in out
    assert "red (greedy): move 6" in out


def test_a_match_to_a_target_score(
    person: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    person.extend(["1"] * 3000)
    path = tmp_path / "match.jsonl"
    arguments = ["--ruleset", "points", "--bot", "random", "--seed", "3", "--plain"]
    arguments += ["--target-score", "200", "--record", str(path)]
    assert main(["play", *arguments]) == 0
    out = capsys.readouterr().out
    rounds = [line for line in out.splitlines() if line.startswith("after ")]
    games = list(read_records(path))
    assert len(games) == len(rounds) > 1
    total = sum(game.end["returns"]["red"] for game in games)
    assert f"red {total:g}, " in rounds[-1]
    begins = [game.moves[0]["position"].split(" ")[2] for game in games]
    assert begins == ["r", "y", "r", "y", "r", "y"][: len(games)]
    assert "won the match" in out
    assert main(["play", "--target-score", "10"]) == 2
    assert "needs a ruleset with scores" in capsys.readouterr().err
