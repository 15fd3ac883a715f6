"""Values of positions before a draw, for bots that search: what each seat thinks of them.

Read `greedy.py` before and `expectimax.py` after this file.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import numpy as np

from sorry_env.bots.greedy import progress
from sorry_env.engine.state import UNSEATED
from sorry_env.engine.tables import RuleTables

#: A function of (tables, games GAME[m], roots GAME[m]) that returns float64[m, 4]: what each
#: position is worth to each seat, the more the better. Games wait for a draw or are over; roots are
#: the positions that the search began with. Only values with the same root are compared.
Value = Callable[[RuleTables, np.ndarray, np.ndarray], np.ndarray]

#: Steps that winning counts for: more than four colours can cover.
WIN: Final = 4096


def progress_value(tables: RuleTables, games: np.ndarray, roots: np.ndarray) -> np.ndarray:
    """Greedy's value as a `Value`: the own steps less the mean of the opponents'.

    It is that times the number of opponents still playing in the root, a whole number. Unlike
    greedy it knows that whoever comes Home first has won.
    """
    covered = progress(games) + WIN * ((games["ranks"] == 1) & (roots["ranks"] == 0))
    if tables.ruleset.teams != "none":
        lead = covered[:, ::2].sum(axis=1) - covered[:, 1::2].sum(axis=1)
        return np.stack([lead, -lead, lead, -lead], axis=1).astype(np.float64)
    playing = (roots["pawns"][:, :, 0] != UNSEATED) & (roots["ranks"] == 0)
    counted = np.where(playing, covered, 0)
    others = counted.sum(axis=1, keepdims=True) - counted
    opponents = playing.sum(axis=1, keepdims=True) - playing
    value: np.ndarray = covered * np.maximum(opponents, 1) - others
    return value.astype(np.float64)
