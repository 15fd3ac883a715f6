"""Colours and seats: their names, letters and order. The first file to read of the rules.

A seat is the index of its colour, 0 to 3, clockwise round the board.

How seats are said, everywhere:

- A *seating* is who plays one game: None (the ruleset's usual number), a number of players (2 or
  "2"), colours joined by commas (`red,yellow`), or a tuple of colours or seat indices ((0, 2)).
- Where many games are made (`Batch`, a trainer's ``seats``), a *list* holds seatings, and game i
  gets entry i modulo the length of the list: [2, 3], ["red,blue", "red,yellow"], [(0, 2), (0, 1)].
- A list for a single game may hold the names of its colours. A list of numbers is refused there:
  it would be the numbers of players of several games, and might be meant as seat indices.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from numbers import Integral
from typing import TYPE_CHECKING, Any

from sorry_env.errors import RequestError, RulesetError
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

    seats: one seating, see the top of this file; the order of its colours does not matter
    Raises RulesetError where the ruleset does not allow these seats.
    """
    check_one_seating(seats)
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


def choose_seatings(choose: Callable[[Any], tuple[int, ...]], seats: Any) -> list[tuple[int, ...]]:
    """The seatings that many games are dealt: game i gets entry i modulo their number.

    choose: `choose_seats` of the game that is played, with its rules filled in
    seats:  one seating for all games, or a list of seatings, see the top of this file
    Raises RulesetError where the rules do not allow one of them, RequestError for an empty list
    and for one that could as well mean a single seating.
    """
    if not isinstance(seats, list):
        return [choose(seats)]
    if not seats:
        raise RequestError("seats [] seats nobody: give at least one seating", value=seats)
    seatings = []
    for i, one in enumerate(seats):
        if one is None or isinstance(one, list):
            raise RequestError(
                f"seats[{i}] is {one!r}; an entry of a list of seatings must be a number of "
                "players, colours joined by commas, or a tuple of seats",
                value=one,
            )
        try:
            seatings.append(choose(one))
        except RulesetError as error:
            raise RulesetError(
                f"seats[{i}] {one!r}: {error} (a list holds one seating for each game; write one "
                "seating as 'red,yellow' or as a tuple)",
                value=error.value,
            ) from None
    if len(seats) > 1 and _is_one_seating(choose, seats):
        raise RequestError(
            f"seats {seats!r} could mean one game of them all or games of one each; write "
            f"{','.join(map(str, seats))!r} for the first, {[(one,) for one in seats]!r} for the "
            "second",
            value=seats,
        )
    return seatings


def check_one_seating(seats: object) -> None:
    """RulesetError for a list that says the seats of several games where one game is played."""
    if not isinstance(seats, list):
        return
    if any(isinstance(one, str) and "," in one for one in seats):
        raise RulesetError(
            f"seats {seats!r} is a list of seatings, for the games of a batch or of a training "
            "run; here one game is seated: give one of them",
            value=seats,
        )
    if seats and all(isinstance(one, Integral) and not isinstance(one, bool) for one in seats):
        numbers = tuple(int(one) for one in seats)
        raise RulesetError(
            f"seats {list(numbers)!r}: a list of numbers is one number of players for each game "
            f"of a batch; for one game write the number alone, or the tuple {numbers!r} if "
            "seat indices are meant",
            value=seats,
        )


def _is_one_seating(choose: Callable[[Any], tuple[int, ...]], seats: list[Any]) -> bool:
    """Whether a list that is read as seatings could also be read as the colours of one game."""
    try:
        choose(seats)
    except RulesetError:
        return False
    return True


def player_names(ruleset: Ruleset, seats: Iterable[int]) -> tuple[str, ...]:
    """Colour names by which a record names the players: the seats, or the agents of `teams-two`."""
    seats = tuple(seats)
    return tuple(COLOURS[s] for s in (seats[:2] if ruleset.teams == "two" else seats))


def _wrong_count(ruleset: Ruleset, count: int) -> str:
    allowed = " or ".join(str(n) for n in ruleset.seat_choices)
    return f"ruleset {ruleset.edition} is for {allowed} seats, not {count}"
