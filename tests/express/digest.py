"""A number for everything that the dice game's kernels compute, however they are run.

`python -m tests.express.digest` prints it; compiled and as plain Python (NUMBA_DISABLE_JIT=1) it
must be the same. `test_engine.py` compares the two.
"""

from __future__ import annotations

import hashlib
from typing import Any

from sorry_env.express import ExpressBatch, ExpressGame
from tests.engine.support import pick

RUNS: tuple[tuple[Any, dict[str, Any]], ...] = (
    (2, {}),
    (3, {"first": "random", "skip_forced": True}),
    (4, {"max_plies": 40}),
    ([(0, 1), (0, 1, 2), (0, 1, 2, 3)], {"first": 1}),
)


def digest(steps: int = 60) -> str:
    """Hash of records and arrays over so many steps of every run, and of one game by itself."""
    sha = hashlib.sha256()
    for seats, settings in RUNS:
        batch = ExpressBatch(seats=seats, size=3, seed=11, **settings)
        for step in range(steps):
            sha.update(batch.games.tobytes())
            for array in batch.buffers[:-1]:  # all but the scratch
                sha.update(array.tobytes())
            if step % 3 == 2:
                sha.update(str(batch.random_steps(1)).encode())
            else:
                batch.step(pick(batch.mask, step))
    game = ExpressGame(3, seed=5)
    while not game.over:
        game.play(int(pick(game.mask()[None], game.plies)[0]))
        sha.update(game.state.tobytes() + repr(game.returns()).encode())
    return sha.hexdigest()


if __name__ == "__main__":
    print(digest())
