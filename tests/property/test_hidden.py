"""What a seat cannot see has no influence on anything that it is shown or that a bot does for it.

The cards of the other hands and of the pile are dealt anew; for the seat nothing may change. Read
`test_play.py` before this file.
"""

from __future__ import annotations

import zlib
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sorry_env import notation
from sorry_env.bots.base import BatchRequest, Bot
from sorry_env.bots.greedy import GreedyBot
from sorry_env.bots.random import RandomBot
from sorry_env.engine.batch import Batch
from sorry_env.envs import raw_env
from sorry_env.errors import RequestError
from sorry_env.game import Game, View
from tests.property.dealing import dealt_anew

CASES = [
    ("points", "red,yellow"),
    ("points", "blue,yellow,green"),
    ("points", "red,blue,yellow,green"),
    ("points-1939", "red,blue"),
    ("points?teams=four", "red,blue,yellow,green"),
    ("classic?hand=7&pawns=2", "red,yellow"),
    ("waddingtons?hand=1", "red,blue,green"),
    ("points?hand=7", "red,blue,yellow,green"),
]
EXAMPLES = settings(max_examples=40)


class Snoop(Bot):
    """Takes everything that it is given into account, down to the last byte."""

    def choose(self, view: View) -> int:
        given = [view.state, view.observation(), view.mask()]
        texts = repr((view.hands, view.unseen, notation.write(view), view.seat))
        digest = zlib.crc32(b"".join(array.tobytes() for array in given) + texts.encode())
        legal = view.legal_actions()
        return int(legal[digest % len(legal)])


@st.composite
def games(draw: st.DrawFn) -> Game:
    """A game with hands after some random decisions, not yet over."""
    name, seats = draw(st.sampled_from(CASES))
    game = Game(name, seats, seed=draw(st.integers(0, 2**64 - 1)))
    choices = np.random.default_rng(draw(st.integers(0, 2**32)))
    for _ in range(draw(st.integers(0, 60))):
        before = game.copy()
        game.play(int(choices.choice(game.legal_actions())))
        if game.over:
            return before
    return game


@EXAMPLES
@given(games(), st.integers(0, 2**32))
def test_a_seats_view_does_not_change(game: Game, seed: int) -> None:
    for seat in game.seats:
        twin = dealt_anew(game, seat, seed)
        one, two = game.view(seat), twin.view(seat)
        assert one.state.tobytes() == two.state.tobytes()
        assert one.hands == two.hands and one.unseen == two.unseen
        assert one.hands is not None and one.hands[seat] == (game.hands or ())[seat]
        assert all(
            hand is None for s, hand in enumerate(one.hands) if s in game.seats and s != seat
        )
        assert notation.write(one) == notation.write(two)
        assert (one.observation() == two.observation()).all()
        assert (game.observation(seat) == twin.observation(seat)).all()
        assert (one.mask() == two.mask()).all()
        assert one.mask().any() == (seat == game.actor)
        with pytest.raises(RequestError):
            one.observation((seat + 1) % 4)


@EXAMPLES
@given(games(), st.integers(0, 2**32))
def test_bots_choose_the_same(game: Game, seed: int) -> None:
    twin = dealt_anew(game, game.actor, seed)
    bots: tuple[Bot, ...] = (RandomBot(), GreedyBot(), Snoop())
    for bot in bots:
        chosen = []
        for one in (game, twin):
            bot.reset(5)
            chosen.append(bot.choose(one.view(one.actor)))
            bot.reset(5)
            chosen.append(bot.choose(View(one.tables, one.state, one.actor)))
        assert len(set(chosen)) == 1
        assert game.mask()[chosen[0]]


@EXAMPLES
@given(games(), st.integers(0, 2**32))
def test_an_agent_is_shown_the_same(game: Game, seed: int) -> None:
    def shown(one: Game, agent: int) -> list[Any]:
        environment = raw_env(one.ruleset, one.seats)
        environment.reset(seed=1, options={"position": one})
        info = environment.infos[f"player_{agent}"]
        seen = environment.observe(f"player_{agent}")
        assert isinstance(seen, dict)
        mask = info.pop("action_mask")
        return [seen["observation"].tobytes(), seen["action_mask"].tobytes(), mask.tobytes(), info]

    for agent, seat in enumerate(game.seats):
        assert shown(game, agent) == shown(dealt_anew(game, seat, seed), agent)


@EXAMPLES
@given(games(), st.integers(0, 2**32))
def test_the_common_state_shows_no_hand(game: Game, seed: int) -> None:
    def state(one: Game) -> bytes:
        environment = raw_env(one.ruleset, one.seats)
        environment.reset(seed=1, options={"position": one})
        return environment.state().tobytes()

    assert state(game) == state(dealt_anew(game, -1, seed))


@pytest.mark.parametrize(("name", "seats"), CASES)
def test_requests_for_many_games_hide_as_views_do(name: str, seats: str) -> None:
    batch = Batch(name, seats, 64, seed=3)
    batch.random_steps(25)
    request = BatchRequest(batch.tables, batch.games, batch.observation, batch.mask)
    for row, actor in enumerate(batch.actor.tolist()):
        view = View(batch.tables, batch.games[row : row + 1], actor)
        assert request.games[row].tobytes() == view.state[0].tobytes()
        assert (request.observation[row] == view.observation()).all()
        assert (request.mask[row] == view.mask()).all()
    assert [view.state.tobytes() for view in request.views()] == [
        request.games[row : row + 1].tobytes() for row in range(len(request))
    ]
    again = BatchRequest(batch.tables, request.games, request.observation, request.mask)
    assert again.games.tobytes() == request.games.tobytes(), "hiding twice changes nothing"
