"""The greedy bot: looks one ply ahead and takes what is best for its side at once.

Read `engine/afterstate.py` and `dice.py` before this file.
"""

from __future__ import annotations

import numpy as np

from sorry_env.bots.base import BatchRequest, Bot
from sorry_env.bots.dice import Dice, pick_flat
from sorry_env.engine.afterstate import expand
from sorry_env.engine.state import SEATS, UNSEATED


class GreedyBot(Bot):
    """Maximises the value of the position after its move, before the next card is drawn.

    The value is the steps covered by the pawns of its own colour less the mean of those covered by
    the colours still playing against it. A pawn in Start has covered 0, on its circle 2, at Home
    66: its code. Partners count as one colour with eight pawns. Ties are broken at random.
    (Against the opponents' sum instead of their mean it would be equal with two seats, and with
    four win 19 games to 31, for it would rather send pawns back than get on.)
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
        value = (progress(after) * weights(request)[rows]).sum(axis=1)
        counts = np.bincount(rows, minlength=len(request))
        best = np.maximum.reduceat(value, np.cumsum(counts) - counts)
        ties = np.flatnonzero(value == best[rows])
        many = np.bincount(rows[ties], minlength=len(request))
        return pick_flat(actions[ties], many, self._dice.roll(request))


def progress(games: np.ndarray) -> np.ndarray:
    """int64[m, 4], the steps covered by each colour's pawns in GAME[m]; 0 if it is not seated."""
    covered: np.ndarray = np.maximum(games["pawns"], 0).sum(axis=2, dtype=np.int64)
    return covered


def weights(request: BatchRequest) -> np.ndarray:
    """int64[n, 4], what a step of each colour is worth to the seat that decides.

    Minus 1 for each opponent and their number for oneself: the value's multiple in whole numbers,
    so that equal values are equal to the last bit.
    """
    away = (np.arange(SEATS) - request.games["actor"][:, None]) % SEATS
    if request.tables.ruleset.teams != "none":
        return np.where(away % 2 == 0, 1, -1)
    games = request.games
    playing = (games["pawns"][:, :, 0] != UNSEATED) & (games["ranks"] == 0)
    opponents = (playing & (away != 0)).sum(axis=1, keepdims=True)
    return np.where(away == 0, np.maximum(opponents, 1), -1)
