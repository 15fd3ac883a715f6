"""The exact solution of the dice game against the independent reference, and what follows from it.

The value of a position is checked by playing a whole turn with the reference's rules: every roll,
every order of the dice, every choice.
"""

from __future__ import annotations

from itertools import islice
from typing import Any

import numpy as np
import pytest

from sorry_env.arena.match import play_match
from sorry_env.bots.base import Bot
from sorry_env.engine.rng import seed_state
from sorry_env.errors import RequestError, RulesetError
from sorry_env.express import ExpressGame, notation
from sorry_env.express.bots import ExpressOptimalBot, ExpressRequest, make_bot
from sorry_env.express.evaluation import evaluate
from sorry_env.express.rules import ExpressRules
from sorry_env.express.solution import ExpressSolution, find_solution, solve
from sorry_env.express.space import ExpressSpace
from sorry_env.express.tables import compile_rules
from tests.express.support import random_positions
from tests.reference.express import ExpressGame as Reference


@pytest.fixture(scope="module")
def solution() -> ExpressSolution:
    return find_solution(compile_rules())


@pytest.fixture(scope="module")
def small() -> ExpressSolution:
    """The game with two pawns of each colour: quick to evaluate."""
    return find_solution(compile_rules(ExpressRules(pawns=2)))


def best_by_reference(solution: ExpressSolution, game: Reference, mover: int) -> float:
    """The value of a position to a seat at its best play to the end of the turn."""
    outcome = game.outcome()
    if outcome is not None:
        return float(outcome[mover] > 0)
    if game.waiting:
        return 1.0 - float(solution.values_before(notation.read(game.text(), seed=1).state)[0])
    return max(best_by_reference(solution, game.apply(move), mover) for move in game.legal())


def test_the_value_before_a_roll_is_the_mean_of_the_best_turns(solution: ExpressSolution) -> None:
    waiting = (g for g in random_positions(2, seed=4, count=400) if g.waiting)
    games = [game.copy() for game in islice(waiting, 3, 40, 19)]
    assert len(games) == 2
    for game in games:
        before = Reference.from_text(notation.write(game))
        # Dice that show the same faces in another order offer the same.
        rolls: dict[str, list[str]] = {}
        for text in before.draws():
            rolls.setdefault("".join(sorted(part[-1] for part in text.split(","))), []).append(text)
        value = sum(
            len(texts) / 216 * best_by_reference(solution, before.draw(texts[0]), game.turn)
            for texts in rolls.values()
        )
        assert value == pytest.approx(float(solution.values_before(game.state)[0]), abs=1e-9)


def test_every_move_is_worth_what_the_reference_finds_after_it(solution: ExpressSolution) -> None:
    bot = ExpressOptimalBot()
    deciding = (g for g in random_positions(2, seed=9, count=900) if not (g.waiting or g.over))
    games = [game.copy() for game in islice(deciding, 5, 600, 20)]
    assert len(games) == 30
    for game in games:
        worth, rows, actions = solution.action_values(game.state, game.mask()[None])
        assert (rows == 0).all()
        theirs = Reference.from_text(notation.write(game))
        expected = {}
        for action in actions.tolist():
            after = theirs.apply(notation.move_text(game.describe(action)))
            expected[action] = best_by_reference(solution, after, game.turn)
        assert dict(zip(actions.tolist(), worth, strict=True)) == pytest.approx(expected, abs=1e-9)
        best = {a for a, value in expected.items() if value > max(expected.values()) - 1e-9}
        view: Any = game.view()
        chances = bot.distribution(ExpressRequest.of_view(view))[0]
        assert set(np.flatnonzero(chances).tolist()) == best


def test_it_is_exact_and_the_first_to_move_has_the_better_game(solution: ExpressSolution) -> None:
    assert solution.residual < 1e-9
    assert solution.value() == pytest.approx(0.5636175158, abs=5e-11)
    # 810,000 positions up to the names of colours; in 32,360 of them nobody has won.
    assert (solution.space.states, solution.states) == (37_200, 32_360)


def test_renaming_colours_changes_no_value(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = ExpressRules(pawns=1)
    renamed = solve(rules)
    monkeypatch.setattr(ExpressSpace, "symmetric", False)
    plain = solve(rules)
    assert renamed.space.states < plain.space.states == 16 * 3**4
    assert plain.values[plain.space.codec.number] == pytest.approx(
        renamed.values[renamed.space.codec.number], abs=1e-10
    )


def test_dice_that_prefer_a_colour_are_solved_without_renaming() -> None:
    found = solve(ExpressRules(pawns=1, dice=("rrrrSW", "rbygSL", "rbygWL")))
    assert not found.space.symmetric and found.residual < 1e-9
    # Red is the first player's Home colour: it is rolled more often than the other's.
    assert found.value() > solve(ExpressRules(pawns=1)).value()


def test_evaluation_of_the_optimum_loses_nothing(small: ExpressSolution) -> None:
    result = evaluate(small, make_bot("optimal"))
    assert result.lost == pytest.approx(0.0, abs=1e-10)
    assert result.exploitability == pytest.approx(0.0, abs=1e-10)
    assert result.optimum == pytest.approx((small.value(), 1 - small.value()))


def test_others_lose_more_to_their_best_response(small: ExpressSolution) -> None:
    for name in ("greedy", "random"):
        result = evaluate(small, make_bot(name))
        assert result.exploitability is not None
        assert 0 < result.lost < result.exploitability < 0.5


@pytest.mark.slow
@pytest.mark.parametrize("name", ["greedy", "random"])
def test_matches_agree_with_the_evaluation(solution: ExpressSolution, name: str) -> None:
    n = 20_000
    expected = np.mean(evaluate(solution, make_bot(name)).against_optimum)
    rate = play_match([name, "optimal"], "express", games=n, seed=3).rate(0)
    assert abs(rate - expected) < 4 * (0.25 / n) ** 0.5


class Namely(Bot):
    """Prefers the lowest action: red before blue."""

    name = "namely"

    def choose_batch(self, request: ExpressRequest) -> np.ndarray:  # type: ignore[override]
        first: np.ndarray = request.mask.argmax(axis=1).astype(np.int32)
        return first


def test_a_bot_that_prefers_a_colour_is_refused_in_words(small: ExpressSolution) -> None:
    with pytest.raises(RequestError, match="namely plays otherwise when the colours have other"):
        evaluate(small, Namely())


def test_only_two_players_have_a_value(solution: ExpressSolution) -> None:
    with pytest.raises(RulesetError, match="cannot be solved with 3 players"):
        solve(seats=3)
    tables: Any = compile_rules()
    with pytest.raises(RulesetError, match="cannot be solved with 3 players"):
        make_bot("optimal").check(tables, (0, 1, 2))
    three = ExpressGame(3, seed=int(seed_state(1)))
    with pytest.raises(RequestError, match="of two players"):
        solution.action_values(three.state, three.mask()[None])
    with pytest.raises(RequestError, match="no roll is due"):
        solution.values_before(ExpressGame(2, seed=1).state)
