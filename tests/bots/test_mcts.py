"""Tree search: right in games that are solved, blind to hidden cards, the same for a seed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sorry_env.bots.base import BatchRequest
from sorry_env.bots.mcts import FIRST_WEIGHT, MctsBot
from sorry_env.bots.registry import make_bot
from sorry_env.bots.searching import Found
from sorry_env.engine.state import OVER
from sorry_env.engine.tables import RuleTables
from sorry_env.errors import ModelError, RequestError
from sorry_env.notation.moves import parse_move
from sorry_env.notation.position import read
from sorry_env.server.session import Session
from sorry_env.solve import Solution, solve
from tests.bots import models
from tests.bots.positions import game_of, request_after
from tests.bots.test_learned_search import in_other_worlds

EVERYTHING = [
    ("classic", 2),
    ("classic", 4),
    ("classic?play_out=true", 3),
    ("teams", None),
    ("teams-two", None),
    ("points", 2),
    ("points", 3),
    ("points?teams=four", None),
    ("fire-and-ice", 3),
    ("not-sorry", 3),
    ("not-sorry?answers=player", 2),
    ("bump-em", 4),
    ("way-sorry", 2),
    ("solo", None),
]


class Exact:
    """A solution of two seats as a judge that tells chances."""

    equal = 1e-9
    rulesets: tuple[str, ...] | None = None
    chances = True

    def __init__(self, solution: Solution) -> None:
        self.solution = solution

    def check(self, tables: RuleTables, counts: Any) -> None:
        """It is asked for nothing else."""

    def worth(
        self, tables: RuleTables, games: np.ndarray, roots: np.ndarray, movers: np.ndarray,
        seats: np.ndarray,
    ) -> np.ndarray:  # fmt: skip
        won = games["ranks"][np.arange(len(games)), seats] == 1
        worth = np.where(won, 1.0, -1.0)
        going = np.flatnonzero(games["phase"] != OVER)
        turned = np.where(games["turn"][going] == seats[going], 1.0, -1.0)
        worth[going] = turned * (2 * self.solution.values_before(games[going]) - 1)
        return worth


def choices(count: int) -> tuple[BatchRequest, Solution]:
    """Decisions of `duel-1` in which something is to be lost."""
    solution = solve("duel-1")
    request = request_after(30, "duel-1", size=4000, seed=2)
    worth, rows, _ = solution.action_values(request.games, request.mask)
    loss = np.array([np.ptp(worth[rows == row]) for row in range(4000)])
    some = np.argsort(-loss, kind="stable")[:count]
    assert loss[some].min() > 0.004
    return taken(request, some), solution


def taken(request: BatchRequest, rows: Any) -> BatchRequest:
    parts = (request.games[rows], request.observation[rows], request.mask[rows])
    return BatchRequest(request.tables, *parts)


def regret(bot: MctsBot, request: BatchRequest, solution: Solution) -> float:
    """What the bot's choices lose of a win, exactly, on the average."""
    chosen = bot.choose_batch(request)
    worth, rows, actions = solution.action_values(request.games, request.mask)
    losses = [
        worth[rows == row].max() - worth[(rows == row) & (actions == chosen[row])][0]
        for row in range(len(request))
    ]
    return float(np.mean(losses))


@pytest.mark.parametrize("playouts", ["greedy", "random"])
def test_more_simulations_come_nearer_to_the_optimum(playouts: str) -> None:
    request, solution = choices(24)
    few, many = (
        np.mean([regret(seeded(sims, seed, playouts), request, solution) for seed in range(2)])
        for sims in (6, 1500)
    )
    assert many < 0.35 * few
    assert many < 0.01


def seeded(sims: int, seed: int, playouts: str) -> MctsBot:
    bot = MctsBot(sims, playouts=playouts)
    bot.reset(seed)
    return bot


def test_by_exact_values_it_plays_exactly() -> None:
    request, solution = choices(24)
    assert regret(MctsBot(200, value=Exact(solution)), request, solution) < 2e-4


def test_a_win_is_taken() -> None:
    game = read("classic rH,rH,rH,58/-/57,yS,yS,yS/- r move 10 5.4.4.4.4.4.4.3.4.4.4 - -")
    view = game.view(game.actor)
    for name in ("mcts:sims=50", "mcts:sims=50,playouts=random"):
        assert make_bot(name).choose(view) == parse_move(game, "10:58-rH").action


@pytest.mark.parametrize(("ruleset", "seats"), EVERYTHING)
def test_every_ruleset_is_played(ruleset: str, seats: Any) -> None:
    for steps in (4, 90):
        request = request_after(steps, ruleset, seats, size=3, seed=steps)
        for playouts in ("greedy", "random"):
            bot = MctsBot(20, playouts=playouts)
            chosen = bot.choose_batch(request)
            assert request.mask[np.arange(3), chosen].all()
            insight = bot.insight(request)
            assert insight.chances is not None and insight.values is not None
            assert not insight.chances[~request.mask].any()
            assert insight.chances.sum(axis=1) == pytest.approx(np.ones(3))
            assert np.nanmin(insight.values, initial=0) >= 0
            assert np.nanmax(insight.values, initial=0) <= 1
            for row in range(3):
                game = game_of(request, row)
                assert bot.choose(game.view(game.actor)) in np.flatnonzero(request.mask[row])


