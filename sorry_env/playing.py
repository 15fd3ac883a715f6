"""What playing one game step by step is, whatever the game: check, play, draw, take back, copy.

`Game` (the board game) and `express.ExpressGame` (the dice game) are made on this base. A game is
one record and the records before it; see `engine/state.py`. Read `game.py` after this file.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, ClassVar, Generic, Self, TypeVar

import numpy as np

from sorry_env.errors import MoveError, PositionError, RequestError

M = TypeVar("M")


def check_record(state: Any, dtype: np.dtype[Any]) -> None:
    """Raise PositionError unless ``state`` is an array of one record of this dtype."""
    if not isinstance(state, np.ndarray) or state.dtype != dtype or state.shape != (1,):
        given = getattr(state, "dtype", type(state).__name__), getattr(state, "shape", ())
        raise PositionError(
            f"a game's record is an array of shape (1,) of its own dtype, not {given[0]!s:.60} of "
            f"shape {given[1]}",
            value=state,
        )


class Playing(ABC, Generic[M]):
    """One game that moves are played in. A subclass also is a reader: it tells what can be played.

    tables: the compiled rules
    state:  the game's record, an array of one
    M:      its class of moves, which have an ``action``
    """

    #: What must happen before a waiting game goes on, and what a chosen draw is called.
    CHANCE: ClassVar[tuple[str, str]] = ("a card must be drawn", "card")

    tables: Any
    state: np.ndarray
    _history: list[bytes]

    # -- what a subclass says -----------------------------------------------------------------

    @abstractmethod
    def _advance(self, action: int) -> None:
        """Play a legal action, up to the next draw."""

    @abstractmethod
    def draw(self, card: str | None = None) -> None:
        """Let chance decide, or decide in its place; RequestError for what cannot come."""

    @abstractmethod
    def describe(self, action: int) -> M:
        """What a legal action means in this position: a move."""

    @abstractmethod
    def mask(self) -> np.ndarray:
        """bool[A], the legal actions."""

    @abstractmethod
    def legal_actions(self) -> np.ndarray:
        """int64[n], indices of the legal actions."""

    @property
    @abstractmethod
    def over(self) -> bool:
        """Whether the game has ended by its rules."""

    @property
    @abstractmethod
    def waiting(self) -> bool:
        """Whether chance is next."""

    @abstractmethod
    def _where(self) -> str:
        """Who is to decide about what, for messages."""

    # -- what follows -------------------------------------------------------------------------

    def play(self, move: M | int, *, draw: bool | str = True) -> None:
        """Play a legal move, then let chance decide where that is due.

        move: a move of this position or an action index
        draw: True draws by the game's own chance, a text chooses what is drawn, False leaves the
              game waiting
        Raises MoveError for a move that is not legal here and RequestError for a draw that cannot
        come; the game is then as it was.
        """
        action = self._check_legal(move)
        if not isinstance(draw, (bool, str)):
            raise RequestError(
                f"draw={draw!r} must be True, False or the name of what is drawn", value=draw
            )
        before = self.state.tobytes()
        self._advance(action)
        try:
            if self.waiting and draw is not False:
                self.draw(None if draw is True else draw)
            elif isinstance(draw, str):
                reason = "the game is over" if self.over else f"no {self.CHANCE[1]} is due"
                raise RequestError(f"{reason} after this move, not {draw!r}", value=draw)
        except BaseException:
            self._restore(before)
            raise
        self._history.append(before)

    def undo(self) -> None:
        """Take back the last move and the draw that followed it, the random state included.

        Raises RequestError where nothing has been played yet.
        """
        if not self._history:
            raise RequestError("there is no move to take back", value=None)
        self._restore(self._history.pop())

    def copy(self) -> Self:
        """An independent game that continues identically, its past included."""
        twin = type(self).__new__(type(self))
        twin.tables = self.tables
        twin.state = self.state.copy()
        twin._history = list(self._history)
        return twin

    __copy__ = copy  # the default would share the record that playing changes

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        # The default would go through the tables, which are shared and never change.
        return self.copy()

    def _restore(self, record: bytes) -> None:
        self.state[:] = np.frombuffer(record, self.state.dtype)

    def _check_legal(self, move: M | int) -> int:
        action: Any = getattr(move, "action", move)
        if self.over:
            raise MoveError(f"the game is over: {move!r} cannot be played", value=move)
        if self.waiting:
            raise MoveError(f"{self.CHANCE[0]} before {move!r} can be played", value=move)
        if isinstance(action, bool) or not isinstance(action, (int, np.integer)):
            raise MoveError(f"action {action!r} must be an int", value=move)
        if not 0 <= action < self.tables.num_actions:
            top = self.tables.num_actions - 1
            raise MoveError(f"action {action} must be from 0 to {top}", value=move)
        if not self.mask()[action]:
            name = self.tables.labels[action]
            legal = ", ".join(self.tables.labels[a] for a in self.legal_actions()[:8])
            raise MoveError(
                f"action {action} ({name}) is not legal, {self._where()}; legal are {legal}",
                value=move,
            )
        if action is not move and move != self.describe(int(action)):
            raise MoveError(f"{move!r} belongs to another position", value=move)
        return int(action)
