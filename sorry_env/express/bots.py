"""Bots of the dice game: random and learned bots as they are, and a greedy one of its own.

Read `bots/base.py`, `bots/greedy.py` and `turn.py` before this file.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any, ClassVar, Final

import numpy as np

from sorry_env.bots.base import BatchRequest, Insight
from sorry_env.bots.best import BestBot
from sorry_env.bots.random import RandomBot
from sorry_env.bots.registry import BOTS as BOARD_BOTS
from sorry_env.bots.registry import Kind
from sorry_env.bots.registry import make_bot as make_named_bot
from sorry_env.engine.afterstate import best_of_rows
from sorry_env.engine.state import OVER
from sorry_env.express import single
from sorry_env.express.batch import expand_range
from sorry_env.express.rules import EXPRESS
from sorry_env.express.solution import ExpressSolution, find_solution
from sorry_env.express.space import open_space
from sorry_env.express.state import COLOURS, SEATS
from sorry_env.express.view import ExpressView

# What the greedy bot's sums are made of, in whole numbers, so that equal values are equal.
_WON: Final = 1000
_HOME: Final = 4  # a pawn in the Home section
_BEST: Final = 1  # a pawn of the colour most held, to which a slide may turn the Home


class ExpressRequest(BatchRequest):
    """Decisions asked of a bot in n games of the dice game; games are EXPRESS_GAME[n]."""

    tables: Any  # ExpressTables
    expand_range: ClassVar[Callable[..., None]] = staticmethod(expand_range)

    @staticmethod
    def won_by(games: np.ndarray, seats: np.ndarray) -> np.ndarray:
        """See `BatchRequest`."""
        won: np.ndarray = games["winner"] == seats
        return won

    @property
    def seat_counts(self) -> np.ndarray:
        """int[n], how many players each game has."""
        counts: np.ndarray = self.games["seats"]
        return counts

    def views(self) -> Iterator[Any]:
        """The games one by one, each as the seat that decides sees it."""
        for i, actor in enumerate(self.games["actor"].tolist()):
            yield ExpressView(self.tables, self.games[i : i + 1], actor)


class ExpressGreedyBot(BestBot):
    """Maximises the value of the position after its die, before the next is resolved.

    A player's worth is 4 for each pawn in the Home section and 1 for each pawn of the colour of
    which he holds most; the value is the bot's own worth less the largest of the others. A game
    won is worth more than any of that, one lost less. Ties are broken at random.
    """

    name = "greedy"

    def _best(self, request: BatchRequest) -> tuple[np.ndarray, np.ndarray]:
        rows, actions = np.nonzero(request.mask)
        after = request.games[rows]
        single.play_each(request.tables.arrays, after, actions)
        value = _values(after, request.games["actor"][rows])
        ties = best_of_rows(value, rows, len(request))
        return rows[ties], actions[ties]


class ExpressOptimalBot(BestBot):
    """Plays the exact solution of the game of two, found when it is first asked for.

    solution: one that is there already
    `check` raises RulesetError for other numbers of players.
    """

    name = "optimal"

    def __init__(self, solution: ExpressSolution | None = None) -> None:
        super().__init__()
        self._solution = solution

    def check(self, tables: Any, seats: Sequence[int]) -> None:
        """See `Bot`."""
        open_space(tables.ruleset, seats)

    def _best(self, request: BatchRequest) -> tuple[np.ndarray, np.ndarray]:
        return self._solve(request).best_actions(request.games, request.mask)

    def _solve(self, request: BatchRequest) -> ExpressSolution:
        return self._solution or find_solution(request.tables)

    @property
    def rulesets(self) -> tuple[str, ...]:
        """See `Bot`."""
        return (EXPRESS.name,)

    def insight(self, request: BatchRequest) -> Insight:
        """See `Bot`."""
        values = np.full(request.mask.shape, np.nan)
        worth, rows, actions = self._solve(request).action_values(request.games, request.mask)
        values[rows, actions] = worth
        return Insight(self.distribution(request), np.nanmax(values, axis=1), values)


def _values(games: np.ndarray, seats: np.ndarray) -> np.ndarray:
    """int64[m], what EXPRESS_GAME[m] are worth to these seats int[m]."""
    held = games["held"].astype(np.int64)
    shown = games["home"][:, :, None] == np.arange(COLOURS)
    worth = _HOME * (held * shown).sum(axis=2) + _BEST * held.max(axis=2)
    worth += _WON * ((games["phase"] == OVER)[:, None] & (games["winner"][:, None] == _SEATS))
    own = seats[:, None] == _SEATS
    value: np.ndarray = worth[own] - np.where(own, -1, worth).max(axis=1)
    return value


_SEATS = np.arange(SEATS)

BOTS: Final[dict[str, Kind]] = {
    "random": Kind(RandomBot, "any legal move, all equally likely"),
    "greedy": Kind(ExpressGreedyBot, "the move that gains most at once"),
    "optimal": Kind(ExpressOptimalBot, "the exact solution of the game of two players"),
    "value": BOARD_BOTS["value"],
    "learned": BOARD_BOTS["learned"],
    "best": BOARD_BOTS["best"],
    "process": BOARD_BOTS["process"],
    "http": BOARD_BOTS["http"],
    "https": BOARD_BOTS["https"],
}

#: `bots.registry.make_bot` for the dice game.
make_bot = partial(make_named_bot, bots=BOTS)
