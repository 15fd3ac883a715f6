"""The error for an illegal action in a row of a batch: row, action, label and position.

Read `position_writer.py` before and `batch.py` after this file.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from sorry_env.engine.position_writer import write_position
from sorry_env.errors import MoveError


def illegal_action(
    tables: Any, state: np.ndarray, mask: np.ndarray, row: int, action: int
) -> MoveError:
    """The error for an action that is not legal in a row of a batch.

    tables: the compiled rules; state: an array of the row's record; mask: bool[A], what is legal
    """
    position = write_position(tables, state)
    if not 0 <= action < tables.num_actions:
        text = f"row {row}: action {action} must be from 0 to {tables.num_actions - 1}"
        return MoveError(f"{text}; the position is {position}", value=action)
    labels = tables.labels
    some = np.flatnonzero(mask).tolist()
    listed = ", ".join(f"{a} ({labels[a]})" for a in some[:8])
    more = f" and {len(some) - 8} more" if len(some) > 8 else ""
    return MoveError(
        f"row {row}: action {action} ({labels[action]}) is not legal in {position}; legal are "
        f"{listed}{more}",
        value=action,
    )
