"""Bots that decide by values of positions: asked once for each, they play as if asked each time."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from sorry_env.bots.value import AfterstateBot
from sorry_env.solve import Solution, evaluate, solve
from sorry_env.solve.graph import build_graph
from sorry_env.solve.policy import policy_weights
from sorry_env.solve.space import open_space

#: So many different values that most best moves are alone, and so few that many are not.
MANY, FEW = 10_007, 5


class Nonsense(AfterstateBot):
    """Finds positions worth something that has nothing to do with them.

    asked: int8[n, O] of each call
    """

    def __init__(self, levels: int) -> None:
        super().__init__(self._evaluate)
        self.levels = levels
        self.asked: list[np.ndarray] = []

    def _evaluate(self, seen: np.ndarray) -> np.ndarray:
        self.asked.append(seen)
        factors = np.random.default_rng(5).integers(1, 10_000, seen.shape[1])
        return (seen @ factors % self.levels / self.levels).astype(np.float32)


@pytest.mark.parametrize("levels", [MANY, FEW])
@pytest.mark.parametrize(
    ("ruleset", "seats"),
    [("duel-1", None), ("duel-1", "red,blue"), ("solo?pawns=2", None),
     ("teams?deck=infinite&pawns=1&cards=1.2.3", None)],
)  # fmt: skip
def test_it_plays_as_if_asked_for_each_move(ruleset: str, seats: Any, levels: int) -> None:
    graph = build_graph(open_space(ruleset, seats))
    bot = Nonsense(levels)
    once = policy_weights(graph, bot)
    # A function is asked for the chances of every decision.
    each = policy_weights(graph, Nonsense(levels).distribution)
    assert np.array_equal(once, each)
