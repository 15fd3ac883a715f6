"""Matches that stop by themselves: likelihood ratios, error rates, half-widths, any batch size."""

from __future__ import annotations

from math import log, sqrt
from typing import Any

import numpy as np
import pytest
from scipy import optimize

from sorry_env.arena import HalfWidth, Sprt, play_match
from sorry_env.arena.outcomes import OUTCOME
from sorry_env.arena.stats import (
    Z95,
    elo_of_share,
    paired_half_widths,
    paired_interval,
    share_of_elo,
)
from sorry_env.arena.stopping import FIRST_UNITS, Rule, Watch, score_ratio
from sorry_env.errors import RequestError

# -- shares and Elo -----------------------------------------------------------------------------


def test_elo_by_hand() -> None:
    assert share_of_elo(0.0, 4) == 0.25
    assert share_of_elo(400.0) == pytest.approx(10 / 11)
    assert share_of_elo(400.0, 3) == pytest.approx(10 / 12)  # odds of 10 to 1 against each of two
    for n in (2, 3, 4):
        assert elo_of_share(share_of_elo(-37.5, n), n) == pytest.approx(-37.5)
    assert elo_of_share(0.0) is None and elo_of_share(1.0) is None


def test_the_half_width_by_hand() -> None:
    # Four pairs, of which 2, 1, 1 and 0 games were won: mean 1/2, squares 1/4 + 0 + 0 + 1/4, and
    # two imagined ones with 1/4 each.
    shares = np.array([1.0, 0.5, 0.5, 0.0])
    assert paired_half_widths(shares)[-1] == pytest.approx(Z95 * sqrt(1.0) / 4)
    assert paired_half_widths(np.full(100, 0.5))[-1] == pytest.approx(Z95 * sqrt(0.5) / 100)
    assert paired_half_widths(np.ones(100))[-1] == pytest.approx(Z95 / 100)
    assert paired_interval(np.ones(100)) == pytest.approx((1 - Z95 / 100, 1.0))
    assert paired_interval(np.zeros(0)) == (0.0, 1.0)


# -- the likelihood ratio -----------------------------------------------------------------------


def test_a_published_ratio_of_pairs() -> None:
    # Statistics of a chess test, https://montytest.muzhen.org/tests/stats/69d3c8dc7c5b3724e29d2712:
    # results [13, 37, 50, 25, 3] of 128 pairs, Elo 0 against 2.716 (its three decimals are worth
    # 2e-4 here), "Generalized Log Likelihood Ratio, Logistic (exact)" -0.53772.
    ratio = score_ratio(np.array([[13, 37, 50, 25, 3]]), np.arange(5) / 4, 0.5, share_of_elo(2.716))
    assert ratio == pytest.approx([-0.53772], abs=2e-4)


@pytest.mark.parametrize(("lost", "won"), [(7, 9), (100, 40), (1, 300)])
def test_single_games_have_the_classical_ratio(lost: int, won: int) -> None:
    ratio = score_ratio(np.array([[lost, won]]), np.array([0.0, 1.0]), 0.5, 0.6)
    assert ratio == pytest.approx([won * log(0.6 / 0.5) + lost * log(0.4 / 0.5)])


def test_many_pairs_and_small_differences_have_the_normal_ratio() -> None:
    counts, scores = np.array([21_000, 60_000, 22_000]), np.array([0.0, 0.5, 1.0])
    mean = (counts @ scores) / counts.sum()
    variance = (counts @ (scores - mean) ** 2) / counts.sum()
    normal = counts.sum() * (0.51 - 0.5) * (2 * mean - 0.51 - 0.5) / (2 * variance)
    assert score_ratio(counts[None], scores, 0.5, 0.51) == pytest.approx([normal], rel=0.01)


@pytest.mark.parametrize("counts", [[3, 8, 20, 5, 9], [1, 0, 7, 0, 30], [12, 4, 0, 1, 1]])
def test_no_distribution_is_likelier(counts: list[int]) -> None:
    seen, scores = np.array(counts, np.float64), np.arange(5) / 4

    def likeliest(mean: float) -> float:
        found = optimize.minimize(
            lambda p: -(seen @ np.log(np.maximum(p, 1e-300))),
            np.full(5, 0.2),
            bounds=[(1e-12, 1)] * 5,
            constraints=[
                {"type": "eq", "fun": lambda p: p.sum() - 1},
                {"type": "eq", "fun": lambda p: p @ scores - mean},
            ],
            method="SLSQP",
            options={"ftol": 1e-13, "maxiter": 500},
        )
        assert found.success
        return -float(found.fun)

    ratio = score_ratio(seen[None], scores, 0.45, 0.6)
    assert ratio == pytest.approx([likeliest(0.6) - likeliest(0.45)], abs=1e-5)


