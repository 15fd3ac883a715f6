"""Values that can be worked out by hand, and what must hold of all of them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from sorry_env.errors import RequestError
from sorry_env.rules import Card, Ruleset
from sorry_env.solve import Solution, backup, solve
from tests.solve.support import (
    EITHER_WAY,
    NOTHING,
    OUT_OR_ONE,
    game_of,
    position,
    random_positions,
    ruleset_of,
    value_by_hand,
)

_ONES = "deck=1.0.0.0.0.0.0.0.0.0.0"


@pytest.mark.parametrize(
    ("ruleset", "draws"),
    [
        # Out of Start, then 64 steps of one.
        (f"solo?{_ONES}&pawns=1&slides=none", 65),
        # The slides of the three other colours carry it on by 3 and by 4.
        (f"solo?{_ONES}&pawns=1", 65 - 3 * (3 + 4)),
        # Every draw is a step of one of them.
        (f"solo?{_ONES}&pawns=2&slides=none", 2 * 65),
        (f"solo?{_ONES}&on_circle=1&pawns=1&slides=none", 64),
        # Each step waits for its card: 2 draws on average when every other card does nothing.
        (ruleset_of(OUT_OR_ONE, NOTHING), 2 * 65),
        (ruleset_of(OUT_OR_ONE, NOTHING, pawns=2), 2 * 2 * 65),
        (ruleset_of(OUT_OR_ONE, NOTHING, Card("T", take=True)), 3 * 65),
        # Out, two steps back round the entry, six forward.
        (ruleset_of(EITHER_WAY), 1 + 2 + 6),
        # Out, then 32 steps of two; from odd squares none gets Home.
        (ruleset_of(Card("2", forward=2, start=True)), 1 + 32),
        # A card that is drawn again for counts like any other.
        (ruleset_of(Card("2", forward=2, start=True, again=True)), 1 + 32),
    ],
)
def test_expected_draws_by_hand(ruleset: str | Ruleset, draws: float) -> None:
    assert solve(ruleset).value() == pytest.approx(draws, abs=1e-8)


def test_where_no_end_is_certain_draws_are_infinite() -> None:
    two = solve(ruleset_of(Card("2", forward=2, start=True)))
    odd = position(two.space, {0: [65]}, 0)
    assert two.values_before(odd) == np.inf
    assert two.values_before(position(two.space, {0: [64]}, 0)) == pytest.approx(1)
    # A five does not lead from the circle Home: 64 is no multiple of it.
    with pytest.raises(RequestError, match="no play is certain to bring all pawns Home"):
        solve(ruleset_of(Card("5", forward=5, start=True)))
    # The exact one comes soon enough, but half of the ways into the zone end in front of it.
    with pytest.raises(RequestError, match="the expected number of draws is infinite"):
        solve(ruleset_of(Card("2", forward=2, start=True), Card("3", forward=3)))


def chances_near_home(*cards: Card) -> dict[tuple[int, int], float]:
    """By steps that the mover and the other still have to go: the chance that the mover wins."""
    solution = solve(ruleset_of(*cards, seats=2))
    space = solution.space
    return {
        (mine, theirs): float(
            solution.values_before(position(space, {0: [66 - mine], 2: [66 - theirs]}, 0))[0]
        )
        for mine in (1, 2)
        for theirs in (1, 2)
    }


def test_long_games_are_solved_too() -> None:
    # Four cards of 104 are a step, so each of 65 steps waits 26 draws for it.
    slow = ruleset_of(OUT_OR_ONE, replace(NOTHING, copies=100))
    assert solve(slow).value() == pytest.approx(65 * 26, abs=1e-6)


def test_races_by_hand() -> None:
    # Half of the cards are a step. With one step each: v = 1/2 + 1/2 (1 - v).
    race = chances_near_home(OUT_OR_ONE, NOTHING)
    assert race[1, 1] == pytest.approx(2 / 3)
    # x = 1/2 (1 - 2/3) + 1/2 (1 - y) with two steps to one, y = 1/2 + 1/2 (1 - x) the other way.
    assert race[2, 1] == pytest.approx(2 / 9)
    assert race[1, 2] == pytest.approx(8 / 9)
    # The same where a step gives another draw: x = 1/2 * 2/3 + 1/2 (1 - y).
    again = chances_near_home(Card("2", forward=1, start=True, again=True), NOTHING)
    assert again[1, 1] == pytest.approx(2 / 3)
    assert again[2, 1] == pytest.approx(4 / 9)
    assert again[1, 2] == pytest.approx(7 / 9)


def test_whoever_begins_wins_a_race_of_equal_steps() -> None:
    assert solve(f"duel-1?{_ONES}").value() == pytest.approx(1)


def test_a_game_that_never_ends_is_won_by_nobody() -> None:
    assert solve("duel-1?deck=0.0.0.1.0.0.0.0.0.0.0").value() == 0.5


# -- what holds of all values ---------------------------------------------------------------------


def test_values_are_chances_and_nearly_exact(duel: Solution, beside: Solution) -> None:
    for solution in (duel, beside):
        known = solution.values[~np.isnan(solution.values)]
        assert len(known) == solution.states
        assert known.min() >= 0 and known.max() <= 1
        assert 0 <= solution.residual < 1e-9
        assert solution.seconds > 0


@pytest.mark.parametrize(
    ("ruleset", "seats"),
    [("duel-1", None), ("duel-1", "red,blue"), ("solo?pawns=2", None),
     ("duel-1?switch_slides=none", "yellow,green"), ("bump-em?deck=infinite&pawns=1", 2)],
)  # fmt: skip
def test_values_are_what_follows_by_the_game(ruleset: str, seats: Any) -> None:
    solution = solve(ruleset, seats)
    for record in random_positions(solution.space, 50, seed=9):
        game = game_of(solution.space.tables, record)
        value = float(solution.values_before(record)[0])
        assert value == pytest.approx(value_by_hand(solution, game), abs=1e-9)


def test_turning_the_board_changes_nothing(duel: Solution, beside: Solution) -> None:
    assert duel.value("yellow") == duel.value()
    assert np.array_equal(solve("duel-1", "blue,green").values, duel.values, equal_nan=True)
    turned = solve("duel-1", "blue,yellow")
    assert turned.value("blue") == beside.value("red")
    assert turned.value("yellow") == beside.value("blue")
    # To sit one seat before the other is worse than one behind.
    assert beside.value("red") + beside.value("blue") != pytest.approx(1, abs=1e-3)
    # Green, Red is Red, Blue: Green comes before Red in turn.
    assert solve("duel-1", "red,green").value("green") == pytest.approx(beside.value("red"))


def test_threads_change_nothing(monkeypatch: pytest.MonkeyPatch, duel: Solution) -> None:
    monkeypatch.setattr(backup, "SHARE", 4)
    assert np.array_equal(solve("duel-1", threads=3).values, duel.values, equal_nan=True)


def test_positions_of_others_are_refused(duel: Solution, beside: Solution) -> None:
    with pytest.raises(RequestError, match=r"must be of duel-1 \(red,yellow\)"):
        duel.values_before(beside.space.first())
    over = position(duel.space, {0: [66]}, 2)
    with pytest.raises(RequestError, match="no draw is due in a position with pawns"):
        duel.values_before(over)


def test_progress_is_told() -> None:
    told: list[str] = []
    solve("duel-1", progress=told.append)
    assert told[0] == "4,296 states"
    assert any("100% of the states" in words for words in told)
    assert "sweep" in told[-1]
