"""Speed of the batch engine beside OpenSpiel's nearest relative of this game.

    python -m benchmarks.engine [--seconds 2.5] [--json]

A decision is a uniform random legal action chosen and played, chance, observation and mask made,
rewards written, ended games begun anew. Rates by processor time of one thread, medians of five
slices taken in turns; threads by elapsed time. What checking actions costs is the median of runs
that follow each other at once. Needs `pip install -e '.[bench]'` for the peer.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np

from benchmarks.peers import open_spiel, open_spiel_inside
from benchmarks.table import Case, Table, Work, compare, in_rows, main, optional
from sorry_env.engine.batch import Batch
from sorry_env.families import FAMILIES, family_of
from sorry_env.rules import RULESETS
from sorry_env.speed import WARM_UP

SIZE = 1024
SIZES = (1, 16, 256, 1024, 4096, 65_536)
#: Batch size of the threads' table.
WIDE = 4096


def tables(seconds: float) -> Iterator[Table]:
    """The engine beside its peer, stepped, by size, by threads and by ruleset."""
    yield compare(
        "Batch engine, classic, decisions a second",
        [
            optional(
                "OpenSpiel maedn, 2 seats, Python loop",
                partial(open_spiel, "maedn", players=2),
                "observation and mask",
            ),
            optional(
                "OpenSpiel maedn, 2 seats, in C++",
                partial(open_spiel_inside, "maedn", players=2),
                "whole games without observation and mask",
            ),
            Case(f"2 seats, batch {SIZE}", inside("classic", 2, SIZE)),
            Case(f"4 seats, batch {SIZE}", inside("classic", 4, SIZE)),
        ],
        seconds,
    )
    yield compare(
        f"Stepping, classic, 2 seats, batch {SIZE}, decisions a second",
        [
            Case("random play inside", inside("classic", 2, SIZE)),
            Case("actions from Python", stepped("classic", 2, SIZE), "an array recorded before"),
        ],
        seconds,
    )
    yield checking_cost(seconds)
    yield compare(
        "Batch sizes, classic, 2 seats, decisions a second",
        [Case(f"batch {size}", inside("classic", 2, size)) for size in SIZES],
        seconds,
    )
    yield compare(
        f"Threads, classic, 2 seats, batch {WIDE}, decisions a second by the clock",
        [
            Case(f"threads {threads}", inside("classic", 2, WIDE, threads=threads))
            for threads in (1, 2)
        ],
        seconds,
        wall=True,
    )
    yield compare(
        f"Rulesets, usual seats, batch {SIZE}, decisions a second",
        [ruleset_case(name) for name in (*RULESETS, *FAMILIES)],
        seconds,
    )


def checking_cost(seconds: float, size: int = SIZE) -> Table:
    """What the checks of `step` cost: all of them, and without that of legality.

    Runs of the very same actions, with and without checks, follow each other at once and in
    changing order, so that they meet the same machine; costs are medians over these rounds.
    """
    kinds = [
        ("no checks at all", "the kernel alone"),
        ("check=False", "shape and dtype"),
        ("checked", "legality too"),
    ]
    works = [stepped("classic", 2, size, door=what) for what, _ in kinds]
    decisions = works[0]()
    rounds: list[list[float]] = []
    begun = time.perf_counter()
    while len(rounds) < 21 or time.perf_counter() - begun < 3 * seconds:
        spent = [0.0] * len(works)
        for turn in range(len(works)):
            number = (turn + len(rounds)) % len(works)
            spent[number] = timed(works[number])
        rounds.append(spent)
    rows = []
    for number, (what, note) in enumerate(kinds):
        cost = statistics.median(spent[number] / spent[0] - 1 for spent in rounds)
        text = f"{note}: {cost:+.1%}" if number else note
        rows.append((what, [decisions / spent[number] for spent in rounds], text))
    return in_rows(f"Checking actions, classic, 2 seats, batch {size}, decisions a second", rows)


def timed(work: Work) -> float:
    """Processor time of some work, in seconds."""
    begun = time.process_time()
    work()
    return time.process_time() - begun


def ruleset_case(name: str) -> Case:
    """Random play of one ruleset, with what its games need."""
    tables = family_of(name).compile_rules(name)
    return Case(
        name,
        inside(name, None, SIZE),
        f"{tables.num_actions} actions, observation {tables.observation_size}",
    )


def inside(ruleset: str, seats: Any, size: int, threads: int = 1) -> Work:
    """Uniform random legal play inside the kernel."""
    batch = family_of(ruleset).Batch(ruleset, seats, size, seed=1, threads=threads)
    batch.random_steps(WARM_UP)
    steps = max(16, 20_000 // size)

    def work() -> int:
        batch.random_steps(steps)
        return steps * size

    return work


def stepped(ruleset: str, seats: Any, size: int, *, door: str = "checked") -> Callable[[], int]:
    """The same stepped from Python; actions are recorded beforehand, so only steps are timed.

    door: `checked`, `check=False`, or `no checks at all`, which calls the kernel
    """
    batch: Batch = family_of(ruleset).Batch(ruleset, seats, size, seed=1)
    batch.random_steps(WARM_UP)
    start = batch.state_dict()
    rng = np.random.default_rng(0)
    script = []
    for _ in range(200):
        # The n-th legal action of each row, n uniform.
        order = np.cumsum(batch.mask, axis=1)
        nth = rng.integers(batch.legal) + 1
        script.append((order >= nth[:, None]).argmax(axis=1))
        batch.step(script[-1])
    doors: dict[str, Callable[[np.ndarray], object]] = {
        "checked": batch.step,
        "check=False": partial(batch.step, check=False),
        "no checks at all": lambda actions: batch._run(
            batch.kernels.step, actions, batch._first, batch._buffers, batch.options
        ),
    }
    play = doors[door]

    def work() -> int:
        batch.load_state_dict(start, check=False)
        for actions in script:
            play(actions)
        return len(script) * size

    return work


if __name__ == "__main__":
    main(__doc__, tables)
