"""Threads with batches of their own, and processes that compile into one empty cache at once."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from sorry_env.engine.batch import Batch
from sorry_env.express.batch import ExpressBatch
from tests.engine.support import COMPILED, pick, size

ROOT = Path(__file__).parents[2]
RULESETS = ("classic", "teams", "points", "fire-and-ice", "not-sorry", "bump-em", "way-sorry")

#: What each process runs: a kind of batch plays, and its records are digested.
PLAYS = """
import hashlib, sys
from sorry_env.engine.batch import Batch
from sorry_env.express.batch import ExpressBatch
express = sys.argv[1] == "express"
batch = ExpressBatch(size=16, seed=3) if express else Batch("classic", 4, 16, seed=3)
batch.random_steps(int(sys.argv[2]))
print(hashlib.sha256(batch.games.tobytes() + batch.mask.tobytes()).hexdigest())
"""


def play(number: int, rounds: int) -> str:
    """Digest of random and of chosen actions in a batch that the number tells."""
    made: Batch
    if number == len(RULESETS):
        made = ExpressBatch(size=32, seed=number)
    else:
        made = Batch(RULESETS[number], None, 32, seed=number)
    sha = hashlib.sha256()
    for step in range(rounds):
        made.random_steps(3)
        made.step(pick(made.mask, step))
        sha.update(made.games.tobytes())
        for array in made.buffers[:-1]:
            sha.update(array.tobytes())
    return sha.hexdigest()


def play_in_threads(rounds: int) -> list[str]:
    """`play` for eight numbers, each in a thread of its own, all begun at once."""
    found = [""] * 8
    begin = threading.Barrier(8)

    def run(number: int) -> None:
        begin.wait()
        found[number] = play(number, rounds)

    threads = [threading.Thread(target=run, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return found


def test_eight_threads_with_batches_of_their_own() -> None:
    rounds = size(40, 2)
    assert play_in_threads(rounds) == [play(number, rounds) for number in range(8)]


@pytest.mark.slow
def test_eight_threads_for_a_minute() -> None:
    rounds = size(300, 2)
    alone = [play(number, rounds) for number in range(8)]
    end = time.monotonic() + 60
    while True:
        assert play_in_threads(rounds) == alone
        if time.monotonic() > end:
            break


@pytest.mark.skipif(not COMPILED, reason="plain Python has no cache")
@pytest.mark.parametrize(
    ("kind", "steps"), [("express", 200), pytest.param("classic", 20_000, marks=pytest.mark.slow)]
)
def test_four_processes_with_one_empty_cache(kind: str, steps: int, tmp_path: Path) -> None:
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path), "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-c", PLAYS, kind, str(steps)]

    def start() -> subprocess.Popen[str]:
        pipe = subprocess.PIPE
        return subprocess.Popen(
            command, cwd=tmp_path, env=environment, stdout=pipe, stderr=pipe, text=True
        )

    together = [start() for _ in range(4)]
    try:
        ended = [process.communicate(timeout=600) for process in together]
    finally:
        for process in together:
            process.kill()
    assert [process.returncode for process in together] == [0] * 4, ended
    assert list(tmp_path.glob("sorry_env/numba-*/**/*.nbi"))
    made: Batch
    made = ExpressBatch(size=16, seed=3) if kind == "express" else Batch("classic", 4, 16, seed=3)
    made.random_steps(steps)
    ours = hashlib.sha256(made.games.tobytes() + made.mask.tobytes()).hexdigest()
    late = start().communicate(timeout=600)  # from the cache that they have left
    assert {out.strip() for out, _ in [*ended, late]} == {ours}
