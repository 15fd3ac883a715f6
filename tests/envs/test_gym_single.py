"""One learner's environment: Gymnasium's checks, rewards, ends, seats.

Read `gym_support.py` before and `test_gym_seeds.py` after this file.
"""

from __future__ import annotations

import warnings
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import sorry_env
from sorry_env.engine.observe import one_hot
from sorry_env.envs.single import SingleEnv
from sorry_env.errors import PositionError, RequestError, RulesetError
from sorry_env.game import Game
from tests.cases import PUBLISHED, case_id
from tests.envs.gym_support import last_action, legal
from tests.envs.support import RED_WINS, ruleset_of

#: Only cards 1 are left: whatever Red plays, Yellow's next card takes its last pawn Home.
YELLOW_WINS_NEXT = "classic r5,20,rS,rS/-/yH,yH,yH,y5/- r move 2 4.0.0.0.0.0.0.0.0.0.0 - -"


@pytest.mark.parametrize("profile", ["dict", "box", "onehot"])
@pytest.mark.parametrize("opponents", ["random", "greedy"])
@pytest.mark.usefixtures("windows")
def test_gymnasiums_check(profile: str, opponents: str) -> None:
    env = gymnasium.make("sorry_env/Sorry-v0", observation=profile, opponents=opponents)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(env.unwrapped)


@pytest.mark.parametrize("case", PUBLISHED, ids=case_id)
def test_gymnasiums_check_of_every_ruleset(case: tuple[str, int]) -> None:
    env = gymnasium.make("sorry_env/Sorry-v0", ruleset=case[0], seats=case[1])
    check_env(env.unwrapped, skip_render_check=True)


@pytest.mark.parametrize("learner", ["red", "yellow", "random", "rotating"])
@pytest.mark.parametrize("seats", ["red,yellow", "red,blue,yellow,green"])
def test_the_winner_gets_one_and_the_losers_share_it_on_the_step_that_decides(
    learner: str, seats: str
) -> None:
    env = SingleEnv(seats=seats, learner=learner)
    rng = np.random.default_rng(3)
    won = lost = 0
    for seed in range(30):
        _, info = env.reset(seed=seed)
        colour = sorry_env.rules.COLOURS[info["seat"]]
        done, rewards = False, []
        while not done:
            _, reward, done, truncated, info = env.step(legal(env, rng))
            rewards.append(reward)
            assert not truncated
        assert info["reason"] == "finished" and env.game.over
        wins = colour in info["winners"]
        share = -1.0 if "blue" not in seats else -1 / 3
        assert rewards[-1] == pytest.approx(1.0 if wins else share)
        assert not any(rewards[:-1])
        won, lost = won + wins, lost + (not wins)
    assert won and lost


def test_a_scripted_win_and_a_scripted_loss() -> None:
    env = SingleEnv(learner="red", opponents=last_action)
    env.reset(seed=0, options={"position": RED_WINS["two"][1]})
    _, reward, terminated, truncated, info = env.step(int(env.action_masks().argmax()))
    assert (reward, terminated, truncated) == (1.0, True, False)
    assert info["winners"] == ("red",) and info["reason"] == "finished"

    _, info = env.reset(seed=0, options={"position": YELLOW_WINS_NEXT})
    assert info["seat"] == 0
    reward, terminated = 0.0, False
    steps = 0
    while not terminated:
        _, reward, terminated, _, info = env.step(int(env.action_masks().argmax()))
        steps += 1
    assert reward == -1.0 and info["winners"] == ("yellow",)


@pytest.mark.parametrize("name", ["teams", "teams-two"])
def test_partners_win_together(name: str) -> None:
    seats, position = RED_WINS[name]
    for learner, reward in ((0, 1.0), (1, -1.0)):
        env = SingleEnv(ruleset_of(position), seats, learner=learner)
        env.reset(seed=1, options={"position": position})
        if learner == 0:
            _, got, terminated, _, info = env.step(int(env.action_masks().argmax()))
        else:  # the game ended before the learner decided: the first step says so
            _, got, terminated, _, info = env.step(5)
        assert (got, terminated, info["winners"]) == (reward, True, ("red", "yellow"))
        assert info["illegal_actions"] == 0


def test_the_limit_on_decisions_truncates() -> None:
    env = SingleEnv(max_plies=9, learner="red")
    env.reset(seed=1)
    rng = np.random.default_rng(1)
    steps = 0
    truncated = False
    while not truncated:
        _, reward, terminated, truncated, info = env.step(legal(env, rng))
        assert reward == 0.0 and not terminated
        steps += 1
    assert info["plies"] == 9 and info["reason"] == "max_plies"
    assert info["winners"] == () and 3 <= steps < 9
    assert info["action_mask"].tolist() == [1] + [0] * (env.tables.num_actions - 1)


