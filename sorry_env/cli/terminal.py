"""What commands may do to their terminal: colours, progress, messages."""

from __future__ import annotations

import contextlib
import os
import sys
from typing import TextIO

from sorry_env.terminal import terminal_text


def use_colour(*, plain: bool = False) -> bool:
    """Whether standard output gets colours.

    The first that applies decides: ``plain`` (the option --plain), NO_COLOR (none, if it is not
    empty), FORCE_COLOR (colours), TERM=dumb (none), and then whether it is a terminal.
    """
    if plain or os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return True
    return is_terminal(sys.stdout)


def is_terminal(stream: TextIO) -> bool:
    """Whether a stream is a terminal on which a line can be written over."""
    return os.environ.get("TERM") != "dumb" and stream.isatty()


def say(words: str) -> None:
    """Write a line to standard error; control characters in it become visible escapes.

    If that cannot be written, nothing is left to tell anybody.
    """
    with contextlib.suppress(OSError):
        print(terminal_text(words, keep="\n"), file=sys.stderr, flush=True)
