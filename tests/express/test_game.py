"""`ExpressGame`: taking back, copies, records from outside, and what an illegal move is told."""

from __future__ import annotations

import copy
import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from sorry_env.errors import MoveError, PositionError, RequestError
from sorry_env.express import ExpressGame
from sorry_env.express.audit import audit
from tests.express.support import MIDDLE, at, random_positions


@pytest.mark.parametrize("players", [2, 3, 4])
def test_undo_goes_back_to_the_very_bytes(players: int) -> None:
    rng = random.Random(players)
    game = ExpressGame(players, seed=players)
    records = []
    while not game.over:
        records.append(game.state.tobytes())
        game.play(rng.choice(game.legal_moves()))
    for record in reversed(records):
        game.undo()
        assert game.state.tobytes() == record
    with pytest.raises(RequestError):
        game.undo()


def test_copies_are_independent_and_go_on_alike() -> None:
    game = ExpressGame(3, seed=1)
    twin, third = game.copy(), copy.copy(game)
    for one in (game, twin, third):
        for _ in range(12):
            one.play(one.legal_moves()[0])
    assert game.state.tobytes() == twin.state.tobytes() == third.state.tobytes()
    game.play(game.legal_moves()[0])
    assert game.state.tobytes() != twin.state.tobytes()
    twin.undo()


def test_the_same_seed_is_the_same_game() -> None:
    games = [ExpressGame(2, seed=8), ExpressGame("2", seed=8), ExpressGame((0, 1), seed=8)]
    assert len({game.state.tobytes() for game in games}) == 1
    assert ExpressGame(2, seed=9).state.tobytes() != games[0].state.tobytes()


@pytest.mark.parametrize("players", [2, 3, 4])
def test_masked_actions_apply_and_all_others_raise(players: int) -> None:
    for game in random_positions(players, seed=60 + players, count=25):
        mask, before = game.mask(), game.state.tobytes()
        for action in range(game.tables.num_actions):
            if mask[action]:
                game.copy().play(action)
                continue
            with pytest.raises(MoveError):
                game.play(action)
        assert game.state.tobytes() == before


@pytest.mark.parametrize("action", [-1, 133, 1.0, True, None, "1:none"])
def test_what_is_no_action_is_refused(action: Any) -> None:
    game = at(f"{MIDDLE} 0 1=b,3=L -")
    before = game.state.tobytes()
    with pytest.raises(MoveError):
        game.play(action)
    assert game.state.tobytes() == before


def test_an_illegal_action_is_told_what_is_legal() -> None:
    game = at(f"{MIDDLE} 0 1=b -")
    with pytest.raises(MoveError) as caught:
        game.play(0)
    for said in ("1:r<pool", "seat 0", "dice 1=b", "1:none"):
        assert said in caught.value.message
    waiting = at(f"{MIDDLE} 0 ? -")
    with pytest.raises(MoveError, match="the dice must be rolled"):
        waiting.play(0)


def test_a_move_of_another_position_is_refused() -> None:
    move = at("r:1.0.0.0/b:0.1.0.0/y:0.0.1.0 3.3.3.4 0 1=S -").legal_moves()[0]
    game = at("r:1.0.0.0/y:0.1.1.0/y:0.0.0.0 3.3.3.4 0 1=S -")
    with pytest.raises(MoveError, match="another position"):
        game.play(move)


SPOILT: dict[str, tuple[Callable[[np.ndarray], None], str]] = {
    "one player": (lambda s: s["seats"].__setitem__(0, 1), "1 players"),
    "five players": (lambda s: s["seats"].__setitem__(0, 5), "5 players"),
    "a third base": (lambda s: s["home"][0].__setitem__(2, 1), "seat 2"),
    "no Home": (lambda s: s["home"][0].__setitem__(1, -1), "seat 1"),
    "a Home of no colour": (lambda s: s["home"][0].__setitem__(1, 4), "seat 1"),
    "a turn of nobody": (lambda s: s["turn"].__setitem__(0, 2), "turn is 2"),
    "another decides": (lambda s: s["actor"].__setitem__(0, 1), "decides"),
    "five pawns": (lambda s: s["pool"][0].__setitem__(0, 4), "4 pawns"),
    "a negative count": (lambda s: s["held"][0, 0].__setitem__(3, -1), "4 pawns"),
    "pawns of nobody": (lambda s: s["held"][0, 3].__setitem__(3, 1), "nobody sits"),
    "a face of another die": (lambda s: s["dice"][0].__setitem__(0, 6), "face L"),
    "no face at all": (lambda s: s["dice"][0].__setitem__(0, 9), "face 9"),
    "a code below all": (lambda s: s["dice"][0].__setitem__(0, -3), "-3"),
    "half a roll": (lambda s: s["dice"][0].__setitem__(1, -2), "all three"),
    "no dice left": (lambda s: s["dice"][0].__setitem__(slice(3), -1), "dice must be left"),
    "no phase": (lambda s: s["phase"].__setitem__(0, 2), "phase 2"),
    "over with dice": (lambda s: s["phase"].__setitem__(0, 1), "none when it is over"),
    "a winner too early": (lambda s: s["winner"].__setitem__(0, 0), "has won"),
    "negative decisions": (lambda s: s["plies"].__setitem__(0, -1), "below 0"),
}


@pytest.mark.parametrize("name", SPOILT)
def test_records_that_no_game_can_be_in(name: str) -> None:
    spoil, said = SPOILT[name]
    game = at(f"{MIDDLE} 0 1=b,2=S,3=L -")
    state = game.state.copy()
    spoil(state)
    with pytest.raises(PositionError) as caught:
        ExpressGame.from_state(game.tables, state)
    assert said in caught.value.message


def test_records_of_play_have_no_fault() -> None:
    for players in (2, 3, 4):
        for game in random_positions(players, seed=80 + players, count=300):
            assert audit(game.tables, game.state) == []
    with pytest.raises(PositionError):
        ExpressGame.from_state(game.tables, np.zeros(1))
