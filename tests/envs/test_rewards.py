"""Rewards, worked by hand for scripted ends: wins, losses, places, partners, limits, forfeits.

Read `test_play.py` before and `test_reset.py` after this file.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from sorry_env.envs import raw_env
from sorry_env.errors import MoveError, RequestError
from tests.envs.support import (
    MAKERS,
    RED_THEN_BLUE,
    RED_WINS,
    Maker,
    choose,
    mask_of,
    play_random,
    ruleset_of,
)

MAKER = pytest.mark.parametrize("maker", MAKERS, ids=lambda maker: str(maker.__name__))

#: By hand: what each agent gets when Red's side wins.
WINS = {
    "two": (1.0, -1.0),
    "three": (1.0, -1 / 2, -1 / 2),
    "four": (1.0, -1 / 3, -1 / 3, -1 / 3),
    "teams": (1.0, -1.0, 1.0, -1.0),
    "teams-two": (1.0, -1.0),
    "duel": (1.0, -1.0),
    "solo": (1.0,),
}


def at_position(maker: Maker, position: str, seats: int, **settings: Any) -> Any:
    environment = maker(ruleset_of(position), seats, **settings)
    environment.reset(seed=0, options={"position": position})
    return environment


def collect(environment: Any) -> tuple[float, ...]:
    """`last()` rewards by agent of a game that is over."""
    totals = play_random(environment, np.random.default_rng(0))
    return tuple(totals[agent] for agent in environment.possible_agents)


@MAKER
@pytest.mark.parametrize("profile", ["dict", "box"])
@pytest.mark.parametrize("name", WINS)
def test_a_scripted_win_and_loss(maker: Maker, name: str, profile: str) -> None:
    seats, position = RED_WINS[name]
    environment = at_position(maker, position, seats, observation=profile)
    assert environment.agent_selection == "player_0"
    assert all(reward == 0 for reward in environment.rewards.values())
    environment.step(choose(mask_of(environment), np.random.default_rng(0)))
    assert tuple(environment.rewards.values()) == pytest.approx(WINS[name])
    assert all(environment.terminations.values())
    assert not any(environment.truncations.values())
    for info in environment.infos.values():
        assert info["reason"] == "finished"
        assert info["winners"] == (("red", "yellow") if name.startswith("teams") else ("red",))
        assert not info["action_mask"].any()
    assert collect(environment) == pytest.approx(WINS[name])
    assert not environment.agents


def test_a_learner_is_told_of_its_loss_at_its_next_look() -> None:
    """Between a learner's decision and its next look another seat wins: -1 reaches the learner."""
    position = "duel-1 r3/-/y5/- r move 2 * - -"
    for seed in range(50):
        environment = at_position(raw_env, position, 2)
        environment.reset(seed=seed, options={"position": position})
        while environment.agent_selection == "player_0" and not environment.game.over:
            environment.step(environment.game.legal_actions()[0])
        if environment.game.over or environment.game.card != "1":
            continue
        environment.step(environment.game.legal_actions()[0])
        assert environment.agent_selection == "player_0", "the first of the agents that are done"
        _, reward, terminated, truncated, _ = environment.last()
        assert (reward, terminated, truncated) == (-1.0, True, False)
        environment.step(None)
        assert environment.agent_selection == "player_1"
        assert environment.last()[1:4] == (1.0, True, False)
        return
    raise AssertionError("Yellow never drew the 1 it wins with")


@pytest.mark.parametrize(
    ("reward", "expected"), [("rank", (1.0, 0.0, -1.0)), ("win", (1.0, -0.5, -0.5))]
)
@MAKER
def test_places_when_a_game_is_played_out(
    maker: Maker, reward: str, expected: tuple[float, ...]
) -> None:
    environment = at_position(maker, RED_THEN_BLUE, 3, reward=reward)
    environment.step(environment.unwrapped.game.legal_actions()[0])
    assert environment.agent_selection == "player_1", "Red has finished, the game goes on"
    assert environment.agents == ["player_0", "player_1", "player_2"]
    assert not any(environment.terminations.values())
    red = environment.observe("player_0")
    assert not red["action_mask"].any()
    assert environment.observation_space("player_0").contains(red)
    environment.step(environment.unwrapped.game.legal_actions()[0])
    assert collect(environment) == pytest.approx(expected)


@MAKER
@pytest.mark.parametrize("profile", ["dict", "box"])
@pytest.mark.parametrize(("ruleset", "seats"), [("classic", 2), ("classic", 4), ("teams-two", 4)])
def test_the_limit_truncates_everybody_at_once(
    maker: Maker, profile: str, ruleset: str, seats: int
) -> None:
    environment = maker(ruleset, seats, max_plies=12, observation=profile)
    environment.reset(seed=3)
    rng = np.random.default_rng(3)
    for _ in range(12):
        assert not any(environment.truncations.values())
        environment.step(choose(mask_of(environment), rng))
    assert environment.truncations == dict.fromkeys(environment.possible_agents, True)
    assert environment.terminations == dict.fromkeys(environment.possible_agents, False)
    for agent in environment.agents:
        assert environment.infos[agent]["reason"] == "max_plies"
        assert environment.infos[agent]["winners"] == ()
        assert environment.observation_space(agent).contains(environment.observe(agent))
    assert collect(environment) == (0.0,) * len(environment.possible_agents)


def test_a_win_at_the_limit_is_a_win() -> None:
    environment = at_position(raw_env, RED_WINS["two"][1], 2, max_plies=1)
    environment.step(environment.game.legal_actions()[0])
    assert all(environment.terminations.values())
    assert not any(environment.truncations.values())
    assert collect(environment) == (1.0, -1.0)


