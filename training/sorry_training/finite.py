"""Guards against numbers that are not finite (NaN, infinity) in losses, gradients and weights.

A run that has produced one cannot recover: every later loss is NaN, too. It stops at the first.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from sorry_env.errors import ModelError, SorryError
from sorry_training.config import PPOConfig

#: Parts of a run's state that must be finite, see `Run.state_dict`.
LEARNED = ("net", "average", "optimiser", "pool")


class DivergedError(SorryError):
    """Training has produced a number that is not finite; ``value`` names the quantity."""

    code = "diverged"


def all_finite(tensors: Iterable[Tensor]) -> bool:
    """Whether every number in the tensors is finite; one pass over each, without a copy."""
    ends = [end for tensor in tensors if tensor.numel() for end in tensor.detach().aminmax()]
    return not ends or bool(torch.stack(ends).isfinite().all())


def first_not_finite(tensors: Iterable[tuple[str, Tensor]]) -> str | None:
    """The name of the first tensor with a number that is not finite, and the number; or None."""
    for name, tensor in tensors:
        bad = tensor.detach().flatten()
        bad = bad[~bad.isfinite()]
        if len(bad):
            return f"{name} ({len(bad)} of {tensor.numel()} numbers, the first is {bad[0].item()})"
    return None


def check_step(net: nn.Module, names: Sequence[str], figures: Tensor) -> None:
    """Raise DivergedError if a loss or gradient is not finite; before the optimizer's step.

    figures: float32[len(names)], the losses and last the norm of the gradients, which is finite
             only if every gradient is
    """
    if bool(figures.isfinite().all()):
        return
    wrong = first_not_finite((f"weights {name}", p) for name, p in net.named_parameters())
    values = dict(zip(names, figures.tolist(), strict=True))
    if wrong is None:
        losses = [name for name in names[:-1] if not math.isfinite(values[name])]
        wrong = f"{losses[0]} ({values[losses[0]]})" if losses else None
    if wrong is None:
        wrong = first_not_finite(
            (f"gradient of {name}", p.grad) for name, p in net.named_parameters()
            if p.grad is not None
        )  # fmt: skip
    wrong = wrong or f"{names[-1]} ({values[names[-1]]})"
    raise DivergedError(f"not a finite number: {wrong}", value=wrong)


def check_update(nets: Mapping[str, nn.Module], row: Mapping[str, float]) -> None:
    """Raise DivergedError if a weight or a figure of a finished update is not finite."""
    for what, net in nets.items():
        if not all_finite(net.parameters()):
            wrong = first_not_finite((f"{what} {name}", p) for name, p in net.named_parameters())
            raise DivergedError(f"not a finite number: {wrong}", value=wrong)
    for name, value in row.items():
        if not math.isfinite(value):
            raise DivergedError(f"not a finite number: {name} ({value})", value=name)


def check_outputs(*outputs: np.ndarray) -> None:
    """Raise DivergedError if an output of a network, in positions that are played, is not finite.

    Finite weights may be so large that sums of them overflow.
    """
    for output in outputs:
        if not np.isfinite(output).all():
            raise DivergedError("not a finite number: an output of the network", value="output")


def check_state(state: Mapping[str, Any], what: str) -> None:
    """Raise ModelError if a run's state holds learned numbers that are not finite.

    what: the file or the network that is spoken of
    """
    tensors = list(_tensors({key: state[key] for key in LEARNED if key in state}, ""))
    if not all_finite(tensor for _, tensor in tensors):
        wrong = first_not_finite(tensors)
        raise ModelError(f"{what} holds numbers that are not finite: {wrong}", value=wrong)


def advice(config: PPOConfig) -> str:
    """What to change in the settings of a run that has diverged."""
    hints = [f"a smaller learning_rate (now {config.learning_rate:g})",
             f"a smaller gradient_norm (now {config.gradient_norm:g})"]  # fmt: skip
    if config.adam_epsilon < 1e-5:
        hints.insert(0, f"a larger adam_epsilon (now {config.adam_epsilon:g})")
    if config.precision != "float32":
        hints.append("precision=float32")
    return f"start a new run with {', '.join(hints[:-1])} or {hints[-1]}"


def _tensors(value: Any, name: str) -> Iterator[tuple[str, Tensor]]:
    """All tensors of floating-point numbers in nested dicts and lists, with their names."""
    if isinstance(value, Tensor):
        if value.is_floating_point():
            yield name, value
    elif isinstance(value, Mapping):
        for key, item in value.items():
            yield from _tensors(item, f"{name} {key}".strip())
    elif isinstance(value, (list, tuple)):
        for index, item in enumerate(value):
            yield from _tensors(item, f"{name} {index}".strip())
