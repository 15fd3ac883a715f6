"""The PettingZoo environment of the dice game."""

from __future__ import annotations

import copy
import pickle
import warnings
from typing import Any

import numpy as np
import pettingzoo
import pytest
from pettingzoo.test import api_test, render_test, seed_test

from sorry_env.envs.aec import SorryEnv
from sorry_env.errors import MoveError, RequestError, RulesetError, SorryError
from sorry_env.express import ExpressGame, express_v0
from sorry_env.express.env import ExpressEnv
from tests.envs.support import play_random, trace
from tests.express.support import MIDDLE

MAKERS = pytest.mark.parametrize("maker", [express_v0.raw_env, express_v0.env])
PLAYERS = pytest.mark.parametrize("players", [2, 3, 4])


@MAKERS
@PLAYERS
def test_api(maker: Any, players: int) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        # PettingZoo tries an option `options`, which it asks to be taken: we warn of it.
        warnings.filterwarnings("ignore", "reset option 'options' is not known")
        api_test(maker(players, observation="box"), num_cycles=300)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # PettingZoo warns of every space that is no Box
        api_test(maker(players), num_cycles=300)


@MAKERS
@PLAYERS
@pytest.mark.parametrize("profile", ["dict", "box"])
def test_seeds(maker: Any, players: int, profile: str) -> None:
    seed_test(lambda: maker(players, observation=profile), num_cycles=25)


@MAKERS
def test_render(maker: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")  # human opens a window
    monkeypatch.setitem(ExpressEnv.metadata, "render_fps", 1000)
    render_test(lambda render_mode=None: maker(3, render_mode=render_mode))
    environment = maker(2, render_mode="ansi")
    environment.reset(seed=1)
    assert "Start base" in environment.render()
    environment = maker(2, render_mode="rgb_array")
    environment.reset(seed=1)
    assert environment.render().shape == (640, 640, 3)
    assert environment.metadata["name"] == str(environment) == "express_v0"


def test_it_is_the_board_games_environment_with_another_game() -> None:
    environment = express_v0.raw_env(3)
    assert isinstance(environment, SorryEnv)
    assert environment.possible_agents == ["player_0", "player_1", "player_2"]
    assert isinstance(environment.game, ExpressGame)
    assert environment.action_space("player_0").n == 133


@PLAYERS
def test_a_game_pays_once_and_ends_for_all(players: int) -> None:
    environment = express_v0.raw_env(players)
    rng = np.random.default_rng(players)
    for seed in range(20):
        environment.reset(seed=seed)
        totals = play_random(environment, rng)
        assert sum(totals.values()) == pytest.approx(0, abs=1e-6)
        assert sorted(totals.values())[-1] == 1.0
        assert environment.agents == []


def test_the_seed_is_the_games() -> None:
    environment = express_v0.raw_env(2)
    environment.reset(seed=12)
    assert environment.game.state.tobytes() == ExpressGame(2, seed=12).state.tobytes()
    observation, reward, terminated, truncated, info = environment.last()
    assert (observation["observation"] == environment.game.observation(0)).all()
    assert (observation["action_mask"] == environment.game.mask()).all()
    assert (reward, terminated, truncated, info["seat"]) == (0, False, False, 0)
    assert "colour" not in info


def test_copies_go_on_alike() -> None:
    environment = express_v0.raw_env(3)
    environment.reset(seed=5)
    twins = [
        environment.clone(),
        copy.deepcopy(environment),
        pickle.loads(pickle.dumps(environment)),
    ]
    assert len({trace(one, 1, 120) for one in (environment, *twins)}) == 1


def test_options() -> None:
    environment = express_v0.raw_env(2, first=1)
    environment.reset(seed=1)
    assert environment.agent_selection == "player_1"
    environment.reset(seed=1, options={"first": 0, "homes": "gy"})
    assert (environment.agent_selection, environment.game.homes) == ("player_0", (3, 2))
    environment.reset(seed=1, options={"position": f"express {MIDDLE} 1 ? -"})
    assert environment.agent_selection == "player_1" and len(environment.game.dice) == 3
    before = environment.game.state.tobytes()
    wrong: list[dict[str, Any]] = [
        {"first": 2}, {"homes": "rr"}, {"seats": 3}, {"position": "express"},
        {"position": f"express {MIDDLE} 1 ? -", "first": 0},
        {"position": "express r:4.0.0.0/b:0.0.0.0 0.4.4.4 0 - winner=0"},
        {"position": ExpressGame(3, seed=1)},
    ]  # fmt: skip
    for options in wrong:
        with pytest.raises(SorryError):
            environment.reset(options=options)
    assert environment.game.state.tobytes() == before


def test_illegal_actions_and_the_limit() -> None:
    environment = express_v0.raw_env(3)
    environment.reset(seed=1)
    before = environment.game.state.tobytes()
    illegal = int(np.flatnonzero(~environment.game.mask())[0])
    for action in (illegal, -1, 133, 1 << 70):
        with pytest.raises((MoveError, OverflowError)):
            environment.step(action)
    assert environment.game.state.tobytes() == before
    for mode, wanted in (("forfeit", (-1.0, 0.5, 0.5)), ("terminate", (-1.0, 0.0, 0.0))):
        environment = express_v0.raw_env(3, illegal=mode)
        environment.reset(seed=1)
        environment.step(illegal)
        assert tuple(environment.rewards.values()) == wanted
    environment = express_v0.raw_env(3, max_plies=2)
    environment.reset(seed=1)
    for _ in range(2):
        environment.step(int(environment.game.legal_actions()[0]))
    assert all(environment.truncations.values()) and not any(environment.rewards.values())


@pytest.mark.parametrize(
    "settings",
    [
        {"seats": 1}, {"seats": "red,blue"}, {"reward": "rank"}, {"observation": "x"},
        {"illegal": "x"}, {"max_plies": 0}, {"render_mode": "x"}, {"first": 2},
        {"rules": "classic"},
    ],
)  # fmt: skip
def test_settings_that_cannot_be(settings: dict[str, Any]) -> None:
    with pytest.raises((RequestError, RulesetError)):
        express_v0.raw_env(**settings)


@pytest.mark.skipif(not hasattr(pettingzoo, "register"), reason="this PettingZoo has no registry")
def test_it_is_registered() -> None:
    environment = pettingzoo.make("aec", "sorry_env/express-v0", seats=3)
    environment.reset(seed=1)
    assert environment.agents == ["player_0", "player_1", "player_2"]
