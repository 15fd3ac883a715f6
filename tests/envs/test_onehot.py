"""The profile `onehot` of the PettingZoo environments.

Read `test_conformance.py` before this file.
"""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest
from pettingzoo.test import api_test

from sorry_env.engine.observe import OneHot, one_hot
from sorry_env.envs import env, raw_env
from sorry_env.express import express_v0
from tests.cases import PUBLISHED, case_id
from tests.envs.support import choose


@pytest.mark.parametrize("case", PUBLISHED, ids=case_id)
def test_pettingzoos_test_without_a_warning(case: tuple[str, int]) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        api_test(env(*case, observation="onehot"), num_cycles=60)


def test_pettingzoos_test_of_the_dice_game() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        api_test(express_v0.env(3, observation="onehot"), num_cycles=200)


@pytest.mark.parametrize("case", PUBLISHED, ids=case_id)
def test_it_is_the_box_profile_widened(case: tuple[str, int]) -> None:
    narrow, wide = (raw_env(*case, observation=profile) for profile in ("box", "onehot"))
    for each in (narrow, wide):
        each.reset(seed=2)
    rng = np.random.default_rng(1)
    assert narrow.agents and narrow.agents == wide.agents
    while narrow.agents and not any(narrow.terminations.values()):
        for agent in narrow.agents:
            shown: Any = wide.observe(agent)
            seen: Any = narrow.observe(agent)
            assert shown.dtype == np.float32
            assert np.array_equal(shown, one_hot(narrow.tables.layout, seen))
            assert shown.sum() == len(seen), "a single 1 for each entry"
        action = choose(narrow.infos[narrow.agent_selection]["action_mask"], rng)
        narrow.step(action)
        wide.step(action)


def test_many_rows_at_once() -> None:
    layout = raw_env("way-sorry").tables.layout
    rng = np.random.default_rng(1)
    low = np.concatenate([np.full(f.size, f.low) for f in layout])
    high = np.concatenate([np.full(f.size, f.high) for f in layout])
    rows = rng.integers(low, high + 1, size=(3, 4, len(low))).astype(np.int8)
    widen = OneHot(layout)
    assert np.array_equal(widen(rows), one_hot(layout, rows))
    assert widen(rows).shape == (3, 4, widen.size)


def test_whoever_takes_vectors_may_try_any_action() -> None:
    environment = raw_env(observation="onehot")
    environment.reset(seed=1)
    mask = environment.infos["player_0"]["action_mask"]
    environment.step(int(mask.argmin()))
    assert environment.rewards == {"player_0": -1.0, "player_1": 1.0}
