"""One number for everything that the engine computes in a few games, however it is run.

`python -m tests.engine.digest SEED STEPS` prints a digest of all records, observations, masks and
rewards for a list of rulesets. Compiled and as plain Python (NUMBA_DISABLE_JIT=1) it must print the
same; `test_modes.py` compares the two.
"""

from __future__ import annotations

import hashlib
import json
import sys
from typing import Any

import numpy as np

from sorry_env.engine.afterstate import expand
from sorry_env.engine.batch import Batch
from tests.engine.support import pick

#: Ruleset, seats, and settings of the batch.
RUNS: tuple[tuple[str, Any, dict[str, Any]], ...] = (
    ("classic", "red,yellow", {}),
    ("classic", "blue,yellow,green", {"first": "random", "max_plies": 40}),
    ("classic?play_out=true&pawns=1", 4, {"reward": "rank", "skip_forced": True}),
    ("quick?switch_slides=both", "red,green", {"skip_forced": True, "max_plies": 50}),
    ("teams", None, {}),
    ("duel-1", None, {"skip_forced": True}),
    ("duel-2?switch_slides=none", "yellow,green", {}),
    ("solo?pawns=1", "green", {"first": "green"}),
    ("points", "red,yellow", {"reward": "points", "max_plies": 60}),
    ("points-1939?deck=2.2.1.1.1.1.1.1.2.1.2&hand=3", 4, {"first": "random", "skip_forced": True}),
    ("teams?hand=5", None, {"max_plies": 90}),
    ("fire-and-ice", 4, {}),
    ("fire-and-ice?pawns=2&play_out=true", "red,yellow", {"reward": "rank", "skip_forced": True}),
    ("not-sorry?questions=20", 3, {"max_plies": 50}),
    ("not-sorry?answers=player&pawns=2&questions=30", "blue,green", {"skip_forced": True}),
    ("bump-em?pawns=2", 4, {}),
    ("way-sorry", 3, {"skip_forced": True}),
    ("classic?deck=1.1.0.0.0.1.0.0.1.0.1", [(0, 1), (0, 1, 3), (1, 2, 3)], {"first": "random"}),
)


def digest_of(name: str, seats: Any, settings: dict[str, Any], seed: int, steps: int) -> str:
    """Digest of a batch of three games over so many steps."""
    batch = Batch(name, seats, 3, seed=seed, **settings)
    sha = hashlib.sha256()
    for step in range(steps):
        sha.update(batch.games.tobytes())
        for array in batch.buffers[:-1]:  # all but the scratch
            sha.update(array.tobytes())
        if step % 8 == 0:
            after, rows, actions = expand(batch.tables, batch.games, batch.mask)
            sha.update(after.tobytes() + rows.tobytes() + actions.tobytes())
        if step % 3 == 2:
            sha.update(str(batch.random_steps(1)).encode())
        else:
            batch.step(pick(batch.mask, step))
    return sha.hexdigest()


def digests(seed: int, steps: int) -> list[str]:
    """One digest for each of `RUNS`."""
    return [digest_of(name, seats, settings, seed, steps) for name, seats, settings in RUNS]


def main() -> None:
    """Print the digests of the seed and the number of steps given as arguments."""
    seed, steps = map(int, sys.argv[1:])
    print(json.dumps({"numpy": np.__version__, "digests": digests(seed, steps)}))


if __name__ == "__main__":
    main()
