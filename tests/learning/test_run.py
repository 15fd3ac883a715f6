"""The learning benchmark's runner: what is charged to a budget, when is measured, what is kept."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import sorry_env
from benchmarks.learning import base, run
from benchmarks.learning.base import FRONTS, Front, Learner, Meter, Step
from benchmarks.learning.learners import LEARNERS
from benchmarks.learning.measure import Score
from benchmarks.learning.run import Budget

BUDGET = Budget(minutes=0.5, decisions=700, games=2, final=4)


class Clock:
    """A clock that only moves when it is told to."""

    now = 1000.0

    def process_time(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(base, "time", clock)
    return clock


@pytest.fixture
def idler(monkeypatch: pytest.MonkeyPatch, clock: Clock) -> list[int]:
    """A learner that takes 100 decisions in 3 seconds; measuring takes 50. Seeds that it began."""
    begun: list[int] = []

    def train(front: Front, seed: int, meter: Meter) -> Iterator[Step]:
        begun.append(seed)
        clock.now += 1000  # getting ready is not charged
        for number in range(1_000_000):
            yield Step(100 * number, sorry_env.make_bot("random"))
            clock.now += 3

    def measure(front: Front, bot: object, games: int, exact: bool) -> dict[str, Score]:
        clock.now += 50
        return {"random": Score(0.5, 0.4, 0.6)}

    monkeypatch.setattr(run, "measure", measure)
    monkeypatch.setitem(LEARNERS, "idler", Learner("idler", "none", "nobody", train))
    return begun


def test_only_learning_is_charged_and_measured_at_its_marks(idler: list[int]) -> None:
    points = list(run.learn(LEARNERS["idler"], FRONTS["duel-1"], 1, BUDGET))
    # 30 seconds: shares of an eighth, a quarter, a half, three quarters and all of them are passed
    # by the steps of 3 seconds that end at 6, 9, 15, 24 and 30; 700 decisions are the 7th of them.
    found = [(point.mark, point.decisions, point.seconds) for point in points]
    assert found == [
        ("0.125", 200, 6.0),
        ("0.25", 300, 9.0),
        ("0.5", 500, 15.0),
        ("decisions", 700, 21.0),
        ("0.75", 800, 24.0),
        ("1.0", 1000, 30.0),
    ]


def test_schedules_see_the_share_that_is_spent(clock: Clock) -> None:
    meter = Meter(10.0)
    assert meter.progress == 0.0
    with meter.running():
        clock.now += 4
    clock.now += 100
    assert meter.progress == 0.4
    with contextlib.suppress(KeyError), meter.running():
        clock.now += 50
        raise KeyError  # what was spent until then is spent
    assert meter.progress == 1.0
    assert base.line(0.2, 0.1, 0.4) == pytest.approx(0.16)


def test_finished_runs_are_not_made_again(
    idler: list[int], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run.warm_up.cache_clear()
    words = ["--fronts", "duel-1", "--learners", "idler", "--out", str(tmp_path)]
    words += ["--minutes", "0.5", "--decisions", "700"]
    run.main([*words, "--seeds", "5"])
    assert idler == [0, 5]  # 0 only to get ready
    head, *points = (tmp_path / "duel-1-idler-5.jsonl").read_text("utf-8").splitlines()
    assert json.loads(head)["seed"] == 5 and json.loads(head)["budget"]["minutes"] == 0.5
    assert json.loads(points[-1])["scores"]["random"] == {"value": 0.5, "low": 0.4, "high": 0.6}
    run.main([*words, "--seeds", "5,6"])
    assert idler == [0, 5, 6]
    assert "duel-1-idler-5.jsonl: there" in capsys.readouterr().out
    with pytest.raises(SystemExit) as end:
        run.main([*words[:-1], "800", "--seeds", "5"])
    assert end.value.code == 2
    message = capsys.readouterr().err
    assert "duel-1-idler-5.jsonl" in message and "'decisions': 700" in message


def test_a_run_that_breaks_off_leaves_nothing_finished(
    idler: list[int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[Callable[..., object]] = []

    def measure(*_: object, **__: object) -> dict[str, Score]:
        made.append(measure)
        if len(made) == 3:
            raise KeyboardInterrupt
        return {}

    monkeypatch.setattr(run, "measure", measure)
    path = run.path_of(tmp_path, "duel-1", "idler", 1)
    with pytest.raises(KeyboardInterrupt):
        list(run.write_run(path, LEARNERS["idler"], FRONTS["duel-1"], 1, BUDGET))
    assert not path.exists() and not run.finished(path, BUDGET)
    assert len(path.with_suffix(".part").read_text("utf-8").splitlines()) == 3


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--fronts", "duel-9"], "'duel-9' must be of duel-1, duel-2, classic, points"),
        (["--learners", "ppo,a3c"], "'a3c' must be of ppo, td, sb3-ppo, tianshou-dqn"),
        (["--seeds", "one"], "'one' must be whole numbers"),
        (["--minutes", "0"], "--minutes 0.0 must be more than 0"),
    ],
)
def test_what_cannot_be_run_is_said(
    words: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        run.main(words)
    assert message in capsys.readouterr().err