def test_a_game_that_is_over_before_the_learner_decides_is_told_by_the_first_step() -> None:
    env = SingleEnv(max_plies=1, learner="yellow", first="red")
    observation, info = env.reset(seed=1)
    assert observation["action_mask"].sum() == 1 and info["plies"] == 1
    _, reward, terminated, truncated, info = env.step(3)
    assert (reward, terminated, truncated, info["illegal_actions"]) == (0.0, False, True, 0)


@pytest.mark.parametrize("name", ["solo", "duel"])
def test_small_games(name: str) -> None:
    seats, position = RED_WINS[name]
    env = SingleEnv(ruleset_of(position), seats, learner="red")
    env.reset(seed=0, options={"position": position})
    assert env.step(int(env.action_masks().argmax()))[1:3] == (1.0, True)


def test_points_are_paid_round_by_round() -> None:
    env = SingleEnv("points", 2, reward="points", target_score=200, learner="rotating")
    rng = np.random.default_rng(5)
    _, info = env.reset(seed=3)
    total, done = 0.0, False
    place = (0, 2).index(info["seat"])
    while not done:
        _, reward, done, _, info = env.step(legal(env, rng))
        total += reward
    assert total == info["scores"][place] and max(info["scores"]) >= 200 and info["round"] > 1


# -- what is seen ---------------------------------------------------------------------------------


def test_the_mask_is_the_legal_set_and_travels_with_the_observation() -> None:
    env = SingleEnv(seats=4, learner="rotating")
    rng = np.random.default_rng(1)
    observation, info = env.reset(seed=4)
    for _ in range(300):
        assert info["action_mask"].dtype == np.int8
        wanted = np.zeros(env.tables.num_actions, np.int8)
        wanted[env.game.legal_actions()] = 1
        for mask in (info["action_mask"], observation["action_mask"], env.action_masks()):
            assert np.array_equal(mask, wanted)
        assert info["seat"] == env.game.actor
        assert np.array_equal(observation["observation"], env.game.observation())
        observation, _, terminated, _, info = env.step(legal(env, rng))
        if terminated:
            assert info["action_mask"].tolist() == [1] + [0] * 178
            assert observation["action_mask"].sum() == 1
            observation, info = env.reset()


def test_the_onehot_profile_is_the_box_profile_widened() -> None:
    narrow, wide = (SingleEnv("points", 3, observation=p) for p in ("box", "onehot"))
    for env in (narrow, wide):
        env.reset(seed=1)
    rng = np.random.default_rng(1)
    for _ in range(50):
        action = legal(narrow, rng)
        seen: Any = narrow.step(action)[0]
        shown: Any = wide.step(action)[0]
        assert shown.dtype == np.float32 and wide.observation_space.contains(shown)
        assert np.array_equal(shown, one_hot(narrow.tables.layout, seen))


def test_it_is_the_game() -> None:
    env = SingleEnv("not-sorry", 4, opponents=last_action, learner="yellow", reward="win")
    rng = np.random.default_rng(2)
    _, info = env.reset(seed=6)
    game = Game("not-sorry", 4, seed=info["seed"])
    ends = 0
    while ends < 3:
        while game.actor != 2:
            game.play(last_action(game.view(game.actor)))
        assert game.state.tobytes() == env.game.state.tobytes()
        action = int(legal(env, rng))
        game.play(action)
        _, reward, terminated, _, _ = env.step(action)
        while not game.over and game.actor != 2:
            game.play(last_action(game.view(game.actor)))
        assert game.over == terminated and reward == game.returns()[2]
        if terminated:
            ends += 1
            _, info = env.reset()
            game = Game("not-sorry", 4, seed=info["seed"])


@pytest.mark.parametrize(
    "settings",
    [
        {"seats": 4},
        {"ruleset": "points", "reward": "points", "target_score": 200},
        {"seats": 3, "max_plies": 60},
    ],
)
def test_forced_decisions_can_be_passed_through(settings: dict[str, Any]) -> None:
    """The same game step by step: nothing is lost, and only real choices are asked for."""
    for seed in range(6):
        short = SingleEnv(skip_forced=True, **settings)
        full = SingleEnv(**settings)
        _, told = short.reset(seed=seed)
        _, info = full.reset(seed=seed)
        rng = np.random.default_rng(seed)
        done = False
        while not done:
            paid = 0.0
            while info["plies"] != told["plies"] or info.get("round") != told.get("round"):
                assert info["action_mask"].sum() == 1
                _, reward, done, _, info = full.step(int(info["action_mask"].argmax()))
                paid += reward
            assert np.array_equal(info["action_mask"], told["action_mask"])
            assert told["action_mask"].sum() > 1
            action = legal(short, rng)
            _, want, *ends, told = short.step(action)
            _, reward, *_, info = full.step(action)
            paid += reward
            while "reason" not in info and info["action_mask"].sum() == 1:
                _, reward, *_, info = full.step(int(info["action_mask"].argmax()))
                paid += reward
            assert want == paid
            done = any(ends)
        assert told["reason"] == info["reason"] and told["plies"] == info["plies"]


