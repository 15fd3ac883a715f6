"""The rounds of the games in a batch's rows: what they add up to, and who begins the next one.

Without a target score every game is one round. Read `../rounds.py`, which says what a match of
rounds is, before and `match.py` after this file.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from sorry_env.engine.batch import Batch
from sorry_env.engine.state import SEATS
from sorry_env.rounds import Rounds


class Tally:
    """What the game in each row has come to before the round that is being played.

    rewards: float32[B, 4] by seat; length: int32[B], decisions; rounds: int32[B]
    """

    def __init__(
        self, table: Batch, seats: Sequence[int], reward: str, target_score: int | None
    ) -> None:
        self._table = table
        self._seats = tuple(seats)
        self._reward = reward
        self._target = target_score
        self._usual_first = table.first.copy()
        self._began = np.zeros(table.size, np.int8)
        self.rewards = np.zeros((table.size, SEATS), np.float32)
        self.length = np.zeros(table.size, np.int32)
        self.rounds = np.zeros(table.size, np.int32)

    def begin(self, rows: np.ndarray) -> None:
        """Note who begins the rounds that have just begun in these rows."""
        self._began[rows] = self._table.games["turn"][rows]

    def add(self, rows: np.ndarray) -> np.ndarray:
        """Add the rounds that have just ended in rows int[k]; bool[k], whose game is over."""
        table = self._table
        self.rewards[rows] += table.rewards[rows]
        self.length[rows] += table.length[rows]
        self.rounds[rows] += 1
        if self._target is None:
            return np.ones(len(rows), np.bool_)
        reached = self.rewards[rows].max(axis=1) >= self._target
        return np.asarray(table.truncated[rows] | reached)

    def close(self, rows: np.ndarray, outcomes: np.ndarray, numbers: np.ndarray) -> None:
        """Write down the games that are over in rows int[k] and forget them.

        outcomes: OUTCOME[G]; numbers: int[k], where the games stand in it
        """
        cut = self._table.truncated[rows]
        self.rewards[rows[cut]] = 0
        if self._target is not None and self._reward == "win":
            for row in rows[~cut].tolist():
                totals = tuple(self.rewards[row].tolist())
                ended = Rounds(self._seats, self._target, self._seats[0], totals=totals)
                self.rewards[row] = ended.returns("win")
        outcomes["truncated"][numbers] = cut
        for field in ("rewards", "length", "rounds"):
            mine = getattr(self, field)
            outcomes[field][numbers] = mine[rows]
            mine[rows] = 0

    def choose_first(self, rows: np.ndarray) -> None:
        """Set who begins next in rows int[k]: the usual seat, in a further round the next one."""
        chosen = self._usual_first[rows]
        for i, row in enumerate(rows.tolist()):
            if self.rounds[row]:
                place = self._seats.index(int(self._began[row])) + 1
                chosen[i] = self._seats[place % len(self._seats)]
        self._table.set_first(rows, chosen)
