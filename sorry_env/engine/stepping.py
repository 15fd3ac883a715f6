"""The kernels of a batch: one decision, many games, chance and resets included.

Read `turn.py` and `observe.py` before and `batch.py` after this file.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from sorry_env.engine.jit import helper, inner, kernel
from sorry_env.engine.masks import chance_due, legal_mask
from sorry_env.engine.observe import observe
from sorry_env.engine.results import returns
from sorry_env.engine.rng import advance, below
from sorry_env.engine.state import MOVE, OVER, SEATS
from sorry_env.engine.turn import draw, end_vain_play, play, set_up


class Buffers(NamedTuple):
    """The arrays that a step overwrites; B games, A actions, O observation entries.

    observation: int8[B, O], of the seat that decides
    mask:        bool[B, A], its legal actions
    legal:       int16[B], how many they are
    actor:       int8[B], the absolute seat that decides
    rewards:     float32[B, 4], by absolute seat: final returns of a game the step ended, else 0
    terminated:  bool[B], the step ended this game by the rules
    truncated:   bool[B], the step ended this game by the limit on decisions
    length:      int32[B], decisions of the game that the step ended, else 0
    passed:      int32[B], forced decisions that the step passed through, with ``skip_forced``
    work:        WORK[B, 2], scratch of the legality kernels
    """

    observation: np.ndarray
    mask: np.ndarray
    legal: np.ndarray
    actor: np.ndarray
    rewards: np.ndarray
    terminated: np.ndarray
    truncated: np.ndarray
    length: np.ndarray
    passed: np.ndarray
    work: np.ndarray


class Options(NamedTuple):
    """Settings of a batch as the kernels take them: ints, so that no choice compiles anew."""

    reward: int
    max_plies: int
    skip_forced: int


@inner
def begin_game(facts: Any, game: Any, first: Any) -> None:
    """Set a game up and draw its first card, or deal its hands."""
    set_up(facts, game, first)
    if chance_due(facts, game):
        draw(facts, game)


@helper
def nth_legal(facts: Any, game: Any, mask: Any, n: Any) -> Any:
    """The ``n``-th legal action, counted from 0; of a card drawn only its own are looked at."""
    n -= np.int64(mask[0])
    if n < 0:
        return 0
    low: Any = 1
    high: Any = len(mask)
    if game["phase"] == MOVE and game["card"] >= 0:
        low = np.int64(facts["first"][game["card"]])
        high = np.int64(facts["first"][game["card"] + 1])
    # Through all of them: where to stop is a guess that is wrong too often to pay.
    action = low
    seen: Any = 0
    for legal in mask[low:high]:
        seen += np.int64(legal)
        action += np.int64(seen <= n)
    return action


@helper
def settle(
    facts: Any, actions: Any, game: Any, i: Any, first: Any, buffers: Any, options: Any
) -> Any:
    """After a decision: draw, or end the game and begin the next; True if it ended."""
    if game["phase"] == OVER:
        buffers.terminated[i] = True
        returns(facts, game, options.reward, buffers.rewards[i])
    elif game["plies"] >= options.max_plies:
        buffers.truncated[i] = True
    else:
        if chance_due(facts, game):
            draw(facts, game)
            if game["again"]:
                end_vain_play(facts, actions, game, buffers.mask[i], buffers.work[i])
        return False
    buffers.length[i] = game["plies"]
    begin_game(facts, game, np.int64(first))
    return True


@helper
def show(facts: Any, game: Any, i: Any, buffers: Any) -> None:
    """Write the observation and the seat that decides; the mask is there already."""
    buffers.actor[i] = np.int64(game["actor"])
    observe(facts, game, np.int64(game["actor"]), buffers.observation[i])


@helper
def step_game(
    rules: Any, games: Any, i: Any, action: Any, first: Any, buffers: Any, options: Any
) -> None:
    """One decision of game ``i``, and, where asked for, the forced ones that follow it.

    At most one game ends in a step: the first decision of a new game is always shown, so that the
    rewards of a game which ends by a forced decision stay.
    """
    game = games[i]
    facts, actions = rules.facts[0], rules.actions
    buffers.terminated[i] = False
    buffers.truncated[i] = False
    buffers.length[i] = 0
    for seat in range(SEATS):
        buffers.rewards[i, seat] = 0.0
    passed = 0
    while True:
        play(facts, actions, game, action)
        ended = settle(facts, actions, game, i, first, buffers, options)
        count = legal_mask(facts, actions, game, buffers.mask[i], buffers.work[i])
        if ended or count != 1 or not options.skip_forced:
            break
        action = nth_legal(facts, game, buffers.mask[i], 0)
        passed += 1
    buffers.passed[i] = passed
    buffers.legal[i] = count
    show(facts, game, i, buffers)


@kernel
def step_range(
    rules: Any,
    games: Any,
    low: Any,
    high: Any,
    actions: Any,
    first: Any,
    buffers: Any,
    options: Any,
) -> None:
    """One step of games low ... high - 1."""
    for i in range(np.uint64(low), np.uint64(high)):
        step_game(rules, games, i, actions[i], first[i], buffers, options)


@kernel
def reset_range(rules: Any, games: Any, low: Any, high: Any, first: Any, buffers: Any) -> None:
    """New games low ... high - 1, first card drawn and shown."""
    facts, actions = rules.facts[0], rules.actions
    for i in range(np.uint64(low), np.uint64(high)):
        begin_game(facts, games[i], np.int64(first[i]))
        buffers.rewards[i] = 0.0
        buffers.terminated[i] = False
        buffers.truncated[i] = False
        buffers.length[i] = 0
        buffers.passed[i] = 0
        buffers.legal[i] = legal_mask(facts, actions, games[i], buffers.mask[i], buffers.work[i])
        show(facts, games[i], i, buffers)


@kernel
def refresh_range(rules: Any, games: Any, low: Any, high: Any, buffers: Any) -> None:
    """Mask, observation and actor of games low ... high - 1 anew; they wait for a decision."""
    facts, actions = rules.facts[0], rules.actions
    for i in range(np.uint64(low), np.uint64(high)):
        buffers.legal[i] = legal_mask(facts, actions, games[i], buffers.mask[i], buffers.work[i])
        show(facts, games[i], i, buffers)


@kernel
def first_illegal(mask: Any, actions: Any) -> Any:
    """The first row whose action is not in its mask bool[B, A], or B; actions: int64[B]."""
    count = len(actions)
    for i in range(count):
        action = actions[i]
        if action < 0 or action >= mask.shape[1] or not mask[i, action]:
            return i
    return count


@kernel
def random_range(
    rules: Any,
    games: Any,
    low: Any,
    high: Any,
    n: Any,
    states: Any,
    first: Any,
    buffers: Any,
    options: Any,
) -> Any:
    """``n`` steps of uniform random legal play in games low ... high - 1; games ended."""
    ended = 0
    for _ in range(n):
        for i in range(np.uint64(low), np.uint64(high)):
            states[i] = advance(states[i])
            n_th = below(states[i], buffers.legal[i])
            action = nth_legal(rules.facts[0], games[i], buffers.mask[i], n_th)
            step_game(rules, games, i, action, first[i], buffers, options)
            ended += buffers.terminated[i] or buffers.truncated[i]
    return ended  # fmt: skip


class Kernels(NamedTuple):
    """The kernels of one kind of game that a batch runs, with the arguments of those above.

    expand:  with those of `afterstate.expand_range`
    refresh: with those of `refresh_range`
    """

    reset: Callable[..., Any]
    step: Callable[..., Any]
    random: Callable[..., Any]
    expand: Callable[..., Any]
    refresh: Callable[..., Any]
