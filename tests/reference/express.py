"""Sorry! Express, re-issued as Diced!: the dice game, which shares nothing with the board game.

Nothing has to be read before this file. Colours are letters, seats are numbers. What a player
holds of the colour that his base shows stands in his Home section, the rest in his waiting area.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import product

COLOURS = ("r", "b", "y", "g")
SORRY, WILD, SLIDE = "S", "W", "L"
# Each die has the four colours and two specials.
FACES = {
    1: (*COLOURS, SORRY, WILD),
    2: (*COLOURS, SORRY, SLIDE),
    3: (*COLOURS, WILD, SLIDE),
}

Pawns = dict[str, int]  # how many of each colour


@dataclass(frozen=True)
class Base:
    """A player's base: the Home colour it shows, and the pawns held."""

    home: str
    held: Pawns

    def in_home(self) -> int:
        """Pawns in the Home section."""
        return self.held[self.home]

    def waiting(self, colour: str) -> int:
        """Pawns of a colour in the waiting area."""
        return 0 if colour == self.home else self.held[colour]


def _plus(pawns: Pawns, colour: str, number: int) -> Pawns:
    return {**pawns, colour: pawns[colour] + number}


def _pawns_text(pawns: Pawns) -> str:
    return ".".join(str(pawns[colour]) for colour in COLOURS)


def _dice_text(dice: dict[int, str]) -> str:
    return ",".join(f"{die}={face}" for die, face in sorted(dice.items()))


