"""What people see of a run while it goes on: a bar on a terminal, and lines."""

from __future__ import annotations

import sys
from types import TracebackType
from typing import Any, Self

from sorry_env.cli.terminal import is_terminal, say
from sorry_training.packages import is_installed


class Progress:
    """A progress bar on standard error, and lines on standard output; use it in a ``with``.

    total, done: the budget of decisions, and what is done already
    quiet:       show neither
    """

    def __init__(self, total: int, done: int, quiet: bool = False) -> None:
        self.quiet = quiet
        self._bar: Any = None
        if not quiet and is_terminal(sys.stderr) and is_installed("tqdm"):
            from tqdm import tqdm

            self._bar = tqdm(
                total=total, initial=done, unit=" decisions", unit_scale=True, dynamic_ncols=True
            )

    def advance(self, decisions: int) -> None:
        """Count decisions that were taken."""
        if self._bar is not None:
            self._bar.update(decisions)

    def tell(self, line: str) -> None:
        """Show a line. If standard output takes none, the run goes on without it."""
        if self.quiet:
            return
        try:
            if self._bar is None:
                print(line, flush=True)
            else:
                self._bar.write(line)
                sys.stdout.flush()
        except OSError as error:
            self.quiet = True
            say(f"standard output: {error.strerror or error}; the run goes on without it")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if self._bar is not None:
            self._bar.close()
