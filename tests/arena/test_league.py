"""Leagues: all tables, matrices that add up, ratings of equals, the same for the same seed."""

from __future__ import annotations

import json
from math import log10
from typing import Any

import numpy as np
import pytest

from sorry_env.arena import LeagueResult, MatchResult, play_league, play_match
from sorry_env.arena.league_result import choices_of
from sorry_env.arena.outcomes import OUTCOME
from sorry_env.bots.base import Bot
from sorry_env.bots.random import RandomBot
from sorry_env.errors import RequestError, RulesetError


def by_hand() -> MatchResult:
    """Two seeds of three bots with places, the last game cut off, two of the games with ties."""
    outcomes = np.zeros(6, OUTCOME)
    outcomes["bots"] = [[0, 1, 2, -1], [2, 0, 1, -1], [1, 2, 0, -1]] * 2
    outcomes["rewards"][:, :3] = [
        [1, 0, -1], [0, 1, -1], [1, -0.5, -0.5], [-0.5, 1, -0.5], [-1, 0, 1], [0, 0, 0],
    ]  # fmt: skip
    outcomes["truncated"][5] = True
    groups = ((0,), (1,), (2,))
    return MatchResult("classic", 7, ("a", "b", "c"), groups, outcomes, (1, 1, 1), "rank")


def test_choices_and_matrix_by_hand() -> None:
    # Orders: a b c; a c b; b first; b first; b a c; none. At this league's table sit 1, 3 and 0.
    choices = choices_of([by_hand()], [(1, 3, 0)], 4)
    first = [(1, "0013"), (1, "013"), (3, "013"), (3, "013"), (3, "013")]
    second = [(3, "03"), (0, "03"), (1, "01")]
    expected = [(c, [b in map(int, s) for b in range(4)]) for c, s in (*first, *second)]
    assert list(zip(choices.chosen.tolist(), choices.among.tolist(), strict=True)) == expected
    assert choices.unit.tolist() == [0, 0, 0, 1, 1, 0, 0, 1]


def check_sums(result: LeagueResult, size: int) -> None:
    """The matrix of wins adds up to the games and to each bot's wins."""
    before, together = result.before, result.together
    cut = sum(match.cut for match in result.matches)
    assert before.sum() == (result.games - cut) * (size - 1)
    assert before.sum(axis=1).tolist() == [won * (size - 1) for won in result.wins]
    assert together.sum(axis=1).tolist() == [games * (size - 1) for games in result.played]
    assert (before + before.T <= together).all()
    assert sum(result.wins) == result.games - cut
    if size == 2:
        assert (before + before.T).sum() == together.sum() - 2 * cut


@pytest.mark.parametrize(("size", "tables"), [(2, 6), (3, 4), (4, 1)])
def test_every_table_plays_and_the_matrix_adds_up(size: int, tables: int) -> None:
    bots = ["greedy", "random", "greedy", "random"]
    result = play_league(bots, "quick", size, games=120, seed=3)
    assert result.bots == ("greedy", "random", "greedy#2", "random#2")
    assert len(set(result.tables)) == tables == len(result.matches)
    assert {match.games for match in result.matches} == {120}
    assert len({match.seed for match in result.matches}) == tables
    check_sums(result, size)
    elo = result.ratings.elo
    assert elo[1] == 0 and min(elo[0], elo[2]) > 100 > abs(elo[3])
    assert result.order()[:2] in ([0, 2], [2, 0])
    for match, table in zip(result.matches, result.tables, strict=True):
        assert match.bots == tuple(result.bots[bot] for bot in table)


def test_games_cut_off_are_told_and_rate_nobody() -> None:
    result = play_league(["greedy", "random"], games=60, max_plies=150)
    cut = result.matches[0].cut
    assert 0 < cut < 60 and f"{cut} games were cut off" in result.table()
    check_sums(result, 2)
    wins = result.wins
    assert result.ratings.elo == pytest.approx([400 * log10(wins[0] / wins[1]), 0.0], abs=1e-3)


def test_random_against_random_and_four_of_a_kind_are_equals() -> None:
    for n, ruleset in ((2, "duel-2"), (3, "quick"), (4, "quick")):
        result = play_match(["random"] * n, ruleset, games=600 * n, seed=11)
        for bot in range(n):
            low, high = result.paired_interval(bot)
            assert low < 1 / n < high
    teams = play_match(["random"] * 2, "teams", games=600, seed=11).paired_interval()
    assert teams[0] < 0.5 < teams[1]
    greedy = play_match(["greedy"] * 4, "quick", games=2000, seed=12)
    for bot in range(4):
        low, high = greedy.paired_interval(bot)
        assert low < 0.25 < high and high - low < 0.05
    league = play_league(["random"] * 3, "duel-2", games=600, seed=13)
    for bot in range(3):
        low, high = league.ratings.interval(bot)
        assert low <= 0 <= high


