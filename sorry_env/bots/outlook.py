"""How likely each of three or four seats is to win, in the eyes of a bot that has a value file.

A bot says how likely the seat that decides is to win. The others are asked likewise: each by what
it would see, had it just chosen itself, in the position after the move that the bot plays, as a
value file knows no other positions. Such estimates need not add up to 1: each is divided by their
sum. Hands of others are not looked at: their cards are dealt at random among those that the
deciding seat cannot see, as many as are held after a move. With two sides nobody need be asked: one
has what the other has not. Read `sight.py` before this file.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from sorry_env.bots.base import BatchRequest, Bot
from sorry_env.bots.chance import worlds_of
from sorry_env.bots.values import Judge, likelihood
from sorry_env.engine.state import EMPTY, OVER
from sorry_env.engine.tables import RuleTables

#: Ways to deal the hidden cards that are looked at.
WORLDS: Final = 32
#: What the ways to deal follow from, besides the position.
_SECRET: Final = np.uint64(0)


def outlook(bot: Bot, game: Any, value: float) -> dict[int, float] | None:
    """By seat the chance to win, together 1; None where the bot has no value that tells.

    game:  with three seats or more, each for itself; not over. Without hands it may wait for a draw
    value: how likely the seat that decides, or is to draw, is to win
    Raises what the bot raises for games that are not its own.
    """
    judge = bot.judge_of(len(game.seats))
    if judge is None or not judge.chances:
        return None
    seat = game.turn if game.waiting else game.actor
    after = _moved(bot, game)
    others = [other for other in game.seats if other != seat]
    found = _others(judge, game.tables, after.view(seat).state, seat, others)
    chances = {seat: value} | dict(zip(others, found, strict=True))
    total = sum(chances.values())
    if total <= 0.0:  # it gives nobody a chance: then nobody is ahead
        return dict.fromkeys(game.seats, 1.0 / len(game.seats))
    return {other: chances[other] / total for other in game.seats}


def _moved(bot: Bot, game: Any) -> Any:
    """The game when the bot's moves have led to the next draw, or to the end.

    In the middle of a turn that may be several. A hand that another seat decides with stays unread.
    """
    after, seat = game.copy(), game.actor
    while not (after.over or after.waiting or (after.ruleset.hand and after.actor != seat)):
        legal = after.legal_actions()
        if len(legal) == 1:  # a search may say nothing of a decision without a choice
            after.play(int(legal[0]), draw=False)
            continue
        insight = bot.insight(BatchRequest.of_view(after.view(after.actor)))
        assert insight.values is not None, "a bot that judges positions values its moves"
        after.play(int(np.nanargmax(insight.values[0])), draw=False)
    return after


def _others(
    judge: Judge, tables: RuleTables, state: np.ndarray, known: int, seats: list[int]
) -> list[float]:
    """The chances of seats, each as if it had just chosen, in GAME[1].

    state: waits for a draw or is over; all hands are hidden but that of ``known``, who is none of
           the seats
    """
    found = []
    hidden = tables.ruleset.hand and state["phase"][0] != OVER
    worlds = worlds_of(tables, state, WORLDS, _SECRET) if hidden else state
    for seat in seats:
        games = worlds.copy()
        if hidden:
            _drop_one(games, seat)
        rows = np.full(len(games), known), np.full(len(games), seat)
        worth = judge.worth(tables, games, games, *rows)
        sides = np.full(len(games), len(seats) + 1)
        found.append(float(np.minimum(likelihood(worth, sides), 1.0).mean()))
    return found


def _drop_one(games: np.ndarray, seat: int) -> None:
    """Put a card of a seat's hand back into the pile: each game another one of its places."""
    hands = games["hands"][:, seat]
    for i, hand in enumerate(hands):
        held = int(np.count_nonzero(hand != EMPTY))
        if held:
            place = i % held
            games["deck"][i, hand[place]] += 1
            hand[place:-1] = hand[place + 1 :].copy()
            hand[-1] = EMPTY
