"""One learner's environment: what follows from a seed, in any process, and copies that go on alike.

Read `test_gym_single.py` before and `test_gym_vector.py` after this file.
"""

from __future__ import annotations

import copy
import hashlib
import pickle
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cloudpickle
import numpy as np
import pytest

from sorry_env.bots.base import Bot
from sorry_env.envs.single import SingleEnv
from sorry_env.envs.vector import SorryVectorEnv
from sorry_env.errors import RequestError
from sorry_env.game import Game
from tests.bots import models
from tests.envs.gym_support import assert_same, bytes_of, last_action, legal_rows, trace
from tests.envs.test_reset import run_python

SETTINGS: tuple[dict[str, Any], ...] = (
    {"seats": 4},
    {"ruleset": "points", "opponents": "greedy", "observation": "box", "reward": "points"},
    {"ruleset": "teams-two", "learner": "rotating", "first": "random"},
    {"ruleset": "points", "reward": "points", "target_score": 150, "observation": "onehot"},
)


def traces() -> list[str]:
    """Hashes of whole episodes of several kinds, some actions of which are not legal."""
    found = []
    for settings in SETTINGS:
        env = SingleEnv(**settings)
        env.reset(seed=123)
        found.append(trace(env, 5, 300, illegal=0.1))
    return found


def test_same_seed_same_bytes_in_two_processes() -> None:
    here = traces()
    script = "from tests.envs.test_gym_seeds import traces; print(*traces(), sep=chr(10))"
    assert run_python(script, "1").split() == here
    assert len(set(here)) == len(SETTINGS)


def rows_trace() -> str:
    """Hash of what small vector environments say."""
    digest = hashlib.sha256()
    kinds: tuple[dict[str, Any], ...] = (
        {"ruleset": "duel-1"},
        {"ruleset": "points?pawns=1", "seats": 3},
    )
    for settings in kinds:
        env = SorryVectorEnv(3, first="random", autoreset_mode="SameStep", **settings)
        env.reset(seed=3)
        for parts in trace_rows(env, 1, 40):
            digest.update(b"".join(bytes_of(part) for part in parts))
    return digest.hexdigest()


def test_same_bytes_compiled_or_not(monkeypatch: pytest.MonkeyPatch) -> None:
    here = rows_trace()
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    script = "from tests.envs.test_gym_seeds import rows_trace; print(rows_trace())"
    assert run_python(script, "1").strip() == here


def test_global_random_states_are_left_alone_and_have_no_influence() -> None:
    found = set()
    for seed in (1, 2):
        random.seed(seed)
        np.random.seed(seed)  # noqa: NPY002 - the state that must not be touched
        before = random.getstate(), repr(np.random.get_state())  # noqa: NPY002
        env = SingleEnv(seats=3, opponents=["random", "greedy"])
        env.reset()
        env.reset(seed=9)
        found.add(trace(env, 1, 300, illegal=0.2))
        assert before == (random.getstate(), repr(np.random.get_state()))  # noqa: NPY002
    assert len(found) == 1


def test_a_seed_begins_the_game_of_that_seed() -> None:
    env = SingleEnv("classic", "red,green", learner="red", first="red")
    env.reset(seed=41)
    twin = Game("classic", "red,green", seed=41)
    assert env.game.state.tobytes() == twin.state.tobytes()


def test_the_seed_in_the_info_begins_the_same_episode_again() -> None:
    env, other = SingleEnv(seats=3), SingleEnv(seats=3)
    env.reset(seed=5)
    seeds = []
    for _ in range(4):
        observation, info = env.reset()
        seeds.append(info["seed"])
        assert_same((observation, info), other.reset(seed=info["seed"]))
        assert trace(copy.deepcopy(env), 1, 20) == trace(other, 1, 20)
    assert len(set(seeds)) == 4


def test_without_a_seed_every_environment_plays_another_game() -> None:
    assert SingleEnv().reset()[1]["seed"] != SingleEnv().reset()[1]["seed"]


