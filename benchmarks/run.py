"""All benchmarks in one run: the engine and the environments beside their peers.

    python -m benchmarks.run [--seconds 2.5] [--json]

Rates are medians of five slices with the lowest and the highest, by processor time of one core
unless a title says otherwise. On a busy machine the starting times and the two threads suffer.
`pip install -e '.[bench]'` installs the peers.
"""

from __future__ import annotations

from collections.abc import Iterator

from benchmarks import engine, envs, kernels, peers, start
from benchmarks.table import Table, in_rows, main
from sorry_env.engine.batch import Batch
from sorry_env.families import EXPRESS


def tables(seconds: float) -> Iterator[Table]:
    """The tables of all scripts."""
    for script in (engine, envs, peers, kernels, start):
        yield from script.tables(seconds)
    yield in_rows(
        "A game's record, bytes",
        [
            ("all editions of the board game", [Batch().games.itemsize], "one dtype for all"),
            ("express", [EXPRESS.Batch("express").games.itemsize], ""),
        ],
    )


if __name__ == "__main__":
    main(__doc__, tables)
