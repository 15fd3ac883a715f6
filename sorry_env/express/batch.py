"""Many games of the dice game at once: `ExpressBatch` is `engine.batch.Batch` with other kernels.

Arrays, settings, resets, threads and exact continuation are those of `Batch`; here are only the
kernels that it runs (numba needs them spelled out for each kind of record) and who is seated. Read
`turn.py` and `engine/batch.py` before and `view.py` after this file.
"""

from __future__ import annotations

from functools import partial
from typing import Any, ClassVar

import numpy as np

from sorry_env.engine.arguments import check_flag, check_sizes
from sorry_env.engine.batch import DEFAULT_MAX_PLIES, Batch
from sorry_env.engine.jit import helper, kernel
from sorry_env.engine.rng import advance, below
from sorry_env.engine.state import OVER
from sorry_env.engine.stepping import Kernels, Options
from sorry_env.express.audit import audit
from sorry_env.express.rules import (
    EXPRESS,
    ExpressRules,
    check_reward,
    choose_seats,
    first_seat,
)
from sorry_env.express.state import SEATS, UNROLLED, empty_games
from sorry_env.express.tables import compile_rules
from sorry_env.express.turn import legal_mask, observe, play, returns, roll, roll_due, set_up
from sorry_env.rules.seats import choose_seatings


@helper
def nth_legal(mask: Any, n: Any) -> Any:
    """The ``n``-th legal action, counted from 0."""
    for a in range(len(mask)):
        n -= mask[a]
        if n < 0:
            return a
    return 0


@helper
def begin_game(rules: Any, game: Any, first: Any) -> None:
    """Set a game up and roll the dice."""
    set_up(rules, game, first)
    roll(rules, game)


@helper
def settle(rules: Any, game: Any, i: Any, first: Any, buffers: Any, options: Any) -> Any:
    """After a decision: roll if that is due, or end the game and begin the next; True if ended."""
    if game["phase"] == OVER:
        buffers.terminated[i] = True
        returns(game, buffers.rewards[i])
    elif game["plies"] >= options.max_plies:
        buffers.truncated[i] = True
    else:
        if roll_due(game):
            roll(rules, game)
        return False
    buffers.length[i] = game["plies"]
    begin_game(rules, game, first)
    return True


@helper
def clear(i: Any, buffers: Any) -> None:
    """Take back what the last step said of an end."""
    buffers.terminated[i] = False
    buffers.truncated[i] = False
    buffers.length[i] = 0
    buffers.passed[i] = 0
    for seat in range(SEATS):
        buffers.rewards[i, seat] = 0.0


@helper
def show(game: Any, i: Any, buffers: Any) -> None:
    """Write the observation and the seat that decides; the mask is there already."""
    buffers.actor[i] = game["actor"]
    observe(game, game["actor"], buffers.observation[i])


@helper
def step_game(
    rules: Any, games: Any, i: Any, action: Any, first: Any, buffers: Any, options: Any
) -> None:
    """One decision of game ``i``, and, where asked for, the forced ones that follow it."""
    game = games[i]
    clear(i, buffers)
    passed = 0
    while True:
        play(rules, game, action)
        ended = settle(rules, game, i, first, buffers, options)
        count = legal_mask(rules, game, buffers.mask[i])
        if ended or count != 1 or not options.skip_forced:
            break
        action = nth_legal(buffers.mask[i], 0)
        passed += 1
    buffers.passed[i] = passed
    buffers.legal[i] = count
    show(game, i, buffers)


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
    for i in range(low, high):
        step_game(rules, games, i, actions[i], first[i], buffers, options)


@kernel
def reset_range(rules: Any, games: Any, low: Any, high: Any, first: Any, buffers: Any) -> None:
    """New games low ... high - 1, the dice rolled and shown."""
    for i in range(low, high):
        clear(i, buffers)
        begin_game(rules, games[i], first[i])
        buffers.legal[i] = legal_mask(rules, games[i], buffers.mask[i])
        show(games[i], i, buffers)


@kernel
def refresh_range(rules: Any, games: Any, low: Any, high: Any, buffers: Any) -> None:
    """As `engine.stepping.refresh_range`."""
    for i in range(low, high):
        buffers.legal[i] = legal_mask(rules, games[i], buffers.mask[i])
        show(games[i], i, buffers)


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
        for i in range(low, high):
            states[i] = advance(states[i])
            action = nth_legal(buffers.mask[i], below(states[i], buffers.legal[i]))
            step_game(rules, games, i, action, first[i], buffers, options)
            ended += buffers.terminated[i] or buffers.truncated[i]
    return ended


@kernel
def expand_range(
    rules: Any, games: Any, low: Any, high: Any, starts: Any, masks: Any, out: Any
) -> None:
    """As `engine.afterstate.expand_range`: before the dice are rolled."""
    for i in range(low, high):
        n = starts[i]
        for a in range(masks.shape[1]):
            if masks[i, a]:
                out.games[n] = games[i]
                out.row[n] = i
                out.action[n] = a
                play(rules, out.games[n], a)
                observe(out.games[n], games[i]["actor"], out.observation[n])
                n += 1


class ExpressBatch(Batch):
    """``size`` games of the dice game stepped together; see `Batch` for everything not said here.

    rules:  an ExpressRules or `express`
    seats:  one seating for all games, or a list of seatings, see `sorry_env/rules/seats.py`
    reward: `win`
    first:  the seat that begins (a number), `random`, or None for seat 0
    """

    kernels: ClassVar = Kernels(reset_range, step_range, random_range, expand_range, refresh_range)

    def __init__(
        self,
        rules: ExpressRules | str = EXPRESS,
        seats: Any = None,
        size: int = 1,
        *,
        seed: int | None = 0,
        reward: str = "win",
        max_plies: int = DEFAULT_MAX_PLIES,
        skip_forced: bool = False,
        threads: int = 1,
        first: int | str | None = None,
        observation: str = "compact",
    ) -> None:
        size, max_plies, threads = check_sizes(size, max_plies, threads)
        check_reward(reward)
        self.tables = compile_rules(rules)
        seatings = choose_seatings(partial(choose_seats, self.tables.ruleset), seats)
        options = Options(0, max_plies, check_flag("skip_forced", skip_forced))
        begins = [first_seat(first, seated) for seated in seatings]
        self._open(empty_games, seatings, begins, options, seed, threads, observation, size)

    # -- inside -------------------------------------------------------------------------------

    def _sit_down(self, games: np.ndarray, seated: tuple[int, ...]) -> None:
        games["seats"] = len(seated)

    def _seated(self, games: np.ndarray) -> np.ndarray:
        return np.asarray(np.arange(SEATS) < games["seats"][:, None])

    def _position_faults(self, game: np.ndarray) -> list[str]:
        faults = audit(self.tables, game)
        if not faults and game["phase"][0] == OVER:
            faults = ["the game is over"]
        elif not faults and game["dice"][0, 0] == UNROLLED:
            faults = ["the dice must be rolled first"]
        return faults
