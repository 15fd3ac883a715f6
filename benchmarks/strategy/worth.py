"""What positions after a move are worth, as chances to win: exact tables, or a trained value file.

Read `sorry_env/bots/values.py` and `sorry_env/solve/solution.py` before and `moves.py` after this
file.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final, Protocol

import numpy as np

from sorry_env.bots.base import BatchRequest
from sorry_env.bots.expectimax import ExpectimaxBot
from sorry_env.bots.sight import LearnedJudge
from sorry_env.bots.values import chance_to_win
from sorry_env.engine.tables import RuleTables, compile_rules
from sorry_env.errors import RequestError
from sorry_env.rules import choose_seats
from sorry_env.solve.files import find_solution
from sorry_env.solve.solution import EQUAL
from sorry_env.solve.space import open_space

CHECKPOINTS: Final = Path(__file__).resolve().parents[2] / "checkpoints"
#: The name of the exact tables.
EXACT: Final = "exact"


class Worth(Protocol):
    """Chances to win in games of one ruleset between the same seats."""

    @property
    def name(self) -> str:
        """What results call it."""

    @property
    def tables(self) -> RuleTables:
        """The ruleset."""

    @property
    def seats(self) -> tuple[int, ...]:
        """The seated colours in turn order."""

    @property
    def equal(self) -> float:
        """Chances nearer to each other than this are equal."""

    def after(self, games: np.ndarray, movers: np.ndarray) -> np.ndarray:
        """float64[m], the chance that the seats int[m] which have just moved win.

        games: GAME[m], after a move and before any draw, or over
        """

    def deeper(self, games: np.ndarray, mask: np.ndarray) -> np.ndarray:
        """float64[n, A], the chance to win after each move that bool[n, A] allows, else NaN.

        games: GAME[n], with a card drawn. By the best replies to all cards that may come next,
        where values are not exact anyhow.
        """


class ExactWorth:
    """By the solution of a small ruleset for two seats."""

    equal = EQUAL

    def __init__(self, ruleset: str, seats: Sequence[int]) -> None:
        """Raises what `sorry_env.solve` raises where there is no solution."""
        self.name = EXACT
        self.tables = compile_rules(ruleset)
        self.seats = tuple(seats)
        self.solution = find_solution(open_space(ruleset, self.seats))
        if self.solution.space.solo:
            raise RequestError(f"{ruleset} with one seat has no winner", value=ruleset)

    def after(self, games: np.ndarray, movers: np.ndarray) -> np.ndarray:
        """See `Worth`."""
        won = games["ranks"][np.arange(len(games)), movers] == 1
        chance: np.ndarray = won.astype(np.float64)
        going = np.flatnonzero(~(games["ranks"] == 1).any(axis=1))
        values = self.solution.values_before(games[going])
        own = games["turn"][going] == movers[going]
        chance[going] = np.where(own, values, 1.0 - values)
        return chance

    def deeper(self, games: np.ndarray, mask: np.ndarray) -> np.ndarray:
        """See `Worth`."""
        chances = np.full(mask.shape, np.nan)
        worth, row, action = self.solution.action_values(games, mask)
        chances[row, action] = worth
        return chances


class NetWorth:
    """By a trained value file, one of the two-or-more-seat games in which one seat wins."""

    def __init__(self, path: str | Path, ruleset: str, seats: Sequence[int]) -> None:
        """Raises ModelError for a file that is not one of this game."""
        self.name = str(path)
        self.tables = compile_rules(ruleset)
        self.seats = tuple(seats)
        self.judge = LearnedJudge(path)
        self.judge.check(self.tables, (len(seats),))
        self.equal = self.judge.equal
        self.searcher = ExpectimaxBot(depth=2, value=path, width=10_000)  # leaves none out
        if not self.judge.chances or self.tables.ruleset.teams != "none":
            words = f"{path} does not say how likely one seat is to win"
            raise RequestError(words, value=self.name)

    def after(self, games: np.ndarray, movers: np.ndarray) -> np.ndarray:
        """See `Worth`."""
        seats = movers.astype(np.int64)
        return self._chances(self.judge.worth(self.tables, games, games, seats, seats))

    def deeper(self, games: np.ndarray, mask: np.ndarray) -> np.ndarray:
        """See `Worth`."""
        seen = np.empty((len(games), 0), np.int8)  # it looks at positions itself
        return self._chances(
            self.searcher.action_values(BatchRequest(self.tables, games, seen, mask))
        )

    def _chances(self, returns: np.ndarray) -> np.ndarray:
        return chance_to_win(returns, len(self.seats))


def find_worth(value: str, ruleset: str, seats: str | int) -> Worth:
    """The values that a command names.

    value: `exact`, a value file, or a shipped bot that plays by one (`best:classic-2`)
    seats: see `rules.choose_seats`
    Raises what `ExactWorth` and `NetWorth` raise.
    """
    tables = compile_rules(ruleset)
    chosen = choose_seats(tables.ruleset, seats)
    if value == EXACT:
        return ExactWorth(ruleset, chosen)
    return NetWorth(path_of(value), ruleset, chosen)


def path_of(value: str) -> Path:
    """The value file that is meant: `best:NAME` stands for that of the shipped bot."""
    name = value.removeprefix("best:")
    return Path(value) if name == value else CHECKPOINTS / name / "value.onnx"
