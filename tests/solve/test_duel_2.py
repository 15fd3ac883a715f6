"""The largest ruleset that is solved, at full size: minutes, not seconds."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from sorry_env.arena.match import play_match
from sorry_env.bots.random import RandomBot
from sorry_env.solve import evaluate, save_solution, solve
from sorry_env.solve.files import usual_file
from tests.solve.support import game_of, random_positions, value_by_hand
from tests.solve.test_space import count_by_hand


@pytest.mark.slow
@pytest.mark.timeout(0)
def test_duel_2(kept: Path) -> None:
    solution = solve("duel-2", threads=2)
    assert solution.states == count_by_hand(2)
    assert solution.residual < 1e-9
    for record in random_positions(solution.space, 200, seed=1):
        game = game_of(solution.space.tables, record)
        value = float(solution.values_before(record)[0])
        assert value == pytest.approx(value_by_hand(solution, game), abs=1e-9)
    path = usual_file(solution.space)
    assert path is not None
    save_solution(solution, path)
    result = evaluate(solution, RandomBot(), threads=2)
    n = 20_000
    match = play_match(["random", "optimal"], "duel-2", games=n, seed=8)
    assert abs(match.rate(0) - float(np.mean(result.against_optimum))) < 4 * (0.25 / n) ** 0.5
    own = play_match(["random", "random"], "duel-2", games=n, seed=9)
    plies = own.outcomes["length"].astype(float)
    assert abs(plies.mean() - result.draws) < 4 * plies.std() / len(plies) ** 0.5
