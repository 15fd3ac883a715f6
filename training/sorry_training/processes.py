"""Several processes that train one policy together, as ``torchrun`` starts them.

Each process plays its part of the run's shards and learns from its own decisions; gradients are
added up over all of them before each step, so all hold the same weights at all times.  A process
alone is a group of one: ``ppo.py`` knows no difference.
Read before: ``workers.py``.  Read next: ``ppo.py``.
"""

from __future__ import annotations

import importlib
import os
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NoReturn, TypeVar

import torch
from torch import Tensor, distributed

from sorry_env.errors import ConfigError, SorryError

T = TypeVar("T")


class LostProcessError(SorryError):
    """Another process of the group has gone, or cannot be reached; ``value`` is our own rank."""

    code = "lost_process"


class TerminatedError(KeyboardInterrupt):
    """The process was sent SIGTERM; torchrun does that to all others when one is lost."""


class Processes:
    """A group of processes; every method but the properties must be called by all of them.

    rank: our number, 0 ... size - 1; the first writes files and talks
    size: how many there are
    """

    def __init__(self, rank: int = 0, size: int = 1) -> None:
        self.rank = rank
        self.size = size

    @property
    def first(self) -> bool:
        """Whether this process is the one that writes files and talks."""
        return self.rank == 0

    def part_of(self, shards: int) -> range:
        """Our share of the numbers 0 ... shards - 1."""
        if shards % self.size:
            raise ConfigError(f"shards: {shards} cannot be dealt out evenly to {self.size} "
                              "processes; choose a multiple", value=shards)  # fmt: skip
        each = shards // self.size
        return range(self.rank * each, (self.rank + 1) * each)

    def sum(self, tensor: Tensor) -> Tensor:
        """The sum of all processes' tensors of one shape, the same bytes in each process."""
        if self.size == 1:
            return tensor
        total = tensor.detach().clone()
        self._together(lambda: distributed.all_reduce(total))
        return total

    def gather(self, value: list[T]) -> list[T]:
        """All processes' lists joined in the order of the ranks; empty but for the first one."""
        if self.size == 1:
            return value
        parts: list[Any] = [None] * self.size
        self._together(lambda: distributed.gather_object(value, parts if self.first else None))
        return [item for part in parts for item in part] if self.first else []

    def share(self, value: T) -> T:
        """The first process's value, for all."""
        if self.size == 1:
            return value
        box: list[Any] = [value if self.first else None]
        self._together(lambda: distributed.broadcast_object_list(box))
        result: T = box[0]
        return result

    def _together(self, call: Callable[[], object]) -> None:
        try:
            call()
        except RuntimeError as error:  # all that torch.distributed raises is one
            raise LostProcessError(
                f"process {self.rank} of {self.size} lost the others: "
                f"{str(error).strip().splitlines()[0]}",
                value=self.rank,
            ) from error


def variance(values: Tensor, processes: Processes) -> tuple[float, float]:
    """Mean and variance of all processes' ``values`` [N] together, in double precision."""
    values = values.double()
    counted = torch.stack((torch.tensor(float(len(values))), values.sum().cpu()))
    count, total = processes.sum(counted).tolist()
    mean = total / max(1.0, count)
    squares = processes.sum((values - mean).square().sum().cpu())
    return mean, float(squares) / max(1.0, count)


@contextmanager
def heed_sigterm() -> Iterator[None]:
    """Raise TerminatedError where SIGTERM would end the process without a word.

    In a thread that is not the main one, which gets no signals, it changes nothing.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def stop(number: int, frame: object) -> NoReturn:
        raise TerminatedError

    before = signal.signal(signal.SIGTERM, stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


@contextmanager
def join_group(device: str = "cpu") -> Iterator[Processes]:
    """The group that the environment speaks of (``RANK``, ``WORLD_SIZE``, as torchrun sets them).

    device: gradients on a GPU are added up by nccl, those on the CPU by gloo.
    Raises LostProcessError where the others do not come.
    """
    size = int(os.environ.get("WORLD_SIZE", "1"))
    if size == 1:
        yield Processes()
        return
    rank = int(os.environ["RANK"])
    # Any optimiser imports this at its first step.  Imported inside a group it keeps the group,
    # whose threads then outlive it and at times abort the interpreter at its end.
    importlib.import_module("torch._dynamo")
    backend = "gloo"
    if device == "cuda":
        backend = "cpu:gloo,cuda:nccl"
        torch.cuda.set_device(int(os.environ.get("LOCAL_RANK", rank)))
    try:
        distributed.init_process_group(backend)
    except (RuntimeError, ValueError) as error:
        raise LostProcessError(f"process {rank} of {size} finds no group: {error}",
                               value=rank) from error  # fmt: skip
    try:
        yield Processes(rank, size)
    finally:
        distributed.destroy_process_group()
