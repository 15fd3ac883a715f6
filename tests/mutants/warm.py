"""Load compiled kernels before the runs are forked: a room with `jit = true` names this module.

Kernels are cached in folders named by a hash of their package (sorry_env/engine/jit.py). The hash
is taken here, before a fault is planted, for packages whose kernels no compiled room changes: a
fault in another file of such a package then starts no new cache. Faults in express/ and solve/ do.
"""

from __future__ import annotations

from pathlib import Path

import sorry_env
from sorry_env.engine import batch, jit

_PACKAGE = Path(sorry_env.__file__).parent
for _name in ("engine", "bots", "arena"):
    jit._cache_folder(_PACKAGE / _name)

_games = batch.Batch("classic", size=2, seed=1)
_games.reset()
_games.random_steps(10)
_game = sorry_env.Game("classic", seed=1)
for _ in range(10):
    _game.play(int(_game.legal_actions()[0]))
