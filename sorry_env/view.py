"""What can be read off a game: its moves, `Outcome`, and `View`, what one seat may see.

Bots and pictures are given views; `Game` reads itself in the same way. Read `engine/turn.py` and
`move.py` before and `game.py` after this file.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sorry_env.engine import single
from sorry_env.engine.arguments import reward_code
from sorry_env.engine.state import (
    ANSWER,
    EMPTY,
    HIDDEN,
    NOBODY,
    OVER,
    PHASES,
    SEATS,
    START,
    UNSEATED,
    WAITING,
    WORK,
)
from sorry_env.engine.tables import RuleTables
from sorry_env.errors import RequestError
from sorry_env.move import Move, card_name, describe_move
from sorry_env.rules import Ruleset
from sorry_env.rules.ruleset import MAX_CARDS


@dataclass(frozen=True)
class Outcome:
    """How a finished game ended.

    winners: the winning seats
    ranks:   by seat, the place, 1 first; 0 for colours that are not seated or never finished
    """

    winners: tuple[int, ...]
    ranks: tuple[int, ...]


class Reader:
    """What games and views share: reading one record of a game."""

    tables: RuleTables
    state: np.ndarray

    @property
    def ruleset(self) -> Ruleset:
        """The ruleset being played."""
        return self.tables.ruleset

    @property
    def seats(self) -> tuple[int, ...]:
        """The seated colours in turn order."""
        leaders = self.state["pawns"][0, :, 0].tolist()
        return tuple(s for s, code in enumerate(leaders) if code != UNSEATED)

    @property
    def pawns(self) -> tuple[tuple[int, ...], ...]:
        """Pawn codes by seat, each colour's most advanced first; () for a colour not seated."""
        rows = self.state["pawns"][0, :, : self.ruleset.pawns].tolist()
        return tuple(() if row[0] == UNSEATED else tuple(row) for row in rows)

    @property
    def turn(self) -> int:
        """The seat in turn; when the game is over, the seat whose turn it was."""
        return int(self.state["turn"][0])

    @property
    def actor(self) -> int:
        """The seat that decides."""
        return int(self.state["actor"][0])

    @property
    def phase(self) -> str:
        """One of `engine.state.PHASES`, such as `move` or `over`."""
        return PHASES[int(self.state["phase"][0])]

    @property
    def over(self) -> bool:
        """Whether the game has ended by its rules."""
        return int(self.state["phase"][0]) == OVER

    @property
    def waiting(self) -> bool:
        """Whether chance is next: a card must be drawn, or the coin must answer."""
        if int(self.state["card"][0]) == WAITING:
            return True
        return int(self.state["phase"][0]) == ANSWER and self.ruleset.answers == "coin"

    @property
    def card(self) -> str | None:
        """Name of the card being played, `?` while one must be drawn, None when over."""
        return card_name(self.tables, self.state)

    @property
    def unseen(self) -> tuple[int, ...] | None:
        """Cards left in the draw pile by card index; None if draws are independent.

        In the view of a seat that holds cards, those of the other hands are counted too.
        """
        if self.ruleset.infinite:
            return None
        return tuple(self.state["deck"][0, : len(self.ruleset.cards)].tolist())

    @property
    def hands(self) -> tuple[tuple[str, ...] | None, ...] | None:
        """Names of the cards that each seat holds; None for a hand that cannot be seen.

        () for a colour that is not seated, and None as a whole where nobody holds cards.
        """
        if not self.ruleset.hand:
            return None
        names = self.ruleset.card_names
        return tuple(
            None if HIDDEN in row else tuple(names[card] for card in row if card != EMPTY)
            for row in self.state["hands"][0].tolist()
        )

    @property
    def again(self) -> bool:
        """Whether this is, or will be after the draw, a further play from the hand."""
        return bool(self.state["again"][0])

    @property
    def fire(self) -> tuple[int, int] | None:
        """The pawn that carries the Fire as (seat, code), or None."""
        return self._token("fire_seat", "fire_code")

    @property
    def ice(self) -> tuple[int, int] | None:
        """The pawn that carries the Ice as (seat, code), or None."""
        return self._token("ice_seat", "ice_code")

    def _token(self, seat: str, code: str) -> tuple[int, int] | None:
        owner = int(self.state[seat][0])
        return None if owner == NOBODY else (owner, int(self.state[code][0]))

    @property
    def happy(self) -> tuple[tuple[int, int], ...]:
        """The pawns that cannot be touched, as (seat, code), in the order of `pawns`."""
        return self._marked("happy")

    @property
    def punished(self) -> tuple[tuple[int, int], ...]:
        """The pawns that their owner cannot move in its next turn, likewise."""
        return self._marked("punished")

    def _marked(self, field: str) -> tuple[tuple[int, int], ...]:
        rows = self.state[field][0].tolist()
        return tuple((s, code) for s, row in enumerate(rows) for code in row if code != START)

    @property
    def asked(self) -> int | None:
        """The seat that is asked a question, or None."""
        seat = int(self.state["asked"][0])
        return None if seat == NOBODY else seat

    @property
    def steps(self) -> int:
        """Steps that the answer to a question gives, 0 before it."""
        return int(self.state["steps"][0])

    @property
    def ranks(self) -> tuple[int, ...]:
        """Place of each colour, 1 first; 0 while it has not finished."""
        return tuple(self.state["ranks"][0].tolist())

    @property
    def winners(self) -> tuple[int, ...]:
        """Seats that finished first; () while nobody has."""
        return tuple(s for s, rank in enumerate(self.ranks) if rank == 1)

    @property
    def plies(self) -> int:
        """Decisions made so far."""
        return int(self.state["plies"][0])

    @property
    def draws(self) -> int:
        """Cards drawn so far."""
        return int(self.state["draws"][0])

    def mask(self) -> np.ndarray:
        """bool[A], the legal actions; all False when the game is over or waits for a draw."""
        mask, work = self.scratch()
        single.mask(self.tables.arrays, self.state, 0, mask, work)
        return mask

    def scratch(self) -> tuple[np.ndarray, np.ndarray]:
        """Room for the kernels: a mask bool[A] and their work array."""
        mask = np.empty(self.tables.num_actions, np.bool_)
        return mask, np.empty(2, WORK)

    def legal_actions(self) -> np.ndarray:
        """int64[n], indices of the legal actions, ascending."""
        return np.flatnonzero(self.mask())

    def legal_moves(self) -> tuple[Move, ...]:
        """The legal moves, in the order of their actions; () when over or waiting for a draw."""
        return tuple(self.describe(int(a)) for a in self.legal_actions())

    def describe(self, action: int) -> Move:
        """What a legal action means in this position."""
        return describe_move(self.tables, self.state, action)

    def observation(self, seat: int | None = None) -> np.ndarray:
        """int8[O], what a seat sees (without one, the seat that decides); see `engine.observe`."""
        out = np.empty(self.tables.observation_size, np.int8)
        viewer = self.actor if seat is None else seat
        single.see(self.tables.arrays, self.state, 0, viewer, out)
        return out

    def outcome(self) -> Outcome | None:
        """The result, or None while the game goes on."""
        return Outcome(self.winners, self.ranks) if self.over else None

    def returns(self, reward: str = "win") -> tuple[float, ...]:
        """Rewards by seat: those of the finished game, or zeros while it goes on.

        Raises RequestError for a reward that the ruleset does not have.
        """
        code = reward_code(self.ruleset, reward)
        out = np.zeros(SEATS, np.float32)
        if self.over:
            single.returns(self.tables.arrays, self.state, 0, code, out)
        return tuple(out.tolist())


