"""Bots that decide by values of positions: asked once for each, they play as if asked each time."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from sorry_env.bots.value import AfterstateBot
from sorry_env.solve.afterstates import weigh_by_afterstates
from sorry_env.solve.graph import build_graph, silent
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
     ("bump-em?deck=infinite&pawns=1", 2)],
)  # fmt: skip
def test_it_plays_as_if_asked_for_each_move(ruleset: str, seats: Any, levels: int) -> None:
    graph = build_graph(open_space(ruleset, seats))
    bot = Nonsense(levels)
    once = policy_weights(graph, bot)
    # A function is asked for the chances of every decision.
    each = policy_weights(graph, Nonsense(levels).distribution)
    assert np.array_equal(once, each)


def test_each_position_is_valued_once() -> None:
    graph = build_graph(open_space("solo?pawns=2"))
    bot = Nonsense(MANY)
    weights, asked = weigh_by_afterstates(graph, bot, silent)
    seen = np.concatenate(bot.asked)
    assert len(np.unique(seen, axis=0)) == len(seen) <= graph.states
    # What is left to be asked has no weights yet, and is little where values differ.
    decisions = graph.counts > 1
    assert 0 < np.count_nonzero(asked) < 0.1 * np.count_nonzero(decisions)
    assert not (asked & ~decisions).any()
    cards = np.repeat(np.arange(graph.counts.size), graph.counts.ravel())
    sums = np.bincount(cards, weights, graph.counts.size).reshape(graph.counts.shape)
    assert np.array_equal(sums, (graph.counts > 0) & ~asked)


def test_values_that_are_no_numbers_are_left_to_the_bot() -> None:
    graph = build_graph(open_space("solo?pawns=1"))
    bot = AfterstateBot(lambda seen: np.full(len(seen), np.nan))
    _, asked = weigh_by_afterstates(graph, bot, silent)
    assert np.array_equal(asked, graph.counts > 1)
