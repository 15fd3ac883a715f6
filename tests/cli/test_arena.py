"""`sorry arena` with its ways to stop and its files, and `sorry league`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from sorry_env.arena import HalfWidth, Sprt, play_league, play_match
from sorry_env.cli import main


def output(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main(list(arguments)) == 0
    return capsys.readouterr().out


def test_an_sprt(capsys: pytest.CaptureFixture[str]) -> None:
    line = ["arena", "greedy", "random", "--ruleset", "quick", "--seed", "3", "--elo1", "50"]
    text = output(capsys, *line)
    assert text.splitlines()[-1].startswith("SPRT accepts H1: 50 Elo rather than 0, log-")
    options = ("--elo0", "-20", "--alpha", "0.01", "--beta", "0.1", "--json")
    told = json.loads(output(capsys, *line, *options))
    rule = Sprt(-20, 50, 0.01, 0.1)
    assert told == play_match(["greedy", "random"], "quick", games=100_000, seed=3,
                              until=rule).to_dict()  # fmt: skip
    assert told["verdict"]["upper"] == rule.bounds[1] and told["games"] < 1000


def test_a_half_width_and_the_most_games(capsys: pytest.CaptureFixture[str]) -> None:
    line = ["arena", "random", "random", "--ruleset", "duel-1", "--half-width", "0.05"]
    told = json.loads(output(capsys, *line, "--json"))
    assert told == play_match(["random"] * 2, "duel-1", games=100_000,
                              until=HalfWidth(0.05)).to_dict()  # fmt: skip
    assert told["verdict"]["decision"] == "precise" and told["verdict"]["half_width"] <= 0.05
    assert "not reached" in output(capsys, *line, "--games", "20")


def test_a_league_with_files(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    line = ["league", "greedy", "random", "--ruleset", "duel-2", "--games", "100", "--seed", "4"]
    folder = str(tmp_path / "out")
    assert main([*line, "--out", folder, "--pictures"]) == 0
    text, told = capsys.readouterr()
    result = play_league(["greedy", "random"], "duel-2", games=100, seed=4)
    assert text == result.table() + "\n"
    assert told.count("wrote ") == 7 and (tmp_path / "out" / "ladder.png").exists()
    saved = json.loads((tmp_path / "out" / "result.json").read_text(encoding="utf-8"))
    assert saved == result.to_dict() == json.loads(output(capsys, *line, "--json"))
    moved = json.loads(output(capsys, *line, "--json", "--anchor", "greedy"))
    assert moved["bots"][1]["elo"] == pytest.approx(-saved["bots"][0]["elo"])


def test_a_league_that_stops_by_itself(capsys: pytest.CaptureFixture[str]) -> None:
    line = ["league", "greedy", "random", "--ruleset", "duel-1", "--half-width", "25", "--json"]
    told = json.loads(output(capsys, *line))
    result = play_league(["greedy", "random"], "duel-1", games=100_000, half_width=25)
    assert told == result.to_dict() and told["verdict"]["decision"] == "precise"
    assert json.loads(output(capsys, *line, "--games", "20"))["verdict"]["decision"] == "undecided"


def test_luck_is_taken_out(capsys: pytest.CaptureFixture[str]) -> None:
    line = ["arena", "greedy", "random", "--ruleset", "duel-1", "--games", "40"]
    told = output(capsys, *line, "--luck", "optimal")
    assert told.startswith(output(capsys, *line)) and "without the luck of the draws" in told


def test_luck_is_taken_out_of_leagues(capsys: pytest.CaptureFixture[str]) -> None:
    line = ["league", "greedy", "random", "--ruleset", "duel-1", "--games", "40"]
    told = output(capsys, *line, "--luck", "optimal")
    assert told.startswith(output(capsys, *line)) and "without the luck of the draws" in told


def test_three_at_a_table(capsys: pytest.CaptureFixture[str]) -> None:
    bots = ["greedy", "random", "random", "random"]
    text = output(capsys, "league", *bots, "--ruleset", "quick", "--seats", "3", "--games", "30")
    assert text.startswith("120 games of quick: 4 tables of 3, 30 games each (seed 0)\n")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["arena", "--elo0", "5"], "--elo0 needs --elo1"),
        (["arena", "--alpha", "0.1"], "--alpha needs --elo1"),
        (["arena", "--elo1", "5", "--half-width", "0.1"], "two ways to stop"),
        (["arena", "--elo1", "-5"], "elo0=0.0 must be below elo1=-5.0"),
        (["arena", "--pictures"], "--pictures needs --out"),
        (["arena", "--luck", "random"], "'random' does not say what positions are worth"),
        (["league", "--luck", "random"], "'random' does not say what positions are worth"),
        (["league", "--anchor", "gready"], "anchor 'gready' is none of the bots"),
    ],
)
def test_what_makes_no_sense(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*arguments, "random", "greedy"]) == 2
    assert message in capsys.readouterr().err
