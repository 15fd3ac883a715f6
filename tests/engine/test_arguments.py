"""What `Batch` refuses: for each door and both kinds of games, in words, with nothing changed."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pytest

from sorry_env import write_position
from sorry_env.engine.arguments import check_memory
from sorry_env.engine.batch import Batch
from sorry_env.errors import MoveError, PositionError, RequestError, RulesetError, SorryError
from sorry_env.express.batch import ExpressBatch
from sorry_env.express.game import ExpressGame
from sorry_env.families import family_of
from sorry_env.game import Game
from tests.engine.support import pick

NAMES = ("classic", "points", "express")


def make(name: str, seats: Any = 2, size: int = 4, **settings: Any) -> Batch:
    batch: Batch = family_of(name).Batch(name, seats, size, **{"seed": 7, **settings})
    return batch


def played(name: str, **settings: Any) -> Batch:
    batch = make(name, **settings)
    for step in range(8):
        batch.step(pick(batch.mask, step))
    return batch


def everything(batch: Batch) -> list[bytes]:
    """All that a batch is and shows."""
    hidden = [batch._policy_states, batch._first]
    return [a.tobytes() for a in (batch.games, *batch.buffers[:-1], *hidden)]


def refused(batch: Batch, call: Callable[[], object], *words: str) -> SorryError:
    """The error of a call, after which the batch is as it was and plays on as its twin does."""
    before, twin = everything(batch), batch.copy()
    with pytest.raises(SorryError) as caught:
        call()
    for word in words:
        assert word in str(caught.value)
    assert everything(batch) == before
    for one in (batch, twin):
        one.random_steps(3)
        one.step(pick(one.mask, 1))
    assert everything(batch) == everything(twin)
    return caught.value


# Every shape and dtype but integers, one for each game.
BAD_ARRAYS: dict[str, Any] = {
    "too short": np.zeros(3, np.int64), "too long": np.zeros(5, np.int64), "empty": [],
    "none": None, "scalar": 0, "a column": np.zeros((4, 1), np.int64),
    "a row": np.zeros((1, 4), np.int64), "floats": np.zeros(4), "a float": [0, 0, 0, 0.0],
    "NaN": [np.nan] * 4, "bools": np.zeros(4, np.bool_), "words": ["0"] * 4, "text": "0000",
    "objects": [None] * 4, "huge": [2**70] * 4, "ragged": [[1], [1, 2], 3, 4],
    "complex": np.zeros(4, complex), "dates": np.zeros(4, "M8[s]"), "a mapping": {0: 1},
}  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("kind", BAD_ARRAYS)
@pytest.mark.parametrize("check", [True, False])
def test_actions_of_another_shape_or_type(name: str, kind: str, check: bool) -> None:
    batch = played(name)
    error = refused(batch, lambda: batch.step(BAD_ARRAYS[kind], check=check), "actions", "int[4]")
    assert isinstance(error, RequestError)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("row", [0, 3])
@pytest.mark.parametrize("action", [10**9, -1, -(2**63), 2**63 - 1, 2**64 - 1, None])
def test_an_action_that_is_not_legal(name: str, threads: int, row: int, action: Any) -> None:
    """None stands for an action of the table that is not legal in that row."""
    batch = played(name, threads=threads)
    actions: Any = pick(batch.mask, 3)
    bad = int(np.flatnonzero(~batch.mask[row])[-1]) if action is None else action
    actions = actions.astype(np.uint64 if bad >= 2**63 else np.int64)
    actions[row] = bad
    kind: Any = ExpressGame if name == "express" else Game
    game = kind.from_state(batch.tables, batch.games[row : row + 1])
    label = [batch.tables.labels[bad]] if action is None else []
    words = [
        f"row {row}",
        f"action {bad}",
        write_position(game) if name != "express" else "",
        *label,
    ]
    error = refused(batch, lambda: batch.step(actions), *words)
    assert isinstance(error, MoveError)
    assert error.value == bad
    assert f"{name} " in str(error)  # the position begins with its ruleset


@pytest.mark.parametrize("name", ["classic", "fire-and-ice", "not-sorry", "way-sorry", "teams"])
def test_every_illegal_action_is_refused_and_every_legal_one_played(name: str) -> None:
    batch = make(name, None, 1)
    batch.random_steps(11)
    legal = set(np.flatnonzero(batch.mask[0]).tolist())
    before = everything(batch)
    for action in range(batch.num_actions):
        twin = batch.copy()
        if action in legal:
            twin.step([action])
            assert everything(twin) != before
        else:
            with pytest.raises(MoveError, match=f"action {action} "):
                batch.step([action])
            assert everything(batch) == before


@pytest.mark.parametrize("dtype", ["i1", "i2", ">i4", "i8", "u1", "u8", list])
def test_any_integers_will_do(dtype: Any) -> None:
    ours, theirs = make("express", 3), make("express", 3)
    for step in range(20):
        actions = pick(ours.mask, step)
        ours.step(actions)
        theirs.step(actions.tolist() if dtype is list else actions.astype(dtype))
        assert everything(ours) == everything(theirs)
    spread = np.zeros(8, np.int64)
    spread[::2] = pick(ours.mask, 1)
    ours.step(spread[::2])
    theirs.step(pick(theirs.mask, 1), check=False)
    assert everything(ours) == everything(theirs)


@pytest.mark.parametrize("name", NAMES)
def test_what_the_engine_relies_on_cannot_be_written_to(name: str) -> None:
    """Neither directly nor after a copy, a pickle or a load has made the views anew."""
    first = played(name)
    for batch in (first, copy.copy(first), copy.deepcopy(first), pickle.loads(pickle.dumps(first))):
        batch.load_state_dict(first.state_dict())
        for array in (batch.games["plies"], batch.mask, batch.action_mask, batch.legal,
                      batch.first, batch.buffers.mask, batch.buffers.legal):  # fmt: skip
            with pytest.raises(ValueError, match="read-only"):
                array[...] = 1
        for view, behind in ((batch.mask, batch._buffers.mask), (batch.games, batch._games)):
            assert np.shares_memory(view, behind)
        batch.step(pick(batch.mask, 2))  # and the views show what is there now
        assert (batch.mask.sum(axis=1) == batch.legal).all()


def test_the_int8_mask_is_a_view() -> None:
    batch = played("classic")
    assert batch.action_mask.dtype == np.int8
    assert np.shares_memory(batch.action_mask, batch.mask)
    for step in range(5):
        batch.step(pick(batch.mask, step))
        assert (batch.action_mask == batch.mask).all()


def test_copies_are_independent() -> None:
    batch = played("classic")
    for twin in (batch.copy(), copy.copy(batch), pickle.loads(pickle.dumps(batch))):
        before = everything(batch)
        assert everything(twin) == before
        twin.random_steps(2)
        assert everything(batch) == before


# -- numbers ---------------------------------------------------------------------------------------

BAD_NUMBERS = (
    None, True, np.True_, 1.0, np.nan, np.inf, "1", [1], np.array([1]), -1, 10**30, 10**5000, 2**63,
)  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    "number",
    [*BAD_NUMBERS, 0],
    ids=lambda number: (
        repr(number)[:12] if not isinstance(number, int) or number < 10**40 else "huge"
    ),
)
@pytest.mark.parametrize("setting", ["size", "max_plies", "threads"])
def test_sizes(name: str, setting: str, number: Any) -> None:
    with pytest.raises(RequestError, match=f"^{setting}="):
        make(name, **{setting: number})


@pytest.mark.parametrize("number", BAD_NUMBERS, ids=range(len(BAD_NUMBERS)))
def test_random_steps_are_a_count(number: Any) -> None:
    batch = played("classic")
    refused(batch, lambda: batch.random_steps(number), "n=")


def test_no_random_steps_change_nothing() -> None:
    batch = played("express")
    before = everything(batch)
    assert batch.random_steps(0) == 0
    assert everything(batch) == before


@pytest.mark.parametrize("name", NAMES)
def test_a_batch_larger_than_memory_is_refused_in_words(name: str) -> None:
    with pytest.raises(RequestError, match=r"size=2000000000 needs [\d,]+ GiB.*games fit"):
        make(name, size=2_000_000_000)
    with pytest.raises(RequestError, match=r"size=3 needs"):
        check_memory(3, 2**62)


@pytest.mark.parametrize("name", ["classic", "express"])
@pytest.mark.parametrize(
    ("setting", "values"),
    [
        ("seed", [-1, 2**64, 1.0, "a", True, np.nan, [1], 10**5000]),
        ("reward", [None, 1, [], "wins", {}]),
        ("observation", [None, 1, [], "wide", np.zeros(2)]),
        ("skip_forced", [None, 0, 1, "no", []]),
        ("first", [True, 9, -1, 1.0, 0.5, np.nan, [0], "", "mauve", np.zeros(2)]),
        ("seats", [0, 7, -1, True, 2.0, np.nan, "", "mauve", [], [[0, 2]], [None], {}, object()]),
    ],
)  # fmt: skip
def test_settings(name: str, setting: str, values: list[Any]) -> None:
    for value in values:
        with pytest.raises((RequestError, RulesetError)):
            make(name, **{setting: value})


# -- seeds, rows, states ---------------------------------------------------------------------------

BAD_SEEDS: dict[str, Any] = {
    **{kind: value for kind, value in BAD_ARRAYS.items() if kind not in ("none",)},
    "negative": [-1] * 4, "one negative": np.array([1, 2, -3, 4]), "2**64": [2**64] * 4,
    "a set": {1, 2, 3, 4}, "a generator": (i for i in range(4)),
}  # fmt: skip


@pytest.mark.parametrize("name", ["classic", "express"])
@pytest.mark.parametrize("kind", BAD_SEEDS)
def test_seeds_of_a_reset(name: str, kind: str) -> None:
    batch = played(name)
    refused(batch, lambda: batch.reset(BAD_SEEDS[kind]), "seeds")
    refused(batch, lambda: batch.reset_rows([3, 1, 0, 2], BAD_SEEDS[kind]), "seeds")


def test_seeds_are_any_integers_from_0_to_2_to_the_64() -> None:
    largest = [0, 1, 2**63, 2**64 - 1]
    one, other = make("classic"), make("classic")
    one.reset(largest)
    other.reset(np.array(largest, np.uint64))
    assert everything(one) == everything(other)
    one.reset(np.arange(4, dtype=np.int8))
    other.reset([0, 1, 2, 3])
    assert everything(one) == everything(other)


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        ([4], "from 0 to 3"), ([-1], "from 0 to 3"), ([10**12], "from 0 to 3"),
        ([1, 1], "more than once"), ([1.0], "rows"), (["1"], "rows"), (1, "rows"), (None, "rows"),
        ([[1]], "rows"), ([[1], [1, 2]], "rows"),
        ([True, False, False, False], "flatnonzero"), ({1}, "rows"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("name", ["classic", "express"])
def test_rows(name: str, rows: Any, words: str) -> None:
    batch = played(name)
    count = len(rows) if isinstance(rows, list) else 1
    games = batch.games[np.zeros(count, np.int64)]
    refused(batch, lambda: batch.reset_rows(rows, [5] * count), words)
    refused(batch, lambda: batch.set_games(rows, games), words)
    refused(batch, lambda: batch.set_first(rows, [0] * count), words)


def test_who_begins_is_seated() -> None:
    batch = make("classic", [(0, 2), (1, 3)])
    batch.set_first([0, 1, 2], np.array([2, 3, -1]))
    assert batch.first.tolist() == [2, 3, -1, 1]
    batch.reset()
    assert batch.actor[:2].tolist() == [2, 3] and batch.actor[3] == 1
    for seat in (1, 4, -2, 127):
        refused(batch, partial(batch.set_first, [0], [seat]), "cannot begin in row 0")


STATES: dict[str, Callable[[dict[str, Any]], Any]] = {
    "nothing": lambda state: None,
    "no mapping": lambda state: [1, 2],
    "a key missing": lambda state: {k: v for k, v in state.items() if k != "policy"},
    "a key too many": lambda state: {**state, "extra": 1},
    "another ruleset": lambda state: {**state, "ruleset": "quick"},
    "the same name, other rules": lambda state: {**state, "rules": "0" * 64},
    "a list for an array": lambda state: {**state, "policy": state["policy"].tolist()},
    "another dtype": lambda state: {**state, "policy": state["policy"].astype(float)},
    "another shape": lambda state: {**state, "buffers.rewards": state["buffers.rewards"][:, :2]},
    "fewer games": lambda state: {**state, "games": state["games"][:3]},
    "records of bytes": lambda state: {**state, "games": state["games"].view(np.uint8)},
    "impossible games": lambda state: {**state, "games": noise(state["games"])},
    "a seat that is empty begins": lambda state: {**state, "first": np.full(4, 3, np.int8)},
    "an unknown seat begins": lambda state: {**state, "first": np.full(4, 99, np.int8)},
}


def noise(games: np.ndarray) -> np.ndarray:
    """Games with random turns, phases and cards; who is seated stays."""
    random = np.random.default_rng(4)
    games = games.copy()
    for field in ("turn", "actor", "phase"):
        games[field] = random.integers(-128, 128, len(games))
    return games


@pytest.mark.parametrize("name", ["classic", "express"])
@pytest.mark.parametrize("kind", STATES)
def test_states_that_are_refused(name: str, kind: str) -> None:
    batch = played(name)
    state = batch.state_dict()
    batch.random_steps(2)
    changed = STATES[kind](state)
    refused(batch, lambda: batch.load_state_dict(changed))


@pytest.mark.parametrize(
    ("mine", "theirs", "words"),
    [
        (make("classic"), make("classic", size=3), "3 games"),
        (make("classic"), make("quick"), "quick"),
        (make("classic"), make("express"), "express"),
        (make("express"), make("classic"), "classic"),
        (make("classic"), make("classic", 3), "seats"),
        (make("classic"), make("classic", "red,blue"), "seats"),
        (make("classic", [2, 3]), make("classic", [3, 2]), "seats"),
        (make("express"), make("express", 3), "seats"),
    ],
)
def test_a_state_of_another_batch_is_refused(mine: Batch, theirs: Batch, words: str) -> None:
    refused(mine, lambda: mine.load_state_dict(theirs.state_dict()), words)


@pytest.mark.parametrize("name", ["classic", "express"])
def test_positions_that_no_game_can_be_in_are_refused(name: str) -> None:
    batch = played(name)
    waiting: Any = ExpressGame(2, seed=1) if name == "express" else Game(name, seed=1)
    waiting.play(int(waiting.legal_actions()[0]), draw=False)
    bad: dict[str, Any] = {
        "no records": np.zeros(2), "another shape": batch.games[:1], "a list": [1, 2],
        "noise": noise(batch.games[:2]), "no card drawn": np.repeat(waiting.state, 2),
        "other seats": make(name, 3).games[:2],
    }  # fmt: skip
    if name == "express":  # three dice are resolved before the next roll
        del bad["no card drawn"]
    for games in bad.values():
        error = refused(batch, partial(batch.set_games, [1, 3], games))
        assert isinstance(error, (RequestError, PositionError))


@pytest.mark.parametrize("name", NAMES)
def test_positions_are_set(name: str) -> None:
    """The rows show what a game of the position shows; the others stay."""
    batch, other = played(name), make(name, seed=99)
    other.random_steps(5)
    before = everything(batch.copy())
    batch.set_games([2, 0], other.games[[1, 3]])
    for row, source in ((2, 1), (0, 3)):
        for field in ("games", "mask", "legal", "actor", "observation"):
            assert (getattr(batch, field)[row] == getattr(other, field)[source]).all()
        assert not batch.terminated[row] and not batch.rewards[row].any()
    again = played(name)
    assert everything(again) == before
    assert batch.games[[1, 3]].tobytes() == again.games[[1, 3]].tobytes()


# -- seats -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "seats", "dealt"),
    [
        ("classic", None, [(0, 2)]),
        ("classic", 3, [(0, 1, 2)]),
        ("classic", "blue,green", [(1, 3)]),
        ("classic", ("red", "blue"), [(0, 1)]),
        ("classic", (0, 2), [(0, 2)]),
        ("classic", ["red,blue", "red,yellow"], [(0, 1), (0, 2)]),
        ("classic", [2, 3], [(0, 2), (0, 1, 2)]),
        ("classic", ["2", 3, "red,green", (1, 2)], [(0, 2), (0, 1, 2), (0, 3), (1, 2)]),
        ("solo", ["red", "green"], [(0,), (3,)]),
        ("express", [2, 3, "4"], [(0, 1), (0, 1, 2), (0, 1, 2, 3)]),
        ("express", ["0,1,2", 2], [(0, 1, 2), (0, 1)]),
    ],
)
def test_seatings_are_dealt_out_in_turn(
    name: str, seats: Any, dealt: list[tuple[int, ...]]
) -> None:
    batch = make(name, seats, 5)
    assert batch.seats == [dealt[i % len(dealt)] for i in range(5)]
    assert [
        tuple(np.flatnonzero(row).tolist()) for row in batch._seated(batch.games)
    ] == batch.seats
    assert all(actor in seats for actor, seats in zip(batch.actor, batch.seats, strict=True))


@pytest.mark.parametrize(
    ("kind", "seats", "words"),
    [
        (Batch, ["red", "yellow"], ["seats[0]", "not 1", "'red,yellow'"]),
        (Batch, [0, 2], ["seats[0]", "not 0"]),
        (Batch, [], ["nobody"]),
        (Batch, [["red", "blue"]], ["seats[0]", "tuple"]),
        (Batch, ("red,blue", "red,yellow"), ["'red,blue'"]),
        (Game, [2, 3], ["number of players", "(2, 3)"]),
        (Game, ["red,blue", "red,yellow"], ["list of seatings"]),
        (ExpressBatch, [0, 1], ["seats[0]", "not 0"]),
        (ExpressGame, [0, 1], ["number of players", "(0, 1)"]),
    ],
)
def test_seats_that_say_something_else_elsewhere(kind: Any, seats: Any, words: list[str]) -> None:
    settings = {"seats": seats, **({"size": 4} if issubclass(kind, Batch) else {})}
    with pytest.raises((RequestError, RulesetError)) as caught:
        kind(**settings)
    for word in words:
        assert word in str(caught.value)
