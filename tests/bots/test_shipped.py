"""The shipped bots: each plays its game, and as strongly as its record says."""

from __future__ import annotations

import json

import pytest

from sorry_env.arena import play_match
from sorry_env.bots.shipped import shipped_folder, shipped_names

GAMES = 120


@pytest.mark.parametrize("name", shipped_names())
def test_a_shipped_bot_wins_as_often_as_its_record_says(name: str) -> None:
    """Another seed than that of the record; five standard errors, paired games being closer."""
    record = json.loads((shipped_folder() / name / "arena.json").read_text())[0]
    seats = sorted({seat for group in record["seats"] for seat in group.split("+")})
    others = len(record["bots"]) - 1
    match = play_match(
        [f"best:{name}", *["random"] * others], record["ruleset"],
        ",".join(seats) if not seats[0].isdigit() else str(len(seats)), GAMES, seed=11,
    )  # fmt: skip
    rate = record["bots"][0]["rate"]
    assert record["bots"][0]["name"] == f"best:{name}"
    assert match.rate(0) == pytest.approx(rate, abs=5 * (0.25 / GAMES) ** 0.5)
    assert match.rate(0) > 1 / (others + 1)


def test_luck_is_measured_by_a_shipped_bot_as_by_its_file() -> None:
    file = shipped_folder() / "classic-3" / "value.onnx"
    by_name, by_file = (
        play_match(["greedy", "random", "random"], "classic", "3", 24, 5, luck=luck).adjusted(0)
        for luck in ("best:classic", f"value:{file}")
    )
    assert by_name is not None and by_file is not None
    assert by_name == by_file


def test_every_folder_is_whole() -> None:
    assert shipped_names()
    for path in shipped_folder().iterdir():
        assert path.name in shipped_names(), path
        assert {"README.md", "config.yaml", "metrics.csv", "evaluations.csv", "arena.json"} <= {
            file.name for file in path.iterdir()
        }
