"""The parallel interface: PettingZoo's tests, no-ops, and the same games as in turns.

Read `test_gym_ids.py` before this file.
"""

from __future__ import annotations

import copy
import pickle
import warnings
from typing import Any

import numpy as np
import pettingzoo
import pytest
from pettingzoo.test import parallel_api_test, parallel_seed_test

import sorry_env
from sorry_env.envs import parallel_env, raw_env
from sorry_env.errors import MoveError, RequestError
from sorry_env.express import express_v0
from tests.cases import PUBLISHED, case_id
from tests.envs.gym_support import assert_same, bytes_of
from tests.envs.support import RED_WINS, ruleset_of


@pytest.mark.parametrize("case", PUBLISHED, ids=case_id)
@pytest.mark.parametrize("profile", ["dict", "box", "onehot"])
def test_pettingzoos_test(case: tuple[str, int], profile: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        parallel_api_test(parallel_env(*case, observation=profile), num_cycles=250)


def test_pettingzoos_test_of_the_dice_game() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        parallel_api_test(express_v0.parallel_env(3), num_cycles=500)


@pytest.mark.parametrize("seats", [2, 4])
def test_seeds(seats: int) -> None:
    parallel_seed_test(lambda: parallel_env(seats=seats, observation="box"), num_cycles=200)


@pytest.mark.parametrize(
    "settings",
    [
        {"seats": 4},
        {"ruleset": "teams-two"},
        {"ruleset": "not-sorry?answers=player", "seats": 3, "observation": "box"},
        {"ruleset": "points", "reward": "points", "target_score": 150},
        {"seats": 3, "max_plies": 50},
    ],
    ids=str,
)
def test_it_is_the_game_in_turns(settings: dict[str, Any]) -> None:
    together, turns = parallel_env(**settings), raw_env(**settings)
    seen, infos = together.reset(seed=5)
    turns.reset(seed=5)
    rng = np.random.default_rng(1)
    totals = dict.fromkeys(together.possible_agents, 0.0)
    last: dict[str, float] = dict.fromkeys(together.possible_agents, 0.0)
    while together.agents:
        assert together.agents == together.possible_agents
        decider = turns.agent_selection
        for agent in together.agents:
            assert infos[agent]["acts"] == (agent == decider)
            assert infos[agent]["seat"] == turns.infos[agent]["seat"]
            mask = infos[agent]["action_mask"]
            assert np.array_equal(mask.nonzero()[0], [0]) or agent == decider
            wanted = turns.observe(agent)
            if isinstance(wanted, dict):
                shown: Any = seen[agent]
                assert np.array_equal(shown["action_mask"], mask)
                assert np.array_equal(shown["observation"], wanted["observation"])
            else:
                assert_same(seen[agent], wanted)
        mask = infos[decider]["action_mask"]
        assert np.array_equal(mask, turns.infos[decider]["action_mask"])
        action = int(rng.choice(np.flatnonzero(mask)))
        # The others' actions do nothing, whatever they are.
        actions = {agent: int(rng.integers(len(mask))) for agent in together.agents}
        actions[decider] = action
        seen, rewards, terminated, truncated, infos = together.step(actions)
        turns.step(action)
        assert rewards == turns.rewards
        assert terminated == turns.terminations and truncated == turns.truncations
        for agent, reward in rewards.items():
            totals[agent] += reward
            last[agent] = turns._cumulative_rewards[agent]
    assert any(terminated.values()) or any(truncated.values())
    assert all(
        flag is True for flag in (truncated if "max_plies" in settings else terminated).values()
    )
    reasons = {info["reason"] for info in infos.values()}
    assert reasons == ({"max_plies"} if "max_plies" in settings else {"finished"})
    if "target_score" in settings:
        assert totals == dict(zip(totals, map(float, infos["player_0"]["scores"]), strict=True))
    else:
        assert totals == last


@pytest.mark.parametrize("name", ["two", "three", "four", "teams", "teams-two"])
def test_everybody_is_paid_in_the_step_of_the_end(name: str) -> None:
    seats, position = RED_WINS[name]
    env = parallel_env(ruleset_of(position), seats)
    _, infos = env.reset(seed=1, options={"position": position})
    action = int(infos["player_0"]["action_mask"].argmax())
    observations, rewards, terminated, truncated, infos = env.step({"player_0": action})
    assert rewards["player_0"] == 1.0 and sum(rewards.values()) == pytest.approx(0.0, abs=1e-6)
    parts: tuple[Any, ...] = (observations, rewards, terminated, truncated, infos)
    assert all(list(part) == env.possible_agents for part in parts)
    assert set(terminated.values()) == {True} and set(truncated.values()) == {False}
    assert env.agents == []
    for _ in range(2):
        assert env.step({}) == ({}, {}, {}, {}, {}), "five parts after the end too"
    env.reset(seed=2)
    assert env.agents == env.possible_agents


def test_what_is_refused() -> None:
    env = parallel_env(seats=2)
    with pytest.raises(RequestError, match="reset"):
        env.step({"player_0": 0})
    _, infos = env.reset(seed=1)
    before = env.inside.game.state.tobytes()
    legal = int(infos["player_0"]["action_mask"].argmax())
    wrong = int(infos["player_0"]["action_mask"].argmin())
    with pytest.raises(RequestError, match="player_0 is to decide"):
        env.step({"player_1": 0})
    with pytest.raises(RequestError, match="player_7"):
        env.step({"player_0": legal, "player_7": 0})
    with pytest.raises(MoveError, match="not legal"):
        env.step({"player_0": wrong, "player_1": 0})
    assert env.inside.game.state.tobytes() == before
    env.step({"player_0": legal})
    forfeits = parallel_env(seats=2, illegal="forfeit")
    forfeits.reset(seed=1)
    assert forfeits.step({"player_0": wrong})[1] == {"player_0": -1.0, "player_1": 1.0}


@pytest.mark.parametrize(
    "way",
    [copy.deepcopy, lambda env: env.clone(), lambda env: pickle.loads(pickle.dumps(env))],
    ids=["deepcopy", "clone", "pickle"],
)
def test_copies_go_on_identically(way: Any) -> None:
    def play(env: Any, steps: int) -> bytes:
        rng = np.random.default_rng(3)
        found = b""
        for _ in range(steps):
            if not env.agents:
                env.reset()
            masks = {agent: env.inside.infos[agent]["action_mask"] for agent in env.agents}
            actions = {
                agent: int(rng.choice(np.flatnonzero(mask))) if mask.any() else 0
                for agent, mask in masks.items()
            }
            found += b"".join(bytes_of(part) for part in env.step(actions))
        return found

    env = parallel_env(seats=3, max_plies=60)
    env.reset(seed=1)
    play(env, 37)
    twin, other = way(env), way(env)
    ahead = play(twin, 50)
    assert play(other, 50) == ahead == play(env, 50)


def test_spaces_pictures_and_the_registry() -> None:
    env = parallel_env(seats=4, render_mode="ansi")
    for agent in env.possible_agents:
        assert env.observation_space(agent) is env.observation_space(agent)
        assert env.action_space(agent) is env.action_space(agent)
    env.reset(seed=1)
    assert "Pile" in str(env.render())
    assert env.metadata["name"] == str(env) == "sorry_v0" and env.metadata["is_parallelizable"]
    assert np.array_equal(env.state(), env.inside.state())
    env.close()
    env.close()
    assert type(sorry_env.parallel_env()) is type(env)
    if hasattr(pettingzoo, "register"):
        made = pettingzoo.make("parallel", "sorry_env/sorry-v0", seats=4)
        assert_same(made.reset(seed=1), parallel_env(seats=4).reset(seed=1))
