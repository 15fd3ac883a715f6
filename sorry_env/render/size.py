"""The check of a picture's size, shared by `svg.py` and `rgb.py`."""

from __future__ import annotations

from sorry_env.errors import RequestError

MIN_SIZE = 16
MAX_SIZE = 8192


def check_size(size: int) -> None:
    """Raise RequestError unless a picture can be this many pixels wide and high."""
    if not isinstance(size, int) or not MIN_SIZE <= size <= MAX_SIZE:
        raise RequestError(
            f"picture size {size!r} must be a whole number of pixels, {MIN_SIZE} to {MAX_SIZE}",
            value=size,
        )
