"""Playing: a `Collector` lets the learner and its opponents play a shard of the games.

Read before: ``pool.py`` (the opponents).  Read next: ``ppo.py``, which learns from what is
collected here.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import torch

from sorry_env.engine.batch import Batch
from sorry_training.config import PPOConfig
from sorry_training.nets import PolicyValueNet, arithmetic
from sorry_training.pool import (
    ACTIONS,
    BOTS,
    CHANCE,
    ROLES,
    Opponent,
    choose,
    derived_seed,
    generator,
)
from sorry_training.returns import SEATS, estimate_advantages
from sorry_training.rewards import Rewards

#: Who plays a seat: the learner, or number k - 1 of the opponents.
LEARNER = 0
# What a game is for.
_SELF, _PAST, _BOTS = range(3)


class Window(NamedTuple):
    """Steps of B games, the rows of one array per kind of fact; T = 4 + steps.

    The first four rows hold, by seat, the decisions carried over from the window before: they are
    earlier decisions of the games in their columns, in which nothing else happens.

    observation, mask: int8[T, B, O], bool[T, B, A], of the seat that decides
    seat, own:         int8[T, B], bool[T, B], that seat, and whether the learner decided for it
    action, log_prob:  int32[T, B], float32[T, B], what was played, how likely it was (learner only)
    value:             float32[T, B], what the learner expected (learner only)
    reward:            float32[T, B, 4]
    ended, cut:        bool[T, B]
    """

    observation: npt.NDArray[np.int8]
    mask: npt.NDArray[np.bool_]
    seat: npt.NDArray[np.int8]
    own: npt.NDArray[np.bool_]
    action: npt.NDArray[np.int32]
    log_prob: npt.NDArray[np.float32]
    value: npt.NDArray[np.float32]
    reward: npt.NDArray[np.float32]
    ended: npt.NDArray[np.bool_]
    cut: npt.NDArray[np.bool_]


class Decisions(NamedTuple):
    """The learner's decisions that can be learnt from, N of them, and their advantages."""

    observation: npt.NDArray[np.int8]
    mask: npt.NDArray[np.bool_]
    action: npt.NDArray[np.int32]
    log_prob: npt.NDArray[np.float32]
    advantage: npt.NDArray[np.float32]
    value_target: npt.NDArray[np.float32]


class Tally(NamedTuple):
    """What happened while a window was filled, as sums that can be added up over shards.

    decisions: by the learner; games, plies: games that ended, all their decisions; then the
    learner's returns and seats in the ended games against past selves and against fixed bots.
    """

    decisions: float = 0.0
    games: float = 0.0
    plies: float = 0.0
    past_return: float = 0.0
    past_seats: float = 0.0
    bot_return: float = 0.0
    bot_seats: float = 0.0

    def plus(self, other: Tally) -> Tally:
        """Both together."""
        return Tally(*(a + b for a, b in zip(self, other, strict=True)))


