"""The learners by name.  The outside ones need their libraries only when they are made.

Read before: ``base.py``.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterator

from benchmarks.learning.base import Front, Learner, Meter, Step
from sorry_env.errors import RequestError


def _ppo(front: Front, seed: int, meter: Meter) -> Iterator[Step]:
    from benchmarks.learning.ours import train_ppo

    return train_ppo(front, seed, meter)


def _td(front: Front, seed: int, meter: Meter) -> Iterator[Step]:
    from benchmarks.learning.ours import train_td

    return train_td(front, seed, meter)


def _sb3(front: Front, seed: int, meter: Meter) -> Iterator[Step]:
    _need("sb3_contrib", "sb3")
    from benchmarks.learning.sb3_ppo import train

    return train(front, seed, meter)


def _tianshou(front: Front, seed: int, meter: Meter) -> Iterator[Step]:
    _need("tianshou", "tianshou")
    from benchmarks.learning.tianshou_dqn import train

    return train(front, seed, meter)


def _need(package: str, extra: str) -> None:
    """RequestError, naming what installs it, where a library is missing."""
    try:
        importlib.import_module(package)
    except ImportError as error:
        raise RequestError(
            f"{package} is not installed: pip install 'sorry_env[{extra}]'", value=package
        ) from error


LEARNERS = {
    learner.name: learner
    for learner in (
        Learner(
            "ppo", "PPO, ours", "itself in all seats, past selves in a tenth of the games", _ppo
        ),
        Learner("td", "TD(lambda) on afterstates, ours", "itself in all seats", _td),
        Learner("sb3-ppo", "MaskablePPO, sb3-contrib", "a copy of itself, one update old", _sb3),
        Learner("tianshou-dqn", "DQN, Tianshou", "a copy of itself, one update old", _tianshou),
    )
}
