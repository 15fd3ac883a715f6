"""Many games at once: `Batch` plays them in place, with observations, masks and automatic resets.

This is the fast door for trainers and benchmarks. All arrays are allocated once and overwritten by
every step: copy what you keep. Read `stepping.py` before this file.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import pairwise
from os import PathLike
from typing import Any, ClassVar

import numpy as np

from sorry_env.engine.afterstate import Afterstates, expand_range, room, starts_of
from sorry_env.engine.observe import OneHot
from sorry_env.engine.results import POINTS, RANK, WIN
from sorry_env.engine.rng import given_or_fresh_seed, seed_state
from sorry_env.engine.state import SEATS, WORK, empty_games
from sorry_env.engine.stepping import (
    Buffers,
    Kernels,
    Options,
    random_range,
    reset_range,
    step_range,
)
from sorry_env.engine.tables import RuleTables, compile_rules
from sorry_env.engine.turn import RANDOM_FIRST
from sorry_env.errors import RequestError
from sorry_env.rules import Ruleset, choose_seats, load_ruleset, parse_colour
from sorry_env.rules.ruleset import MAX_PAWNS

REWARDS: dict[str, int] = {"win": WIN, "rank": RANK, "points": POINTS}
DEFAULT_MAX_PLIES = 5000
OBSERVATIONS = ("compact", "onehot")


class Batch:
    """``size`` games stepped together; a game that ends begins anew within the same step.

    ruleset:     a Ruleset, its name or its YAML file, as `rules.load_ruleset` takes them
    seats:       seats for all games (see `rules.choose_seats`), or a list of ``size`` of them
    seed:        game i's chance depends on (seed, i) and the actions alone, whatever the batch
                 size, the order or the number of threads; None takes one from the system
    reward:      `win`; `rank` for rulesets that are played out, `points` for those with scores
    max_plies:   decisions after which a game is truncated
    skip_forced: pass through decisions with one legal action inside a step
    threads:     games are divided among this many threads; results do not depend on it
    first:       the seat that begins (colour or index), `random`, or None for the first seated
    observation: `compact`, or `onehot` for float32[B, W] instead, see `observe.OneHot`

    Read `observation`, `mask`, `actor`, `rewards` and the rest as `Buffers` documents them.
    """

    tables: Any  # RuleTables; those of the game that a subclass plays
    kernels: ClassVar = Kernels(reset_range, step_range, random_range, expand_range)

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
        check_sizes(size, max_plies, threads)
        self.tables: RuleTables = compile_rules(load_ruleset(ruleset))
        self.seats = seats_of_games(partial(choose_seats, self.tables.ruleset), seats, size)
        games = empty_games(size)
        for i, seated in enumerate(self.seats):
            games[i]["pawns"][list(seated), :MAX_PAWNS] = 0
        begins = [first_seat(first, seated) for seated in self.seats]
        options = Options(reward_code(self.tables.ruleset, reward), max_plies, skip_forced)
        self._open(games, begins, options, seed, threads, observation)

    def _open(
        self,
        games: np.ndarray,
        first: Sequence[int],
        options: Options,
        seed: int | None,
        threads: int,
        observation: str,
    ) -> None:
        """Take up records in which players are seated, and begin all games."""
        self.games = games
        self.size = size = len(games)
        self.first = np.array(first, np.int8)
        self.options = options
        self.seed = given_or_fresh_seed(seed)
        self.threads = threads
        self.buffers = self._allocate()
        if observation not in OBSERVATIONS:
            raise RequestError(
                f"observation {observation!r} must be one of {', '.join(OBSERVATIONS)}",
                value=observation,
            )
        self.one_hot = OneHot(self.tables.layout) if observation == "onehot" else None
        self._wide = np.zeros((size, self.one_hot.size if self.one_hot else 0), np.float32)
        self._after: Afterstates | None = None
        self._policy_states = np.array(
            [seed_state(self.seed ^ 0x5EED, i) for i in range(size)], np.uint64
        )
        self._pool: ThreadPoolExecutor | None = None
        self.reset()

    # -- the arrays, by name ------------------------------------------------------------------

    @property
    def num_actions(self) -> int:
        """A, the size of the action space."""
        return int(self.tables.num_actions)

    @property
    def observation_size(self) -> int:
        """Length of an observation: O, or W of one-hots."""
        return int(self.observation.shape[1])

    @property
    def observation(self) -> np.ndarray:
        """int8[B, O], or float32[B, W] of one-hots, overwritten by each step."""
        return self._wide if self.one_hot else self.buffers.observation

    @property
    def mask(self) -> np.ndarray:
        """bool[B, A], overwritten by each step."""
        return self.buffers.mask

    @property
    def legal(self) -> np.ndarray:
        """int16[B], number of legal actions, overwritten by each step."""
        return self.buffers.legal

    @property
    def actor(self) -> np.ndarray:
        """int8[B], the seat that decides, overwritten by each step."""
        return self.buffers.actor

    @property
    def rewards(self) -> np.ndarray:
        """float32[B, 4] by seat, overwritten by each step."""
        return self.buffers.rewards

    @property
    def terminated(self) -> np.ndarray:
        """bool[B], overwritten by each step."""
        return self.buffers.terminated

    @property
    def truncated(self) -> np.ndarray:
        """bool[B], overwritten by each step."""
        return self.buffers.truncated

    @property
    def length(self) -> np.ndarray:
        """int32[B], overwritten by each step."""
        return self.buffers.length

    @property
    def passed(self) -> np.ndarray:
        """int32[B], forced decisions passed through, overwritten by each step."""
        return self.buffers.passed

    # -- playing ------------------------------------------------------------------------------

    def reset(self, seeds: np.ndarray | None = None) -> None:
        """Begin all games anew.

        seeds: uint64[B] first random states, one a game; without it they follow from ``seed``
        """
        if seeds is None:
            states = [seed_state(self.seed, i) for i in range(self.size)]
        else:
            states = list(seeds)
        if len(states) != self.size:
            raise RequestError(f"{len(states)} seeds for {self.size} games", value=len(states))
        self.games["rng"] = np.array(states, np.uint64)
        self._run(self.kernels.reset, self.first, self.buffers)
        self._widen()

    def reset_rows(self, rows: np.ndarray, seeds: np.ndarray) -> None:
        """Begin some games anew.

        rows: int[k]; seeds: uint64[k], their first random states
        """
        self.games["rng"][rows] = seeds
        for row in rows.tolist():
            self.kernels.reset(
                self.tables.arrays, self.games, row, row + 1, self.first, self.buffers
            )
        self._widen()

    def step(self, actions: np.ndarray) -> None:
        """Play one decision in every game: the trusting door, masks are not checked again.

        actions: int[B], each legal in its game
        """
        self._run(self.kernels.step, np.asarray(actions), self.first, self.buffers, self.options)
        self._widen()

    def random_steps(self, n: int) -> int:
        """Play ``n`` uniform random legal decisions in every game; returns how many games ended."""
        ended = self._run(
            self.kernels.random, n, self._policy_states, self.first, self.buffers, self.options
        )
        self._widen()
        return sum(ended)

    def afterstates(self) -> Afterstates:
        """The positions after every legal action of every game, before chance; games stay.

        Views of arrays that the next call overwrites (or, where it needs more room, leaves alone):
        copy what you keep. Observations are compact ones.
        """
        starts = starts_of(self.mask)
        count = int(starts[-1])
        if self._after is None or len(self._after.row) < count:
            width = self.buffers.observation.shape[1]
            self._after = room(2 * count, self.games.dtype, width, 2 * count)
        self._run(self.kernels.expand, starts, self.mask, self._after)
        return Afterstates(*(array[:count] for array in self._after))

    def state_dict(self) -> dict[str, Any]:
        """Copies of everything that changes, for an exact continuation by `load_state_dict`."""
        arrays = {f"buffers.{k}": v.copy() for k, v in self._kept().items()}
        return {"games": self.games.copy(), "policy": self._policy_states.copy(), **arrays}

    def load_state_dict(self, state: dict[str, Any]) -> None:
        """Continue from a `state_dict` of a batch of the same shape."""
        if state["games"].shape != self.games.shape:
            raise RequestError(
                f"a state of {len(state['games'])} games does not fit a batch of {self.size}",
                value=len(state["games"]),
            )
        self.games[:] = state["games"]
        self._policy_states[:] = state["policy"]
        for name, array in self._kept().items():
            array[:] = state[f"buffers.{name}"]
        self._widen()

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_pool": None, "_after": None}

    # -- inside -------------------------------------------------------------------------------

    def _allocate(self) -> Buffers:
        b = self.size
        return Buffers(
            observation=np.zeros((b, self.tables.observation_size), np.int8),
            mask=np.zeros((b, self.num_actions), np.bool_),
            legal=np.zeros(b, np.int16),
            actor=np.zeros(b, np.int8),
            rewards=np.zeros((b, SEATS), np.float32),
            terminated=np.zeros(b, np.bool_),
            truncated=np.zeros(b, np.bool_),
            length=np.zeros(b, np.int32),
            passed=np.zeros(b, np.int32),
            work=np.zeros((b, 2), WORK),
        )

    def _kept(self) -> dict[str, np.ndarray]:
        """The buffers by name, but for the scratch."""
        return {name: array for name, array in self.buffers._asdict().items() if name != "work"}

    def _widen(self) -> None:
        if self.one_hot:
            self.one_hot(self.buffers.observation, self._wide)

    def _run(self, kernel_range: Callable[..., Any], *rest: Any) -> list[Any]:
        """Run a kernel over all games, divided among the threads (kernels hold no lock)."""
        rules = self.tables.arrays
        if self.threads == 1:
            return [kernel_range(rules, self.games, 0, self.size, *rest)]
        if self._pool is None:
            self._pool = ThreadPoolExecutor(self.threads - 1)
        *bounds, last = np.linspace(0, self.size, self.threads + 1).astype(int).tolist()
        jobs = [
            self._pool.submit(kernel_range, rules, self.games, low, high, *rest)
            for low, high in pairwise(bounds)
        ]
        # The last part is ours: one thread less to wake up.
        own = kernel_range(rules, self.games, bounds[-1], last, *rest)
        return [*(job.result() for job in jobs), own]


def reward_code(ruleset: Ruleset, reward: str) -> int:
    """The kernels' number of a reward's name; RequestError where the ruleset has no such reward."""
    if reward not in REWARDS:
        raise RequestError(f"reward {reward!r} must be one of {', '.join(REWARDS)}", value=reward)
    if reward == "rank" and not ruleset.play_out:
        raise RequestError(
            f"reward 'rank' needs a ruleset that is played out, such as "
            f"{ruleset.edition}?play_out=true, not {ruleset.name}",
            value=reward,
        )
    if reward == "points" and not ruleset.pawn_points:
        raise RequestError(
            f"reward 'points' needs a ruleset with scores, such as points, not {ruleset.name}",
            value=reward,
        )
    return REWARDS[reward]


def first_seat(first: int | str | None, seats: Sequence[int]) -> int:
    """The seat that begins, or RANDOM_FIRST; RequestError for a colour that is not seated."""
    if first is None:
        return seats[0]
    if first == "random":
        return RANDOM_FIRST
    seat = parse_colour(first) if isinstance(first, str) else first
    if seat not in seats:
        raise RequestError(f"first={first!r} must be a seated colour or 'random'", value=first)
    return int(seat)


def check_sizes(size: int, max_plies: int, threads: int) -> None:
    """RequestError unless a batch can have these."""
    if size < 1 or max_plies < 1 or threads < 1:
        raise RequestError(
            f"size={size}, max_plies={max_plies} and threads={threads} must be 1 or more",
            value=(size, max_plies, threads),
        )


def seats_of_games(
    choose: Callable[[Any], tuple[int, ...]], seats: Any, size: int
) -> list[tuple[int, ...]]:
    """The seats of each game: of one setting for all, or of a list of ``size`` settings."""
    if isinstance(seats, list) and seats and isinstance(seats[0], (tuple, list)):
        if len(seats) != size:
            raise RequestError(f"{len(seats)} seatings for {size} games", value=len(seats))
        return [choose(one) for one in seats]
    return [choose(seats)] * size
