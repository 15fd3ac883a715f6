"""The arrays of a `Batch`, by name: what users may read, and the copies that pickling makes of it.

Read `stepping.py` before and `batch.py` after this file.
"""

from __future__ import annotations

import copy
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Self

import numpy as np

from sorry_env.engine.afterstate import Afterstates
from sorry_env.engine.observe import OneHot
from sorry_env.engine.state import SEATS, WORK
from sorry_env.engine.stepping import Buffers


class BatchArrays:
    """The arrays of a batch of B games.

    Those that the engine relies on, `games`, `mask`, `legal` and `first`, are handed out as
    read-only views: what is written into them could corrupt games and memory.
    """

    tables: Any  # RuleTables; those of the game that a subclass plays
    one_hot: OneHot | None
    buffers: Buffers
    _games: np.ndarray
    _first: np.ndarray
    _buffers: Buffers
    _wide: np.ndarray

    @property
    def games(self) -> np.ndarray:
        """GAME[B], the records, a read-only view; `set_games` changes them."""
        return self._shown_games

    @property
    def first(self) -> np.ndarray:
        """int8[B], the seat that begins a row's next game, -1 for a random one; read-only."""
        return self._shown_first

    @property
    def num_actions(self) -> int:
        """A, the size of the action space."""
        return int(self.tables.num_actions)

    @property
    def observation_size(self) -> int:
        """Length of an observation: O, or W of one-hots."""
        return int(self.observation.shape[1])

    @property
    def observation(self) -> np.ndarray:
        """int8[B, O], or float32[B, W] of one-hots, overwritten by each step."""
        return self._wide if self.one_hot else self._buffers.observation

    @property
    def mask(self) -> np.ndarray:
        """bool[B, A], read-only, overwritten by each step; see `action_mask` for int8."""
        return self.buffers.mask

    @property
    def action_mask(self) -> np.ndarray:
        """int8[B, A], `mask` without a copy as Gymnasium and PettingZoo take it."""
        return self.buffers.mask.view(np.int8)

    @property
    def legal(self) -> np.ndarray:
        """int16[B], number of legal actions, read-only, overwritten by each step."""
        return self.buffers.legal

    @property
    def actor(self) -> np.ndarray:
        """int8[B], the seat that decides, overwritten by each step."""
        return self.buffers.actor

    @property
    def rewards(self) -> np.ndarray:
        """float32[B, 4] by seat, overwritten by each step."""
        return self.buffers.rewards

    @property
    def terminated(self) -> np.ndarray:
        """bool[B], overwritten by each step."""
        return self.buffers.terminated

    @property
    def truncated(self) -> np.ndarray:
        """bool[B], overwritten by each step."""
        return self.buffers.truncated

    @property
    def length(self) -> np.ndarray:
        """int32[B], overwritten by each step."""
        return self.buffers.length

    @property
    def passed(self) -> np.ndarray:
        """int32[B], forced decisions passed through, overwritten by each step."""
        return self.buffers.passed

    def copy(self) -> Self:
        """An independent batch that continues identically."""
        return copy.deepcopy(self)

    __copy__ = copy

    def __getstate__(self) -> dict[str, Any]:
        made = ("_pool", "_after", "buffers", "_shown_games", "_shown_first")
        return {name: value for name, value in self.__dict__.items() if name not in made}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._expose()

    def _expose(self) -> None:
        """Make what is not pickled: the read-only views, the threads when they are needed."""
        self._pool: ThreadPoolExecutor | None = None
        self._after: Afterstates | None = None
        self._shown_games, self._shown_first = _read_only(self._games), _read_only(self._first)
        self.buffers = self._buffers._replace(
            mask=_read_only(self._buffers.mask), legal=_read_only(self._buffers.legal)
        )


def make_buffers(tables: Any, count: int) -> Buffers:
    """Empty buffers for so many games of the compiled rules."""
    return Buffers(
        observation=np.zeros((count, tables.observation_size), np.int8),
        mask=np.zeros((count, tables.num_actions), np.bool_),
        legal=np.zeros(count, np.int16),
        actor=np.zeros(count, np.int8),
        rewards=np.zeros((count, SEATS), np.float32),
        terminated=np.zeros(count, np.bool_),
        truncated=np.zeros(count, np.bool_),
        length=np.zeros(count, np.int32),
        passed=np.zeros(count, np.int32),
        work=np.zeros((count, 2), WORK),
    )


def _read_only(array: np.ndarray) -> np.ndarray:
    """A view that cannot be written to."""
    view = array.view()
    view.flags.writeable = False
    return view
