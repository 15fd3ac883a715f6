"""Kernels, action table, observation, chance and batch of the dice game."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sorry_env.errors import RequestError, RulesetError
from sorry_env.express import ExpressBatch, ExpressGame, single
from sorry_env.express.rules import EXPRESS, FACES
from sorry_env.express.state import EXPRESS_GAME
from sorry_env.express.tables import compile_rules, decode
from tests.engine.support import COMPILED, chi_square, chi_square_limit, pick, size
from tests.express.digest import digest
from tests.express.support import MIDDLE, at, random_positions

TABLES = compile_rules()


# -- the record, the actions, the observation -----------------------------------------------------


def test_a_game_is_a_small_record() -> None:
    assert EXPRESS_GAME.itemsize <= 128
    assert EXPRESS_GAME.fields is not None
    ends = [offset + dtype.itemsize for dtype, offset, *_ in EXPRESS_GAME.fields.values()]
    assert max(ends) == EXPRESS_GAME.itemsize


def test_the_action_table() -> None:
    # Per die: four colours with 1 + 3 places and a decline, none; Sorry! 3; Wild 16; Slide 16.
    assert TABLES.num_actions == 3 * (4 * 5 + 1) + 2 * 3 + 2 * 16 + 2 * 16
    assert len(set(TABLES.labels)) == TABLES.num_actions
    assert not TABLES.actions.flags.writeable
    for label in ("1:b<pool", "1:b<+2", "3:y<no", "1:S<+3", "3:W:g<pool", "2:L:+0>r", "2:none"):
        assert label in TABLES.labels


def test_a_label_names_the_same_move_from_every_seat() -> None:
    for turn, text in ((0, "1:S<1"), (1, "1:S<2"), (2, "1:S<0")):
        game = at(f"r:1.0.0.0/b:0.1.0.0/y:0.0.1.0 3.3.3.4 {turn} 1=S -")
        named = {TABLES.labels[a]: game.describe(int(a)) for a in game.legal_actions()}
        assert set(named) == {"1:S<+1", "1:S<+2"}
        assert named["1:S<+1"].seat == int(text[-1])


def test_the_layout_has_no_gaps() -> None:
    offset = 0
    for field in TABLES.layout:
        assert field.offset == offset and field.meaning
        offset += field.size
    assert offset == TABLES.observation_size


@pytest.mark.parametrize("players", [2, 3, 4])
def test_an_observation_decodes_to_the_view(players: int) -> None:
    for game in random_positions(players, seed=40 + players, count=200):
        for viewer in game.seats:
            seen = decode(TABLES.layout, game.view(viewer).observation())
            order = [(viewer + side) % players for side in range(players)]
            assert seen["home"].tolist() == [game.homes[s] for s in order] + [-1] * (4 - players)
            assert seen["held"][:players].tolist() == [list(game.held[s]) for s in order]
            assert not seen["held"][players:].any()
            assert tuple(seen["pool"].tolist()) == game.pool
            dice = {d: FACES[f] for d, f in enumerate(seen["dice"].tolist(), 1) if f >= 0}
            assert dice == game.dice
            assert (viewer + int(seen["turn"][0])) % players == game.turn
            assert bool(seen["phase"][0]) == game.over


def test_an_observation_out_of_bounds_is_refused() -> None:
    seen = ExpressGame(seed=1).observation()
    seen[0] = 4
    with pytest.raises(ValueError, match="home"):
        decode(TABLES.layout, seen)
    with pytest.raises(ValueError, match="shape"):
        decode(TABLES.layout, seen[:-1])


def test_the_view_shows_no_chance() -> None:
    game = ExpressGame(seed=1)
    assert game.view(0).state["rng"][0] == 0
    with pytest.raises(RequestError):
        game.view(0).observation(1)
    with pytest.raises(RequestError):
        game.view(2)


def test_dice_that_the_kernels_have_no_room_for_are_refused() -> None:
    for dice in (("rbygSW",) * 2, ("rbygS",) * 3, ("rbygSX",) * 3):
        with pytest.raises(RulesetError):
            compile_rules(replace(EXPRESS, dice=dice))


def test_other_dice_make_another_game() -> None:
    rules = replace(EXPRESS, name="slides", dice=("rrrbbb", "LLLLLL", "SSWWWW"))
    game = ExpressGame(2, seed=1, rules=rules)
    assert game.dice[2] == "L" and game.dice[1] in "rb" and game.dice[3] in "SW"
    game = ExpressGame(2, rules=rules, draw=False)
    assert dict(game.chances())["1=b,2=L,3=S"] == Fraction(1, 6)


# -- chance ---------------------------------------------------------------------------------------


def test_the_chances_of_all_rolls() -> None:
    chances = ExpressGame(draw=False).chances()
    assert len({roll for roll, _ in chances}) == len(chances) == 216
    assert {chance for _, chance in chances} == {Fraction(1, 216)}
    assert ExpressGame(seed=1).chances() == ()


def test_rolls_are_uniform_and_take_one_number_each() -> None:
    game = ExpressGame(seed=3, draw=False)
    waiting = game.state.copy()
    counts: Counter[str] = Counter()
    n = size(43_200, 4_320)
    for _ in range(n):
        single.draw(TABLES.arrays, game.state, 0)
        counts[game.card] += 1
        waiting["rng"] = game.state["rng"]
        game.state[:] = waiting
    observed = np.array([counts[roll] for roll, _ in game.chances()])
    assert observed.sum() == n
    assert chi_square(observed, np.ones(216)) < chi_square_limit(215)


def test_a_roll_can_be_chosen_and_a_wrong_one_changes_nothing() -> None:
    game = at(f"{MIDDLE} 0 ? -")
    before = game.state.tobytes()
    for wrong in ("1=b,2=S", "1=L,2=S,3=L", "2=S,1=b,3=L", "", "b,S,L", 7):
        with pytest.raises(RequestError):
            game.roll(wrong)  # type: ignore[arg-type]
    assert game.state.tobytes() == before
    game.roll("1=b,2=S,3=L")
    assert game.card == "1=b,2=S,3=L" and game.draws == 1
    with pytest.raises(RequestError, match="no roll is due"):
        game.roll()
    game = at(f"{MIDDLE} 0 1=b -")
    with pytest.raises(RequestError):
        game.play(game.legal_moves()[0], draw="1=b")
    game.play(game.legal_moves()[0], draw="1=y,2=y,3=y")
    assert game.turn == 1 and game.dice == {1: "y", 2: "y", 3: "y"}


# -- the batch ------------------------------------------------------------------------------------


@pytest.mark.skipif(not COMPILED, reason="both sides would be plain Python")
def test_compiled_equals_plain_python() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tests.express.digest"],
        cwd=Path(__file__).parents[2],
        env={**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": str(Path(__file__).parents[2])},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == digest()


@pytest.mark.parametrize("settings", [{}, {"skip_forced": True}, {"max_plies": 17}])
def test_a_row_of_many_is_a_batch_of_one(settings: dict[str, Any]) -> None:
    seats = [tuple(range(n)) for n in (2, 3, 4, 2, 3)]
    many = ExpressBatch(seats=seats, size=5, seed=2, threads=2, **settings)
    seeds = many.games["rng"].copy()
    ones = [ExpressBatch(seats=n, size=1, seed=2, **settings) for n in seats]
    many.reset(seeds)
    for i, one in enumerate(ones):
        one.reset(seeds[i : i + 1])
    for step in range(150):
        actions = pick(many.mask, step)
        many.step(actions)
        for i, one in enumerate(ones):
            one.step(actions[i : i + 1])
            assert many.games[i].tobytes() == one.games[0].tobytes()
            for ours, theirs in zip(many.buffers[:-1], one.buffers[:-1], strict=True):
                assert (ours[i] == theirs[0]).all()


@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_batch_plays_what_the_game_plays(players: int) -> None:
    batch = ExpressBatch(seats=players, size=1, seed=9)
    game = ExpressGame(players, seed=9)
    ended = 0
    for step in range(size(1_000, 200)):
        assert batch.games[0].tobytes() == game.state[0].tobytes()
        assert (batch.mask[0] == game.mask()).all() and batch.legal[0] == batch.mask[0].sum()
        assert (batch.observation[0] == game.observation()).all()
        assert batch.actor[0] == game.actor
        actions = pick(batch.mask, step)
        batch.step(actions)
        game.play(int(actions[0]))
        assert bool(batch.terminated[0]) == game.over
        assert tuple(batch.rewards[0].tolist()) == game.returns()
        assert batch.length[0] == (game.plies if game.over else 0)
        if game.over:
            ended += 1
            state = batch.games.copy()
            game = ExpressGame.from_state(batch.tables, state)
            assert game.plies == 0 and len(game.dice) == 3
    assert ended > 0


def test_truncation_pays_nothing() -> None:
    batch = ExpressBatch(seats=3, size=2, max_plies=5)
    for step in range(5):
        assert not batch.truncated.any()
        batch.step(pick(batch.mask, step))
    assert batch.truncated.all() and not batch.terminated.any()
    assert (batch.length == 5).all() and not batch.rewards.any()


def test_an_exact_continuation() -> None:
    batch = ExpressBatch(seats=2, size=3, seed=4)
    batch.random_steps(20)
    twin = ExpressBatch(seats=2, size=3, seed=0)
    twin.load_state_dict(batch.state_dict())
    other = pickle.loads(pickle.dumps(batch))
    for one in (batch, twin, other):
        one.random_steps(50)
    assert batch.games.tobytes() == twin.games.tobytes() == other.games.tobytes()


@pytest.mark.parametrize(
    "settings",
    [
        {"size": 0},
        {"seats": 5},
        {"seats": [2, 3, 4, 2]},
        {"reward": "rank"},
        {"first": 2},
        {"rules": "x"},
    ],
)
def test_batches_that_cannot_be(settings: dict[str, Any]) -> None:
    with pytest.raises((RequestError, RulesetError)):
        ExpressBatch(**{"size": 3, **settings})


def test_every_seat_can_begin() -> None:
    batch = ExpressBatch(seats=4, size=200, first="random", seed=1)
    assert set(batch.actor.tolist()) == {0, 1, 2, 3}
    assert (ExpressBatch(seats=4, size=2, first="3").actor == 3).all()
