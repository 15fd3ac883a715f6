"""How good a policy is: games won against bots, or what it loses by the exact values.

The exact measure is what a policy loses of a win against the optimum, beginning and not averaged,
as ``sorry solve --evaluate`` has it.  Where positions are few it is calculated.  On ``duel-2`` that
takes minutes, so unless it is asked for it is measured in games against the optimum, in which each
choice of the policy is charged with what it gives away by the exact values.  These losses add up,
on average, to the very same number, and spread far less than wins and losses do.
Read before: ``base.py``.  Read next: ``run.py``.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np

from benchmarks.learning.base import Front
from sorry_env import make_bot
from sorry_env.arena import play_match
from sorry_env.arena.stats import Z95
from sorry_env.bots.base import BatchRequest, Bot
from sorry_env.errors import RequestError
from sorry_env.rules import Ruleset
from sorry_env.solve import Solution, evaluate
from sorry_env.solve.files import SOLVED_AT_ONCE, find_solution
from sorry_env.solve.graph import Graph, build_graph
from sorry_env.solve.space import open_space

#: Of all matches: every policy meets the same cards.
SEED = 20_111


class Score(NamedTuple):
    """A figure with its 95 % interval: a share of games won, or what is lost of a win."""

    value: float
    low: float
    high: float


def measure(front: Front, bot: Bot, games: int, exact: bool = False) -> dict[str, Score]:
    """What the yardsticks of a front say of a policy.

    games: against each of them, in pairs with the same cards and the seats exchanged
    exact: also the loss and the exploitability on average over all positions of a large ruleset
    Raises RequestError, naming the command, where a ruleset has not been solved.
    """
    scores: dict[str, Score] = {}
    for name in front.yardsticks:
        if name == "optimum":
            scores |= against_optimum(front, bot, games, exact)
        else:
            match = play_match([bot, name], front.ruleset, front.seats, games, SEED)
            scores[name] = Score(match.rate(), *match.paired_interval())
    return scores


def against_optimum(front: Front, bot: Bot, games: int, exact: bool) -> dict[str, Score]:
    """What is lost to the optimum; where it is calculated, the exploitability too."""
    space = open_space(front.ruleset, front.seats)
    solution = find_solution(space)
    if not (exact or space.places <= SOLVED_AT_ONCE):
        return {"optimum": sampled_loss(front, bot, solution, games)}
    found = evaluate(solution, bot, graph=_graph(space.tables.ruleset, space.seats))
    assert found.exploitability is not None  # two sides
    figures = {"optimum": found.lost, "exploitability": found.exploitability}
    return {name: Score(value, value, value) for name, value in figures.items()}


@lru_cache(maxsize=1)
def _graph(ruleset: Ruleset, seats: tuple[int, ...]) -> Graph:
    """The moves of all positions, found once for the policies of many runs."""
    return build_graph(open_space(ruleset, seats))


def sampled_loss(front: Front, bot: Bot, solution: Solution, games: int) -> Score:
    """What a policy loses to the optimum, by its choices in games; RequestError for too few."""
    if games < 3:
        raise RequestError(f"games={games} must be 3 or more: an interval needs two pairs",
                           value=games)  # fmt: skip
    judge = Judge(bot, solution, games + games % 2)
    play_match([judge, make_bot("optimal")], front.ruleset, front.seats, games, SEED)
    pairs = judge.lost.reshape(-1, 2).mean(axis=1)
    half = Z95 * float(pairs.std(ddof=1)) / len(pairs) ** 0.5
    mean = float(pairs.mean())
    return Score(mean, mean - half, mean + half)


class Judge(Bot):
    """Plays as another bot does and adds up what its choices give away.

    lost: float64[games], by game of the match, of a win
    """

    def __init__(self, bot: Bot, solution: Solution, games: int) -> None:
        self.name, self.bot, self.solution = bot.name, bot, solution
        self.lost = np.zeros(games)

    def reset(self, seed: int) -> None:
        """See Bot."""
        self.bot.reset(seed)

    def choose_batch(self, request: BatchRequest) -> np.ndarray:
        """See Bot; only matches give requests the keys that are needed."""
        chosen = self.bot.choose_batch(request)
        worth, rows, actions = self.solution.action_values(request.games, request.mask)
        counts = np.bincount(rows, minlength=len(request))
        best = np.maximum.reduceat(worth, np.cumsum(counts) - counts)
        played = worth[actions == chosen[rows]]  # one a row, in the order of the rows
        assert request.keys is not None
        games = (request.keys >> np.uint64(32)).astype(np.int64)
        np.add.at(self.lost, games, best - played)
        return chosen
