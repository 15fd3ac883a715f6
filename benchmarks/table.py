"""What the benchmarks share: cases measured in turns, rows of figures, tables in words or as JSON.

A script here has a function ``tables(seconds)`` that yields tables; `main` makes a command line of
it, and `run.py` puts all of them together.
"""

from __future__ import annotations

import argparse
import importlib.metadata
import json
import statistics
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from sorry_env.speed import SLICES, Rate, machine, versions

#: Does some of the work; returns how many units it was and, where it knows better than the clock
#: around it, how many seconds of processor time they took.
Work = Callable[[], int | tuple[int, float]]
#: Packages whose versions are named where they are installed.
PACKAGES = (
    "numba", "numpy", "gymnasium", "pettingzoo", "open_spiel", "rlcard", "pgx", "jax", "torch",
    "onnxruntime",
)  # fmt: skip


class Case(NamedTuple):
    """Something to measure: its name, the work (None where it is not installed), what is in it."""

    what: str
    work: Work | None
    note: str = ""


class Row(NamedTuple):
    """A line of a table; ``ratio`` is the median by that of the table's first row."""

    what: str
    rate: Rate | None
    ratio: float | None
    note: str


class Table(NamedTuple):
    """Rows with a title that says the unit."""

    title: str
    rows: list[Row]


def compare(title: str, cases: Sequence[Case], seconds: float, *, wall: bool = False) -> Table:
    """Measure cases in turns, each for ``seconds`` in all: medians of five slices.

    wall: by elapsed instead of processor time, for what runs on several threads
    """
    rates: list[list[float]] = [[] for _ in cases]
    for case in cases:
        if case.work:
            case.work()  # compiles and loads
    for _ in range(SLICES):
        for case, found in zip(cases, rates, strict=True):
            if case.work:
                found.append(rate(case.work, seconds / SLICES, wall=wall))
    return in_rows(title, [(c.what, found, c.note) for c, found in zip(cases, rates, strict=True)])


def rate(work: Work, seconds: float, *, wall: bool = False) -> float:
    """Units a second, over at least so many seconds."""
    clock = time.perf_counter if wall else time.process_time
    units, spent = 0, 0.0
    while spent < seconds:
        begun = clock()
        done = work()
        if isinstance(done, tuple):
            units, spent = units + done[0], spent + done[1]
        else:
            units, spent = units + done, spent + clock() - begun
    return units / spent


def in_rows(title: str, measured: Iterable[tuple[str, list[float], str]]) -> Table:
    """The table of figures measured elsewhere: name, repeats (none: not measured) and note."""
    rows: list[Row] = []
    for what, values, note in measured:
        if not values:
            rows.append(Row(what, None, None, note))
            continue
        middle = statistics.median(values)
        base = next((row.rate.median for row in rows if row.rate), middle)
        rows.append(Row(what, Rate(middle, min(values), max(values)), middle / base, note))
    return Table(title, rows)


def optional(what: str, make: Callable[[], Work], note: str) -> Case:
    """A case of somebody else's program; where that is not installed the row says so."""
    try:
        return Case(what, make(), note)
    except ImportError as error:
        return Case(what, None, f"not installed: {error.name or error}")


def main(doc: str, tables: Callable[[float], Iterator[Table]], seconds: float = 2.5) -> None:
    """The command line of a script."""
    parser = argparse.ArgumentParser(description=doc.splitlines()[0])
    parser.add_argument(
        "--seconds", type=float, default=seconds, help=f"for each row (default: {seconds})"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    arguments = parser.parse_args()
    head = {"machine": machine(), "versions": versions(*installed())}
    if arguments.json:
        found = [as_json(table) for table in tables(arguments.seconds)]
        print(json.dumps({**head, "tables": found}))
        return
    print("machine:", head["machine"])
    print("versions:", ", ".join(f"{name} {text}" for name, text in versions(*installed()).items()))
    for table in tables(arguments.seconds):
        print(in_words(table), flush=True)


def installed(packages: Sequence[str] = PACKAGES) -> list[str]:
    """Those of some packages that are there."""
    found = {name.lower().replace("-", "_") for name in _distributions()}
    return [name for name in packages if name.replace("-", "_") in found]


def _distributions() -> Iterator[str]:
    return (distribution.name for distribution in importlib.metadata.distributions())


def in_words(table: Table) -> str:
    """A table for people."""
    lines = [f"\n{table.title:<56} {'median':>12} {'low':>12} {'high':>12} {'ratio':>7}"]
    for row in table.rows:
        note = f"  {row.note}" if row.note else ""
        if row.rate is None:
            lines.append(f"  {row.what:<54} {'-':>12} {'-':>12} {'-':>12} {'-':>7}{note}")
            continue
        figures = " ".join(f"{figure(value):>12}" for value in row.rate)
        lines.append(f"  {row.what:<54} {figures} {row.ratio:>7.2f}{note}")
    return "\n".join(lines)


def figure(value: float) -> str:
    """A number for people: whole from a hundred on, three digits below."""
    return f"{value:,.0f}" if value >= 100 else f"{value:#.3g}"


def as_json(table: Table) -> dict[str, Any]:
    """A table for programs."""
    rows = [
        {"what": row.what, **(row.rate._asdict() if row.rate else {}), "ratio": row.ratio,
         "note": row.note}
        for row in table.rows
    ]  # fmt: skip
    return {"title": table.title, "rows": rows}
