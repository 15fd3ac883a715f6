"""The greedy bot: looks one ply ahead and takes what is best for its side at once.

Read `engine/afterstate.py` and `dice.py` before this file.
"""

from __future__ import annotations

import numpy as np

from sorry_env.bots.base import BatchRequest, Bot
from sorry_env.bots.dice import Dice, pick_flat
from sorry_env.engine.afterstate import expand
from sorry_env.engine.state import SEATS


class GreedyBot(Bot):
    """Maximises the value of the position after its move, before the next card is drawn.

    The value is the steps covered by all pawns of its side less those of all other pawns. A pawn
    in Start has covered 0, on its circle 2, at Home 66: its code. Partners are one side. Ties are
    broken at random.
    """

    name = "greedy"

    def __init__(self) -> None:
        self.reset(0)

    def reset(self, seed: int) -> None:
        """See `Bot`."""
        self._dice = Dice(seed)

    def choose_batch(self, request: BatchRequest) -> np.ndarray:
        """See `Bot`."""
        after, rows, actions = expand(request.tables, request.games, request.mask)
        # What is worth having, by seat: +1 for the steps of one's own side, -1 for the others'.
        sign = 2 * sides(request) - 1
        value = (progress(after) * sign[rows]).sum(axis=1)
        counts = np.bincount(rows, minlength=len(request))
        best = np.maximum.reduceat(value, np.cumsum(counts) - counts)
        ties = np.flatnonzero(value == best[rows])
        many = np.bincount(rows[ties], minlength=len(request))
        return pick_flat(actions[ties], many, self._dice.roll(request))


def progress(games: np.ndarray) -> np.ndarray:
    """int64[m, 4], the steps covered by each colour's pawns in GAME[m]; 0 if it is not seated."""
    covered: np.ndarray = np.maximum(games["pawns"], 0).sum(axis=2, dtype=np.int64)
    return covered


def sides(request: BatchRequest) -> np.ndarray:
    """int64[n, 4], 1 for the seat that decides and its partner, 0 for the other seats."""
    away = (np.arange(SEATS) - request.games["actor"][:, None]) % SEATS
    own: np.ndarray = away % 2 == 0 if request.tables.ruleset.teams != "none" else away == 0
    return own.astype(np.int64)
