"""What each card allows: the legal moves of a position, each with the board it leads to.

Read ``board.py`` before this file and ``reference.py`` after it.
"""

from __future__ import annotations

from .board import Board
from .rules_data import COLOURS, Ruleset

Moves = dict[str, Board]

TEAMS = ("ry", "bg")


def side_of(rules: Ruleset, colour: str) -> str:
    """The colours that play together: partners sit opposite, else everyone is alone."""
    if rules.partners:
        return next(team for team in TEAMS if colour in team)
    return colour


class Turn:
    """One seat with one card on one board."""

    def __init__(self, rules: Ruleset, board: Board, seat: str, card: str) -> None:
        self.rules = rules
        self.board = board
        self.card = card
        side = side_of(rules, seat)
        numbers = range(len(board.pawns))
        # With partners, all pawns of the team are usable by either partner's card.
        self.own = [number for number in numbers if board.pawns[number].colour in side]
        self.opponents = [number for number in numbers if board.pawns[number].colour not in side]

    def square(self, number: int) -> str:
        """Where a pawn stands before the move."""
        return self.board.pawns[number].square

    def legal(self) -> Moves:
        """Everything the card allows; when that is nothing, the turn is lost.

        The single exception to having to move is an 11 that can only switch: one may pass.
        """
        moves = self.moves()
        return {**moves, "pass": self.board} if self.only_switches(moves) else moves

    def only_switches(self, moves: Moves) -> bool:
        """No move at all, or an 11 whose only use is to switch."""
        return not moves or (self.card == "11" and all("x" in text for text in moves))

    def moves(self) -> Moves:
        """What can be done with the card, passing left aside."""
        if self.card in ("1", "2"):
            return {**self.out_of_start(), **self.steps(int(self.card))}
        if self.card in ("3", "5", "8", "12"):
            return self.steps(int(self.card))
        if self.card == "4":
            return self.steps(-4)
        if self.card == "7":
            return {**self.steps(7), **self.split(7)}
        if self.card == "10":
            # A free choice while both exist; if no pawn can go +10, one must go -1.
            return {**self.steps(10), **self.steps(-1)}
        if self.card == "11":
            # If no pawn can go +11, the player may pass; if one can, it is one or the other.
            return {**self.steps(11), **self.switches()}
        if self.card == "S":
            return self.sorry()
        raise ValueError(f"no such card: {self.card!r}")

    def add(self, moves: Moves, text: str, board: Board) -> None:
        """Moves that differ only in which Start pawn they take are one move."""
        text = f"{self.card}:{text}"
        assert text not in moves or moves[text].same_as(board)
        moves[text] = board

    def out_of_start(self) -> Moves:
        """A pawn from Start to its own circle."""
        moves: Moves = {}
        for number in self.own:
            result = self.board.leave_start(number)
            if result:
                self.add(moves, f"{self.square(number)}-{result[0]}", result[1])
        return moves

    def steps(self, count: int) -> Moves:
        """One pawn moves by the count."""
        moves: Moves = {}
        for number in self.own:
            result = self.board.walk(number, count)
            if result:
                self.add(moves, f"{self.square(number)}-{result[0]}", result[1])
        return moves

    def split(self, total: int) -> Moves:
        """A 7 (or another card) in two parts of 1-6 steps for two different pawns on the board.

        The first part is resolved completely, bump and slide; then the second must be legal on
        the board that results, with a pawn still on the track or in the safety zone. Nothing
        leaves Start.
        """
        orders: dict[tuple[tuple[int, int], tuple[int, int]], tuple[str, Board]] = {}
        for first in self.own:
            for count in range(1, total):
                once = self.board.walk(first, count)
                if once is None:
                    continue
                for second in self.own:
                    left = total - count
                    twice = once[1].walk(second, left) if second != first else None
                    if twice is not None:
                        text = f"{self.square(first)}-{once[0]},{self.square(second)}-{twice[0]}"
                        orders[(first, count), (second, left)] = (text, twice[1])
        return self._merge_orders(orders)

    def _merge_orders(
        self, orders: dict[tuple[tuple[int, int], tuple[int, int]], tuple[str, Board]]
    ) -> Moves:
        """Both orders of the same two parts are one move when they lead to the same position.

        It is then written with the pawn first that has fewer steps to its Home (ties: r b y g).
        If they lead to different positions, or one is illegal, each legal order is a move.
        """
        moves: Moves = {}
        for (one, two), (text, board) in orders.items():
            other = orders.get((two, one))
            if other is not None and other[1].same_as(board):
                if self._nearer_home(two[0]) < self._nearer_home(one[0]):
                    continue  # the other order is the way to write it
            assert f"{self.card}:{text}" not in moves
            self.add(moves, text, board)
        return moves

    def _nearer_home(self, number: int) -> tuple[int, int]:
        pawn = self.board.pawns[number]
        return pawn.steps_to_home(), COLOURS.index(pawn.colour)

    def switches(self) -> Moves:
        """Switch an own pawn on the outer track with an opponent's on the outer track."""
        moves: Moves = {}
        for mine in self.own:
            for theirs in self.opponents:
                if self.board.pawns[mine].on_track() and self.board.pawns[theirs].on_track():
                    after = self.board.switch(mine, theirs, self.rules.switch_slides)
                    if after is not None:
                        self.add(moves, f"{self.square(mine)}x{self.square(theirs)}", after)
        return moves

    def sorry(self) -> Moves:
        """A pawn from Start takes the place of any opponent's pawn on the outer track.

        With partners: only if no opponents' pawn can be taken it must take a pawn of the team,
        of the other colour than the one leaving Start.
        """
        moves = self._takes(self.opponents)
        if not moves and self.rules.partners:
            moves = self._takes(self.own)
        return moves

    def _takes(self, targets: list[int]) -> Moves:
        moves: Moves = {}
        for number in self.own:
            if not self.board.pawns[number].in_start():
                continue
            for target in targets:
                pawn = self.board.pawns[target]
                if pawn.on_track() and pawn.colour != self.board.pawns[number].colour:
                    after = self.board.replace(number, target)
                    if after is not None:
                        self.add(moves, f"{self.square(number)}x{pawn.square}", after)
        return moves
