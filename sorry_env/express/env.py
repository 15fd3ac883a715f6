"""The PettingZoo environment of the dice game: `SorryEnv` with another game inside.

Stepping, ends, infos, illegal actions, copies and pickles are those of `envs/aec.py`; here is how a
game begins, which kernel plays it and how it is drawn. Read `envs/aec.py` and `game.py` before and
`express_v0.py` after this file.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, ClassVar

import numpy as np

from sorry_env.engine.jit import direct
from sorry_env.engine.rng import seed_state
from sorry_env.engine.state import WORK
from sorry_env.envs.aec import SorryEnv
from sorry_env.errors import RequestError
from sorry_env.express import single
from sorry_env.express.ansi import ansi
from sorry_env.express.game import ExpressGame
from sorry_env.express.notation import read
from sorry_env.express.pictures import rgb
from sorry_env.express.rules import SEAT_NAMES, choose_seats
from sorry_env.express.state import SEATS

#: Rises whenever the same seed and actions would give another result.
EXPRESS_VERSION = 0
EXPRESS_NAME = f"express_v{EXPRESS_VERSION}"


class ExpressEnv(SorryEnv):
    """One game of Sorry! Express for PettingZoo; made by `express_v0.raw_env`.

    Agents are `player_0`, `player_1` ... by seat. Options of `reset`: ``first``, ``homes`` (letters
    of the Home colours in seat order), or ``position``, a line or an `ExpressGame`.

    infos: as those of `SorryEnv`, without ``colour``: a seat has none of its own
    """

    metadata: ClassVar[dict[str, Any]] = {**SorryEnv.metadata, "name": EXPRESS_NAME}
    OPTIONS: ClassVar = ("first", "homes", "seats", "position")
    NAMES: ClassVar = SEAT_NAMES
    ABOUT: ClassVar = tuple({"seat": seat} for seat in range(SEATS))

    def _open_game(self, seed: int, options: Mapping[str, Any]) -> ExpressGame:
        position = options.get("position")
        if position is not None:
            for other in ("first", "homes", "seats"):
                if options.get(other) is not None:
                    raise RequestError(
                        f"option {other!r} cannot be given with a position, which says it itself",
                        value=options[other],
                    )
            return self._from_position(seed, position)
        if options.get("seats") is not None:
            self._check_count(choose_seats(self.tables.ruleset, options["seats"]))
        first = options.get("first")
        return ExpressGame(
            self.settings.seats,
            seed=seed,
            first=self.settings.first if first is None else first,
            homes=options.get("homes"),
            rules=self.tables.ruleset,
        )

    def _from_position(self, seed: int, position: str | ExpressGame) -> ExpressGame:
        if isinstance(position, ExpressGame):
            game = position.copy()
            game.state["rng"] = seed_state(seed)
        else:
            game = read(position, seed=seed)
        if game.ruleset != self.tables.ruleset:
            raise RequestError("the position is one of other dice", value=position)
        self._check_count(game.seats)
        if game.over:
            raise RequestError("the position's game is over: nothing to play", value=position)
        if game.waiting:
            game.roll()
        return game

    def _check_count(self, seats: tuple[int, ...]) -> None:
        count = len(self.settings.seats)
        if len(seats) != count:
            raise RequestError(
                f"{len(seats)} seats do not fit an environment made for {count}", value=seats
            )

    def _find_decide(self) -> Callable[..., int]:
        return _compiled_decide()

    def _paint(self, view: Any) -> np.ndarray:
        return rgb(view, last_move=self._last_move)

    def _write(self, view: Any) -> str:
        return ansi(view)


@cache
def _compiled_decide() -> Callable[..., int]:
    """`single.decide` for the types of any environment's arrays, found once a process."""
    game = ExpressGame(seed=0)
    seen, work = game.observation(), np.zeros(2, WORK)
    return direct(single.decide, *game.tables.arrays, game.state, 0, 0, 0, seen, game.mask(), work)
