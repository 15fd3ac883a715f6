"""Searching over a value file: through whose eyes positions are seen, hands and limits of time."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sorry_env.bots.base import BatchRequest
from sorry_env.bots.chance import worlds_of
from sorry_env.bots.expectimax import ExpectimaxBot
from sorry_env.bots.registry import make_bot
from sorry_env.engine.determinize import determinize
from sorry_env.errors import ModelError
from sorry_env.game import Game
from tests.bots import models
from tests.bots.positions import game_of, request_after
from tests.bots.test_expectimax import played

#: What a game that a seat has just changed is worth to a seat.
Worth = Callable[[Game, int, int], float]


def worth_by_file(data: bytes) -> Worth:
    """As the documentation has it: the mover's eyes, turned round for the other of two sides."""

    def worth(game: Game, mover: int, seat: int) -> float:
        if game.over:
            return game.returns()[seat]
        teams = game.ruleset.teams != "none"
        near = mover == seat or (teams and (mover - seat) % 2 == 0)
        if near or teams or len(game.seats) == 2:
            value = float(models.value_by_weights(data, game.observation(mover)))
            return value if near else -value
        looked = game.observation(seat)
        (turn,) = (field for field in game.tables.layout if field.name == "turn")
        looked[turn.offset] = min((other - seat) % 4 for other in game.seats if other != seat)
        return float(models.value_by_weights(data, looked))

    return worth


def deep_by_hand(game: Game, worth: Worth) -> dict[int, float]:
    """Values of the legal actions two plies deep."""
    root, values = game.actor, {}
    for action in game.legal_actions().tolist():
        after = played(game, action)
        if after.over:
            values[action] = worth(after, root, root)
            continue
        values[action] = 0.0
        for name, chance in after.chances() or ((None, 1),):
            drawn = after.copy()
            if name is not None:
                drawn.draw(name)
            replies = [played(drawn, a) for a in drawn.legal_actions().tolist()]
            best = max(replies, key=lambda reply: worth(reply, drawn.actor, drawn.actor))
            values[action] += float(chance) * worth(best, drawn.actor, root)
    return values


@pytest.mark.parametrize(
    ("ruleset", "seats"),
    [
        ("classic", 2),
        ("classic", "red,blue,green"),
        ("classic", 4),
        ("teams", None),
        ("duel-1", None),
        ("fire-and-ice", 2),
        ("not-sorry", 2),
        ("way-sorry", 2),
    ],
)
def test_two_plies_are_a_slow_search(tmp_path: Path, ruleset: str, seats: Any) -> None:
    data = models.build_value(ruleset)
    bot = ExpectimaxBot(2, models.save(tmp_path, data), width=99)
    for steps in (40, 180):
        request = request_after(steps, ruleset, seats, size=3, seed=steps)
        found = bot.action_values(request)
        for row in range(3):
            by_hand = deep_by_hand(game_of(request, row), worth_by_file(data))
            assert {a: found[row, a] for a in by_hand} == pytest.approx(by_hand, abs=1e-5)


def next_by_hand(world: Game, root: int, action: int, worth: Worth) -> float:
    """What a move is worth when its side decides again, the others choosing by one ply."""
    teams = world.ruleset.teams != "none"
    game, mover = played(world, action), root
    while not game.over:
        if game.waiting:
            game.draw()
        mover = game.actor
        after = [played(game, a) for a in game.legal_actions().tolist()]
        best = max(after, key=lambda one: worth(one, mover, mover))
        if mover == root or (teams and (mover - root) % 2 == 0):
            return worth(best, mover, mover)
        game = best
    return worth(game, mover, root)


@pytest.mark.parametrize(
    ("ruleset", "seats"), [("points", 2), ("points", 3), ("points?teams=four", None)]
)
def test_hands_are_played_on_in_worlds(tmp_path: Path, ruleset: str, seats: Any) -> None:
    data = models.build_value(ruleset)
    bot = ExpectimaxBot(2, models.save(tmp_path, data), width=99, worlds=3)
    for steps in (9, 60):
        request = request_after(steps, ruleset, seats, size=2, seed=steps)
        found = bot.action_values(request)
        for row in range(2):
            seen = request.games[row : row + 1]
            actor = int(seen["actor"][0])
            worlds = worlds_of(request.tables, seen, 3, bot.secret)
            for action in np.flatnonzero(request.mask[row])[::4].tolist():
                values = []
                for world in worlds:
                    record = np.zeros(1, world.dtype)
                    record[0] = world
                    game = Game.from_state(request.tables, record)
                    values.append(next_by_hand(game, actor, action, worth_by_file(data)))
                assert found[row, action] == pytest.approx(np.mean(values), abs=1e-5)


