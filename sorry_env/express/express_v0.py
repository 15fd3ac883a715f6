"""`env`, `raw_env` and `parallel_env` of the dice game, named as PettingZoo names them.

    from sorry_env.express import express_v0

    env = express_v0.env(seats=3)

Rewards come once, at the end: the winner +1, the others share as much of a loss; 0 for all when
`max_plies` decisions have been made. What an illegal action leads to is the table in
`envs/sorry_v0.py`. Read `env.py` before this file.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from sorry_env.engine.batch import DEFAULT_MAX_PLIES
from sorry_env.envs.parallel import ParallelSorryEnv
from sorry_env.envs.settings import make_settings
from sorry_env.envs.wrapper import CheckedEnv
from sorry_env.express.env import ExpressEnv
from sorry_env.express.rules import EXPRESS, ExpressRules, check_reward, choose_seats, first_seat
from sorry_env.express.tables import compile_rules


def raw_env(
    seats: int | str | Iterable[int | str] | None = None,
    *,
    reward: str = "win",
    observation: str = "dict",
    illegal: str | None = None,
    max_plies: int = DEFAULT_MAX_PLIES,
    render_mode: str | None = None,
    first: int | str | None = None,
    rules: ExpressRules | str = EXPRESS,
    infos: str = "all",
) -> ExpressEnv:
    """An environment without PettingZoo's wrappers.

    seats: None for two, a number of players, or the seats `0,1,2`
    first: the seat that begins, `random`, or None for seat 0
    rules: an ExpressRules or `express`
    The other settings are those of `envs.sorry_v0.raw_env`. Raises RulesetError or RequestError for
    settings that cannot be.
    """
    tables = compile_rules(rules)
    seated = choose_seats(tables.ruleset, seats)
    first_seat(first, seated)
    return ExpressEnv(
        make_settings(
            tables,
            seated,
            reward=check_reward(reward),
            observation=observation,
            illegal=illegal,
            max_plies=max_plies,
            render_mode=render_mode,
            first=first,
            infos=infos,
        )
    )


def env(seats: int | str | Iterable[int | str] | None = None, **settings: Any) -> CheckedEnv:
    """`raw_env`, with the same settings, in PettingZoo's checks."""
    return CheckedEnv(raw_env(seats, **settings))


def parallel_env(
    seats: int | str | Iterable[int | str] | None = None, **settings: Any
) -> ParallelSorryEnv:
    """`raw_env`, with the same settings, by PettingZoo's parallel interface."""
    return ParallelSorryEnv(raw_env(seats, **settings))
