"""Ratings: closed forms, another library, known strengths found again, bots without a rating."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from itertools import combinations
from math import log10, sqrt

import choix
import numpy as np
import pytest

from sorry_env.arena.rating import SCALE, Choices, Ratings, fit_ratings
from sorry_env.arena.stats import Z95
from sorry_env.errors import MissingExtraError, RequestError


def choices(games: Sequence[tuple[int, ...]], bots: int, units: list[int] | None = None) -> Choices:
    """Games as (winner, loser, ...); each a unit of its own unless told otherwise."""
    among = np.zeros((len(games), bots), np.bool_)
    for row, game in enumerate(games):
        among[row, list(game)] = True
    unit = np.arange(len(games)) if units is None else np.array(units)
    return Choices(np.array([game[0] for game in games]), among, unit)


def drawn(
    elo: np.ndarray, size: int, games: int, random: np.random.Generator, shared: float = 0.0
) -> Choices:
    """Games of every table of so many bots, from the model; pairs of games are units.

    shared: how often the second game of a pair ends as the first
    """
    chosen, among = [], []
    for table in combinations(range(len(elo)), size):
        weights = 10.0 ** (elo[list(table)] / 400)
        winners = random.choice(table, games, p=weights / weights.sum())
        same = random.random(games // 2) < shared
        winners[1::2] = np.where(same, winners[::2], winners[1::2])
        chosen.append(winners)
        among.append(np.tile(np.isin(np.arange(len(elo)), table), (games, 1)))
    total = np.concatenate(chosen)
    return Choices(total, np.concatenate(among), np.arange(len(total)) // 2)


def intervals(ratings: Ratings) -> np.ndarray:
    return np.array([ratings.interval(bot) for bot in range(len(ratings.elo))])


# -- closed forms -------------------------------------------------------------------------------


@pytest.mark.parametrize(("won", "lost"), [(10, 10), (70, 30), (1, 40)])
def test_two_bots_have_odds_and_the_variance_of_log_odds(won: int, lost: int) -> None:
    ratings = fit_ratings(choices([(0, 1)] * won + [(1, 0)] * lost, 2), anchor=1)
    assert ratings.elo == pytest.approx([400 * log10(won / lost), 0.0])
    # Independent games: 1 / won + 1 / lost, and n / (n - 1) for the mean taken from the same games.
    n = won + lost
    half = Z95 * SCALE * sqrt((1 / won + 1 / lost) * n / (n - 1))
    low, high = ratings.interval(0)
    assert (low, high) == pytest.approx((ratings.elo[0] - half, ratings.elo[0] + half))
    assert ratings.interval(1) == (0.0, 0.0)


def test_one_table_of_four_has_the_odds_of_wins() -> None:
    wins = [40, 20, 10, 30]
    games = [tuple(np.roll(range(4), -b)) for b in range(4) for _ in range(wins[b])]
    ratings = fit_ratings(choices(games, 4), anchor=2)
    assert ratings.elo == pytest.approx([400 * log10(w / 10) for w in wins])


def test_bots_that_never_met_are_compared_through_others() -> None:
    games = [(0, 1)] * 30 + [(1, 0)] * 10 + [(1, 2)] * 20 + [(2, 1)] * 10
    ratings = fit_ratings(choices(games, 3), anchor=2)
    assert ratings.elo[0] == pytest.approx(400 * (log10(3) + log10(2)))
    assert ratings.difference(0, 1)[0] == pytest.approx(400 * log10(3))


@pytest.mark.parametrize("size", [2, 3])
def test_another_library_finds_the_same(size: int) -> None:
    data = drawn(np.array([150.0, 60.0, 0.0, -90.0]), size, 60, np.random.default_rng(1))
    rows = [(int(c), tuple(int(b) for b in np.flatnonzero(a) if b != c))
            for c, a in zip(data.chosen, data.among, strict=True)]  # fmt: skip
    theirs = choix.opt_top1(4, rows, alpha=0.0, method="Newton-CG", tol=1e-10)
    ratings = fit_ratings(data, anchor=2)
    assert ratings.elo == pytest.approx((theirs - theirs[2]) * SCALE, abs=1e-3)


def test_places_are_choices_among_those_left() -> None:
    random = np.random.default_rng(2)
    rankings = [tuple(random.permutation(3).tolist()) for _ in range(40)]
    games = [game[i:] for game in rankings for i in range(2)]
    ratings = fit_ratings(choices(games, 3, [i // 2 for i in range(80)]), anchor=0)
    theirs = choix.opt_rankings(3, rankings, alpha=0.0, method="Newton-CG", tol=1e-10)
    assert ratings.elo == pytest.approx((theirs - theirs[0]) * SCALE, abs=1e-3)


# -- pairs, anchors -----------------------------------------------------------------------------


def test_games_that_go_together_count_once() -> None:
    data = drawn(np.array([80.0, 0.0, -40.0]), 2, 100, np.random.default_rng(3))
    twice = Choices(*(np.repeat(a, 2, axis=0) for a in (data.chosen, data.among, data.unit)))
    once, again = fit_ratings(data, 1), fit_ratings(twice, 1)
    assert again.elo == pytest.approx(once.elo, abs=1e-3)
    assert intervals(again) == pytest.approx(intervals(once), abs=1e-3)


def test_the_anchor_moves_all_and_changes_no_difference() -> None:
    data = drawn(np.array([200.0, 0.0, -40.0, 60.0]), 3, 200, np.random.default_rng(4))
    first, other = fit_ratings(data, 1), fit_ratings(data, 3)
    assert first.elo - first.elo[3] == pytest.approx(other.elo, abs=1e-3)
    for a, b in combinations(range(4), 2):
        assert first.difference(a, b) == pytest.approx(other.difference(a, b), abs=1e-3)
        assert first.difference(b, a)[0] == -first.difference(a, b)[0]
    assert first.difference(2, 2) == (0.0, 0.0, 0.0)


# -- known strengths ----------------------------------------------------------------------------


@pytest.mark.parametrize("shared", [0.0, 0.8])
@pytest.mark.parametrize("size", [2, 3, 4])
def test_known_strengths_lie_in_the_intervals(size: int, shared: float) -> None:
    elo = np.array([0.0, 250.0, 120.0, -60.0])
    random = np.random.default_rng(5)
    inside, off = [], []
    for _ in range(100):
        ratings = fit_ratings(drawn(elo, size, 400, random, shared), anchor=0)
        low, high = intervals(ratings).T
        inside.append(((low <= elo) & (elo <= high))[1:])
        off.append((ratings.elo - elo)[1:])
    print(f"tables of {size}, {shared:.0%} of pairs alike: {np.mean(inside):.1%} of 300 intervals")
    # 300 intervals, three a league and those not independent: 95 % -+ 4 standard errors of 100.
    assert 0.86 < np.mean(inside) <= 1.0
    assert np.abs(np.mean(off, axis=0)).max() < 15  # Elo
    if shared:  # intervals that took the games for independent would be too narrow
        assert np.mean(inside) > 0.90


# -- no rating ----------------------------------------------------------------------------------


def test_bots_without_a_rating_are_left_out() -> None:
    # 0 has always won, 3 never; 1 and 2 have won against each other.
    games = [(0, 1), (0, 2), (0, 3), (1, 3), (2, 3), (1, 2), (1, 2), (2, 1)]
    ratings = fit_ratings(choices(games, 5), anchor=2)
    assert ratings.elo[[1, 2]] == pytest.approx([400 * log10(2), 0.0])
    assert ratings.elo[0] == np.inf and ratings.elo[3] == -np.inf and np.isnan(ratings.elo[4])
    assert np.isnan(ratings.interval(0)).all() and np.isnan(ratings.interval(4)).all()


def test_of_a_table_with_one_that_never_wins_the_others_are_rated() -> None:
    games = [(0, 1, 2)] * 6 + [(1, 0, 2)] * 3
    ratings = fit_ratings(choices(games, 3), anchor=1)
    assert ratings.elo[:2] == pytest.approx([400 * log10(2), 0.0]) and ratings.elo[2] == -np.inf


def test_an_anchor_that_never_wins() -> None:
    ratings = fit_ratings(choices([(0, 1)] * 5, 2), anchor=1)
    assert ratings.elo.tolist() == [np.inf, 0.0]


def test_too_few_games_and_no_scipy(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(RequestError, match="two seeds at least"):
        fit_ratings(choices([(0, 1), (1, 0)], 2, [0, 0]), anchor=0)
    monkeypatch.setitem(sys.modules, "scipy", None)
    with pytest.raises(MissingExtraError, match=r"scipy: pip install 'sorry_env\[arena\]'"):
        fit_ratings(choices([(0, 1), (1, 0)], 2), anchor=0)