# -- seats ----------------------------------------------------------------------------------------


def test_the_learners_seat() -> None:
    env = SingleEnv(seats=4, learner="red")
    assert {env.reset(seed=seed)[1]["seat"] for seed in range(20)} == {0}
    assert env.reset(options={"learner": "green"})[1]["seat"] == 3
    assert env.reset()[1]["seat"] == 0
    env = SingleEnv(seats=4, learner="random")
    assert {env.reset(seed=seed)[1]["seat"] for seed in range(20)} == {0, 1, 2, 3}
    env = SingleEnv(seats=4, learner="rotating")
    assert [env.reset(seed=seed)[1]["seat"] for seed in (5, *[None] * 5)] == [1, 2, 3, 0, 1, 2]


def test_opponents_sit_in_turn_order_from_the_learner_on() -> None:
    asked: list[tuple[str, int]] = []

    def player(name: str) -> Any:
        def choose(view: Any) -> int:
            asked.append((name, view.seat))
            return last_action(view)

        return choose

    env = SingleEnv(seats=4, learner="yellow", opponents=[player("a"), player("b"), player("c")])
    rng = np.random.default_rng(0)
    env.reset(seed=1)
    for _ in range(40):
        if env.step(legal(env, rng))[2]:
            env.reset()
    assert set(asked) == {("a", 3), ("b", 0), ("c", 1)}


@pytest.mark.filterwarnings("ignore:reset option")
def test_options_of_a_reset() -> None:
    env = SingleEnv(seats=2, learner="yellow", illegal="raise")
    _, info = env.reset(seed=3, options={"seats": "blue,green", "first": "green", "unknown": 1})
    assert info["seat"] == 3 and env.game.seats == (1, 3)
    _, info = env.reset(seed=3)
    assert info["seat"] == 2 and env.game.seats == (0, 2)


@pytest.mark.parametrize(
    ("options", "error"),
    [
        ({"learner": "purple"}, RequestError),
        ({"learner": 1}, RequestError),
        ({"seats": "red,blue,green"}, RequestError),
        ({"first": "blue"}, RequestError),
        ({"position": "nonsense"}, PositionError),
    ],
)
def test_options_that_cannot_be_change_nothing(options: Any, error: type[Exception]) -> None:
    env = SingleEnv(seats="red,yellow")
    env.reset(seed=3)
    before = env.game.state.tobytes()
    with pytest.raises(error):
        env.reset(seed=4, options=options)
    assert env.game.state.tobytes() == before
    assert env.reset()[1]["seed"] == seed_after(3)


def seed_after(seed: int) -> int:
    """The seed of the episode after that of a seed."""
    env = SingleEnv(seats="red,yellow")
    env.reset(seed=seed)
    return int(env.reset()[1]["seed"])


@pytest.mark.parametrize(
    ("settings", "error"),
    [
        ({"ruleset": "monopoly"}, RulesetError),
        ({"learner": "blue"}, RequestError),
        ({"learner": True}, RequestError),
        ({"illegal": "forfeit"}, RequestError),
        ({"observation": "image"}, RequestError),
        ({"opponents": "nobody"}, RequestError),
        ({"opponents": ["random", "random"]}, RequestError),
        ({"opponents": 3}, RequestError),
        ({"opponents": SingleEnv}, RequestError),
        ({"reward": "rank"}, RequestError),
        ({"max_plies": 0}, RequestError),
        ({"render_mode": "window"}, RequestError),
    ],
)
def test_settings_that_cannot_be(settings: Any, error: type[Exception]) -> None:
    with pytest.raises(error):
        SingleEnv(**settings)


# -- pictures -------------------------------------------------------------------------------------


def test_pictures_without_a_display(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("DISPLAY", raising=False)
    env = SingleEnv(render_mode="rgb_array")
    env.reset(seed=1)
    pixels = env.render()
    assert pixels.dtype == np.uint8 and pixels.shape == (640, 640, 3)
    text = SingleEnv(render_mode="ansi", learner="red", first="red")
    text.reset(seed=1)
    assert "Red to play" in text.render()
    for one in (env, text):
        one.close()
        one.close()
