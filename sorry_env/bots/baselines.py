"""Plain ways to play that people use as baselines, each a value of the position after a move.

Read `greedy.py`, whose machinery they share, and `danger.py` before this file.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from sorry_env.bots.base import BatchRequest
from sorry_env.bots.danger import danger
from sorry_env.bots.greedy import STEP, GreedyBot, weights
from sorry_env.bots.values import same_side
from sorry_env.engine.state import SEATS, START
from sorry_env.engine.tables import RuleTables
from sorry_env.rules.ruleset import MAX_PAWNS

#: More than any pawn's code, so that a pawn farther on outweighs all behind it.
_BEFORE: Final = 128
#: What a pawn sent back is worth to `bumper`: more than all steps can make up for.
_SENT: Final = STEP * 4096


class RunnerBot(GreedyBot):
    """Brings its foremost pawn as far as it can, then the next, and so on; looks at nobody else.

    It compares the pawns of its side (eight with partners) from the foremost to the hindmost and
    takes the position in which the first that differs is farther. Ties are broken at random.
    """

    name = "runner"

    def _worth(self, request: BatchRequest, after: np.ndarray, rows: np.ndarray) -> np.ndarray:
        actor = request.games["actor"][rows]
        codes = np.where(_own(request.tables, actor)[:, :, None], after["pawns"], START)
        codes = np.sort(np.maximum(codes, START).reshape(len(after), -1).astype(np.int64))
        # A side has eight pawns at most, and 128 to the eighth is below 2 to the 63rd.
        side = codes[:, -2 * MAX_PAWNS :]
        value: np.ndarray = (side * _BEFORE ** np.arange(2 * MAX_PAWNS)).sum(axis=1)
        return value


class BumperBot(GreedyBot):
    """Leaves as many of its opponents' pawns in Start as it can; where that is equal, greedy."""

    name = "bumper"

    def _worth(self, request: BatchRequest, after: np.ndarray, rows: np.ndarray) -> np.ndarray:
        actor = request.games["actor"][rows]
        back = (after["pawns"] == START).sum(axis=2, dtype=np.int64)
        sent = np.where(_own(request.tables, actor), 0, back).sum(axis=1)
        value: np.ndarray = super()._worth(request, after, rows) + _SENT * sent
        return value


class CautiousBot(GreedyBot):
    """As greedy, less the steps that it stands to lose before its next turn, see `danger`.

    That is of each opponent the mean, over the card that it draws (or the hand that it may hold),
    of the most that one legal move takes from the own side's pawns together: by bumps, slides,
    switches, parts of a divided card and takes alike, whether or not the opponent would rather play
    something else.
    """

    name = "cautious"

    def _worth(self, request: BatchRequest, after: np.ndarray, rows: np.ndarray) -> np.ndarray:
        movers = request.games["actor"][rows]
        # Greedy's steps count as often as there are opponents, with partners once.
        scale = weights(request)[rows, movers]
        value: np.ndarray = super()._worth(request, after, rows)
        value -= np.rint(STEP * danger(request.tables, after, movers) * scale).astype(np.int64)
        return value


def _own(tables: RuleTables, actor: np.ndarray) -> np.ndarray:
    """bool[m, 4], which colours are of the side of each seat int[m]."""
    return same_side(tables, np.arange(SEATS), actor[:, None])
