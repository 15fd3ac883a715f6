"""DQN by self-play in Tianshou: `PettingZooEnv`, masks, `MultiAgentOffPolicyAlgorithm`.

    pip install '.[tianshou]'
    python docs/examples/tianshou_dqn.py --rounds 40

One DQN plays all seats. In Tianshou's buffer the next row of a turn-based game is the next seat's,
so a target made of a reward and the value of the next row would be that of an opponent. Here the
targets are whole returns: the horizon is longer than a game, the buffer holds whole games, and the
buffer keeps everybody's rewards in every row, so that the loser, too, is told.
With a hand of cards to choose from (`points`) there is more to be learnt from few games than in
`classic`.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
from tianshou.algorithm import DQN
from tianshou.algorithm.algorithm_base import policy_within_training_step
from tianshou.algorithm.modelfree.dqn import DiscreteQLearningPolicy
from tianshou.algorithm.multiagent.marl import MultiAgentOffPolicyAlgorithm
from tianshou.algorithm.optim import AdamOptimizerFactory
from tianshou.data import Collector, VectorReplayBuffer
from tianshou.env import DummyVectorEnv, PettingZooEnv
from torch import Tensor, nn

import sorry_env
from sorry_env.arena.result import MatchResult
from sorry_env.bots.base import BatchRequest
from sorry_env.engine.tables import compile_rules

#: Longer than any game that is likely to be played, and where games are cut off.
MAX_PLIES = 600


def make_env(ruleset: str, seats: int) -> PettingZooEnv:
    """The environment as Tianshou has it: observations are obs, mask and agent_id."""
    return PettingZooEnv(sorry_env.env(ruleset, seats=seats, max_plies=MAX_PLIES))


class Network(nn.Module):
    """A linear layer on the one-hot of the observation, a hidden layer, and the actions' values.

    Each value of each entry is a row of a table; the rows of an observation are added.
    """

    bases: Tensor

    def __init__(self, ruleset: str, width: int = 128) -> None:
        super().__init__()
        tables = compile_rules(ruleset)
        fields = [field for field in tables.layout for _ in range(field.size)]
        sizes = torch.tensor([field.categories for field in fields])
        lows = torch.tensor([field.low for field in fields])
        self.register_buffer("bases", sizes.cumsum(0) - sizes - lows)
        self.table = nn.EmbeddingBag(int(sizes.sum()), width, mode="sum")
        nn.init.normal_(self.table.weight, std=len(fields) ** -0.5)
        self.body = nn.Sequential(
            nn.ReLU(), nn.Linear(width, width), nn.ReLU(), nn.Linear(width, tables.num_actions)
        )

    def forward(self, obs: np.ndarray, state: Any = None, info: Any = None) -> tuple[Tensor, Any]:
        """float32[n, A] for int8[n, O], and the state that it does not have."""
        rows = torch.as_tensor(obs).long() + self.bases
        return self.body(self.table(rows)), state


def make_algorithm(
    env: PettingZooEnv, network: Network
) -> tuple[MultiAgentOffPolicyAlgorithm, DiscreteQLearningPolicy]:
    """One DQN in every seat, and its policy."""
    policy = DiscreteQLearningPolicy(model=network, action_space=env.action_space, eps_training=0.1)
    dqn = DQN(
        policy=policy, optim=AdamOptimizerFactory(lr=1e-3), gamma=1.0,
        n_step_return_horizon=MAX_PLIES,
    )  # fmt: skip
    algorithm = MultiAgentOffPolicyAlgorithm(algorithms=[dqn] * len(env.agents), env=env)
    return algorithm, policy


class GreedyBot(sorry_env.Bot):
    """Plays the action of the greatest value."""

    name = "tianshou"

    def __init__(self, network: Network) -> None:
        self.network = network

    @torch.no_grad()
    def choose_batch(self, request: BatchRequest) -> np.ndarray:
        """int64[n], one legal action a row."""
        values, _ = self.network(request.observation)
        return np.where(request.mask, values.numpy(), -np.inf).argmax(axis=1)


def main(arguments: Sequence[str] | None = None) -> tuple[MatchResult, MatchResult]:
    """Learn, and play against random players before and after it."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--ruleset", default="points")
    parser.add_argument("--seats", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=40, help="of playing, then learning")
    parser.add_argument("--games", type=int, default=8, help="played at once, and in each round")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args(arguments)
    torch.set_num_threads(1)  # so small a network gains nothing from more
    torch.manual_seed(args.seed)
    np.random.seed(args.seed)  # noqa: NPY002 - Tianshou explores by it

    network = Network(args.ruleset)
    env = make_env(args.ruleset, args.seats)
    algorithm, policy = make_algorithm(env, network)
    envs = DummyVectorEnv([lambda: make_env(args.ruleset, args.seats) for _ in range(args.games)])
    envs.seed(args.seed)
    buffer = VectorReplayBuffer(args.games * 4 * MAX_PLIES, args.games)
    collector = Collector(algorithm, envs, buffer, exploration_noise=True)
    collector.reset()

    def match() -> MatchResult:
        bots: list[sorry_env.Bot | str] = [GreedyBot(network), *["random"] * (args.seats - 1)]
        return sorry_env.play_match(bots, args.ruleset, args.seats, games=1000, seed=args.seed)

    before = match()
    print("before\n" + before.table())
    for _ in range(args.rounds):
        # The seats' own policy must be told as well, else it does not explore.
        with policy_within_training_step(algorithm.policy), policy_within_training_step(policy):
            collector.collect(n_episode=args.games)
            for _ in range(30):
                algorithm.update(buffer, sample_size=512)
    after = match()
    print("after\n" + after.table())
    return before, after


if __name__ == "__main__":
    main()
