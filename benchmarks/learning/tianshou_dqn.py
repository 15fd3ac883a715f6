"""DQN of Tianshou as a learner of the benchmark: double, with returns over several decisions.

`Games` hands the vector environment to the library as it is, without a process or a Python loop for
each game.  Of its buffer a row is followed by the learner's own next decision, so targets over
several rows are right; in the library's own environment for several agents they would not be.
Read before: ``sides.py``.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator
from typing import Any

import numpy as np
import torch
from tianshou.algorithm import DQN
from tianshou.algorithm.algorithm_base import policy_within_training_step
from tianshou.algorithm.modelfree.dqn import DiscreteQLearningPolicy
from tianshou.algorithm.optim import AdamOptimizerFactory, LRSchedulerFactory
from tianshou.data import Batch, Collector, VectorReplayBuffer
from tianshou.env import BaseVectorEnv
from torch import Tensor, nn
from torch.optim.lr_scheduler import LambdaLR

from benchmarks.learning.base import Front, Meter, Step, best_legal, line
from benchmarks.learning.sides import GAMES, WIDTH, Choose, PolicyBot, Table, make_sides
from sorry_env.engine.tables import RuleTables, compile_rules
from sorry_env.envs.vector import SorryVectorEnv

#: Decisions of each game between two rounds of learning, and gradient steps of such a round.
STEPS, UPDATES = 16, 8
MINIBATCH = 1024
#: Rows of each game that the buffer keeps.
ROWS = 256
#: Decisions after which a return goes on with a value, and updates between two target networks.
HORIZON, TARGET_EVERY = 48, 64
RATE, RATE_FINAL = 1e-3, 1e-4
EXPLORE, EXPLORE_FINAL = 0.2, 0.02


class Games(BaseVectorEnv):  # type: ignore[misc]
    """A `SorryVectorEnv` in DISABLED mode, as Tianshou has vector environments.

    Observations are Batches of obs int8[n, O] and mask bool[n, A].
    """

    is_async = False

    def __init__(self, env: SorryVectorEnv) -> None:
        # The base class would make a worker for each game: nothing of it is used.
        self.env, self.env_num = env, env.num_envs
        self.observation: Any = None

    def get_env_attr(self, key: str, id: Any = None) -> list[Any]:
        """The spaces of each game, for whoever asks."""
        attributes = {"action_space": self.env.single_action_space}
        return [attributes[key]] * self.env_num

    def reset(self, env_id: Any = None, **kwargs: Any) -> tuple[Any, np.ndarray]:
        """Begin games, all or those of int[n]."""
        rows = np.arange(self.env_num) if env_id is None else np.asarray(env_id)
        chosen = np.zeros(self.env_num, np.bool_)
        chosen[rows] = True
        self.observation, _ = self.env.reset(options={"reset_mask": chosen}, **kwargs)
        return self._seen(rows), _nothing(len(rows))

    def step(self, action: Any, id: Any = None) -> tuple[Any, ...]:
        """Play actions int[B] in all games; only all of them can."""
        if id is not None and len(id) != self.env_num:
            raise ValueError(f"{len(id)} of {self.env_num} games: all are stepped together")
        self.observation, rewards, ended, cut, _ = self.env.step(np.asarray(action))
        return self._seen(np.arange(self.env_num)), rewards, ended, cut, _nothing(self.env_num)

    def close(self) -> None:
        """See BaseVectorEnv."""
        self.env.close()

    def _seen(self, rows: np.ndarray) -> Any:
        return Batch(obs=self.observation[rows], mask=self.env.action_masks()[rows])


def _nothing(count: int) -> np.ndarray:
    """Infos that say nothing, object[n]."""
    infos = np.empty(count, object)
    infos[:] = [{} for _ in range(count)]
    return infos


class Network(nn.Module):
    """Two hidden layers and a value for each action."""

    def __init__(self, tables: RuleTables) -> None:
        super().__init__()
        self.body = nn.Sequential(
            Table(tables), nn.Linear(WIDTH, WIDTH), nn.ReLU(), nn.Linear(WIDTH, tables.num_actions)
        )

    def forward(self, obs: Any, state: Any = None, info: Any = None) -> tuple[Tensor, Any]:
        """float32[n, A] for int8[n, O], and the state that it does not have."""
        return self.body(torch.as_tensor(obs)), state


class Schedule(LRSchedulerFactory):  # type: ignore[misc]
    """The learning rate goes down with what is left of the budget."""

    def __init__(self, meter: Meter) -> None:
        self.meter = meter

    def create_scheduler(self, optim: torch.optim.Optimizer) -> LambdaLR:
        """See LRSchedulerFactory."""
        return LambdaLR(optim, lambda _: line(1.0, RATE_FINAL / RATE, self.meter.progress))


def train(front: Front, seed: int, meter: Meter) -> Iterator[Step]:
    """DQN against a copy of itself that is renewed with the target network."""
    torch.set_num_threads(1)
    torch.manual_seed(seed)
    np.random.seed(seed)  # noqa: NPY002 - Tianshou explores by it
    tables = compile_rules(front.ruleset)
    network = Network(tables)
    twin = PolicyBot("twin", chooser(copy.deepcopy(network), EXPLORE, seed))
    games = Games(make_sides(front, twin, "Disabled"))
    policy = DiscreteQLearningPolicy(model=network, action_space=games.env.single_action_space)
    algorithm = DQN(
        policy=policy, gamma=1.0,
        optim=AdamOptimizerFactory(lr=RATE).with_lr_scheduler_factory(Schedule(meter)),
        n_step_return_horizon=HORIZON, target_update_freq=TARGET_EVERY,
    )  # fmt: skip
    buffer = VectorReplayBuffer(GAMES * ROWS, GAMES)
    collector = Collector(algorithm, games, buffer, exploration_noise=True)
    collector.reset(gym_reset_kwargs={"seed": seed})
    decisions = 0
    while True:
        yield Step(decisions, PolicyBot("tianshou-dqn", chooser(network, 0.0, seed)))
        explore = line(EXPLORE, EXPLORE_FINAL, meter.progress)
        policy.set_eps_training(explore)
        twin.ask = chooser(copy.deepcopy(network), explore, seed + decisions)
        with policy_within_training_step(policy):
            collector.collect(n_step=STEPS * GAMES)
            for _ in range(UPDATES):
                algorithm.update(buffer, sample_size=MINIBATCH)
        decisions += STEPS * GAMES


def chooser(network: Network, explore: float, seed: int) -> Choose:
    """What a network plays: the actions of the greatest values, or with a chance any."""
    random = np.random.default_rng(seed)

    @torch.no_grad()
    def choose(observation: np.ndarray, mask: np.ndarray) -> np.ndarray:
        values, _ = network(observation)
        best = best_legal(values.numpy(), mask)
        if not explore:
            return best
        anyone = best_legal(random.random(mask.shape), mask)
        return np.where(random.random(len(best)) < explore, anyone, best)

    return choose
