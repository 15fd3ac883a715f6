"""Drawn rulesets in every front: words, pictures, undo, records, the batch engine, a match.

That their moves are right is shown in `test_drawn_rulesets.py`; here that nothing else stumbles
over a ruleset that nobody has thought of.
"""

from __future__ import annotations

import numpy as np
import pytest

from sorry_env import notation
from sorry_env.arena import play_match
from sorry_env.engine.audit import audit
from sorry_env.engine.batch import Batch
from sorry_env.game import Game
from sorry_env.notation import Record, Recorder, read_records
from sorry_env.render import ansi, svg
from sorry_env.rules import Ruleset, player_names
from tests.contract.drawn import draw_pair

PLIES = 60


def recorded(ruleset: Ruleset, seats: int, seed: int) -> Record:
    """The record of some random decisions, with everything that a person is shown on the way."""
    game = Game(ruleset, seats, seed=seed)
    choices = np.random.default_rng(seed)
    players = dict.fromkeys(player_names(ruleset, game.seats), "somebody")
    recorder = Recorder(game, players, seed=seed, name="drawn", legal=True)
    while not game.over and game.plies < PLIES:
        moves = game.legal_moves()
        words = [notation.move_words(game, move) for move in moves]
        assert all(words)
        if game.plies % 20 == 0:
            view = game.view(game.actor)
            assert ansi(view, colour=False) and svg(view).startswith("<svg")
        move = moves[int(choices.integers(len(moves)))]
        recorder.decision(move)
        before = game.state.tobytes()
        game.play(move)
        game.undo()
        assert game.state.tobytes() == before
        game.play(move, draw=game.plies + 1 < PLIES)
    return recorder.finish(None if game.over else "truncated")


@pytest.mark.parametrize("seed", range(14))
def test_every_front_has_a_drawn_ruleset(seed: int) -> None:
    ruleset = draw_pair(seed).ruleset
    seats = ruleset.seat_choices[-1]
    record = recorded(ruleset, seats, seed)
    (again,) = read_records(list(record.lines()))
    assert again.header["ruleset"] == ruleset.edition and len(again.moves) == len(record.moves)
    batch = Batch(ruleset, seats, 8, seed=seed)
    batch.random_steps(100)
    assert [audit(batch.tables, game) for game in batch.games] == [[]] * 8
    agents = len(player_names(ruleset, range(seats)))
    if agents > 1:
        bots = ["greedy", *["random"] * (agents - 1)]
        assert play_match(bots, ruleset, seats, games=2 * agents, seed=1).games == 2 * agents
