"""A game that begins anew in a used record is a new game: no field is left over.

Every field that is not read when a game begins (who sits, the random state) is filled with what no
new game has, and must be gone, by every way in which a batch begins games.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from sorry_env.engine import single
from sorry_env.engine.batch import Batch
from sorry_env.engine.rng import seed_state
from sorry_env.engine.state import GAME
from sorry_env.express import ExpressGame
from sorry_env.express.batch import ExpressBatch
from sorry_env.express.state import EXPRESS_GAME
from sorry_env.game import Game
from sorry_env.rules import RULESETS

#: What a beginning reads, and bytes that are always 0.
KEPT = {"rng", "pawns", "spare", "spare_end", "seats"}


def use_up(games: np.ndarray) -> None:
    """Fill the fields with what was left by another game: 3 is no field's value in a new one."""
    for field in games.dtype.names or ():
        if field not in KEPT:
            games[field] = 3
    if "pawns" in (games.dtype.names or ()):
        games["pawns"][games["pawns"] >= 0] = 3


def reset(batch: Any) -> None:
    batch.reset(np.array([seed_state(5, row) for row in range(batch.size)], np.uint64))


def reset_rows(batch: Any) -> None:
    batch.reset_rows(
        np.arange(batch.size),
        np.array([seed_state(5, row) for row in range(batch.size)], np.uint64),
    )


@pytest.mark.parametrize("begin", [reset, reset_rows])
@pytest.mark.parametrize("name", list(RULESETS))
def test_a_batch_begins_new_games(name: str, begin: Callable[[Any], None]) -> None:
    fresh, used = (Batch(name, size=2, seed=5, first="random") for _ in range(2))
    used.random_steps(5)
    use_up(used._games)  # those that are handed out can only be read
    for array in used._buffers[:-1]:  # all but the scratch
        array.fill(1)
    begin(used)
    assert used.games.tobytes() == fresh.games.tobytes(), changed(used.games, fresh.games)
    for field in fresh.buffers._fields[:-1]:
        assert np.array_equal(getattr(used, field), getattr(fresh, field)), field


@pytest.mark.parametrize("begin", [reset, reset_rows])
@pytest.mark.parametrize("seats", [2, 4])
def test_a_batch_of_the_dice_game_begins_new_games(
    seats: int, begin: Callable[[Any], None]
) -> None:
    fresh, used = (ExpressBatch(seats=seats, size=2, seed=5, first="random") for _ in range(2))
    used.random_steps(5)
    use_up(used._games)  # those that are handed out can only be read
    for array in used._buffers[:-1]:
        array.fill(1)
    begin(used)
    assert used.games.tobytes() == fresh.games.tobytes(), changed(used.games, fresh.games)
    for field in fresh.buffers._fields[:-1]:
        assert np.array_equal(getattr(used, field), getattr(fresh, field)), field


@pytest.mark.parametrize("name", list(RULESETS))
def test_a_single_game_is_set_up_anew(name: str) -> None:
    fresh = Game(name, seed=7, draw=False)
    used = fresh.copy()
    use_up(used.state)
    used.state["rng"] = seed_state(7)
    single.set_up(used.tables.arrays, used.state, 0, fresh.turn)
    assert used.state.tobytes() == fresh.state.tobytes(), changed(used.state, fresh.state)


@pytest.mark.parametrize("skip_forced", [False, True])
@pytest.mark.parametrize("make", [Batch, ExpressBatch])
def test_a_game_that_follows_begins_as_the_first_one_did(make: Any, skip_forced: bool) -> None:
    """The seat that begins is the same in each game of a row; `random` draws it anew for each."""
    words: tuple[Any, ...] = ("classic",) if make is Batch else ()
    settings: dict[str, Any] = {"seed": 1, "max_plies": 4, "skip_forced": skip_forced}
    for first in range(3):
        batch = make(*words, seats=[(0, 1, 2)] * 4, size=4, first=first, **settings)
        for _ in range(12):
            batch.random_steps(1)
            begun = batch.games["plies"] == 0
            assert (batch.games["turn"][begun] == first).all()
        assert batch.length.max() == 4 or skip_forced
    batch = make(*words, seats=[(0, 1, 2)] * 64, size=64, first="random", **settings)
    batch.random_steps(4)
    begun = batch.games["turn"][batch.games["plies"] == 0]
    assert set(begun.tolist()) == {0, 1, 2}


def test_the_fields_that_are_filled_are_all_but_a_few() -> None:
    for dtype in (GAME, EXPRESS_GAME):
        assert {"plies", "draws", "turn", "phase"} <= set(dtype.names or ()) - KEPT
    assert {"happy", "punished", "hands", "asked"} <= set(GAME.names or ()) - KEPT
    assert ExpressGame().state.dtype == EXPRESS_GAME


def changed(one: np.ndarray, other: np.ndarray) -> list[str]:
    """The fields in which records differ."""
    return [name for name in one.dtype.names or () if (one[name] != other[name]).any()]
