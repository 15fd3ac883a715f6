"""Speed of the batch engine beside OpenSpiel's nearest relative of this game.

    python -m benchmarks.engine [--seconds 2.5] [--json]

A decision is a uniform random legal action chosen and played, chance, observation and mask made,
rewards written, ended games begun anew. Rates by processor time of one thread, medians of five
slices taken in turns; threads by elapsed time. Needs `pip install -e '.[bench]'` for the peer.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np

from benchmarks.peers import open_spiel, open_spiel_inside
from benchmarks.table import Case, Table, Work, compare, main, optional
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


def stepped(ruleset: str, seats: Any, size: int) -> Work:
    """The same stepped from Python; actions are recorded beforehand, so only `step` is timed."""
    batch = family_of(ruleset).Batch(ruleset, seats, size, seed=1)
    batch.random_steps(WARM_UP)
    start = batch.state_dict()
    rng = np.random.default_rng(0)
    script = []
    for _ in range(50):
        # The n-th legal action of each row, n uniform.
        order = np.cumsum(batch.mask, axis=1)
        nth = rng.integers(batch.legal) + 1
        script.append((order >= nth[:, None]).argmax(axis=1).astype(np.int32))
        batch.step(script[-1])

    def work() -> int:
        batch.load_state_dict(start)
        for actions in script:
            batch.step(actions)
        return len(script) * size

    return work


if __name__ == "__main__":
    main(__doc__, tables)
