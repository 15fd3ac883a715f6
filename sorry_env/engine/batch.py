"""Many games at once: `Batch` plays them in place, with observations, masks and automatic resets.

For trainers and benchmarks. All arrays are allocated once and overwritten by every step: copy what
you keep. What is given is checked before anything changes; ``check=False`` skips the checks of
legality. Read `stepping.py` and `arguments.py` before this file.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import pairwise
from os import PathLike
from typing import Any, ClassVar, Final

import numpy as np

from sorry_env.engine import arguments, single, snapshots
from sorry_env.engine.afterstate import Afterstates, expand_range, room, starts_of
from sorry_env.engine.audit import audit
from sorry_env.engine.batch_arrays import BatchArrays, make_buffers
from sorry_env.engine.illegal import illegal_action
from sorry_env.engine.observe import OneHot
from sorry_env.engine.rng import given_or_fresh_seed, seed_state
from sorry_env.engine.state import OVER, UNSEATED, empty_games
from sorry_env.engine.stepping import (
    Buffers,
    Kernels,
    Options,
    first_illegal,
    random_range,
    refresh_range,
    reset_range,
    step_range,
)
from sorry_env.engine.tables import compile_rules
from sorry_env.errors import RequestError
from sorry_env.rules import Ruleset, choose_seats, load_ruleset
from sorry_env.rules.ruleset import MAX_PAWNS
from sorry_env.rules.seats import choose_seatings

DEFAULT_MAX_PLIES: Final = 5000


class Batch(BatchArrays):
    """``size`` games stepped together; a game that ends begins anew within the same step.

    ruleset:     a Ruleset, its name or its YAML file, as `rules.load_ruleset` takes them
    seats:       one seating for all games, or a list of seatings that are dealt out in turn: game
                 i gets entry i modulo its length (see `sorry_env/rules/seats.py`)
    seed:        game i's chance depends on (seed, i) and the actions alone, whatever the batch
                 size, the order or the number of threads; None takes one from the system
    reward:      `win`; `rank` for rulesets that are played out, `points` for those with scores
    max_plies:   decisions after which a game is truncated
    skip_forced: pass through decisions with one legal action inside a step
    threads:     games are divided among this many threads; results do not depend on it
    first:       the seat that begins (colour or index), `random`, or None for the first seated
    observation: `compact`, or `onehot` for float32[B, W] instead, see `observe.OneHot`

    Read `observation`, `mask`, `actor`, `rewards` and the rest as `Buffers` documents them. The
    arrays that the engine relies on, `games`, `mask`, `legal` and `first`, are read-only views:
    `set_games` and `set_first` change them.

    seats, as an attribute: the seats of each game
    Raises RulesetError for a ruleset or seats that cannot be, RequestError for other settings.
    """

    kernels: ClassVar = Kernels(reset_range, step_range, random_range, expand_range, refresh_range)

    def __init__(
        self,
        ruleset: Ruleset | str | PathLike[str] = "classic",
        seats: Any = None,
        size: int = 1,
        *,
        seed: int | None = 0,
        reward: str = "win",
        max_plies: int = DEFAULT_MAX_PLIES,
        skip_forced: bool = False,
        threads: int = 1,
        first: int | str | None = None,
        observation: str = "compact",
    ) -> None:
        size, max_plies, threads = arguments.check_sizes(size, max_plies, threads)
        self.tables = compile_rules(load_ruleset(ruleset))
        seatings = choose_seatings(partial(choose_seats, self.tables.ruleset), seats)
        begins = [arguments.first_seat(first, seated) for seated in seatings]
        code = arguments.reward_code(self.tables.ruleset, reward)
        options = Options(code, max_plies, arguments.check_flag("skip_forced", skip_forced))
        self._open(empty_games, seatings, begins, options, seed, threads, observation, size)

    def _open(
        self,
        empty: Callable[[int], np.ndarray],
        seatings: Sequence[tuple[int, ...]],
        begins: Sequence[int],
        options: Options,
        seed: int | None,
        threads: int,
        observation: str,
        size: int,
    ) -> None:
        """Deal out the seatings, each with the seat that begins, and begin all games."""
        if len(seatings) > size:
            raise RequestError(
                f"{len(seatings)} seatings for {size} games: some would never be played",
                value=len(seatings),
            )
        arguments.check_word("observation", observation, arguments.OBSERVATIONS)
        self.seed = given_or_fresh_seed(seed)
        self.one_hot = OneHot(self.tables.layout) if observation == "onehot" else None
        arguments.check_memory(size, self._bytes_per_game(empty(1).itemsize))
        self.size, self.threads, self.options = size, threads, options
        self.seats = [seatings[i % len(seatings)] for i in range(size)]
        self._games = empty(size)
        for i, seated in enumerate(seatings):
            self._sit_down(self._games[i :: len(seatings)], seated)
        self._first = np.resize(np.array(begins, np.int8), size)
        self._buffers = make_buffers(self.tables, size)
        self._wide = np.zeros((size, self.one_hot.size if self.one_hot else 0), np.float32)
        self._actions = np.zeros(size, np.int64)
        self._policy_states = np.array(
            [seed_state(self.seed ^ 0x5EED, i) for i in range(size)], np.uint64
        )
        self._expose()
        self.reset()

    # -- playing ------------------------------------------------------------------------------

    def reset(self, seeds: np.ndarray | Sequence[int] | None = None) -> None:
        """Begin all games anew.

        seeds: uint64[B] first random states, one a game; without it they follow from ``seed``
        """
        if seeds is None:
            states = np.array([seed_state(self.seed, i) for i in range(self.size)], np.uint64)
        else:
            states = arguments.as_seeds("seeds", seeds, self.size)
        self._games["rng"] = states
        self._run(self.kernels.reset, self._first, self._buffers)
        self._widen()

    def reset_rows(
        self, rows: np.ndarray | Sequence[int], seeds: np.ndarray | Sequence[int]
    ) -> None:
        """Begin some games anew.

        rows: int[k], no row twice; seeds: uint64[k], their first random states
        """
        rows = arguments.as_rows("rows", rows, self.size)
        self._games["rng"][rows] = arguments.as_seeds("seeds", seeds, len(rows))
        rules = self.tables.arrays
        for row in rows.tolist():
            self.kernels.reset(rules, self._games, row, row + 1, self._first, self._buffers)
        self._widen()

    def step(self, actions: np.ndarray | Sequence[int], *, check: bool = True) -> None:
        """Play one decision in every game.

        actions: int[B], each legal in its game
        check:   False skips the check that they are: illegal actions then corrupt games and memory
        Raises RequestError for another shape or dtype, MoveError for an illegal action, naming row,
        action and position; nothing has changed then.
        """
        given = arguments.as_int_array("actions", actions, (self.size,))
        np.copyto(self._actions, given, casting="same_kind")
        if check:
            row = int(first_illegal(self._buffers.mask, self._actions))
            if row < self.size:
                raise illegal_action(
                    self.tables, self._games[row : row + 1].copy(), self.mask[row], row,
                    int(given[row]),
                )  # fmt: skip
        self._run(self.kernels.step, self._actions, self._first, self._buffers, self.options)
        self._widen()

    def random_steps(self, n: int) -> int:
        """Play ``n`` uniform random legal decisions in every game; returns how many games ended."""
        n = arguments.check_int("n", n, 0, arguments.MAX_COUNT)
        ended = self._run(
            self.kernels.random, n, self._policy_states, self._first, self._buffers, self.options
        )
        self._widen()
        return int(sum(ended))

    def set_games(
        self, rows: np.ndarray | Sequence[int], games: np.ndarray, *, check: bool = True
    ) -> None:
        """Put positions into some rows; masks and observations follow, ends and rewards are 0.

        rows:  int[k], no row twice
        games: GAME[k], copied; each waits for a decision and has the seats of its row
        check: False skips the look at the positions, some 0.1 ms each; impossible ones then
               corrupt memory
        Raises RequestError or PositionError; nothing has changed then.
        """
        rows = arguments.as_rows("rows", rows, self.size)
        fresh, shown = self._look_at("games", games, rows, check)
        self._games[rows] = fresh
        for mine, theirs in zip(self._buffers[:-1], shown[:-1], strict=True):
            mine[rows] = theirs
        self._widen()

    def set_first(self, rows: np.ndarray | Sequence[int], seats: Any) -> None:
        """Set who begins the next games of some rows.

        rows: int[k]; seats: int[k], a seat of the row's game each, or -1 for a random one
        """
        rows = arguments.as_rows("rows", rows, self.size)
        given = arguments.as_int_array("seats", seats, (len(rows),)).astype(np.int64)
        snapshots.check_first(given, self._seated(self._games[rows]), rows)
        self._first[rows] = given

    def afterstates(self) -> Afterstates:
        """The positions after every legal action of every game, before chance; games stay.

        Views of arrays that the next call overwrites (or, where it needs more room, leaves alone):
        copy what you keep. Observations are compact ones.
        """
        starts = starts_of(self.mask)
        count = int(starts[-1])
        if self._after is None or len(self._after.row) < count:
            width = self._buffers.observation.shape[1]
            self._after = room(2 * count, self._games.dtype, width, 2 * count)
        self._run(self.kernels.expand, starts, self._buffers.mask, self._after)
        return Afterstates(*(array[:count] for array in self._after))

    def state_dict(self) -> dict[str, Any]:
        """Copies of everything that changes, for an exact continuation by `load_state_dict`."""
        ruleset = self.tables.ruleset
        return snapshots.take(ruleset, self._games, self._policy_states, self._first, self._buffers)

    def load_state_dict(self, state: dict[str, Any], *, check: bool = True) -> None:
        """Continue from a `state_dict` of a batch of the same ruleset, size and seats.

        check: False skips the look at the positions, see `set_games`
        Raises RequestError or PositionError; nothing has changed then.
        """
        snapshots.check(state, self.state_dict())
        every = np.arange(self.size)
        games, shown = self._look_at("state['games']", state["games"], every, check)
        snapshots.check_first(state["first"], self._seated(games), every)
        self._games[:] = games
        self._policy_states[:], self._first[:] = state["policy"], state["first"]
        for mine, theirs in zip(self._buffers[:-1], shown[:-1], strict=True):
            mine[:] = theirs
        for name in snapshots.KEPT:
            getattr(self._buffers, name)[:] = state[f"buffers.{name}"]
        self._widen()

    # -- inside -------------------------------------------------------------------------------

    def _sit_down(self, games: np.ndarray, seated: tuple[int, ...]) -> None:
        """Seat players in new records; the pawns' places are what says who is seated."""
        games["pawns"][:, list(seated), :MAX_PAWNS] = 0

    def _seated(self, games: np.ndarray) -> np.ndarray:
        """bool[n, 4], who is seated in each record."""
        return np.asarray(games["pawns"][:, :, 0] != UNSEATED)

    def _position_faults(self, game: np.ndarray) -> list[str]:
        """Why a record GAME[1] is no position that waits for a decision; [] where it is."""
        faults = audit(self.tables, game[0])
        if not faults and game["phase"][0] == OVER:
            faults = ["the game is over"]
        elif not faults and single.chance_due(self.tables.arrays, game, 0):
            faults = ["a card must be drawn first"]
        return faults

    def _bytes_per_game(self, record: int) -> int:
        """Bytes that a game takes; ``record``: those of its record."""
        wide = 4 * self.one_hot.size if self.one_hot else 0
        # 100: the seat that begins, the action, the random state, and lists while they are made.
        return record + wide + sum(array.nbytes for array in make_buffers(self.tables, 1)) + 100

    def _look_at(
        self, name: str, games: Any, rows: np.ndarray, check: bool
    ) -> tuple[np.ndarray, Buffers]:
        """A copy of records that are to stand in ``rows`` int64[k], and what they show.

        name: what messages call them
        """
        record, count = self._games.dtype, len(rows)
        if not isinstance(games, np.ndarray) or games.dtype != record or games.shape != (count,):
            raise RequestError(
                f"{name} must be an array of {count} records, one for each row, of the dtype of "
                f"Batch.games, not {arguments.show(games)}",
                value=games,
            )
        fresh = games.copy()
        snapshots.check_seated(name, self._seated(fresh), self._seated(self._games[rows]), rows)
        if check:
            ruleset = self.tables.ruleset.name
            snapshots.check_positions(name, fresh, ruleset, self._position_faults)
        shown = make_buffers(self.tables, count)
        self.kernels.refresh(self.tables.arrays, fresh, 0, count, shown)
        return fresh, shown

    def _widen(self) -> None:
        if self.one_hot:
            self.one_hot(self._buffers.observation, self._wide)

    def _run(self, kernel_range: Callable[..., Any], *rest: Any) -> list[Any]:
        """Run a kernel over all games, divided among the threads (kernels hold no lock)."""
        rules = self.tables.arrays
        if self.threads == 1:
            return [kernel_range(rules, self._games, 0, self.size, *rest)]
        if self._pool is None:
            self._pool = ThreadPoolExecutor(self.threads - 1)
        *bounds, last = np.linspace(0, self.size, self.threads + 1).astype(int).tolist()
        jobs = [
            self._pool.submit(kernel_range, rules, self._games, low, high, *rest)
            for low, high in pairwise(bounds)
        ]
        # The last part is ours: one thread less to wake up.
        own = kernel_range(rules, self._games, bounds[-1], last, *rest)
        return [*(job.result() for job in jobs), own]
