"""What a bot is shown, and how each of its two methods follows from the other."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from sorry_env.bots.base import BatchRequest, Bot
from sorry_env.bots.greedy import GreedyBot
from sorry_env.bots.random import RandomBot
from sorry_env.errors import MoveError, RequestError
from sorry_env.game import Game, View
from tests.bots.positions import game_of, request_after


class Last(Bot):
    """Written the short way: the last legal action."""

    def choose(self, view: View) -> int:
        return int(view.legal_actions()[-1])


class LastInBatches(Bot):
    """The same written for batches."""

    def choose_batch(self, request: BatchRequest) -> np.ndarray:
        backwards: np.ndarray = request.mask[:, ::-1].argmax(axis=1)
        return np.asarray(request.mask.shape[1] - 1 - backwards, np.int32)


@pytest.mark.parametrize("ruleset", ["classic", "teams", "duel-2", "solo", "points", "not-sorry"])
def test_one_method_is_enough(ruleset: str) -> None:
    request = request_after(40, ruleset)
    by_views, by_batch = Last(), LastInBatches()
    chosen = by_views.choose_batch(request)
    assert chosen.dtype == np.int32 and chosen.shape == (64,)
    assert np.array_equal(chosen, by_batch.choose_batch(request))
    for row in range(8):
        view = game_of(request, row).view()
        assert by_views.choose(view) == by_batch.choose(view) == chosen[row]


def test_a_bot_that_defines_neither_method_is_refused_when_it_is_made() -> None:
    class Silent(Bot):
        name = "silent"

    with pytest.raises(TypeError, match="Silent must define choose or choose_batch"):
        Silent()
    Silent.choose = last_legal  # type: ignore[method-assign]
    assert Silent().name == "silent"


def last_legal(self: Bot, view: View) -> int:
    del self
    return int(view.legal_actions()[-1])


def test_a_bot_is_called_by_its_class_unless_it_has_a_name() -> None:
    assert Last().name == "Last"
    assert RandomBot().name == "random"
    assert repr(GreedyBot()) == "<GreedyBot greedy>"


def test_requests_hold_no_random_state_and_leave_the_games_alone() -> None:
    batch_games = Game(seed=5).state
    before = batch_games.tobytes()
    game = Game(seed=5)
    request = BatchRequest(game.tables, batch_games, game.observation()[None], game.mask()[None])
    assert request.games["rng"].tolist() == [0]
    request.games["pawns"] = 7
    assert batch_games.tobytes() == before


def test_the_views_of_a_request_are_of_the_seat_that_decides() -> None:
    request = request_after(33, "classic", "red,blue,green")
    for row, view in enumerate(request.views()):
        assert view.seat == view.actor == request.games[row]["actor"]
        assert int(view.state[0]["rng"]) == 0
        assert np.array_equal(view.observation(), request.observation[row])
        assert np.array_equal(view.mask(), request.mask[row])


@pytest.mark.parametrize("bot", [RandomBot(), GreedyBot(), LastInBatches()])
def test_two_games_that_differ_in_hidden_things_only_get_the_same_answer(bot: Bot) -> None:
    game, twin = Game(seed=1), Game(seed=1)
    twin.state["rng"] = 99
    bot.reset(4)
    first = bot.choose(game.view(game.actor))
    bot.reset(4)
    assert bot.choose(twin.view(twin.actor)) == first


def test_there_must_be_something_to_choose() -> None:
    game = Game(seed=1)
    with pytest.raises(RequestError, match="seat 0 is to choose, not seat 2"):
        RandomBot().choose(game.view(2))
    waiting = Game(seed=1, draw=False)
    with pytest.raises(RequestError, match="a card must be drawn first"):
        RandomBot().choose(waiting.view())


@pytest.mark.parametrize("answer", [-1, 179, 10**30, 2.5, "pass", None, True, np.float32(1)])
def test_an_answer_that_is_no_action_is_told_with_the_bot_and_the_answer(answer: Any) -> None:
    class Liar(Bot):
        name = "liar"

        def choose(self, view: View) -> int:
            return answer  # type: ignore[no-any-return]

    with pytest.raises(MoveError, match="bot liar chose") as caught:
        Liar().choose_batch(request_after(3, size=2))
    assert caught.value.value is answer
