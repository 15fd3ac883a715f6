"""MaskablePPO of sb3-contrib as a learner of the benchmark.

`Games` hands the vector environment to the library as it is, without a process or a Python loop for
each game; the network's first layer, which policy and value share, is the `Table` of ``sides.py``.
Read before: ``sides.py``.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import torch
from sb3_contrib import MaskablePPO
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor
from stable_baselines3.common.vec_env import VecEnv
from torch import Tensor

from benchmarks.learning.base import Front, Meter, Step, line
from benchmarks.learning.sides import GAMES, WIDTH, Choose, PolicyBot, Table, make_sides
from sorry_env.engine.tables import RuleTables, compile_rules
from sorry_env.envs.vector import SorryVectorEnv

#: Decisions of each game between two updates.
STEPS = 64
#: Lambda of the advantages.  With the 0.6 of our own PPO it did worse than chance for long.
TRACE = 0.98
RATE, RATE_FINAL = 1e-3, 0.0
ENTROPY, ENTROPY_FINAL = 0.02, 0.005


class Games(VecEnv):  # type: ignore[misc]
    """A `SorryVectorEnv` in SAME_STEP mode, as Stable-Baselines3 has vector environments."""

    def __init__(self, env: SorryVectorEnv) -> None:
        self.env = env
        self.actions = np.zeros(env.num_envs, np.int64)
        super().__init__(env.num_envs, env.single_observation_space, env.single_action_space)

    def reset(self) -> Any:
        """int8[B, O]."""
        observation, _ = self.env.reset(seed=self._seeds[0])
        self._reset_seeds()
        return observation

    def step_async(self, actions: np.ndarray) -> None:
        """See VecEnv."""
        self.actions = actions

    def step_wait(self) -> tuple[Any, np.ndarray, np.ndarray, list[dict[str, Any]]]:
        """See VecEnv; nothing is told of a game but that it was cut off."""
        observation, rewards, ended, cut, infos = self.env.step(self.actions)
        told: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        for row in np.flatnonzero(ended | cut).tolist():
            told[row] = {
                "terminal_observation": infos["final_obs"][row],
                "TimeLimit.truncated": bool(cut[row] and not ended[row]),
            }
        return observation, rewards.astype(np.float32), ended | cut, told

    def env_method(self, name: str, *_: Any, **__: Any) -> Sequence[Any]:
        """The masks bool[A] of all games, the one method that is asked for."""
        if name != "action_masks":
            raise AttributeError(name)
        return list(self.env.action_masks())

    def has_attr(self, name: str) -> bool:
        """Whether there is such a method."""
        return name == "action_masks"

    def get_attr(self, name: str, indices: Any = None) -> list[Any]:
        """See VecEnv: nothing but that there is nothing to be drawn."""
        if name != "render_mode":
            raise AttributeError(name)
        return [None] * self.num_envs

    def set_attr(self, name: str, value: Any, indices: Any = None) -> None:
        """See VecEnv: nothing can be set."""
        raise AttributeError(name)

    def env_is_wrapped(self, wrapper: Any, indices: Any = None) -> list[bool]:
        """See VecEnv: nothing is."""
        return [False] * self.num_envs

    def close(self) -> None:
        """See VecEnv."""
        self.env.close()


class Features(BaseFeaturesExtractor):  # type: ignore[misc]
    """The first layer, where the library has its place for one."""

    def __init__(self, space: Any, tables: RuleTables) -> None:
        super().__init__(space, WIDTH)
        self.table = Table(tables)

    def forward(self, observation: Tensor) -> Tensor:
        """float32[n, WIDTH] for what the library has made floats of, [n, O]."""
        seen: Tensor = self.table(observation)
        return seen


def train(front: Front, seed: int, meter: Meter) -> Iterator[Step]:
    """MaskablePPO against a copy of itself that is renewed before each update."""
    torch.set_num_threads(1)
    # Rows of many probabilities miss a sum of 1 by more than the check allows now and then.
    torch.distributions.Distribution.set_default_validate_args(False)
    twin = PolicyBot("twin", lambda observation, mask: mask.argmax(axis=1))
    games = Games(make_sides(front, twin, "SameStep"))
    model = MaskablePPO(
        "MlpPolicy", games, n_steps=STEPS, batch_size=1024, n_epochs=2, gamma=1.0,
        gae_lambda=TRACE, vf_coef=1.0, seed=seed, device="cpu",
        learning_rate=lambda _: line(RATE, RATE_FINAL, meter.progress),
        policy_kwargs={
            "net_arch": [WIDTH], "activation_fn": torch.nn.ReLU,
            "features_extractor_class": Features,
            "features_extractor_kwargs": {"tables": compile_rules(front.ruleset)},
        },
    )  # fmt: skip
    bot = PolicyBot("sb3-ppo", chooser(model.policy, deterministic=True))
    other = copy.deepcopy(model.policy)
    twin.ask = chooser(other, deterministic=False)
    yield Step(0, bot)
    while True:
        other.load_state_dict(model.policy.state_dict())
        model.ent_coef = line(ENTROPY, ENTROPY_FINAL, meter.progress)
        model.learn(STEPS * GAMES, reset_num_timesteps=False, log_interval=None)
        yield Step(model.num_timesteps, bot)


def chooser(policy: Any, *, deterministic: bool) -> Choose:
    """What a policy of the library plays: its likeliest actions, or drawn ones."""

    def choose(observation: np.ndarray, mask: np.ndarray) -> np.ndarray:
        actions: np.ndarray
        actions, _ = policy.predict(observation, action_masks=mask, deterministic=deterministic)
        return actions

    return choose
