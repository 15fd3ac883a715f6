"""Positions after a move and before the next draw, for one game or a whole batch.

Chance comes after an afterstate and the choice before it, so a bot that compares afterstates
compares exactly what it decides on. Read `turn.py` before and `batch.py` after this file.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from sorry_env.engine.jit import kernel
from sorry_env.engine.state import GAME
from sorry_env.engine.tables import RuleTables
from sorry_env.engine.turn import play


@kernel
def _expand(rules: Any, games: Any, masks: Any, after: Any, rows: Any, actions: Any) -> None:
    n = 0
    for i in range(len(games)):
        for a in range(masks.shape[1]):
            if masks[i, a]:
                after[n] = games[i]
                rows[n] = i
                actions[n] = a
                play(rules.facts[0], rules.actions, after[n], a)
                n += 1


def expand(
    tables: RuleTables, games: np.ndarray, masks: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The position after each legal action of each game, before the next card is drawn.

    games: GAME[n], read only
    masks: bool[n, A], the legal actions
    Returns after GAME[m], row int32[m] (the game an afterstate comes from) and action int32[m],
    ordered by row and then by action; m is the number of True entries.
    """
    m = int(masks.sum())
    after = np.empty(m, GAME)
    rows = np.empty(m, np.int32)
    actions = np.empty(m, np.int32)
    _expand(tables.arrays, games, masks, after, rows, actions)
    return after, rows, actions
