"""Positions in words, for error messages of the engine.

The engine cannot write a position: notation is a layer above it. `sorry_env/__init__.py`, which is
imported before anything in the package, registers the function that can. Imports nothing, so that
`import sorry_env` stays quick.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

#: (compiled rules, array of one record) -> the position's line.
Writer = Callable[[Any, Any], str]


def _write_record(tables: Any, state: Any) -> str:
    """The record itself, where no writer is registered."""
    return f"{tables.ruleset.name}, record {state[0]}"


_writer: list[Writer] = [_write_record]


def register_position_writer(writer: Writer) -> None:
    """Set the function that writes positions from now on."""
    _writer[:] = [writer]


def write_position(tables: Any, state: Any) -> str:
    """The position of an array of one record, in the notation of its game."""
    return _writer[0](tables, state)
