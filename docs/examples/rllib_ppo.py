"""PPO by self-play in RLlib, with an action-masking RLModule; on a laptop and on a Ray cluster.

    pip install '.[rllib]'                                              # RLlib pins Gymnasium 1.2
    python docs/examples/rllib_ppo.py --env-runners 2                   # here
    python docs/examples/rllib_ppo.py --address auto \
        --env-runners 64 --learners 4 --gpus-per-learner 1              # on a cluster's head node

The same script everywhere: `--address` names a running cluster, on whose nodes sorry_env must be
installed; without it Ray starts here. Env runners play, learners learn from all of them together.
An env runner that dies, with its machine or alone, is replaced, and training goes on meanwhile.
With a hand of cards to choose from (`points`) there is more to be learnt from few games than in
`classic`.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import ray
import torch
from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.core.columns import Columns
from ray.rllib.core.learner import training_data
from ray.rllib.core.rl_module.apis import ValueFunctionAPI
from ray.rllib.core.rl_module.multi_rl_module import MultiRLModuleSpec
from ray.rllib.core.rl_module.rl_module import RLModuleSpec
from ray.rllib.core.rl_module.torch import TorchRLModule
from ray.rllib.env.wrappers.pettingzoo_env import PettingZooEnv
from ray.rllib.utils.minibatch_utils import ShardEpisodesIterator
from ray.tune.registry import register_env
from torch import Tensor, nn

import sorry_env
from sorry_env.arena.result import MatchResult
from sorry_env.bots.base import BatchRequest

#: The one policy of all seats.
SHARED = "shared"


class MaskedModule(TorchRLModule, ValueFunctionAPI):
    """Logits of legal actions and the value, from observations of the profile `dict`.

    The first layer is a linear layer on the one-hot of the observation: each value of each entry is
    a row of a table, and the rows of an observation are added. The space's bounds say how many.
    """

    bases: Tensor

    def setup(self) -> None:
        """Make the layers; ``model_config`` has their ``width``."""
        width = self.model_config["width"]
        box = self.observation_space["observation"]
        low, high = (torch.from_numpy(bound.astype(np.int64)) for bound in (box.low, box.high))
        sizes = high - low + 1
        self.register_buffer("bases", sizes.cumsum(0) - sizes - low)
        self.table = nn.EmbeddingBag(int(sizes.sum()), width, mode="sum")
        nn.init.normal_(self.table.weight, std=len(sizes) ** -0.5)
        self.body = nn.Sequential(nn.ReLU(), nn.Linear(width, width), nn.ReLU())
        self.policy = nn.Linear(width, int(self.action_space.n))
        self.value = nn.Linear(width, 1)
        for head in (self.policy, self.value):
            nn.init.orthogonal_(head.weight, 0.01)

    def _features(self, observation: Tensor) -> Tensor:
        rows = observation.long() + self.bases
        return self.body(self.table(rows))

    def _forward(self, batch: dict[str, Any], **kwargs: Any) -> dict[str, Tensor]:
        # What is returned in playing is kept with every decision: no more than the logits.
        return {Columns.ACTION_DIST_INPUTS: self._forward_train(batch)[Columns.ACTION_DIST_INPUTS]}

    def _forward_train(self, batch: dict[str, Any], **kwargs: Any) -> dict[str, Tensor]:
        seen = batch[Columns.OBS]
        features = self._features(seen["observation"])
        logits = self.policy(features).masked_fill(seen["action_mask"] == 0, -1e9)
        return {Columns.ACTION_DIST_INPUTS: logits, Columns.EMBEDDINGS: features}

    def compute_values(self, batch: dict[str, Any], embeddings: Tensor | None = None) -> Tensor:
        """float32[n], what the seats that decide expect."""
        if embeddings is None:
            embeddings = self._features(batch[Columns.OBS]["observation"])
        return self.value(embeddings).squeeze(-1)


class WholeEpisodes(ShardEpisodesIterator):
    """Shares episodes among several learners without cutting any.

    RLlib cuts some for equal shares; of seats that take turns, the pieces then lack what was noted
    with their decisions (in 2.60: the learner stops with "same number of dimensions", or hangs).
    """

    def __iter__(self) -> Iterator[list[Any]]:
        shares: list[list[Any]] = [[] for _ in range(self._num_shards)]
        for episode in self._episodes:  # the longest first
            min(shares, key=lambda share: sum(map(len, share))).append(episode)
        yield from shares


class ModuleBot(sorry_env.Bot):
    """Plays the module's likeliest action."""

    name = "rllib"

    def __init__(self, module: MaskedModule) -> None:
        self.module = module

    @torch.no_grad()
    def choose_batch(self, request: BatchRequest) -> np.ndarray:
        """int64[n], one legal action a row."""
        seen = {"observation": request.observation, "action_mask": request.mask}
        batch = {Columns.OBS: {key: torch.from_numpy(value) for key, value in seen.items()}}
        logits = self.module.forward_inference(batch)[Columns.ACTION_DIST_INPUTS]
        return logits.argmax(dim=1).numpy()


