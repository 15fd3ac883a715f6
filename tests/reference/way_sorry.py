"""Way Sorry! (edition ``way-sorry``): classic with nine further cards.

Read ``reference.py`` before this file. Happy and punished are marks on pawns.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Self

from .board import Board, Pawn
from .cards import Moves, Turn
from .reference import ReferenceGame
from .rules_data import OUTER, Slide

HAPPY, PUNISHED = "happy", "punished"


class HappyBoard(Board):
    """Pawns may be happy or punished."""

    def fixed(self, pawn: Pawn) -> bool:
        """A happy pawn cannot be moved, bumped, switched ..."""
        return HAPPY in pawn.marks

    def slide_forbidden(self, slide: Slide) -> bool:
        """... or passed by a slide."""
        return any(self.fixed(pawn) and pawn.square in slide.squares for pawn in self.pawns)

    def held(self, pawn: Pawn) -> bool:
        """A punished pawn cannot move in its owner's turn (but others may bump or switch it)."""
        return self.fixed(pawn) or PUNISHED in pawn.marks

    def with_mark(self, mark: str, number: int) -> Board:
        """A mark put on a pawn."""
        after = self.copy()
        after.pawns[number].marks |= {mark}
        return after

    def without_mark(self, mark: str, colour: str) -> Board:
        """A mark taken off all pawns of a colour."""
        after = self.copy()
        for pawn in after.pawns:
            if pawn.colour == colour:
                pawn.marks -= {mark}
        return after

    def nearest(self, square: str, step: int, candidates: list[int]) -> int | None:
        """The first of the candidates round the outer track, forward or backward."""
        for distance in range(1, 60):
            there = OUTER[(int(square) + step * distance) % 60]
            for number in candidates:
                if self.pawns[number].square == there:
                    return number
        return None


class WayTurn(Turn):
    """The cards of this edition."""

    def moves(self) -> Moves:
        """The further cards, else as classic."""
        further: dict[str, Callable[[], Moves]] = {
            "HAPPY": self.happy,
            "PUNISH": self.punish,
            "BUDDY": self.buddy,
            "BULLY": self.bully,
            "WAY": self.sorry,
        }
        return further[self.card]() if self.card in further else super().moves()

    def happy(self) -> Moves:
        """One own pawn on the outer track becomes happy."""
        return self._mark(HAPPY, self.own)

    def punish(self) -> Moves:
        """One opponent's pawn on the outer track is punished."""
        return self._mark(PUNISHED, self.opponents)

    def _mark(self, mark: str, numbers: list[int]) -> Moves:
        board = self._board()
        return {
            f"{self.card}:{self.square(number)}": board.with_mark(mark, number)
            for number in numbers
            if board.pawns[number].on_track()
        }

    def _board(self) -> HappyBoard:
        assert isinstance(self.board, HappyBoard)
        return self.board

    def buddy(self) -> Moves:
        """An own pawn to the free square just before or behind the nearest other pawn.

        In either direction, both pawns on the outer track; the way there does not matter.
        """
        moves: Moves = {}
        for number, step in self._movers():
            others = [other for other in range(len(self.board.pawns)) if other != number]
            nearest = self._board().nearest(self.square(number), step, others)
            if nearest is None:
                continue
            for beside in (-1, 1):
                square = OUTER[(int(self.square(nearest)) + beside) % 60]
                taken = any(pawn.square == square for pawn in self.board.pawns)
                if not taken and not self.board.blocked(number, square):
                    self._place(moves, number, f"{self.square(number)}-{square}", square)
        return moves

    def bully(self) -> Moves:
        """An own pawn onto the nearest opponent's pawn, in either direction, bumping it."""
        moves: Moves = {}
        for number, step in self._movers():
            nearest = self._board().nearest(self.square(number), step, self.opponents)
            if nearest is not None:
                square = self.square(nearest)
                if not self.board.blocked(number, square):
                    self._place(moves, number, f"{self.square(number)}x{square}", square)
        return moves

    def _movers(self) -> list[tuple[int, int]]:
        """Own pawns on the outer track that may move, with either direction."""
        return [
            (number, step)
            for number in self.own
            for step in (1, -1)
            if self.board.pawns[number].on_track() and not self.board.held(self.board.pawns[number])
        ]

    def _place(self, moves: Moves, number: int, text: str, square: str) -> None:
        after = self.board.copy()
        after.land(number, square)
        self.add(moves, text, after)


class WayGame(ReferenceGame):
    """The classic turn with these cards; marks end with turns."""

    board_class = HappyBoard
    turn_class = WayTurn

    def _extra(self) -> dict[str, str]:
        """The squares of the pawns that carry the marks, in the order of PAWNS."""
        extra = super()._extra()
        for mark in (HAPPY, PUNISHED):
            squares = [pawn.square for pawn in self.board.marked(mark)]
            if squares:
                extra[mark] = ",".join(squares)
        return extra

    def _read(self, turn: str, hands: str, extra: dict[str, str]) -> None:
        super()._read(turn, hands, extra)
        for mark in (HAPPY, PUNISHED):
            for square in extra[mark].split(",") if mark in extra else ():
                pawns = [p for p in self.board.pawns if p.square == square and p.on_track()]
                if len(pawns) != 1:
                    raise ValueError(f"nobody to be {mark} on {square}")
                pawns[0].marks |= {mark}

    def _board(self) -> HappyBoard:
        assert isinstance(self.board, HappyBoard)
        return self.board

    def _card_done(self, move: str) -> ReferenceGame:
        """A Way Sorry! is repeated until Start is empty or no target is left."""
        if self.card in self.rules.that("repeat") and move != "pass":
            if self.turn_class(self.rules, self.board, self.turn, self.card).moves():
                return self
        return super()._card_done(move)

    def _turn_done(self) -> ReferenceGame:
        """A punished pawn was held in this turn of its owner; that is over."""
        return super(WayGame, self._without(PUNISHED))._turn_done()

    def _turn_begins(self) -> ReferenceGame:
        """A happy pawn was so until this turn of its owner."""
        return super(WayGame, self._without(HAPPY))._turn_begins()

    def _without(self, mark: str) -> Self:
        """A mark taken off all pawns of the colour in turn."""
        if not self.rules.moods:  # only repeated takes
            return self
        return self._but(board=self._board().without_mark(mark, self.turn))
