"""The kernels against plain torch: the same numbers and the same gradients."""

from __future__ import annotations

import numpy as np
import torch
from sorry_training.kernels import (
    add_rows,
    add_rows_plainly,
    decide,
    decide_plainly,
    legal_logits,
)
from torch import Tensor
from torch.nn import functional

N, WIDTH, ACTIONS, ROWS = 300, 24, 40, 60


def head(seed: int) -> tuple[Tensor, Tensor, Tensor, Tensor, Tensor]:
    """Features, weight, bias, mask and legal actions."""
    random = torch.Generator().manual_seed(seed)
    features = torch.randn(N, WIDTH, generator=random)
    weight = torch.randn(ACTIONS, WIDTH, generator=random)
    bias = torch.randn(ACTIONS, generator=random)
    mask = torch.rand(N, ACTIONS, generator=random) < 0.1
    mask[torch.arange(N), torch.randint(ACTIONS, (N,), generator=random)] = True
    action = mask.float().multinomial(1, generator=random).squeeze(1).int()
    return features, weight, bias, mask, action


def test_decide_is_the_masked_softmax_of_the_head() -> None:
    features, weight, bias, mask, action = head(1)
    log_prob, uncertainty = decide(features, weight, bias, mask, action)
    taken, spread = decide_plainly(features, weight, bias, mask, action)
    assert torch.allclose(log_prob, taken, atol=1e-5)
    assert torch.allclose(uncertainty, spread, atol=1e-5)


def test_decide_has_the_gradients_of_plain_torch() -> None:
    features, weight, bias, mask, action = head(2)
    random = torch.Generator().manual_seed(3)
    pull, push = torch.randn(N, generator=random), torch.randn(N, generator=random)

    def gradients(fast: bool) -> tuple[Tensor, ...]:
        leaves = [part.clone().requires_grad_() for part in (features, weight, bias)]
        if fast:
            log_prob, uncertainty = decide(leaves[0], leaves[1], leaves[2], mask, action)
        else:
            log_prob, uncertainty = decide_plainly(leaves[0], leaves[1], leaves[2], mask, action)
        return torch.autograd.grad((pull * log_prob + push * uncertainty).sum(), leaves)

    pairs = list(zip(gradients(True), gradients(False), strict=True))
    assert len(pairs) == 3
    for fast, plain in pairs:
        assert torch.allclose(fast, plain, atol=1e-4)


def test_decide_has_the_gradient_of_finite_differences() -> None:
    features, weight, bias, mask, action = (part[:6] for part in head(4))
    _, weight, bias, *_ = head(4)
    leaf = features.clone().requires_grad_()
    log_prob, uncertainty = decide(leaf, weight, bias, mask, action)
    (gradient,) = torch.autograd.grad((2 * log_prob + 3 * uncertainty).sum(), [leaf])
    step = 1e-2
    for i, k in ((0, 0), (2, 5), (5, 23)):
        moved = [features.clone(), features.clone()]
        moved[0][i, k] += step
        moved[1][i, k] -= step
        sums = []
        for changed in moved:
            chosen, spread = decide(changed, weight, bias, mask, action)
            sums.append(float((2 * chosen + 3 * spread).double().sum()))
        assert abs((sums[0] - sums[1]) / (2 * step) - float(gradient[i, k])) < 0.05


def test_legal_logits_are_those_of_the_head() -> None:
    features, weight, bias, mask, _ = head(5)
    logits = legal_logits(features, weight, bias, mask.numpy())
    expected = functional.linear(features, weight, bias).numpy()
    assert np.allclose(logits[mask.numpy()], expected[mask.numpy()], atol=1e-5)


def test_add_rows_is_a_sum_of_rows_and_so_is_its_gradient() -> None:
    random = torch.Generator().manual_seed(6)
    table = torch.randn(ROWS, WIDTH, generator=random).requires_grad_()
    picked = torch.randint(ROWS, (N, 7), generator=random).int()
    pull = torch.randn(N, WIDTH, generator=random)
    picked[::5, 2] = -1  # no row
    rows = table[picked.clamp(min=0).long()]
    plain = torch.where(picked.unsqueeze(2) >= 0, rows, 0.0).sum(1)
    (expected,) = torch.autograd.grad((plain * pull).sum(), [table])
    for function in (add_rows, add_rows_plainly):
        total = function(picked, table)
        assert torch.allclose(total, plain, atol=1e-5)
        (gradient,) = torch.autograd.grad((total * pull).sum(), [table])
        assert torch.allclose(gradient, expected, atol=1e-4)


def test_no_rows_at_all() -> None:
    assert add_rows(torch.zeros(0, 3, dtype=torch.int32), torch.ones(5, 4)).shape == (0, 4)
