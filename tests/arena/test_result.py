"""Figures and tables of results that were made by hand."""

from __future__ import annotations

import json
from math import sqrt

import numpy as np
import pytest

from sorry_env.arena import MatchResult, play_match, wilson
from sorry_env.arena.outcomes import OUTCOME
from sorry_env.arena.stats import Z95


def by_hand() -> MatchResult:
    """Three seeds, two seatings: `a` wins three games as red and one as yellow, one is cut off."""
    outcomes = np.zeros(6, OUTCOME)
    outcomes["bots"] = [[0, -1, 1, -1], [1, -1, 0, -1]] * 3
    outcomes["rewards"][:, [0, 2]] = [[1, -1], [-1, 1], [1, -1], [1, -1], [1, -1], [0, 0]]
    outcomes["length"] = [10, 20, 30, 40, 50, 60]
    outcomes["truncated"][5] = True
    return MatchResult("classic", 7, ("a", "b"), ((0,), (2,)), outcomes, (40, 44))


def test_the_figures() -> None:
    result = by_hand()
    assert result.games == 6
    assert result.wins == (4, 1)
    assert result.wins_by_seat.tolist() == [[3, 1], [1, 0]]
    assert result.returns == pytest.approx((3 / 6, -3 / 6))
    assert result.rate(0) == 4 / 6
    # The seeds' shares of `a` are 1, 1/2 and 1/2: their squares' sum less 3 * (2/3)^2 is 1/6, and a
    # seed won and one lost add (2/3)^2 + (1/3)^2 = 5/9. Those of `b` are 0, 1/2 and 0.
    half = Z95 * sqrt(1 / 6 + 5 / 9) / 3
    assert result.interval(0) == pytest.approx((4 / 6 - half, 1.0))
    assert result.interval(1) == pytest.approx((0.0, 1 / 6 + Z95 * sqrt(1 / 6 + 26 / 36) / 3))
    assert result.paired_interval(1) == result.interval(1)
    assert result.wilson_interval(1) == wilson(1, 6)
    assert result.mean_length == 35
    assert result.cut == 1
    assert result.forced == pytest.approx(1 - 84 / 210)


def test_the_table() -> None:
    assert by_hand().table().splitlines() == [
        "6 games of classic: 3 seeds, each in 2 seatings (seed 7)",
        "35.0 decisions a game, 60% of them forced",
        "1 games were cut off and count as won by nobody",
        "bot  wins   rate    95 % interval  return  as red  as yellow",
        "a       4  66.7%  11.1% to 100.0%  +0.500  100.0%      33.3%",
        "b       1  16.7%    0.0% to 78.3%  -0.500   33.3%       0.0%",
    ]


def test_where_seeds_have_no_spread_the_interval_is_wilsons() -> None:
    games = by_hand().outcomes
    split = MatchResult("classic", 7, ("a", "b"), ((0,), (2,)), games[2:4], (1, 1))
    assert split.unit_rates().tolist() == [0.5]
    assert split.interval() == split.wilson_interval() == wilson(1, 2) != split.paired_interval()
    alone = MatchResult("solo", 7, ("a",), ((0,),), games[[0, 2, 5]], (3,))
    assert alone.wins == (2,) and alone.interval() == wilson(2, 3)


def test_the_dictionary_is_plain_json() -> None:
    result = by_hand().to_dict()
    assert json.loads(json.dumps(result)) == result
    assert result["seats"] == ["red", "yellow"]
    assert result["bots"][0]["wins"] == 4
    assert result["bots"][0]["wins_by_seat"] == [3, 1]
    assert result["truncated"] == 1


def test_a_game_cut_off_is_won_by_nobody() -> None:
    result = play_match(["greedy", "random"], games=40, max_plies=60)
    assert 0 < result.cut <= 40
    assert sum(result.wins) == 40 - result.cut
    assert (result.outcomes["length"][result.outcomes["truncated"]] == 60).all()
    assert not result.outcomes["rewards"][result.outcomes["truncated"]].any()


def test_teams_win_together() -> None:
    result = play_match(["greedy", "random"], "teams", games=20)
    rewards = result.outcomes["rewards"]
    assert np.array_equal(rewards[:, :2], rewards[:, 2:])
    assert sum(result.wins) == 20
    assert result.to_dict()["seats"] == ["red+yellow", "blue+green"]
    assert sum(play_match(["random"] * 4, "teams", games=20).wins) == 40  # both partners win


def test_solo_counts_draws() -> None:
    result = play_match(["greedy"], "solo", games=50)
    assert result.wins == (50,)
    assert result.mean_length > 30
    assert result.table().startswith("50 games of solo (seed 0)\n")


def test_ranks_are_returns_when_the_game_is_played_out() -> None:
    result = play_match(["greedy", "random", "random"], "classic?play_out=true", games=60,
                        reward="rank")  # fmt: skip
    assert sorted(set(result.outcomes["rewards"].ravel().tolist())) == [-1.0, 0.0, 1.0]
    assert sum(result.wins) == 60
    assert sum(result.returns) == pytest.approx(0)
    assert result.returns[0] > 0.2
