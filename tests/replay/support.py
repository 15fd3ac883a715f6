"""Records for the tests, and a bot whose values are known by hand."""

from __future__ import annotations

from typing import Any

import numpy as np

from sorry_env.bots.base import BatchRequest, Bot, Insight
from sorry_env.bots.dice import uniform
from sorry_env.families import family_of
from sorry_env.notation import Record, Recorder


def record_of(
    ruleset: str, seats: Any = None, *, seed: int = 1, player: str = "random", most: int = 5000,
    position: str | None = None,
) -> Record:  # fmt: skip
    """A game of a bot with itself, broken off after ``most`` decisions."""
    family = family_of(ruleset)
    game = family.new_game(ruleset, seats, seed=seed)
    if position is not None:
        game = family.read(position, seed=seed)
    bot = family.make_bot(player)
    bot.reset(seed)
    names = family.player_names(game.ruleset, game.seats)
    recorder = Recorder(game, dict.fromkeys(names, player), seed=seed, name=f"{ruleset}-{seed}")
    while not game.over and len(recorder.record.moves) < most:
        move = game.describe(bot.choose(game.view(game.actor)))
        recorder.decision(move)
        game.play(move, draw=len(recorder.record.moves) < most)
    return recorder.finish(None if game.over else "truncated")


class StepsBot(Bot):
    """Says of a move by n steps, back or forth, that it wins with 0.5 + n / 100; 0.5 of others."""

    name = "steps"

    def distribution(self, request: BatchRequest) -> np.ndarray:
        values = self._values(request)
        best = values >= np.nanmax(values, axis=1, keepdims=True)
        return uniform(best)

    def choose_batch(self, request: BatchRequest) -> np.ndarray:
        best: np.ndarray = np.nanargmax(self._values(request), axis=1)
        return best.astype(np.int32)

    def insight(self, request: BatchRequest) -> Insight:
        return Insight(self.distribution(request), None, self._values(request))

    def _values(self, request: BatchRequest) -> np.ndarray:
        steps = [_steps(label) for label in request.tables.labels]
        values: np.ndarray = np.where(request.mask, 0.5 + np.array(steps) / 100, np.nan)
        return values


def _steps(label: str) -> int:
    """Steps of an action's label, such as `10:0-1`."""
    what = label.partition(":")[2]
    return int(what[1:]) if what[1:2] in ("+", "-") and "," not in what else 0
