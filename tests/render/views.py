"""Views made by hand for the tests of the pictures, and moves to mark on them."""

from __future__ import annotations

from dataclasses import dataclass, field

from sorry_env.rules import Ruleset, get_ruleset


@dataclass(frozen=True)
class StubView:
    """Just the attributes that a picture reads: a middle game of four unless said otherwise."""

    ruleset: Ruleset = field(default_factory=lambda: get_ruleset("classic"))
    seats: tuple[int, ...] = (0, 1, 2, 3)
    turn: int = 0
    actor: int = 0
    card: str | None = "7"
    pawns: tuple[tuple[int, ...], ...] = (
        (66, 62, 30, 0),
        (60, 12, 2, 0),
        (66, 66, 65, 10),
        (44, 21, 0, 0),
    )
    unseen: tuple[int, ...] | None = (5, 4, 4, 4, 4, 3, 4, 4, 4, 4, 4)
    winners: tuple[int, ...] = ()
    phase: str = "move"
    hands: tuple[tuple[str, ...] | None, ...] | None = None
    again: bool = False
    fire: tuple[int, int] | None = None
    ice: tuple[int, int] | None = None
    happy: tuple[tuple[int, int], ...] = ()
    punished: tuple[tuple[int, int], ...] = ()
    asked: int | None = None
    steps: int = 0

    @property
    def over(self) -> bool:
        return bool(self.winners)


@dataclass(frozen=True)
class StubPart:
    seat: int
    start: int
    end: int


@dataclass(frozen=True)
class StubMove:
    parts: tuple[StubPart, ...]


def two_seats(**changes: object) -> StubView:
    """Red against Yellow, all pawns in Start."""
    values: dict[str, object] = {
        "seats": (0, 2),
        "pawns": ((0,) * 4, (), (0,) * 4, ()),
        **changes,
    }
    return StubView(**values)  # type: ignore[arg-type]
