"""Load compiled kernels before the runs are forked: a room names this module in `libraries`.

For rooms with `jit = true` whose modules hold no kernels. The kernels are cached in folders named
by a hash of the package (sorry_env/engine/jit.py). The hash is taken here, before a fault is
planted, so that a fault in another file of the package starts no new cache.
"""

from __future__ import annotations

from pathlib import Path

import sorry_env
from sorry_env.engine import batch, jit

_PACKAGE = Path(sorry_env.__file__).parent
_KERNELS = [*sorted(_PACKAGE.iterdir()), _PACKAGE.parent / "training" / "sorry_training"]
for _folder in _KERNELS:
    if _folder.is_dir():
        jit._cache_folder(_folder)

_games = batch.Batch("classic", size=2, seed=1)
_games.reset()
_games.random_steps(10)
_game = sorry_env.Game("classic", seed=1)
for _ in range(10):
    _game.play(int(_game.legal_actions()[0]))
