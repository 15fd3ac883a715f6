"""sb3-contrib's MaskablePPO on the Gymnasium environment `sorry_env/Sorry-v0`.

    pip install '.[sb3]'
    python docs/examples/sb3_maskable_ppo.py --steps 30000
    python docs/examples/sb3_maskable_ppo.py --steps 30000 --processes

One seat learns, a bot plays the others. MaskablePPO asks each environment for `action_masks()`,
inside its own process where there are several. The seat that learns changes from game to game, so
the policy can play from every side. With a hand of cards to choose from (`points`) there is more to
be learnt from few games than in `classic`.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from typing import Any

import gymnasium
import numpy as np
import torch
from sb3_contrib import MaskablePPO
from stable_baselines3.common.monitor import Monitor
from stable_baselines3.common.vec_env import DummyVecEnv, SubprocVecEnv, VecEnv

import sorry_env
from sorry_env.arena.result import MatchResult
from sorry_env.bots.base import BatchRequest
from sorry_env.engine.observe import one_hot


def make_env(ruleset: str, seats: int, opponents: str) -> Callable[[], gymnasium.Env[Any, Any]]:
    """Makes one environment, wherever it is called: the module before the colon is imported."""
    return lambda: Monitor(
        gymnasium.make(
            "sorry_env:Sorry-v0",
            ruleset=ruleset,
            seats=seats,
            opponents=opponents,
            learner="random",
            observation="onehot",
        )
    )


def make_envs(
    count: int, processes: bool, ruleset: str, seats: int, opponents: str, seed: int
) -> VecEnv:
    """Several of them, each in a process of its own or all in this one."""
    makers = [make_env(ruleset, seats, opponents)] * count
    # `spawn` starts each process afresh: forking one that has threads can hang.
    envs = SubprocVecEnv(makers, start_method="spawn") if processes else DummyVecEnv(makers)
    envs.seed(seed)
    return envs


class ModelBot(sorry_env.Bot):
    """Plays the model's likeliest action."""

    name = "sb3"

    def __init__(self, model: MaskablePPO) -> None:
        self.model = model

    def choose_batch(self, request: BatchRequest) -> np.ndarray:
        """int64[n], one legal action a row."""
        seen = one_hot(request.tables.layout, request.observation)
        actions, _ = self.model.predict(seen, action_masks=request.mask, deterministic=True)
        return actions


def main(arguments: Sequence[str] | None = None) -> tuple[MatchResult, MatchResult]:
    """Learn, and play against the opponents before and after it."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--ruleset", default="points")
    parser.add_argument("--seats", type=int, default=2)
    parser.add_argument("--opponents", default="random")
    parser.add_argument("--envs", type=int, default=8)
    parser.add_argument("--processes", action="store_true", help="SubprocVecEnv")
    parser.add_argument("--steps", type=int, default=30_000)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args(arguments)
    torch.set_num_threads(1)  # so small a network gains nothing from more
    envs = make_envs(args.envs, args.processes, args.ruleset, args.seats, args.opponents, args.seed)
    model = MaskablePPO(
        # One reward at the end of a game of some hundred steps: nothing is discounted.
        "MlpPolicy", envs, n_steps=256, batch_size=512, n_epochs=4, gamma=1.0, gae_lambda=0.9,
        learning_rate=1e-3, ent_coef=0.02, seed=args.seed, device="cpu",
    )  # fmt: skip

    def match() -> MatchResult:
        bots: list[sorry_env.Bot | str] = [ModelBot(model), *[args.opponents] * (args.seats - 1)]
        return sorry_env.play_match(bots, args.ruleset, args.seats, games=1000, seed=args.seed)

    before = match()
    print("before\n" + before.table())
    model.learn(args.steps)
    envs.close()
    after = match()
    print("after\n" + after.table())
    return before, after


if __name__ == "__main__":
    main()
