"""The learned bot: plays the policy of an `.onnx` file, without torch.

Read `policy.py`, which reads the file, before and `registry.py` after this file.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from sorry_env.bots.base import BatchRequest, Bot, Insight
from sorry_env.bots.dice import Dice, pick, uniform
from sorry_env.bots.policy import load_policy
from sorry_env.bots.values import chance_to_win
from sorry_env.engine.tables import RuleTables
from sorry_env.errors import RequestError
from sorry_env.game import View


class LearnedBot(Bot):
    """Plays the likeliest action of a trained policy, or draws one by the policy's chances.

    path:        the `.onnx` file
    sample:      draw each action instead of taking the likeliest; equally likely ones are drawn
                 from in either case
    temperature: with ``sample``, what logits are divided by: below 1 bolder, above 1 wilder

    Raises ModelError for a file that is no policy, and at `check` and at each choice where the
    game is not the one that it was trained for.
    """

    def __init__(
        self, path: str | Path, *, sample: bool = False, temperature: float | None = None
    ) -> None:
        if temperature is not None and not sample:
            raise RequestError("temperature needs sample=true", value=temperature)
        self.policy = load_policy(path)
        self.sample = sample
        self.temperature = 1.0 if temperature is None else temperature
        options = "?sample=true" if sample else ""
        if temperature is not None:
            options += f",temperature={temperature:g}"
        self.name = f"learned:{path}{options}"
        self._fits: RuleTables | None = None
        self.reset(0)

    def reset(self, seed: int) -> None:
        """See `Bot`."""
        self._dice = Dice(seed)

    def check(self, tables: RuleTables, seats: Sequence[int]) -> None:
        """See `Bot`."""
        if tables is not self._fits:
            self.policy.check_fits(tables)
            self._fits = tables
        self.policy.check_seats(len(seats))

    def choose(self, view: View) -> int:
        """See `Bot`."""
        self.check(view.tables, view.seats)
        request = BatchRequest.of_view(view)
        return int(self._choose(request)[0])

    def choose_batch(self, request: BatchRequest) -> np.ndarray:
        """See `Bot`."""
        self._check_rows(request)
        return self._choose(request)

    def distribution(self, request: BatchRequest) -> np.ndarray:
        """See `Bot`."""
        self._check_rows(request)
        logits = self.policy.legal_logits(request.observation, request.mask)
        best = logits.max(axis=1, keepdims=True)
        if not self.sample:
            return uniform(logits == best)
        return softmax(logits, self.temperature)

    @property
    def rulesets(self) -> tuple[str, ...]:
        """See `Bot`."""
        return (self.policy.ruleset,)

    def insight(self, request: BatchRequest) -> Insight:
        """See `Bot`: the policy's own chances, though the likeliest may be played always."""
        self._check_rows(request)
        chances = softmax(
            self.policy.legal_logits(request.observation, request.mask), self.temperature
        )
        if self.policy.reward != "win":
            return Insight(chances)
        _, value = self.policy.evaluate(request.observation, request.mask)
        sides = 2 if request.tables.ruleset.teams != "none" else request.seat_counts
        return Insight(chances, np.clip(chance_to_win(value, sides), 0.0, 1.0))

    def _check_rows(self, request: BatchRequest) -> None:
        for count in np.unique(request.seat_counts).tolist():
            self.check(request.tables, range(count))

    def _choose(self, request: BatchRequest) -> np.ndarray:
        logits = self.policy.legal_logits(request.observation, request.mask)
        best = logits.max(axis=1, keepdims=True)
        if self.sample:
            return draw((logits - best) / self.temperature, self._dice.roll(request))
        likeliest = logits == best
        if np.count_nonzero(likeliest) > len(likeliest):
            return pick(likeliest, self._dice.roll(request))
        chosen: np.ndarray = likeliest.argmax(axis=1)
        return chosen.astype(np.int32)


def softmax(logits: np.ndarray, temperature: float) -> np.ndarray:
    """float64[n, A], the chances that logits float[n, A] stand for; -inf is never."""
    best = logits.max(axis=1, keepdims=True)
    weights = np.exp(((logits - best) / temperature).astype(np.float64))
    chances: np.ndarray = weights / weights.sum(axis=1, keepdims=True)
    return chances


def draw(logits: np.ndarray, numbers: np.ndarray) -> np.ndarray:
    """An action int32[n] for each row by the chances that logits stand for.

    logits:  float[n, A], the largest of each row 0; -inf for actions that must not be drawn
    numbers: float64[n], each from 0 to 1
    """
    sums = np.cumsum(np.exp(logits.astype(np.float64)), axis=1)
    # Strictly below the row's sum, so that a first entry above it always exists.
    level = np.minimum(numbers * sums[:, -1], np.nextafter(sums[:, -1], 0.0))
    chosen: np.ndarray = (sums > level[:, None]).argmax(axis=1)
    return chosen.astype(np.int32)
