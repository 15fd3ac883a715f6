"""Expectimax does what a slow search with `Game` does, and plays exact values exactly."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from sorry_env.arena.match import play_match
from sorry_env.bots.base import BatchRequest
from sorry_env.bots.expectimax import ExpectimaxBot
from sorry_env.bots.greedy import GreedyBot
from sorry_env.bots.registry import make_bot
from sorry_env.engine.state import OVER
from sorry_env.engine.tables import RuleTables
from sorry_env.errors import RequestError
from sorry_env.game import Game
from sorry_env.notation.moves import parse_move
from sorry_env.notation.position import read
from sorry_env.solve import Solution, evaluate, solve
from sorry_env.solve.graph import build_graph
from sorry_env.solve.space import open_space
from tests.bots.positions import game_of, request_after

Worth = Callable[[Game], list[float]]


def played(game: Game, action: int) -> Game:
    after = game.copy()
    after.play(action, draw=False)
    return after


def steps_by_hand(playing: list[int]) -> Worth:
    """The documented value, for the seats that play in the root; a win outweighs all steps."""

    def worth(game: Game) -> list[float]:
        steps = [float(sum(max(code, 0) for code in codes)) for codes in game.pawns]
        steps += [0.0] * (4 - len(steps))
        if game.over:
            for seat in game.winners:
                steps[seat] += 4096
        if game.ruleset.teams != "none":
            lead = steps[0] + steps[2] - steps[1] - steps[3]
            return [lead, -lead, lead, -lead]
        values = [0.0] * 4
        for seat in playing:
            others = [steps[s] for s in playing if s != seat]
            values[seat] = steps[seat] * max(1, len(others)) - sum(others)
        return values

    return worth


def after_reply_by_hand(game: Game, worth: Worth) -> list[float]:
    """The mean over the next card of the mean of the best replies."""
    total = np.zeros(4)
    for name, chance in game.chances() or ((None, 1),):
        drawn = game.copy()
        if name is not None:
            drawn.draw(name)
        values = [worth(played(drawn, a)) for a in drawn.legal_actions().tolist()]
        best = max(value[drawn.actor] for value in values)
        ties = [value for value in values if value[drawn.actor] > best - 1e-9]
        total += float(chance) * np.mean(ties, axis=0)
    return total.tolist()


def own_steps(tables: RuleTables, games: np.ndarray, roots: np.ndarray) -> np.ndarray:
    """A simple `Value`: each colour's own steps."""
    steps: np.ndarray = np.maximum(games["pawns"], 0).sum(axis=2).astype(np.float64)
    return steps


def own_steps_by_hand(game: Game) -> list[float]:
    steps = [float(sum(max(code, 0) for code in codes)) for codes in game.pawns]
    return steps + [0.0] * (4 - len(steps))


def action_values_by_hand(game: Game, depth: int, worth: Worth | None = None) -> dict[int, float]:
    worth = worth or steps_by_hand([s for s in game.seats if game.ranks[s] == 0])
    values = {}
    for action in game.legal_actions().tolist():
        after = played(game, action)
        deep = depth == 2 and not after.over
        values[action] = (after_reply_by_hand(after, worth) if deep else worth(after))[game.actor]
    return values


@pytest.mark.parametrize(
    ("ruleset", "seats", "rows"),
    [
        ("classic", "red,yellow", 3),
        ("classic", 4, 2),
        ("classic", "red,blue,green", 3),
        ("teams", None, 2),
        ("duel-1", None, 24),
        ("bump-em", 2, 3),
        ("solo", None, 4),
    ],
)
def test_both_depths_are_a_slow_search(ruleset: str, seats: Any, rows: int) -> None:
    for steps in (3, 80, 171):
        request = request_after(steps, ruleset, seats, size=rows, seed=steps)
        for depth in (1, 2):
            bot = ExpectimaxBot(depth, width=99)
            found, chances = bot.action_values(request), bot.distribution(request)
            chosen = bot.choose_batch(request)
            for row in range(rows):
                by_hand = action_values_by_hand(game_of(request, row), depth)
                best = max(by_hand.values())
                ties = {action for action, value in by_hand.items() if value > best - 1e-9}
                assert set(np.flatnonzero(~np.isnan(found[row])).tolist()) == set(by_hand)
                for action, value in by_hand.items():
                    assert found[row, action] == pytest.approx(value, abs=1e-9)
                assert set(np.flatnonzero(chances[row]).tolist()) == ties
                assert int(chosen[row]) in ties


@pytest.mark.parametrize(
    ("ruleset", "seats"),
    [
        ("fire-and-ice", 3),
        ("not-sorry", 3),
        ("not-sorry?p_yes=0.25", 2),
        ("not-sorry?answers=player", 2),
        ("way-sorry", 2),
    ],
)
def test_turns_of_other_editions_are_followed(ruleset: str, seats: Any) -> None:
    bot = ExpectimaxBot(2, own_steps, width=99)
    phases = set()
    for steps in (7, 61, 120, 190):
        request = request_after(steps, ruleset, seats, size=40, seed=steps)
        # Above all those whose next decision is no plain move after a draw.
        order = np.argsort(request.games["phase"] == 0, kind="stable")[:5]
        found = bot.action_values(request)
        for row in order.tolist():
            game = game_of(request, row)
            phases.add(game.phase)
            by_hand = action_values_by_hand(game, 2, own_steps_by_hand)
            assert {a: found[row, a] for a in by_hand} == pytest.approx(by_hand, abs=1e-9)
    assert len(phases) > 1 or ruleset == "way-sorry"


