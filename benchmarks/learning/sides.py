"""The game as the outside learners have it: they play one seat of many games, a copy the other.

Their libraries know a learner in an environment.  So that they learn by self-play all the same, the
environment's opponent is a `Twin`: the learner's own policy, some updates old, drawing its actions.
Read before: ``base.py``.  Read next: ``sb3_ppo.py``, ``tianshou_dqn.py``.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import torch
from torch import Tensor, nn

from benchmarks.learning.base import MAX_PLIES, Front
from sorry_env.bots.base import BatchRequest, Bot
from sorry_env.engine.tables import RuleTables
from sorry_env.envs.vector import SorryVectorEnv

#: Actions int[n] for observations int8[n, O] and masks bool[n, A].
Choose = Callable[[np.ndarray, np.ndarray], np.ndarray]
#: Games played side by side.
GAMES = 256
#: Units of the hidden layers, of which there are two, as in our own networks.
WIDTH = 128


class PolicyBot(Bot):
    """A bot that asks a function, which may be exchanged."""

    def __init__(self, name: str, choose: Choose) -> None:
        self.name = name
        self.ask = choose

    def choose_batch(self, request: BatchRequest) -> np.ndarray:
        """See Bot."""
        return self.ask(request.observation, request.mask)


def make_sides(front: Front, twin: Bot, mode: str, games: int = GAMES) -> SorryVectorEnv:
    """Many games in which the learner has either seat, and ``twin`` the other.

    mode: an autoreset mode of Gymnasium's; observations are the compact int8[B, O]
    Forced moves are played by themselves, as they are for our own learners.
    """
    return SorryVectorEnv(
        games, front.ruleset, front.seats, opponents=twin, learner="random", observation="box",
        illegal="raise", max_plies=MAX_PLIES, skip_forced=True, autoreset_mode=mode,
    )  # fmt: skip


class Table(nn.Module):
    """The first layer of a network: a linear one on the one-hot of a compact observation.

    Each value of each entry is a row of a table; the rows of an observation are added.  It is what
    anybody would write, without the features of our own networks (``sorry_training.features``), and
    a few times as quick as a product with ones and zeros.
    """

    bases: Tensor

    def __init__(self, tables: RuleTables) -> None:
        super().__init__()
        fields = [field for field in tables.layout for _ in range(field.size)]
        sizes = torch.tensor([field.categories for field in fields])
        lows = torch.tensor([field.low for field in fields])
        self.register_buffer("bases", sizes.cumsum(0) - sizes - lows)
        self.rows = nn.EmbeddingBag(int(sizes.sum()), WIDTH, mode="sum")
        self.bias = nn.Parameter(torch.zeros(WIDTH))
        nn.init.normal_(self.rows.weight, std=len(fields) ** -0.5)

    def forward(self, observation: Tensor) -> Tensor:
        """float32[n, WIDTH] for whole numbers [n, O] of whatever type."""
        added: Tensor = self.rows(observation.long() + self.bases)
        return torch.relu(added + self.bias)
