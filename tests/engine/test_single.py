"""Positions after moves, and one step of one game, against `Game`, one thing at a time."""

from __future__ import annotations

import numpy as np
import pytest

from sorry_env import notation
from sorry_env.engine import single
from sorry_env.engine.afterstate import expand
from sorry_env.engine.batch import Batch
from sorry_env.engine.state import WORK
from sorry_env.game import Game
from sorry_env.rules import EDITIONS
from tests.engine.support import pick, size


@pytest.mark.parametrize("name", [*EDITIONS, "classic?play_out=true", "teams?switch_slides=both"])
def test_afterstates_are_what_game_plays(name: str) -> None:
    batch = Batch(name, None, 3, seed=21)
    for _ in range(size(12, 4)):
        batch.random_steps(size(25, 8))
        games, masks = batch.games.copy(), batch.mask.copy()
        after, rows, actions = expand(batch.tables, games, masks)
        assert (games == batch.games).all() and (masks == batch.mask).all()
        assert len(after) == masks.sum()
        expected = [(i, a) for i in range(3) for a in np.flatnonzero(masks[i])]
        assert list(zip(rows.tolist(), actions.tolist(), strict=True)) == expected
        for state, row, action in zip(after, rows, actions, strict=True):
            game = Game.from_state(batch.tables, games[row : row + 1])
            game.play(int(action), draw=False)
            assert game.state.tobytes() == state.tobytes()
            # A decision ends in chance, unless more is decided about the same card.
            ends = not any(c.question or c.fire or c.ice or c.repeat for c in game.ruleset.cards)
            assert game.over or game.waiting or not ends


def test_afterstates_of_a_game_that_is_over() -> None:
    game = Game("duel-1", seed=1)
    for _ in range(5000):
        if not game.over:
            game.play(int(game.legal_actions()[0]))
    assert game.over
    after, rows, actions = expand(game.tables, game.state, game.mask()[None])
    assert len(after) == len(rows) == len(actions) == 0


DECIDED = [
    "classic", "teams", "duel-1", "classic?play_out=true&pawns=1", "points", "teams?hand=5",
    "fire-and-ice", "not-sorry", "not-sorry?answers=player&questions=20", "bump-em", "way-sorry",
]  # fmt: skip


@pytest.mark.parametrize("name", DECIDED)
def test_deciding_is_playing_drawing_and_looking(name: str) -> None:
    game = Game(name, seed=5)
    twin = game.copy()
    tables = game.tables
    facts, actions = (array.copy() for array in tables.arrays)
    seen = np.empty(tables.observation_size, np.int8)
    mask, work = game.mask(), np.empty(2, WORK)
    limit = size(400, 60)

    def decide(action: int) -> int:
        return int(single.decide(facts, actions, twin.state, 0, action, limit, seen, mask, work))

    step = 0
    status = game.actor
    while status < single.FINISHED:
        for bad in (-1, len(mask), len(mask) + 100, *np.flatnonzero(~mask)[:5]):
            before = twin.state.tobytes(), mask.tobytes()
            assert decide(int(bad)) == single.ILLEGAL
            assert before == (twin.state.tobytes(), mask.tobytes())
        action = int(pick(mask[None], step)[0])
        step += 1
        game.play(action, draw=False)
        if game.waiting and game.plies < limit:
            game.draw()
        status = decide(action)
        assert twin.state.tobytes() == game.state.tobytes()
        assert (mask == game.mask()).all() or (status == single.TRUNCATED and not mask.any())
        assert (seen == game.observation()).all()
        if game.over:
            assert status == single.FINISHED
        else:
            assert status == (single.TRUNCATED if game.plies == limit else game.actor)
    assert not mask.any()


def test_more_moves_than_a_signed_byte_counts() -> None:
    # Eight pawns of a team on the board: 28 pairs, six divisions of a 7 each, and seven with one.
    line = "teams 59,50,37,28/bS,bS,bS,bS/22,20,6,55/gS,gS,gS,gS r move 7 5.4.4.4.4.3.4.4.4.4.4 - -"
    game = notation.read(line, seed=1)
    texts = notation.legal_texts(game)
    assert len(set(texts)) == len(texts) == int(game.mask().sum()) > 150
    assert "pass" not in texts
