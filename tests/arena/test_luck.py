"""Luck: exactly 0 over the cards of every pile, and what is left of results without it."""

from __future__ import annotations

import json
from math import sqrt
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sorry_env.arena import HalfWidth, MatchResult, Sprt, play_match, save
from sorry_env.arena.luck import (
    hold,
    luck_of_draws,
    side_shares,
    undo_draw,
    undo_draw_into_hand,
)
from sorry_env.arena.stats import adjust
from sorry_env.arena.worth import Worth, worth_by
from sorry_env.bots.registry import make_bot
from sorry_env.bots.value import AfterstateBot
from sorry_env.engine.batch import Batch
from sorry_env.engine.tables import RuleTables, compile_rules
from sorry_env.errors import RequestError, RulesetError
from sorry_env.rules import get_ruleset
from sorry_env.solve import evaluate, solve

ODD = np.random.default_rng(5).integers(1, 1000, size=500)


class Nonsense(AfterstateBot):
    """Finds positions worth something that has nothing to do with them."""

    def __init__(self) -> None:
        super().__init__(lambda seen: (seen @ ODD[: seen.shape[1]] % 101 / 50 - 1).astype("f4"))


def drawn(games: np.ndarray, tables: RuleTables) -> list[np.ndarray]:
    """By card that could have come instead: the games with it; GAME[n], all of one pile."""
    every = []
    pile = games["deck"][0].astype(np.int64)
    pile[games["card"][0]] += 1
    for card in np.flatnonzero(pile).tolist():
        other = games.copy()
        other["deck"] = pile
        other["deck"][:, card] -= 1
        other["card"] = card
        other["phase"] = tables.arrays.facts[0]["opens"][card]
        every.append(other)
    return every


def by_card(tables: RuleTables, games: np.ndarray, mask: np.ndarray) -> np.ndarray:
    """A `Worth` that looks at the card alone: 1 is worth 10, 2 is worth 20, the others nothing."""
    ruleset = tables.ruleset
    worth = np.zeros(len(ruleset.cards))
    worth[[ruleset.card_names.index("1"), ruleset.card_names.index("2")]] = 10.0, 20.0
    return np.asarray(worth[games["card"]])


def luck_of(tables: RuleTables, games: np.ndarray, worth: Worth) -> np.ndarray:
    """The luck of GAME[n] in which a card has just been drawn and lies there."""
    unused = np.zeros(len(games), np.int64)
    return luck_of_draws(tables, *undo_draw(tables, games, games, unused), worth)


# -- one draw -------------------------------------------------------------------------------------


def test_luck_by_hand() -> None:
    tables = compile_rules("classic")
    names = tables.ruleset.card_names
    games = Batch("classic", size=3).games.copy()
    # A 1 out of a pile of two 1s and one 12: (2 * 10 + 0) / 3 was to be expected.
    games["deck"] = 0
    games["deck"][0, [names.index("1"), names.index("12")]] = 1, 1
    games["card"][0] = names.index("1")
    # The last card of a pile is no luck, whatever it is.
    games["card"][1] = names.index("2")
    # The first card of a pile made anew, a 2: five 1s and four 2s of 45 were to be expected.
    games["deck"][2, : len(names)] = [5, *[4] * 10]
    games["deck"][2, names.index("2")] = 3
    games["card"][2] = names.index("2")
    luck = luck_of(tables, games, by_card)
    assert luck == pytest.approx([10 - 20 / 3, 0.0, 20 - 130 / 45])
    games["ranks"][2, 0] = 1  # somebody has won, the others play on
    assert luck_of(tables, games, by_card)[2] == 0.0


def test_an_endless_deck_keeps_its_proportions() -> None:
    tables = compile_rules("duel-1")
    games = Batch("duel-1", size=1).games.copy()
    games["card"] = tables.ruleset.card_names.index("1")
    assert luck_of(tables, games, by_card) == pytest.approx([10 - 130 / 45])


