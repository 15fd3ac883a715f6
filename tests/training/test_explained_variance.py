"""The explained variance against closed forms: it does not depend on the scale of the returns."""

from __future__ import annotations

import pytest
import torch
from sorry_training.losses import explained_variance
from sorry_training.processes import Processes


@pytest.mark.parametrize("scale", [1e-3, 1.0, 1e3])
@pytest.mark.parametrize("slope", [0.0, 0.5, 1.0, 1.5, -1.0])
def test_of_a_multiple_of_the_returns(scale: float, slope: float) -> None:
    returns = scale * torch.tensor([1.0, -1.0, -1.0, 1.0, 3.0])
    # returns - slope * returns has (1 - slope)^2 of the variance.
    expected = 1 - (1 - slope) ** 2
    found = explained_variance(slope * returns, returns, Processes())
    assert found == pytest.approx(expected, abs=1e-5)
    assert explained_variance(slope * returns + 7, returns, Processes()) == pytest.approx(
        expected, abs=0.01
    )


def test_where_the_returns_do_not_vary() -> None:
    assert explained_variance(torch.tensor([1.0, 2.0]), torch.ones(2), Processes()) == 0
