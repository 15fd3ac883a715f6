"""What a learner is here: a generator of policies, told how much of its budget it has spent.

`train(front, seed, meter)` yields a `Step` as often as it likes: first one when everything is made
and compiled and nothing is learnt, then one after each update.  What happens between two of them is
training and is charged to the budget; what the runner does with a step, evaluations above all, is
not.  Read next: ``ours.py``, ``sides.py``, and ``run.py``, which spends the budgets.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from sorry_env.bots.base import Bot

ROOT = Path(__file__).resolve().parents[2]
CONFIGS = ROOT / "configs"
#: Longer than any game that is likely: where games of the outside learners are cut off.
MAX_PLIES = 5000


@dataclass(frozen=True)
class Front:
    """A game to be learnt by two opposite seats, and against whom the result is measured.

    name, ruleset: what it is called, and its ruleset
    yardsticks:    what `measure.py` can say of a policy: bots to win against, or ``optimum``, by
                   the exact values of all positions
    ppo, td:       the settings that ours learn it with, in ``configs``
    """

    name: str
    ruleset: str
    yardsticks: tuple[str, ...]
    ppo: str
    td: str
    seats: str = "red,yellow"


FRONTS = {
    front.name: front
    for front in (
        Front("duel-1", "duel-1", ("optimum",), "ppo/duel-1.yaml", "td/duel-1.yaml"),
        Front("duel-2", "duel-2", ("optimum",), "ppo/duel-2.yaml", "td/duel-2.yaml"),
        Front("classic", "classic", ("random", "greedy"), "ppo/quick.yaml", "td/quick.yaml"),
        Front("points", "points", ("random", "greedy"), "ppo/points.yaml", "td/quick.yaml"),
    )
}


class Step(NamedTuple):
    """Where a learner stands.

    decisions: the learner's own so far; forced moves are nobody's
    bot:       what it has learnt, as a bot of ours that plays its best move
    """

    decisions: int
    bot: Bot


class Meter:
    """Processor time spent on learning, by the process with all its threads.

    seconds: spent so far
    budget:  seconds that may be spent
    """

    def __init__(self, budget: float) -> None:
        self.budget = budget
        self.seconds = 0.0

    @property
    def progress(self) -> float:
        """The share of the budget that is spent, from 0 to 1; schedules run over it."""
        return min(1.0, self.seconds / self.budget)

    @contextmanager
    def running(self) -> Iterator[None]:
        """Charge what is done in the block."""
        before = time.process_time()
        try:
            yield
        finally:
            self.seconds += time.process_time() - before


@dataclass(frozen=True)
class Learner:
    """An algorithm of somebody's.

    name:     in commands and tables
    method:   algorithm and library, for people
    opponent: whom it plays while it learns
    train:    see the top of this file
    """

    name: str
    method: str
    opponent: str
    train: Callable[[Front, int, Meter], Iterator[Step]]


def line(start: float, end: float, progress: float) -> float:
    """A setting that goes from ``start`` to ``end`` in a straight line."""
    return start + (end - start) * progress


def best_legal(scores: npt.NDArray[np.floating], mask: npt.NDArray[np.bool_]) -> np.ndarray:
    """int64[n], the legal action of the greatest score in each row.

    scores: float[n, A]; mask: bool[n, A]
    """
    best: np.ndarray = np.where(mask, scores, -np.inf).argmax(axis=1)
    return best
