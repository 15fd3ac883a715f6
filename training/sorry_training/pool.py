"""The opponents of the learner: past selves and fixed bots.

Read before: ``losses.py``.  Read next: ``rollout.py``, which lets them play.

A run plays most of its games against itself.  In some, other players hold some of the seats: a few
*active* past selves, drawn anew from the pool every so often, and the fixed bots of the
configuration.  Everything random here is drawn from generators made anew for each update
(`generator`), so a run that is resumed needs no random state but its counters.
"""

from __future__ import annotations

import copy
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt
import torch

from sorry_env.bots.base import Bot
from sorry_env.engine.batch import Batch
from sorry_env.families import family_of
from sorry_training.config import PPOConfig
from sorry_training.finite import check_outputs
from sorry_training.kernels import legal_logits
from sorry_training.masked import sample_actions
from sorry_training.nets import PolicyValueNet

# What random numbers are for: each purpose has its own, see `generator`.
ACTIONS, ROLES, PAST, BOTS, SHUFFLE, DRAW, CHANCE, WEIGHTS = range(8)

Weights = dict[str, torch.Tensor]


def generator(seed: int, purpose: int, update: int = 0, part: int = 0) -> np.random.Generator:
    """The random numbers for one purpose in one update and one shard of a run."""
    return np.random.default_rng((seed, purpose, update, part))


def derived_seed(seed: int, purpose: int, update: int = 0, part: int = 0) -> int:
    """A seed below 2**63 for somebody else's random numbers, as `generator` is for ours."""
    return int(generator(seed, purpose, update, part).integers(2**63))


class Opponent(Protocol):
    """Somebody who decides in some games of a batch."""

    def begin(self, seed: int) -> None:
        """Take all randomness from now on from ``seed``."""

    def choose(self, batch: Batch, rows: npt.NDArray[np.int64]) -> npt.NDArray[np.int32]:
        """A legal action int32[n] in each of the games ``rows`` int64[n] of the batch."""


class NetOpponent:
    """A network that samples its actions, as the learner does."""

    def __init__(self, net: PolicyValueNet) -> None:
        self.net = net
        self._random = np.random.default_rng(0)

    def begin(self, seed: int) -> None:
        """See Opponent."""
        self._random = np.random.default_rng(seed)

    def choose(self, batch: Batch, rows: npt.NDArray[np.int64]) -> npt.NDArray[np.int32]:
        """See Opponent."""
        with torch.no_grad():
            return choose(self.net, batch.observation[rows], batch.mask[rows], self._random)[0]


class BotOpponent:
    """One of the bots of ``sorry_env``."""

    def __init__(self, bot: Bot) -> None:
        self.bot = bot

    def begin(self, seed: int) -> None:
        """See Opponent."""
        self.bot.reset(seed)

    def choose(self, batch: Batch, rows: npt.NDArray[np.int64]) -> npt.NDArray[np.int32]:
        """See Opponent."""
        request = family_of(batch.tables.ruleset).BatchRequest(
            batch.tables, batch.games[rows], batch.observation[rows], batch.mask[rows]
        )
        return np.asarray(self.bot.choose_batch(request), np.int32)


def choose(
    net: PolicyValueNet,
    observation: npt.NDArray[np.int8],
    mask: npt.NDArray[np.bool_],
    random: np.random.Generator,
) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.float32], npt.NDArray[np.float32]]:
    """Actions int32[n] drawn from the net's policy, their log-probabilities, and its values.

    observation: int8[n, O]; mask: bool[n, A].  Call it without gradients.
    Raises DivergedError where one of the results is not finite.
    """
    features, values = net.describe(torch.from_numpy(observation).to(net.device))
    logits = legal_logits(features, net.policy.weight, net.policy.bias, mask)
    actions, log_probs = sample_actions(logits, mask, random.random(len(mask)))
    expected = values.cpu().numpy()
    check_outputs(log_probs, expected)
    return actions, log_probs, expected


class Pool:
    """Past selves of the learner: up to ``pool_size`` sets of weights, a few of them active.

    When it is full, a random one but the newest makes room, so old ones thin out slowly and some
    stay for long.
    """

    def __init__(self, config: PPOConfig, net: PolicyValueNet) -> None:
        self.config = config
        self.past: list[Weights] = [copy_weights(net)]
        self._activate([0] * config.pool_active, net)

    def update(self, number: int, net: PolicyValueNet) -> None:
        """Every pool_every updates: take the present weights in, draw the active ones anew."""
        if number % self.config.pool_every:
            return
        random = generator(self.config.seed, DRAW, number)
        if number > 0:
            if len(self.past) == self.config.pool_size:
                del self.past[int(random.integers(max(1, len(self.past) - 1)))]
            self.past.append(copy_weights(net))
        self._activate(random.integers(len(self.past), size=self.config.pool_active).tolist(), net)

    def opponents(self) -> list[Opponent]:
        """The active past selves, then the fixed bots; new objects, for one shard."""
        past = [NetOpponent(net) for net in self._nets]
        make_bot = self.config.family.make_bot
        return [*past, *(BotOpponent(make_bot(name)) for name in self.config.bots)]

    def state_dict(self) -> dict[str, Any]:
        """Everything that changes."""
        return {"past": list(self.past), "active": list(self.active)}

    def load_state_dict(self, state: dict[str, Any], net: PolicyValueNet) -> None:
        """Continue from a `state_dict`; ``net`` is any net of the right shape."""
        self.past = list(state["past"])
        self._activate(list(state["active"]), net)

    def _activate(self, active: list[int], net: PolicyValueNet) -> None:
        self.active = active
        self._nets = [copy_net(net, self.past[index]) for index in active]


def copy_weights(net: PolicyValueNet) -> Weights:
    """The weights as they are now; later steps of the net do not change them."""
    return {name: value.detach().clone() for name, value in net.state_dict().items()}


def copy_net(net: PolicyValueNet, weights: Weights) -> PolicyValueNet:
    """A net of the same shape with other weights."""
    other = copy.deepcopy(net)
    other.load_state_dict(weights)
    return other.eval()
