"""PettingZoo's checks round the raw environment.

Read `aec.py` before and `sorry_v0.py` after this file.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from pettingzoo.utils.env_logger import EnvLogger
from pettingzoo.utils.wrappers import AssertOutOfBoundsWrapper, OrderEnforcingWrapper

from sorry_env.errors import MoveError


class CheckedEnv(OrderEnforcingWrapper):  # type: ignore[misc]
    """PettingZoo's order and bounds checks, with what these would otherwise lose or slow down.

    env: a `SorryEnv`
    """

    _has_reset: bool
    _has_updated: bool

    def __init__(self, env: Any) -> None:
        super().__init__(AssertOutOfBoundsWrapper(env))

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """As `SorryEnv.reset`; a reset that is refused is none for the order of calls either."""
        with self._order_kept():
            super().reset(seed=seed, options=options)

    def step(self, action: Any) -> None:
        """As `SorryEnv.step`; a step that is refused is none for the order of calls either."""
        try:
            with self._order_kept():
                super().step(action)
        except OverflowError:  # a number too large for the action space of Gymnasium before 1.4
            raise MoveError(f"action {action!r:.60} is out of bounds", value=action) from None

    @contextmanager
    def _order_kept(self) -> Iterator[None]:
        """Put back what is known of the order of calls where a call is refused."""
        kept = self._has_reset, self._has_updated
        try:
            yield
        except BaseException:
            self._has_reset, self._has_updated = kept
            raise

    def last(self, observe: bool = True) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """As PettingZoo's, read from the inside at once: its own asks all wrappers for each part.

        Returns observation, reward since the last step, terminated, truncated and info.
        """
        if not self._has_reset:
            EnvLogger.error_observe_before_reset()
        result: tuple[Any, float, bool, bool, dict[str, Any]] = self.unwrapped.last(observe)
        return result

    def clone(self) -> CheckedEnv:
        """An independent environment that continues identically, with the same checks."""
        twin = copy.copy(self)
        twin.env = AssertOutOfBoundsWrapper(self.unwrapped.clone())
        return twin

    def __str__(self) -> str:
        return str(self.env)
