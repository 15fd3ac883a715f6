"""Positions of the two-player dice game, numbered for exact solution.

Between turns a position is the two Home colours and how the pawns of each colour lie: on the start
base, with the seat to move, with the other. Where every die shows each colour equally often,
colours can be renamed without changing any value, so that 37,200 positions stand for all 810,000.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations_with_replacement, permutations, product
from typing import Any, Final, NamedTuple

import numpy as np

from sorry_env.engine.jit import helper, inner, kernel
from sorry_env.errors import RulesetError
from sorry_env.express import turn
from sorry_env.express.rules import EXPRESS, FACES, ExpressRules, choose_seats
from sorry_env.express.state import COLOURS, DICE, NOBODY, RESOLVED, empty_games
from sorry_env.express.tables import ExpressTables, compile_rules

#: Who has won in a position: nobody, the seat that moves, the other.
OPEN: Final = 0
WON: Final = 1
LOST: Final = 2
#: Home colours of the two seats.
HOMES: Final = COLOURS * COLOURS
#: Options of one face in one position, at most: wild takes four colours from two places.
MOST_OPTIONS: Final = 2 * COLOURS


class Codec(NamedTuple):
    """What kernels need to turn places into games and back, read only.

    A place is ``((mover's Home * 4 + other's Home) * W + way of r) * W ...``, in the order r b y g.

    ways:   int8[W, 3], pawns of a colour on the start base, with the mover, with the other
    way_of: int16[p + 1, p + 1], the way with so many at the mover's and at the other's
    number: int32[16 * W**4], the state that stands for a place
    names:  int8[16 * W**4], the renaming of colours that leads there, an index into ``renamed``
    places: int32[N], the place of each state
    """

    ways: np.ndarray
    way_of: np.ndarray
    number: np.ndarray
    names: np.ndarray
    places: np.ndarray


class Options(NamedTuple):
    """What each face can do in each state: option k of state s and face f, for
    start[s * 7 + f] <= k < start[s * 7 + f + 1].

    start:  int64[N * 7 + 1]
    state:  int32[K], the state afterwards, the same seat still in turn
    names:  int8[K], the renaming of colours that leads there
    winner: int8[K], OPEN, WON or LOST afterwards
    action: int16[K], its index in the action table, of the first die that has the face
    """

    start: np.ndarray
    state: np.ndarray
    names: np.ndarray
    winner: np.ndarray
    action: np.ndarray


@dataclass(frozen=True, eq=False)
class ExpressSpace:
    """All positions of two players between turns.

    tables: the compiled rules
    """

    tables: ExpressTables

    @property
    def words(self) -> str:
        """The game and its seats, for messages."""
        return f"{self.tables.ruleset.name} (two players)"

    @property
    def states(self) -> int:
        """N, positions up to the names of the colours, finished ones included."""
        return len(self.codec.places)

    @cached_property
    def symmetric(self) -> bool:
        """Whether colours can be renamed: every die shows each of them equally often."""
        return all(
            len({die.count(letter) for letter in FACES[:COLOURS]}) == 1
            for die in self.tables.ruleset.dice
        )

    @cached_property
    def codec(self) -> Codec:
        """The arrays that number positions."""
        pawns = self.tables.ruleset.pawns
        ways = np.array(
            [(pawns - a - b, a, b) for a in range(pawns + 1) for b in range(pawns + 1 - a)], np.int8
        )
        way_of = np.full((pawns + 1, pawns + 1), -1, np.int16)
        way_of[ways[:, 1], ways[:, 2]] = np.arange(len(ways))
        canonical, names = _canonical(len(ways), self.symmetric)
        places, number = np.unique(canonical, return_inverse=True)
        return Codec(ways, way_of, number.reshape(-1).astype(np.int32), names, places)

    @cached_property
    def options(self) -> Options:
        """What each face can do in each state, by the game's own rules."""
        count = self.states * len(FACES)
        room = count * MOST_OPTIONS
        start = np.zeros(count + 1, np.int64)
        state, action = np.empty(room, np.int32), np.empty(room, np.int16)
        names, winner = np.empty(room, np.int8), np.empty(room, np.int8)
        dice = np.array(
            [
                next((i for i, die in enumerate(self.tables.ruleset.dice) if face in die), -1)
                for face in FACES
            ],
            np.int8,
        )
        game = empty_games(1)
        game["seats"] = 2
        mask = np.empty(self.tables.num_actions, np.bool_)
        total = find_options(
            self.tables.arrays, self.codec, dice, game, game.copy(), mask,
            Options(start, state, names, winner, action),
        )  # fmt: skip
        return Options(start, *(array[:total].copy() for array in (state, names, winner, action)))

    @cached_property
    def passed(self) -> np.ndarray:
        """int32[N], each state as the other seat sees it, which moves next."""
        out = np.empty(self.states, np.int32)
        swap_seats(self.codec, out)
        return out

    @cached_property
    def over(self) -> np.ndarray:
        """int8[N], OPEN, or who has won where the seat to move is looked at first."""
        out = np.empty(self.states, np.int8)
        look_for_winners(self.codec, out)
        return out

    def numbers(self, games: np.ndarray, mover: np.ndarray) -> np.ndarray:
        """int64[n, 2], the state and the renaming of EXPRESS_GAME[n], seen by seats int[n]."""
        out = np.empty((len(games), 2), np.int64)
        find_states(self.codec, games, mover.astype(np.int8), out)
        return out


