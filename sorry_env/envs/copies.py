"""What an environment holds for its steps, and how it is copied: clones and pickles go on alike.

Read `aec.py`, whose class this is a part of, before this file.
"""

from __future__ import annotations

import copy
from collections.abc import Callable
from functools import cache
from typing import Any, Self

import numpy as np
from gymnasium import spaces
from gymnasium.utils import seeding

from sorry_env.engine import single
from sorry_env.engine.jit import direct
from sorry_env.engine.state import WORK
from sorry_env.envs.spaces import copy_space
from sorry_env.game import Game

# Views into the game, or scratch: made anew where an environment is unpickled.
_BOUND = (
    "_seen",
    "_mask",
    "_legal",
    "_nothing",
    "_work",
    "_facts",
    "_actions",
    "_state",
    "_decide",
)


class Copies:
    """What `SorryEnv` holds and how it is copied; what it names is told of there."""

    game: Any
    tables: Any
    observation_spaces: dict[str, spaces.Space[Any]]
    action_spaces: dict[str, spaces.Discrete]
    state_space: spaces.Box
    infos: dict[str, dict[str, Any]]
    _seed: int
    _np_random: np.random.Generator | None
    _seen: np.ndarray
    _mask: np.ndarray
    _window: Any  # Window | None

    def _find_decide(self) -> Callable[..., int]:
        """The kernel that plays a whole step, with the arguments of `single.decide`."""
        return compiled_decide()

    def _bind(self, seen: np.ndarray, mask: np.ndarray) -> None:
        """Hold what each step needs: the game's record, the rules' arrays and own buffers.

        seen: int8[O]; mask: bool[A] or int8[A]; both copied
        """
        self._state = self.game.state
        self._facts, self._actions = self.tables.arrays
        self._decide = self._find_decide()
        self._seen = seen.copy()
        self._mask = mask.astype(np.int8)
        self._legal = self._mask.view(np.bool_)
        self._nothing = np.zeros_like(self._mask)
        self._work = np.zeros(2, WORK)

    def clone(self) -> Self:
        """An independent environment that continues identically; quicker than a deep copy."""
        twin = type(self).__new__(type(self))
        twin.__dict__.update(self.__dict__)
        twin.game = self.game.copy()
        twin._bind(self._seen, self._mask)
        twin._window = copy.copy(self._window)
        twin.observation_spaces = {a: copy_space(s) for a, s in self.observation_spaces.items()}
        twin.action_spaces = {a: copy_space(s) for a, s in self.action_spaces.items()}
        twin.state_space = copy_space(self.state_space)
        if self._np_random is not None:
            twin._np_random, _ = seeding.np_random(self._seed)
            twin._np_random.bit_generator.state = self._np_random.bit_generator.state
        for name in ("agents", "rewards", "_cumulative_rewards", "terminations", "truncations"):
            setattr(twin, name, getattr(self, name).copy())
        twin.infos = {
            agent: {k: v.copy() if isinstance(v, np.ndarray) else v for k, v in info.items()}
            for agent, info in self.infos.items()
        }
        return twin

    def __getstate__(self) -> dict[str, Any]:
        kept = {k: v for k, v in self.__dict__.items() if k not in _BOUND}
        return {**kept, "_bound": (self._seen, self._mask)}

    def __setstate__(self, state: dict[str, Any]) -> None:
        kept = dict(state)
        seen, mask = kept.pop("_bound")
        self.__dict__.update(kept)
        self._bind(seen, mask)


@cache
def compiled_decide() -> Callable[..., int]:
    """`single.decide` for the types of any environment's arrays, found once a process."""
    game = Game(seed=0)
    seen, work = game.observation(), np.zeros(2, WORK)
    return direct(single.decide, *game.tables.arrays, game.state, 0, 0, 0, seen, game.mask(), work)
