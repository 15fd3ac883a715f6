"""`infos="mask"`: nothing but masks, at every step and for everybody, whatever is played."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import sorry_env
from sorry_env.errors import RequestError
from sorry_env.express import express_v0


@pytest.mark.parametrize(
    "make",
    [
        lambda **how: sorry_env.env("classic", 3, **how),
        lambda **how: sorry_env.env("points", 2, target_score=60, **how),
        lambda **how: sorry_env.env("teams-two", observation="box", **how),
        lambda **how: express_v0.env(2, **how),
    ],
    ids=["classic", "match", "box", "express"],
)
def test_masks_alone(make: Any) -> None:
    quiet, talking = make(infos="mask"), make()
    quiet.reset(seed=3)
    talking.reset(seed=3)
    rng = np.random.default_rng(3)
    while quiet.agents:
        assert all(info.keys() == {"action_mask"} for info in quiet.infos.values())
        for agent, info in quiet.infos.items():
            assert np.array_equal(info["action_mask"], talking.infos[agent]["action_mask"])
        agent = quiet.agent_selection
        done = quiet.terminations[agent] or quiet.truncations[agent]
        legal = np.flatnonzero(quiet.infos[agent]["action_mask"])
        action = None if done else int(rng.choice(legal))
        quiet.step(action)
        talking.step(action)
    assert not talking.agents


def test_another_word_is_refused() -> None:
    with pytest.raises(RequestError, match=r"infos='few' must be one of all, mask"):
        sorry_env.env("classic", infos="few")