@pytest.mark.parametrize(
    ("ruleset", "seats"),
    [("classic", 2), ("classic", 3), ("classic?play_out=true", 4), ("teams", None), ("quick", 2)],
)
def test_depth_1_has_greedys_ties_unless_it_can_win(ruleset: str, seats: Any) -> None:
    for steps in (5, 90, 233):
        request = request_after(steps, ruleset, seats, size=200, seed=steps)
        greedy = GreedyBot().distribution(request)
        mine = ExpectimaxBot(1).distribution(request)
        values = ExpectimaxBot(1).action_values(request)
        quiet = np.nanmax(values, axis=1) < 2000  # 4096 for a win, less what others have covered
        assert quiet.sum() > 150
        assert np.array_equal(greedy[quiet], mine[quiet])


def test_a_win_is_taken_where_greedy_would_bump() -> None:
    # +10 takes the last pawn Home from square 58; -1 costs a step and sends back one of 25.
    game = read("classic rH,rH,rH,58/-/57,yS,yS,yS/- r move 10 5.4.4.4.4.4.4.3.4.4.4 - -")
    view = game.view(game.actor)
    assert GreedyBot().choose(view) == parse_move(game, "10:58-57").action
    for depth in (1, 2):
        action = ExpectimaxBot(depth).choose(view)
        assert action == parse_move(game, "10:58-rH").action
        assert played(game, action).over


class Exact:
    """A solution as a value of positions."""

    def __init__(self, solution: Solution) -> None:
        self.solution = solution

    def __call__(self, tables: RuleTables, games: np.ndarray, roots: np.ndarray) -> np.ndarray:
        worth: np.ndarray = (games["ranks"] == 1).astype(np.float64)
        going = np.flatnonzero(games["phase"] != OVER)
        value = self.solution.values_before(games[going])
        worth[going] = (1 - value)[:, None]
        worth[going, games["turn"][going]] = value
        return worth


def test_exact_values_are_played_exactly() -> None:
    solution, graph = solve("duel-1"), build_graph(open_space("duel-1"))
    exact = evaluate(solution, ExpectimaxBot(2, Exact(solution)), graph=graph)
    assert exact.against_optimum == pytest.approx(exact.optimum, abs=1e-7)
    assert exact.against_best == pytest.approx(exact.optimum, abs=1e-7)
    greedy = evaluate(solution, GreedyBot(), graph=graph)
    assert greedy.against_best[0] < greedy.optimum[0] - 1e-4


def test_depth_2_beats_greedy() -> None:
    result = play_match(["expectimax:depth=2", "greedy"], games=500, seed=3)
    low, _ = result.interval(0)
    assert low > 0.5


def test_it_sees_only_how_many_cards_are_left() -> None:
    request = request_after(60, size=16, seed=4)
    before = ExpectimaxBot(2).action_values(request)
    other = request_after(60, size=16, seed=4)
    other.games["rng"] = np.arange(16, dtype=np.uint64) + 99
    assert np.array_equal(ExpectimaxBot(2).action_values(other), before, equal_nan=True)


def test_values_do_not_depend_on_the_rest_of_the_batch() -> None:
    request = request_after(40, size=70, seed=6)
    whole = ExpectimaxBot(2).action_values(request)
    for row in (0, 31, 32, 69):
        one = BatchRequest(
            request.tables,
            request.games[row : row + 1],
            request.observation[row : row + 1],
            request.mask[row : row + 1],
        )
        assert np.array_equal(ExpectimaxBot(2).action_values(one)[0], whole[row], equal_nan=True)


def test_an_empty_pile_is_made_anew_for_the_reply() -> None:
    # The 3 was the last card; Red's two moves are followed by a draw from all 45.
    game = read("classic 30,20,rS,rS/-/25,yS,yS,yS/- r move 3 0.0.0.0.0.0.0.0.0.0.0 - -")
    request = BatchRequest.of_view(game.view(game.actor))
    found = ExpectimaxBot(2).action_values(request)[0]
    wanted = action_values_by_hand(game, 2)
    assert len(wanted) == 2
    for action, value in wanted.items():
        assert found[action] == pytest.approx(value, abs=1e-9)


def test_the_seed_decides() -> None:
    request = request_after(20, size=256, seed=1)
    bot, twin = ExpectimaxBot(2), ExpectimaxBot(2)
    bot.reset(7)
    first = bot.choose_batch(request)
    assert not np.array_equal(bot.choose_batch(request), first)
    twin.reset(7)
    assert np.array_equal(twin.choose_batch(request), first)


@pytest.mark.parametrize(("name", "value"), [("width", 0), ("worlds", 0), ("time_ms", 0.0)])
def test_options_are_checked(name: str, value: float) -> None:
    with pytest.raises(RequestError, match=f"{name}={value} must be"):
        ExpectimaxBot(2, **{name: value})  # type: ignore[arg-type]


@pytest.mark.parametrize("option", ["width=0", "worlds=x", "time_ms=-1", "value=", "deep=2"])
def test_bad_options_in_a_name(option: str) -> None:
    with pytest.raises(RequestError, match=option.partition("=")[0]):
        make_bot(f"expectimax:{option}")


def test_depths_are_1_and_2() -> None:
    assert make_bot("expectimax:depth=1").name == "expectimax:depth=1"
    assert make_bot("expectimax").name == "expectimax:depth=2"
    with pytest.raises(RequestError, match="depth='3' must be 1 or 2"):
        make_bot("expectimax:depth=3")
    with pytest.raises(RequestError, match="depth=0 must be 1 or 2"):
        ExpectimaxBot(0)