class Collector:
    """A shard: its games, who plays them, and the decisions carried over between windows."""

    def __init__(self, config: PPOConfig, shard: int) -> None:
        self.config = config
        self.shard = shard
        size = config.games // config.shards
        rules = config.tables.ruleset
        self.rewards = Rewards(config)
        self.batch: Batch = config.family.Batch(
            rules, list(config.seat_sets()), size,
            seed=derived_seed(config.seed, CHANCE, part=shard), reward=self.rewards.counted,
            max_plies=config.max_plies, skip_forced=True, first="random",
        )  # fmt: skip
        self.seats = self.batch.seats
        self.sides = [sides_of(rules, seats) for seats in self.seats]
        self._seated = np.array([[s in seats for s in range(SEATS)] for seats in self.seats])
        past, bots = round(config.past_games * size), round(config.bot_games * size)
        bots = min(bots, size - past)
        self.kind = np.repeat((_PAST, _BOTS, _SELF), (past, bots, size - past - bots))
        self.roles = np.zeros((size, SEATS), np.int8)
        self._deal_roles(np.arange(size), generator(config.seed, ROLES, 0, shard))
        self.window = empty_window(self.batch, SEATS + config.steps)

    def collect(
        self, update: int, net: PolicyValueNet, opponents: Sequence[Opponent]
    ) -> tuple[Decisions, Tally]:
        """Fill a window with the next ``steps`` decisions of every game, and evaluate it."""
        config, batch, window = self.config, self.batch, self.window
        random = generator(config.seed, ACTIONS, update, self.shard)
        roles_random = generator(config.seed, ROLES, update + 1, self.shard)
        for number, opponent in enumerate(opponents):
            seed = derived_seed(config.seed, BOTS, update, self.shard * len(opponents) + number)
            opponent.begin(seed)
        tally = Tally()
        for t in range(SEATS, SEATS + config.steps):
            window.observation[t], window.mask[t] = batch.observation, batch.mask
            window.seat[t] = batch.actor
            roles = self.roles[np.arange(batch.size), batch.actor]
            window.own[t] = roles == LEARNER
            self._decide(t, net, random)
            for number, opponent in enumerate(opponents):
                rows = np.flatnonzero(roles == number + 1)
                if len(rows):
                    window.action[t, rows] = opponent.choose(batch, rows)
            self.rewards.step(batch, window.action[t], window.reward[t])
            window.ended[t], window.cut[t] = batch.terminated, batch.truncated
            tally = self._count(tally, t)
            self._deal_roles(np.flatnonzero(batch.length), roles_random)
        return self._finish(), tally

    def state_dict(self) -> dict[str, Any]:
        """Everything that changes."""
        return {
            "batch": self.batch.state_dict(),
            "roles": self.roles.copy(),
            "own": self.window.own[:SEATS].copy(),
            **{name: array[:SEATS].copy() for name, array in self._carried_arrays().items()},
        }

    def load_state_dict(self, state: dict[str, Any]) -> None:
        """Continue from a `state_dict` of a collector with the same configuration."""
        self.batch.load_state_dict(state["batch"])
        self.roles[:] = state["roles"]
        self.window.own[:SEATS] = state["own"]
        for name, array in self._carried_arrays().items():
            array[:SEATS] = state[name]

    # --- inside -----------------------------------------------------------------------------

    def _decide(self, t: int, net: PolicyValueNet, random: np.random.Generator) -> None:
        """Let the learner decide where it is its turn."""
        window = self.window
        rows = np.flatnonzero(window.own[t])
        if not len(rows):
            return
        with torch.no_grad(), arithmetic(self.config.precision, self.config.device):
            actions, log_probs, values = choose(
                net, window.observation[t, rows], window.mask[t, rows], random
            )
        window.action[t, rows], window.log_prob[t, rows] = actions, log_probs
        window.value[t, rows] = values

    def _count(self, tally: Tally, t: int) -> Tally:
        """Add what step ``t`` has brought."""
        window, batch = self.window, self.batch
        own = int(window.own[t].sum())
        ended = np.flatnonzero(window.ended[t])
        mine = (self.roles[ended] == LEARNER) & self._seated[ended]
        returns = (window.reward[t, ended] * mine).sum(axis=1)
        past, bots = self.kind[ended] == _PAST, self.kind[ended] == _BOTS
        return tally.plus(Tally(
            own, len(ended), int(batch.length[ended].sum()),
            float(returns[past].sum()), int(mine[past].sum()),
            float(returns[bots].sum()), int(mine[bots].sum()),
        ))  # fmt: skip

    def _deal_roles(self, games: npt.NDArray[np.int64], random: np.random.Generator) -> None:
        """Decide who plays which seat of each of the ``games``, which are about to begin.

        Some of the sides, at least one and not all, chosen at random, go to opponents, each to one
        chosen at random among those that the game is for.
        """
        config = self.config
        for b in games[self.kind[games] != _SELF]:
            sides = self.sides[b]
            self.roles[b] = LEARNER
            if self.kind[b] == _PAST:
                first, many = 1, config.pool_active
            else:
                first, many = 1 + config.pool_active, len(config.bots)
            count = int(random.integers(1, max(2, len(sides))))
            for side in random.permutation(len(sides))[:count]:
                self.roles[b, list(sides[side])] = first + random.integers(many)

    def _finish(self) -> Decisions:
        """The decisions to learn from; those still open move to the first rows, by seat."""
        window = self.window
        found = estimate_advantages(
            window.value, window.seat, window.own, window.reward, window.ended, window.cut,
            discount=self.config.discount, trace=self.config.trace,
        )  # fmt: skip
        closed = found.closed
        decisions = Decisions(
            window.observation[closed], window.mask[closed], window.action[closed],
            window.log_prob[closed], found.advantages[closed], found.returns[closed],
        )  # fmt: skip
        steps, games = np.nonzero(found.open)
        seats = window.seat[steps, games]
        for array in self._carried_arrays().values():
            array[seats, games] = array[steps, games]
        window.own[:SEATS] = False
        window.own[seats, games] = True
        return decisions

    def _carried_arrays(self) -> dict[str, npt.NDArray[Any]]:
        """The arrays of the window whose first rows matter to the next window, without ``own``."""
        kinds = ("observation", "mask", "action", "log_prob", "value")
        return {kind: getattr(self.window, kind) for kind in kinds}


def sides_of(rules: Any, seats: tuple[int, ...]) -> tuple[tuple[int, ...], ...]:
    """The seats that win and lose together: partners sit opposite, elsewhere each plays alone.

    rules: a Ruleset or the dice game's
    """
    if rules.teams == "none":
        return tuple((seat,) for seat in seats)
    return ((0, 2), (1, 3))


def empty_window(batch: Batch, steps: int) -> Window:
    """A window of ``steps`` rows for the games of ``batch``, its first four rows empty."""
    shape = (steps, batch.size)
    window = Window(
        observation=np.zeros((*shape, batch.observation_size), np.int8),
        mask=np.zeros((*shape, batch.num_actions), np.bool_),
        seat=np.zeros(shape, np.int8),
        own=np.zeros(shape, np.bool_),
        action=np.zeros(shape, np.int32),
        log_prob=np.zeros(shape, np.float32),
        value=np.zeros(shape, np.float32),
        reward=np.zeros((*shape, SEATS), np.float32),
        ended=np.zeros(shape, np.bool_),
        cut=np.zeros(shape, np.bool_),
    )
    window.seat[:SEATS] = np.arange(SEATS, dtype=np.int8)[:, None]
    return window
