"""The dice game for one learner as a Gymnasium environment: `envs/single.py` with another game.

    import gymnasium, sorry_env

    env = gymnasium.make("sorry_env/SorryExpress-v0", seats=3, opponents="greedy")

`gymnasium.make_vec` steps such environments one by one. Read `envs/single.py` and `env.py` before
this file.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from sorry_env.envs.aec import SorryEnv
from sorry_env.envs.single import SingleEnv
from sorry_env.errors import RequestError
from sorry_env.express.express_v0 import raw_env
from sorry_env.express.rules import EXPRESS, ExpressRules


class ExpressSingleEnv(SingleEnv):
    """Sorry! Express for one learner.

    rules:    an ExpressRules or `express`
    seats:    None for two, a number of players, or the seats `0,1,2`
    settings: those of `SingleEnv`, but for ``target_score``; seats are numbers
    """

    def __init__(
        self,
        seats: int | str | Iterable[int | str] | None = None,
        *,
        rules: ExpressRules | str = EXPRESS,
        **settings: Any,
    ) -> None:
        super().__init__(rules, seats, **settings)

    def _make_inside(self, ruleset: Any, seats: Any, **settings: Any) -> SorryEnv:
        target = settings.pop("target_score")
        if target is not None:
            raise RequestError(f"target_score={target!r}: this game has no scores", value=target)
        return raw_env(seats, rules=ruleset, **settings)