def test_scores_not_seen_yet() -> None:
    # One pair, won altogether: mean m needs 1 - m of the weight elsewhere, so its chance was m.
    wins, none = np.array([2]), np.array([0])
    sprt = Sprt(0, 400)
    ratio = sprt.ratios(wins, none, 2)
    assert ratio == pytest.approx([log((10 / 11) / 0.5)], abs=0.01)
    split = sprt.ratios(np.array([1]), none, 2)  # a split is surely likelier with equals
    assert split[0] < 0
    cut = sprt.ratios(np.array([0]), np.array([2]), 2)  # two games cut off count as a split
    assert cut == pytest.approx(split)


# -- how often the test errs --------------------------------------------------------------------


def pairs(mean: float, splits: float, shape: tuple[int, ...], seed: int) -> np.ndarray:
    """int64, games won of two: a pair is split with chance ``splits``, else won or lost."""
    both = mean - splits / 2
    return np.random.default_rng(seed).choice(3, shape, p=[1 - splits - both, splits, both])


def runs(sprt: Sprt, wins: np.ndarray, n: int) -> tuple[np.ndarray, np.ndarray]:
    """bool[R], whether H1 was accepted, and int64[R], after how many units; wins: int64[R, U]."""
    accepted, units = [], []
    for row in wins:
        none = np.zeros_like(row)
        stop = None
        for have in (100, 300, len(row)):
            stop = stop or sprt.first_stop(row[:have], none[:have], n, 0)
        assert stop is not None
        decision = sprt.verdict(row[:stop], none[:stop], n).decision
        assert decision != "undecided"
        accepted.append(decision == "H1")
        units.append(stop)
    return np.array(accepted), np.array(units)


def test_error_rates_and_lengths_are_those_of_walds_closed_forms() -> None:
    sprt = Sprt(0, 60, alpha=0.05, beta=0.1)
    low, high = sprt.bounds
    assert (low, high) == pytest.approx((log(0.1 / 0.95), log(0.9 / 0.05)))
    mean0, mean1, splits, count = 0.5, share_of_elo(60), 0.6, 800
    for mean, chance in ((mean0, 0.05), (mean1, 0.9)):
        accepted, units = runs(sprt, pairs(mean, splits, (count, 2000), seed=3), 2)
        noise = 3 * sqrt(chance * (1 - chance) / count)
        if mean == mean0:
            assert accepted.mean() <= chance + noise
        else:
            assert accepted.mean() >= chance - noise
        # Wald's expected length: what is known at the end over what a pair tells. He leaves out
        # that the bounds are overshot, which makes it a little longer.
        variance = splits / 4 + (mean - splits / 2) - mean**2
        drift = (mean - (mean0 + mean1) / 2) * (mean1 - mean0) / variance
        wald = ((1 - chance) * low + chance * high) / drift
        print(f"H1 in {accepted.mean():.1%}, {units.mean():.1f} pairs (Wald: {wald:.1f})")
        assert 0.9 < units.mean() / wald < 1.3


def test_a_better_bot_is_seldom_missed_and_a_worse_one_seldom_taken() -> None:
    sprt = Sprt(0, 60)
    accepted, units = runs(sprt, pairs(share_of_elo(150), 0.5, (200, 2000), seed=4), 2)
    assert accepted.mean() > 0.99 and units.mean() < 60
    accepted, _ = runs(sprt, pairs(share_of_elo(-60), 0.5, (200, 2000), seed=5), 2)
    assert accepted.mean() < 0.01


def test_error_rates_with_four_at_the_table() -> None:
    # The four games of a seed: a bot has good seeds and bad ones, so its games go together.
    random = np.random.default_rng(6)
    sprt = Sprt(0, 80)
    for elo, chance in ((0, 0.05), (80, 0.95)):
        mean = share_of_elo(elo, 4)
        luck = random.beta(8 * mean, 8 * (1 - mean), (300, 2000))
        accepted, _ = runs(sprt, random.binomial(4, luck), 4)
        noise = 3 * sqrt(0.05 * 0.95 / 300)
        assert (accepted.mean() <= chance + noise) if elo == 0 else accepted.mean() > 0.95 - noise


