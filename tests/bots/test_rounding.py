"""Equal replies stay equal where rounding tells them apart.

After a move the search takes the mean over the replies that are best for whoever replies. A value
that is the same but for rounding must give the same set of best replies, and so the same mean:
otherwise one of them is taken, and what it is worth to the searching seat may be far off.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from sorry_env.bots.base import BatchRequest
from sorry_env.bots.expectimax import ExpectimaxBot
from sorry_env.engine.tables import RuleTables
from sorry_env.notation.position import read

#: Red goes 3 with one of two pawns. Yellow, which draws next, has two pawns that can both go on,
#: and can bump a red one with one of them: by its own steps that is all the same.
POSITION = "classic 30,20,rS,rS/-/22,37,yS,yS/- r move 3 5.4.3.4.4.4.4.4.4.4.4 - -"


def own_steps(tables: RuleTables, games: np.ndarray, roots: np.ndarray) -> np.ndarray:
    """Each colour's own steps, and nothing of the others'."""
    steps: np.ndarray = np.maximum(games["pawns"], 0).sum(axis=2).astype(np.float64)
    return steps


def noise(games: np.ndarray, size: float) -> np.ndarray:
    """float64[m, 4], within +-size, fixed for each position."""
    weights = np.arange(1, 17).reshape(4, 4)
    mixed = (games["pawns"].astype(np.int64) * weights).sum(axis=(1, 2)) % 7
    return np.repeat((size * (mixed - 3) / 3)[:, None], 4, axis=1)


@pytest.mark.parametrize("size", [1e-10, -1e-10])
def test_two_plies_deep(size: float) -> None:
    def rounded(tables: RuleTables, games: np.ndarray, roots: np.ndarray) -> np.ndarray:
        steps: np.ndarray = own_steps(tables, games, roots) + noise(games, size)
        return steps

    game = read(POSITION)
    request = BatchRequest.of_view(game.view(game.actor))
    exact: Any = ExpectimaxBot(2, own_steps).action_values(request)[0]
    found: Any = ExpectimaxBot(2, rounded).action_values(request)[0]
    legal = game.legal_actions()
    assert len(legal) == 2
    assert found[legal] == pytest.approx(exact[legal], abs=1e-8)


@pytest.mark.parametrize("depth", [1, 2])
def test_equal_moves_are_chosen_equally_often(depth: int) -> None:
    """Two of red's moves are worth the same but for rounding: both are played."""

    def rounded(tables: RuleTables, games: np.ndarray, roots: np.ndarray) -> np.ndarray:
        return noise(games, 1e-10)

    game = read(POSITION)
    request = BatchRequest.of_view(game.view(game.actor))
    chances = ExpectimaxBot(depth, rounded).distribution(request)[0]
    assert chances[game.legal_actions()] == pytest.approx([0.5, 0.5])
