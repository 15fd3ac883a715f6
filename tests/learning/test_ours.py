"""Our own learners in the benchmark: they learn within a second, by themselves alone."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sorry_training.ppo import Run
from sorry_training.td import TDRun

from benchmarks.learning import ours, run
from benchmarks.learning.base import FRONTS, Meter
from benchmarks.learning.learners import LEARNERS
from benchmarks.learning.run import Budget, learn
from sorry_env.bots.base import BatchRequest
from sorry_env.engine.batch import Batch

FRONT = FRONTS["duel-1"]
#: What `random` loses to the optimum (docs/solve.md).
RANDOM = 0.058989


@pytest.mark.parametrize("name", ["ppo", "td"])
def test_a_second_of_learning_is_better_than_chance(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(run, "SHARES", (1.0,))
    budget = Budget(minutes=1 / 60, decisions=1, games=2, final=2)
    points = list(learn(LEARNERS[name], FRONT, 1, budget))
    assert points[0].mark == "decisions" and points[-1].mark == "1.0"
    assert points[-1].seconds >= 1.0
    assert points[-1].decisions >= points[0].decisions >= 1
    assert points[-1].scores["optimum"].value < RANDOM / 2
    assert points[-1].scores["exploitability"].value >= points[-1].scores["optimum"].value


@pytest.mark.parametrize("front", FRONTS)
def test_they_train_against_no_yardstick(front: str, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[Run] = []

    class Noted(Run):
        def __init__(self, *given: Any) -> None:
            super().__init__(*given)
            made.append(self)

    class NotedTD(TDRun):
        def __init__(self, *given: Any) -> None:
            super().__init__(*given)
            made.append(self)

    monkeypatch.setattr(ours, "Run", Noted)
    monkeypatch.setattr(ours, "TDRun", NotedTD)
    for name in ("ppo", "td"):
        next(LEARNERS[name].train(FRONTS[front], 3, Meter(1.0)))
    assert len(made) == 2
    for one in made:
        config = one.config
        assert (config.ruleset, config.seats) == (FRONTS[front].ruleset, ("red,yellow",))
        assert (config.bot_games, config.seed, config.threads) == (0.0, 3, 1)


def test_seeds_give_other_policies() -> None:
    batch = Batch("points", "red,yellow", 256, seed=1, skip_forced=True)
    request = BatchRequest(batch.tables, batch.games, batch.observation, batch.mask)
    played = [next(LEARNERS["ppo"].train(FRONTS["points"], seed, Meter(1.0))).bot
              .choose_batch(request) for seed in (1, 1, 2)]  # fmt: skip
    assert np.array_equal(played[0], played[1])
    assert not np.array_equal(played[0], played[2])
