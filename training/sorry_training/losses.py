"""The losses of PPO as pure functions of tensors, each the mean over a minibatch.

Read before: ``returns.py`` (where the advantages come from).  Read next: ``rollout.py``.
"""

from __future__ import annotations

import torch
from torch import Tensor

from sorry_training.processes import Processes, variance


def policy_loss(log_ratio: Tensor, advantages: Tensor, clip: float) -> Tensor:
    """PPO's clipped objective, to be made small; a scalar.

    log_ratio:  float32[N], log-probability of the action now minus when it was played
    advantages: float32[N]
    """
    ratio = log_ratio.exp()
    clipped = ratio.clamp(1.0 - clip, 1.0 + clip)
    return -torch.minimum(ratio * advantages, clipped * advantages).mean()


def value_loss(values: Tensor, returns: Tensor) -> Tensor:
    """Half the mean squared error of the values; both float32[N]; a scalar."""
    return 0.5 * (values - returns).square().mean()


def approximate_kl(log_ratio: Tensor) -> Tensor:
    """An estimate, never negative, of the KL divergence from the policy that played; a scalar.

    The mean of ratio - 1 - log(ratio), which has the same mean as -log(ratio) and less noise.
    """
    return (log_ratio.exp() - 1.0 - log_ratio).mean()


def clipped_share(log_ratio: Tensor, clip: float) -> Tensor:
    """The share of the decisions whose ratio has left [1 - clip, 1 + clip]; a scalar."""
    return ((log_ratio.exp() - 1.0).abs() > clip).float().mean()


def normalise(advantages: Tensor, processes: Processes) -> Tensor:
    """``advantages`` with mean 0 and standard deviation 1 over all processes; float32[N]."""
    mean, squares = variance(advantages, processes)
    normal: Tensor = (advantages - mean) / (squares**0.5 + 1e-8)
    return normal


def explained_variance(predicted: Tensor, actual: Tensor, processes: Processes) -> float:
    """1 - Var(actual - predicted) / Var(actual): 1 is perfect, 0 no better than the mean.

    0 where ``actual`` does not vary.
    """
    _, whole = variance(actual, processes)
    _, left = variance(actual - predicted, processes)
    return 1.0 - left / whole if whole > 0.0 else 0.0


def straight_line(first: float, last: float, progress: float) -> float:
    """The value at ``progress`` (held within 0 to 1) on the way from ``first`` to ``last``."""
    return first + (last - first) * min(max(progress, 0.0), 1.0)
