"""Chance in searches: all that may come next, or, where hands are hidden, one of the worlds.

Read `engine/turn.py` before and `expectimax.py` after this file.
"""

from __future__ import annotations

import hashlib
from typing import Any, Final

import numpy as np

from sorry_env.engine.cards import refill, take_from_pile
from sorry_env.engine.determinize import determinize
from sorry_env.engine.jit import inner, kernel
from sorry_env.engine.masks import chance_due, legal_mask
from sorry_env.engine.state import ANSWER, MOVE, WAITING, WORK
from sorry_env.engine.tables import RuleTables
from sorry_env.engine.turn import answer, draw, end_vain_play, play, receive

# What chance can bring besides a card.
NOTHING: Final = -1
NO: Final = -2
YES: Final = -3


def cards_left(tables: RuleTables, games: np.ndarray) -> np.ndarray:
    """int64[m, C], the cards of each kind that may be drawn next; an empty pile is made anew.

    games: GAME[m] of a ruleset without hands
    """
    left = games["deck"].astype(np.int64)
    empty = left.sum(axis=1) == 0
    left[empty] = tables.arrays.facts["deck"][0]
    return left


def outcomes(tables: RuleTables, games: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """All that chance may bring next in games without hands.

    games: GAME[m], not over
    Returns row int64[k], ascending, what comes int64[k] (a card, NO or YES of the coin, or NOTHING
    where somebody decides before) and its chance float64[k].
    """
    coin = (games["phase"] == ANSWER) & (tables.ruleset.answers == "coin")
    card = (games["phase"] == MOVE) & (games["card"] == WAITING)
    left = cards_left(tables, games)
    cards = left.shape[1]
    chances = np.zeros((len(games), cards + 3))  # the last columns are YES, NO and NOTHING
    chances[card, :cards] = left[card] / left[card].sum(axis=1, keepdims=True)
    chances[coin, NO] = 1.0 - tables.ruleset.p_yes
    chances[coin, YES] = tables.ruleset.p_yes
    chances[~(card | coin), NOTHING] = 1.0
    rows, what = np.nonzero(chances)
    return rows, np.where(what < cards, what, what - cards - 3), chances[rows, what]


def deal(
    tables: RuleTables, games: np.ndarray, at: np.ndarray, what: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Games after given outcomes, GAME[k], and the actions then legal, bool[k, A].

    games: GAME[m]; at: int64[k], to which it comes; what: int64[k], as `outcomes` gives it
    """
    drawn = games[at]
    mask = np.empty((len(at), tables.num_actions), np.bool_)
    _deal(tables.arrays, drawn, what, mask, np.empty(2, WORK))
    return drawn, mask


def go_on(tables: RuleTables, games: np.ndarray) -> np.ndarray:
    """Let the games' own chance bring what is due in GAME[m]: bool[m, A], the actions then legal.

    In games with hands all hands must be known.
    """
    mask = np.empty((len(games), tables.num_actions), np.bool_)
    _go_on(tables.arrays, games, mask, np.empty(2, WORK))
    return mask


def play_each(tables: RuleTables, games: np.ndarray, actions: np.ndarray) -> None:
    """Play a legal action int64[m] in each of GAME[m], up to the next draw."""
    _play_each(tables.arrays, games, actions)


def worlds_of(tables: RuleTables, game: np.ndarray, count: int, secret: np.uint64) -> np.ndarray:
    """GAME[count], worlds that the seat which decides in GAME[1] must reckon with.

    They follow from the secret and from what that seat can see, so that a bot that is asked again
    thinks of the same ones.
    """
    key = hashlib.blake2b(game.tobytes() + secret.tobytes(), digest_size=16).digest()
    random = np.random.default_rng(int.from_bytes(key, "little"))
    return determinize(tables, game, int(game["actor"][0]), random, count)


@inner
def proceed(rules: Any, game: Any, mask: Any, work: Any) -> Any:
    """Let chance bring what is due and mark what is legal then; returns how many actions are.

    One function that others call: to compile it again in each of them would take long.
    """
    facts = rules.facts[0]
    if chance_due(facts, game):
        draw(facts, game)
        if game["again"]:
            end_vain_play(facts, rules.actions, game, mask, work)
    return legal_mask(facts, rules.actions, game, mask, work)


@inner
def carry_out(rules: Any, game: Any, action: Any) -> None:
    """`turn.play`, likewise."""
    play(rules.facts[0], rules.actions, game, action)


@inner
def bring(rules: Any, game: Any, what: Any) -> None:
    """Let come what is given."""
    facts = rules.facts[0]
    if what < NOTHING:
        answer(game, what == YES)
    elif what != NOTHING:
        refill(facts, game)
        take_from_pile(facts, game, what)
        receive(facts, game, what)


@kernel
def _deal(rules: Any, games: Any, what: Any, masks: Any, work: Any) -> None:
    """See `deal`."""
    for i in range(len(games)):
        bring(rules, games[i], what[i])
        # No chance is due any more.
        proceed(rules, games[i], masks[i], work)


@kernel
def _go_on(rules: Any, games: Any, masks: Any, work: Any) -> None:
    """See `go_on`."""
    for i in range(len(games)):
        proceed(rules, games[i], masks[i], work)


@kernel
def _play_each(rules: Any, games: Any, actions: Any) -> None:
    """See `play_each`."""
    for i in range(len(games)):
        carry_out(rules, games[i], actions[i])
