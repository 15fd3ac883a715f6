"""`Game`: one game for people and programs that want every step checked and explained.

The careful door to the engine: an illegal move or an impossible card is refused with the value, the
position's card and the reason, and changes nothing. A `View` is what one seat may see of a game;
bots and pictures are given views. Read `engine/turn.py` before and `notation/position.py` after
this file.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from sorry_env.engine import single
from sorry_env.engine.actions import KINDS, LEAVE, PASS, SPLIT, STEP, SWITCH
from sorry_env.engine.audit import audit
from sorry_env.engine.batch import first_seat, reward_code
from sorry_env.engine.geometry import code_at, counted, outer_square
from sorry_env.engine.rng import fresh_seed, seed_state
from sorry_env.engine.state import (
    CIRCLE,
    NO_CARD,
    OVER,
    PHASES,
    SEATS,
    START,
    UNSEATED,
    WAITING,
    empty_games,
)
from sorry_env.engine.tables import RuleTables, compile_rules
from sorry_env.errors import MoveError, PositionError, RequestError
from sorry_env.rules import COLOURS, Ruleset, choose_seats
from sorry_env.rules.ruleset import MAX_PAWNS

#: Card name of a game that waits for a draw.
UNDRAWN = "?"


@dataclass(frozen=True)
class Part:
    """One pawn of a move: its colour, the code it stands on and the code it reaches by count."""

    seat: int
    start: int
    end: int


@dataclass(frozen=True)
class Move:
    """A legal move in a position, for people and notation.

    action: index in the action table
    kind:   one of `engine.actions.KINDS`
    card:   name of the card played
    parts:  the pawns moved, in the order played, slides not included
    target: for a switch or a take, the other pawn as (seat, code); else None
    """

    action: int
    kind: str
    card: str
    parts: tuple[Part, ...]
    target: tuple[int, int] | None = None


@dataclass(frozen=True)
class Outcome:
    """How a finished game ended.

    winners: the winning seats
    ranks:   by seat, the place, 1 first; 0 for colours that are not seated or never finished
    """

    winners: tuple[int, ...]
    ranks: tuple[int, ...]


class _Reader:
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
        """`move` or `over`."""
        return PHASES[int(self.state["phase"][0])]

    @property
    def over(self) -> bool:
        """Whether the game has ended by its rules."""
        return int(self.state["phase"][0]) == OVER

    @property
    def waiting(self) -> bool:
        """Whether a card must be drawn before anything can be played."""
        return int(self.state["card"][0]) == WAITING

    @property
    def card(self) -> str | None:
        """Name of the card being played, `?` while one must be drawn, None when over."""
        index = int(self.state["card"][0])
        if index == NO_CARD:
            return None
        return UNDRAWN if index == WAITING else self.ruleset.cards[index].name

    @property
    def unseen(self) -> tuple[int, ...] | None:
        """Cards left in the draw pile by card index; None if draws are independent."""
        if self.ruleset.infinite:
            return None
        return tuple(self.state["deck"][0, : len(self.ruleset.cards)].tolist())

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
        mask = np.empty(self.tables.num_actions, np.bool_)
        work = np.empty((2, SEATS, MAX_PAWNS), np.int8)
        single.mask(self.tables.arrays, self.state, 0, mask, work)
        return mask

    def legal_actions(self) -> np.ndarray:
        """int64[n], indices of the legal actions, ascending."""
        return np.flatnonzero(self.mask())

    def legal_moves(self) -> tuple[Move, ...]:
        """The legal moves, in the order of their actions; () when over or waiting for a draw."""
        return tuple(self.describe(int(a)) for a in self.legal_actions())

    def describe(self, action: int) -> Move:
        """What a legal action means in this position."""
        kind, side, slot, steps, side2, slot2, steps2 = self.tables.rows[action]
        card = self.card or ""
        if kind == PASS:
            return Move(action, KINDS[kind], card, ())
        pawns = self.state["pawns"][0]
        seat, other = (self.turn + side) % 4, (self.turn + side2) % 4
        target = None
        if kind == LEAVE:
            parts: tuple[Part, ...] = (Part(seat, START, CIRCLE),)
        elif kind == STEP:
            code = int(pawns[seat, slot])
            parts = (Part(seat, code, counted(code, steps)),)
        elif kind == SPLIT:
            code, code2 = int(pawns[seat, slot]), int(pawns[other, slot2])
            parts = (Part(seat, code, code + steps), Part(other, code2, code2 + steps2))
        else:
            code2 = int(pawns[other, slot2])
            start = int(pawns[seat, slot]) if kind == SWITCH else START
            parts = (Part(seat, start, code_at(seat, outer_square(other, code2))),)
            target = (other, code2)
        return Move(action, KINDS[kind], card, parts, target)

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


class View(_Reader):
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

    def observation(self, seat: int | None = None) -> np.ndarray:
        """int8[O], what this view's seat sees."""
        if seat is None:
            seat = self.seat
        elif self.seat is not None and seat != self.seat:
            raise RequestError(f"this is the view of seat {self.seat}, not of {seat}", value=seat)
        return super().observation(seat)


