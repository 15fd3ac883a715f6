"""Speed of the environments beside the least that their interfaces cost.

    python -m benchmarks.envs [--seconds 2.5] [--json]

Rates by processor time, medians of five slices taken in turns with those they are compared with.

- PettingZoo: `raw_env` and `env` beside an environment that does nothing, bare and in PettingZoo's
  standard wrappers, in the usual loop, actions sampled with numpy.
- Gymnasium: one environment in the usual loop, bare and as `gymnasium.make` wraps it.
- Vector environments: learners' decisions beside those of the batch engine, where the learner's
  seat also decides every second time; actions are recorded beforehand, so only steps are timed.
"""

from __future__ import annotations

import copy
import time
from collections.abc import Iterator
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv
from pettingzoo.utils import agent_selector
from pettingzoo.utils.wrappers import (
    AssertOutOfBoundsWrapper,
    OrderEnforcingWrapper,
    TerminateIllegalWrapper,
)

import sorry_env
from benchmarks.table import Case, Table, Work, compare, main
from sorry_env.engine.batch import Batch
from sorry_env.envs.vector import SorryVectorEnv

#: Games in a vector.
SIZE = 1024
#: Decisions of a game, about; what the environment that does nothing ends after.
GAME = 170


def tables(seconds: float) -> Iterator[Table]:
    """A table for each interface."""
    yield compare(
        "PettingZoo raw_env, decisions a second",
        [
            Case("an AEC environment that does nothing", aec_loop(Nothing())),
            Case("raw_env, classic, 2 seats", aec_loop(sorry_env.raw_env("classic", 2))),
        ],
        seconds,
    )
    yield compare(
        "PettingZoo env, decisions a second",
        [
            Case("nothing, in the standard wrappers", aec_loop(standard_wrappers(Nothing()))),
            Case("env, classic, 2 seats", aec_loop(sorry_env.env("classic", 2))),
        ],
        seconds,
    )
    name = "sorry_env/Sorry-v0"
    greedy = gymnasium.make(name, seats=2, opponents="greedy")
    yield compare(
        "Gymnasium, one environment, learner's decisions a second",
        [
            Case("bare", gym_loop(gymnasium.make(name, seats=2).unwrapped), "random opponent"),
            Case("as gymnasium.make wraps it", gym_loop(gymnasium.make(name, seats=2))),
            Case("bare, greedy opponent", gym_loop(greedy.unwrapped)),
        ],
        seconds,
    )
    yield compare(
        f"Vectors of {SIZE}, learner's decisions a second",
        [
            Case("Batch, decisions of one seat", batch_steps()),
            Case("VectorEnv, NextStep", vector_steps(), "random opponents"),
            Case("VectorEnv, SameStep", vector_steps(autoreset_mode="SameStep")),
            Case("VectorEnv, without copies", vector_steps(copy=False)),
            Case("VectorEnv, onehot", vector_steps(observation="onehot")),
            Case("VectorEnv, greedy opponents", vector_steps(steps=20, opponents="greedy")),
        ],
        seconds,
    )


class Nothing(AECEnv):  # type: ignore[misc]
    """Two agents in turns, with the spaces of `classic`, two legal actions and no game at all."""

    metadata = {"name": "nothing_v0", "render_modes": [], "is_parallelizable": False}  # noqa: RUF012

    def __init__(self) -> None:
        super().__init__()
        model = sorry_env.raw_env("classic")
        self.possible_agents = ["player_0", "player_1"]
        self.observation_spaces = model.observation_spaces
        self.action_spaces = model.action_spaces
        self.render_mode = None
        mask = np.zeros(model.tables.num_actions, np.int8)
        mask[[3, 90]] = 1
        self._seen = {
            "observation": np.zeros(model.tables.observation_size, np.int8),
            "action_mask": mask,
        }

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """The same object each time."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """The same object each time."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin to count."""
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._selector = agent_selector.AgentSelector(self.agents)
        self.agent_selection = self._selector.reset()
        self._steps = 0

    def step(self, action: Any) -> None:
        """Next agent, as PettingZoo's documentation writes it."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0.0
        self._steps += 1
        if self._steps == GAME:
            self.terminations = dict.fromkeys(self.agents, True)
        self.agent_selection = self._selector.next()
        self._accumulate_rewards()

    def observe(self, agent: str) -> dict[str, np.ndarray]:
        """The same arrays each time."""
        return self._seen


def standard_wrappers(env: AECEnv) -> Any:
    """What PettingZoo's board games wear."""
    wrapped = TerminateIllegalWrapper(env, illegal_reward=-1)
    return OrderEnforcingWrapper(AssertOutOfBoundsWrapper(wrapped))


def aec_loop(env: Any) -> Work:
    """A game in the usual loop."""
    rng = np.random.default_rng(0)
    seeds = iter(range(10**9))

    def play() -> int:
        env.reset(seed=next(seeds))
        decisions = 0
        for _ in env.agent_iter():
            observation, _, terminated, truncated, _ = env.last()
            if terminated or truncated:
                env.step(None)
                continue
            legal = observation["action_mask"].nonzero()[0]
            env.step(legal[int(rng.random() * len(legal))])
            decisions += 1
        return decisions

    return play


def gym_loop(env: gymnasium.Env[Any, Any]) -> Work:
    """An episode in the usual loop."""
    rng = np.random.default_rng(0)
    env.reset(seed=0)

    def play() -> int:
        observation, _ = env.reset()
        decisions, done = 0, False
        while not done:
            legal = observation["action_mask"].nonzero()[0]
            action = legal[int(rng.random() * len(legal))]
            observation, _, terminated, truncated, _ = env.step(action)
            done = terminated or truncated
            decisions += 1
        return decisions

    return play


def random_actions(mask: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """int64[B], a random legal action for each row of bool[B, A]."""
    order = np.cumsum(mask, axis=1)
    nth = rng.integers(order[:, -1]) + 1
    chosen: np.ndarray = (order >= nth[:, None]).argmax(axis=1)
    return chosen


def batch_steps(size: int = SIZE, steps: int = 60) -> Work:
    """The batch engine stepped with recorded actions; the decisions of the first seat count."""
    batch = Batch("classic", "2", size, seed=1)
    batch.random_steps(300)  # past the openings, to the usual mixture of positions
    start = batch.state_dict()
    rng = np.random.default_rng(0)
    script, own = [], 0
    for _ in range(steps):
        own += int((batch.actor == 0).sum())
        script.append(random_actions(batch.mask, rng))
        batch.step(script[-1])

    def play() -> int:
        batch.load_state_dict(start, check=False)
        for actions in script:
            batch.step(actions)
        return own

    return play


def vector_steps(size: int = SIZE, steps: int = 60, **settings: Any) -> Work:
    """A vector environment stepped with recorded actions."""
    env = SorryVectorEnv(size, "classic", 2, **settings)
    env.reset(seed=1)
    rng = np.random.default_rng(0)
    for _ in range(150):
        env.step(random_actions(env.action_masks(), rng))
    start = copy.deepcopy(env)
    script = []
    for _ in range(steps):
        script.append(random_actions(env.action_masks(), rng))
        env.step(script[-1])

    def play() -> tuple[int, float]:
        again = copy.deepcopy(start)  # not timed
        begun = time.process_time()
        for actions in script:
            again.step(actions)
        return len(script) * size, time.process_time() - begun

    return play


if __name__ == "__main__":
    main(__doc__, tables)
