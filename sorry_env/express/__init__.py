"""Sorry! Express, re-issued as Diced!: the dice game, which shares nothing with the board but its
name and colours.

    from sorry_env.express import ExpressGame, express_v0

    game = ExpressGame(3, seed=7)
    env = express_v0.env(seats=3)

What is its own, in the order to read it: `rules.py` (the dice as data), `state.py` (a game as one
record), `tables.py` (actions and observation), `turn.py`, `single.py`, `batch.py` (the kernels),
`view.py`, `audit.py`, `game.py`, `notation.py`, `bots.py`, `env.py`, `scene.py`, `ansi.py`.

What it has in common with the board game, from where it is taken:

- `engine/jit.py`, `engine/rng.py`: how kernels are compiled, the random numbers of a record
- `engine/batch.py`: `Batch`, of which `ExpressBatch` changes nothing but the kernels
- `engine/observe.py`: fields of an observation, one-hot vectors
- `playing.py`: `play`, `undo`, `copy` and what an illegal move is told; `view.Outcome`
- `notation/record.py`: game records
- `bots/`: `Bot`, the random bot as it is, `Dice`, how bots are named
- `envs/`: the PettingZoo environment, of which `ExpressEnv` changes what a game is and looks like
- `arena/`: matches and their results
- `render/`: the shapes, and the painters of SVG and pixels
- `families.py`: how the command line finds either game by the ruleset's name

The names below load what they need when they are first used.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sorry_env.express import express_v0
    from sorry_env.express.batch import ExpressBatch
    from sorry_env.express.game import ExpressGame
    from sorry_env.express.notation import read, write
    from sorry_env.express.view import ExpressMove, ExpressView

_NAMES = {
    "ExpressBatch": "sorry_env.express.batch",
    "ExpressGame": "sorry_env.express.game",
    "ExpressMove": "sorry_env.express.view",
    "ExpressView": "sorry_env.express.view",
    "read": "sorry_env.express.notation",
    "write": "sorry_env.express.notation",
}

__all__ = [
    "ExpressBatch",
    "ExpressGame",
    "ExpressMove",
    "ExpressView",
    "express_v0",
    "read",
    "write",
]


def __getattr__(name: str) -> Any:
    if name == "express_v0":
        return importlib.import_module("sorry_env.express.express_v0")
    if name not in _NAMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(_NAMES[name]), name)
