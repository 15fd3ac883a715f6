"""The rules of Sorry! Express as data: the dice, the pawns, who may play.

The dice game (re-issued as Diced!) shares no square and no card with the board game. Colours are
the same four, as indices 0 to 3 in the order r b y g; seats are numbers from 0, and no seat has a
colour of its own. The first file to read of this package; read `state.py` next.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from numbers import Integral
from typing import Final

from sorry_env.errors import RequestError, RulesetError
from sorry_env.rules.seats import check_one_seating

#: The letters of the faces, by face code: a colour, Sorry!, wild, slide.
FACES: Final = "rbygSWL"
SORRY: Final = 4
WILD: Final = 5
SLIDE: Final = 6

#: What chance gives to the seat in turn.
DRAWN: Final = "dice"
#: Seats as records, agents' infos and people call them.
SEAT_NAMES: Final = ("0", "1", "2", "3")


@dataclass(frozen=True)
class ExpressRules:
    """What the game is played with.

    name:        in positions and records
    dice:        the faces of each die, as letters of `FACES`; each is equally likely
    pawns:       of each colour; who holds them all in the Home section has won
    seat_counts: how many may play
    """

    name: str = "express"
    dice: tuple[str, ...] = ("rbygSW", "rbygSL", "rbygWL")
    pawns: int = 4
    seat_counts: tuple[int, ...] = (2, 3, 4)
    #: Every player plays for himself; named for code that serves all games.
    teams: str = "none"
    #: Nobody holds hidden cards.
    hand: int = 0


EXPRESS: Final = ExpressRules()


def resolve_rules(rules: ExpressRules | str) -> ExpressRules:
    """The rules themselves or those of a name; RulesetError for any other name."""
    if isinstance(rules, ExpressRules):
        return rules
    if rules != EXPRESS.name:
        raise RulesetError(f"the dice game's ruleset is {EXPRESS.name}, not {rules!r}", value=rules)
    return EXPRESS


def choose_seats(
    rules: ExpressRules, seats: int | str | Iterable[int | str] | None = None
) -> tuple[int, ...]:
    """The seats 0, 1 ... of a game.

    seats: one seating as in `sorry_env/rules/seats.py`: None for two, a number of players (3 or
           "3"), or the seats themselves: `0,1,2`, (0, 1, 2)
    Raises RulesetError for a number of players that is not allowed or for other seats.
    """
    check_one_seating(seats)
    if seats is None:
        seats = rules.seat_counts[0]
    if isinstance(seats, str):
        parts = seats.split(",")
        if not all(part.isascii() and part.isdigit() and len(part) < 3 for part in parts):
            raise RulesetError(
                f"seats {seats!r} must be a number of players, or 0,1 ...", value=seats
            )
        seats = int(seats) if len(parts) == 1 else [int(part) for part in parts]
    if isinstance(seats, bool) or not isinstance(seats, (Integral, Iterable)):
        raise RulesetError(f"seats {seats!r} must be a number of players", value=seats)
    if isinstance(seats, Integral):
        count = int(seats)
    else:
        listed = [int(seat) if str(seat) in SEAT_NAMES else -1 for seat in seats]
        count = len(listed)
        if listed != list(range(count)):
            raise RulesetError(f"seats {listed} must be 0, 1 ... in order", value=listed)
    if count not in rules.seat_counts:
        allowed = " or ".join(map(str, rules.seat_counts))
        raise RulesetError(f"{rules.name} is for {allowed} players, not {count}", value=count)
    return tuple(range(count))


def first_seat(first: int | str | None, seats: tuple[int, ...]) -> int:
    """The seat that begins, -1 for `random`; RequestError for a seat that is not there."""
    if first is None:
        return seats[0]
    if isinstance(first, str) and first == "random":
        return -1
    seat = int(first) if isinstance(first, str) and first in SEAT_NAMES else first
    if not isinstance(seat, Integral) or isinstance(seat, bool) or int(seat) not in seats:
        raise RequestError(f"first={first!r} must be one of {seats} or 'random'", value=first)
    return int(seat)


def check_reward(reward: str) -> str:
    """The reward itself; RequestError for any but `win`, the only one of this game."""
    if not isinstance(reward, str) or reward != "win":
        raise RequestError(f"reward {reward!r} must be win: nothing else is counted", value=reward)
    return reward


def parse_seats(text: str) -> tuple[int, ...]:
    """Seats from numbers joined by commas, for example `0,2`."""
    parts = [part.strip() for part in text.split(",")]
    if unknown := [part for part in parts if part not in SEAT_NAMES]:
        raise RulesetError(f"seat {unknown[0]!r} must be 0 to 3", value=text)
    return tuple(map(int, parts))


def player_names(rules: ExpressRules, seats: Iterable[int]) -> tuple[str, ...]:
    """By what a record names the players: their seats' numbers."""
    return tuple(SEAT_NAMES[seat] for seat in seats)
