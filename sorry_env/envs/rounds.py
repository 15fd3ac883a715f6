"""An episode of several rounds: a match for a target score, for rulesets with points.

Rounds are games of the ruleset, played one after the other by the same agents until one of them
has ``target_score`` points after a round; the turn to begin moves on by one seat each time. Agents
stay until the end of the match.

| reward   | at the end of each round    | at the end of the match                              |
| -------- | --------------------------- | ---------------------------------------------------- |
| `points` | the round's points          | nothing more                                         |
| `win`    | 0                           | most points +1, the others share as much of a loss;  |
|          |                             | 0 for all if all have equally many                   |

A round that is cut off after ``max_plies`` decisions truncates the match, with 0 for all then. An
illegal action ends the match as it ends a game: by `terminate` or `forfeit` the offender gets -1,
and by `forfeit` the others get what `rewards.forfeit_returns` says of the round. Read `aec.py` and
`../rounds.py` before this file.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from sorry_env.engine import single
from sorry_env.envs.aec import SorryEnv
from sorry_env.envs.settings import Settings
from sorry_env.game import Game
from sorry_env.rounds import Rounds
from sorry_env.rules import COLOURS


class RoundsEnv(SorryEnv):
    """A match for PettingZoo; made by `sorry_v0.raw_env` with ``target_score``.

    match: how the match stands, a `Rounds`
    infos: as in `SorryEnv`, and ``scores``, the points of each agent in the rounds before, and
           ``round``, the number of the round, 0 first
    """

    def __init__(self, settings: Settings, target_score: int) -> None:
        self.target_score = target_score
        super().__init__(settings)

    def step(self, action: int | np.integer[Any] | None) -> None:
        """As `SorryEnv.step`; the end of a round begins the next one within the step."""
        if not self._running:
            super().step(action)
            return
        kept = self.rewards, self._cumulative_rewards
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = {**kept[1], self.agent_selection: 0.0}
        try:
            super().step(action)
        except BaseException:
            self.rewards, self._cumulative_rewards = kept
            raise

    def _enter(self, game: Game) -> None:
        self.match = Rounds(game.seats, self.target_score, game.turn)
        super()._enter(game)

    def _end(self, reason: str, returns: tuple[float, ...]) -> None:
        if reason == "finished":
            self.match = self.match.add(self.game.returns("points"))
            if not self.match.over:
                self._next_round(self.game.returns("points"))
                return
            if self.settings.reward == "win":
                returns = self.match.returns("win")
        super()._end(reason, returns)
        if self._tells_all:
            winners = tuple(COLOURS[seat] for seat in self.match.winners)
            for agent in self.agents:
                self.infos[agent].update(self._standing(), winners=winners)

    def _next_round(self, points: tuple[float, ...]) -> None:
        """Pay for a round and begin the next with the chance that the game's record goes on to."""
        game = self.game
        single.set_up(self.tables.arrays, self._state, 0, self.match.first)
        if game.waiting:
            game.draw()
        self._seen[:] = game.observation()
        self._mask[:] = game.mask()
        self._last_move = None
        if self.settings.reward == "points":
            self.rewards = {a: points[self._seats_of[a][0]] for a in self.agents}
            self._accumulate_rewards()
        self._show(game.actor)

    def _show(self, seat: int) -> None:
        super()._show(seat)
        if self._tells_all:
            for agent in self.agents:
                self.infos[agent].update(self._standing())

    def _standing(self) -> dict[str, Any]:
        totals = self.match.totals
        return {
            "scores": tuple(totals[self._seats_of[agent][0]] for agent in self.possible_agents),
            "round": self.match.played,
        }