class Game(_Reader):
    """One game.

    ruleset: a Ruleset or its name
    seats:   None, a number, `red,yellow`, or colours as names or indices
    seed:    any int; None takes one from the system
    first:   the colour that begins, `random`, or None for the first seated
    draw:    False leaves the game waiting for its first card

    Raises RulesetError or RequestError for settings that the ruleset does not allow.
    """

    def __init__(
        self,
        ruleset: Ruleset | str = "classic",
        seats: int | str | Iterable[int | str] | None = None,
        *,
        seed: int | None = None,
        first: int | str | None = None,
        draw: bool = True,
    ) -> None:
        self.tables = compile_rules(ruleset)
        seated = choose_seats(self.ruleset, seats)
        self.state = empty_games(1)
        self.state[0]["pawns"][list(seated)] = START
        self.state["rng"] = seed_state(fresh_seed() if seed is None else seed)
        self._history: list[bytes] = []
        single.set_up(self.tables.arrays, self.state, 0, first_seat(first, seated))
        if draw:
            self.draw()

    @classmethod
    def from_state(cls, tables: RuleTables, state: np.ndarray, *, seed: int | None = None) -> Game:
        """A game that goes on from a record GAME[1], which is copied.

        seed: replaces the record's random state
        Raises PositionError, naming every fault, for a record that no game can be in.
        """
        faults = audit(tables, state[0])
        if faults:
            raise PositionError("not a possible position: " + "; ".join(faults), value=faults)
        game = cls.__new__(cls)
        game.tables = tables
        game.state = state.copy()
        if seed is not None:
            game.state["rng"] = seed_state(seed)
        game._history = []
        return game

    def play(self, move: Move | int, *, draw: bool | str = True) -> None:
        """Play a legal move, then turn up the next card.

        move: a Move or an action index
        draw: True draws by the game's own chance, a card's name chooses the card, False leaves the
              game waiting
        Raises MoveError for a move that is not legal here and RequestError for a card that is not
        in the pile; the game is then as it was.
        """
        action = self._check_legal(move)
        before = self.state.tobytes()
        single.play(self.tables.arrays, self.state, 0, action)
        try:
            if self.waiting and draw is not False:
                self.draw(None if draw is True else draw)
            elif isinstance(draw, str):
                raise RequestError(f"the game is over: card {draw!r} cannot be drawn", value=draw)
        except RequestError:
            self._restore(before)
            raise
        self._history.append(before)

    def draw(self, card: str | None = None) -> None:
        """Turn up the next card of a game that waits for one.

        card: the card's name; None draws by the game's own chance
        Raises RequestError where no card is due or the pile has no such card.
        """
        if not self.waiting:
            raise RequestError(f"no card is due: card is {self.card!r}", value=card)
        if card is None:
            single.draw(self.tables.arrays, self.state, 0)
            return
        names = self.ruleset.card_names
        if card not in names:
            known = " ".join(names)
            raise RequestError(f"card {card!r} must be one of {known}", value=card)
        index = names.index(card)
        if self.chances()[index] == 0:
            raise RequestError(f"no card {card!r} is left in the pile", value=card)
        single.take_card(self.tables.arrays, self.state, 0, index)

    def chances(self) -> tuple[int, ...]:
        """Cards that the next draw chooses among, by card index; proportions if independent."""
        pile = self.state.copy()
        single.refill(self.tables.arrays, pile, 0)
        return tuple(pile[0]["deck"][: len(self.ruleset.cards)].tolist())

    def undo(self) -> None:
        """Take back the last move and the draw that followed it, the random state included.

        Raises RequestError where nothing has been played yet.
        """
        if not self._history:
            raise RequestError("there is no move to take back", value=None)
        self._restore(self._history.pop())

    def copy(self) -> Game:
        """An independent game that continues identically, its past included."""
        twin = type(self).__new__(type(self))
        twin.tables = self.tables
        twin.state = self.state.copy()
        twin._history = list(self._history)
        return twin

    __copy__ = copy  # the default would share the record that playing changes

    def view(self, seat: int | None = None) -> View:
        """What a seat (or, without one, a spectator) may see; a copy that does not change."""
        if seat is not None and seat not in self.seats:
            raise RequestError(f"seat {seat!r} is not one of {self.seats}", value=seat)
        return View(self.tables, self.state, seat)

    def _restore(self, record: bytes) -> None:
        self.state[:] = np.frombuffer(record, self.state.dtype)

    def _check_legal(self, move: Move | int) -> int:
        action: Any = move.action if isinstance(move, Move) else move
        where = f"{COLOURS[self.turn]} to play card {self.card}"
        if self.over:
            raise MoveError(f"the game is over: {move!r} cannot be played", value=move)
        if self.waiting:
            raise MoveError(f"a card must be drawn before {move!r} can be played", value=move)
        if isinstance(action, bool) or not isinstance(action, (int, np.integer)):
            raise MoveError(f"action {action!r} must be an int", value=move)
        if not 0 <= action < self.tables.num_actions:
            top = self.tables.num_actions - 1
            raise MoveError(f"action {action} must be from 0 to {top}", value=move)
        if not self.mask()[action]:
            name = self.tables.labels[action]
            legal = ", ".join(self.tables.labels[a] for a in self.legal_actions()[:8])
            raise MoveError(
                f"action {action} ({name}) is not legal with {where}; legal are {legal}", value=move
            )
        if isinstance(move, Move) and move != self.describe(int(action)):
            raise MoveError(f"{move!r} belongs to another position", value=move)
        return int(action)
