"""The spaces of every environment, built from the compiled rules: the only place that knows them.

The observation is the int8 vector that `engine/observe.py` documents field by field; the action
space is the ruleset's action table. Read `engine/observe.py` before and `aec.py` after this file.
"""

from __future__ import annotations

import copy
from collections.abc import Sequence
from typing import Any, Protocol, TypeVar

import numpy as np
from gymnasium import spaces

from sorry_env.engine.observe import Field, one_hot_size

#: Profiles of what an agent is shown.
PROFILES = ("dict", "box", "onehot")


class Tables(Protocol):
    """What the spaces are made from: the compiled rules of any game."""

    @property
    def layout(self) -> Sequence[Field]: ...
    @property
    def observation_size(self) -> int: ...
    @property
    def num_actions(self) -> int: ...


S = TypeVar("S", bound="spaces.Space[Any]")


def vector_space(tables: Tables) -> spaces.Box:
    """Box int8[O] with the bounds of each field of the observation."""
    low = np.empty(tables.observation_size, np.int8)
    high = np.empty(tables.observation_size, np.int8)
    for field in tables.layout:
        entries = slice(field.offset, field.offset + field.size)
        low[entries], high[entries] = field.low, field.high
    return spaces.Box(low, high, dtype=np.int8)


def mask_space(tables: Tables) -> spaces.Box:
    """Box int8[A] of 0 and 1, 1 for a legal action."""
    return spaces.Box(0, 1, (tables.num_actions,), np.int8)


def onehot_space(tables: Tables) -> spaces.Box:
    """Box float32[W] of 0 and 1: the vector with each entry as a one-hot of its values."""
    return spaces.Box(0.0, 1.0, (one_hot_size(tables.layout),), np.float32)


def observation_space(tables: Tables, profile: str) -> spaces.Space[Any]:
    """What `observe` returns: the vector alone (`box`, `onehot`), or with the mask (`dict`)."""
    if profile == "box":
        return vector_space(tables)
    if profile == "onehot":
        return onehot_space(tables)
    return spaces.Dict({"observation": vector_space(tables), "action_mask": mask_space(tables)})


def action_space(tables: Tables) -> spaces.Discrete:
    """Discrete(A): indices into ``tables.actions``, named by ``tables.labels``."""
    return spaces.Discrete(tables.num_actions)


def copy_space(space: S) -> S:
    """An independent space that samples on identically.

    Much quicker than a deep copy: bounds never change, so only random states are copied.
    """
    twin = copy.copy(space)
    twin._np_random = copy.deepcopy(space._np_random)
    if isinstance(twin, spaces.Dict):
        twin.spaces = {key: copy_space(part) for key, part in twin.spaces.items()}
    return twin
