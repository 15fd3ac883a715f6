"""`Batch.afterstates`: what `Game` says of every legal action, in one reused buffer."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from sorry_env.engine.afterstate import expand
from sorry_env.engine.batch import Batch
from sorry_env.express.batch import ExpressBatch
from sorry_env.express.game import ExpressGame
from sorry_env.game import Game
from tests.engine.support import pick, size

RULESETS: tuple[tuple[str, Any], ...] = (
    ("classic", 2),
    ("teams", None),
    ("points", 3),
    ("fire-and-ice", 4),
    ("not-sorry", 3),
    ("bump-em?pawns=2", 2),
    ("way-sorry", 2),
)


@pytest.mark.parametrize(("name", "seats"), RULESETS)
def test_they_are_what_the_game_plays_without_a_draw(name: str, seats: Any) -> None:
    batch = Batch(name, seats, 3, seed=4)
    for step in range(size(60, 8)):
        games = batch.games.copy()
        after = batch.afterstates()
        assert (batch.games == games).all()
        n = 0
        for row in range(batch.size):
            for action in np.flatnonzero(batch.mask[row]).tolist():
                game = Game.from_state(batch.tables, games[row : row + 1])
                mover = game.actor
                game.play(action, draw=False)
                assert (after.row[n], after.action[n]) == (row, action)
                assert after.games[n : n + 1].tobytes() == game.state.tobytes()
                assert (after.observation[n] == game.observation(mover)).all()
                n += 1
        assert n == len(after.row) == len(after.games) == len(after.action)
        batch.step(pick(batch.mask, step))


def test_a_finished_game_is_among_them() -> None:
    batch = Batch("duel-1", 2, 200, seed=3)
    finished = 0
    for _ in range(size(60, 40)):
        after = batch.afterstates()
        finished += int((after.games["ranks"] > 0).any(axis=1).sum())
        batch.random_steps(1)
    assert finished > 0


def test_the_buffer_is_reused_and_grows() -> None:
    batch = Batch("classic", 2, 50, seed=1)
    first = batch.afterstates()
    again = batch.afterstates()
    assert np.shares_memory(first.games, again.games)
    batch._buffers.mask[:] = False
    batch._buffers.mask[:, 0] = True  # passes: fewer positions than before
    assert len(batch.afterstates().row) == 50
    many = Batch("classic", 2, 50, seed=1)
    most = 0
    for _ in range(size(200, 10)):
        many.random_steps(1)
        count = len(many.afterstates().row)
        assert count == many.legal.sum()
        most = max(most, count)
    assert most > len(first.row)


@pytest.mark.parametrize("threads", [2, 3])
def test_threads_make_no_difference(threads: int) -> None:
    one, more = (Batch("classic", 4, 20, seed=2, threads=n) for n in (1, threads))
    for _ in range(size(30, 3)):
        one.random_steps(3)
        more.random_steps(3)
        for ours, theirs in zip(one.afterstates(), more.afterstates(), strict=True):
            assert ours.tobytes() == theirs.tobytes()
        after, rows, actions = expand(one.tables, one.games, one.mask)
        found = one.afterstates()
        assert after.tobytes() == found.games.tobytes()
        assert (rows == found.row).all() and (actions == found.action).all()


def test_the_dice_game_has_them_too() -> None:
    batch = ExpressBatch("express", 3, 2, seed=6)
    for step in range(size(40, 5)):
        after = batch.afterstates()
        n = 0
        for row in range(batch.size):
            for action in np.flatnonzero(batch.mask[row]).tolist():
                game = ExpressGame.from_state(batch.tables, batch.games[row : row + 1])
                mover = game.actor
                game.play(action, draw=False)
                assert after.games[n : n + 1].tobytes() == game.state.tobytes()
                assert (after.observation[n] == game.observation(mover)).all()
                n += 1
        assert n == len(after.row)
        batch.step(pick(batch.mask, step))
