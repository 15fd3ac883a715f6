"""Looking ahead where hands are hidden: in worlds, to the own side's next decision.

After a move of a hand the seat draws a card, the others play, and only what it can do then shows
what the move was worth. So in each world, a way to deal the cards that it cannot see, the game goes
on by chance, the others choose by one ply what is best for them, and the value is that of the best
choice when the own side decides again. All moves are tried in the same worlds, with the same luck.
Read `values.py` and `chance.py` before and `expectimax.py` after this file.
"""

from __future__ import annotations

import numpy as np

from sorry_env.bots.chance import go_on, play_each, worlds_of
from sorry_env.bots.values import Judge, same_side
from sorry_env.engine.afterstate import expand
from sorry_env.engine.state import OVER
from sorry_env.engine.tables import RuleTables


def value_in_worlds(
    judge: Judge,
    tables: RuleTables,
    games: np.ndarray,
    rows: np.ndarray,
    actions: np.ndarray,
    count: int,
    secret: np.uint64,
) -> np.ndarray:
    """float64[k], what moves are worth to the seats that make them, the mean over some worlds.

    games: GAME[n], other hands hidden; rows: int[k], ascending, and actions: int[k], the moves
    count: of worlds for each game; secret: see `chance.worlds_of`
    """
    used, index = np.unique(rows, return_inverse=True)
    worlds = np.stack([worlds_of(tables, games[i : i + 1], count, secret) for i in used.tolist()])
    tried = worlds[index.reshape(-1)].reshape(-1)
    roots = tried.copy()
    play_each(tables, tried, np.repeat(actions, count))
    worth = value_next(judge, tables, tried, roots).reshape(-1, count)
    mean: np.ndarray = worth.mean(axis=1)
    return mean


def value_next(
    judge: Judge, tables: RuleTables, games: np.ndarray, roots: np.ndarray
) -> np.ndarray:
    """float64[m], what GAME[m] are worth to the side that decided in the roots when it does again.

    games: with all hands known, as the roots' choices have left them; changed
    """
    movers = roots["actor"].copy()
    worth = np.empty(len(games))
    live = np.arange(len(games))
    while len(live):
        ended = live[games["phase"][live] == OVER]
        if len(ended):
            worth[ended] = judge.worth(
                tables, games[ended], roots[ended], movers[ended], roots["actor"][ended]
            )
            live = live[games["phase"][live] != OVER]
        if not len(live):
            break
        some = games[live]
        mask = go_on(tables, some)
        after, rows, _ = expand(tables, some, mask)
        movers[live] = some["actor"]
        choosing = some["actor"][rows]
        own = judge.worth(tables, after, roots[live[rows]], choosing, choosing)
        counts = np.bincount(rows, minlength=len(live))
        starts = np.cumsum(counts) - counts
        best = np.maximum.reduceat(own, starts)
        decides = same_side(tables, some["actor"], roots["actor"][live])
        worth[live[decides]] = best[decides]
        # Of equally good replies the first: another one would be no likelier.
        reply = np.flatnonzero(own >= best[rows])
        first = reply[np.searchsorted(rows[reply], np.arange(len(live)))]
        games[live] = after[first]
        live = live[~decides]
    return worth
