"""The engine behind the reference's interface, so that a case worked by hand is tried on both.

`conftest.py` puts these classes in the place of the reference's in every test of this folder. They
translate calls and nothing else. Read `reference.py` and `express.py` before this file.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from sorry_env import notation
from sorry_env.errors import SorryError
from sorry_env.express import ExpressGame as DiceGame
from sorry_env.express import notation as dice_notation
from sorry_env.game import Game
from sorry_env.rules import COLOURS, LETTERS, choose_seats, get_ruleset, parse_colour, player_names


def exact(value: float) -> Fraction:
    """The third or the whole number that a reward in float32 stands for."""
    fraction = Fraction(value).limit_denominator(12)
    assert abs(float(fraction) - value) < 1e-6, value
    return fraction


class EngineGame:
    """`sorry_env.Game` as `ReferenceGame`: a position that never changes."""

    def __init__(self, game: Game) -> None:
        self.game = game

    @classmethod
    def new(
        cls,
        ruleset_name: str,
        seats: list[str] | None = None,
        first: str | None = None,
        hands: dict[str, list[str]] | None = None,
    ) -> EngineGame:
        """The first position; a deal is written into its line, which is then read."""
        game = Game(ruleset_name, seats, first=first, seed=1, draw=False)
        if (hands is None) == (game.hands is not None):
            raise ValueError("hands are given where the ruleset has them, and only there")
        if hands is None:
            return cls(game)
        names = game.ruleset.card_names
        pile = dict(zip(names, game.ruleset.counts, strict=True))
        dealt = {parse_colour(name): sorted(held, key=names.index) for name, held in hands.items()}
        for held in dealt.values():
            for card in held:
                pile[card] -= 1
        fields = notation.write(game).split(" ")
        fields[5] = "*" if game.ruleset.infinite else ".".join(map(str, pile.values()))
        fields[6] = "/".join(".".join(dealt[s]) if s in dealt else "-" for s in range(4))
        return cls.from_text(" ".join(fields))

    @staticmethod
    def seats_of(ruleset_name: str, seats: list[str] | None = None) -> list[str]:
        """The seated colours in the order of the turns."""
        return [COLOURS[seat] for seat in choose_seats(get_ruleset(ruleset_name), seats)]

    @classmethod
    def from_text(cls, position: str) -> EngineGame:
        """Read a position line, which must be what is written of it."""
        game = notation.read(position, seed=1)
        if notation.write(game) != position:
            raise ValueError(f"not the way to write this position: {position!r}")
        return cls(game)

    def text(self, viewer: str | None = None) -> str:
        """The position's line, or the one of a view."""
        if viewer is None:
            return notation.write(self.game)
        return notation.write(self.game.view(parse_colour(viewer)))

    @property
    def waiting(self) -> bool:
        """Whether chance is next."""
        return self.game.waiting

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.game.over

    @property
    def turn(self) -> str:
        """Letter of the seat in turn."""
        return LETTERS[self.game.turn]

    def legal(self) -> list[str]:
        """The legal moves, sorted."""
        if self.waiting:
            raise ValueError("waiting for chance")
        return notation.legal_texts(self.game)

    def apply(self, move: str) -> EngineGame:
        """Play a move."""
        twin = self.game.copy()
        twin.play(notation.parse_move(twin, move), draw=False)
        return EngineGame(twin)

    def draws(self) -> dict[str, Fraction]:
        """What can come."""
        if not self.waiting:
            raise ValueError("no draw is due")
        return dict(self.game.chances())

    def draw(self, card: str) -> EngineGame:
        """That card is drawn."""
        twin = self.game.copy()
        twin.draw(card)
        return EngineGame(twin)

    def outcome(self, reward: str = "win") -> dict[str, Fraction] | None:
        """Rewards by the names that a record uses; None while the game goes on."""
        returns = self.game.returns(reward)
        if not self.game.over:
            return None
        names = player_names(self.game.ruleset, self.game.seats)
        return {name: exact(returns[COLOURS.index(name)]) for name in names}


class EngineDice:
    """`sorry_env.express.ExpressGame` as the reference's game of that name."""

    def __init__(self, game: DiceGame) -> None:
        self.game = game

    @classmethod
    def new(
        cls, players: int = 2, first: int = 0, homes: str | list[str] | None = None
    ) -> EngineDice:
        """The first position, waiting for the roll."""
        shown: Any = homes
        return cls(DiceGame(players, first=first, homes=shown, seed=1, draw=False))

    @classmethod
    def from_text(cls, position: str) -> EngineDice:
        """Read a position line, which must be what is written of it."""
        game = dice_notation.read(position, seed=1)
        if dice_notation.write(game) != position:
            raise ValueError(f"not the way to write this position: {position!r}")
        return cls(game)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, EngineDice) and self.text() == other.text()

    def __hash__(self) -> int:
        return hash(self.text())

    def text(self) -> str:
        """The position's line."""
        return dice_notation.write(self.game)

    @property
    def waiting(self) -> bool:
        """Whether the roll is due."""
        return self.game.waiting

    def legal(self) -> list[str]:
        """The legal moves, sorted."""
        if self.waiting:
            raise ValueError("waiting for the roll")
        return dice_notation.legal_texts(self.game)

    def apply(self, move: str) -> EngineDice:
        """Resolve a die."""
        twin = self.game.copy()
        twin.play(dice_notation.parse_move(twin, move), draw=False)
        return EngineDice(twin)

    def draws(self) -> dict[str, Fraction]:
        """Every roll."""
        if not self.waiting:
            raise ValueError("no roll is due")
        return dict(self.game.chances())

    def draw(self, dice: str) -> EngineDice:
        """Those faces are rolled."""
        twin = self.game.copy()
        twin.roll(dice)
        return EngineDice(twin)

    def outcome(self) -> dict[int, Fraction] | None:
        """Rewards by seat; None while the game goes on."""
        if not self.game.over:
            return None
        returns = self.game.returns()
        return {seat: exact(returns[seat]) for seat in self.game.seats}


#: What a bad request is on either side.
REFUSED = (ValueError, SorryError)
