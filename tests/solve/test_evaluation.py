"""Exact evaluation: closed forms, inequalities that must hold, and simulated games."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from sorry_env.arena.match import play_match
from sorry_env.bots.base import BatchRequest, Bot
from sorry_env.bots.greedy import GreedyBot
from sorry_env.bots.random import RandomBot
from sorry_env.bots.registry import make_bot
from sorry_env.engine.batch import Batch
from sorry_env.errors import ModelError, MoveError, RequestError
from sorry_env.notation import read
from sorry_env.solve import Evaluation, Solution, evaluate, solve
from sorry_env.view import View
from tests.bots.models import build
from tests.bots.positions import request_after
from tests.solve.support import EITHER_WAY, ruleset_of


@pytest.fixture(scope="module")
def results(duel: Solution) -> dict[str, Evaluation]:
    return {name: evaluate(duel, make_bot(name)) for name in ("random", "greedy", "optimal")}


def exploitability(result: Evaluation) -> float:
    """Of two sides."""
    assert result.exploitability is not None
    return result.exploitability


# -- by hand --------------------------------------------------------------------------------------


def test_a_walk_at_random() -> None:
    """One step forward or back, each half of the time, as a policy plays it.

    With h(k) draws from code k: h(k) = 1 + (h(k-1) + h(k+1)) / 2 for k from 1 to 65, h(66) = 0, and
    a step back from 1 leads to 60. So h(k) = -k^2 + 60 k + 396 and h(2) = 512.
    """
    walk = solve(ruleset_of(EITHER_WAY))
    result = evaluate(walk, RandomBot())
    assert list(result.optimum) == pytest.approx([9])
    assert list(result.against_optimum) == pytest.approx([1 + 512])
    assert result.lost == pytest.approx(513 - 9)
    assert result.draws == pytest.approx(513)
    # Code k is visited so often that what is lost there adds up to the whole loss.
    assert result.regret_of_game == pytest.approx(513 - 9)
    assert result.regret_by_card == {"W": pytest.approx(513 - 9)}
    assert result.exploitability is None
    # Start is left at once and for good, with the only move there is.
    start = result.graph.state_of(walk.space.first())
    assert result.visits[start] == pytest.approx(1)
    assert result.regret[start] == pytest.approx(0)


def test_a_walk_that_never_comes_home() -> None:
    walk = solve(ruleset_of(EITHER_WAY))

    def back(request: BatchRequest) -> np.ndarray:
        # The last legal action is the step back: round and round before the zone.
        chances = np.zeros(request.mask.shape)
        last = request.mask.shape[1] - 1 - request.mask[:, ::-1].argmax(axis=1)
        chances[np.arange(len(request)), last] = 1.0
        return chances

    with pytest.raises(RequestError, match="back may never bring all pawns Home"):
        evaluate(walk, back)


# -- what must hold -------------------------------------------------------------------------------


def test_nobody_is_better_than_the_optimum(results: dict[str, Evaluation]) -> None:
    for result in results.values():
        for mine, best, worst in zip(
            result.against_optimum, result.optimum, result.against_best, strict=True
        ):
            # A best response gets at least what the optimum gets.
            assert 0 < worst <= mine + 1e-9 and mine <= best + 1e-9
        assert exploitability(result) >= result.lost - 1e-9 >= -2e-9
        assert (result.regret >= -1e-9).all() and (result.visits >= 0).all()
        assert sum(result.regret_by_card.values()) == pytest.approx(result.regret_of_game)
        assert sum(result.optimum) == pytest.approx(1)


def test_the_optimum_loses_nothing(results: dict[str, Evaluation]) -> None:
    result = results["optimal"]
    assert exploitability(result) == pytest.approx(0, abs=1e-9)
    assert result.lost == pytest.approx(0, abs=1e-9)
    assert result.regret_of_game == pytest.approx(0, abs=1e-9)
    assert result.worst() == []


def test_random_loses_by_choices_alone(results: dict[str, Evaluation]) -> None:
    # With one pawn a 10 and an 11 leave a choice; an 11 only where the other is on the track too.
    losing = {card for card, loss in results["random"].regret_by_card.items() if loss > 1e-9}
    assert losing == {"10", "11"}
    assert exploitability(results["greedy"]) < exploitability(results["random"])


def test_the_worst_positions_are_positions(results: dict[str, Evaluation]) -> None:
    result = results["random"]
    rows = result.worst(8)
    assert len(rows) == 8
    losses = [row["loss"] for row in rows]
    assert losses == sorted(losses, reverse=True)
    for row in rows:
        game = read(row["position"])
        state = result.graph.state_of(game.state)
        assert result.visits[state] == row["visits"] and result.regret[state] == row["regret"]
        assert row["loss"] == pytest.approx(row["visits"] * row["regret"])
    assert sum(losses) < result.regret_of_game


@pytest.mark.parametrize("name", ["random", "greedy"])
def test_games_come_out_as_evaluated(results: dict[str, Evaluation], name: str) -> None:
    n = 8000
    match = play_match([name, "optimal"], "duel-1", games=n, seed=8)
    expected = float(np.mean(results[name].against_optimum))
    assert abs(match.rate(0) - expected) < 4 * (0.25 / n) ** 0.5
    own = play_match([name, name], "duel-1", games=2000, seed=9)
    plies = own.outcomes["length"].astype(float)
    # Every draw is one decision here.
    assert abs(plies.mean() - results[name].draws) < 4 * plies.std() / len(plies) ** 0.5


def test_seats_side_by_side(beside: Solution) -> None:
    result = evaluate(beside, GreedyBot())
    assert list(result.optimum) == pytest.approx([beside.value(), 1 - beside.value()])
    assert 0 < result.lost <= exploitability(result) + 1e-9 < 0.1


# -- policies -------------------------------------------------------------------------------------


def test_a_function_is_a_policy(duel: Solution, results: dict[str, Evaluation]) -> None:
    result = evaluate(duel, GreedyBot().distribution, graph=results["greedy"].graph)
    assert result.name == "distribution"
    wanted = results["greedy"].to_dict() | {"policy": "distribution"}
    assert result.to_dict() == wanted


def test_a_bot_without_chances_is_certain() -> None:
    class Last(Bot):
        def choose(self, view: View) -> int:
            return int(view.legal_actions()[-1])

    request = request_after(40, "duel-2", size=50, seed=1)
    chances = Last().distribution(request)
    assert (chances.sum(axis=1) == 1).all()
    assert np.array_equal(chances.argmax(axis=1), Last().choose_batch(request))


@pytest.mark.parametrize("make", [RandomBot, GreedyBot])
def test_bots_choose_by_their_chances(make: type[Bot]) -> None:
    bot = make()
    one = request_after(60, "duel-2", size=64, seed=5)
    n = 1500
    counts = np.zeros(one.mask.shape)
    for _ in range(n):
        counts[np.arange(len(one)), bot.choose_batch(one)] += 1
    chances = bot.distribution(one)
    assert (counts[chances == 0] == 0).all()
    spread = np.sqrt(chances * (1 - chances) / n)
    assert (np.abs(counts / n - chances) <= 5 * spread).all()


def test_a_learned_policy_by_its_logits(tmp_path: Any, duel: Solution) -> None:
    path = tmp_path / "bot.onnx"
    path.write_bytes(build("duel-1", (2,), seed=3))
    batch = Batch("duel-1", None, 40, seed=1)
    batch.random_steps(30)
    request = BatchRequest(batch.tables, batch.games, batch.observation.copy(), batch.mask.copy())
    certain = make_bot(f"learned:{path}")
    assert np.array_equal(certain.distribution(request).argmax(1), certain.choose_batch(request))
    soft = make_bot(f"learned:{path}?sample=true,temperature=0.5")
    chances = soft.distribution(request)
    logits, _ = certain.policy.evaluate(request.observation, request.mask)  # type: ignore[attr-defined]
    weights = np.where(request.mask, np.exp(logits.astype(np.float64) / 0.5), 0)
    assert np.allclose(chances, weights / weights.sum(axis=1, keepdims=True), atol=1e-6)
    assert exploitability(evaluate(duel, certain)) > 0
    other = make_bot(f"learned:{path}")
    with pytest.raises(ModelError, match="was trained for ruleset duel-1"):
        evaluate(solve("solo?pawns=1"), other)


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (lambda r: r.mask[:, :3] * 1.0, r"chances of shape \(\d+, 20\), not \(\d+, 3\)"),
        (lambda r: r.mask * 0.25, "add up to 0.5"),
        (lambda r: np.where(r.mask, np.nan, 0.0), "add up to nan"),
        (lambda r: ~r.mask / (~r.mask).sum(axis=1, keepdims=True), "which is not legal there"),
    ],
)
def test_chances_that_are_none(duel: Solution, answer: Any, message: str) -> None:
    with pytest.raises(MoveError, match=message):
        evaluate(duel, answer)


def test_memory_is_checked_before_the_work(duel: Solution) -> None:
    with pytest.raises(RequestError, match="memory=0 must be above 0"):
        evaluate(duel, RandomBot(), memory=0)
