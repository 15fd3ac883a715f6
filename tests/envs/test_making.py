"""Ways of making environments by Gymnasium, and the keywords that its functions pass on.

What `gymnasium.make` takes beside an environment's own settings, `make_vec` takes in every
vectorization mode, with the same meaning. Read `test_gym_ids.py` before this file.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import SyncVectorEnv
from gymnasium.wrappers import TimeLimit

from sorry_env.envs.autoreset import AutoresetMode
from sorry_env.envs.single import SingleEnv
from sorry_env.envs.vector import SorryVectorEnv
from sorry_env.errors import RequestError
from tests.envs.gym_support import assert_same, legal_rows
from tests.envs.test_gym_vector import HAS_MODES, MODES

IDS = ("sorry_env/Sorry-v0", "sorry_env/SorryExpress-v0")


def single(env_id: str, **keywords: Any) -> Any:
    return gymnasium.make(env_id, **keywords)


def rows_by(mode: str | None) -> Callable[..., Any]:
    def rows(env_id: str, **keywords: Any) -> Any:
        return gymnasium.make_vec(env_id, 2, vectorization_mode=mode, **keywords)

    return rows


WAYS: dict[str, Callable[..., Any]] = {
    "make": single,
    "make_vec": rows_by(None),
    "sync": rows_by("sync"),
    "async": rows_by("async"),
    "vector_entry_point": rows_by("vector_entry_point"),
}
KEYWORDS: tuple[dict[str, Any], ...] = (
    {},
    {"max_episode_steps": 3},
    {"max_episode_steps": -1},
    {"disable_env_checker": True},
    {"disable_env_checker": False},
    {"render_mode": "rgb_array"},
    {"render_mode": "ansi"},
    {"render_mode": "ansi_list"},
    {"render_mode": "rgb_array_list"},
    {"max_episode_steps": 3, "disable_env_checker": True, "render_mode": "ansi"},
)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("env_id", IDS)
def test_every_keyword_works_in_every_way_of_making(env_id: str, way: str) -> None:
    if (env_id, way) == (IDS[1], "vector_entry_point"):
        with pytest.raises(gymnasium.error.Error):  # it has none: make_vec steps them one by one
            WAYS[way](env_id)
        return
    for keywords in KEYWORDS:
        if way == "async" and keywords is not KEYWORDS[-1]:
            continue  # its processes take a second each
        env = WAYS[way](env_id, seats=2, opponents="random", **keywords)
        _, info = env.reset(seed=1)
        rows = way != "make"
        limit = keywords.get("max_episode_steps", -1)
        cut = []
        for _ in range(4):
            actions = info["action_mask"].argmax(axis=-1)
            _, _, _, truncated, info = env.step(actions if rows else int(actions))
            cut.append(bool(np.all(truncated)))
            if not rows and truncated:
                _, info = env.reset()
        assert cut == ([False, False, True, False] if limit == 3 else [False] * 4), keywords
        if keywords.get("render_mode"):
            pictures = env.render() if rows else (env.render(),)
            assert len(pictures) == (2 if rows else 1) and all(len(one) for one in pictures)
        env.close()


@MODES
@pytest.mark.parametrize("limit", [1, 3, 30])
def test_the_limit_is_that_of_the_wrapper(mode: AutoresetMode, limit: int) -> None:
    """Step by step as `TimeLimit` round single environments, whose games end by themselves too."""
    settings: dict[str, Any] = {"ruleset": "duel-1", "illegal": "terminate", "max_plies": 40}
    ours = SorryVectorEnv(4, autoreset_mode=mode, max_episode_steps=limit, **settings)
    if mode is not AutoresetMode.NEXT_STEP and not HAS_MODES:
        pytest.skip("gymnasium 1.0 has no other mode")
    autoreset: dict[str, Any] = {"autoreset_mode": mode} if HAS_MODES else {}
    theirs: Any = SyncVectorEnv([lambda: TimeLimit(SingleEnv(**settings), limit)] * 4, **autoreset)
    assert_same(theirs.reset(seed=7), ours.reset(seed=7))
    rng = np.random.default_rng(1)
    cut = ended = 0
    for _ in range(120):
        actions = legal_rows(ours.action_masks(), rng, 0.01)
        one, other = theirs.step(actions), ours.step(actions)
        assert_same(tuple(one), tuple(other))
        done = one[2] | one[3]
        cut, ended = cut + int(one[3].sum()), ended + int(one[2].sum())
        if done.any() and mode is AutoresetMode.DISABLED:
            options = {"reset_mask": done}
            assert_same(theirs.reset(options=dict(options)), ours.reset(options=options))
    assert cut > 5 and (ended > 3 or limit < 30)


@MODES
def test_collected_pictures_are_those_of_single_environments(mode: AutoresetMode) -> None:
    if mode is not AutoresetMode.NEXT_STEP and not HAS_MODES:
        pytest.skip("gymnasium 1.0 has no other mode")
    settings: dict[str, Any] = {
        "ruleset": "duel-1", "max_plies": 5, "render_mode": "ansi_list", "max_episode_steps": 3,
    }  # fmt: skip
    vector_kwargs = {} if mode is AutoresetMode.NEXT_STEP else {"autoreset_mode": mode}
    ours: Any = gymnasium.make_vec(IDS[0], 3, autoreset_mode=mode, **settings)
    theirs = gymnasium.make_vec(
        IDS[0], 3, vectorization_mode="sync", vector_kwargs=vector_kwargs, **settings
    )
    _, infos = ours.reset(seed=1)
    theirs.reset(seed=1)
    lengths = set()
    for number in range(20):
        if number % 4 == 0:
            pictures = ours.render()
            assert pictures == theirs.render()
            lengths.add(tuple(map(len, pictures)))
        actions = infos["action_mask"].argmax(axis=1)
        _, _, terminated, truncated, infos = ours.step(actions)
        theirs.step(actions)
        if (done := terminated | truncated).any() and mode is AutoresetMode.DISABLED:
            _, fresh = ours.reset(options={"reset_mask": done})
            infos["action_mask"][done] = fresh["action_mask"][done]
            theirs.reset(options={"reset_mask": done})
    assert len(lengths) > 1


def test_the_registered_limit_is_passed_on() -> None:
    gymnasium.register(
        "SorryLimited-v0",
        entry_point="sorry_env.envs.single:SingleEnv",
        vector_entry_point="sorry_env.envs.vector:SorryVectorEnv",
        max_episode_steps=2,
    )
    try:
        for way in ("make_vec", "sync"):
            env = WAYS[way]("SorryLimited-v0")
            actions = env.reset(seed=1)[1]["action_mask"].argmax(axis=1)
            env.step(actions)
            assert env.step(env.action_space.sample())[3].all()
            again = gymnasium.make_vec(env.spec)
            assert again.num_envs == 2 and type(again) is type(env)
            env.close()
    finally:
        del gymnasium.registry["SorryLimited-v0"]


@pytest.mark.parametrize("limit", [0, -2, 1.5, "3", True])
def test_limits_that_cannot_be(limit: Any) -> None:
    with pytest.raises(RequestError, match="max_episode_steps"):
        SorryVectorEnv(2, max_episode_steps=limit)
