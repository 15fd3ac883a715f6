"""Means, prices, rollouts and matches against closed forms and against the exact tables."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from benchmarks.strategy.__main__ import main
from benchmarks.strategy.advice import ADVICE
from benchmarks.strategy.decisions import clustered, play, test_advice
from benchmarks.strategy.examples import EXAMPLES, after_move, measure
from benchmarks.strategy.matches import FOLLOW, FORBID, AdvisedBot, obey
from benchmarks.strategy.squares import exchange, put_everywhere
from benchmarks.strategy.worth import ExactWorth, find_worth, path_of
from sorry_env.bots.greedy import progress
from sorry_env.engine.tables import compile_rules
from sorry_env.errors import ModelError
from sorry_env.notation.position import read
from sorry_env.solve import evaluate

check_advice = test_advice
del test_advice  # it is no test


@pytest.fixture(scope="module")
def duel() -> ExactWorth:
    return ExactWorth("duel-1", (0, 2))


class StepsWorth:
    """A thousandth of a win for each own step, half of that for each of the opponent's."""

    name, equal, seats = "steps", 1e-9, (0, 2)

    def __init__(self) -> None:
        self.tables = compile_rules("classic")

    def after(self, games: np.ndarray, movers: np.ndarray) -> np.ndarray:
        steps = progress(games)
        own = steps[np.arange(len(games)), movers]
        worth: np.ndarray = 0.5 + 0.001 * own - 0.0005 * (steps.sum(axis=1) - own)
        return worth

    def deeper(self, games: np.ndarray, mask: np.ndarray) -> np.ndarray:
        return np.where(mask, 0.0, np.nan)


def test_the_spread_is_that_of_games() -> None:
    # One item a game: the usual standard error of 0, 0, 1, 1.
    mean = clustered(np.array([0.0, 0.0, 1.0, 1.0]), np.ones(4))
    assert mean.mean == 0.5
    assert mean.half == pytest.approx(1.959964 * (1 / 3) ** 0.5 / 2, abs=1e-6)
    # Ten times the same items in each game tell no more than one of them.
    many = clustered(np.array([0.0, 0.0, 10.0, 10.0]), np.full(4, 10))
    assert (many.mean, many.half) == pytest.approx((mean.mean, mean.half))
    assert np.isnan(clustered(np.zeros(3), np.zeros(3)).mean)


def test_what_a_step_is_worth_is_found_again() -> None:
    own, rates = exchange(StepsWorth(), 4, 1)
    assert own.mean == pytest.approx(0.001) and own.half == pytest.approx(0.0, abs=1e-9)
    ((name, rate),) = rates
    assert name == "the leading opponent's"
    assert rate.mean == pytest.approx(0.5) and rate.half == pytest.approx(0.0, abs=1e-6)


def test_games_are_counted_once_each(duel: ExactWorth) -> None:
    numbers = np.concatenate([number for number, _, _ in play(duel, 300, 1)])
    assert numbers.min() >= 0 and numbers.max() < 300


def test_a_pawn_on_every_square(duel: ExactWorth) -> None:
    game = read("duel-1 20/-/50/- y move ? * - -")
    chance = put_everywhere(duel, game.state, np.array([0]), np.array([0]))[0]
    # Triangles of the other three sides, where pawns slide on, as Red counts; 50 is taken; Home
    # would have ended the game.
    slides = [(square - 3) % 60 + 1 for square in (16, 24, 31, 39, 46, 54)]
    assert np.flatnonzero(np.isnan(chance)).tolist() == sorted([*slides, 48, 66])
    # Yellow is to draw: Red's chance is what is left.
    there = read("duel-1 30/-/50/- y move ? * - -")
    value = duel.solution.values_before(there.state)[0]
    assert chance[28] == pytest.approx(1.0 - value)


def test_games_played_on_agree_with_the_exact_difference(duel: ExactWorth) -> None:
    example = next(e for e in EXAMPLES if e.position.startswith("duel-1 3/"))
    found = measure(duel, example, 4000, 1)
    exact = found.one - found.other
    assert found.deep == pytest.approx(exact)
    assert found.played is not None and found.played.half < 0.03
    assert abs(found.played.mean - exact) < found.played.half
    # Stopped after a few decisions and valued there, with less luck in it.
    short = measure(duel, example, 4000, 1, plies=6).played
    assert short is not None and short.half < found.played.half / 2
    assert abs(short.mean - exact) < 1.5 * short.half


def test_a_won_game_is_worth_a_win(duel: ExactWorth) -> None:
    game = read("duel-1 r5/-/50/- r move 1 * - -")
    after = after_move(game, "1:r5-rH")
    assert duel.after(after, np.array([0])).tolist() == [1.0]


@pytest.mark.parametrize("how", [FOLLOW, FORBID])
def test_what_obeying_costs_is_what_the_tables_say(duel: ExactWorth, how: str) -> None:
    advice = ADVICE["hit-at-cost"]
    exact = evaluate(duel.solution, AdvisedBot(duel, advice, how)).lost
    found = obey(duel, advice, how, 6000, 1)
    assert exact > 0.005
    assert abs(found.by_values.mean + exact) < 1.2 * found.by_values.half < 0.2 * exact
    assert abs(found.wins.mean + exact) < 1.5 * found.wins.half


def test_forbidden_moves_are_not_played(duel: ExactWorth) -> None:
    game = read("duel-1 3/-/50/- r move 10 * - -")
    back, on = (int(m.action) for m in sorted(game.legal_moves(), key=lambda m: -m.parts[0].end))
    bots = [AdvisedBot(duel, ADVICE["back-home"], how) for how in (FOLLOW, FORBID)]
    assert [bot.choose(game.view(0)) for bot in bots] == [back, on]
    assert AdvisedBot(duel).choose(game.view(0)) == back  # it is the better move


def test_gains_are_differences_of_exact_values(duel: ExactWorth) -> None:
    found = check_advice(duel, {"back-home": ADVICE["back-home"]}, 600, 1)["back-home"]
    assert len(found.game) > 5 and found.best.mean == 1.0
    assert found.deep == pytest.approx(found.gain)
    assert found.always.mean == 0.0 and found.never.mean < 0.0


@pytest.mark.parametrize(
    "table", ["games", "squares", "circles", "exchange", "examples", "policy back-home"]
)
def test_the_command_prints_tables(table: str, capsys: pytest.CaptureFixture[str]) -> None:
    main([*table.split(), "--ruleset", "duel-1", "--games", "60"])
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) > 2 and len({line.count("|") for line in lines}) == 1


def test_values_are_files_or_shipped() -> None:
    assert path_of("runs/td/value.onnx") == Path("runs/td/value.onnx")
    root = Path(__file__).resolve().parents[2]
    assert path_of("best:classic-2") == root / "checkpoints" / "classic-2" / "value.onnx"
    with pytest.raises(ModelError, match="greedy"):
        find_worth("greedy", "classic", 2)