@pytest.mark.parametrize("seats", [2, 3])
def test_hidden_cards_make_no_difference(seats: int) -> None:
    request = request_after(25, "points", seats, size=6, seed=5)
    other = in_other_worlds(request)
    hidden = game_of(request, 0), game_of(other, 0)
    assert hidden[0].view(hidden[0].actor).hands == hidden[1].view(hidden[1].actor).hands
    for name in ("mcts:sims=60", "mcts:sims=60,playouts=random"):
        bot = make_bot(name)
        first, second = bot.insight(request), bot.insight(other)
        assert np.array_equal(first.chances, second.chances)  # type: ignore[arg-type]
        for row in range(6):
            game = game_of(other, row)
            view = game.view(game.actor)
            assert bot.insight(BatchRequest.of_view(view)).chances is not None
            assert bot.choose(view) == bot.choose_batch(taken(request, [row]))[0]


def test_the_seed_decides() -> None:
    request = request_after(60, size=24, seed=1)
    bot = MctsBot(30, playouts="random")
    bot.reset(1)
    first, again = bot.insight(request).chances, bot.insight(request).chances
    assert np.array_equal(first, again)  # type: ignore[arg-type]
    bot.reset(2)
    assert not np.array_equal(bot.insight(request).chances, first)  # type: ignore[arg-type]
    bot.reset(1)
    assert np.array_equal(bot.insight(request).chances, first)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("ruleset", "seats"),
    [
        ("classic", 2),
        ("classic", 3),
        ("teams", None),
        ("points", 2),
        ("points", 4),
        ("fire-and-ice", 3),
        ("not-sorry", 2),
    ],
)
def test_values_are_searched_over(tmp_path: Path, ruleset: str, seats: Any) -> None:
    path = models.save(tmp_path, models.build_value(ruleset))
    bot = make_bot(f"mcts:sims=12,value={path}")
    assert bot.rulesets == (ruleset,)
    request = request_after(70, ruleset, seats, size=5, seed=3)
    chosen = bot.choose_batch(request)
    assert request.mask[np.arange(5), chosen].all()
    insight = bot.insight(request)
    assert insight.chances is not None
    asked = request.mask.sum(axis=1) > 1
    shares = insight.chances[asked] * 12
    assert shares == pytest.approx(np.rint(shares))
    other = bot.insight(in_other_worlds(request))
    assert np.array_equal(other.chances, insight.chances)  # type: ignore[arg-type]


def test_first_values_are_those_of_the_file(tmp_path: Path) -> None:
    path = models.save(tmp_path, models.build_value("classic", [2]))
    request = request_after(70, size=8, seed=3)
    found = make_bot(f"mcts:sims=1,value={path}").insight(request)
    by_one_ply = make_bot(f"expectimax:depth=1,value={path}").insight(request).values
    assert FIRST_WEIGHT > 0 and found.values is not None and found.chances is not None
    assert by_one_ply is not None
    # All but the one that the simulation went along.
    others = (found.chances == 0) & (request.mask.sum(axis=1) > 1)[:, None]
    assert others.sum() > 8
    assert found.values[others] == pytest.approx(by_one_ply[others], abs=1e-6, nan_ok=True)


def test_there_is_a_limit_of_time() -> None:
    request = request_after(60, size=4, seed=1)
    bot = make_bot("mcts:time_ms=0.001")
    shares = bot.insight(request).chances
    assert shares is not None and (shares * 32 == np.rint(shares * 32)).all()
    game = game_of(request, 0)
    calm = MctsBot(100_000)
    assert calm.choose_within(game.view(game.actor), 1.0) in game.legal_actions()
    told = calm.insight(BatchRequest.of_view(game.view(game.actor)))  # nothing is searched again
    assert told.chances is not None


def test_a_move_request_limits_the_time() -> None:
    limits = []

    class Watched(MctsBot):
        def search(self, request: BatchRequest, limit: float | None) -> Found:
            limits.append(limit)
            return super().search(request, limit)

    position = "classic 30,12,rS,rS/-/20,yS,yS,yS/- r move 8 5.4.4.4.4.4.3.4.4.4.4 - -"
    session = Session(Watched(40, time_ms=3000), seed=1)
    for given in (None, 5, 100_000, 0):
        row = {"type": "move", "position": position}
        answer = session.answer(row if given is None else row | {"time_ms": given})
        assert answer["move"] in {one["move"] for one in answer["candidates"]}
        assert sum(one["p"] for one in answer["candidates"]) == pytest.approx(1, abs=1e-5)
    # Each was asked once: what it thinks is told by the search that chose.
    assert limits == [3000, 5, 3000, 0]


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"sims": 0}, "sims=0 must be 1 or more"),
        ({"playouts": "clever"}, "playouts='clever' must be one of greedy, random"),
        ({"explore": -1.0}, "explore=-1.0 must be 0 or more"),
        ({"time_ms": 0.0}, "time_ms=0.0 must be above 0"),
    ],
)
def test_options_are_checked(options: dict[str, Any], reason: str) -> None:
    with pytest.raises(RequestError, match=reason):
        MctsBot(**options)


def test_a_value_must_tell_chances_of_this_game(tmp_path: Path) -> None:
    path = models.save(tmp_path, models.build_value("classic", [2]))
    with pytest.raises(ModelError, match="trained with 2 seats, not with 4"):
        make_bot(f"mcts:value={path}").choose_batch(request_after(5, "classic", 4, size=2))
    with pytest.raises(RequestError, match="without a value"):
        make_bot(f"mcts:value={path},playouts=random")
