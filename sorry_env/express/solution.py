"""Exact solution of the dice game between two players.

Between turns a position is worth the chance that the seat to move wins. Within a turn it is the
best option of the best die, down to the last one; before the roll, the mean over all rolls.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

import numpy as np

from sorry_env.engine.afterstate import best_of_rows
from sorry_env.engine.jit import helper, kernel
from sorry_env.errors import RequestError
from sorry_env.express import single
from sorry_env.express.rules import EXPRESS, FACES, ExpressRules
from sorry_env.express.space import OPEN, WON, ExpressSpace, Rolls, open_space
from sorry_env.express.state import UNROLLED, empty_games
from sorry_env.express.tables import ExpressTables
from sorry_env.solve.backup import TOLERANCE
from sorry_env.solve.extrapolation import Extrapolation
from sorry_env.solve.graph import Progress, silent
from sorry_env.solve.solution import EQUAL

#: Backups after which something is wrong.
MOST_SWEEPS: Final = 10_000


@dataclass(frozen=True, eq=False)
class ExpressSolution:
    """The optimal value of every position, each the chance that the seat in turn wins.

    space:    the positions
    values:   float64[N], by state, before the roll; 1 or 0 where the game is over
    one, two: float64[N, 7] and float64[N, P], with one die left by its face, with two by the
              number of the pair
    residual: the largest change that one more backup of all values would make
    seconds:  that it took to find
    """

    space: ExpressSpace
    rolls: Rolls
    values: np.ndarray
    one: np.ndarray
    two: np.ndarray
    residual: float
    seconds: float

    @property
    def states(self) -> int:
        """Positions before a roll in which nobody has won, up to the names of the colours."""
        return int((self.space.over == OPEN).sum())

    @property
    def start(self) -> int:
        """The state in which a game begins."""
        game = empty_games(1)
        game["seats"] = 2
        single.set_up(self.space.tables.arrays, game, 0, 0)
        return int(self.space.numbers(game, game["turn"])[0, 0])

    def value(self) -> float:
        """The chance that the player who begins wins."""
        return float(self.values[self.start])

    def values_before(self, games: np.ndarray) -> np.ndarray:
        """float64[n], the values of EXPRESS_GAME[n] that wait for a roll, for the seat in turn.

        Raises RequestError for games of other numbers of players, or where no roll is due.
        """
        self._check(games)
        if (games["dice"][:, 0] != UNROLLED).any():
            raise RequestError("no roll is due: dice lie on the table", value=None)
        values: np.ndarray = self.values[self.space.numbers(games, games["turn"])[:, 0]]
        return values

    def action_values(
        self, games: np.ndarray, mask: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """What every legal action is worth to the seat that decides.

        games: EXPRESS_GAME[n], rolled; mask: bool[n, A], the legal actions
        Returns value float64[m], row int32[m] and action int32[m], by row and action.
        """
        self._check(games)
        rows, actions = np.nonzero(mask)
        movers = games["turn"][rows]
        after = games[rows]
        single.play_each(self.space.tables.arrays, after, actions)
        numbers = self.space.numbers(after, movers)
        faces = self._faces(after, numbers[:, 1])
        state = numbers[:, 0]
        worth = 1.0 - self.values[self.space.passed[state]]
        left = (faces >= 0).sum(axis=1)
        last = faces.max(axis=1)
        one, two = np.flatnonzero(left == 1), np.flatnonzero(left == 2)
        worth[one] = self.one[state[one], last[one]]
        both = np.sort(faces[two], axis=1)[:, 1:]
        worth[two] = self.two[state[two], self.rolls.pair[both[:, 0], both[:, 1]]]
        over = np.flatnonzero(after["winner"] >= 0)
        worth[over] = after["winner"][over] == movers[over]
        return worth, rows.astype(np.int32), actions.astype(np.int32)

    def best_actions(self, games: np.ndarray, mask: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The optimal actions of EXPRESS_GAME[n]: row int32[m] and action int32[m]."""
        worth, rows, actions = self.action_values(games, mask)
        equal = best_of_rows(worth, rows, len(games), EQUAL)
        return rows[equal], actions[equal]

    def _faces(self, games: np.ndarray, names: np.ndarray) -> np.ndarray:
        """int64[n, 3], the faces still to be resolved by the states' names, negative for none."""
        dice = games["dice"].astype(np.int64)
        renamed: np.ndarray = self.rolls.renamed[names[:, None], np.maximum(dice, 0)]
        return np.where(dice >= 0, renamed, -1).astype(np.int64)

    def _check(self, games: np.ndarray) -> None:
        if (games["seats"] != 2).any():
            raise RequestError("the positions must be of two players", value=None)


