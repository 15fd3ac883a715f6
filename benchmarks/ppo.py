"""PPO from end to end beside what its network alone needs for the same decisions.

    python -m benchmarks.ppo [--seconds 2.5] [--json]

Learner's decisions a second with the settings of `configs/ppo/quick.yaml`: games played on the
batch engine with masks, sampling, opponents and advantages, then gradient steps. A network alone
is asked for each decision once, and then takes the same steps: one of the same widths in plain
torch (linear layers on one-hots, logits masked), and PPO's own with its kernels. On one thread by
processor time, on two by the clock.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import torch
from sorry_training.config import PPOConfig, load_config
from sorry_training.kernels import legal_logits
from sorry_training.masked import entropy, log_probabilities
from sorry_training.ppo import Run, learn, minibatch_gradients, update_once
from sorry_training.returns import SEATS
from sorry_training.workers import Workers
from torch import Tensor, nn

from benchmarks.table import Case, Table, Work, compare, main
from sorry_env.engine.observe import OneHot

CONFIG = Path(__file__).resolve().parent.parent / "configs" / "ppo" / "quick.yaml"


def tables(seconds: float) -> Iterator[Table]:
    """A table for one thread and one for two."""
    for threads in (1, 2):
        config = dataclasses.replace(load_config(CONFIG), threads=threads)
        with Workers(threads) as workers:
            run = Run(config)
            for _ in range(5):
                update_once(run, workers)
            data = decisions_of(run)
            yield compare(
                f"PPO, threads {threads}, learner's decisions a second"
                + (" by the clock" if threads > 1 else ""),
                [
                    Case("such a network in plain torch", plain_torch(run, data),
                         "torch's own threads"),
                    Case("PPO, games and learning", whole(run, workers)),
                    Case("PPO's own network alone", network_alone(config, data, workers)),
                ],
                seconds,
                wall=threads > 1,
            )  # fmt: skip


def decisions_of(run: Run) -> list[Tensor]:
    """The learner's decisions of the last window as `minibatch_gradients` takes them."""
    found: list[list[np.ndarray]] = []
    for collector in run.collectors:
        window = collector.window
        own = window.own.copy()
        own[:SEATS] = False
        count = int(own.sum())
        found.append([
            window.observation[own], window.mask[own], window.action[own], window.log_prob[own],
            np.linspace(-1, 1, count, dtype=np.float32), np.zeros(count, np.float32),
        ])  # fmt: skip
    return [torch.from_numpy(np.concatenate(parts)) for parts in zip(*found, strict=True)]


def whole(run: Run, workers: Workers) -> Work:
    """Updates of a run, one at a call."""

    def work() -> int:
        before = run.decisions
        update_once(run, workers)
        return run.decisions - before

    return work


def network_alone(config: PPOConfig, data: list[Tensor], workers: Workers) -> Work:
    """Asked for each decision in batches as they are while playing, then the gradient steps."""
    run = Run(config)
    count = len(data[0])
    asked = data[0].tensor_split(config.steps * config.shards)
    masks = data[1].tensor_split(config.steps * config.shards)

    def gradients(part: list[Tensor], share: float) -> tuple[tuple[Tensor, ...], Tensor]:
        return minibatch_gradients(run.net, config, part, share, 0.01)

    def ask(observation: Tensor, mask: Tensor) -> None:
        with torch.no_grad():
            features, _ = run.net.describe(observation)
            legal_logits(features, run.net.policy.weight, run.net.policy.bias, mask.numpy())

    def work() -> int:
        for i in range(0, len(asked), config.shards):
            workers.map(ask, asked[i : i + config.shards], masks[i : i + config.shards])
        learn(run, workers, data, gradients)
        return count

    return work


def plain_torch(run: Run, data: list[Tensor]) -> Work:
    """The same as anybody would write it; one-hots are made beforehand."""
    config, tables = run.config, run.config.tables
    widen = OneHot(tables.layout)
    seen = torch.from_numpy(np.stack([widen(row) for row in data[0].numpy()]))
    layers: list[nn.Module] = [nn.Linear(seen.shape[1], config.width), nn.ReLU()]
    for _ in range(config.layers - 1):
        layers += [nn.Linear(config.width, config.width), nn.ReLU()]
    body = nn.Sequential(*layers)
    policy, value = nn.Linear(config.width, tables.num_actions), nn.Linear(config.width, 1)
    parameters = [*body.parameters(), *policy.parameters(), *value.parameters()]
    optimiser = torch.optim.Adam(parameters, lr=1e-3)
    _, mask, action, old, advantage, target = data
    count = len(seen)
    steps = max(1, round(count / config.minibatch))

    def work() -> int:
        torch.set_num_threads(config.threads)
        with torch.no_grad():
            for rows in torch.arange(count).tensor_split(config.steps):
                features = body(seen[rows])
                log_probabilities(policy(features), mask[rows])
                value(features)
        for _ in range(config.epochs):
            for rows in torch.randperm(count).tensor_split(steps):
                features = body(seen[rows])
                log_probs = log_probabilities(policy(features), mask[rows])
                taken = log_probs.gather(1, action[rows].long().unsqueeze(1)).squeeze(1)
                ratio = (taken - old[rows]).exp()
                clipped = ratio.clamp(1 - config.clip, 1 + config.clip)
                gain = torch.minimum(ratio * advantage[rows], clipped * advantage[rows]).mean()
                error = (value(features).squeeze(1) - target[rows]).square().mean()
                loss = error - gain - 0.01 * entropy(log_probs).mean()
                optimiser.zero_grad()
                loss.backward()
                nn.utils.clip_grad_norm_(parameters, config.gradient_norm)
                optimiser.step()
        torch.set_num_threads(1)
        return count

    return work


if __name__ == "__main__":
    main(__doc__, tables)
