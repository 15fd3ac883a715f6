"""PPO by self-play in one file: torch, `sorry_env.Batch`, and nothing hidden (after CleanRL).

    python docs/examples/ppo_single_file.py --updates 40

One network plays all seats of many games at once and learns from all of them. Two things differ
from PPO for a single agent. Illegal actions get no probability, in playing and in learning. And
what follows a decision, for the seat that took it, is that seat's own next decision, not the next
row of the batch, which is somebody else's: see `advantages`. Everything that
`training/sorry_training/ppo.py` does beyond this (past selves, schedules, checkpoints, export)
is left out.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor, nn
from torch.distributions import Categorical

import sorry_env
from sorry_env.arena.result import MatchResult
from sorry_env.bots.base import BatchRequest


@dataclass
class Settings:
    """What can be set on the command line, and what rarely needs to be."""

    ruleset: str = "classic"
    seats: str = "red,yellow"
    updates: int = 40
    seed: int = 1
    eval_games: int = 2000

    games: int = 256
    steps: int = 64  # of each game between two updates
    epochs: int = 2
    minibatch: int = 2048
    learning_rate: float = 2e-3
    width: int = 128
    trace: float = 0.8  # lambda of GAE; nothing is discounted, a game has one reward
    clip: float = 0.2
    entropy_bonus: float = 0.02
    value_weight: float = 0.5
    grad_norm: float = 0.5


class Network(nn.Module):
    """Logits and value of the seat that decides.

    The first layer is a linear layer on the one-hot of the observation: each value of each entry is
    a row of a table, and the rows of an observation are added.
    """

    bases: Tensor

    def __init__(self, batch: sorry_env.Batch, width: int) -> None:
        super().__init__()
        fields = [field for field in batch.tables.layout for _ in range(field.size)]
        lows = torch.tensor([field.low for field in fields])
        sizes = torch.tensor([field.categories for field in fields])
        self.register_buffer("bases", sizes.cumsum(0) - sizes - lows)
        self.table = nn.EmbeddingBag(int(sizes.sum()), width, mode="sum")
        nn.init.normal_(self.table.weight, std=len(fields) ** -0.5)
        self.body = nn.Sequential(nn.ReLU(), nn.Linear(width, width), nn.ReLU())
        self.policy = nn.Linear(width, batch.num_actions)
        self.value = nn.Linear(width, 1)
        for head in (self.policy, self.value):
            nn.init.orthogonal_(head.weight, 0.01)
            nn.init.zeros_(head.bias)

    def forward(self, observation: Tensor, mask: Tensor) -> tuple[Categorical, Tensor]:
        """The distribution of legal actions and values float32[N], for int8[N, O], bool[N, A]."""
        rows = observation.long() + self.bases
        features = self.body(self.table(rows))
        logits = self.policy(features).masked_fill(~mask, -1e9)
        # No check of the arguments: it is slow, and rounding makes it fail once in a million rows.
        return Categorical(logits=logits, validate_args=False), self.value(features).squeeze(1)


@dataclass
class Rollout:
    """T steps of B games; at each step one seat of each game decides.

    observation, mask:   int8[T, B, O], bool[T, B, A], of the seat that decides
    seat:                int64[T, B], that seat
    action:              int64[T, B], with log_prob and value float32[T, B]
    reward, done:        float32[T, B, 4] by seat, bool[T, B], of the step made
    last_seat, last_value: [B], who decides after the last step, and its value
    """

    observation: Tensor
    mask: Tensor
    seat: np.ndarray
    action: Tensor
    log_prob: Tensor
    value: np.ndarray
    reward: np.ndarray
    done: np.ndarray
    last_seat: np.ndarray
    last_value: np.ndarray


@torch.no_grad()
def play(batch: sorry_env.Batch, network: Network, steps: int) -> Rollout:
    """Play ``steps`` decisions in every game. The batch overwrites its arrays: all are copied."""
    rows = []
    for _ in range(steps):
        observation = torch.from_numpy(batch.observation.copy())
        mask = torch.from_numpy(batch.mask.copy())
        seat = batch.actor.astype(np.int64)
        policy, value = network(observation, mask)
        action = policy.sample()
        batch.step(action.numpy())
        done = batch.terminated | batch.truncated
        row = (observation, mask, action, policy.log_prob(action))
        rows.append((*row, seat, value.numpy(), batch.rewards.copy(), done))
    _, last_value = network(
        torch.from_numpy(batch.observation), torch.from_numpy(batch.mask.copy())
    )
    columns = list(zip(*rows, strict=True))
    observation, mask, action, log_prob = (torch.stack(column) for column in columns[:4])
    seat, value, reward, done = (np.stack(column) for column in columns[4:])
    return Rollout(
        observation, mask, seat, action, log_prob, value, reward, done,
        batch.actor.astype(np.int64), last_value.numpy(),
    )  # fmt: skip


def advantages(rollout: Rollout, trace: float) -> tuple[np.ndarray, np.ndarray]:
    """GAE along each seat's own decisions: float32[T, B] and bool[T, B], whether it is known.

    From the back, for every game and seat, we keep what comes after the present row: the value
    and advantage of the seat's next decision and the rewards it gets on the way there. A game's end
    makes that 0. A seat's last decision in the rollout has a next one only if that is due right
    after the last step; else it is unknown, and the decision is not learnt from.
    """
    steps, games = rollout.seat.shape
    every = np.arange(games)
    next_value, next_gain, reward = (np.zeros((games, 4), np.float32) for _ in range(3))
    known = np.zeros((games, 4), bool)
    next_value[every, rollout.last_seat] = rollout.last_value
    known[every, rollout.last_seat] = True
    gain = np.zeros((steps, games), np.float32)
    usable = np.zeros((steps, games), bool)
    for t in reversed(range(steps)):
        ended = rollout.done[t]
        next_value[ended], next_gain[ended], reward[ended] = 0, 0, 0
        known[ended] = True
        reward += rollout.reward[t]
        at = (every, rollout.seat[t])
        error = reward[at] + next_value[at] - rollout.value[t]
        gain[t] = error + trace * next_gain[at]
        usable[t] = known[at]
        next_value[at], reward[at], known[at] = rollout.value[t], 0, True
        next_gain[at] = np.where(usable[t], gain[t], 0)
    return gain, usable


def learn(
    network: Network, optimizer: torch.optim.Optimizer, rollout: Rollout, settings: Settings
) -> int:
    """Some epochs of PPO's clipped objective; returns the number of decisions learnt from."""
    gain, usable = advantages(rollout, settings.trace)
    keep = torch.from_numpy(usable)
    observation, mask = rollout.observation[keep], rollout.mask[keep]
    action, old_log_prob = rollout.action[keep], rollout.log_prob[keep]
    advantage = torch.from_numpy(gain[usable])
    target = advantage + torch.from_numpy(rollout.value[usable])
    advantage = (advantage - advantage.mean()) / (advantage.std() + 1e-8)
    for _ in range(settings.epochs):
        for part in torch.randperm(len(action)).split(settings.minibatch):
            policy, value = network(observation[part], mask[part])
            ratio = (policy.log_prob(action[part]) - old_log_prob[part]).exp()
            clipped = ratio.clamp(1 - settings.clip, 1 + settings.clip)
            objective = torch.minimum(ratio * advantage[part], clipped * advantage[part]).mean()
            value_loss = (value - target[part]).square().mean()
            bonus = settings.entropy_bonus * policy.entropy().mean()
            loss = settings.value_weight * value_loss - objective - bonus
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(network.parameters(), settings.grad_norm)
            optimizer.step()
    return len(action)


