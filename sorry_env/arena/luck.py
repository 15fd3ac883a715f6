"""Luck with the cards: how much better each draw was than the mean of all cards that could come.

A bot that knows what positions are worth says how good a card is for whoever draws it; the mean
over the cards of the pile is taken off. So luck is 0 on the average at every draw, whatever the bot
thinks: taken out of a result it leaves the mean where it is, and less chance. A card drawn into a
hand is worth what it would be if its owner were to play again at once. Sources: M. Zinkevich, M.
Bowling, N. Bard, M. Kan and D. Billings, "Optimal unbiased estimators for evaluating agent
performance", 2006; N. Burch, M. Schmid, M. Moravcik, D. Morrill and M. Bowling, "AIVAT: a new
variance reduction technique for agent evaluation in imperfect information games", 2018.

Read `worth.py` before and `match.py`, which measures luck, after this file; `stats.py` takes it
out.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from sorry_env.arena.worth import Worth, worth_by
from sorry_env.bots.base import Bot
from sorry_env.bots.chance import cards_left, deal, go_on
from sorry_env.bots.registry import make_bot
from sorry_env.engine.batch import Batch
from sorry_env.engine.state import EMPTY, MOVE, NO_CARD, SEATS, WAITING
from sorry_env.engine.tables import RuleTables
from sorry_env.errors import RulesetError
from sorry_env.families import BOARD, family_of
from sorry_env.rules.ruleset import MAX_CARDS

#: Draws looked at together: their positions should stay in the processor's cache.
CHUNK: Final = 64


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
        self._undo = undo_draw if not table.tables.ruleset.hand else undo_draw_into_hand
        self._number = np.full(table.size, -1)
        self._last = table.games.copy()

    def note(self, number: np.ndarray, actions: np.ndarray) -> None:
        """Look at the draws since the last call: to be called before every decision.

        number:  int[B], of the game in each row; others than those of the match are not looked at
        actions: int[B], the last decisions; of games that have just begun, anything
        """
        games, tables = self._table.games, self._table.tables
        begun = number != self._number
        fresh = (games["draws"] > 0) & (begun | (games["draws"] != self._last["draws"]))
        if tables.ruleset.hand:
            fresh &= ~begun  # the first hands are dealt, not drawn
        rows = np.flatnonzero(fresh & (number < len(self.by_seat)))
        if len(rows):
            before, cards = self._undo(tables, games[rows], self._last[rows], actions[rows])
            luck = luck_of_draws(tables, before, cards, self._worth)
            self.by_seat[number[rows]] += luck[:, None] * self._shares[before["turn"]]
        self._last, self._number = games.copy(), number.copy()


def luck_of_draws(
    tables: RuleTables, before: np.ndarray, cards: np.ndarray, worth: Worth
) -> np.ndarray:
    """float64[n]: the chance to win that the card drawn gives the side in turn, less the mean.

    before: GAME[n], just before the draws; cards: int[n], which came
    The mean is over all cards that could be drawn, by their number in the pile. Once somebody has
    won (and others play on for their places) there is no luck any more.
    """
    luck = np.zeros(len(before))
    running = np.flatnonzero(~(before["ranks"] == 1).any(axis=1))
    for low in range(0, len(running), CHUNK):
        rows = running[low : low + CHUNK]
        some = before[rows]
        left = cards_left(tables, some)
        at, card = np.nonzero(left)
        dealt, mask = (hold if tables.ruleset.hand else deal)(tables, some, at, card)
        value = worth(tables, dealt, mask)
        chance = left[at, card] / left.sum(axis=1)[at]
        mean = np.bincount(at, value * chance, minlength=len(rows))
        luck[rows] = value[card == cards[rows][at]] - mean
    return luck


def undo_draw(
    tables: RuleTables, games: np.ndarray, last: np.ndarray, actions: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Games before the draws that have just been made, GAME[n], and the cards drawn int[n].

    games: GAME[n]; last and actions are not needed: the cards lie there, played by nobody yet
    Where the pile was made anew for the draw it stays so: the cards in it are the same. Random
    states are those of after it.
    """
    before, cards = games.copy(), games["card"].astype(np.int64)
    if not tables.ruleset.infinite:
        before["deck"][np.arange(len(games)), cards] += 1
    before["draws"] -= 1
    before["card"] = WAITING
    before["phase"] = MOVE
    return before, cards


def undo_draw_into_hand(
    tables: RuleTables, games: np.ndarray, last: np.ndarray, actions: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """The same of a ruleset with hands, with whoever drew in turn as if it could play at once.

    last: GAME[n], before the decisions int[n] that the draws followed
    """
    each, movers = np.arange(len(games)), last["actor"].astype(np.int64)
    held = [_counts(state["hands"][each, movers]) for state in (last, games)]
    held[0][each, tables.arrays.actions["card"][actions]] -= 1
    cards = (held[1] - held[0]).argmax(axis=1)
    before = games.copy()
    hands = before["hands"][each, movers]
    hands[each, (hands == cards[:, None]).argmax(axis=1)] = EMPTY
    before["hands"][each, movers] = _sorted(hands)
    before["deck"][each, cards] += 1
    before["draws"] -= 1
    before["turn"] = before["actor"] = movers
    before["phase"] = MOVE
    before["card"] = NO_CARD
    before["again"] = 0
    return before, cards


def hold(
    tables: RuleTables, games: np.ndarray, at: np.ndarray, cards: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """`chance.deal` into the hand of the seat in turn, which may then play: GAME[k], bool[k, A]."""
    dealt = games[at]
    each, movers = np.arange(len(at)), dealt["turn"].astype(np.int64)
    hands = dealt["hands"][each, movers]
    hands[:, -1] = cards  # a card is missing, and empty places are the last ones
    dealt["hands"][each, movers] = _sorted(hands)
    dealt["deck"][each, cards] -= 1
    return dealt, go_on(tables, dealt)


def _sorted(hands: np.ndarray) -> np.ndarray:
    """int8[n, MAX_HAND]: cards in ascending order, empty places last."""
    ordered = np.sort(np.where(hands == EMPTY, MAX_CARDS, hands), axis=1)
    return np.where(ordered == MAX_CARDS, EMPTY, ordered)


def _counts(hands: np.ndarray) -> np.ndarray:
    """int64[n, MAX_CARDS]: how many of each card hands int8[n, MAX_HAND] hold."""
    counts: np.ndarray = (hands[:, :, None] == np.arange(MAX_CARDS)).sum(axis=1)
    return counts


def side_shares(ruleset: Any, seats: Sequence[int]) -> np.ndarray:
    """float64[4, 4], by the seat that draws: what each seat has of its luck.

    Raises RulesetError for games whose luck cannot be told.
    """
    if family_of(ruleset) is not BOARD:
        raise RulesetError(
            f"luck cannot be taken out of games of {ruleset.name}: it is measured in cards, "
            "not dice",
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
