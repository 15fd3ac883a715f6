"""`sorry bench`: the figure is there, counted right, and bad requests are refused in words."""

from __future__ import annotations

import itertools
import json
import time

import pytest

from sorry_env.cli import main
from sorry_env.errors import RequestError
from sorry_env.speed import batch_speed, measure


def test_json_is_one_object_with_the_figure(capsys: pytest.CaptureFixture[str]) -> None:
    start = time.perf_counter()
    argv = ["bench", "--ruleset", "classic", "--seats", "2", "--batch", "64", "--threads", "1"]
    assert main([*argv, "--seconds", "0.2", "--json"]) == 0
    elapsed = time.perf_counter() - start
    (line,) = capsys.readouterr().out.splitlines()
    found = json.loads(line)
    assert found["ruleset"] == "classic"
    assert found["seats"] == ["red", "yellow"]
    assert (found["batch"], found["threads"]) == (64, 1)
    assert found["decisions"] % 64 == 0
    # More than this is not possible in the time the command took, less not while it measured.
    assert found["decisions"] / elapsed < found["high"]
    assert 0 < found["low"] <= found["decisions_per_second"] <= found["high"]
    assert {"observation", "action mask", "automatic reset"} <= set(found["included"])
    assert {"python", "sorry_env", "numba", "numpy"} == set(found["versions"])


@pytest.mark.parametrize(("ruleset", "seats"), [("points", 4), ("express", 3)])
def test_every_kind_of_game(ruleset: str, seats: int) -> None:
    found = batch_speed(ruleset, seats, size=32, threads=2, seconds=0.1)
    assert len(found["seats"]) == seats
    assert found["decisions_per_second"] > 0


def test_words(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "--batch", "16", "--seconds", "0.1"]) == 0
    assert "classic, 2 seats, batch 16, threads 1:" in capsys.readouterr().out


def test_a_rate_is_units_by_time() -> None:
    # Ten units in at least 20 ms: at most 500 a second, in every slice, by the elapsed time.
    calls = itertools.count()

    def work() -> int:
        next(calls)
        time.sleep(0.02)
        return 10

    found = measure(work, 0.1, slices=2)
    assert found.units == 10 * next(calls)
    assert found.wall.low <= found.wall.median <= found.wall.high <= 500
    assert found.cpu.low > found.wall.high  # asleep, the processor is hardly used


def test_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(RequestError) as caught:
        batch_speed(size=4, seconds=0)
    assert caught.value.value == 0
    with pytest.raises(SystemExit):
        main(["bench", "--seconds", "-1"])
    assert "'-1' must be a number above 0" in capsys.readouterr().err
