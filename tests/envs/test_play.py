"""Random games: nothing breaks, rewards sum to zero, and what is shown is what the game says.

Read `test_conformance.py` before and `test_rewards.py` after this file.
"""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import pytest

from sorry_env.envs import raw_env
from sorry_env.errors import MoveError
from tests.cases import DERIVED, PUBLISHED, case_id
from tests.envs.support import MAKERS, Maker, choose, play_random

ALL = (*PUBLISHED, *DERIVED)
GAMES = 3
MANY_GAMES = 10_000


def play_games(environment: Any, games: int, solo: bool) -> None:
    rng = np.random.default_rng(7)
    for seed in range(games):
        environment.reset(seed=seed)
        seats = {agent: info["seat"] for agent, info in environment.infos.items()}
        totals = play_random(environment, rng)
        game = environment.unwrapped.game
        assert game.over
        assert not environment.agents
        assert sum(totals.values()) == pytest.approx(1.0 if solo else 0.0, abs=1e-6)
        returns = game.returns(environment.unwrapped.settings.reward)
        assert totals == {agent: returns[seat] for agent, seat in seats.items()}


@pytest.mark.parametrize("maker", MAKERS, ids=lambda maker: str(maker.__name__))
@pytest.mark.parametrize("case", ALL, ids=case_id)
def test_random_games(maker: Maker, case: tuple[str, Any]) -> None:
    play_games(maker(*case), GAMES, case[0].startswith("solo"))


@pytest.mark.slow
@pytest.mark.parametrize("case", PUBLISHED, ids=case_id)
def test_ten_thousand_random_games(case: tuple[str, int]) -> None:
    games = -(-MANY_GAMES // len(PUBLISHED))
    play_games(raw_env(*case), games, case[0] == "solo")


@pytest.mark.parametrize("profile", ["dict", "box"])
@pytest.mark.parametrize("case", PUBLISHED, ids=case_id)
def test_everybody_is_shown_what_the_game_says(case: tuple[str, int], profile: str) -> None:
    environment = raw_env(*case, observation=profile)
    rng = np.random.default_rng(3)
    environment.reset(seed=11)
    for _ in range(150):
        game = environment.game
        if game.over:
            break
        for agent in environment.possible_agents:
            acts = agent == environment.agent_selection
            info = environment.infos[agent]
            observation = environment.observe(agent)
            assert environment.observation_space(agent).contains(observation)
            assert acts == (info["seat"] == game.actor)
            masks = [info["action_mask"]]
            if isinstance(observation, dict):
                masks.append(observation["action_mask"])
                observation = observation["observation"]
            for mask in masks:
                assert mask.dtype == np.int8
                assert mask.flags.owndata and mask.flags.writeable
                assert mask.any() == acts
                assert not acts or np.array_equal(mask.astype(bool), game.mask())
            assert observation.flags.owndata and observation.flags.writeable
            assert np.array_equal(observation, game.observation(info["seat"]))
        environment.step(choose(environment.infos[environment.agent_selection]["action_mask"], rng))


def test_what_was_handed_out_does_not_change_afterwards() -> None:
    environment = raw_env(seats=2)
    environment.reset(seed=5)
    rng = np.random.default_rng(5)
    kept: list[tuple[Any, Any]] = []
    for _ in range(60):
        observation, _, _, _, info = environment.last()
        state = environment.state()
        now = (observation["observation"], observation["action_mask"], info["action_mask"], state)
        kept.extend((array, array.copy()) for array in now)
        environment.step(choose(info["action_mask"], rng))
    assert all(np.array_equal(array, before) for array, before in kept)


def test_scribbling_on_what_was_handed_out_changes_nothing() -> None:
    environments = raw_env(), raw_env()
    rng = np.random.default_rng(6)
    for environment in environments:
        environment.reset(seed=9)
    for _ in range(60):
        observation, _, _, _, info = environments[0].last()
        action = choose(info["action_mask"], rng)
        for array in (*observation.values(), info["action_mask"]):
            array[:] = 1
        for environment in environments:
            environment.step(action)
        assert environments[0].game.state.tobytes() == environments[1].game.state.tobytes()


def test_gymnasium_samples_legal_actions_from_the_mask() -> None:
    environment = raw_env(seats=3)
    environment.reset(seed=2)
    for _ in range(100):
        agent = environment.agent_selection
        observation = environment.observe(agent)
        assert isinstance(observation, dict)
        action = environment.action_space(agent).sample(observation["action_mask"])
        assert environment.game.mask()[action]
        environment.step(action)


def test_every_kind_of_int_is_an_action() -> None:
    kinds: tuple[Any, ...] = (int, np.int32, np.int64, np.uint8, np.array)
    ends = set()
    for kind in kinds:
        environment: Any = raw_env()
        environment.reset(seed=4)
        for _ in range(40):
            assert environment.step(kind(environment.game.legal_actions()[0])) is None
        ends.add(environment.game.state.tobytes())
    assert len(ends) == 1


def test_flags_are_pythons_and_live_agents_have_entries() -> None:
    environment = raw_env(seats=4, max_plies=30)
    environment.reset(seed=1)
    rng = np.random.default_rng(1)
    while environment.agents:
        for entries in (environment.terminations, environment.truncations):
            assert all(type(flag) is bool for flag in entries.values())
            assert list(entries) == environment.agents
        assert list(environment.rewards) == list(environment.infos) == environment.agents
        assert all(type(reward) in (int, float) for reward in environment.rewards.values())
        done = any(environment.truncations.values())
        mask = environment.infos[environment.agent_selection]["action_mask"]
        environment.step(None if done else choose(mask, rng))


def test_true_is_no_action() -> None:
    aec = raw_env("duel-1")
    aec.reset(seed=1)
    with pytest.raises(MoveError, match="action True must be an int"):
        aec.step(True)
    single = gymnasium.make("sorry_env/Sorry-v0", ruleset="duel-1", illegal="raise")
    single.reset(seed=1)
    with pytest.raises(MoveError, match="action True must be an int"):
        single.step(True)
