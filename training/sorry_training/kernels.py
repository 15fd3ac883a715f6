"""The two ends of the network as compiled kernels with gradients of their own.

An observation picks some twenty rows of a table of a thousand, and a decision is among three or
four legal actions of two hundred.  Torch would build, multiply and differentiate all of it; these
kernels touch only what counts, which makes a gradient step about three times as fast on a CPU.
`tests/training/test_kernels.py` holds them against plain torch, which is what runs on a GPU.
Read before: ``masked.py``.  Read next: ``nets.py``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, cast

import numba
import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor
from torch.nn import functional

from sorry_training.masked import entropy, log_probabilities

F = TypeVar("F", bound=Callable[..., Any])


def fast(function: F) -> F:
    """Compile with numba, free to reorder sums (a vector unit adds eight numbers at a time).

    The order is fixed when it is compiled: the same input gives the same bytes each time.
    """
    compiled = numba.njit(cache=True, nogil=True, fastmath={"reassoc", "contract", "nsz"})
    return cast(F, compiled(function))


def add_rows(picked: Tensor, table: Tensor) -> Tensor:
    """``table[picked].sum(1)``: float32[N, W] from rows int32[N, K] and a table float32[R, W].

    A negative row adds nothing.
    """
    if table.device.type != "cpu":
        return add_rows_plainly(picked, table)
    return cast(Tensor, _AddRows.apply(picked, table))  # type: ignore[no-untyped-call]


def decide(
    features: Tensor, weight: Tensor, bias: Tensor, mask: Tensor, action: Tensor
) -> tuple[Tensor, Tensor]:
    """Log-probabilities float32[N] of the actions taken, and entropies float32[N] of the policy.

    features: float32[N, W]; weight, bias: float32[A, W], float32[A], of the policy head
    mask: bool[N, A], at least one True in each row; action: int32[N], each legal
    """
    if features.device.type != "cpu":
        return decide_plainly(features, weight, bias, mask, action)
    result = _Decide.apply(features, weight, bias, mask, action)  # type: ignore[no-untyped-call]
    return cast(tuple[Tensor, Tensor], result)


def legal_logits(
    features: Tensor, weight: Tensor, bias: Tensor, mask: npt.NDArray[np.bool_]
) -> npt.NDArray[np.float32]:
    """Logits float32[N, A] of the legal actions; those of illegal ones are arbitrary numbers."""
    if features.device.type != "cpu":
        return functional.linear(features, weight, bias).float().cpu().numpy()
    logits = np.empty(mask.shape, np.float32)
    _legal_logits(features.numpy(), weight.numpy(), bias.numpy(), mask, logits)
    return logits


def add_rows_plainly(picked: Tensor, table: Tensor) -> Tensor:
    """`add_rows` in torch's own operations."""
    there = (picked >= 0).to(table.dtype)
    rows = picked.clamp(min=0)
    return functional.embedding_bag(rows, table, mode="sum", per_sample_weights=there)


def decide_plainly(
    features: Tensor, weight: Tensor, bias: Tensor, mask: Tensor, action: Tensor
) -> tuple[Tensor, Tensor]:
    """`decide` in torch's own operations."""
    log_probs = log_probabilities(functional.linear(features, weight, bias), mask)
    chosen = log_probs.gather(1, action.long().unsqueeze(1)).squeeze(1)
    return chosen, entropy(log_probs)


class _AddRows(torch.autograd.Function):
    """See `add_rows`.  The gradient of torch's own embedding bag sorts all indices first."""

    @staticmethod
    def forward(ctx: Any, picked: Tensor, table: Tensor) -> Tensor:
        ctx.save_for_backward(picked)
        ctx.rows = len(table)
        total = np.zeros((len(picked), table.shape[1]), np.float32)
        _add_rows(picked.numpy(), table.numpy(), total)
        return torch.from_numpy(total)

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> tuple[None, Tensor]:
        (picked,) = ctx.saved_tensors
        gradient = gradients[0].contiguous().numpy()
        collected = np.zeros((ctx.rows, gradient.shape[1]), np.float32)
        _collect_rows(picked.numpy(), gradient, collected)
        return None, torch.from_numpy(collected)