@dataclass(frozen=True, eq=False)
class Rolls:
    """Faces that lie on the table together, whichever dice show them.

    pairs:   int8[P, 2], all two faces; pair: int16[7, 7], their numbers
    triples: int8[T, 3], the rolls; chances: float64[T]
    renamed: int8[24, 7], by renaming of colours, what each face becomes
    """

    pairs: np.ndarray
    pair: np.ndarray
    triples: np.ndarray
    chances: np.ndarray
    renamed: np.ndarray

    @classmethod
    def of(cls, rules: ExpressRules) -> Rolls:
        """The rolls of these dice."""
        faces = range(len(FACES))
        pairs = list(combinations_with_replacement(faces, 2))
        pair = np.zeros((len(FACES), len(FACES)), np.int16)
        for i, (a, b) in enumerate(pairs):
            pair[a, b] = pair[b, a] = i
        dice = [[FACES.index(letter) for letter in die] for die in rules.dice]
        rolls = Counter(tuple(sorted(roll)) for roll in product(*dice))
        total = sum(rolls.values())
        specials = tuple(range(COLOURS, len(FACES)))
        return cls(
            np.array(pairs, np.int8),
            pair,
            np.array(sorted(rolls), np.int8),
            np.array([rolls[roll] / total for roll in sorted(rolls)]),
            np.array([names + specials for names in permutations(range(COLOURS))], np.int8),
        )


def open_space(rules: ExpressRules | str = EXPRESS, seats: Any = None) -> ExpressSpace:
    """The positions of the dice game between two players.

    Raises RulesetError for other numbers of players, whose games have no single value.
    """
    tables = compile_rules(rules)
    seated = choose_seats(tables.ruleset, seats)
    if len(seated) != 2:
        raise RulesetError(
            f"{tables.ruleset.name} cannot be solved with {len(seated)} players, each for "
            "themselves: values need two",
            value=len(seated),
        )
    return ExpressSpace(tables)


def _canonical(ways: int, symmetric: bool) -> tuple[np.ndarray, np.ndarray]:
    """The place that stands for each place, int64[16 * W**4], and the renaming to it, int8[...].

    Colours are renamed so that the mover's Home comes first, the other's next, then the rest by
    way. A renaming's number is its place in the lexicographic order of permutations.
    """
    places = np.arange(HOMES * ways**COLOURS)
    if not symmetric:
        return places, np.zeros(len(places), np.int8)
    digits = places[:, None] // ways ** np.arange(COLOURS - 1, -1, -1)
    mine, other = digits[:, 0] // ways // COLOURS, digits[:, 0] // ways % COLOURS
    way = digits % ways
    keys = way.copy()
    rows = np.arange(len(places))
    keys[rows, other] = -1
    keys[rows, mine] = -2
    order = np.argsort(keys, axis=1, kind="stable")
    sorted_ways = np.take_along_axis(way, order, axis=1).T
    canonical = place_of(ways, 0, (mine != other).astype(np.int64), *sorted_ways)
    new = np.argsort(order, axis=1, kind="stable").T
    names = new[0] * 6 + (new[1] - (new[1] > new[0])) * 2 + (new[2] > new[3])
    return canonical, names.astype(np.int8)


# ---------------------------------------------------------------------------- kernels