def test_pairing_narrows_the_interval_where_the_cards_decide() -> None:
    # Alone with its cards nobody chooses: who is dealt well wins, and both games are split.
    result = play_match(["random"] * 2, "duel-1", games=2000, seed=1)
    paired, wilson = result.interval(0), result.wilson_interval(0)
    assert paired[1] - paired[0] < wilson[1] - wilson[0]


def test_a_league_stops_when_every_rating_is_known_well_enough() -> None:
    bots = ["greedy", "random", "greedy"]
    result = play_league(bots, "duel-1", games=5000, seed=2, half_width=20)
    each = result.matches[0].games
    assert {match.games for match in result.matches} == {each} and 200 < each < 5000
    widths = [(high - low) / 2 for low, high in map(result.ratings.interval, range(3))]
    assert result.verdict is not None and result.verdict.decision == "precise"
    assert result.verdict.figures == {"half_width": max(widths), "wanted": 20}
    assert max(widths) <= 20
    # It is the league of so many games, whatever runs at once, and a shorter one is not enough.
    fixed = play_league(bots, "duel-1", games=each, seed=2)
    assert fixed.ratings.elo.tolist() == result.ratings.elo.tolist()
    assert all(map(same_games, fixed.matches, result.matches))
    again = play_league(bots, "duel-1", games=5000, seed=2, half_width=20, batch=9)
    assert again.to_dict() == result.to_dict()
    short = play_league(bots, "duel-1", games=each // 2, seed=2, half_width=20)
    assert short.verdict is not None and short.verdict.decision == "undecided"
    assert short.verdict.words.endswith("wanted 20: not reached")
    assert short.table().split("\n\n")[0].endswith(short.verdict.words)


def test_luck_is_taken_out_of_each_table_and_changes_nothing_else() -> None:
    bots = ["random", "greedy", "optimal"]
    plain = play_league(bots, "duel-1", games=100, seed=2)
    result = play_league(bots, "duel-1", games=100, seed=2, luck="optimal")
    assert all(map(same_games, plain.matches, result.matches))
    assert result.ratings.elo.tolist() == plain.ratings.elo.tolist()
    beyond = result.table().removeprefix(plain.table())
    assert beyond.startswith("\n\nwithout the luck of the draws, by optimal\n")
    for match, table in zip(result.matches, result.tables, strict=True):
        alone = play_match([bots[bot] for bot in table], "duel-1", 2, 100, match.seed,
                           luck="optimal")  # fmt: skip
        assert match.adjusted() == alone.adjusted()
    told = result.to_dict()
    assert [table["luck_by"] for table in told["tables"]] == ["optimal"] * 3
    assert json.loads(json.dumps(told, allow_nan=False)) == told
    # A row a pair, by the ratings: the stronger one's figures.
    first, second, third = result.order()
    rows = [line.split() for line in result.table().splitlines()[-3:]]
    pairs = [(first, second), (first, third), (second, third)]
    assert [row[:2] for row in rows] == [[bots[a], bots[b]] for a, b in pairs]
    for row, pair in zip(rows, pairs, strict=True):
        number = result.tables.index((min(pair), max(pair)))
        rate = result.matches[number].adjusted(0 if pair[0] < pair[1] else 1).rate
        assert row[2] == f"{rate:.1%}"


def test_luck_of_a_league_that_grows_is_that_of_all_its_games() -> None:
    bots = ["greedy", "random"]
    grown = play_league(bots, "duel-1", games=900, seed=2, half_width=1, luck="greedy")
    assert grown.games == 900 and grown.verdict is not None
    fixed = play_league(bots, "duel-1", games=900, seed=2, luck="greedy")
    assert grown.matches[0].adjusted() == fixed.matches[0].adjusted()


def test_of_three_at_a_table_each_is_told_without_luck() -> None:
    result = play_league(["random", "greedy", "random"], "quick", 3, games=30, luck="greedy")
    match, (first, second, third) = result.matches[0], result.order()
    lines = result.table().splitlines()[-3:]
    for line, bot, others in zip(
        lines, (first, second, third), ((second, third), (first, third), (first, second)),
        strict=True,
    ):  # fmt: skip
        name, rate = result.bots[bot], match.adjusted(bot).rate
        against = ", ".join(result.bots[other] for other in others)
        assert line.split()[0] == name and f" {against} " in line and f" {rate:.1%} " in line


def same_games(one: MatchResult, other: MatchResult) -> bool:
    return one.outcomes.tobytes() == other.outcomes.tobytes() and one.asked == other.asked


def test_a_league_is_first_looked_at_after_a_hundred_seeds() -> None:
    wide = play_league(["greedy", "random"], "duel-1", games=5000, seed=2, half_width=500)
    assert wide.games == 200 and wide.verdict is not None and wide.verdict.decision == "precise"


def test_a_bot_without_a_rating_is_never_known_well_enough() -> None:
    result = play_league(["greedy", "random"], "points", games=220, seed=1, half_width=500)
    assert result.games == 220 and result.ratings.elo[0] == np.inf
    assert result.verdict is not None and result.verdict.decision == "undecided"
    assert "some ratings have no number after 220 games each" in result.verdict.words
    assert json.loads(json.dumps(result.to_dict(), allow_nan=False))["verdict"]["wanted"] == 500


@pytest.mark.parametrize("batch", [3, 64])
def test_the_batch_size_changes_nothing(batch: int) -> None:
    bots = ["random", "greedy", "greedy"]
    whole = play_league(bots, "quick", 3, games=60, seed=5)
    again = play_league(bots, "quick", 3, games=60, seed=5, batch=batch)
    assert again.to_dict() == whole.to_dict()
    assert again.to_dict() != play_league(bots, "quick", 3, games=60, seed=6).to_dict()


def test_bots_themselves_teams_and_places() -> None:
    bots: list[Bot | str] = [RandomBot(), "greedy"]
    named = play_league(["random", "greedy"], "duel-1", games=200)
    assert play_league(bots, "duel-1", games=200).to_dict() == named.to_dict()
    teams = play_league(["greedy", "random", "random"], "teams", games=40, anchor=1)
    assert teams.tables == ((0, 1), (0, 2), (1, 2))
    check_sums(teams, 2)
    ranked = play_league(["greedy", "random", "random"], "classic?play_out=true", 3, games=60,
                         reward="rank")  # fmt: skip
    assert ranked.before.sum() == 60 * 3  # all three places are known: three pairs a game
    assert (ranked.before + ranked.before.T == ranked.together).all()


def test_the_table_and_the_dictionary() -> None:
    result = play_league(["greedy", "random"], "duel-2", games=400, seed=1)
    lines = result.table().splitlines()
    assert lines[0] == "400 games of duel-2: 1 table of 2, 400 games each (seed 1)"
    assert lines[1].split() == ["bot", "Elo", "95", "%", "interval", "games", "wins", "rate"]
    assert lines[2].startswith("greedy") and lines[3].split()[:3] == ["random", "+0", "anchor"]
    assert lines[5].split() == ["came", "before", "greedy", "random"]
    share = f"{result.wins[0] / 400:.1%}"
    assert lines[6].split() == ["greedy", "-", share]
    told = result.to_dict()
    assert json.loads(json.dumps(told, allow_nan=False)) == told
    assert told["anchor"] == "random" and told["bots"][1]["elo"] == 0.0
    assert told["before"] == [[0, result.wins[0]], [result.wins[1], 0]]


def test_a_bot_that_is_never_beaten_has_no_number() -> None:
    result = play_league(["greedy", "random", "random"], "points", games=20, seed=1)
    assert result.wins[0] == 40 and result.ratings.elo[0] == np.inf
    assert "never beaten" in result.table().splitlines()[2]
    told = result.to_dict()["bots"][0]
    assert (told["elo"], told["interval"], told["unrated"]) == (None, None, "never beaten")
    weak = play_league(["greedy", "random"], "points", games=20, seed=1, anchor="greedy")
    assert "never wins" in weak.table().splitlines()[3]


@pytest.mark.parametrize(
    ("bots", "options", "message"),
    [
        (["greedy", "greedy"], {}, "anchor 'random' is none of the bots greedy, greedy#2"),
        (["random", "greedy"], {"anchor": 2}, "anchor 2 is none"),
        (["random"], {}, "a league of classic needs 2 bots or more"),
        (["random", "greedy"], {"half_width": 0}, "half_width=0 must be a number of Elo above 0"),
        (["random", "greedy"], {"half_width": float("nan")}, "half_width=nan must be"),
        (["random", "greedy"], {"seats": 3}, "needs 3 bots or more"),
        (["random", "greedy"], {"ruleset": "solo"}, "tables of two or more"),
        (["random", "greedy"], {"reward": "points"}, "'points' is none of leagues"),
        (["random", "greedy"], {"ruleset": "duel-1", "seats": 3}, "is for 2 seats, not 3"),
    ],
)
def test_leagues_that_cannot_be(bots: list[str], options: dict[str, Any], message: str) -> None:
    with pytest.raises((RequestError, RulesetError), match=message):
        play_league(bots, **options)
