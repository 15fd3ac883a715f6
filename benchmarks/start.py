"""How long it takes until something is played: importing, compiling, the first environment.

    python -m benchmarks.start [--json]

Seconds of fresh processes by the clock, the interpreter's own start included: medians of five, of
three where kernels are compiled. Beside a busy program they are too high.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from benchmarks.table import Table, in_rows, main

ROOT = Path(__file__).resolve().parent.parent
WARM, COLD = 5, 3

IMPORT = "import sorry_env"
FIRST_ENV = """
import sorry_env
env = sorry_env.env("classic")
env.reset(seed=1)
observation = env.last()[0]
env.step(int(observation["action_mask"].argmax()))
"""
BATCH = """
import sorry_env
sorry_env.Batch("classic", size=64).random_steps(100)
"""
#: Other rulesets after the first.
OTHERS = """
import time
import sorry_env
sorry_env.Batch("classic", size=64).random_steps(100)
start = time.perf_counter()
for name in "points fire-and-ice not-sorry way-sorry bump-em teams classic?pawns=2".split():
    sorry_env.Batch(name, size=64).random_steps(100)
print(time.perf_counter() - start)
"""


def tables(seconds: float) -> Iterator[Table]:
    """One table; ``seconds`` does not matter."""
    del seconds
    with tempfile.TemporaryDirectory() as folder:
        cold = (Path(folder) / f"cold-{i}" for i in range(2 * COLD))
        warm = Path(folder) / "warm"
        spend(FIRST_ENV, warm)
        spend(BATCH, warm)
        before = compiled_files(warm)
        others = [float(spend(OTHERS, warm)[1]) for _ in range(WARM)]
        new = compiled_files(warm) - before
        env, batch = "env, reset and a step", "a batch and 100 random steps"
        yield in_rows(
            "Starting, seconds",
            [
                ("python -c pass", times("pass", warm), "Python alone"),
                (IMPORT, times(IMPORT, warm), ""),
                ("first env()", times(FIRST_ENV, warm), env),
                ("first Batch", times(BATCH, warm), batch),
                ("seven more rulesets", others, f"{batch} each; {new} kernels compiled anew"),
                ("first env(), nothing compiled", times(FIRST_ENV, *_some(cold)), env),
                ("first Batch, nothing compiled", times(BATCH, *_some(cold)), batch),
            ],
        )


def _some(cold: Iterator[Path]) -> list[Path]:
    return [next(cold) for _ in range(COLD)]


def times(code: str, *caches: Path) -> list[float]:
    """Seconds of fresh processes, one with each cache, or several with the only one."""
    return [spend(code, cache)[0] for cache in (caches if len(caches) > 1 else caches * WARM)]


def spend(code: str, cache: Path) -> tuple[float, str]:
    """Run code in a fresh interpreter with this cache of kernels; its time and its output."""
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(cache), "PYTHONPATH": str(ROOT)}
    start = time.perf_counter()
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment, check=True, capture_output=True, text=True
    )
    return time.perf_counter() - start, done.stdout


def compiled_files(cache: Path) -> int:
    """How many kernels the cache holds."""
    return sum(1 for _ in cache.rglob("*.nbc"))


if __name__ == "__main__":
    main(__doc__, tables)