@dataclass(frozen=True)
class ExpressGame:
    """A position. It never changes: ``apply`` and ``draw`` give new games."""

    bases: tuple[Base, ...]
    pool: Pawns  # on the common start base
    turn: int
    dice: dict[int, str] | None  # the unresolved ones; None: the roll is due
    winner: int | None = None

    @classmethod
    def new(
        cls, players: int = 2, first: int = 0, homes: str | list[str] | None = None
    ) -> ExpressGame:
        """All 16 pawns on the start base; the bases show different Home colours."""
        colours = list(homes or COLOURS[:players])
        if not 2 <= players <= 4 or not 0 <= first < players:
            raise ValueError("two to four players, one of them first")
        if len(colours) != players or len(set(colours)) < players or set(colours) - set(COLOURS):
            raise ValueError(f"as many different colours as players are needed: {colours}")
        bases = tuple(Base(colour, dict.fromkeys(COLOURS, 0)) for colour in colours)
        return cls(bases, dict.fromkeys(COLOURS, 4), first, None)

    # ---- text -----------------------------------------------------------------------------

    def text(self) -> str:
        """The name, BASES POOL TURN DICE EXTRA."""
        bases = "/".join(f"{base.home}:{_pawns_text(base.held)}" for base in self.bases)
        dice = "?" if self.dice is None else _dice_text(self.dice) or "-"
        extra = "-" if self.winner is None else f"winner={self.winner}"
        return f"express {bases} {_pawns_text(self.pool)} {self.turn} {dice} {extra}"

    @classmethod
    def from_text(cls, position: str) -> ExpressGame:
        """Read a position line; a line that is not exactly what ``text`` writes is an error."""
        parts = position.split(" ")
        if len(parts) != 6 or parts[0] != "express":
            raise ValueError(f"no position of express: {position!r}")
        bases = []
        for part in parts[1].split("/"):
            home, _, held = part.partition(":")
            bases.append(Base(home, _read_pawns(held)))
        winner = parts[5].removeprefix("winner=") if parts[5] != "-" else None
        game = cls(
            tuple(bases),
            _read_pawns(parts[2]),
            _read_number(parts[3]),
            _read_dice(parts[4]),
            None if winner is None else _read_number(winner),
        )
        game._check()
        if game.text() != position:
            raise ValueError(f"not the way to write this position: {position!r}")
        return game

    def _check(self) -> None:
        seats = range(len(self.bases))
        if len(seats) not in (2, 3, 4) or self.turn not in seats:
            raise ValueError("seats")
        if any(base.home not in COLOURS for base in self.bases):
            raise ValueError("Home colours")
        for colour in COLOURS:
            if self.pool[colour] + sum(base.held[colour] for base in self.bases) != 4:
                raise ValueError("there are four pawns of each colour")
        if self.winner != self._first_complete():
            raise ValueError("winner")
        if (self.winner is not None) != (self.dice == {}):
            raise ValueError("dice")

    # ---- the end --------------------------------------------------------------------------

    def _first_complete(self) -> int | None:
        """Who holds all four pawns of the Home colour; the player in turn is looked at first."""
        count = len(self.bases)
        for seat in [(self.turn + step) % count for step in range(count)]:
            if self.bases[seat].in_home() == 4:
                return seat
        return None

    def outcome(self) -> dict[int, Fraction] | None:
        """The winner +1, the losers share the same total as a loss; None while it goes on."""
        if self.winner is None:
            return None
        share = Fraction(-1, len(self.bases) - 1)
        seats = range(len(self.bases))
        return {seat: Fraction(1) if seat == self.winner else share for seat in seats}

    # ---- the roll -------------------------------------------------------------------------

    @property
    def waiting(self) -> bool:
        """Whether the roll is due, not a decision."""
        return self.dice is None

    def draws(self) -> dict[str, Fraction]:
        """Every roll of the three dice, as the DICE field writes it."""
        if self.dice is not None:
            raise ValueError("no roll is due")
        rolls = product(*(FACES[die] for die in (1, 2, 3)))
        return {_dice_text(dict(enumerate(faces, 1))): Fraction(1, 6**3) for faces in rolls}

    def draw(self, dice: str) -> ExpressGame:
        """Those faces are rolled, all three dice once."""
        if dice not in self.draws():
            raise ValueError(f"no such roll: {dice!r}")
        return replace(self, dice=_read_dice(dice))

    # ---- the moves --------------------------------------------------------------------------

    def legal(self) -> list[str]:
        """The legal moves, sorted by text: the dice are resolved in the order the player likes."""
        return sorted(self._moves())

    def apply(self, move: str) -> ExpressGame:
        """Resolve one die. The winner is looked for after each; after the third the turn passes."""
        moves = self._moves()
        if move not in moves:
            raise ValueError(f"not legal here: {move!r}")
        after = moves[move]
        assert self.dice is not None
        left = {die: face for die, face in self.dice.items() if die != int(move[0])}
        winner = after._first_complete()
        if winner is not None:
            return replace(after, dice={}, winner=winner)
        if left:
            return replace(after, dice=left)
        return replace(after, dice=None, turn=(self.turn + 1) % len(self.bases))

    def _moves(self) -> dict[str, ExpressGame]:
        if self.dice is None:
            raise ValueError("waiting for the roll: there is nothing to decide")
        moves = {}
        for die, face in self.dice.items():
            # A die without a target does nothing.
            for action, after in (self._of_face(face) or {":none": self}).items():
                moves[f"{die}{action}"] = after
        return moves

    def _of_face(self, face: str) -> dict[str, ExpressGame]:
        if face == SORRY:
            return self._sorry()
        if face == WILD:
            return self._wild()
        if face == SLIDE:
            return self._slide()
        return self._colour(face)

    def _others(self) -> list[int]:
        return [seat for seat in range(len(self.bases)) if seat != self.turn]

    def _from_pool(self, colour: str) -> ExpressGame:
        """The player in turn takes a pawn from the start base."""
        mine = self.bases[self.turn]
        return replace(
            self._with_base(self.turn, replace(mine, held=_plus(mine.held, colour, 1))),
            pool=_plus(self.pool, colour, -1),
        )

    def _from_seat(self, seat: int, colour: str) -> ExpressGame:
        """The player in turn takes a pawn from another player."""
        theirs, mine = self.bases[seat], self.bases[self.turn]
        after = self._with_base(seat, replace(theirs, held=_plus(theirs.held, colour, -1)))
        return after._with_base(self.turn, replace(mine, held=_plus(mine.held, colour, 1)))

    def _with_base(self, seat: int, base: Base) -> ExpressGame:
        return replace(self, bases=(*self.bases[:seat], base, *self.bases[seat + 1 :]))

    def _waiting_of_others(self, colour: str) -> dict[int, ExpressGame]:
        """By seat: one of that colour taken from another player's waiting area."""
        return {
            seat: self._from_seat(seat, colour)
            for seat in self._others()
            if self.bases[seat].waiting(colour)
        }

    def _colour(self, colour: str) -> dict[str, ExpressGame]:
        """That pawn from the start base; if none is left there, one *may* be taken from another."""
        if self.pool[colour]:
            return {f":{colour}<pool": self._from_pool(colour)}
        taken = self._waiting_of_others(colour)
        moves = {f":{colour}<{seat}": after for seat, after in taken.items()}
        return {**moves, f":{colour}<no": self} if moves else {}

    def _wild(self) -> dict[str, ExpressGame]:
        """A pawn of any colour from the start base or another player's waiting area."""
        moves = {}
        for colour in COLOURS:
            if self.pool[colour]:
                moves[f":W:{colour}<pool"] = self._from_pool(colour)
            for seat, after in self._waiting_of_others(colour).items():
                moves[f":W:{colour}<{seat}"] = after
        return moves

    def _sorry(self) -> dict[str, ExpressGame]:
        """A pawn from another player's Home section."""
        return {
            f":S<{seat}": self._from_seat(seat, self.bases[seat].home)
            for seat in self._others()
            if self.bases[seat].in_home()
        }

    def _slide(self) -> dict[str, ExpressGame]:
        """The own Home or another player's turns to another colour; pawns are sorted by it."""
        return {
            f":L:{seat}>{colour}": self._with_base(seat, replace(base, home=colour))
            for seat, base in enumerate(self.bases)
            for colour in COLOURS
            if colour != base.home
        }


def _read_number(text: str) -> int:
    if not (text.isascii() and text.isdigit()):
        raise ValueError(f"no number: {text!r}")
    return int(text)


def _read_pawns(text: str) -> Pawns:
    numbers = [_read_number(part) for part in text.split(".")]
    if len(numbers) != len(COLOURS):
        raise ValueError(f"four numbers are expected: {text!r}")
    return dict(zip(COLOURS, numbers, strict=True))


def _read_dice(text: str) -> dict[int, str] | None:
    if text == "?":
        return None
    dice = {}
    for part in text.split(",") if text != "-" else ():
        number, _, face = part.partition("=")
        die = _read_number(number)
        if face not in FACES.get(die, ()):
            raise ValueError(f"no such die: {part!r}")
        dice[die] = face
    return dice