@inner
def place_of(ways: Any, mine: Any, other: Any, r: Any, b: Any, y: Any, g: Any) -> Any:
    """The place of two Homes and four ways; see `Codec`."""
    return ((((mine * COLOURS + other) * ways + r) * ways + b) * ways + y) * ways + g


@helper
def put(codec: Any, state: Any, game: Any) -> None:
    """Set up a state with seat 0 to move; the dice stay as they are."""
    ways = len(codec.ways)
    rest = int(codec.places[state])
    for colour in range(COLOURS - 1, -1, -1):
        way = rest % ways
        rest //= ways
        game["pool"][colour] = codec.ways[way, 0]
        game["held"][0, colour] = codec.ways[way, 1]
        game["held"][1, colour] = codec.ways[way, 2]
    game["home"][0] = rest // COLOURS
    game["home"][1] = rest % COLOURS
    game["turn"] = 0
    game["actor"] = 0
    game["phase"] = 0
    game["winner"] = NOBODY


@helper
def seen_by(codec: Any, game: Any, mover: Any) -> Any:
    """The place of a game from the view of a seat."""
    other = 1 - mover
    return place_of(
        len(codec.ways), int(game["home"][mover]), int(game["home"][other]),
        int(codec.way_of[game["held"][mover, 0], game["held"][other, 0]]),
        int(codec.way_of[game["held"][mover, 1], game["held"][other, 1]]),
        int(codec.way_of[game["held"][mover, 2], game["held"][other, 2]]),
        int(codec.way_of[game["held"][mover, 3], game["held"][other, 3]]),
    )  # fmt: skip


@kernel
def find_options(
    rules: Any, codec: Any, dice: Any, game: Any, after: Any, mask: Any, out: Any
) -> Any:
    """Fill `Options`: every legal action of one die with each face, in every state.

    dice: int8[7], a die that has the face, -1 where none has; game, after: EXPRESS_GAME[1] to work
    in; mask: bool[A] to work in; out: Options with room enough. Returns K.
    """
    count = 0
    for state in range(len(codec.places)):
        for face in range(len(dice)):
            out.start[state * len(dice) + face] = count
            if dice[face] < 0:
                continue
            put(codec, state, game[0])
            for die in range(DICE):
                game[0]["dice"][die] = RESOLVED
            game[0]["dice"][dice[face]] = face
            turn.legal_mask(rules, game[0], mask)
            for a in range(len(mask)):
                if mask[a]:
                    after[0] = game[0]
                    turn.play(rules, after[0], np.int64(a))
                    place = seen_by(codec, after[0], 0)
                    out.state[count] = codec.number[place]
                    out.names[count] = codec.names[place]
                    winner = int(after[0]["winner"])
                    out.winner[count] = OPEN if winner == NOBODY else (WON + winner)
                    out.action[count] = a
                    count += 1
    out.start[len(out.start) - 1] = count
    return count


@kernel
def swap_seats(codec: Any, out: Any) -> None:
    """Fill `ExpressSpace.passed`, int32[N]."""
    ways = len(codec.ways)
    for state in range(len(out)):
        rest = int(codec.places[state])
        place = 0
        weight = 1
        for _ in range(COLOURS):
            way = rest % ways
            rest //= ways
            place += weight * codec.way_of[codec.ways[way, 2], codec.ways[way, 1]]
            weight *= ways
        place += weight * ((rest % COLOURS) * COLOURS + rest // COLOURS)
        out[state] = codec.number[place]


@kernel
def look_for_winners(codec: Any, out: Any) -> None:
    """Fill `ExpressSpace.over`, int8[N]."""
    ways = len(codec.ways)
    pawns = codec.ways[0, 0]
    for state in range(len(out)):
        rest = int(codec.places[state])
        mine = rest // ways**COLOURS // COLOURS
        other = rest // ways**COLOURS % COLOURS
        out[state] = OPEN
        for colour in range(COLOURS - 1, -1, -1):
            way = rest % ways
            rest //= ways
            if colour == mine and codec.ways[way, 1] == pawns:
                out[state] = WON
            elif colour == other and codec.ways[way, 2] == pawns and out[state] == OPEN:
                out[state] = LOST


@kernel
def find_states(codec: Any, games: Any, mover: Any, out: Any) -> None:
    """Fill `ExpressSpace.numbers`, int64[n, 2], for seats int8[n]."""
    for i in range(len(games)):
        place = seen_by(codec, games[i], int(mover[i]))
        out[i, 0] = codec.number[place]
        out[i, 1] = codec.names[place]
