"""Threads that work on the shards of a run side by side.

Each shard's arithmetic runs on one thread, whichever it is, and results come back in the order of
the shards: what is computed does not depend on the number of threads.  And a busy machine only
makes it slower: no thread spins waiting for another, as torch's own would within each operation.
Read before: ``rollout.py``.  Read next: ``ppo.py``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from types import TracebackType
from typing import Any, Self, TypeVar

import torch

R = TypeVar("R")


class Workers:
    """A number of threads; use it in a ``with`` statement."""

    def __init__(self, threads: int) -> None:
        torch.set_num_threads(1)  # also what a thread takes over that is started from here
        self._threads = (
            None
            if threads == 1
            else ThreadPoolExecutor(threads, initializer=torch.set_num_threads, initargs=(1,))
        )

    def map(self, function: Callable[..., R], *arguments: Iterable[Any]) -> list[R]:
        """``[function(*each) for each in zip(*arguments)]``, side by side.

        The first exception of any of the calls is raised here.
        """
        if self._threads is None:
            return list(map(function, *arguments))
        return list(self._threads.map(function, *arguments))

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if self._threads is not None:
            self._threads.shutdown(cancel_futures=True)