def in_other_worlds(request: BatchRequest) -> BatchRequest:
    """The same decisions with the hidden cards dealt otherwise and other luck."""
    games = request.games.copy()
    for row in range(len(games)):
        one = games[row : row + 1]
        random = np.random.default_rng(row + 1)
        games[row] = determinize(request.tables, one, int(one["actor"][0]), random)[0]
    return BatchRequest(request.tables, games, request.observation, request.mask)


def test_hidden_cards_make_no_difference(tmp_path: Path) -> None:
    bot = ExpectimaxBot(2, models.save(tmp_path, models.build_value("points")), worlds=4)
    request = request_after(30, "points", 3, size=8, seed=5)
    other = in_other_worlds(request)
    assert np.array_equal(bot.distribution(request), bot.distribution(other))
    assert np.array_equal(bot.action_values(request), bot.action_values(other), equal_nan=True)


def test_one_ply_is_the_value_bot(tmp_path: Path) -> None:
    path = models.save(tmp_path, models.build_value())
    request = request_after(50, "classic", 4, size=200, seed=3)
    plain = make_bot(f"value:{path}").distribution(request)
    for name in (f"expectimax:depth=1,value={path}", f"expectimax:value={path},width=1"):
        bot = make_bot(name)
        assert bot.name == name or "width" in name
        # No two positions of random weights are equal, and a win in sight is taken by one alone.
        same = (bot.distribution(request) == plain).all(axis=1)
        assert same.mean() > 0.97


def test_with_no_time_only_the_best_by_one_ply_is_looked_at(tmp_path: Path) -> None:
    path = models.save(tmp_path, models.build_value())
    request = request_after(50, size=12, seed=3)
    hasty = make_bot(f"expectimax:value={path},time_ms=0.000001")
    values = hasty.action_values(request)  # type: ignore[attr-defined]
    assert (np.isfinite(values).sum(axis=1) == 1).all()
    calm = ExpectimaxBot(2, path)
    deep = calm.action_values(request)
    at = np.isfinite(values)
    assert values[at] == pytest.approx(deep[at], abs=1e-6)
    for row in range(12):
        game = game_of(request, row)
        view = game.view(game.actor)
        assert calm.choose_within(view, 1e-6) == np.flatnonzero(at[row])[0]
        assert calm.choose_within(view, 1e6) == calm.choose(view)


def test_values_are_told_as_chances(tmp_path: Path) -> None:
    bot = ExpectimaxBot(2, models.save(tmp_path, models.build_value()))
    request = request_after(50, "classic", 3, size=5, seed=3)
    insight, values = bot.insight(request), bot.action_values(request)
    assert insight.values is not None and insight.value is not None
    # Of three the winner gets 1 and each other loses a half.
    assert insight.values == pytest.approx(np.clip((2 * values + 1) / 3, 0, 1), nan_ok=True)
    assert insight.value == pytest.approx(np.nanmax(insight.values, axis=1))


def test_a_file_for_another_game_is_refused(tmp_path: Path) -> None:
    path = models.save(tmp_path, models.build_value("classic", [2]))
    bot = make_bot(f"expectimax:value={path}")
    assert bot.rulesets == ("classic",)
    with pytest.raises(ModelError, match="trained with 2 seats, not with 3"):
        bot.choose_batch(request_after(5, "classic", 3, size=2))
    with pytest.raises(ModelError, match="trained for ruleset classic, not for teams"):
        bot.choose_batch(request_after(5, "teams", size=2))
    policy = models.save(tmp_path, models.build(), "policy.onnx")
    with pytest.raises(ModelError, match="input"):
        make_bot(f"expectimax:value={policy}")