def hide_hands(games: np.ndarray, seats: np.ndarray | int) -> None:
    """Take out of GAME[n] whose cards are whose, but for one seat's own in each game.

    The cards of the other hands are counted with the draw pile's, where the seat must reckon with
    them, and their places in the hands hold HIDDEN. What is hidden already stays so.

    seats: int[n], or one seat for all; NOBODY hides every hand
    """
    hands = games["hands"]
    others = np.arange(SEATS) != np.reshape(seats, (-1, 1))
    held = (hands >= 0) & others[:, :, None]
    rows = np.nonzero(held)[0]
    cells = np.bincount(rows * MAX_CARDS + hands[held], minlength=len(games) * MAX_CARDS)
    games["deck"] += cells.reshape(-1, MAX_CARDS).astype(np.int8)
    hands[held] = HIDDEN


class View(Reader):
    """What one seat may see of a game; with ``seat`` None, what a spectator sees.

    tables: the compiled ruleset
    state:  GAME[1], a copy from which all that the seat cannot know has been removed
    seat:   whose eyes, or None
    """

    def __init__(self, tables: RuleTables, state: np.ndarray, seat: int | None) -> None:
        self.tables = tables
        self.state = state.copy()
        self.state["rng"] = 0  # the order of the draw pile is nobody's knowledge
        self.seat = seat
        if seat is not None and tables.ruleset.hand:
            hide_hands(self.state, seat)

    def mask(self) -> np.ndarray:
        """As `Reader.mask`; all False where another seat decides on a hand that is hidden."""
        if (self.state["hands"][0, self.actor] == HIDDEN).any():
            return np.zeros(self.tables.num_actions, np.bool_)
        return super().mask()

    def observation(self, seat: int | None = None) -> np.ndarray:
        """int8[O], what this view's seat sees."""
        if seat is None:
            seat = self.seat
        elif self.seat is not None and seat != self.seat:
            raise RequestError(f"this is the view of seat {self.seat}, not of {seat}", value=seat)
        return super().observation(seat)
