"""PettingZoo's own tests, for every published ruleset, number of seats, profile and wrapping.

Read `support.py` before and `test_play.py` after this file.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from pettingzoo.test import api_test, render_test, seed_test

from sorry_env.envs import env, raw_env
from tests.cases import PUBLISHED, case_id
from tests.envs.support import MAKERS, Maker

MAKER = pytest.mark.parametrize("maker", MAKERS, ids=lambda maker: str(maker.__name__))
CASE = pytest.mark.parametrize("case", PUBLISHED, ids=case_id)
#: Cycles enough for whole games with every number of seats.
CYCLES = 110


@pytest.fixture
def strict() -> Iterator[None]:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        yield


@MAKER
@CASE
@pytest.mark.usefixtures("strict")
def test_api_of_the_box_profile_without_a_warning(maker: Maker, case: tuple[str, int]) -> None:
    # PettingZoo tries an option `options`, which it asks to be taken: we warn of it.
    warnings.filterwarnings("ignore", "reset option 'options' is not known")
    api_test(maker(*case, observation="box"), num_cycles=CYCLES)


@MAKER
@CASE
@pytest.mark.filterwarnings("ignore")  # PettingZoo warns of every space that is no Box
def test_api_of_the_dict_profile(maker: Maker, case: tuple[str, int]) -> None:
    api_test(maker(*case), num_cycles=CYCLES)


@MAKER
@CASE
@pytest.mark.parametrize("profile", ["dict", "box"])
@pytest.mark.usefixtures("strict")
def test_seeds(maker: Maker, case: tuple[str, int], profile: str) -> None:
    seed_test(lambda: maker(*case, observation=profile), num_cycles=25)


@MAKER
@pytest.mark.parametrize("profile", ["dict", "box"])
@pytest.mark.usefixtures("strict", "windows")
def test_render(maker: Maker, profile: str) -> None:
    def make(render_mode: str | None = None) -> Any:
        return maker("classic", 3, observation=profile, render_mode=render_mode)

    render_test(make)


@MAKER
def test_metadata(maker: Maker) -> None:
    environment = maker()
    assert environment.metadata["name"] == "sorry_v0"
    assert {"ansi", "rgb_array"} <= set(environment.metadata["render_modes"])
    assert environment.metadata["render_fps"] > 0
    assert environment.metadata["is_parallelizable"] is False
    assert str(environment) == "sorry_v0"


def test_the_checked_environment_wears_pettingzoos_wrappers() -> None:
    checked = env()
    names: list[str] = []
    layer: Any = checked
    while layer is not layer.unwrapped:
        names.extend(base.__name__ for base in type(layer).__mro__)
        layer = layer.env
    assert {"OrderEnforcingWrapper", "AssertOutOfBoundsWrapper"} <= set(names)
    assert type(checked.unwrapped) is type(raw_env())


def test_order_is_enforced() -> None:
    environment = env()
    with pytest.raises(AttributeError):
        _ = environment.agents
    for call in (environment.last, environment.render, lambda: environment.step(np.int32(0))):
        with pytest.raises(Exception, match="reset"):
            call()
    environment.reset(seed=1)
    with pytest.raises(AssertionError):
        environment.step(10_000)
