"""What a bot says that decisions are worth: one scale for bots that tell it in several ways.

Read `../bots/base.py` (`Insight`) before and `analysis.py` after this file.
"""

from __future__ import annotations

import copy
from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from sorry_env.bots.base import Bot, Insight
from sorry_env.bots.expectimax import ExpectimaxBot
from sorry_env.bots.outlook import outlook
from sorry_env.bots.values import same_side
from sorry_env.engine.state import HOME
from sorry_env.errors import RequestError
from sorry_env.families import family_of

#: What values are counted in: chances to win, from 0 to 1, or steps ahead of the others.
CHANCE: Final = "chance"
STEPS: Final = "steps"
#: Positions that are asked about together.
CHUNK: Final = 512


class Judge:
    """A bot's account of positions in which a seat decides; values are that seat's.

    name: the bot's
    unit: CHANCE or STEPS, None where the bot says of no position what it is worth

    Bots say it in three ways. Some value each move (`value:FILE`, `optimal`, searches over a value
    file). Some value the position with its card (`learned:FILE`): what a move is worth is then the
    mean over all that may be drawn after it, which needs two sides and open hands. Expectimax
    without a file counts steps.
    """

    def __init__(self, bot: Bot, game: Any) -> None:
        """Of a bot for games like this one, in which a seat decides.

        Raises what the bot's `check` raises, and RequestError for `random` and the like where a
        value is asked for.
        """
        bot.check(game.tables, game.seats)
        self.bot = bot
        self.name = bot.name
        if isinstance(bot, ExpectimaxBot):
            self.bot = copy.copy(bot)  # all moves are to be looked at, whatever time it takes
            self.bot.width, self.bot.time_ms = game.tables.num_actions, None
        family = family_of(game.ruleset)
        insight = self.bot.insight(family.BatchRequest.of_view(game.view(game.actor)))
        teams = getattr(game.ruleset, "teams", "none") != "none"
        hidden = bool(getattr(game.ruleset, "hand", 0))
        self._two_sides = teams or len(game.seats) == 2
        self._tables = game.tables
        self._by_move = insight.values is not None
        self._by_position = insight.value is not None and self._two_sides and not hidden
        counts_steps = isinstance(bot, ExpectimaxBot) and not self._by_move
        self._others = 1 if teams else max(1, len(game.seats) - 1)
        self.unit = STEPS if counts_steps else CHANCE if self.can else None

    @property
    def can(self) -> bool:
        """Whether it gives values as chances."""
        return self._by_move or self._by_position

    def favoured(self, games: Sequence[Any]) -> list[np.ndarray]:
        """For each game the actions int[m] that the bot is most likely to play."""
        found = []
        for part in _parts(games):
            chances = self.bot.distribution(_request(part))
            best = chances >= chances.max(axis=1, keepdims=True) - 1e-12
            found += [np.flatnonzero(row) for row in best]
        return found

    def moves(self, games: Sequence[Any]) -> np.ndarray:
        """float64[n, A], what each legal action is worth, NaN elsewhere."""
        self._need()
        if self._by_move or self.unit == STEPS:
            return np.concatenate([self._values(part) for part in _parts(games)])
        return np.stack([self._look_ahead(game) for game in games])

    def drawn(self, games: Sequence[Any]) -> np.ndarray:
        """float64[n], what each position is worth now that its card is known.

        NaN where the bot does not say it: a search may leave out decisions without a choice.
        """
        self._need()
        if self._by_move or self.unit == STEPS:
            values = self.moves(games)
            best = np.full(len(games), np.nan)
            known = np.isfinite(values).any(axis=1)
            best[known] = np.nanmax(values[known], axis=1)
            return best
        found = [np.asarray(self._insight(part).value) for part in _parts(games)]
        return np.concatenate(found).astype(np.float64)

    def chances(self, games: Sequence[Any], drawn: np.ndarray) -> list[tuple[float, ...]]:
        """For each game the chances of all seats in turn order, together 1, see `outlook.py`.

        drawn: float64[n], what `drawn` says of them
        () for each where the bot cannot say it, and where two sides play: there it is told already.
        """
        if self._two_sides or self.unit != CHANCE:
            return [()] * len(games)
        found = [
            outlook(self.bot, game, p) if np.isfinite(p) else None
            for game, p in zip(games, drawn.tolist(), strict=True)
        ]
        return [() if one is None else tuple(one.values()) for one in found]

    def same_side(self, one: int, other: int) -> bool:
        """Whether two seats win together."""
        return bool(same_side(self._tables, one, other))

    def turned(self, value: float) -> float:
        """A value of one of two sides as the other's."""
        return 1.0 - value if self.unit == CHANCE else -value

    def _need(self) -> None:
        if self.unit is None:
            raise RequestError(
                f"{self.name} does not say what these positions are worth; value:FILE.onnx, "
                "optimal (small rulesets) and expectimax do, and learned:FILE.onnx where two "
                "sides play with open hands",
                value=self.name,
            )

    def _insight(self, games: Sequence[Any]) -> Insight:
        return self.bot.insight(_request(games))

    def _values(self, games: Sequence[Any]) -> np.ndarray:
        if self._by_move:
            values = self._insight(games).values
            assert values is not None
            return values
        assert isinstance(self.bot, ExpectimaxBot)
        steps = self.bot.action_values(_request(games)) / self._others
        most = HOME * games[0].ruleset.pawns  # winning counts for more, which is no number of steps
        return np.clip(steps, -most, most)

    def _look_ahead(self, game: Any) -> np.ndarray:
        """float64[A], the mean of what may be drawn after each move, by who decides then."""
        values = np.full(game.tables.num_actions, np.nan)
        coming: list[tuple[int, float, Any]] = []
        for action in game.legal_actions().tolist():
            after = game.copy()
            after.play(action, draw=False)
            if after.over:
                won = any(self.same_side(game.actor, seat) for seat in after.winners)
                values[action] = float(won)
                continue
            values[action] = 0.0
            coming += [(action, chance, one) for chance, one in outcomes(after)]
        if coming:
            worth = self.drawn([one for _, _, one in coming])
            for (action, chance, one), value in zip(coming, worth.tolist(), strict=True):
                own = self.same_side(game.actor, one.actor)
                values[action] += chance * (value if own else 1.0 - value)
        return values


def outcomes(game: Any) -> list[tuple[float, Any]]:
    """All that chance may bring next, each with its chance; the game itself where none is due."""
    if not game.waiting:
        return [(1.0, game)]
    coming = []
    for name, chance in game.chances():
        after = game.copy()
        after.draw(name)
        coming.append((float(chance), after))
    return coming


def _parts(games: Sequence[Any]) -> list[Sequence[Any]]:
    return [games[low : low + CHUNK] for low in range(0, len(games), CHUNK)]


def _request(games: Sequence[Any]) -> Any:
    """The decisions of some games of one ruleset, each as the seat that decides sees it."""
    kind = family_of(games[0].ruleset).BatchRequest
    each = [kind.of_view(game.view(game.actor)) for game in games]
    return kind(
        each[0].tables,
        np.concatenate([one.games for one in each]),
        np.concatenate([one.observation for one in each]),
        np.concatenate([one.mask for one in each]),
    )
