"""Expectimax: the best move by a value of the positions one or two plies ahead.

Depth 1 compares the positions after its moves. Depth 2 takes, after each of them, the mean over the
card that the next seat draws, by the cards left, of that seat's best reply. All positions of some
decisions are valued in one call. Read `values.py` before this file.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from sorry_env.bots.base import BatchRequest
from sorry_env.bots.best import BestBot
from sorry_env.bots.values import Value, progress_value
from sorry_env.engine.afterstate import expand
from sorry_env.engine.cards import refill, take_from_pile
from sorry_env.engine.jit import kernel
from sorry_env.engine.masks import legal_mask
from sorry_env.engine.state import OVER, WORK
from sorry_env.engine.tables import RuleTables
from sorry_env.engine.turn import receive
from sorry_env.errors import RequestError, RulesetError

DEPTHS: Final = (1, 2)
#: Values nearer to each other than this are equal: means over cards are rounded.
EQUAL: Final = 1e-9
#: Decisions searched together: their positions should stay in the processor's cache.
CHUNK: Final = 32


class ExpectimaxBot(BestBot):
    """Maximises a value one or two plies ahead, ties broken at random.

    depth: 1 or 2
    value: a `Value`

    Every seat is taken to choose what is best by its own column of the value (max-n), and equal
    replies as equally likely; with two sides and a value of which one gains what the other loses
    that is plain expectimax. After a card that gives another turn the next seat is its own again.
    What it knows of the pile is how many cards of each kind are left. Rulesets with hands, tokens,
    questions or repeated takes are refused with a RulesetError: their moves end otherwise than in a
    draw by the next seat.
    """

    def __init__(self, depth: int = 2, value: Value = progress_value) -> None:
        if depth not in DEPTHS:
            raise RequestError(f"depth={depth!r} must be 1 or 2", value=depth)
        self.depth = depth
        self.value = value
        self.name = f"expectimax:depth={depth}"
        super().__init__()

    def check(self, tables: RuleTables, seats: Sequence[int]) -> None:
        """See `Bot`."""
        _check_rules(tables)

    def action_values(self, request: BatchRequest) -> np.ndarray:
        """float64[n, A], what each legal action is worth to the seat that decides, NaN elsewhere.

        Raises RulesetError for rulesets that it does not play.
        """
        _check_rules(request.tables)
        values = np.full(request.mask.shape, np.nan)
        for low in range(0, len(request), CHUNK):
            games, mask = request.games[low : low + CHUNK], request.mask[low : low + CHUNK]
            after, rows, actions = expand(request.tables, games, mask)
            worth = self.value(request.tables, after, games[rows])
            going = np.flatnonzero(after["phase"] != OVER)
            if self.depth > 1 and len(going):
                worth[going] = self._after_reply(request.tables, after[going], games[rows[going]])
            values[low + rows, actions] = worth[np.arange(len(rows)), games["actor"][rows]]
        return values

    def _best(self, request: BatchRequest) -> tuple[np.ndarray, np.ndarray]:
        """The actions of the highest value: row int[m] and action int[m]."""
        values = self.action_values(request)
        best = np.nanmax(values, axis=1, keepdims=True)
        rows, actions = np.nonzero(values >= best - EQUAL)
        return rows, actions

    def _after_reply(self, tables: RuleTables, games: np.ndarray, roots: np.ndarray) -> np.ndarray:
        """float64[m, 4], the mean over the next card of the values after the best reply to it.

        games: GAME[m], waiting for a card; roots: GAME[m], where the search began
        """
        left = cards_left(tables, games)
        at, card = np.nonzero(left)
        drawn, mask = deal(tables, games, at, card)
        after, rows, _ = expand(tables, drawn, mask)
        worth = self.value(tables, after, roots[at[rows]])
        own = worth[np.arange(len(rows)), drawn["actor"][rows]]
        starts = _starts(rows)
        best = own >= np.maximum.reduceat(own, starts)[rows] - EQUAL
        replies = np.add.reduceat(worth * best[:, None], starts)
        replies /= np.add.reduceat(best.astype(np.int64), starts)[:, None]
        chances = left[at, card] / left.sum(axis=1)[at]
        mean: np.ndarray = np.add.reduceat(replies * chances[:, None], _starts(at))
        return mean


def cards_left(tables: RuleTables, games: np.ndarray) -> np.ndarray:
    """int64[m, C], the cards of each kind that may be drawn next; an empty pile is made anew.

    games: GAME[m] of a ruleset without hands
    """
    left = games["deck"].astype(np.int64)
    empty = left.sum(axis=1) == 0
    left[empty] = tables.arrays.facts["deck"][0]
    return left


def deal(
    tables: RuleTables, games: np.ndarray, at: np.ndarray, cards: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Games after given draws, GAME[k], and the actions then legal, bool[k, A].

    games: GAME[m], waiting for a card; at: int[k], which is dealt; cards: int[k], of its pile
    """
    drawn = games[at]
    mask = np.empty((len(at), tables.num_actions), np.bool_)
    _deal(tables.arrays, drawn, cards, mask, np.empty(2, WORK))
    return drawn, mask


@kernel
def _deal(rules: Any, games: Any, cards: Any, masks: Any, work: Any) -> None:
    """Draw the given card in each game and mark what is legal then."""
    facts = rules.facts[0]
    for i in range(len(games)):
        refill(facts, games[i])
        take_from_pile(facts, games[i], cards[i])
        receive(facts, games[i], cards[i])
        legal_mask(facts, rules.actions, games[i], masks[i], work)


def _starts(groups: np.ndarray) -> np.ndarray:
    """int64[g], where each run of equal numbers begins in an ascending int[m]."""
    return np.flatnonzero(np.diff(groups, prepend=-1))


def _check_rules(tables: RuleTables) -> None:
    rules = tables.ruleset
    names = {
        f"hand={rules.hand}": bool(rules.hand),
        "cards with Fire or Ice": any(card.ice or card.fire for card in rules.cards),
        "cards with questions": any(card.question for card in rules.cards),
        "cards with repeated takes": any(card.repeat for card in rules.cards),
    }
    for reason, present in names.items():
        if present:
            raise RulesetError(
                f"expectimax cannot play {rules.name}: it has {reason}; expectimax needs moves "
                "that are followed by the next seat's draw",
                value=rules.name,
            )
