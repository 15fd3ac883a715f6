"""The facts of moves that advice is about, for all moves of many decisions at once.

Everything is read off the positions before and after a move. Read `worth.py` before and `advice.py`
after this file.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from sorry_env.bots.greedy import progress
from sorry_env.engine.actions import STEP
from sorry_env.engine.afterstate import expand
from sorry_env.engine.geometry import code_at, outer_square
from sorry_env.engine.state import CIRCLE, START
from sorry_env.engine.tables import RuleTables


@dataclass(frozen=True, eq=False)
class Moves:
    """All legal moves of n decisions, m in all, ordered by decision.

    tables: the ruleset
    games:  GAME[n], with a card drawn
    after:  GAME[m], after each move and before the next draw
    row:    int[m], the decision that a move belongs to
    action: int[m]
    """

    tables: RuleTables
    games: np.ndarray
    after: np.ndarray
    row: np.ndarray
    action: np.ndarray

    @classmethod
    def of(cls, tables: RuleTables, games: np.ndarray, mask: np.ndarray) -> Moves:
        """All moves that a mask bool[n, A] allows in GAME[n]."""
        return cls(tables, games, *expand(tables, games, mask))

    def __len__(self) -> int:
        return len(self.row)

    @cached_property
    def starts(self) -> np.ndarray:
        """int64[n], the first move of each decision."""
        return np.flatnonzero(np.diff(self.row, prepend=-1))

    @cached_property
    def mover(self) -> np.ndarray:
        """int64[m], the seat that moves."""
        return np.asarray(self.games["actor"][self.row].astype(np.int64))

    @cached_property
    def kind(self) -> np.ndarray:
        """int[m], LEAVE, STEP ... as `engine.actions` has them."""
        return np.asarray(self.tables.actions["kind"][self.action])

    @cached_property
    def card(self) -> np.ndarray:
        """str[m], the card's name."""
        names = np.array(self.tables.ruleset.card_names)
        return np.asarray(names[self.games["card"][self.row]])

    @cached_property
    def own(self) -> np.ndarray:
        """int64[m, 4], codes of the mover's pawns before the move (-1 for slots not in use)."""
        return np.asarray(self.games["pawns"][self.row, self.mover].astype(np.int64))

    @cached_property
    def own_after(self) -> np.ndarray:
        """int64[m, 4], the same after it."""
        return np.asarray(self.after["pawns"][np.arange(len(self)), self.mover].astype(np.int64))

    @cached_property
    def opponents(self) -> np.ndarray:
        """bool[m, 4], the seats that play against the mover."""
        seated = self.games["pawns"][self.row, :, 0] >= 0
        return np.asarray(seated & (np.arange(4) != self.mover[:, None]))

    @cached_property
    def gain(self) -> np.ndarray:
        """int64[m], steps that the mover's pawns gain, those less that its own slide sends back."""
        before, after = progress(self.games)[self.row], progress(self.after)
        return np.asarray((after - before)[np.arange(len(self)), self.mover])

    @cached_property
    def harm(self) -> np.ndarray:
        """int64[m, 4], steps that each opponent loses (negative where a switch helps it)."""
        lost = progress(self.games)[self.row] - progress(self.after)
        return np.where(self.opponents, lost, 0)

    @cached_property
    def in_start(self) -> np.ndarray:
        """int64[m], how many of the mover's pawns are in Start before the move."""
        return np.asarray((self.own == START).sum(axis=1))

    @cached_property
    def leading(self) -> np.ndarray:
        """int64[m], the opponent with most steps covered; -1 where two share the lead."""
        steps = np.where(self.opponents, progress(self.games)[self.row], -1)
        most = steps.max(axis=1, keepdims=True)
        alone = (steps == most).sum(axis=1) == 1
        return np.where(alone, steps.argmax(axis=1), -1)

    def arrives(self, distances: range) -> np.ndarray:
        """bool[m]: a pawn of the mover comes to rest so far beyond a circle that threatens it.

        distances: squares beyond an opponent's circle (negative: short of it)
        The opponent has a pawn in Start; a pawn of the mover stands there after the move and none
        did before. A slide counts where it ends.
        """
        found = np.zeros(len(self), np.bool_)
        waits = (self.games["pawns"] == START).any(axis=2)[self.row] & self.opponents
        for seat in np.unique(self.mover).tolist():
            for other in range(4):
                rows = np.flatnonzero(waits[:, other] & (self.mover == seat))
                for distance in distances:
                    code = code_at(seat, (outer_square(other, CIRCLE) + distance) % 60)
                    new = (self.own_after[rows] == code).any(axis=1)
                    old = (self.own[rows] == code).any(axis=1)
                    found[rows] |= new & ~old
        return found

    @cached_property
    def clears_circle(self) -> np.ndarray:
        """bool[m]: the mover's pawn on its own circle leaves it, and no other comes there."""
        return np.asarray(
            (self.own == CIRCLE).any(axis=1) & ~(self.own_after == CIRCLE).any(axis=1)
        )

    @cached_property
    def steps(self) -> np.ndarray:
        """int64[m], signed steps of a move of one pawn by count; of other moves, what they hold."""
        return np.asarray(self.tables.actions["steps"][self.action].astype(np.int64))

    @cached_property
    def code(self) -> np.ndarray:
        """int64[m], where the pawn of a STEP stands before it."""
        slot = self.tables.actions["slot"][self.action].astype(np.int64)
        return np.asarray(self.own[np.arange(len(self)), np.minimum(slot, 3)])

    @cached_property
    def back_over_start(self) -> np.ndarray:
        """bool[m]: a step back, from the circle or near it, to the entry or near it.

        Back round the own side: a pawn on the circle that goes 4 back has 8 steps to Home instead
        of 64.
        """
        back = (self.kind == STEP) & (self.steps < 0)
        return np.asarray(back & (self.code + self.steps <= START))
