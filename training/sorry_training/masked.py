"""Categorical distributions over the legal actions: log-probabilities, entropy, sampling.

Pure functions.  An illegal action has probability exactly 0 and takes no part in any sum, whatever
the logits are; with one legal action its log-probability and the entropy are exactly 0.
Read before: ``config.py``.  Read next: ``nets.py``.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from sorry_env.engine.jit import kernel

#: The logit of an illegal action: exp(ILLEGAL - x) is exactly 0 in float32 for any logit x.
ILLEGAL = -1e9


def mask_logits(logits: Tensor, mask: Tensor) -> Tensor:
    """``logits`` with those of illegal actions replaced by ILLEGAL.

    logits: float32[N, A]; mask: bool[N, A], at least one True in each row; returns float32[N, A].
    """
    return logits.masked_fill(~mask, ILLEGAL)


def log_probabilities(logits: Tensor, mask: Tensor) -> Tensor:
    """Log-probabilities float32[N, A] of the actions; about ILLEGAL where illegal.

    logits: float32[N, A]; mask: bool[N, A], at least one True in each row.
    """
    return torch.log_softmax(mask_logits(logits.float(), mask), dim=1)


def entropy(log_probs: Tensor) -> Tensor:
    """Entropies float32[N] in nats, never negative, of rows of `log_probabilities`."""
    # exp of an illegal action's log-probability is exactly 0, and 0 times it is 0: no NaN, and no
    # gradient from illegal actions.
    return -(log_probs.exp() * log_probs).sum(dim=1)


def sample_actions(
    logits: npt.NDArray[np.float32],
    mask: npt.NDArray[np.bool_],
    uniform: npt.NDArray[np.float64],
) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.float32]]:
    """Draw an action from each row's distribution, by the inverse of its cumulative function.

    logits:  float32[N, A]; those of illegal actions are not looked at
    mask:    bool[N, A], at least one True in each row
    uniform: float64[N], random numbers in [0, 1)
    returns: actions int32[N], always legal, and their log-probabilities float32[N]
    """
    actions = np.empty(len(logits), np.int32)
    log_probs = np.empty(len(logits), np.float32)
    _sample(logits, mask, uniform, actions, log_probs)
    return actions, log_probs


def best_actions(
    logits: npt.NDArray[np.float32], mask: npt.NDArray[np.bool_]
) -> npt.NDArray[np.int32]:
    """The likeliest legal action of each row, int32[N]; the first one where several are equal.

    logits: float32[N, A]; mask: bool[N, A], at least one True in each row.
    """
    best: npt.NDArray[np.int32] = np.where(mask, logits, -np.inf).argmax(axis=1).astype(np.int32)
    return best


@kernel
def _sample(logits: Any, mask: Any, uniform: Any, actions: Any, log_probs: Any) -> None:
    """The loop of `sample_actions`; only legal actions are visited, in double precision."""
    for i in range(logits.shape[0]):
        highest = -np.inf
        last = -1
        for a in range(logits.shape[1]):
            if mask[i, a]:
                highest = max(highest, float(logits[i, a]))
                last = a
        total = 0.0
        for a in range(last + 1):
            if mask[i, a]:
                total += np.exp(float(logits[i, a]) - highest)
        # The last legal action takes what rounding leaves over.
        chosen = last
        left = uniform[i] * total
        for a in range(last):
            if mask[i, a]:
                left -= np.exp(float(logits[i, a]) - highest)
                if left < 0.0:
                    chosen = a
                    break
        actions[i] = chosen
        log_probs[i] = float(logits[i, chosen]) - highest - np.log(total)