@pytest.mark.parametrize("name", ["nonsense", "greedy"])
@pytest.mark.parametrize("ruleset", ["classic", "teams", "quick", "fire-and-ice", "not-sorry",
                                     "bump-em", "way-sorry"])  # fmt: skip
def test_luck_adds_up_to_nothing_over_the_cards_of_a_pile(ruleset: str, name: str) -> None:
    batch = Batch(ruleset, size=40, seed=3)
    seats = batch.seats[0]
    worth = worth_by(Nonsense() if name == "nonsense" else make_bot(name), batch.tables, seats)
    tables, checked, widest = batch.tables, 0, 0.0
    for _ in range(12):
        before = batch.games["draws"].copy()
        batch.random_steps(1)
        fresh = np.flatnonzero((batch.games["draws"] != before) & (batch.games["plies"] > 0))
        for row in fresh[:2].tolist():
            games = drawn(batch.games[row : row + 1], tables)
            luck = np.array([luck_of(tables, game, worth)[0] for game in games])
            counts = np.array([1 + int(game["deck"][0, game["card"][0]]) for game in games])
            assert counts @ luck == pytest.approx(0, abs=1e-9)
            checked, widest = checked + 1, max(widest, float(np.ptp(luck)))
    assert checked >= 12 and widest > 0.01


def by_ones(tables: RuleTables, games: np.ndarray, mask: np.ndarray) -> np.ndarray:
    """A `Worth` that counts the 1s in the hand of the seat in turn."""
    hands = games["hands"][np.arange(len(games)), games["turn"].astype(np.int64)]
    return np.asarray((hands == tables.ruleset.card_names.index("1")).sum(axis=1), np.float64)


@pytest.mark.parametrize("ruleset", ["points", "points-1939", "points?teams=four"])
def test_cards_drawn_into_hands_are_found_again(ruleset: str) -> None:
    batch = Batch(ruleset, size=60, seed=7)
    tables, found, anew = batch.tables, 0, 0
    one = tables.ruleset.card_names.index("1")
    full = np.zeros(16, np.int64)
    full[: len(tables.ruleset.counts)] = tables.ruleset.counts
    random = np.random.default_rng(1)
    for _ in range(60):
        last = batch.games.copy()
        chances = np.where(batch.mask, random.random(batch.mask.shape), -1.0)
        actions = chances.argmax(axis=1)
        batch.step(actions)
        rows = np.flatnonzero(batch.games["draws"] == last["draws"] + 1)
        games = batch.games[rows]
        before, cards = undo_draw_into_hand(tables, games, last[rows], actions[rows])
        assert (before["turn"] == last["actor"][rows]).all()
        # What the pile has lost; or, where it was made anew, what it and the hands do not hold.
        old, new = last["deck"][rows].astype(np.int64), games["deck"].astype(np.int64)
        held = (games["hands"][:, :, :, None] == np.arange(16)).sum(axis=(1, 2))
        empty = old.sum(axis=1) == 0
        lost = np.where(empty[:, None], before["deck"] - new, old - new)
        assert (lost == (np.arange(16) == cards[:, None])).all()
        assert (new + held == full)[empty].all()
        # With the card in its hand again the game is as it was, but for whose turn it is.
        again, mask = hold(tables, before, np.arange(len(rows)), cards)
        assert np.array_equal(again["hands"], games["hands"]) and mask.any(axis=1).all()
        assert np.array_equal(again["deck"], games["deck"])
        # A 1 is drawn with the chance of 1s in the pile.
        share = before["deck"][:, one] / before["deck"].sum(axis=1)
        luck = luck_of_draws(tables, before, cards, by_ones)
        assert luck == pytest.approx((cards == one) - share)
        found, anew = found + len(rows), anew + int(empty.sum())
    assert found > 2000 and anew > 20


# -- whole matches --------------------------------------------------------------------------------