def solve(
    rules: ExpressRules | str = EXPRESS, seats: Any = None, *, progress: Progress = silent
) -> ExpressSolution:
    """The exact solution of the dice game between two players.

    progress: called with a few words from time to time
    Raises RulesetError for other numbers of players.
    """
    started = time.perf_counter()
    space = open_space(rules, seats)
    rolls = Rolls.of(space.tables.ruleset)
    over = space.over
    values = np.where(over == OPEN, 0.5, (over == WON).astype(np.float64))
    one = np.empty((space.states, len(FACES)))
    two = np.empty((space.states, len(rolls.pairs)))
    extrapolation = Extrapolation([values], 0.0, 1.0)
    for sweep in range(1, MOST_SWEEPS + 1):
        change = back_up(space, rolls, values, one, two)
        if change <= TOLERANCE:
            break
        progress(f"sweep {sweep}, largest change {change:.1e}")
        extrapolation.leap(change)
    else:
        raise RequestError(f"{space.words}: values do not settle", value=space.words)
    residual = back_up(space, rolls, values, one, two)
    return ExpressSolution(space, rolls, values, one, two, residual, time.perf_counter() - started)


@lru_cache(maxsize=2)
def find_solution(tables: ExpressTables) -> ExpressSolution:
    """The solution of these rules, found when it is first asked for: a matter of seconds."""
    return solve(tables.ruleset)


def back_up(
    space: ExpressSpace, rolls: Rolls, values: np.ndarray, one: np.ndarray, two: np.ndarray
) -> float:
    """One backup of all values at the best play; returns the largest change of a value.

    values: float64[N]; one: float64[N, 7], two: float64[N, P], overwritten
    """
    options, over, passed = space.options, space.over, space.passed
    best_of_one(options, passed, values, one)
    best_of_two(options, rolls.pairs, rolls.renamed, one, two)
    return float(
        mean_of_rolls(
            options, over, rolls.triples, rolls.chances, rolls.pair, rolls.renamed, two, values
        )
    )


# ---------------------------------------------------------------------------- kernels


@helper
def settled(winner: Any) -> Any:
    """The value of a game that is over for the seat that has moved."""
    return 1.0 if winner == WON else 0.0


@kernel
def best_of_one(options: Any, passed: Any, values: Any, one: Any) -> None:
    """The value of every state with one die left, by its face; float64[N, 7], overwritten."""
    faces = one.shape[1]
    for state in range(len(one)):
        for face in range(faces):
            best = -1.0
            at = state * faces + face
            for k in range(options.start[at], options.start[at + 1]):
                worth = settled(options.winner[k])
                if options.winner[k] == OPEN:
                    worth = 1.0 - values[passed[options.state[k]]]
                best = max(best, worth)
            one[state, face] = best


@kernel
def best_of_two(options: Any, pairs: Any, renamed: Any, one: Any, two: Any) -> None:
    """The value of every state with two dice left, by their pair; float64[N, P], overwritten."""
    faces = one.shape[1]
    for state in range(len(one)):
        for p in range(len(pairs)):
            best = -1.0
            for first in range(2):
                if first > 0 and pairs[p, 0] == pairs[p, 1]:
                    continue
                other = pairs[p, 1 - first]
                at = state * faces + pairs[p, first]
                for k in range(options.start[at], options.start[at + 1]):
                    worth = settled(options.winner[k])
                    if options.winner[k] == OPEN:
                        worth = one[options.state[k], renamed[options.names[k], other]]
                    best = max(best, worth)
            two[state, p] = best


@kernel
def mean_of_rolls(
    options: Any,
    over: Any,
    triples: Any,
    chances: Any,
    pair: Any,
    renamed: Any,
    two: Any,
    values: Any,
) -> Any:
    """The value of every state before the roll; values: float64[N], updated.

    Returns the largest change.
    """
    faces = renamed.shape[1]
    change = 0.0
    for state in range(len(values)):
        if over[state] != OPEN:
            continue
        value = 0.0
        for roll in range(len(triples)):
            best = -1.0
            for first in range(3):
                if first > 0 and triples[roll, first] == triples[roll, first - 1]:
                    continue
                a = triples[roll, (first + 1) % 3]
                b = triples[roll, (first + 2) % 3]
                at = state * faces + triples[roll, first]
                for k in range(options.start[at], options.start[at + 1]):
                    worth = settled(options.winner[k])
                    if options.winner[k] == OPEN:
                        names = options.names[k]
                        worth = two[options.state[k], pair[renamed[names, a], renamed[names, b]]]
                    best = max(best, worth)
            value += chances[roll] * best
        change = max(change, abs(value - values[state]))
        values[state] = value
    return change
