"""Copies of a running environment: deep copies, pickles and clones go on identically.

Read `test_reset.py` before and `test_registration.py` after this file.
"""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from typing import Any

import cloudpickle
import numpy as np
import pytest

from sorry_env.envs import env, raw_env
from tests.cases import PUBLISHED, case_id
from tests.envs.support import MAKERS, Maker, choose, trace

MAKER = pytest.mark.parametrize("maker", MAKERS, ids=lambda maker: str(maker.__name__))


def clone(environment: Any) -> Any:
    return environment.clone()


def pickled(environment: Any) -> Any:
    return pickle.loads(pickle.dumps(environment))


def cloudpickled(environment: Any) -> Any:
    return pickle.loads(cloudpickle.dumps(environment))


WAYS: tuple[Callable[[Any], Any], ...] = (copy.deepcopy, clone, pickled, cloudpickled)
COPY = pytest.mark.parametrize("way", WAYS, ids=lambda way: str(way.__name__))


def snapshot(environment: Any) -> bytes:
    """All that an environment says at this moment."""
    raw = environment.unwrapped
    facts = [raw.agents, raw.agent_selection, raw.rewards, raw.terminations, raw.truncations]
    arrays = [raw.game.state]
    for info in raw.infos.values():
        arrays.append(info["action_mask"])
        facts.append({k: v for k, v in info.items() if k != "action_mask"})
    for agent in raw.possible_agents:
        arrays.extend(environment.observe(agent).values())
    return b"".join(array.tobytes() for array in arrays) + repr(facts).encode()


@COPY
@pytest.mark.parametrize(
    ("maker", "case"),
    [*((raw_env, case) for case in PUBLISHED), (env, PUBLISHED[0])],
    ids=lambda value: value.__name__ if callable(value) else case_id(value),
)
def test_a_copy_goes_on_identically(
    way: Callable[[Any], Any], maker: Maker, case: tuple[str, int]
) -> None:
    environment = maker(*case, max_plies=110)
    environment.reset(seed=21)
    # At the beginning, in the middle, in the step of the end, and with agents already gone.
    for plies in (0, 47, 63, 1):
        trace(environment, plies, plies)
        before = snapshot(environment)
        twin = way(environment)
        assert snapshot(twin) == before
        other = way(twin)
        ahead = trace(twin, 3, 50)
        assert snapshot(environment) == before, "the original is untouched"
        assert trace(other, 3, 50) == ahead
        assert trace(way(environment), 3, 50) == ahead


@COPY
@MAKER
def test_a_copy_made_before_the_first_reset(way: Callable[[Any], Any], maker: Maker) -> None:
    environment = maker(seats=3)
    twin = way(environment)
    for each in (environment, twin):
        each.reset(seed=4)
    assert trace(environment, 1, 50) == trace(twin, 1, 50)


@COPY
def test_games_begun_without_a_seed_follow_alike(way: Callable[[Any], Any]) -> None:
    environment = raw_env()
    environment.reset(seed=4)
    environment.reset()
    twin = way(environment)
    for each in (environment, twin):
        each.reset()
    assert environment.game.state.tobytes() == twin.game.state.tobytes()


@COPY
@MAKER
def test_spaces_sample_on_identically_and_apart(way: Callable[[Any], Any], maker: Maker) -> None:
    environment = maker()
    environment.reset(seed=1)
    space = environment.action_space("player_0")
    space.seed(5)
    environment.observation_space("player_0").seed(6)
    twin = way(environment)
    other = twin.action_space("player_0")
    assert other is not space
    drawn = [other.sample() for _ in range(20)]
    assert drawn == [space.sample() for _ in range(20)]
    both = [e.observation_space("player_0").sample()["observation"] for e in (environment, twin)]
    assert np.array_equal(*both)


@COPY
@MAKER
def test_a_copy_keeps_the_checks(way: Callable[[Any], Any], maker: Maker) -> None:
    environment = maker(seats=2)
    environment.reset(seed=1)
    twin = way(environment)
    assert type(twin) is type(environment)
    assert type(twin.unwrapped) is type(environment.unwrapped)
    assert twin.unwrapped is not environment.unwrapped


@COPY
def test_stepping_either_leaves_the_other(way: Callable[[Any], Any]) -> None:
    environment = raw_env(seats=4)
    environment.reset(seed=2)
    twin = way(environment)
    rng = np.random.default_rng(2)
    environment.step(choose(environment.infos["player_0"]["action_mask"], rng))
    assert twin.game.plies == 0 and environment.game.plies == 1
    twin.infos["player_1"]["action_mask"][:] = 1
    twin.rewards["player_0"] = 3.0
    assert snapshot(way(environment)) == snapshot(environment)
    assert environment.rewards["player_0"] == 0
