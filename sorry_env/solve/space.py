"""The positions of a small ruleset, numbered: which rulesets can be solved, and how large they are.

A position before a draw is told, from the view of the seat to move, by each colour's pawns, from
that seat on clockwise. A colour's pawns are a sorted multiset of codes 0 to 66 and have a number in
the combinatorial number system; the *place* of a position is these numbers as digits, the mover's
first. Where the seats are placed alike from every mover's view, one frame serves all; otherwise
(Red, Blue) each mover has places of its own. Read `kernels.py` after this file.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations_with_replacement
from os import PathLike
from typing import Any, Final, NamedTuple

import numpy as np

from sorry_env.engine import single
from sorry_env.engine.arguments import first_seat
from sorry_env.engine.state import HOME, SEATS, START, empty_games
from sorry_env.engine.tables import RuleTables, compile_rules
from sorry_env.errors import RequestError, RulesetError
from sorry_env.families import BOARD, family_of
from sorry_env.rules import COLOURS, Ruleset, choose_seats, load_ruleset
from sorry_env.rules.ruleset import MAX_CARDS, MAX_PAWNS

CODES: Final = HOME + 1
#: Places must be int32 and leave room for a sign.
MOST_PLACES: Final = 2**31 - 2


class Codec(NamedTuple):
    """What kernels need to turn places into games and back, read only.

    pawns:     int64[1], pawns a colour has
    binomials: int64[CODES + 4, 5], n over k
    multisets: int8[M, pawns], the codes of each number, most advanced first
    order:     int8[4, k], by the seat that moves: the k seated colours from it on clockwise
    frame:     int8[4], by the seat that moves: its frame; -1 for a colour that is not seated
    mover:     int8[frames], the seat that moves in each frame's places
    side:      int8[4], by seat: its side; partners share one
    chances:   float64[MAX_CARDS], by card: the chance that it is drawn
    blank:     GAME[1], a game between these seats that waits for its first card
    """

    pawns: np.ndarray
    binomials: np.ndarray
    multisets: np.ndarray
    order: np.ndarray
    frame: np.ndarray
    mover: np.ndarray
    side: np.ndarray
    chances: np.ndarray
    blank: np.ndarray


@dataclass(frozen=True, eq=False)
class Space:
    """All places of a ruleset and its seats.

    tables: the compiled ruleset
    seats:  the seated colours in turn order
    """

    tables: RuleTables
    seats: tuple[int, ...]

    @property
    def solo(self) -> bool:
        """Whether one seat plays alone: values are then expected draws, not chances to win."""
        return len(self.seats) == 1

    @property
    def cards(self) -> int:
        """C, how many kinds of cards there are."""
        return len(self.tables.ruleset.cards)

    @property
    def multisets(self) -> int:
        """M, ways in which the pawns of one colour can stand."""
        pawns = self.tables.ruleset.pawns
        return math.comb(CODES + pawns - 1, pawns)

    @property
    def frames(self) -> int:
        """How many movers must be told apart: 1 where the seats are placed alike round each."""
        patterns = {tuple((s - m) % SEATS for s in _from(self.seats, m)) for m in self.seats}
        return 1 if len(patterns) == 1 else len(self.seats)

    @property
    def places(self) -> int:
        """R, how many places there are; not all of them are possible positions."""
        count: int = self.frames * self.multisets ** len(self.seats)
        return count

    @property
    def words(self) -> str:
        """The ruleset and its seats, for messages."""
        return f"{self.tables.ruleset.name} ({','.join(COLOURS[s] for s in self.seats)})"

    @cached_property
    def codec(self) -> Codec:
        """The arrays for the kernels."""
        rules, seats = self.tables.ruleset, self.seats
        frames = self.frames
        order = np.zeros((SEATS, len(seats)), np.int8)
        frame = np.full(SEATS, -1, np.int8)
        for index, seat in enumerate(seats):
            order[seat] = _from(seats, seat)
            frame[seat] = index if frames > 1 else 0
        chances = np.zeros(MAX_CARDS)
        chances[: self.cards] = np.array(rules.counts) / sum(rules.counts)
        blank = empty_games(1)
        blank[0]["pawns"][list(seats)] = START
        single.set_up(self.tables.arrays, blank, 0, first_seat(None, seats))
        codec = Codec(
            pawns=np.array([rules.pawns], np.int64),
            binomials=np.array(
                [[math.comb(n, k) for k in range(MAX_PAWNS + 1)] for n in range(CODES + MAX_PAWNS)],
                np.int64,
            ),
            multisets=_multisets(rules.pawns),
            order=order,
            frame=frame,
            mover=np.array(seats[:frames], np.int8),
            side=np.array([s & 1 if rules.teams != "none" else s for s in range(SEATS)], np.int8),
            chances=chances,
            blank=blank,
        )
        for array in codec:
            array.setflags(write=False)
        return codec

    def first(self, first: Any = None) -> np.ndarray:
        """GAME[1], the first position before its draw.

        first: the seat that begins (colour or index); None for the first seated
        """
        game = self.codec.blank.copy()
        seat = first_seat(first, self.seats)
        if seat < 0:
            raise RequestError(f"first={first!r} must be a seated colour", value=first)
        single.set_up(self.tables.arrays, game, 0, seat)
        return game


def open_space(
    ruleset: Ruleset | str | PathLike[str],
    seats: int | str | Iterable[int | str] | None = None,
) -> Space:
    """The positions of a ruleset between these seats (see `rules.choose_seats`).

    Raises RulesetError where a position before a draw is more than its pawns, or where more than
    two sides play, naming the field, and where there are too many positions to be numbered.
    """
    if family_of(ruleset) is not BOARD:
        raise RulesetError(f"{ruleset} cannot be solved: it is another game", value=ruleset)
    tables = compile_rules(load_ruleset(ruleset))
    rules = tables.ruleset
    seated = choose_seats(rules, seats)
    moods = [card.name for card in rules.cards if card.mood or card.repeat]
    asks = [card.name for card in rules.cards if card.question]
    tokens = [card.name for card in rules.cards if card.ice or card.fire]
    for bad, field, wanted in (
        (rules.hand, f"hand={rules.hand}", "0: hands are part of the position"),
        (
            not rules.infinite and np.count_nonzero(rules.counts) > 1,
            f"deck={rules.deck}",
            "infinite, or cards of a single kind: the pile is part of the position",
        ),
        (
            tokens,
            f"cards {' '.join(tokens)}",
            "without Fire and Ice: they are part of the position",
        ),
        (asks, f"cards {' '.join(asks)}", "without questions: they have phases of their own"),
        (moods, f"cards {' '.join(moods)}", "without moods and repeated takes"),
    ):
        if bad:
            raise RulesetError(
                f"{rules.name} cannot be solved: {field} must be {wanted}", value=field
            )
    if len(seated) > 2 and rules.teams == "none":
        raise RulesetError(
            f"{rules.name} cannot be solved with {len(seated)} seats, each for itself: values need "
            "one seat, two seats or two teams",
            value=len(seated),
        )
    return Space(tables, seated)


def _from(seats: tuple[int, ...], mover: int) -> tuple[int, ...]:
    """The seats in turn order from the mover on."""
    at = seats.index(mover)
    return seats[at:] + seats[:at]


def _multisets(pawns: int) -> np.ndarray:
    """int8[M, pawns], all ways to stand in the order of their numbers, most advanced first."""
    # Most advanced first, the lexicographic order is that of the combinatorial number system.
    falling = list(combinations_with_replacement(range(CODES - 1, -1, -1), pawns))
    return np.array(falling[::-1], np.int8)
