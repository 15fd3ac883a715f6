"""`Game`: one game for people and programs that want every step checked and explained.

The careful door to the engine: an illegal move or an impossible card is refused with the value, the
position's card and the reason, and changes nothing. Read `view.py` before and
`notation/position.py` after this file.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Any

import numpy as np

from sorry_env.engine import single
from sorry_env.engine.audit import audit
from sorry_env.engine.batch import first_seat
from sorry_env.engine.rng import fresh_seed, seed_state
from sorry_env.engine.state import START, empty_games
from sorry_env.engine.tables import RuleTables, compile_rules
from sorry_env.errors import MoveError, PositionError, RequestError
from sorry_env.rules import COLOURS, Ruleset, choose_seats
from sorry_env.view import UNDRAWN, Move, Outcome, Part, Reader, View

__all__ = ["UNDRAWN", "Game", "Move", "Outcome", "Part", "View"]


class Game(Reader):
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
        if draw and self.waiting:
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
                raise RequestError(f"no card is due after this move, not {draw!r}", value=draw)
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
        arrays, (mask, work) = self.tables.arrays, self.scratch()
        if card is None:
            single.draw(arrays, self.state, 0, mask, work)
            return
        known = [name for name, _ in self.chances()]
        if card not in known:
            raise RequestError(
                f"draw {card!r} must be one of what is left, {' '.join(known)}", value=card
            )
        if self.phase == "answer":
            single.answer(self.state, 0, card == "yes")
        else:
            index = self.ruleset.card_names.index(card)
            single.draw_card(arrays, self.state, 0, index, mask, work)

    def chances(self) -> tuple[tuple[str, Fraction], ...]:
        """What chance decides among next, with exact probabilities that add up to 1.

        Names of cards, or `yes` and `no` where the coin answers; () where nothing is due.
        """
        if not self.waiting:
            return ()
        if self.phase == "answer":
            p_yes = Fraction(str(self.ruleset.p_yes))
            both = (("yes", p_yes), ("no", 1 - p_yes))
            return tuple((word, chance) for word, chance in both if chance)
        pile = self.state.copy()
        single.refill(self.tables.arrays, pile, 0)
        counts = pile["deck"][0, : len(self.ruleset.cards)].tolist()
        names = self.ruleset.card_names
        return tuple(
            (name, Fraction(count, sum(counts)))
            for name, count in zip(names, counts, strict=True)
            if count
        )

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
        where = f"{COLOURS[self.actor]} to decide, phase {self.phase}, card {self.card}"
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
                f"action {action} ({name}) is not legal, {where}; legal are {legal}", value=move
            )
        if isinstance(move, Move) and move != self.describe(int(action)):
            raise MoveError(f"{move!r} belongs to another position", value=move)
        return int(action)
