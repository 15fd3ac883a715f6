"""Actions that are not legal, calls out of order and settings that cannot be, of both environments.

Read `test_gym_vector.py` before and `test_gym_ids.py` after this file.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from sorry_env.bots.base import Bot
from sorry_env.envs.single import SingleEnv
from sorry_env.envs.vector import SorryVectorEnv
from sorry_env.errors import MoveError, PositionError, RequestError
from tests.envs.gym_support import assert_same

# -- one environment ------------------------------------------------------------------------------


def forbidden(env: SingleEnv) -> int:
    return int(np.flatnonzero(~env.action_masks())[0])


def test_illegal_actions_are_replaced_by_random_legal_ones_and_counted() -> None:
    env = SingleEnv("solo")
    moved: set[tuple[int, ...]] = set()
    for seed in range(60):
        # A 1 moves any of three pawns, the second onto Yellow's slide, or the fourth out of Start.
        env.reset(seed=seed, options={"position": "solo 40,30,20,rS/-/-/- r move 1 * - -"})
        start = env.game.pawns[0]
        _, _, _, _, info = env.step(forbidden(env))
        assert info["illegal_actions"] == 1
        moved.add(env.game.pawns[0])
    assert start == (38, 28, 18, 0)
    assert moved == {(39, 28, 18, 0), (38, 32, 18, 0), (38, 28, 19, 0), (38, 28, 18, 2)}


def test_what_replaces_illegal_actions_follows_from_the_seed() -> None:
    def play() -> list[Any]:
        env = SingleEnv(seats=3)
        env.reset(seed=8)
        return [env.step(int(a))[4]["plies"] for a in range(40)]

    assert play() == play()


def test_illegal_actions_are_refused_in_words_with_raise() -> None:
    env = SingleEnv(illegal="raise")
    env.reset(seed=2)
    before = env.game.state.tobytes()
    with pytest.raises(MoveError, match="not legal"):
        env.step(forbidden(env))
    assert env.game.state.tobytes() == before
    assert env.step(int(env.action_masks().argmax()))[4]["illegal_actions"] == 0


def test_illegal_actions_lose_with_terminate() -> None:
    env = SingleEnv(illegal="terminate", seats=4)
    env.reset(seed=2)
    _, reward, terminated, truncated, info = env.step(forbidden(env))
    assert (reward, terminated, truncated) == (-1.0, True, False)
    assert info["reason"] == "illegal" and info["illegal_actions"] == 1
    assert info["winners"] == ()


@pytest.mark.parametrize("action", [-1, 10_000, "pass", None, 1.5])
def test_what_is_no_action_is_always_refused(action: Any) -> None:
    env = SingleEnv()
    env.reset(seed=2)
    with pytest.raises(MoveError, match="from 0 to 178"):
        env.step(action)


def test_a_step_without_a_game_says_what_to_do() -> None:
    env = SingleEnv(max_plies=1)
    with pytest.raises(RequestError, match="reset"):
        env.step(0)
    env.reset(seed=1)
    env.step(0)
    with pytest.raises(RequestError, match="reset"):
        env.step(0)


# -- the vector environment -----------------------------------------------------------------------


def test_actions_that_are_not_legal_are_refused_in_words_and_change_nothing() -> None:
    many = SorryVectorEnv(3, seats=2, illegal="raise")
    many.reset(seed=1)
    before = many._table.games.tobytes()
    actions = many.action_masks().argmax(axis=1)
    for wrong, words in ((10_000, "row 1 must be from 0 to 178"), (None, "not legal in row 1")):
        bad = actions.copy()
        bad[1] = int((~many.action_masks()[1]).argmax()) if wrong is None else wrong
        with pytest.raises(MoveError, match=words):
            many.step(bad)
    for shape in (actions[:2], actions.astype(np.float64), 3, [actions]):
        with pytest.raises(RequestError, match="3 ints, one a row"):
            many.step(shape)
    assert many._table.games.tobytes() == before
    many.step(actions.tolist())
    assert many._table.games.tobytes() != before


def test_a_bot_that_answers_nonsense_is_named() -> None:
    class Liar(Bot):
        def choose_batch(self, request: Any) -> np.ndarray:
            return np.full(len(request), 5000)

    many = SorryVectorEnv(30, "points", 2, opponents=Liar(), learner="yellow", first="red")
    with pytest.raises(MoveError, match=r"Liar chose action 5000, which is not legal in points "):
        many.reset()


def test_calls_out_of_order_say_what_to_do() -> None:
    many = SorryVectorEnv(2, "duel-1", autoreset_mode="Disabled", max_plies=2)
    with pytest.raises(RequestError, match="reset"):
        many.step([0, 0])
    with pytest.raises(RequestError, match="first reset"):
        many.reset(options={"reset_mask": np.array([True, False])})
    many.reset(seed=1)
    done = np.zeros(2, np.bool_)
    while not done.any():
        done = many.step(many.action_masks().argmax(axis=1))[3]
    with pytest.raises(RequestError, match="reset_mask"):
        many.step([0, 0])


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        ({"seed": -1}, RequestError),
        ({"seed": [1]}, RequestError),
        ({"seed": (1 << 64) - 1}, RequestError),
        ({"options": {"reset_mask": [1, 0]}}, RequestError),
        ({"options": {"reset_mask": np.zeros(2, np.bool_)}}, RequestError),
        ({"options": {"position": "nonsense"}}, PositionError),
        ({"options": {"learner": "blue"}}, RequestError),
    ],
)
def test_resets_that_cannot_be_change_nothing(
    arguments: dict[str, Any], error: type[Exception]
) -> None:
    many, twin = SorryVectorEnv(2), SorryVectorEnv(2)
    for env in (many, twin):
        env.reset(seed=1)
    with pytest.raises(error):
        many.reset(**arguments)
    assert_same(many.step([0, 0]), twin.step([0, 0]))
    assert_same(many.reset(), twin.reset())


@pytest.mark.parametrize(
    "settings",
    [
        {"num_envs": 0},
        {"autoreset_mode": "Never"},
        {"render_mode": "human"},
        {"illegal": "forfeit"},
        {"threads": 0},
        {"opponents": ["greedy"] * 2},
        {"ruleset": "points", "reward": "points", "target_score": 100},
    ],
)
def test_settings_that_cannot_be(settings: dict[str, Any]) -> None:
    with pytest.raises(RequestError):
        SorryVectorEnv(**settings)
