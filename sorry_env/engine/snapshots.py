"""What `Batch.state_dict` returns, and the checks before a batch takes up states or positions.

A snapshot holds what changes and does not follow from something else: the records, the random
states, who begins and what the last step said of ends. Masks and observations follow from the
records and are made anew. Read `batch.py` before this file.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import numpy as np

from sorry_env.engine.arguments import show
from sorry_env.engine.stepping import Buffers
from sorry_env.engine.turn import RANDOM_FIRST
from sorry_env.errors import PositionError, RequestError

#: Buffers that a snapshot holds; those left out follow from the records.
KEPT: Final = ("rewards", "terminated", "truncated", "length", "passed")


def ruleset_digest(ruleset: Any) -> str:
    """SHA-256 of all fields of a ruleset: equal for equal rules under the same name."""
    return hashlib.sha256(repr(ruleset).encode()).hexdigest()


def take(
    ruleset: Any, games: np.ndarray, policy: np.ndarray, first: np.ndarray, buffers: Buffers
) -> dict[str, Any]:
    """A snapshot: the ruleset's name and digest, and copies of arrays."""
    return {
        "ruleset": ruleset.name,
        "rules": ruleset_digest(ruleset),
        "games": games.copy(),
        "policy": policy.copy(),
        "first": first.copy(),
        **{f"buffers.{name}": getattr(buffers, name).copy() for name in KEPT},
    }


def check(state: Any, mine: Mapping[str, Any]) -> None:
    """RequestError unless ``state`` has the keys, ruleset, shapes and dtypes of ``mine``."""
    if not isinstance(state, Mapping):
        raise RequestError(
            f"a state must be what state_dict() returns, not {show(state)}", value=state
        )
    if missing := [key for key in mine if key not in state]:
        raise RequestError(
            f"the state has no {', '.join(missing)}; it must be what state_dict() returns",
            value=missing,
        )
    if unknown := [key for key in state if key not in mine]:
        raise RequestError(
            f"the state has {', '.join(map(show, unknown))}, which no state has; it must be what "
            "state_dict() of this version returns",
            value=unknown,
        )
    name = mine["ruleset"]
    if state["ruleset"] != name:
        raise RequestError(
            f"the state is one of {show(state['ruleset'])}, this batch plays {name}",
            value=state["ruleset"],
        )
    if state["rules"] != mine["rules"]:
        raise RequestError(
            f"the state was made with another ruleset of the name {name}", value=name
        )
    games = state["games"]
    if isinstance(games, np.ndarray) and games.shape != mine["games"].shape:
        raise RequestError(
            f"the state is of {show(games.shape[0] if games.ndim else games)} games, this batch "
            f"of {len(mine['games'])}",
            value=games.shape,
        )
    for key, wanted in mine.items():
        if isinstance(wanted, np.ndarray):
            _check_array(f"state[{key!r}]", state[key], wanted)


def _check_array(name: str, given: Any, wanted: np.ndarray) -> None:
    """RequestError unless an array has the dtype and shape of another."""
    if not isinstance(given, np.ndarray):
        raise RequestError(f"{name} must be an array, not {show(given)}", value=given)
    if given.dtype != wanted.dtype or given.shape != wanted.shape:
        raise RequestError(
            f"{name} must be {wanted.dtype}{list(wanted.shape)}, not "
            f"{given.dtype}{list(given.shape)}",
            value=given.shape,
        )


def check_seated(name: str, given: np.ndarray, mine: np.ndarray, rows: np.ndarray) -> None:
    """RequestError unless the same seats play.

    given, mine: bool[k, 4], who is seated in the records ``name`` and in the batch's ``rows``
    """
    wrong = (given != mine).any(axis=1)
    if wrong.any():
        i = int(np.argmax(wrong))
        raise RequestError(
            f"{name}[{i}] seats {np.flatnonzero(given[i]).tolist()}, row {rows[i]} of this batch "
            f"{np.flatnonzero(mine[i]).tolist()}",
            value=i,
        )


def check_positions(
    name: str, games: np.ndarray, ruleset: str, faults_of: Callable[[np.ndarray], Sequence[str]]
) -> None:
    """PositionError for the first record with faults; ``faults_of`` is asked of arrays of one."""
    for i in range(len(games)):
        if faults := faults_of(games[i : i + 1]):
            raise PositionError(
                f"{name}[{i}] is no position of {ruleset} that waits for a decision: "
                f"{'; '.join(faults)}",
                value=i,
            )


def check_first(seats: np.ndarray, seated: np.ndarray, rows: np.ndarray) -> None:
    """RequestError unless seats int[k], or RANDOM_FIRST, can begin; seated: bool[k, 4]."""
    known = (seats >= 0) & (seats < seated.shape[1])
    right = known & seated[np.arange(len(rows)), np.where(known, seats, 0)]
    right |= seats == RANDOM_FIRST
    if not right.all():
        i = int(np.argmin(right))
        raise RequestError(
            f"seat {seats[i]} cannot begin in row {rows[i]}, where the seats "
            f"{np.flatnonzero(seated[i]).tolist()} play; -1 is a random one",
            value=int(seats[i]),
        )
