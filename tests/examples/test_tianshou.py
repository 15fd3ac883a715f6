"""Tianshou: its wrapper over whole games, whom the targets belong to, and the example that learns.

Needs `pip install 'sorry_env[tianshou]'`; `make interop` runs it.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

pytestmark = pytest.mark.interop


def played(seats: int, games: int) -> tuple[Any, Any]:
    """An untrained algorithm, and a buffer with some games of its."""
    import torch
    from tianshou.data import Collector, VectorReplayBuffer
    from tianshou.env import DummyVectorEnv

    from docs.examples.tianshou_dqn import MAX_PLIES, Network, make_algorithm, make_env

    torch.manual_seed(1)
    env = make_env("classic", seats)
    algorithm, _ = make_algorithm(env, Network("classic"))
    envs = DummyVectorEnv([lambda: make_env("classic", seats)])
    envs.seed(seats)
    buffer = VectorReplayBuffer(games * MAX_PLIES, 1)
    collector = Collector(algorithm, envs, buffer)
    collector.reset()
    collector.collect(n_episode=games)
    return algorithm, buffer


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_every_seat_gets_its_reward_when_the_game_ends(seats: int) -> None:
    _, buffer = played(seats, games=3)
    data = buffer[:]
    ends = np.flatnonzero(data.done)
    assert len(ends) == 3
    assert (data.rew[~data.done] == 0).all()
    assert data.obs.mask[np.arange(len(data.act)), data.act].all()
    for row in ends[data.terminated[ends]]:
        winner = int(str(data.obs.agent_id[row]).removeprefix("player_"))
        expected = np.full(seats, -1 / (seats - 1))
        expected[winner] = 1
        assert data.rew[row] == pytest.approx(expected)


def test_targets_are_the_returns_of_the_seat_that_acted() -> None:
    algorithm, buffer = played(3, games=3)
    batch, indices = buffer.sample(0)
    acted = np.array([int(str(agent).removeprefix("player_")) for agent in batch.obs.agent_id])
    ends = np.flatnonzero(batch.done)
    final = batch.rew[ends[np.searchsorted(ends, np.arange(len(indices)))]]
    prepared = algorithm._preprocess_batch(batch, buffer, indices)
    for player in range(3):
        returns = prepared[f"player_{player}"].returns.flatten().numpy()
        assert returns == pytest.approx(final[acted == player, player])


def test_the_example_learns() -> None:
    from docs.examples import tianshou_dqn

    before, after = tianshou_dqn.main(["--rounds", "25"])
    assert after.interval()[0] > before.interval()[1]
