"""The shipped bots: each plays its game, and as strongly as its record says."""

from __future__ import annotations

import json
from math import sqrt

import pytest

from sorry_env.arena import play_match
from sorry_env.bots.shipped import shipped_folder, shipped_names

#: Games of each check; the paired units of a match are closer together than these alone.
GAMES = 480
#: Standard errors that a rate may be off: a right bot fails with another seed once in 100,000.
Z = 4.5


@pytest.mark.parametrize("name", shipped_names())
def test_a_shipped_bot_wins_as_often_as_its_record_says(name: str) -> None:
    """With another seed than the record's, within the error that its own rate allows.

    A rate of 0.85 must be met to 0.075, one of 0.9995 to 0.014. One more unit is counted at each
    end, as in `stats.paired_interval`, for rates that are nearly 1.
    """
    record = json.loads((shipped_folder() / name / "arena.json").read_text())[0]
    seats = sorted({seat for group in record["seats"] for seat in group.split("+")})
    others = len(record["bots"]) - 1
    match = play_match(
        [f"best:{name}", *["random"] * others], record["ruleset"],
        ",".join(seats) if not seats[0].isdigit() else str(len(seats)), GAMES, seed=11,
    )  # fmt: skip
    rate = record["bots"][0]["rate"]
    assert record["bots"][0]["name"] == f"best:{name}"
    assert record["games"] >= 20_000 and record["seed"] != 11
    played = GAMES + (others + 1)
    error = sqrt((rate * (1 - rate) + (others + 1) / played) / played)
    assert Z * error < 0.09
    assert match.rate(0) == pytest.approx(rate, abs=Z * error)


def test_luck_is_measured_by_a_shipped_bot_as_by_its_file() -> None:
    file = shipped_folder() / "classic-3" / "value.onnx"
    by_name, by_file = (
        play_match(["greedy", "random", "random"], "classic", "3", 6, 5, luck=luck).adjusted(0)
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
