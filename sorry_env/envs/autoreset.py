"""When the games of a vector environment that have ended begin anew.

Read `vector.py` after this file.
"""

from __future__ import annotations

from enum import Enum
from typing import Any

import numpy as np

from sorry_env.errors import RequestError

__all__ = ["AutoresetMode", "check_rows", "read_mode"]

try:
    from gymnasium.vector import AutoresetMode
except ImportError:  # gymnasium 1.0 has one mode, the first, and no name for it

    class AutoresetMode(Enum):  # type: ignore[no-redef]
        """As gymnasium has it from 1.1 on."""

        NEXT_STEP = "NextStep"
        SAME_STEP = "SameStep"
        DISABLED = "Disabled"


def read_mode(mode: Any) -> AutoresetMode:
    """A mode out of itself or its value; RequestError for anything else."""
    try:
        return AutoresetMode(mode)
    except ValueError:
        known = ", ".join(repr(one.value) for one in AutoresetMode)
        raise RequestError(f"autoreset_mode={mode!r} must be one of {known}", value=mode) from None


def check_rows(rows: Any, count: int) -> np.ndarray:
    """The rows bool[B] of a ``reset_mask``, a copy; all of them without one.

    Raises RequestError for anything but a bool[count] with a True in it.
    """
    if rows is None:
        return np.ones(count, np.bool_)
    mask = np.asarray(rows)
    if mask.shape != (count,) or mask.dtype != np.bool_ or not mask.any():
        raise RequestError(
            f"reset_mask must be bool[{count}] with a True in it, not {mask.dtype} of shape "
            f"{mask.shape}",
            value=rows,
        )
    return mask.copy()
