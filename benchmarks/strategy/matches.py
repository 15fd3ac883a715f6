"""Matches of a bot that obeys a piece of advice, or its opposite, against the same bot without.

Read `decisions.py` before this file.
"""

from __future__ import annotations

from collections import defaultdict
from typing import Final, NamedTuple

import numpy as np

from benchmarks.strategy.advice import Advice
from benchmarks.strategy.decisions import Mean, best_of, clustered
from benchmarks.strategy.moves import Moves
from benchmarks.strategy.worth import Worth
from sorry_env.arena.match import play_match
from sorry_env.bots.base import BatchRequest
from sorry_env.bots.best import BestBot

#: What can be done with advice: play moves X wherever there are both, or never.
FOLLOW: Final = "always"
FORBID: Final = "never"


class AdvisedBot(BestBot):
    """Plays a move of the highest chance among those that a piece of advice leaves.

    advice: None for none
    how:    FOLLOW or FORBID
    losses: by game of a match, what obeying has cost so far by the values
    """

    def __init__(self, worth: Worth, advice: Advice | None = None, how: str = FOLLOW) -> None:
        super().__init__()
        self.worth, self.advice, self.how = worth, advice, how
        self.name = f"{how} {advice.name}" if advice else worth.name
        self.losses: defaultdict[int, float] = defaultdict(float)

    def _best(self, request: BatchRequest) -> tuple[np.ndarray, np.ndarray]:
        """See `BestBot`."""
        moves = Moves.of(request.tables, request.games, request.mask)
        chance = self.worth.after(moves.after, moves.mover)
        allowed = self._allowed(moves)
        best = best_of(moves, chance, allowed)
        if request.keys is not None and self.advice:
            lost = best_of(moves, chance, np.ones(len(moves), np.bool_)) - best
            for game, loss in zip((request.keys >> np.uint64(32)).tolist(), lost.tolist(),
                                  strict=True):  # fmt: skip
                self.losses[game] += loss
        equal = np.flatnonzero(allowed & (chance >= best[moves.row] - self.worth.equal))
        return moves.row[equal], moves.action[equal]

    def _allowed(self, moves: Moves) -> np.ndarray:
        """bool[m]: where there are moves X and Y, not those of the side that is ruled out."""
        allowed = np.ones(len(moves), np.bool_)
        if self.advice is None:
            return allowed
        x, y = self.advice.parts(moves)
        both = np.logical_or.reduceat(x, moves.starts) & np.logical_or.reduceat(y, moves.starts)
        ruled_out = y if self.how == FOLLOW else x
        return np.asarray(allowed & ~(both[moves.row] & ruled_out))


class Obeyed(NamedTuple):
    """What obeying is worth: wins beyond an equal share, and the same by the values (no luck)."""

    wins: Mean
    by_values: Mean


def obey(worth: Worth, advice: Advice, how: str, games: int, seed: int) -> Obeyed:
    """An advised bot against the same bot without advice on all other seats.

    Seeds with all their seatings are the units of both intervals.
    """
    n = len(worth.seats)
    bot = AdvisedBot(worth, advice, how)
    others = [AdvisedBot(worth) for _ in range(n - 1)]
    result = play_match([bot, *others], worth.tables.ruleset, worth.seats, games, seed)
    low, high = result.paired_interval(0)
    wins = Mean(result.rate(0) - 1.0 / n, (high - low) / 2)
    units = result.games // n
    lost = np.zeros(units)
    for game, loss in bot.losses.items():
        lost[game // n] -= loss / n
    return Obeyed(wins, clustered(lost, np.ones(units)))
