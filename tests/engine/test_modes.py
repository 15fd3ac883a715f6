"""One source, two ways to run: compiled kernels and plain Python give the same bytes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import numba
import pytest

from tests.engine.digest import RUNS, digests
from tests.engine.support import COMPILED

ROOT = Path(__file__).parents[2]
SEED, STEPS = 11, 300


@pytest.mark.skipif(not COMPILED, reason="both sides would be plain Python")
def test_compiled_equals_plain_python() -> None:
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, "-m", "tests.engine.digest", str(SEED), str(STEPS)],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    plain = json.loads(done.stdout)["digests"]
    for run, ours, theirs in zip(RUNS, digests(SEED, STEPS), plain, strict=True):
        assert ours == theirs, f"compiled and plain Python differ in {run}"


def test_the_digest_notices_the_seed() -> None:
    assert len({*digests(1, 6), *digests(2, 6)}) == 2 * len(RUNS)


def test_this_run_is_in_the_mode_asked_for() -> None:
    assert bool(os.environ.get("NUMBA_DISABLE_JIT", "0") != "0") == (not COMPILED)
    assert bool(numba.config.BOUNDSCHECK) == (os.environ.get("NUMBA_BOUNDSCHECK", "0") != "0")
