"""Losses charged move by move in games against exact evaluation, which samples nothing."""

from __future__ import annotations

import pytest

import sorry_env
from benchmarks.learning.base import FRONTS
from benchmarks.learning.measure import measure, sampled_loss
from sorry_env.errors import RequestError
from sorry_env.solve import evaluate, solve


@pytest.mark.parametrize(("name", "games"), [("greedy", 4000), ("random", 4000)])
def test_losses_in_games_add_up_to_the_exact_loss(name: str, games: int) -> None:
    solution = solve("duel-1")
    bot = sorry_env.make_bot(name)
    exact = evaluate(solution, bot).lost
    score = sampled_loss(FRONTS["duel-1"], bot, solution, games)
    half = (score.high - score.low) / 2
    # Four standard errors; won and lost games would tell them apart five times as badly.
    assert abs(score.value - exact) < 2 * half
    assert half < 0.2 * exact
    assert half < 0.2 * (2 / games) ** 0.5


def test_the_optimum_gives_nothing_away() -> None:
    solution = solve("duel-1")
    score = sampled_loss(FRONTS["duel-1"], sorry_env.make_bot("optimal"), solution, 200)
    assert 0.0 <= score.value < 1e-8
    with pytest.raises(RequestError, match="games=2 must be 3 or more"):
        sampled_loss(FRONTS["duel-1"], sorry_env.make_bot("optimal"), solution, 2)


def test_fronts_are_measured_by_their_yardsticks() -> None:
    scores = measure(FRONTS["classic"], sorry_env.make_bot("random"), 100)
    assert list(scores) == ["random", "greedy"]
    assert scores["random"].low < 0.5 < scores["random"].high
    assert scores["greedy"].high < 0.5
    scores = measure(FRONTS["duel-1"], sorry_env.make_bot("optimal"), 2)
    assert list(scores) == ["optimum", "exploitability"]
    assert [score.value for score in scores.values()] == pytest.approx([0.0, 0.0], abs=1e-9)
