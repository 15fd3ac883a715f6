"""What cards are worth to whoever draws them, by the account of a bot that values positions.

Read `../bots/value.py` before and `luck.py` after this file.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np

from sorry_env.bots.base import Bot
from sorry_env.bots.greedy import GreedyBot, progress
from sorry_env.bots.learned import LearnedBot
from sorry_env.bots.optimal import OptimalBot
from sorry_env.bots.shipped import ShippedBot
from sorry_env.bots.value import AfterstateBot
from sorry_env.bots.values import chance_to_win
from sorry_env.engine.afterstate import Afterstates, expand_range, room, starts_of
from sorry_env.engine.jit import kernel
from sorry_env.engine.observe import observe
from sorry_env.engine.state import UNSEATED
from sorry_env.engine.tables import RuleTables
from sorry_env.errors import RequestError
from sorry_env.solve.files import find_solution
from sorry_env.solve.space import open_space

#: What cards are worth: a function of (tables, games GAME[k] with a card just drawn, the legal
#: actions bool[k, A]) that returns float64[k], the chance that the side in turn wins.
Worth = Callable[[RuleTables, np.ndarray, np.ndarray], np.ndarray]

#: Steps ahead that make a side e times as likely to win, by greedy's account: what fits 300 games
#: of greedy with itself (classic, two seats) best. The fitted coefficient makes up for the rest.
LEAD: Final = 200.0


def worth_by(bot: Bot, tables: RuleTables, seats: Sequence[int]) -> Worth:
    """What cards are worth by a bot's account: that of the best position after them.

    The bot is one with a value of positions: `value:FILE` (or another `AfterstateBot`), `optimal`,
    `greedy`, whose steps ahead are turned into chances, `learned:FILE`, whose value of the position
    with its card counts, or `best:NAME`, which is one of them. Raises RequestError for others, and
    what its `check` raises.
    """
    bot.check(tables, seats)
    if isinstance(bot, ShippedBot):
        bot = bot.player(len(seats))
    sides = 2 if tables.ruleset.teams != "none" else len(seats)
    if isinstance(bot, AfterstateBot):
        value = bot.value
        return lambda t, games, mask: best_after(
            t,
            games,
            mask,
            lambda after, _: chance_to_win(value(after.observation).astype(np.float64), sides),
            look=True,
        )
    if isinstance(bot, LearnedBot):
        policy = bot.policy
        return lambda t, games, mask: chance_to_win(
            policy.evaluate(observe_turns(t, games), mask)[1].astype(np.float64), sides
        )
    if isinstance(bot, OptimalBot):
        solution = find_solution(open_space(tables.ruleset, tuple(seats)))

        def optimum(tables: RuleTables, games: np.ndarray, mask: np.ndarray) -> np.ndarray:
            worth, _, _ = solution.action_values(games, mask)
            return np.asarray(np.maximum.reduceat(worth, starts_of(mask)[:-1]))

        return optimum
    if type(bot) is GreedyBot:
        return lambda t, games, mask: best_after(t, games, mask, lambda a, s: _lead(t, a.games, s))
    raise RequestError(
        f"{bot.name!r} does not say what positions are worth: measure luck by value:FILE, "
        "best:NAME, learned:FILE, optimal or greedy",
        value=bot.name,
    )


def best_after(
    tables: RuleTables,
    games: np.ndarray,
    mask: np.ndarray,
    value: Callable[[Afterstates, np.ndarray], np.ndarray],
    look: bool = False,
) -> np.ndarray:
    """float64[k]: the highest chance of the side in turn after a legal action of each game.

    value: of (positions before the next draw, the seats int[m] that moved there), their chances
           float64[m]; not asked of positions in which somebody has won
    look:  whether it needs their observations
    """
    starts = starts_of(mask)
    count = int(starts[-1])
    after = room(count, games.dtype, tables.observation_size, count if look else 0)
    expand_range(tables.arrays, games, 0, len(games), starts, mask, after)
    movers = games["turn"][after.row].astype(np.int64)
    won = after.games["ranks"] == 1
    chances = won[np.arange(count), movers].astype(np.float64)
    going = np.flatnonzero(~won.any(axis=1))
    seen = after.observation[going] if look else after.observation
    rest = Afterstates(after.games[going], after.row[going], after.action[going], seen)
    chances[going] = value(rest, movers[going])
    return np.asarray(np.maximum.reduceat(chances, starts[:-1]))


def _lead(tables: RuleTables, games: np.ndarray, movers: np.ndarray) -> np.ndarray:
    """float64[m]: chances to win by the steps that sides have covered, as in Plackett-Luce."""
    steps = progress(games).astype(np.float64)
    if tables.ruleset.teams != "none":
        steps[:, :2] += steps[:, 2:]
        steps[:, 2:] = steps[:, :2]
    weights = np.exp((steps - steps.max(axis=1, keepdims=True)) / LEAD)
    weights[games["pawns"][:, :, 0] == UNSEATED] = 0.0
    sums = weights.sum(axis=1) / (2.0 if tables.ruleset.teams != "none" else 1.0)
    chances: np.ndarray = weights[np.arange(len(games)), movers] / sums
    return chances


def observe_turns(tables: RuleTables, games: np.ndarray) -> np.ndarray:
    """int8[k, O], what the seat in turn sees in each of GAME[k]."""
    seen = np.empty((len(games), tables.observation_size), np.int8)
    _observe_turns(tables.arrays, games, seen)
    return seen


@kernel
def _observe_turns(rules: Any, games: Any, seen: Any) -> None:
    facts = rules.facts[0]
    for i in range(len(games)):
        observe(facts, games[i], np.int64(games[i]["turn"]), seen[i])
