"""Advantages: GAE over each seat's own decisions, in games that many seats play in turn.

Pure functions on arrays; the mathematics of ``ppo.py``.  Read before: ``nets.py``.  Read next:
``losses.py``.

A seat's decisions form a chain of their own.  What lies between two of them (the moves of others,
cards, the end of the game on somebody else's move) belongs to the way from one to the next: the
reward that a seat gets there counts for its last own decision.  With r the reward on that way and
V the values at the seat's decisions,

    delta_k = r_k + discount * V_(k+1) - V_k        (no V_(k+1) where the game ended)
    A_k     = delta_k + discount * trace * A_(k+1)  (no A_(k+1) where the game ended)

The chain of a game that is not over when the window closes stops at the seat's last decision in it:
its way to the next is not known yet.  That decision is *open*: it lends its value to the one
before, gets no advantage of its own, and is carried over into the next window.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from sorry_env.engine.jit import kernel

FloatArray = npt.NDArray[np.float32]
BoolArray = npt.NDArray[np.bool_]

SEATS = 4


class Advantages(NamedTuple):
    """What `estimate_advantages` finds; all arrays have the window's shape [T, B].

    advantages: float32, 0 where not closed
    returns:    float32, advantage + value: what the value should have been; 0 where not closed
    closed:     bool, decisions of the learner whose way to the next one is known: train on these
    open:       bool, decisions of the learner to carry over into the next window
    """

    advantages: FloatArray
    returns: FloatArray
    closed: BoolArray
    open: BoolArray


def estimate_advantages(
    values: FloatArray,
    seats: npt.NDArray[np.int8],
    own: BoolArray,
    rewards: FloatArray,
    ended: BoolArray,
    cut: BoolArray,
    *,
    discount: float,
    trace: float,
) -> Advantages:
    """GAE(discount, trace) of every decision of the learner in a window of T steps of B games.

    values:  float32[T, B], value of the seat that decided, as it saw it
    seats:   int8[T, B], that seat
    own:     bool[T, B], whether the learner decided (other rows only carry rewards and ends)
    rewards: float32[T, B, 4], what each seat got between this decision and the game's next
    ended:   bool[T, B], the game ended in between (the next row is another game's)
    cut:     bool[T, B], the game was cut off in between by the limit of its length.  It has no
             result and its last position is gone: each seat's last decision of it lends its value
             to the one before and is dropped, neither closed nor open.
    """
    shape = values.shape
    advantages = np.zeros(shape, np.float32)
    closed = np.zeros(shape, np.bool_)
    carried = np.zeros(shape, np.bool_)
    after, chains = np.zeros(SEATS, np.int8), np.zeros((3, SEATS), np.float64)
    _estimate(
        values, seats, own, rewards, ended, cut, discount, trace, advantages, closed, carried,
        after, chains,
    )  # fmt: skip
    returns = np.where(closed, advantages + values, np.float32(0.0))
    return Advantages(advantages, returns, closed, carried)


# What lies after a decision on its seat's chain, as far as the window tells.
_UNKNOWN = 0  # the window closes
_LOST = 1  # the game is cut off
_KNOWN = 2  # another decision, or the end of the game


@kernel
def _estimate(
    values: Any,
    seats: Any,
    own: Any,
    rewards: Any,
    ended: Any,
    cut: Any,
    discount: Any,
    trace: Any,
    advantages: Any,
    closed: Any,
    carried: Any,
    after: Any,
    chains: Any,
) -> None:
    """The loop of `estimate_advantages`: each game backward, with a chain for each seat.

    after int8[4] and chains float64[3, 4] are room to work in.
    """
    steps, games = values.shape
    next_value, next_advantage, reward = chains[0], chains[1], chains[2]
    for b in range(games):
        after[:] = _UNKNOWN
        reward[:] = 0.0
        for t in range(steps - 1, -1, -1):
            if ended[t, b] or cut[t, b]:
                after[:] = _KNOWN if ended[t, b] else _LOST
                reward[:] = 0.0
                next_value[:] = 0.0
                next_advantage[:] = 0.0
            for s in range(SEATS):
                reward[s] += rewards[t, b, s]
            if not own[t, b]:
                continue
            s = seats[t, b]
            value = float(values[t, b])
            next_advantage[s] *= discount * trace
            if after[s] == _KNOWN:
                next_advantage[s] += reward[s] + discount * next_value[s] - value
                advantages[t, b] = next_advantage[s]
                closed[t, b] = True
            else:
                carried[t, b] = after[s] == _UNKNOWN
                after[s] = _KNOWN
                next_advantage[s] = 0.0
            next_value[s] = value
            reward[s] = 0.0
