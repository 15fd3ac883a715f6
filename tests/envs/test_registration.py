"""The registered id, pictures, and closing.

Read `test_copies.py` before this file.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pettingzoo
import pytest

from sorry_env import envs
from sorry_env.envs import registration
from tests.envs.support import MAKERS, RED_WINS, Maker, trace

MAKER = pytest.mark.parametrize("maker", MAKERS, ids=lambda maker: str(maker.__name__))
HAS_REGISTRY = pytest.mark.skipif(
    not hasattr(pettingzoo, "register"), reason="this PettingZoo has no registry"
)


@HAS_REGISTRY
@pytest.mark.parametrize("name", ["sorry_env/sorry-v0", "sorry_env/sorry_v0", "sorry_env/sorry"])
def test_pettingzoo_makes_it_by_its_id(name: str) -> None:
    made = pettingzoo.make("aec", name, ruleset="classic", seats=4, observation="box")
    same = envs.env("classic", 4, observation="box")
    for environment in (made, same):
        environment.reset(seed=3)
    assert trace(made, 1, 200) == trace(same, 1, 200)


@HAS_REGISTRY
@pytest.mark.filterwarnings("error")
def test_registering_twice_does_nothing() -> None:
    assert registration.register()
    assert registration.ENV_ID in pettingzoo.aec_registry


def test_a_pettingzoo_without_a_registry_will_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(pettingzoo, "register", raising=False)
    assert not registration.register()


@MAKER
def test_pictures_without_a_display(maker: Maker, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("DISPLAY", raising=False)
    environment = maker("classic", 2, render_mode="rgb_array")
    environment.reset(seed=0, options={"position": RED_WINS["two"][1]})
    pixels = environment.render()
    assert pixels.dtype == np.uint8 and pixels.shape == (640, 640, 3)
    environment.step(environment.unwrapped.game.legal_actions()[0])
    after: Any = environment.render()
    assert (after != pixels).any(), "the move is marked, the game is over"


@MAKER
def test_text_pictures(maker: Maker) -> None:
    environment = maker(render_mode="ansi")
    environment.reset(seed=0)
    assert "Red to play" in environment.render()


def test_without_a_render_mode_nothing_is_drawn() -> None:
    environment = envs.raw_env()
    environment.reset(seed=0)
    with pytest.warns(UserWarning, match="render_mode"):
        assert environment.render() is None


@MAKER
def test_closing_twice(maker: Maker) -> None:
    environment = maker(render_mode="rgb_array")
    environment.close()
    environment.reset(seed=0)
    pixels = environment.render()
    environment.close()
    environment.close()
    assert np.array_equal(environment.render(), pixels), (
        "a closed environment can still be looked at"
    )


def test_state_is_the_same_whoever_looks() -> None:
    environment = envs.raw_env("classic", "blue,green")
    environment.reset(seed=0)
    assert environment.state_space.contains(environment.state())
    assert np.array_equal(environment.state(), environment.game.observation(0))