class NetworkBot(sorry_env.Bot):
    """Plays the network's likeliest action."""

    name = "ppo"

    def __init__(self, network: Network) -> None:
        self.network = network

    @torch.no_grad()
    def choose_batch(self, request: BatchRequest) -> np.ndarray:
        """int64[n], one legal action a row."""
        observation, mask = torch.from_numpy(request.observation), torch.from_numpy(request.mask)
        policy, _ = self.network(observation, mask)
        return policy.logits.argmax(dim=1).numpy()


def evaluate(network: Network, settings: Settings) -> MatchResult:
    """A match against random players, the same cards played from every seat."""
    others = ["random"] * (len(settings.seats.split(",")) - 1)
    return sorry_env.play_match(
        [NetworkBot(network), *others], settings.ruleset, settings.seats,
        games=settings.eval_games, seed=settings.seed,
    )  # fmt: skip


def train(settings: Settings) -> tuple[MatchResult, MatchResult]:
    """Learn for a while; the matches before and after it."""
    torch.set_num_threads(1)  # so small a network gains nothing from more
    torch.manual_seed(settings.seed)
    batch = sorry_env.Batch(
        settings.ruleset, settings.seats, settings.games, seed=settings.seed, skip_forced=True
    )
    network = Network(batch, settings.width)
    optimizer = torch.optim.Adam(network.parameters(), settings.learning_rate, eps=1e-5)
    before = evaluate(network, settings)
    print("before\n" + before.table())
    start, decisions = time.perf_counter(), 0
    for _ in range(settings.updates):
        decisions += learn(network, optimizer, play(batch, network, settings.steps), settings)
    seconds = time.perf_counter() - start
    print(f"{decisions:,} decisions in {seconds:.0f} s")
    after = evaluate(network, settings)
    print("after\n" + after.table())
    return before, after


def main(arguments: Sequence[str] | None = None) -> tuple[MatchResult, MatchResult]:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    for name in ("ruleset", "seats", "updates", "seed", "eval_games"):
        default = getattr(Settings, name)
        parser.add_argument(f"--{name.replace('_', '-')}", type=type(default), default=default)
    return train(Settings(**vars(parser.parse_args(arguments))))


if __name__ == "__main__":
    main()
