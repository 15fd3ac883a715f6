"""How games begin: seeds, processes, options, seats, and what can be asked before any game.

Read `test_rewards.py` before and `test_copies.py` after this file.
"""

from __future__ import annotations

import os
import random
import subprocess
import sys
from typing import Any

import numpy as np
import pytest

from sorry_env.engine.observe import decode
from sorry_env.envs import env, raw_env
from sorry_env.errors import PositionError, RequestError, RulesetError
from sorry_env.game import Game
from sorry_env.notation import read, write
from tests.envs.support import MAKERS, RED_WINS, Maker, trace

MAKER = pytest.mark.parametrize("maker", MAKERS, ids=lambda maker: str(maker.__name__))


def traces() -> list[str]:
    """Hashes of whole games of several kinds."""
    found = []
    for ruleset, seats in (("classic", 4), ("teams-two", 4), ("duel-1", 2)):
        for profile in ("dict", "box"):
            environment = env(ruleset, seats, observation=profile, first="random")
            environment.reset(seed=123)
            found.append(trace(environment, 5, 800))
    return found


def run_python(script: str, hash_seed: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", script],
        env={**os.environ, "PYTHONHASHSEED": hash_seed, "PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout


def test_same_seed_same_bytes_in_two_processes() -> None:
    here = traces()
    script = "from tests.envs.test_reset import traces; print(*traces(), sep=chr(10))"
    assert run_python(script, "1").split() == here
    assert len(set(here)) == 6


@MAKER
def test_global_random_states_are_left_alone(maker: Maker) -> None:
    np.random.seed(1)  # noqa: NPY002 - the state that must not be touched
    before = random.getstate(), np.random.get_state()  # noqa: NPY002
    environment = maker(seats=3, first="random")
    for seed in (None, 5, None):
        environment.reset(seed=seed)
        trace(environment, 1, 600)
    after = random.getstate(), np.random.get_state()  # noqa: NPY002
    assert before[0] == after[0]
    assert repr(before[1]) == repr(after[1])


@MAKER
def test_global_random_states_have_no_influence(maker: Maker) -> None:
    traces = set()
    for seed in (1, 2):
        random.seed(seed)
        np.random.seed(seed)  # noqa: NPY002
        environment = maker(first="random")
        environment.reset(seed=99)
        traces.add(trace(environment, 1, 500))
    assert len(traces) == 1


def states(environment: Any, seeds: list[int | None]) -> list[bytes]:
    found = []
    for seed in seeds:
        environment.reset(seed=seed)
        found.append(environment.unwrapped.game.state.tobytes())
    return found


@MAKER
def test_games_after_a_seed_follow_from_it(maker: Maker) -> None:
    first = states(maker(), [7, None, None])
    assert first == states(maker(), [7, None, None])
    assert len(set(first)) == 3
    assert first[1:] != states(maker(), [8, None, None])[1:]


def test_without_a_seed_every_environment_plays_another_game() -> None:
    assert states(raw_env(), [None]) != states(raw_env(), [None])


def test_a_seed_begins_the_game_of_that_seed() -> None:
    environment = raw_env("classic", "red,green")
    environment.reset(seed=41)
    assert write(environment.game) == write(Game("classic", "red,green", seed=41))
    environment.step(environment.game.legal_actions()[0])
    twin = Game("classic", "red,green", seed=41)
    twin.play(int(twin.legal_actions()[0]))
    assert environment.game.state.tobytes() == twin.state.tobytes()


@pytest.mark.parametrize("seed", [-1, 1.5, "7", True])
def test_a_seed_that_is_none_is_refused(seed: Any) -> None:
    environment = raw_env()
    environment.reset(seed=1)
    before = environment.game.state.tobytes()
    with pytest.raises(RequestError, match="seed"):
        environment.reset(seed=seed)
    assert environment.game.state.tobytes() == before
    environment.reset(seed=np.int64(1))  # type: ignore[arg-type]
    assert environment.game.state.tobytes() == before


@MAKER
@pytest.mark.filterwarnings("ignore:reset option")
def test_unknown_options_have_no_effect(maker: Maker) -> None:
    environment = maker()
    environment.reset(seed=3, options={"options": 1, "something": object(), "first": None})
    assert environment.unwrapped.game.state.tobytes() == states(maker(), [3])[0]


@MAKER
def test_who_begins(maker: Maker) -> None:
    environment = maker("classic", 4, first="blue")
    environment.reset(seed=1)
    assert environment.agent_selection == "player_1"
    environment.reset(seed=1, options={"first": "green"})
    assert environment.agent_selection == "player_3"
    environment.reset(seed=1)
    assert environment.agent_selection == "player_1", "an option is for one game"
    begun = set()
    for seed in range(40):
        environment.reset(seed=seed, options={"first": "random"})
        begun.add(environment.agent_selection)
    assert len(begun) == 4


@MAKER
def test_other_seats_for_one_game(maker: Maker) -> None:
    environment = maker("classic", "red,yellow")
    environment.reset(seed=1, options={"seats": "blue,green"})
    assert environment.agents == ["player_0", "player_1"]
    assert [info["colour"] for info in environment.infos.values()] == ["blue", "green"]
    environment.reset(seed=1)
    assert [info["colour"] for info in environment.infos.values()] == ["red", "yellow"]


@MAKER
@pytest.mark.parametrize("name", RED_WINS)
def test_a_position_begins_a_game(maker: Maker, name: str) -> None:
    seats, position = RED_WINS[name]
    environment = maker(position.split(" ")[0], seats)
    for given in (position, read(position)):
        environment.reset(seed=2, options={"position": given})
        assert write(environment.unwrapped.game) == position
        assert environment.agent_selection == "player_0"


def test_a_position_that_waits_gets_its_card_by_the_seed() -> None:
    waiting = "duel-1 0/-/3/- y move ? * - -"
    environment = raw_env("duel-1")
    cards = set()
    for seed in range(30):
        environment.reset(seed=seed, options={"position": waiting})
        assert environment.agent_selection == "player_1"
        cards.add(environment.game.card)
    assert "?" not in cards and len(cards) > 5


@pytest.mark.parametrize(
    ("options", "error"),
    [
        ({"first": "blue"}, RequestError),
        ({"first": "pink"}, RulesetError),
        ({"seats": "red,blue,yellow"}, RequestError),
        ({"seats": 9}, RulesetError),
        ({"position": "nonsense"}, PositionError),
        ({"position": RED_WINS["four"][1]}, RequestError),
        ({"position": RED_WINS["duel"][1]}, RequestError),
        ({"position": RED_WINS["two"][1], "first": "red"}, RequestError),
        ({"position": RED_WINS["two"][1], "seats": 2}, RequestError),
    ],
)
def test_options_that_cannot_be_leave_the_game(
    options: dict[str, Any], error: type[Exception]
) -> None:
    environment = raw_env("classic", "red,yellow")
    environment.reset(seed=6)
    before = environment.game.state.tobytes()
    with pytest.raises(error):
        environment.reset(seed=7, options=options)
    assert environment.game.state.tobytes() == before
    environment.step(environment.game.legal_actions()[0])


def test_a_finished_position_is_refused() -> None:
    game = read(RED_WINS["two"][1])
    game.play(game.legal_moves()[0])
    with pytest.raises(RequestError, match="over"):
        raw_env().reset(options={"position": game})


@MAKER
@pytest.mark.parametrize("profile", ["dict", "box"])
def test_spaces_can_be_read_before_the_first_reset(maker: Maker, profile: str) -> None:
    environment = maker("classic", 3, observation=profile)
    assert environment.possible_agents == ["player_0", "player_1", "player_2"]
    assert environment.max_num_agents == 3
    kept = []
    for agent in environment.possible_agents:
        spaces = environment.observation_space(agent), environment.action_space(agent)
        assert spaces[0].contains(spaces[0].sample())
        assert spaces[1].n == environment.tables.num_actions
        kept.append(spaces)
    environment.reset(seed=1)
    for agent, spaces in zip(environment.possible_agents, kept, strict=True):
        assert environment.observation_space(agent) is spaces[0]
        assert environment.action_space(agent) is spaces[1]


def test_the_bounds_of_the_box_are_those_of_the_fields() -> None:
    environment = raw_env(observation="box")
    environment.reset(seed=1)
    space: Any = environment.observation_space("player_0")
    assert space.dtype == np.int8
    for field in environment.tables.layout:
        entries = slice(field.offset, field.offset + field.size)
        assert (space.low[entries] == field.low).all()
        assert (space.high[entries] == field.high).all()
    seen: Any = environment.observe("player_0")
    assert decode(environment.tables.layout, seen)["turn"][0] == 0


def test_an_unknown_agent_is_refused_in_words() -> None:
    environment = raw_env()
    environment.reset(seed=1)
    with pytest.raises(RequestError, match="player_7"):
        environment.observe("player_7")


def test_stepping_before_a_reset_says_what_to_do() -> None:
    with pytest.raises(RequestError, match="reset"):
        raw_env().step(0)


def test_importing_sorry_env_loads_no_environment_library() -> None:
    script = "import sys, sorry_env; print(sorted({'pettingzoo', 'gymnasium'} & set(sys.modules)))"
    assert run_python(script, "0").strip() == "[]"
