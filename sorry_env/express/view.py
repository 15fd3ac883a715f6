"""What can be read off a game of dice: `ExpressMove`, and `ExpressView`, what is shown to bots.

Nothing is hidden in this game but the dice to come. Names that mean the same as in
`sorry_env/view.py` are the same. Read `single.py` before and `game.py` after this file.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sorry_env.engine.state import OVER
from sorry_env.errors import RequestError
from sorry_env.express import single
from sorry_env.express.rules import FACES, ExpressRules, check_reward
from sorry_env.express.state import NOBODY, PHASES, SEATS, UNROLLED
from sorry_env.express.tables import HOME, KINDS, NOTHING, TURN, WAITING, ExpressTables
from sorry_env.view import Outcome

#: The dice of a game that waits for a roll, and of one that is over.
UNROLLED_TEXT = "?"
NO_DICE = "-"


@dataclass(frozen=True)
class ExpressMove:
    """A legal move in a position: what one die does.

    action: index in the action table
    kind:   one of `tables.KINDS`
    die:    the die, 1 to 3
    face:   its letter in `rules.FACES`
    colour: the pawn taken or declined, or the new Home colour; None where the die has no target
    seat:   the player from whom a pawn is taken or whose Home turns; None otherwise
    """

    action: int
    kind: str
    die: int
    face: str
    colour: int | None = None
    seat: int | None = None


class ExpressReader:
    """What games and views share: reading one record of a game.

    tables: the compiled rules
    state:  EXPRESS_GAME[1]
    """

    tables: ExpressTables
    state: np.ndarray

    @property
    def ruleset(self) -> ExpressRules:
        """The rules being played."""
        return self.tables.ruleset

    @property
    def seats(self) -> tuple[int, ...]:
        """0, 1 ... in turn order."""
        return tuple(range(int(self.state["seats"][0])))

    @property
    def homes(self) -> tuple[int, ...]:
        """The Home colour that each player's base shows."""
        return tuple(self.state["home"][0].tolist()[: len(self.seats)])

    @property
    def held(self) -> tuple[tuple[int, ...], ...]:
        """Pawns that each player holds, by colour."""
        return tuple(tuple(row) for row in self.state["held"][0].tolist()[: len(self.seats)])

    @property
    def pool(self) -> tuple[int, ...]:
        """Pawns on the start base, by colour."""
        return tuple(self.state["pool"][0].tolist())

    @property
    def dice(self) -> dict[int, str]:
        """The dice still to be resolved, number (1 to 3) and letter; {} before a roll."""
        codes = self.state["dice"][0].tolist()
        return {die: FACES[code] for die, code in enumerate(codes, 1) if code >= 0}

    @property
    def card(self) -> str:
        """The dice as positions write them, `1=b,3=L`; what a card is in the board game."""
        if self.waiting:
            return UNROLLED_TEXT
        return ",".join(f"{die}={face}" for die, face in self.dice.items()) or NO_DICE

    @property
    def turn(self) -> int:
        """The seat in turn; when the game is over, the seat whose turn it was."""
        return int(self.state["turn"][0])

    @property
    def actor(self) -> int:
        """The seat that decides: the one in turn."""
        return int(self.state["actor"][0])

    @property
    def phase(self) -> str:
        """`move` or `over`."""
        return PHASES[int(self.state["phase"][0])]

    @property
    def over(self) -> bool:
        """Whether somebody has won."""
        return int(self.state["phase"][0]) == OVER

    @property
    def waiting(self) -> bool:
        """Whether the dice must be rolled."""
        return int(self.state["dice"][0, 0]) == UNROLLED

    @property
    def winners(self) -> tuple[int, ...]:
        """The winner alone; () while nobody has won."""
        winner = int(self.state["winner"][0])
        return () if winner == NOBODY else (winner,)

    @property
    def ranks(self) -> tuple[int, ...]:
        """By seat 1 for the winner, else 0."""
        return tuple(int(seat in self.winners) for seat in range(SEATS))

    @property
    def plies(self) -> int:
        """Decisions made so far."""
        return int(self.state["plies"][0])

    @property
    def draws(self) -> int:
        """Rolls so far."""
        return int(self.state["draws"][0])

    def mask(self) -> np.ndarray:
        """bool[A], the legal actions; all False when the game is over or waits for a roll."""
        mask = np.empty(self.tables.num_actions, np.bool_)
        single.mask(self.tables.arrays, self.state, 0, mask)
        return mask

    def legal_actions(self) -> np.ndarray:
        """int64[n], indices of the legal actions, ascending."""
        return np.flatnonzero(self.mask())

    def legal_moves(self) -> tuple[ExpressMove, ...]:
        """The legal moves, in the order of their actions; () when over or waiting for a roll."""
        return tuple(self.describe(int(a)) for a in self.legal_actions())

    def describe(self, action: int) -> ExpressMove:
        """What a legal action means in this position."""
        die, face, kind, colour, side = self.tables.rows[action]
        seat = (self.turn + side) % len(self.seats)
        if kind == HOME:
            colour = self.homes[seat]
        letter = self.dice.get(die + 1, "") if kind == NOTHING else FACES[face]
        return ExpressMove(
            action,
            KINDS[kind],
            die + 1,
            letter,
            None if kind == NOTHING else colour,
            seat if kind in (WAITING, HOME, TURN) else None,
        )

    def observation(self, seat: int | None = None) -> np.ndarray:
        """int8[O], what a seat sees (without one, the seat that decides); see `tables.layout`."""
        out = np.empty(self.tables.observation_size, np.int8)
        single.see(self.state, 0, self.actor if seat is None else seat, out)
        return out

    def outcome(self) -> Outcome | None:
        """The result, or None while the game goes on."""
        return Outcome(self.winners, self.ranks) if self.over else None

    def returns(self, reward: str = "win") -> tuple[float, ...]:
        """Rewards by seat: those of the finished game, or zeros while it goes on.

        Raises RequestError for any reward but `win`.
        """
        check_reward(reward)
        out = np.zeros(SEATS, np.float32)
        if self.over:
            single.returns(self.state, 0, out)
        return tuple(out.tolist())


class ExpressView(ExpressReader):
    """What one seat (or, with ``seat`` None, a spectator) sees: all but the dice to come."""

    def __init__(self, tables: ExpressTables, state: np.ndarray, seat: int | None) -> None:
        self.tables = tables
        self.state = state.copy()
        self.state["rng"] = 0
        self.seat = seat

    def observation(self, seat: int | None = None) -> np.ndarray:
        """int8[O], what this view's seat sees."""
        if seat is None:
            seat = self.seat
        elif self.seat is not None and seat != self.seat:
            raise RequestError(f"this is the view of seat {self.seat}, not of {seat}", value=seat)
        return super().observation(seat)