def parse(arguments: Sequence[str] | None = None) -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--address", help="of a running cluster, or `auto`; none: start one here")
    parser.add_argument("--ruleset", default="points")
    parser.add_argument("--seats", type=int, default=2)
    parser.add_argument("--env-runners", type=int, default=2, help="processes that play")
    parser.add_argument("--envs-per-runner", type=int, default=8, help="games in each of them")
    parser.add_argument("--learners", type=int, default=0, help="0: learn in this process")
    parser.add_argument("--gpus-per-learner", type=float, default=0)
    parser.add_argument("--cpus-per-runner", type=float, default=1)
    parser.add_argument("--decisions", type=int, default=4096, help="for each learner and update")
    parser.add_argument("--updates", type=int, default=10)
    parser.add_argument("--seed", type=int, default=1)
    return parser.parse_args(arguments)


def make_config(args: argparse.Namespace) -> PPOConfig:
    """PPO with one policy in all seats."""
    training_data.ShardEpisodesIterator = WholeEpisodes
    # The function is sent to every node, this file is not needed there.
    register_env(
        "sorry", lambda config: PettingZooEnv(sorry_env.env(config["ruleset"], config["seats"]))
    )
    module = RLModuleSpec(module_class=MaskedModule, model_config={"width": 128})
    return (
        PPOConfig()
        .environment(
            "sorry",
            env_config={"ruleset": args.ruleset, "seats": args.seats},
            disable_env_checking=True,  # the check plays any action, legal or not
        )
        .multi_agent(policies={SHARED}, policy_mapping_fn=lambda agent, episode, **kw: SHARED)
        .rl_module(rl_module_spec=MultiRLModuleSpec(rl_module_specs={SHARED: module}))
        .env_runners(
            num_env_runners=args.env_runners,
            num_envs_per_env_runner=args.envs_per_runner,
            num_cpus_per_env_runner=args.cpus_per_runner,
        )
        .learners(num_learners=args.learners, num_gpus_per_learner=args.gpus_per_learner)
        .training(
            # One reward at the end of a game of some hundred steps: nothing is discounted.
            gamma=1.0,
            lambda_=0.9,
            lr=1e-3,
            train_batch_size_per_learner=args.decisions,
            minibatch_size=512,
            num_epochs=4,
            entropy_coeff=0.02,
            use_kl_loss=False,
            vf_loss_coeff=0.5,
            grad_clip=0.5,
        )
        .fault_tolerance(restart_failed_env_runners=True)
        .debugging(seed=args.seed, log_level="ERROR")
    )


def match(algorithm: Any, args: argparse.Namespace) -> MatchResult:
    """The policy against random players."""
    module = algorithm.get_module(SHARED)
    bots: list[sorry_env.Bot | str] = [ModuleBot(module), *["random"] * (args.seats - 1)]
    return sorry_env.play_match(bots, args.ruleset, args.seats, games=1000, seed=args.seed)


def main(arguments: Sequence[str] | None = None) -> tuple[MatchResult, MatchResult]:
    """Learn, and play against random players before and after it."""
    args = parse(arguments)
    ray.init(address=args.address, include_dashboard=False, configure_logging=False)
    algorithm = make_config(args).build_algo()
    before = match(algorithm, args)
    print("before\n" + before.table())
    for update in range(args.updates):
        result = algorithm.train()
        steps = result["num_env_steps_sampled_lifetime"]
        runners = algorithm.env_runner_group.num_healthy_remote_workers()
        print(f"update {update + 1}: {steps:.0f} decisions, {runners} env runners")
    after = match(algorithm, args)
    print("after\n" + after.table())
    algorithm.stop()
    ray.shutdown()
    return before, after


if __name__ == "__main__":
    main()