def test_the_half_width_covers_as_often_as_it_says() -> None:
    rule, none = HalfWidth(0.04), np.zeros(3000, np.int64)
    for mean, splits in ((0.5, 0.7), (0.7, 0.4), (0.97, 0.05)):
        covered = []
        for row in pairs(mean, splits, (500, 3000), seed=7):
            stop = rule.first_stop(row, none, 2, 0)
            assert stop is not None and stop >= FIRST_UNITS
            assert paired_half_widths(row[:stop] / 2)[-1] <= 0.04
            low, high = paired_interval(row[:stop] / 2)
            covered.append(low <= mean <= high)
        assert np.mean(covered) > 0.95 - 3 * sqrt(0.95 * 0.05 / 500)


# -- watching a match ---------------------------------------------------------------------------


@pytest.mark.parametrize("rule", [Sprt(0, 60), HalfWidth(0.03)])
@pytest.mark.parametrize("size", [1, 7, 100])
def test_games_may_end_in_any_order_and_number(rule: Rule, size: int) -> None:
    wins = pairs(0.6, 0.5, (1000,), seed=8)
    stop = rule.first_stop(wins, np.zeros(1000, np.int64), 2, 0)
    assert stop is not None and 40 < stop < 900
    outcomes = np.zeros(2000, OUTCOME)
    outcomes["bots"] = [[0, -1, 1, -1], [1, -1, 0, -1]] * 1000
    won = np.stack([wins >= 1, wins == 2], axis=1).ravel()
    for seat in (0, 2):
        outcomes["rewards"][:, seat] = np.where((outcomes["bots"][:, seat] == 0) == won, 1, -1)
    watch = Watch(rule, outcomes, [(0,), (2,)])
    # Games end up to 100 places away from where they began.
    order = np.argsort(np.arange(2000) + np.random.default_rng(9).uniform(0, 100, 2000))
    for start in range(0, 2000, size):
        if watch.add(order[start : start + size]):
            break
    assert watch.units == stop


@pytest.mark.parametrize(
    ("rule", "bots"),
    [(Sprt(320, 400), ["greedy", "random", "random"]), (HalfWidth(0.1), ["greedy", "greedy"])],
)
def test_the_batch_size_changes_nothing(rule: Rule, bots: list[str]) -> None:
    settings: dict[str, Any] = {"ruleset": "duel-2" if len(bots) == 2 else "quick", "seed": 5}
    stopped = play_match(bots, games=3000, until=rule, **settings)
    assert stopped.verdict is not None and stopped.verdict.decision in ("H0", "H1", "precise")
    assert 60 < stopped.games < 1500
    for batch in (5, 64):
        again = play_match(bots, games=3000, until=rule, batch=batch, **settings)
        assert again.to_dict() == stopped.to_dict()
        assert again.outcomes.tobytes() == stopped.outcomes.tobytes()
    # And they are the first games of a match that goes on.
    fixed = play_match(bots, games=stopped.games, **settings)
    assert fixed.outcomes.tobytes() == stopped.outcomes.tobytes()
    assert (fixed.asked, fixed.verdict) == (stopped.asked, None)


def test_at_the_most_games_it_is_undecided() -> None:
    result = play_match(["random"] * 2, "duel-1", games=60, until=Sprt(0, 5))
    assert result.verdict is not None and result.games == 60
    assert result.verdict.decision == "undecided"
    assert result.table().endswith("(-2.94 to 2.94) after 60 games")
    figures = result.to_dict()["verdict"]
    assert -2.94 < figures["llr"] < 2.94 and figures["elo_interval"][0] < figures["elo"]
    wide = play_match(["random"] * 2, "duel-1", games=60, until=HalfWidth(0.01)).verdict
    assert wide is not None and wide.decision == "undecided" and "not reached" in wide.words


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (lambda: HalfWidth(0.0), "half_width=0.0 must be above 0"),
        (lambda: HalfWidth(1.5), "below 0.5"),
        (lambda: Sprt(20, 10), "elo0=20 must be below elo1=10"),
        (lambda: Sprt(alpha=0.0), "alpha=0.0 must be"),
        (lambda: Sprt(beta=0.7), "beta=0.7 must be"),
        (lambda: play_match(["random"], "solo", until=Sprt()), "one winner: 2 bots or more, not 1"),
        (
            lambda: play_match(["random"] * 4, "teams", until=Sprt()),
            "one winner: 2 bots, one for each team, not 4",
        ),
    ],
)
def test_rules_that_cannot_be(wrong: Any, message: str) -> None:
    with pytest.raises(RequestError, match=message):
        wrong()
