"""Gymnasium's ids, whichever is imported first, in child processes too.

Read `test_gym_refused.py` before and `test_parallel.py` after this file.
"""

from __future__ import annotations

import os
import subprocess
import sys
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from sorry_env import gym_ids
from sorry_env.bots.greedy import GreedyBot
from sorry_env.envs.single import SingleEnv
from sorry_env.envs.vector import SorryVectorEnv
from sorry_env.errors import RequestError
from sorry_env.express.gym_env import ExpressSingleEnv
from tests.envs.gym_support import assert_same, last_action, legal, legal_rows, trace


def run_python(script: str) -> str:
    done = subprocess.run(
        [sys.executable, "-W", "error::UserWarning", "-c", script],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.strip()


@pytest.mark.parametrize(
    "imports",
    ["import gymnasium, sorry_env", "import sorry_env, gymnasium", "import sorry_env, pettingzoo"],
)
def test_ids_are_there_after_the_import(imports: str) -> None:
    script = (
        f"{imports}\nimport gymnasium\n"
        "one = gymnasium.make('sorry_env/Sorry-v0', seats=4)\n"
        "many = gymnasium.make_vec('sorry_env/Sorry-v0', 3)\n"
        "print(type(one.unwrapped).__name__, type(many).__name__)\n"
        "import sys; print(sum('gym_ids' in type(f).__module__ for f in sys.meta_path))\n"
        "print(gymnasium.__loader__ is gymnasium.__spec__.loader, "
        "'exec_module' in vars(gymnasium.__loader__))"
    )
    assert run_python(script).split("\n") == ["SingleEnv SorryVectorEnv", "0", "True False"]


def test_ids_that_name_the_module_need_no_import() -> None:
    script = (
        "import gymnasium\n"
        "made = [gymnasium.make('sorry_env:Sorry-v0'), gymnasium.make('sorry_env:SorryExpress-v0')]"
        "\nmany = gymnasium.make_vec('sorry_env:Sorry-v0', 2)\n"
        "print(*(type(env.unwrapped).__name__ for env in [*made, many]))"
    )
    assert run_python(script) == "SingleEnv ExpressSingleEnv SorryVectorEnv"


@pytest.mark.filterwarnings("error")
def test_registering_twice_does_nothing() -> None:
    before = dict(gymnasium.registry)
    gym_ids.register()
    gym_ids.register_when_imported()
    assert before == gymnasium.registry
    assert {"Sorry-v0", "sorry_env/Sorry-v0", "sorry_env/SorryExpress-v0"} <= set(before)


def test_a_spec_makes_the_same_environment_again() -> None:
    made = gymnasium.make("sorry_env/Sorry-v0", ruleset="quick", seats=3, opponents="greedy")
    assert made.spec is not None
    again = gymnasium.make(gymnasium.envs.registration.EnvSpec.from_json(made.spec.to_json()))
    for env in (made, again):
        env.reset(seed=4)
    assert trace(made, 1, 60) == trace(again, 1, 60)


def test_bots_and_functions_may_be_settings_of_what_gymnasium_makes() -> None:
    for opponent in (GreedyBot(), last_action):
        made = gymnasium.make("sorry_env/Sorry-v0", seats=2, opponents=opponent)
        many = gymnasium.make_vec("sorry_env/Sorry-v0", 2, seats=2, opponents=opponent)
        assert made.spec is not None and many.spec is not None
        made.reset(seed=1)
        many.reset(seed=1)
        rng = np.random.default_rng(1)
        for _ in range(20):
            actions = legal_rows(many.action_masks(), rng)  # type: ignore[attr-defined]
            assert_same(made.step(actions[0])[4]["plies"], int(many.step(actions)[4]["plies"][0]))


@pytest.mark.parametrize("context", ["spawn", "fork"])
@pytest.mark.filterwarnings("ignore:.*multi-threaded, use of fork.*:DeprecationWarning")
def test_child_processes_know_the_environment(context: str) -> None:
    settings: dict[str, Any] = {"seats": 3, "opponents": "greedy"}
    children = gymnasium.make_vec(
        "sorry_env:Sorry-v0", 2, "async", vector_kwargs={"context": context}, **settings
    )
    try:
        here = SorryVectorEnv(2, **settings)
        assert_same(children.reset(seed=6), here.reset(seed=6))
        rng = np.random.default_rng(1)
        for _ in range(30):
            actions = legal_rows(here.action_masks(), rng)
            assert_same(tuple(children.step(actions)), tuple(here.step(actions)))
    finally:
        children.close()


def test_sync_is_the_vector_environment_too() -> None:
    sync = gymnasium.make_vec("sorry_env/Sorry-v0", 3, "sync", seats=2)
    many = gymnasium.make_vec("sorry_env/Sorry-v0", 3, seats=2)
    assert_same(sync.reset(seed=6), many.reset(seed=6))
    rng = np.random.default_rng(1)
    for _ in range(30):
        actions = legal_rows(many.action_masks(), rng)  # type: ignore[attr-defined]
        assert_same(tuple(sync.step(actions)), tuple(many.step(actions)))


# -- the dice game --------------------------------------------------------------------------------


@pytest.mark.parametrize("opponents", ["random", "greedy"])
@pytest.mark.parametrize("profile", ["dict", "box", "onehot"])
@pytest.mark.usefixtures("windows")
def test_gymnasiums_check_of_the_dice_game(opponents: str, profile: str) -> None:
    env = gymnasium.make(
        "sorry_env/SorryExpress-v0", seats=3, opponents=opponents, observation=profile
    )
    check_env(env.unwrapped)


def test_the_dice_game_is_won_and_lost() -> None:
    env = ExpressSingleEnv(3, opponents="random", learner="rotating")
    rng = np.random.default_rng(1)
    rewards: list[float] = []
    for seed in range(20):
        _, info = env.reset(seed=seed)
        assert info["seat"] == seed % 3
        seat, done = info["seat"], False
        while not done:
            _, reward, done, _, info = env.step(legal(env, rng))
        rewards.append(reward)
        assert reward == (1.0 if str(seat) in info["winners"] else -0.5)
    assert set(rewards) == {1.0, -0.5}


def test_the_dice_game_in_vectors() -> None:
    many = gymnasium.make_vec("sorry_env/SorryExpress-v0", 3, opponents="greedy")
    _, infos = many.reset(seed=1)
    for _ in range(20):
        infos = many.step(infos["action_mask"].argmax(axis=1))[4]
    assert infos["action_mask"].any(axis=1).all()


def test_the_dice_game_has_no_target_score() -> None:
    with pytest.raises(RequestError, match="target_score"):
        ExpressSingleEnv(target_score=100)
    assert issubclass(ExpressSingleEnv, SingleEnv)
