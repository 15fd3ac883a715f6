"""The losses against values worked out by hand."""

from __future__ import annotations

import math

import pytest
import torch
from sorry_training import losses
from sorry_training.processes import Processes


def test_the_policy_loss_is_clipped_on_the_side_that_would_gain() -> None:
    ratios = torch.tensor([1.0, 1.5, 0.5, 1.5, 0.5])
    advantages = torch.tensor([2.0, 1.0, -1.0, -1.0, 1.0])
    # Unclipped: 2; clipped: 1.2, -0.8; the pessimistic side is never clipped: -1.5, 0.5.
    expected = -(2 + 1.2 - 0.8 - 1.5 + 0.5) / 5
    assert losses.policy_loss(ratios.log(), advantages, 0.2).item() == pytest.approx(expected)


def test_a_clipped_decision_has_no_gradient() -> None:
    log_ratio = torch.tensor([0.5, 0.5, -0.5, -0.5]).requires_grad_()
    advantages = torch.tensor([1.0, -1.0, 1.0, -1.0])
    (gradient,) = torch.autograd.grad(losses.policy_loss(log_ratio, advantages, 0.2), [log_ratio])
    expected = torch.tensor([0.0, math.exp(0.5) / 4, -math.exp(-0.5) / 4, 0.0])
    assert torch.allclose(gradient, expected)


def test_the_value_loss() -> None:
    assert losses.value_loss(torch.tensor([1.0, 2.0]), torch.tensor([1.0, 4.0])).item() == 1.0


def test_the_kl_estimate_is_never_negative_and_0_without_change() -> None:
    assert losses.approximate_kl(torch.zeros(3)).item() == 0
    log_ratio = torch.randn(1000, generator=torch.Generator().manual_seed(1))
    each = torch.stack([losses.approximate_kl(part.reshape(1)) for part in log_ratio])
    assert (each >= 0).all()


def test_the_kl_estimate_has_the_right_mean() -> None:
    old, new = torch.tensor([0.2, 0.3, 0.5]), torch.tensor([0.25, 0.35, 0.4])
    exact = (old * (old / new).log()).sum()
    each = torch.stack([losses.approximate_kl(ratio.log().reshape(1)) for ratio in new / old])
    assert (old * each).sum().item() == pytest.approx(exact.item(), abs=1e-6)


def test_the_clipped_share() -> None:
    ratios = torch.tensor([1.0, 1.19, 1.21, 0.79, 0.81])
    assert losses.clipped_share(ratios.log(), 0.2).item() == pytest.approx(0.4)


def test_normalised_advantages() -> None:
    found = losses.normalise(torch.tensor([1.0, 2.0, 3.0, 6.0]), Processes())
    assert found.mean().item() == pytest.approx(0, abs=1e-6)
    assert found.square().mean().item() == pytest.approx(1)
    assert losses.normalise(torch.ones(5), Processes()).abs().max().item() == 0


def test_the_straight_line_is_held_at_its_ends() -> None:
    line = [losses.straight_line(2.0, 1.0, x) for x in (-1.0, 0.0, 0.25, 1.0, 9.0)]
    assert line == [2.0, 2.0, 1.75, 1.0, 1.0]


@pytest.mark.parametrize(
    ("predicted", "share"),
    [
        # Var(actual) is 5: of 1, 3, 5, 7. What is left over: nothing, all, a mean that is off,
        # -1, 1, -1, 1 with variance 1, and twice the deviations with the sign turned.
        ([1.0, 3.0, 5.0, 7.0], 1.0),
        ([4.0, 4.0, 4.0, 4.0], 0.0),
        ([11.0, 13.0, 15.0, 17.0], 1.0),
        ([2.0, 2.0, 6.0, 6.0], 0.8),
        ([7.0, 5.0, 3.0, 1.0], -3.0),
    ],
)
def test_the_explained_variance(predicted: list[float], share: float) -> None:
    actual = torch.tensor([1.0, 3.0, 5.0, 7.0])
    found = losses.explained_variance(torch.tensor(predicted), actual, Processes())
    assert found == pytest.approx(share, abs=1e-6)


def test_nothing_is_explained_where_nothing_varies() -> None:
    assert losses.explained_variance(torch.tensor([1.0, 2.0]), torch.ones(2), Processes()) == 0.0
