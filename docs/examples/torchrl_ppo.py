"""PPO by self-play in TorchRL: `PettingZooWrapper`, `MaskedCategorical`, `GAE`, `ClipPPOLoss`.

    pip install '.[torchrl]'
    python docs/examples/torchrl_ppo.py --updates 8

All seats are one group, so tensors have a dimension for the seat and one network plays them all.
The wrapper asks everybody for an observation at each step, and says in `mask` whose turn it is.
The critic learns from every row: each seat has an opinion of the position at any time. The policy
learns from the rows in which the seat did act; what the others are given as action is not played.
With a hand of cards to choose from (`points`) there is more to be learnt from few games than in
`classic`; the wrapper is slow.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence

import numpy as np
import torch
from tensordict import TensorDictBase
from tensordict.nn import TensorDictModule
from torch import Tensor, nn
from torchrl.collectors import Collector
from torchrl.envs.libs.pettingzoo import PettingZooWrapper
from torchrl.modules import MaskedCategorical, ProbabilisticActor, ValueOperator
from torchrl.objectives import ClipPPOLoss, ValueEstimators

import sorry_env
from sorry_env.arena.result import MatchResult
from sorry_env.bots.base import BatchRequest
from sorry_env.engine.tables import compile_rules

GROUP = "players"
SEEN = (GROUP, "observation", "observation")


def make_env(ruleset: str, seats: int, seed: int) -> PettingZooWrapper:
    """The environment as TorchRL has it, all agents in one group."""
    env = sorry_env.env(ruleset, seats=seats, infos="mask")  # no words: it makes tensors of all
    wrapped = PettingZooWrapper(
        env=env, use_mask=True, group_map={GROUP: list(env.possible_agents)}
    )
    wrapped.set_seed(seed)
    return wrapped


class Network(nn.Module):
    """A linear layer on the one-hot of the observation, a hidden layer, and an output.

    Each value of each entry is a row of a table; the rows of an observation are added.
    """

    bases: Tensor

    def __init__(self, ruleset: str, outputs: int, width: int = 128) -> None:
        super().__init__()
        fields = [f for f in compile_rules(ruleset).layout for _ in range(f.size)]
        sizes = torch.tensor([field.categories for field in fields])
        lows = torch.tensor([field.low for field in fields])
        self.register_buffer("bases", sizes.cumsum(0) - sizes - lows)
        self.table = nn.Embedding(int(sizes.sum()), width)
        nn.init.normal_(self.table.weight, std=len(fields) ** -0.5)
        head = nn.Linear(width, outputs)
        nn.init.orthogonal_(head.weight, 0.01)
        self.body = nn.Sequential(nn.ReLU(), nn.Linear(width, width), nn.ReLU(), head)

    def forward(self, observation: Tensor) -> Tensor:
        """float32[..., outputs] for int8[..., O]."""
        rows = observation.long() + self.bases
        return self.body(self.table(rows).sum(dim=-2))


def make_loss(env: PettingZooWrapper, ruleset: str) -> tuple[ProbabilisticActor, ClipPPOLoss]:
    """The policy, and PPO's loss with it and a critic of its own."""
    num_actions = compile_rules(ruleset).num_actions
    actor = ProbabilisticActor(
        TensorDictModule(Network(ruleset, num_actions), [SEEN], [(GROUP, "logits")]),
        in_keys={"logits": (GROUP, "logits"), "mask": (GROUP, "action_mask")},
        out_keys=[env.action_key],
        distribution_class=MaskedCategorical,
        return_log_prob=True,
        log_prob_key=(GROUP, "log_prob"),
    )
    critic = ValueOperator(Network(ruleset, 1), [SEEN], [(GROUP, "state_value")])
    loss = ClipPPOLoss(actor, critic, entropy_coeff=0.02, critic_coeff=0.5, reduction="none")
    loss.set_keys(
        action=env.action_key, reward=env.reward_key, sample_log_prob=(GROUP, "log_prob"),
        value=(GROUP, "state_value"), advantage=(GROUP, "advantage"),
        value_target=(GROUP, "value_target"),
        done=(GROUP, "done"), terminated=(GROUP, "terminated"),
    )  # fmt: skip
    # One reward at the end of a game of some hundred steps: nothing is discounted.
    loss.make_value_estimator(ValueEstimators.GAE, gamma=1.0, lmbda=0.95)
    return actor, loss


def learn(
    data: TensorDictBase, loss: ClipPPOLoss, optimizer: torch.optim.Optimizer, epochs: int
) -> None:
    """Some epochs on T steps in their order of time."""
    with torch.no_grad():
        loss.value_estimator(data)
    acts = data[GROUP, "mask"]
    advantage = data[GROUP, "advantage"]
    advantage.sub_(advantage[acts].mean()).div_(advantage[acts].std() + 1e-8)
    for _ in range(epochs):
        for part in torch.randperm(len(data)).split(256):
            losses = loss(data[part])
            own = acts[part].float()
            policy = losses["loss_objective"] + losses["loss_entropy"]
            total = (policy.reshape(own.shape) * own).sum() / own.sum()
            total = total + losses["loss_critic"].mean()
            optimizer.zero_grad()
            total.backward()
            nn.utils.clip_grad_norm_(loss.parameters(), 0.5)
            optimizer.step()


class ActorBot(sorry_env.Bot):
    """Plays the actor's likeliest action."""

    name = "torchrl"

    def __init__(self, network: nn.Module) -> None:
        self.network = network

    @torch.no_grad()
    def choose_batch(self, request: BatchRequest) -> np.ndarray:
        """int64[n], one legal action a row."""
        logits = self.network(torch.from_numpy(request.observation))
        mask = torch.from_numpy(request.mask)
        return MaskedCategorical(logits=logits, mask=mask).mode.numpy()


def main(arguments: Sequence[str] | None = None) -> tuple[MatchResult, MatchResult]:
    """Learn, and play against random players before and after it."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--ruleset", default="points")
    parser.add_argument("--seats", type=int, default=2)
    parser.add_argument("--updates", type=int, default=8)
    parser.add_argument("--steps", type=int, default=2048, help="decisions between two updates")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args(arguments)
    torch.set_num_threads(1)  # so small a network gains nothing from more
    torch.manual_seed(args.seed)
    env = make_env(args.ruleset, args.seats, args.seed)
    actor, loss = make_loss(env, args.ruleset)
    optimizer = torch.optim.Adam(loss.parameters(), 1e-3)

    def match() -> MatchResult:
        bots: list[sorry_env.Bot | str] = [
            ActorBot(actor[0].module),
            *["random"] * (args.seats - 1),
        ]
        return sorry_env.play_match(bots, args.ruleset, args.seats, games=1000, seed=args.seed)

    before = match()
    print("before\n" + before.table())
    collector = Collector(
        env, actor, frames_per_batch=args.steps, total_frames=args.steps * args.updates,
        auto_register_policy_transforms=True,
    )  # fmt: skip
    for data in collector:
        learn(data, loss, optimizer, epochs=4)
    after = match()
    print("after\n" + after.table())
    return before, after


if __name__ == "__main__":
    main()
