"""How fast the batch engine plays: the measurement behind `sorry bench` and `benchmarks/`.

A figure is the median of five slices with the lowest and the highest. Two clocks are read: elapsed
time, which is what a user waits, and processor time, which other programs disturb least.
"""

from __future__ import annotations

import importlib.metadata
import math
import platform
import statistics
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, NamedTuple

from sorry_env.errors import RequestError
from sorry_env.families import family_of
from sorry_env.rules import Ruleset
from sorry_env.version import __version__

SLICES: Final = 5
#: What one decision of `batch_speed` contains.
INCLUDED: Final = (
    "uniform random legal action",
    "chance",
    "observation",
    "action mask",
    "rewards",
    "automatic reset",
)
#: Decisions of each game before the clock starts: past the openings, to the usual mixture.
WARM_UP: Final = 300


class Rate(NamedTuple):
    """Units a second: the median of the slices, the lowest and the highest."""

    median: float
    low: float
    high: float


class Measured(NamedTuple):
    """What `measure` found.

    units: counted in all slices together; wall, cpu: units a second of elapsed and of processor
    time
    """

    units: int
    wall: Rate
    cpu: Rate


def measure(work: Callable[[], int], seconds: float, slices: int = SLICES) -> Measured:
    """Run ``work`` for about ``seconds`` in all; it returns how many units it did."""
    if not 0 < seconds < math.inf:
        raise RequestError(f"seconds={seconds} must be a finite number above 0", value=seconds)
    total = 0
    walls, cpus = [], []
    for _ in range(slices):
        units = 0
        cpu = time.process_time()
        start = time.perf_counter()
        while True:
            units += work()
            elapsed = time.perf_counter() - start
            if elapsed >= seconds / slices:
                break
        walls.append(units / elapsed)
        cpus.append(units / (time.process_time() - cpu))
        total += units
    return Measured(total, _rate(walls), _rate(cpus))


def _rate(values: list[float]) -> Rate:
    return Rate(statistics.median(values), min(values), max(values))


def batch_speed(
    ruleset: Ruleset | str = "classic",
    seats: Any = None,
    *,
    size: int = 1024,
    threads: int = 1,
    seconds: float = 5.0,
) -> dict[str, Any]:
    """Random play inside the batch engine, as JSON-ready figures.

    seats: a number or colours, as everywhere; size: games in the batch. Compiling and the first
    decisions of every game are not measured.
    """
    family = family_of(ruleset)
    batch = family.Batch(ruleset, seats, size, seed=1, threads=threads)
    batch.random_steps(WARM_UP)
    games = 0
    # Some milliseconds between two looks at the clock, whatever the size.
    steps = max(16, 20_000 // size)

    def work() -> int:
        nonlocal games
        games += batch.random_steps(steps)
        return steps * size

    found = measure(work, seconds)
    return {
        "decisions_per_second": round(found.wall.median),
        "low": round(found.wall.low),
        "high": round(found.wall.high),
        "decisions_per_cpu_second": round(found.cpu.median),
        "decisions": found.units,
        "games": games,
        "ruleset": batch.tables.ruleset.name,
        "seats": [family.seat_names[seat] for seat in batch.seats[0]],
        "batch": size,
        "threads": threads,
        "seconds": seconds,
        "slices": SLICES,
        "included": list(INCLUDED),
        "bytes_per_game": batch.games.itemsize,
        "versions": versions("numba", "numpy"),
        "machine": machine(),
    }


def versions(*packages: str) -> dict[str, str]:
    """The versions in use: Python, sorry_env and the named packages."""
    found = {"python": platform.python_version(), "sorry_env": __version__}
    return found | {name: importlib.metadata.version(name) for name in packages}


def machine() -> str:
    """The processor's name where the system tells it, else its architecture."""
    try:
        with Path("/proc/cpuinfo").open(encoding="utf-8") as file:
            names = [line.split(":")[1].strip() for line in file if line.startswith("model name")]
    except OSError:
        names = []
    name = names[0] if names else platform.processor() or platform.machine()
    return f"{name}, {len(names)} processors" if names else name
