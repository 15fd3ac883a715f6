"""Pictures of the games of a vector environment: now, or all since they were last asked for.

Read `vector.py` after this file.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from sorry_env.engine.batch import Batch
from sorry_env.families import BOARD
from sorry_env.view import View

#: What a picture is: `ansi` text, or `rgb_array` uint8[640, 640, 3].
KINDS: Final = ("ansi", "rgb_array")
_LIST: Final = "_list"
#: Every render mode; ``ansi_list`` and ``rgb_array_list`` collect the pictures of each step.
RENDER_MODES: Final = (*KINDS, *(kind + _LIST for kind in KINDS))


class Frames:
    """The pictures of B games; the lists are those of Gymnasium's `RenderCollection`.

    table: the games
    mode:  one of `RENDER_MODES`
    """

    def __init__(self, table: Batch, mode: str) -> None:
        self._table = table
        self._collects = mode.endswith(_LIST)
        self._draw = BOARD.ansi if mode.removesuffix(_LIST) == "ansi" else BOARD.rgb
        self._frames: list[list[Any]] = [[] for _ in range(table.size)]

    def take(self, begun: np.ndarray, stepped: np.ndarray) -> None:
        """Collect a picture of every row that has begun or made a step, if the mode says so.

        begun, stepped: bool[B]; what was collected of rows that have begun is forgotten
        """
        if not self._collects:
            return
        for row in np.flatnonzero(begun | stepped).tolist():
            if begun[row]:
                self._frames[row].clear()
            self._frames[row].append(self._picture(row))

    def render(self) -> tuple[Any, ...]:
        """A picture of each row, or the list of those collected, which are then forgotten."""
        rows = range(self._table.size)
        if not self._collects:
            return tuple(self._picture(row) for row in rows)
        taken = tuple(self._frames)
        self._frames = [[] for _ in rows]
        return taken

    def _picture(self, row: int) -> Any:
        table = self._table
        return self._draw(View(table.tables, table.games[row : row + 1], None))
