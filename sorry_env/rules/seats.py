"""Colours and seats: their names, letters and order. The first file to read of the rules.

A seat is the index of its colour, 0 to 3, clockwise round the board.
"""

from __future__ import annotations

from collections.abc import Iterable
from numbers import Integral
from typing import TYPE_CHECKING

from sorry_env.errors import RulesetError
from sorry_env.parsing import shorten

if TYPE_CHECKING:
    from sorry_env.rules.ruleset import Ruleset

COLOURS: tuple[str, ...] = ("red", "blue", "yellow", "green")
LETTERS = "rbyg"

#: Where players sit when the seats are not named: two opposite, three with Green left out.
_USUAL: dict[int, tuple[int, ...]] = {1: (0,), 2: (0, 2), 3: (0, 1, 2), 4: (0, 1, 2, 3)}


def parse_colour(text: str) -> int:
    """Seat index of a colour's full name.

    Raises RulesetError for anything but `red`, `blue`, `yellow` or `green`.
    """
    if text not in COLOURS:
        raise RulesetError(f"colour {text!r} must be one of {', '.join(COLOURS)}", value=text)
    return COLOURS.index(text)


def seat_index(colour: object) -> int:
    """Seat index of a colour's name or of an index.

    Raises RulesetError for anything else.
    """
    if isinstance(colour, str):
        return parse_colour(colour)
    if isinstance(colour, Integral) and not isinstance(colour, bool):
        if 0 <= int(colour) < len(COLOURS):
            return int(colour)
    raise RulesetError(f"seat {colour!r} must be a colour or an index from 0 to 3", value=colour)


def parse_seats(text: str) -> tuple[int, ...]:
    """Seats from colour names joined by commas, for example `red,yellow`."""
    return tuple(parse_colour(part.strip()) for part in text.split(","))


def choose_seats(
    ruleset: Ruleset, seats: int | str | Iterable[int | str] | None = None
) -> tuple[int, ...]:
    """The seated colours in turn order.

    seats: None for the ruleset's usual number, a number (2 or "2"), `red,yellow`, or colours as
           names or indices; the order they are given in does not matter.
    Raises RulesetError where the ruleset does not allow these seats.
    """
    if seats is None:
        seats = 2 if 2 in ruleset.seat_choices else ruleset.seat_choices[0]
    if isinstance(seats, str) and seats.isascii() and seats.isdigit():
        if len(seats) > 9:
            raise RulesetError(f"seats {shorten(seats)} are too many", value=seats)
        seats = int(seats)
    if isinstance(seats, Integral) and not isinstance(seats, bool):
        if seats not in ruleset.seat_choices:
            raise RulesetError(_wrong_count(ruleset, int(seats)), value=seats)
        return _USUAL[int(seats)]
    if isinstance(seats, str):
        chosen = list(parse_seats(seats))
    elif isinstance(seats, Iterable):
        chosen = [seat_index(seat) for seat in seats]
    else:
        raise RulesetError(
            f"seats {seats!r} must be a number, colours joined by commas, or a list", value=seats
        )
    if len(set(chosen)) != len(chosen):
        names = ",".join(COLOURS[seat] for seat in chosen)
        raise RulesetError(f"seats {names} name a colour twice", value=names)
    if len(chosen) not in ruleset.seat_choices:
        raise RulesetError(_wrong_count(ruleset, len(chosen)), value=len(chosen))
    return tuple(sorted(chosen))


def player_names(ruleset: Ruleset, seats: Iterable[int]) -> tuple[str, ...]:
    """Colour names by which a record names the players: the seats, or the agents of `teams-two`."""
    seats = tuple(seats)
    return tuple(COLOURS[s] for s in (seats[:2] if ruleset.teams == "two" else seats))


def _wrong_count(ruleset: Ruleset, count: int) -> str:
    allowed = " or ".join(str(n) for n in ruleset.seat_choices)
    return f"ruleset {ruleset.edition} is for {allowed} seats, not {count}"
