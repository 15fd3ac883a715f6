"""How games ended, one row a game, and what is counted in them.

Read `stats.py` and `stopping.py` after this file.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from sorry_env.engine.state import SEATS

OUTCOME: Final = np.dtype(
    [
        ("bots", "i1", (SEATS,)),
        ("rewards", "f4", (SEATS,)),
        ("length", "i4"),
        ("rounds", "i4"),
        ("truncated", "?"),
    ]
)
"""How one game ended.

bots:      the bot on each seat; -1 where nobody sat
rewards:   final returns by seat; all 0 if it was truncated
length:    decisions, the forced ones included
rounds:    1, or the rounds played for a target score, one that was cut off included
truncated: it was cut off, and nobody has won it
"""


@dataclass(frozen=True, eq=False)
class Luck:
    """What the cards gave, see `luck.py`.

    by:    the bot by whose account
    seats: float64[G, 4], by game and seat: the chance to win beyond what cards give on the average
    """

    by: str
    seats: np.ndarray


def won_seats(outcomes: np.ndarray) -> np.ndarray:
    """bool[G, 4]: who has won each of these games OUTCOME[G]; both seats of a team."""
    # Whatever the reward, nobody has as much as a winner, and nobody wins a truncated game.
    rewards = outcomes["rewards"]
    most = rewards.max(axis=1, keepdims=True)
    won: np.ndarray = (rewards == most) & (most > 0)
    return won


def unit_counts(
    outcomes: np.ndarray, groups: Sequence[Sequence[int]], bot: int = 0
) -> tuple[np.ndarray, np.ndarray]:
    """What a bot has made of each unit: the n games of one seed, in which the bots move round.

    outcomes: OUTCOME[U * n], whole units; groups: the n groups of seats, see `MatchResult`
    Returns int64[U], its games won, and int64[U], the games that were cut off.
    """
    n = len(groups)
    seats = [group[0] for group in groups]
    won = (won_seats(outcomes) & (outcomes["bots"] == bot))[:, seats].any(axis=1)
    return (
        won.reshape(-1, n).sum(axis=1, dtype=np.int64),
        outcomes["truncated"].reshape(-1, n).sum(axis=1, dtype=np.int64),
    )


def unit_luck(
    luck: Luck, outcomes: np.ndarray, groups: Sequence[Sequence[int]], bot: int = 0
) -> np.ndarray:
    """float64[U], the mean luck of a bot in the n games of each unit; see `unit_counts`.

    luck: of these games, which others may follow
    """
    seats = [group[0] for group in groups]
    own = outcomes["bots"][:, seats] == bot
    mean: np.ndarray = (
        (luck.seats[: len(outcomes), seats] * own).sum(axis=1).reshape(-1, len(groups)).mean(axis=1)
    )
    return mean
