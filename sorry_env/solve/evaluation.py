"""Exact evaluation of a policy: against the optimum, against its best answer, and move by move.

Nothing here is sampled: values are solutions of linear equations or of a decision problem over all
states. Read `policy.py` and `solution.py` before this file.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from sorry_env.bots.base import Bot
from sorry_env.errors import RequestError
from sorry_env.game import View
from sorry_env.notation.position import write
from sorry_env.solve.backup import Backups, Player
from sorry_env.solve.counting import add_regret, count_visits
from sorry_env.solve.ending import certain_to_end
from sorry_env.solve.graph import DEFAULT_MEMORY, Graph, Progress, build_graph, check_size, silent
from sorry_env.solve.play import Play, best_play, optimal_play, weighed_play
from sorry_env.solve.policy import Policy, policy_weights
from sorry_env.solve.solution import EQUAL, Solution, told, untold

#: How many plays are in memory at the same time: as asked and as played, then its own and another.
PLAYS_AT_ONCE: Final = 2


@dataclass(frozen=True, eq=False)
class Losses:
    """What a policy loses, exactly, to the optimum and to its best response. Chances to win.

    name:            the policy's
    optimum:         values of the first position, of the seat that begins and of the other, at
                     optimal play of both
    against_optimum: what the policy gets, beginning and not, from an opponent that plays optimally
                     (equally often each of the equally good moves)
    against_best:    likewise from its exact best response
    """

    name: str
    optimum: tuple[float, ...]
    against_optimum: tuple[float, ...]
    against_best: tuple[float, ...]

    @property
    def lost(self) -> float:
        """What it loses of a win against the optimum, beginning and not averaged."""
        return float(np.mean(self.optimum) - np.mean(self.against_optimum))

    @property
    def exploitability(self) -> float | None:
        """What it loses of a win against its best response, averaged likewise."""
        return float(np.mean(self.optimum) - np.mean(self.against_best))

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {
            "policy": self.name,
            "optimum": list(self.optimum),
            "against_optimum": list(self.against_optimum),
            "lost_to_optimum": self.lost,
            "against_best_response": list(self.against_best),
            "exploitability": self.exploitability,
        }


@dataclass(frozen=True, eq=False)
class Evaluation(Losses):
    """How good a policy is, exactly: see `Losses`; of one seat alone in draws, where optimum and
    against_optimum have one value and against_best none.

    solution:    the optimum it is compared with
    visits:      float64[N], how often each state occurs in a game of the policy with itself
    regret:      float64[N], what the policy's choice of moves loses in each state, on average over
                 the cards, against optimal moves
    regret_by_card: by card name, what it loses with that card in a game of its own
    graph:       the states
    """

    solution: Solution
    visits: np.ndarray
    regret: np.ndarray
    regret_by_card: dict[str, float]
    graph: Graph

    @property
    def lost(self) -> float:
        """What it loses against the optimum: of a win, beginning and not averaged; alone, draws."""
        if self.graph.space.solo:
            return self.against_optimum[0] - self.optimum[0]
        return super().lost

    @property
    def exploitability(self) -> float | None:
        """What it loses of a win against its best response, averaged likewise; None alone."""
        return None if self.graph.space.solo else super().exploitability

    @property
    def draws(self) -> float:
        """Cards drawn in a game of the policy with itself, on average."""
        return float(self.visits.sum())

    @property
    def regret_of_game(self) -> float:
        """What all moves of such a game lose together, those of both sides."""
        return float(self._losses().sum())

    def worst(self, count: int = 5) -> list[dict[str, Any]]:
        """The positions in which most is lost, by what they add to `regret_of_game`.

        Each with its text, visits a game, regret a visit and loss a game; at most as many as there
        are in which more is lost than values are exact.
        """
        loss = self._losses()
        states = np.argsort(-loss, kind="stable")[:count]
        states = states[loss[states] > EQUAL]
        games = self.graph.games(states)
        rows = []
        for i, state in enumerate(states.tolist()):
            view = View(self.graph.space.tables, games[i : i + 1], None)
            rows.append(
                {
                    "position": write(view),
                    "visits": float(self.visits[state]),
                    "regret": float(self.regret[state]),
                    "loss": float(loss[state]),
                }
            )
        return rows

    def _losses(self) -> np.ndarray:
        """float64[N], regret in a game; 0 where the policy never comes, though it be infinite."""
        losses = np.zeros(len(self.visits))
        np.multiply(self.visits, self.regret, out=losses, where=self.visits > 0)
        return losses

    def to_dict(self) -> dict[str, Any]:
        """All but the arrays, for JSON."""
        return super().to_dict() | {
            "draws": self.draws,
            "regret": self.regret_of_game,
            "regret_by_card": self.regret_by_card,
            "worst": self.worst(),
        }


def evaluate(
    solution: Solution,
    policy: Bot | Policy,
    *,
    graph: Graph | None = None,
    threads: int = 1,
    memory: float = DEFAULT_MEMORY,
    progress: Progress = silent,
) -> Evaluation:
    """Evaluate a policy exactly against a solution.

    policy: a bot, or a function from a `BatchRequest` to the chances of actions float[n, A]. It is
            asked once for each position and card (one that goes by values of positions, for each
            position), a bot after a reset, and taken to play so always: a bot without a
            `distribution` of its own for certain as it chose then
    graph:  that of the solution's space, where it is there already
    Raises RequestError where one seat alone may never bring all its pawns Home, and what
    `policy_weights` raises.
    """
    space = solution.space
    if graph is None:
        check_size(space, memory, weighed=PLAYS_AT_ONCE)
        graph = build_graph(space, threads=threads, memory=memory, progress=progress)
    if isinstance(policy, Bot):
        policy.reset(0)
    play = weighed_play(graph, policy_weights(graph, policy, progress=progress))
    name = policy.name if isinstance(policy, Bot) else getattr(policy, "__name__", "policy")
    first = graph.state_of(space.first())
    best = np.append(untold(space, solution.values[graph.places]), 0.0 if space.solo else 1.0)
    against: tuple[float, ...]
    response: tuple[float, ...] = ()
    with Backups(graph, threads) as backups:
        if space.solo:
            against = (_alone(backups, name, first, play, progress),)
        else:
            optimal = optimal_play(graph, best, 2 * EQUAL)
            against = _versus(backups, first, play, optimal, progress, "against the optimum")
            del optimal
            response = _versus(
                backups, first, play, best_play(graph), progress, "against its best response"
            )
    visits = count_visits(graph, play, first, progress)
    by_state, by_card = np.empty(graph.states), np.zeros(space.cards)
    add_regret(best_play(graph), play, best, visits, by_state, by_card)
    scale = 1.0 if space.solo else 0.5
    value = solution.value()
    return Evaluation(
        name=name,
        solution=solution,
        optimum=(value,) if space.solo else (value, 1.0 - value),
        against_optimum=against,
        against_best=response,
        visits=visits,
        regret=by_state * scale,
        regret_by_card=dict(
            zip(space.tables.ruleset.card_names, (by_card * scale).tolist(), strict=True)
        ),
        graph=graph,
    )


def _alone(backups: Backups, name: str, first: int, play: Play, progress: Progress) -> float:
    """Expected draws of one seat that plays so."""
    graph = backups.graph
    ending = certain_to_end(graph, play)
    if not ending[first]:
        raise RequestError(
            f"{name} may never bring all pawns Home in {graph.space.words}: it would need "
            "infinitely many draws",
            value=name,
        )
    mine = backups.values()
    mine[~ending] = -np.inf
    backups.settle([Player(mine, mine, play)], progress=progress, what=f"{name}: sweep")
    return float(told(graph.space, mine[first]))


def _versus(
    backups: Backups, first: int, play: Play, other: Play, progress: Progress, what: str
) -> tuple[float, float]:
    """Chances to win of a player that plays so, beginning and not, against another."""
    mine, theirs = backups.values(), backups.values()
    players = [Player(theirs, mine, other), Player(mine, theirs, play)]
    backups.settle(players, progress=progress, what=f"{what}: sweep")
    space = backups.graph.space
    return float(told(space, mine[first])), 1.0 - float(told(space, theirs[first]))
