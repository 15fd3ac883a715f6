"""What every move of every position leads to, once and for all: `build_graph`.

Read `kernels.py` before and `play.py` after this file.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Final

import numpy as np

from sorry_env.engine.state import WORK
from sorry_env.errors import RequestError, RulesetError
from sorry_env.solve.extrapolation import bytes_a_value
from sorry_env.solve.kernels import (
    NO_STATE,
    Scratch,
    fill_targets,
    find_places,
    find_states,
    put_places,
)
from sorry_env.solve.space import MOST_PLACES, Space

#: Memory that a solution may take unless told otherwise, in GiB.
DEFAULT_MEMORY: Final = 6.0
#: States whose targets are found in one call.
CHUNK: Final = 4096

#: Targets of a card by the pawns that a side has, rather too many: found were 1.1 for one (duel-1),
#: 2.6 for two (duel-2), 4.0 for three and 6.0 for four (solo).
_TARGETS: Final = (0.0, 1.2, 2.7, 4.5, 6.5)

#: Called with a few words on what is being done and how far it has come.
Progress = Callable[[str], None]


def silent(_: str) -> None:
    """Progress that nobody looks at."""


@dataclass(frozen=True, eq=False)
class Graph:
    """All states of a space and what their moves lead to.

    A state is a possible position before a draw in which nobody has won, seen from the seat to
    move. States are numbered by the steps that all pawns have covered together, most first, for
    most moves lead to more: a *level* is the states of equal steps. Within a level those come
    together in which the mover has covered as many, for a card leads from neighbours to neighbours,
    and caches work for those.

    space:   the places behind the states
    number:  int32[R], the state of each place, NO_STATE where there is none
    places:  int32[N], the place of each state
    levels:  int64[L + 1], where each level begins
    counts:  uint8[N, C], distinct targets by card
    offsets: int64[N + 1], where the targets of a state begin
    targets: int32[T], state by state and card by card: t leads to state t with the same side to
             move again, ~t to state t with the other; N is a game that the first is winning
    """

    space: Space
    number: np.ndarray
    places: np.ndarray
    levels: np.ndarray
    counts: np.ndarray
    offsets: np.ndarray
    targets: np.ndarray

    @property
    def states(self) -> int:
        """N, the number of states."""
        return len(self.places)

    def state_of(self, game: np.ndarray) -> int:
        """The state of a position GAME[1] before a draw, NO_STATE where somebody has won."""
        place = np.empty(1, np.int64)
        find_places(self.space.codec, game, game["turn"], place)
        return int(self.number[place[0]])

    def games(self, states: np.ndarray) -> np.ndarray:
        """GAME[n], positions before a draw of these states int[n]."""
        games = np.repeat(self.space.codec.blank, len(states))
        put_places(self.space.codec, self.places[states], games)
        return games


def scratch_for(space: Space) -> Scratch:
    """Room for one thread."""
    games = np.repeat(space.codec.blank, 2)
    return Scratch(games, np.zeros(space.tables.num_actions, np.bool_), np.zeros(2, WORK))


def check_size(space: Space, memory: float = DEFAULT_MEMORY, *, weighed: int = 0) -> None:
    """Raise RulesetError, with both figures, where the states would not fit into memory.

    memory:  GiB that may be used
    weighed: how many plays, with weights for all targets, are needed at the same time
    """
    if not memory > 0:
        raise RequestError(f"memory={memory} must be above 0", value=memory)
    need = estimate_bytes(space, weighed)
    if need <= memory * 2**30 and space.places <= MOST_PLACES:
        return
    limit = f"the limit is {memory:g} GiB"
    if space.places > MOST_PLACES:
        limit += f" and {MOST_PLACES:,} positions"
    raise RulesetError(
        f"{space.words} is too large to solve: about {space.places:,} positions, "
        f"{need / 2**30:,.1f} GiB; {limit}. Fewer pawns make it smaller",
        value=space.places,
    )


def estimate_bytes(space: Space, weighed: int = 0) -> int:
    """Bytes that a graph, its values and the weights of policies take, about: rather too much."""
    side = space.tables.ruleset.pawns * max(1, len(space.seats) // 2)
    targets = space.cards * _TARGETS[min(side, len(_TARGETS) - 1)]
    # Of each player whose values are sought, and room for a backup.
    values = 8 + (8 + bytes_a_value()) * (2 if weighed else 1)
    # Targets twice: they are found in parts and then put together.
    each = 4 + 4 + 8 + space.cards + (2 * 4 + 12 * weighed) * targets + values
    return math.ceil(space.places * each)


def build_graph(
    space: Space,
    *,
    threads: int = 1,
    memory: float = DEFAULT_MEMORY,
    progress: Progress = silent,
) -> Graph:
    """Find all states and their targets, asking the engine for every legal move of every card.

    threads: do the work together; the result is the same
    memory:  limit in GiB
    Raises RulesetError where it would not fit, RequestError for numbers that make no sense.
    """
    if threads < 1:
        raise RequestError(f"threads={threads} must be 1 or more", value=threads)
    check_size(space, memory)
    number, places, levels = number_states(space, threads)
    progress(f"{len(places):,} states")
    states = len(places)
    counts = np.zeros((states, space.cards), np.uint8)
    offsets = np.zeros(states + 1, np.int64)
    rooms = [scratch_for(space) for _ in range(threads)]
    most = CHUNK * (space.tables.num_actions + space.cards)
    buffers = [np.empty(most, np.int32) for _ in range(threads)]
    arrays, codec = space.tables.arrays, space.codec

    def fill(low: int) -> np.ndarray:
        room, buffer = rooms.pop(), buffers.pop()
        high = min(low + CHUNK, states)
        used = fill_targets(arrays, codec, number, places, low, high, room, counts, buffer)
        if used < 0:
            raise AssertionError(f"a move from place {places[~used]} leads to no possible position")
        found = buffer[:used].copy()
        rooms.append(room)
        buffers.append(buffer)
        return found

    parts: list[np.ndarray] = []
    lows = range(0, states, CHUNK)
    with ThreadPoolExecutor(threads) as pool:
        for i, part in enumerate(pool.map(fill, lows)):
            parts.append(part)
            progress(f"moves of {min((i + 1) * CHUNK, states) / states:.0%} of the states")
    np.cumsum(counts.sum(axis=1, dtype=np.int64), out=offsets[1:])
    targets = np.empty(int(offsets[-1]), np.int32)
    at = 0
    for i in range(len(parts)):
        targets[at : at + len(parts[i])] = parts[i]
        at += len(parts[i])
        parts[i] = parts[i][:0]  # one copy at a time
    return Graph(space, number, places, levels, counts, offsets, targets)


def number_states(space: Space, threads: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """`number`, `places` and `levels` of a Graph."""
    covered = np.empty(space.places, np.int16)
    step = max(CHUNK, -(-space.places // (8 * threads)))

    def find(low: int) -> None:
        high = min(low + step, space.places)
        find_states(space.codec, low, high, np.repeat(space.codec.blank, 1), covered)

    with ThreadPoolExecutor(threads) as pool:
        list(pool.map(find, range(0, space.places, step)))
    found = np.flatnonzero(covered >= 0)
    steps = covered[found]
    # The mover's own steps, by its multiset: the first digit of a place.
    walked = np.maximum(space.codec.multisets, 0).sum(axis=1, dtype=np.int16)
    own = walked[found // space.multisets ** (len(space.seats) - 1) % space.multisets]
    order = np.lexsort((own, -steps))
    places = found[order].astype(np.int32)
    number = np.full(space.places, NO_STATE, np.int32)
    number[places] = np.arange(len(places), dtype=np.int32)
    starts = np.flatnonzero(np.diff(steps[order])) + 1
    levels = np.concatenate([[0], starts, [len(places)]]).astype(np.int64)
    return number, places, levels
