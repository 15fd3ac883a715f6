"""sb3-contrib's learner in the benchmark: the games as its library has them, and that it learns.

Needs `pip install 'sorry_env[sb3]'`; `make interop` runs it.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from benchmarks.learning.base import FRONTS
from benchmarks.learning.learners import LEARNERS
from benchmarks.learning.run import Budget, learn
from benchmarks.learning.sides import PolicyBot, make_sides

pytestmark = pytest.mark.interop


def test_the_library_sees_the_games_as_they_are() -> None:
    from sb3_contrib.common.maskable.utils import get_action_masks, is_masking_supported

    from benchmarks.learning.sb3_ppo import Games

    def last(observation: np.ndarray, mask: np.ndarray) -> np.ndarray:
        found: np.ndarray = mask.shape[1] - 1 - mask[:, ::-1].argmax(axis=1)
        return found

    games = Games(make_sides(FRONTS["duel-1"], PolicyBot("last", last), "SameStep", 4))
    same = make_sides(FRONTS["duel-1"], PolicyBot("last", last), "SameStep", 4)
    games.seed(7)
    seen: Any = games.reset()
    expected: Any = same.reset(seed=7)[0]
    assert is_masking_supported(games)
    ended = 0
    for _ in range(300):
        assert np.array_equal(seen, expected)
        masks = get_action_masks(games)
        assert np.array_equal(masks, same.action_masks())
        actions = last(seen, masks)
        seen, rewards, done, infos = games.step(actions)
        expected, paid, over, cut, told = same.step(actions)
        assert np.array_equal(rewards, paid) and np.array_equal(done, over | cut)
        for row in np.flatnonzero(done).tolist():
            assert np.array_equal(infos[row]["terminal_observation"], told["final_obs"][row])
            assert infos[row]["TimeLimit.truncated"] is False and abs(rewards[row]) == 1.0
            ended += 1
    assert ended > 8


def test_it_learns_by_playing_itself() -> None:
    budget = Budget(minutes=0.1, decisions=1, games=2, final=2)
    points = list(learn(LEARNERS["sb3-ppo"], FRONTS["duel-1"], 1, budget))
    # `random` loses 0.058989 to the optimum.
    assert points[-1].scores["optimum"].value < 0.03
    assert points[-1].decisions % (64 * 256) == 0
