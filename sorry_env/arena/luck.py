"""Luck with the cards: how much better each draw was than the mean of all cards that could come.

A bot that knows what positions are worth says how good a card is for whoever draws it; the mean
over the cards of the pile is taken off. So luck is 0 on the average at every draw, whatever the bot
thinks: taken out of a result it leaves the mean where it is, and less chance. Sources: M.
Zinkevich, M. Bowling, N. Bard, M. Kan and D. Billings, "Optimal unbiased estimators for evaluating
agent performance", 2006; N. Burch, M. Schmid, M. Moravcik, D. Morrill and M. Bowling, "AIVAT: a new
variance reduction technique for agent evaluation in imperfect information games", 2018.

Read `bots/chance.py` before and `match.py`, which measures luck, after this file; `stats.py`
takes it out.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np

from sorry_env.bots.base import Bot
from sorry_env.bots.chance import cards_left, deal
from sorry_env.bots.greedy import GreedyBot, progress
from sorry_env.bots.learned import LearnedBot
from sorry_env.bots.optimal import OptimalBot
from sorry_env.bots.registry import make_bot
from sorry_env.bots.value import AfterstateBot
from sorry_env.engine.afterstate import Afterstates, expand_range, room, starts_of
from sorry_env.engine.batch import Batch
from sorry_env.engine.jit import kernel
from sorry_env.engine.observe import observe
from sorry_env.engine.state import MOVE, SEATS, UNSEATED, WAITING
from sorry_env.engine.tables import RuleTables
from sorry_env.errors import RequestError, RulesetError
from sorry_env.families import BOARD, family_of
from sorry_env.solve.files import find_solution
from sorry_env.solve.space import open_space

#: What cards are worth: a function of (tables, games GAME[k] with a card just drawn, the legal
#: actions bool[k, A]) that returns float64[k], the chance that the side in turn wins.
Worth = Callable[[RuleTables, np.ndarray, np.ndarray], np.ndarray]

#: Draws looked at together: their positions should stay in the processor's cache.
CHUNK: Final = 64
#: Steps ahead that make a side e times as likely to win, by greedy's account: between equal bots on
#: the classic board. What it is for other games the fitted coefficient makes up for.
LEAD: Final = 45.0


class LuckMeter:
    """Adds up the luck of a running match.

    by_seat: float64[G, 4], by game and seat: the chance to win that the cards gave it, beyond what
             they give on the average. Sides share what another gains or loses; partners have theirs
             together; 0 where nobody sits
    """

    def __init__(self, by: Bot | str, table: Batch, seats: Sequence[int], games: int) -> None:
        """Of a match of ``games`` in the rows of ``table``; the bot ``by`` values the cards.

        Raises RulesetError for rulesets whose luck cannot be told, RequestError for bots that
        cannot tell, and what the bot's `check` raises.
        """
        self._shares = side_shares(table.tables.ruleset, seats)
        bot = make_bot(by) if isinstance(by, str) else by
        self.name = bot.name
        self.by_seat = np.zeros((games, SEATS))
        self._table = table
        self._worth = worth_by(bot, table.tables, seats)
        self._number = np.full(table.size, -1)
        self._draws = np.zeros(table.size, np.int64)

    def note(self, number: np.ndarray) -> None:
        """Look at the draws since the last call, which must have come before the last decision.

        number: int[B], of the game in each row, others than those of the match are not looked at
        """
        games = self._table.games
        fresh = (games["draws"] != self._draws) | (number != self._number)
        rows = np.flatnonzero(fresh & (games["draws"] > 0) & (number < len(self.by_seat)))
        self._draws[:], self._number[:] = games["draws"], number
        luck = luck_of_draws(self._table.tables, games[rows], self._worth)
        self.by_seat[number[rows]] += luck[:, None] * self._shares[games["turn"][rows]]


def luck_of_draws(tables: RuleTables, games: np.ndarray, worth: Worth) -> np.ndarray:
    """float64[n]: the chance to win that the card drawn gives the side in turn, less the mean.

    games: GAME[n] of a ruleset without hands, in which a card has been drawn and nothing decided
    The mean is over all cards that could be drawn, by their number in the pile. Once somebody has
    won (and others play on for their places) there is no luck any more.
    """
    luck = np.zeros(len(games))
    running = np.flatnonzero(~(games["ranks"] == 1).any(axis=1))
    for low in range(0, len(running), CHUNK):
        rows = running[low : low + CHUNK]
        before = undo_draw(tables, games[rows])
        left = cards_left(tables, before)
        at, card = np.nonzero(left)
        dealt, mask = deal(tables, before, at, card)
        value = worth(tables, dealt, mask)
        chance = left[at, card] / left.sum(axis=1)[at]
        mean = np.bincount(at, value * chance, minlength=len(rows))
        luck[rows] = value[card == games["card"][rows][at]] - mean
    return luck


def undo_draw(tables: RuleTables, games: np.ndarray) -> np.ndarray:
    """GAME[n]: as they were before the draws in `luck_of_draws`, but for the random state.

    Where the pile was made anew for the draw it stays so: the cards in it are the same.
    """
    before = games.copy()
    if not tables.ruleset.infinite:
        before["deck"][np.arange(len(games)), games["card"]] += 1
    before["draws"] -= 1
    before["card"] = WAITING
    before["phase"] = MOVE
    return before


def side_shares(ruleset: Any, seats: Sequence[int]) -> np.ndarray:
    """float64[4, 4], by the seat that draws: what each seat has of its luck.

    Raises RulesetError for games whose luck cannot be told.
    """
    if family_of(ruleset) is not BOARD or ruleset.hand:
        why = (
            f"it has hands (hand={ruleset.hand})" if family_of(ruleset) is BOARD else "it has dice"
        )
        raise RulesetError(
            f"luck cannot be taken out of games of {ruleset.name}: {why}; it is known of rulesets "
            "in which a card is drawn and played",
            value=ruleset.name,
        )
    if len(seats) < 2:
        raise RulesetError(
            f"luck cannot be taken out of games of {ruleset.name}: with one seat nobody can lose",
            value=ruleset.name,
        )
    shares = np.zeros((SEATS, SEATS))
    for mover in seats:
        same = [
            s for s in seats if s == mover or (ruleset.teams != "none" and (s - mover) % 2 == 0)
        ]
        others = len(seats) - len(same)
        shares[mover, list(seats)] = -1.0 if ruleset.teams != "none" else -1.0 / others
        shares[mover, same] = 1.0
    return shares


# -- what cards are worth -------------------------------------------------------------------------


def worth_by(bot: Bot, tables: RuleTables, seats: Sequence[int]) -> Worth:
    """What cards are worth by a bot's account: that of the best position after them.

    The bot is one with a value of positions: `value:FILE` (or another `AfterstateBot`), `optimal`,
    `greedy`, whose steps ahead are turned into chances, or `learned:FILE`, whose value of the
    position with its card counts. Raises RequestError for others, and what its `check` raises.
    """
    bot.check(tables, seats)
    others = 1 if tables.ruleset.teams != "none" else len(seats) - 1
    if isinstance(bot, AfterstateBot):
        value = bot.value
        return lambda t, games, mask: best_after(
            t, games, mask, lambda after, _: chance_of(value(after.observation), others), look=True
        )
    if isinstance(bot, LearnedBot):
        policy = bot.policy
        return lambda t, games, mask: chance_of(
            policy.evaluate(observe_turns(t, games), mask)[1], others
        )
    if isinstance(bot, OptimalBot):
        solution = find_solution(open_space(tables.ruleset, list(seats)))

        def optimum(tables: RuleTables, games: np.ndarray, mask: np.ndarray) -> np.ndarray:
            worth, _, _ = solution.action_values(games, mask)
            return np.asarray(np.maximum.reduceat(worth, starts_of(mask)[:-1]))

        return optimum
    if type(bot) is GreedyBot:
        return lambda t, games, mask: best_after(t, games, mask, lambda a, s: _lead(t, a.games, s))
    raise RequestError(
        f"{bot.name!r} does not say what positions are worth: measure luck by value:FILE, "
        "learned:FILE, optimal or greedy",
        value=bot.name,
    )


def chance_of(returns: np.ndarray, others: int) -> np.ndarray:
    """float64[k]: chances to win by expected returns, 1 for a win and -1 / others for a loss."""
    chances: np.ndarray = (returns.astype(np.float64) * others + 1.0) / (others + 1.0)
    return chances


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