class _Decide(torch.autograd.Function):
    """See `decide`."""

    @staticmethod
    def forward(
        ctx: Any, features: Tensor, weight: Tensor, bias: Tensor, mask: Tensor, action: Tensor
    ) -> tuple[Tensor, Tensor]:
        log_probs = legal_logits(features, weight, bias, mask.numpy())
        chosen = np.empty(len(log_probs), np.float32)
        spread = np.empty(len(log_probs), np.float32)
        _normalise(mask.numpy(), action.numpy(), log_probs, chosen, spread)
        ctx.save_for_backward(features, weight, mask, action)
        ctx.log_probs, ctx.entropy = log_probs, spread
        return torch.from_numpy(chosen), torch.from_numpy(spread)

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> tuple[Tensor, Tensor, Tensor, None, None]:
        features, weight, mask, action = (saved.numpy() for saved in ctx.saved_tensors)
        of_chosen, of_entropy = (gradient.contiguous().numpy() for gradient in gradients)
        to_features = np.zeros_like(features)
        to_weight = np.zeros_like(weight)
        to_bias = np.zeros(len(weight), np.float32)
        _differentiate(
            features, weight, mask, action, ctx.log_probs, ctx.entropy, of_chosen, of_entropy,
            to_features, to_weight, to_bias,
        )  # fmt: skip
        return (
            torch.from_numpy(to_features), torch.from_numpy(to_weight), torch.from_numpy(to_bias),
            None, None,
        )  # fmt: skip


@fast
def _add_rows(picked: Any, table: Any, total: Any) -> None:
    """Add the rows picked[i] of ``table`` to total[i]."""
    for i in range(picked.shape[0]):
        for j in range(picked.shape[1]):
            row = picked[i, j]
            if row >= 0:
                for k in range(table.shape[1]):
                    total[i, k] += table[row, k]


@fast
def _collect_rows(picked: Any, gradient: Any, collected: Any) -> None:
    """Add gradient[i] to each of the rows picked[i] of ``collected``."""
    for i in range(picked.shape[0]):
        for j in range(picked.shape[1]):
            row = picked[i, j]
            if row >= 0:
                for k in range(gradient.shape[1]):
                    collected[row, k] += gradient[i, k]


@fast
def _legal_logits(features: Any, weight: Any, bias: Any, mask: Any, logits: Any) -> None:
    """See `legal_logits`."""
    for i in range(mask.shape[0]):
        for a in range(mask.shape[1]):
            if mask[i, a]:
                total = np.float32(0.0)
                for k in range(features.shape[1]):
                    total += features[i, k] * weight[a, k]
                logits[i, a] = total + bias[a]


@fast
def _normalise(mask: Any, action: Any, log_probs: Any, chosen: Any, entropy: Any) -> None:
    """Turn logits into log-probabilities in place, and read the two results off them."""
    for i in range(mask.shape[0]):
        highest = -1e30
        for a in range(mask.shape[1]):
            if mask[i, a]:
                highest = max(highest, float(log_probs[i, a]))
        total = 0.0
        for a in range(mask.shape[1]):
            if mask[i, a]:
                total += np.exp(float(log_probs[i, a]) - highest)
        shift = highest + np.log(total)
        mixed = 0.0
        for a in range(mask.shape[1]):
            if mask[i, a]:
                log_prob = float(log_probs[i, a]) - shift
                mixed -= np.exp(log_prob) * log_prob
                log_probs[i, a] = log_prob
        chosen[i] = log_probs[i, action[i]]
        entropy[i] = max(mixed, 0.0)


@fast
def _differentiate(
    features: Any,
    weight: Any,
    mask: Any,
    action: Any,
    log_probs: Any,
    entropy: Any,
    of_chosen: Any,
    of_entropy: Any,
    to_features: Any,
    to_weight: Any,
    to_bias: Any,
) -> None:
    """Add up the gradients of `decide`, with p the probability of an action.

    d log p(chosen) / d logit = [action is the chosen one] - p
    d entropy / d logit = -p (log p + entropy)
    """
    for i in range(mask.shape[0]):
        for a in range(mask.shape[1]):
            if mask[i, a]:
                log_prob = log_probs[i, a]
                prob = np.exp(log_prob)
                is_chosen = np.float32(1.0) if a == action[i] else np.float32(0.0)
                slope = of_chosen[i] * (is_chosen - prob)
                slope -= of_entropy[i] * prob * (log_prob + entropy[i])
                to_bias[a] += slope
                for k in range(features.shape[1]):
                    to_features[i, k] += slope * weight[a, k]
                    to_weight[a, k] += slope * features[i, k]