def test_with_exact_values_and_exact_play_every_game_is_worth_its_value() -> None:
    result = play_match(["optimal", "optimal"], "duel-1", games=300, seed=4, luck="optimal")
    first = solve("duel-1").value()
    assert first != pytest.approx(0.5, abs=1e-3)
    assert result.luck is not None and 0 < result.wins[0] < 300
    won = result.outcomes["rewards"] > 0
    left = won - result.luck.seats
    assert left[:, 0] == pytest.approx(np.full(300, first), abs=1e-6)
    assert left[:, 2] == pytest.approx(np.full(300, 1 - first), abs=1e-6)
    # Each bot begins in half of the games, so they are equals.
    assert [result.adjusted(bot).rate for bot in range(2)] == pytest.approx([0.5, 0.5], abs=1e-6)


@pytest.mark.parametrize("bot", ["greedy", "random"])
def test_the_adjusted_rate_is_the_exact_one(bot: str) -> None:
    exact = float(np.mean(evaluate(solve("duel-1"), make_bot(bot)).against_optimum))
    result = play_match([bot, "optimal"], "duel-1", games=1600, seed=6, luck="optimal")
    adjusted, (low, high) = result.adjusted(), result.interval()
    assert adjusted.low < exact < adjusted.high
    assert adjusted.high - adjusted.low < 0.7 * (high - low)
    assert adjusted.variance is not None and adjusted.variance < 0.5


@pytest.mark.parametrize(
    ("ruleset", "bots"),
    [
        ("quick", 2),
        ("quick", 3),
        ("classic", 4),
        ("teams", 2),
        ("teams", 4),
        ("not-sorry", 2),
        ("points", 2),
        ("points", 4),
    ],
)
def test_nonsense_takes_nothing_out_on_the_average(ruleset: str, bots: int) -> None:
    games = 24 * bots
    result = play_match(["random"] * bots, ruleset, games=games, seed=8, luck=Nonsense())
    assert result.luck is not None and result.luck.by == "Nonsense"
    luck = result.luck.seats
    assert luck.sum(axis=1) == pytest.approx(np.zeros(games), abs=1e-9)
    seats = [seat for group in result.groups for seat in group]
    units = luck[:, seats].reshape(24, bots, len(seats)).mean(axis=1)
    errors = units.std(axis=0) / sqrt(24)
    assert (abs(units.mean(axis=0)) < 4.5 * errors).all() and (errors > 0).all()
    if ruleset == "teams":
        assert np.array_equal(luck[:, :2], luck[:, 2:])


def test_nothing_else_changes_and_the_batch_size_neither() -> None:
    bots = ["greedy", "random", "random"]
    plain = play_match(bots, "quick", games=60, seed=2)
    measured = []
    for batch in (7, 512):
        result = play_match(bots, "quick", games=60, seed=2, batch=batch, luck="greedy")
        assert result.outcomes.tobytes() == plain.outcomes.tobytes()
        assert result.asked == plain.asked
        assert result.luck is not None
        measured.append(result.luck.seats)
    assert measured[0] == pytest.approx(measured[1], abs=1e-9)


def test_what_is_measured_narrows_the_interval_of_each_bot() -> None:
    result = play_match(["greedy", "random"], games=600, seed=5, luck="greedy")
    for bot in range(2):
        adjusted, (low, high) = result.adjusted(bot), result.interval(bot)
        assert adjusted.variance is not None and adjusted.variance < 0.9
        assert 2 * adjusted.half_width == adjusted.high - adjusted.low < high - low
        assert adjusted.rate + adjusted.luck == pytest.approx(result.rate(bot))
    assert sum(result.adjusted(bot).rate for bot in range(2)) == pytest.approx(1)


