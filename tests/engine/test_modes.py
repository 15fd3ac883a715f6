"""One source, two ways to run: compiled kernels and plain Python give the same bytes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import numba
import pytest

from sorry_env.engine import single
from sorry_env.engine.batch import Batch
from sorry_env.engine.geometry import NOWHERE, counted
from sorry_env.engine.results import record_finish
from sorry_env.engine.state import HOME, empty_games
from sorry_env.engine.tables import compile_rules
from sorry_env.game import Game
from sorry_env.rules import EDITIONS
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


def test_what_has_no_entry_from_python_runs_as_it_is_written() -> None:
    # A helper and an inner function; compiled ones without an entry would end the process.
    assert counted(5, 3) == 8 and counted(2, -4) == 58 and counted(64, 3) == NOWHERE
    tables = compile_rules("classic")
    games = empty_games(1)
    games["pawns"][0, [0, 2]] = [[60, 5, 0, 0], [2, 0, 0, 0]]
    assert not record_finish(tables.arrays.facts[0], games[0])
    games["pawns"][0, 0] = HOME
    assert record_finish(tables.arrays.facts[0], games[0])
    assert games["ranks"][0].tolist() == [1, 0, 0, 0]


@pytest.mark.skipif(not COMPILED, reason="plain Python compiles nothing")
def test_another_ruleset_compiles_nothing_new() -> None:
    def play(name: str) -> list[int]:
        batch = Batch(name, None, 2, seed=1)
        batch.random_steps(20)
        batch.step(batch.mask.argmax(axis=1))
        batch.afterstates()
        game = Game(name, seed=1)
        for _ in range(20):
            game.play(int(game.legal_actions()[0]))
        kernels = [value for value in vars(single).values() if hasattr(value, "overloads")]
        return [len(kernel.overloads) for kernel in [*kernels, *batch.kernels]]

    first = play("classic")
    assert sum(first) > 0
    for name in EDITIONS:
        assert play(name) == first, name
