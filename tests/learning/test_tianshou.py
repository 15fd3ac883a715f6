"""Tianshou's learner in the benchmark: the games as its library has them, and that it learns.

Needs `pip install 'sorry_env[tianshou]'`; `make interop` runs it.
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


def first(observation: np.ndarray, mask: np.ndarray) -> np.ndarray:
    found: np.ndarray = mask.argmax(axis=1)
    return found


def test_rows_of_the_buffer_belong_to_the_learner() -> None:
    from tianshou.algorithm.modelfree.dqn import DiscreteQLearningPolicy
    from tianshou.data import Collector, VectorReplayBuffer

    from benchmarks.learning.tianshou_dqn import Games, Network
    from sorry_env.engine.tables import compile_rules

    games = Games(make_sides(FRONTS["duel-1"], PolicyBot("first", first), "Disabled", 4))
    network = Network(compile_rules("duel-1"))
    policy: Any = DiscreteQLearningPolicy(model=network, action_space=games.env.single_action_space)
    buffer = VectorReplayBuffer(4 * 100, 4)
    collector = Collector(policy, games, buffer)
    collector.reset(gym_reset_kwargs={"seed": 3})
    collector.collect(n_step=4 * 100)
    data = buffer[:]
    assert data.obs.mask[np.arange(400), data.act].all()
    assert data.done.sum() > 8
    assert (np.abs(data.rew) == data.done).all()
    # The next row is the next decision of the same game, or the first one of a new game.
    rows = np.arange(400).reshape(4, 100)[:, :-1].reshape(-1)
    going = rows[~data.done[rows]]
    assert np.array_equal(data.obs_next.obs[going], data.obs.obs[going + 1])
    assert np.array_equal(data.obs_next.mask[going], data.obs.mask[going + 1])
    # Forced moves are skipped, but for the first of a game.
    assert (data.obs.mask[going + 1].sum(axis=1) > 1).all()


def test_the_games_are_stepped_together() -> None:
    from benchmarks.learning.tianshou_dqn import Games

    games = Games(make_sides(FRONTS["duel-1"], PolicyBot("first", first), "Disabled", 4))
    games.reset(seed=1)
    with pytest.raises(ValueError, match="2 of 4 games"):
        games.step(np.zeros(2, np.int64), [0, 1])


def test_it_learns_by_playing_itself() -> None:
    budget = Budget(minutes=0.1, decisions=1, games=2, final=2)
    points = list(learn(LEARNERS["tianshou-dqn"], FRONTS["duel-1"], 1, budget))
    # `random` loses 0.058989 to the optimum.
    assert points[-1].scores["optimum"].value < 0.03


def test_exploring_twins_differ_by_their_seeds() -> None:
    import torch

    from benchmarks.learning.tianshou_dqn import Network, chooser
    from sorry_env.engine.batch import Batch

    torch.manual_seed(1)
    batch = Batch("points", "red,yellow", 256, seed=1, skip_forced=True)
    network = Network(batch.tables)
    played = [chooser(network, explore, seed)(batch.observation, batch.mask)
              for explore, seed in ((0.0, 1), (0.0, 2), (1.0, 1), (1.0, 1), (1.0, 2))]  # fmt: skip
    assert all(batch.mask[np.arange(256), actions].all() for actions in played)
    assert np.array_equal(played[0], played[1]) and np.array_equal(played[2], played[3])
    assert not np.array_equal(played[2], played[4])