def test_a_match_stops_sooner_where_luck_is_taken_out() -> None:
    bots, rule = ["greedy", "optimal"], HalfWidth(0.012)
    plain = play_match(bots, "duel-1", games=20_000, seed=1, until=rule)
    for batch in (64, 512):
        result = play_match(bots, "duel-1", games=20_000, seed=1, until=rule, luck="optimal",
                            batch=batch)  # fmt: skip
        assert result.games < plain.games / 4
        assert result.luck is not None and len(result.luck.seats) == result.games
        assert result.verdict is not None and result.verdict.decision == "precise"
        assert result.verdict.figures["half_width"] == result.adjusted().half_width <= 0.012
        assert "% without luck after " in result.verdict.words
        # A seed less would not have been enough, or not a hundred.
        shares, luck = result.unit_rates(), result.luck.seats[:, [0, 2]]
        own = (luck * (result.outcomes["bots"][:, [0, 2]] == 0)).sum(axis=1)
        before = adjust(shares[:-1], own.reshape(-1, 2).mean(axis=1)[:-1])
        assert before.half_width > 0.012 or result.games == 200
    sprt = play_match(bots, "duel-1", games=300, seed=1, until=Sprt(0, 50), luck="optimal")
    same = play_match(bots, "duel-1", games=300, seed=1, until=Sprt(0, 50))
    assert sprt.verdict == same.verdict and sprt.outcomes.tobytes() == same.outcomes.tobytes()


# -- telling, and what cannot be told -------------------------------------------------------------


def test_it_is_told_in_every_form(tmp_path: Path) -> None:
    result = play_match(["greedy", "random"], "duel-1", games=200, luck="optimal")
    lines = result.table().splitlines()
    assert lines[-3:-1][0].split() == [
        "bot",
        "rate",
        "95",
        "%",
        "interval",
        "luck",
        "variance",
        "left",
    ]
    assert lines[-4] == "without the luck of the draws, by optimal"
    adjusted = result.adjusted(1)
    assert adjusted.variance is not None
    told = f"{adjusted.rate:.1%}  {adjusted.low:.1%} to {adjusted.high:.1%}  {adjusted.luck:+.1%}"
    assert " ".join(told.split()) in " ".join(lines[-1].split())
    assert lines[-1].endswith(f"{adjusted.variance:.1%}")
    plain = result.to_dict()
    assert json.loads(json.dumps(plain, allow_nan=False)) == plain
    assert plain["luck_by"] == "optimal" and plain["bots"][1]["adjusted"]["rate"] == adjusted.rate
    head = save(result, tmp_path)[1].read_text(encoding="utf-8").splitlines()[0]
    assert head.endswith("mean_return,adjusted_rate,adjusted_low,adjusted_high")


def test_a_match_without_luck_has_none_to_take_out() -> None:
    result = play_match(["greedy", "random"], "duel-1", games=4)
    assert result.luck is None and result.to_dict()["bots"][0]["adjusted"] is None
    with pytest.raises(RequestError, match="without measuring luck"):
        result.adjusted()


@pytest.mark.parametrize(
    ("ruleset", "bots", "options", "message"),
    [
        ("express", 2, {}, "games of express: it is measured in cards, not dice"),
        ("solo", 1, {}, "games of solo: with one seat nobody can lose"),
        ("classic", 2, {"luck": "random"}, "'random' does not say what positions are worth"),
        ("classic", 2, {"luck": "gready"}, "unknown bot 'gready'"),
        ("classic", 2, {"luck": "optimal"}, "cannot be solved"),
        ("points", 2, {"target_score": 100}, "not of rounds to a target score"),
    ],
)
def test_luck_that_cannot_be_told(
    ruleset: str, bots: int, options: dict[str, Any], message: str
) -> None:
    settings: dict[str, Any] = {"luck": "greedy", **options}
    with pytest.raises((RequestError, RulesetError), match=message):
        play_match(["random"] * bots, ruleset, games=4, **settings)


def test_sides_share_luck() -> None:
    three = side_shares(get_ruleset("classic"), (0, 1, 3))
    assert three[1].tolist() == [-0.5, 1.0, 0.0, -0.5] and not three[2].any()
    assert side_shares(get_ruleset("teams"), (0, 1, 2, 3))[3].tolist() == [-1.0, 1.0, -1.0, 1.0]


def test_one_seed_is_too_few() -> None:
    result = play_match(["greedy", "random"], "duel-1", games=2, luck="greedy")
    assert isinstance(result, MatchResult)
    with pytest.raises(RequestError, match="two seeds or more"):
        result.adjusted()
