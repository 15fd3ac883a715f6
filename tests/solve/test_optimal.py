"""The optimal bot plays what no other beats, and says which games it cannot play."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sorry_env.arena.match import play_match
from sorry_env.bots.base import BatchRequest
from sorry_env.bots.optimal import OptimalBot
from sorry_env.bots.registry import make_bot
from sorry_env.engine.batch import Batch
from sorry_env.engine.tables import compile_rules
from sorry_env.errors import RequestError, RulesetError
from sorry_env.game import Game
from sorry_env.solve import Solution, files, solve
from tests.bots.positions import game_of, request_after


def best_by_hand(solution: Solution, game: Game) -> set[int]:
    """The actions whose positions are worth most to the seat that decides."""
    worths = {}
    for action in game.legal_actions().tolist():
        after = game.copy()
        after.play(action, draw=False)
        if after.over:
            worths[action] = 1.0
            continue
        value = float(solution.values_before(after.state)[0])
        if len(game.seats) == 1:
            worths[action] = -value
        else:
            worths[action] = value if after.turn == game.actor else 1 - value
    most = max(worths.values())
    return {action for action, worth in worths.items() if worth > most - 1e-9}


@pytest.mark.parametrize(
    ("ruleset", "seats"),
    [("duel-1", None), ("duel-1", "red,blue"), ("solo?pawns=1", None), ("solo?pawns=2", "green")],
)
def test_it_takes_every_best_move_and_no_other(ruleset: str, seats: Any) -> None:
    bot, solution = OptimalBot(), solve(ruleset, seats)
    for steps in (0, 7, 20, 41):
        request = request_after(steps, ruleset, seats, size=48, seed=steps)
        chances = bot.distribution(request)
        chosen = bot.choose_batch(request)
        for row in range(len(request)):
            best = best_by_hand(solution, game_of(request, row))
            assert set(np.flatnonzero(chances[row]).tolist()) == best
            assert int(chosen[row]) in best
        assert np.allclose(chances.sum(axis=1), 1)


def test_ties_are_drawn_from_by_the_seed() -> None:
    # Every card is a 1: whichever pawn goes on, so many steps are left.
    ones = "solo?deck=1.0.0.0.0.0.0.0.0.0.0&pawns=2&slides=none"
    request = request_after(30, ones, size=400, seed=2)
    bot, twin = OptimalBot(), OptimalBot()
    ties = np.count_nonzero(bot.distribution(request), axis=1) > 1
    assert ties.all()
    bot.reset(5)
    first = bot.choose_batch(request)
    assert not np.array_equal(bot.choose_batch(request), first)
    twin.reset(5)
    assert np.array_equal(twin.choose_batch(request), first)


def test_different_seats_in_one_request() -> None:
    opposite = Batch("duel-1", "red,yellow", 6, seed=1)
    beside = Batch("duel-1", "green,red", 6, seed=2)
    for batch in (opposite, beside):
        batch.random_steps(25)
    rows = np.random.default_rng(0).permutation(12)
    joined = [np.concatenate(pair)[rows] for pair in (
        (opposite.games, beside.games), (opposite.observation, beside.observation),
        (opposite.mask, beside.mask))]  # fmt: skip
    bot = OptimalBot()
    mixed = bot.distribution(BatchRequest(opposite.tables, *joined))
    apart = [
        bot.distribution(BatchRequest(b.tables, b.games, b.observation, b.mask))
        for b in (opposite, beside)
    ]
    assert np.array_equal(mixed, np.concatenate(apart)[rows])


def test_alone_it_needs_the_expected_draws() -> None:
    # Every draw is a decision, forced ones included; 4000 games.
    result = play_match(["optimal"], "solo?pawns=2", games=4000, seed=3)
    lengths = result.outcomes["length"].astype(float)
    expected = solve("solo?pawns=2").value()
    assert abs(lengths.mean() - expected) < 4 * lengths.std() / len(lengths) ** 0.5


def test_it_wins_as_often_as_its_values_say(beside: Solution) -> None:
    n = 6000
    result = play_match(["optimal", "optimal"], "duel-1", "red,blue", games=n, seed=4)
    red = result.wins_by_seat[:, 0].sum() / result.games
    assert abs(red - beside.value("red")) < 4 * (0.25 / n) ** 0.5


@pytest.mark.parametrize(
    ("ruleset", "message"),
    [("classic", "classic cannot be solved: deck=standard"), ("points", "hand=5 must be 0"),
     ("quick?deck=infinite", None)],
)  # fmt: skip
def test_other_rulesets_are_refused(ruleset: str, message: str | None, kept: Path) -> None:
    bot = make_bot("optimal")
    game = Game(ruleset, seed=1)
    if message is None:
        # Nothing is kept, and never will be: the command says so.
        with pytest.raises(RequestError, match="is not solved yet: run `sorry solve 'quick"):
            bot.check(game.tables, game.seats)
        return
    with pytest.raises(RulesetError, match=message):
        bot.check(game.tables, game.seats)
    with pytest.raises(RulesetError, match=message):
        bot.choose(game.view(game.actor))


def test_a_large_one_must_have_been_solved(kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "SOLVED_AT_ONCE", 100)
    tables = compile_rules("duel-1")
    with pytest.raises(RequestError) as caught:
        OptimalBot().check(tables, (0, 1))
    assert "run `sorry solve 'duel-1' --seats red,blue`" in caught.value.message
    assert str(kept) in caught.value.message
    solution = solve("duel-1", "red,blue")
    path = files.usual_file(solution.space)
    assert path is not None
    files.save_solution(solution, path)
    OptimalBot().check(tables, (0, 1))
    with pytest.raises(RequestError, match="--seats red,yellow"):
        OptimalBot().check(tables, (0, 2))
