"""Where the time of a decision goes, part by part.

    python -m benchmarks.kernels [--seconds 2.5] [--json]

Nanoseconds of processor time a game, each part run alone over the same 1,024 games of `classic`
with two seats in the middle of play; ratios are shares of the whole. What changes a game is
played on a copy of it. Alone, a part guesses branches and finds its data better than among the
others, so the parts do not add up to the whole.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from benchmarks.table import Table, in_rows, main, rate
from sorry_env.engine.batch import Batch
from sorry_env.engine.jit import kernel
from sorry_env.engine.masks import chance_due, legal_mask
from sorry_env.engine.observe import observe
from sorry_env.engine.rng import advance, below
from sorry_env.engine.stepping import Buffers, nth_legal
from sorry_env.engine.turn import draw, play
from sorry_env.speed import SLICES

SIZE = 1024
#: Times that a part goes through all games at each call.
ROUNDS = 20


def tables(seconds: float) -> Iterator[Table]:
    """One table."""
    batch = Batch("classic", 2, SIZE, seed=1)
    batch.random_steps(300)
    games, b = batch.games.copy(), Buffers(*(array.copy() for array in batch.buffers))
    states = np.arange(SIZE, dtype=np.uint64)
    chosen = np.zeros(SIZE, np.int64)
    spare, played = games.copy(), games.copy()
    rules = batch.tables.arrays
    choose_all(rules, games, b.mask, b.legal, states, chosen)
    play_all(rules, games, chosen, played)

    parts: list[tuple[str, Callable[[], object], str]] = [
        ("the whole decision", lambda: batch.random_steps(1), "Batch.random_steps"),
        ("choosing an action",
         lambda: choose_all(rules, games, b.mask, b.legal, states, chosen), ""),
        ("copying the record", lambda: copy_all(games, spare), "no part of a decision"),
        ("copying, playing", lambda: play_all(rules, games, chosen, spare), ""),
        ("copying, drawing", lambda: draw_all(rules, played, spare), "of games that wait"),
        ("mask", lambda: mask_all(rules, games, b.mask, b.work), ""),
        ("observation", lambda: observe_all(rules, games, b.observation), ""),
    ]  # fmt: skip
    found: list[list[float]] = [[] for _ in parts]
    for _, part, _ in parts:
        part()
    for _ in range(SLICES):
        for (_, part, _), values in zip(parts, found, strict=True):
            values.append(1e9 / rate(repeated(part), seconds / SLICES))
    yield in_rows(
        "Parts of a decision, nanoseconds",
        [(what, values, note) for (what, _, note), values in zip(parts, found, strict=True)],
    )


def repeated(part: Callable[[], object]) -> Callable[[], int]:
    """Rounds of a part; games seen."""

    def work() -> int:
        for _ in range(ROUNDS):
            part()
        return ROUNDS * SIZE

    return work


@kernel
def choose_all(rules: Any, games: Any, masks: Any, legal: Any, states: Any, chosen: Any) -> None:
    """A uniform legal action of every game."""
    for i in range(len(games)):
        states[i] = advance(states[i])
        n_th = below(states[i], legal[i])
        chosen[i] = nth_legal(rules.facts[0], games[i], masks[i], n_th)


@kernel
def copy_all(games: Any, spare: Any) -> None:
    """Every game into another array."""
    for i in range(len(games)):
        spare[i] = games[i]


@kernel
def play_all(rules: Any, games: Any, chosen: Any, spare: Any) -> None:
    """The chosen action on a copy of every game."""
    for i in range(len(games)):
        spare[i] = games[i]
        play(rules.facts[0], rules.actions, spare[i], chosen[i])


@kernel
def draw_all(rules: Any, games: Any, spare: Any) -> None:
    """The next card on a copy of every game that waits for one."""
    for i in range(len(games)):
        spare[i] = games[i]
        if chance_due(rules.facts[0], spare[i]):
            draw(rules.facts[0], spare[i])


@kernel
def mask_all(rules: Any, games: Any, masks: Any, work: Any) -> None:
    """The mask of every game."""
    for i in range(len(games)):
        legal_mask(rules.facts[0], rules.actions, games[i], masks[i], work[i])


@kernel
def observe_all(rules: Any, games: Any, observations: Any) -> None:
    """What the seat that decides sees of every game."""
    for i in range(len(games)):
        observe(rules.facts[0], games[i], np.int64(games[i]["actor"]), observations[i])


if __name__ == "__main__":
    main(__doc__, tables)