@pytest.mark.parametrize("seed", [-1, 1.5, "7", True, 1 << 64])
def test_a_seed_that_is_none_is_refused(seed: Any) -> None:
    env = SingleEnv()
    env.reset(seed=1)
    before = env.game.state.tobytes()
    with pytest.raises(RequestError, match="seed"):
        env.reset(seed=seed)
    assert env.game.state.tobytes() == before
    env.reset(seed=(1 << 64) - 1)


def test_rounds_of_a_match_have_other_chances() -> None:
    """Decisions of the second round count from 0 again; the bots' numbers must not come again."""
    keys: list[int] = []

    class Spy(Bot):
        def choose_batch(self, request: Any) -> np.ndarray:
            keys.append(int(request.keys[0]))
            chosen: np.ndarray = request.mask.argmax(axis=1)
            return chosen

    env = SingleEnv("points", reward="points", target_score=300, opponents=Spy())
    env.reset(seed=1)
    done = False
    while not done:
        _, _, done, _, info = env.step(int(env.action_masks().argmax()))
    assert info["round"] > 1 and len(keys) > 100
    assert len(set(keys)) == len(keys)


# -- copies ---------------------------------------------------------------------------------------


def pickled(env: Any) -> Any:
    return pickle.loads(pickle.dumps(env))


def cloudpickled(env: Any) -> Any:
    return pickle.loads(cloudpickle.dumps(env))


WAYS: tuple[Callable[[Any], Any], ...] = (copy.deepcopy, pickled, cloudpickled)
COPY = pytest.mark.parametrize("way", WAYS, ids=lambda way: str(way.__name__))


def trace_rows(env: SorryVectorEnv, seed: int, steps: int) -> list[Any]:
    """What a vector environment says in some steps of random play."""
    rng = np.random.default_rng(seed)
    return [env.step(legal_rows(env.action_masks(), rng, 0.1)) for _ in range(steps)]


@COPY
@pytest.mark.parametrize("settings", [*SETTINGS, {"opponents": last_action}])
def test_a_copy_goes_on_identically(way: Callable[[Any], Any], settings: dict[str, Any]) -> None:
    env = SingleEnv(max_plies=110, **settings)
    env.reset(seed=21)
    for steps in (0, 13, 30, 30):
        trace(env, steps, steps, illegal=0.1)
        state = env.game.state.tobytes()
        twin = way(env)
        other = way(twin)
        ahead = trace(twin, 3, 50, illegal=0.1)
        assert env.game.state.tobytes() == state, "the original is untouched"
        assert trace(other, 3, 50, illegal=0.1) == ahead
        assert trace(way(env), 3, 50, illegal=0.1) == ahead
    assert trace(env, 3, 50, illegal=0.1) == ahead


@COPY
def test_a_copy_made_before_the_first_reset(way: Callable[[Any], Any]) -> None:
    env = SingleEnv(seats=3)
    twin = way(env)
    for each in (env, twin):
        each.reset(seed=4)
    assert trace(env, 1, 50) == trace(twin, 1, 50)


@COPY
@pytest.mark.parametrize("mode", ["NextStep", "SameStep"])
def test_a_copy_of_a_vector_environment(way: Callable[[Any], Any], mode: str) -> None:
    env = SorryVectorEnv(5, seats=3, opponents=["greedy", "random"], autoreset_mode=mode)
    env.reset(seed=2)
    trace_rows(env, 1, 40)
    twin = way(env)
    ahead = trace_rows(way(twin), 2, 60)
    assert_same(tuple(trace_rows(env, 2, 60)), tuple(ahead))
    assert_same(tuple(trace_rows(twin, 2, 60)), tuple(ahead))


@COPY
def test_a_learned_opponent_is_copied_with_its_file(
    way: Callable[[Any], Any], tmp_path: Path
) -> None:
    path = models.save(tmp_path, models.build())
    env = SingleEnv(opponents=path)
    env.reset(seed=3)
    trace(env, 1, 20)
    twin = way(env)
    path.unlink()
    again = way(env)
    assert trace(twin, 2, 60) == trace(again, 2, 60) == trace(env, 2, 60)