def an_illegal_action(environment: Any) -> int:
    return int(np.flatnonzero(~environment.unwrapped.game.mask())[-1])


@MAKER
def test_raise_explains_and_changes_nothing(maker: Maker) -> None:
    environment = maker(seats=3)
    environment.reset(seed=8)
    raw = environment.unwrapped
    before = raw.game.state.tobytes()
    with pytest.raises(MoveError) as caught:
        environment.step(an_illegal_action(environment))
    assert "is not legal" in str(caught.value) and "red" in str(caught.value)
    assert raw.game.state.tobytes() == before
    assert environment.agent_selection == "player_0"
    assert np.array_equal(mask_of(environment).astype(bool), raw.game.mask())
    assert not any(environment.terminations.values())
    environment.step(raw.game.legal_actions()[0])


@pytest.mark.parametrize("mode", ["raise", "terminate", "forfeit"])
@pytest.mark.parametrize("action", [-1, 179, 10**30, -(10**30), 1.0, "3", None, [1]])
def test_what_is_no_action_at_all_always_raises(mode: str, action: Any) -> None:
    environment = raw_env(illegal=mode)
    environment.reset(seed=8)
    before = environment.game.state.tobytes()
    with pytest.raises(MoveError):
        environment.step(action)
    assert environment.game.state.tobytes() == before
    assert not any(environment.terminations.values())


#: By hand: ruleset, seats, reward, and by mode what each agent gets when the first one offends.
ILLEGAL = [
    ("classic", 2, "win", "terminate", (-1.0, 0.0)),
    ("classic", 4, "win", "terminate", (-1.0, 0.0, 0.0, 0.0)),
    ("teams", 4, "win", "terminate", (-1.0, 0.0, -1.0, 0.0)),
    ("teams-two", 4, "win", "terminate", (-1.0, 0.0)),
    ("classic", 2, "win", "forfeit", (-1.0, 1.0)),
    ("classic", 3, "win", "forfeit", (-1.0, 1 / 2, 1 / 2)),
    ("classic", 4, "win", "forfeit", (-1.0, 1 / 3, 1 / 3, 1 / 3)),
    ("teams", 4, "win", "forfeit", (-1.0, 1.0, -1.0, 1.0)),
    ("teams-two", 4, "win", "forfeit", (-1.0, 1.0)),
    ("solo", 1, "win", "forfeit", (-1.0,)),
    ("classic?play_out=true", 4, "rank", "forfeit", (-1.0, 1 / 3, 1 / 3, 1 / 3)),
]


@MAKER
@pytest.mark.parametrize(("ruleset", "seats", "reward", "mode", "expected"), ILLEGAL)
def test_the_reward_table_of_illegal_actions(
    maker: Maker, ruleset: str, seats: int, reward: str, mode: str, expected: tuple[float, ...]
) -> None:
    environment = maker(ruleset, seats, reward=reward, illegal=mode)
    environment.reset(seed=8)
    environment.step(an_illegal_action(environment))
    assert all(environment.terminations.values())
    assert not any(environment.truncations.values())
    assert {info["reason"] for info in environment.infos.values()} == {"illegal"}
    assert not environment.unwrapped.game.over, "by the rules it has not ended"
    assert collect(environment) == pytest.approx(expected)
    environment.reset(seed=8)
    assert not any(environment.terminations.values())


@pytest.mark.parametrize(
    ("reward", "expected"), [("rank", (1.0, -1.0, 0.0)), ("win", (1.0, -1.0, 0.0))]
)
def test_a_forfeit_leaves_those_who_have_finished_alone(
    reward: str, expected: tuple[float, ...]
) -> None:
    environment = at_position(raw_env, RED_THEN_BLUE, 3, reward=reward, illegal="forfeit")
    environment.step(environment.game.legal_actions()[0])
    assert environment.agent_selection == "player_1"
    environment.step(an_illegal_action(environment))
    assert collect(environment) == pytest.approx(expected)


def test_the_usual_mode_follows_the_profile() -> None:
    assert raw_env().settings.illegal == "raise"
    assert raw_env(observation="box").settings.illegal == "forfeit"
    assert raw_env(observation="box", illegal="raise").settings.illegal == "raise"


@pytest.mark.parametrize(
    ("settings", "word"),
    [
        ({"reward": "points"}, "points"),
        ({"reward": "rank"}, "play_out"),
        ({"observation": "image"}, "image"),
        ({"illegal": "ignore"}, "ignore"),
        ({"max_plies": 0}, "max_plies"),
        ({"max_plies": 2.5}, "2.5"),
        ({"max_plies": True}, "True"),
        ({"render_mode": "svg"}, "svg"),
        ({"first": "green"}, "green"),
        ({"seats": 5}, "5"),
        ({"ruleset": "chess"}, "chess"),
    ],
)
def test_settings_that_cannot_be_are_refused_in_words(settings: dict[str, Any], word: str) -> None:
    with pytest.raises(ValueError, match=word):
        raw_env(**settings)


def test_after_the_end_only_none_is_an_action() -> None:
    environment = at_position(raw_env, RED_WINS["two"][1], 2)
    environment.step(environment.game.legal_actions()[0])
    with pytest.raises(MoveError, match="None"):
        environment.step(0)
    environment.step(None)
    environment.step(None)
    assert environment.agents == []
    with pytest.raises(RequestError, match="reset"):
        environment.step(None)
    for agent in environment.possible_agents:
        assert environment.observation_space(agent).contains(environment.observe(agent))
