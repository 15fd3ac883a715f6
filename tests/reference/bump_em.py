"""Bump 'Em (edition ``bump-em``): no slides, turbo squares instead.

Read ``reference.py`` before this file.
"""

from __future__ import annotations

from .board import Board, Pawn
from .cards import Moves, Turn
from .reference import ReferenceGame
from .rules_data import HOME, OUTER, SIDE

TURBO = tuple(OUTER[15 * side] for side in range(4))


class TurboBoard(Board):
    """The four corners are turbo squares."""

    def hit(self, pawn: Pawn) -> None:
        """A car standing on a turbo square is not bumped but moves on."""
        if pawn.square in TURBO:
            self.move_on(pawn)
        else:
            super().hit(pawn)

    def move_on(self, pawn: Pawn) -> None:
        """To the next turbo square, or Home if its own entry lies before that.

        The own entry is on the side whose corner is the colour's own. A car that it meets on the
        next turbo square moves on in the same way, whatever its colour, the car that was played
        included.
        """
        corner = TURBO.index(pawn.square)
        if corner == SIDE[pawn.colour]:
            pawn.square = HOME[pawn.colour]
            return
        pawn.square = TURBO[(corner + 1) % 4]
        for other in self.pawns:
            if other is not pawn and other.square == pawn.square:
                self.move_on(other)


class BumpTurn(Turn):
    """The cards of this edition."""

    def moves(self) -> Moves:
        """1, 12 and Bump bring a car out; 4 goes back; 11 may switch; all others their value."""
        if self.card == "B":
            return self.sorry()
        if self.card == "4":
            return self.steps(-4)
        moves = self.steps(int(self.card))
        if self.card in ("1", "12"):
            moves |= self.out_of_start()
        if self.card == "11":
            moves |= self.switches()
        return moves


class BumpGame(ReferenceGame):
    """The classic turn with this board and these cards; a 3 draws again."""

    board_class = TurboBoard
    turn_class = BumpTurn
