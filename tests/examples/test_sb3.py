"""sb3-contrib: masks through both of its vector environments, and the example that learns.

Needs `pip install 'sorry_env[sb3]'`; `make interop` runs it.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

pytestmark = pytest.mark.interop


@pytest.mark.parametrize("processes", [False, True], ids=["dummy", "subproc"])
def test_masks_belong_to_the_observations_beside_them(processes: bool) -> None:
    from sb3_contrib.common.maskable.utils import get_action_masks

    from docs.examples.sb3_maskable_ppo import make_envs

    envs: Any = make_envs(2, processes, "classic", 2, "random", seed=1)
    rng = np.random.default_rng(1)
    envs.reset()
    ended = 0
    for _ in range(400):
        masks = get_action_masks(envs)
        assert masks.dtype == np.bool_ and masks.any(axis=1).all()
        scores = np.where(masks, rng.random(masks.shape), -1.0)
        _, rewards, done, infos = envs.step(scores.argmax(axis=1))
        ended += int(done.sum())
        # Set in a game that ends: the learner is told whether it has won.
        assert all(abs(reward) == end for reward, end in zip(rewards, done, strict=True))
        # None was refused: the masks are those of the games as they are, after resets too.
        assert [info["illegal_actions"] for info in infos] == [0, 0]
    envs.close()
    assert ended >= 4


def test_the_example_learns() -> None:
    from docs.examples import sb3_maskable_ppo

    before, after = sb3_maskable_ppo.main(["--steps", "16384"])
    assert after.interval()[0] > before.interval()[1]


def test_the_example_runs_in_processes() -> None:
    from docs.examples import sb3_maskable_ppo

    _, after = sb3_maskable_ppo.main(["--processes", "--envs", "2", "--steps", "2048"])
    assert after.games == 1000
