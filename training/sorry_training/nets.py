"""The network: from a compact observation to one logit per action and the value of the seat.

Read before: ``features.py``, ``masked.py``, ``kernels.py``.  Read next: ``returns.py``.

The first layer is a table whose rows are picked by the observation and added (``features.py``);
the others are ordinary.  Policy and value share all but their heads.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

import torch
from torch import Tensor, nn
from torch.nn import functional

from sorry_env.engine.observe import Field
from sorry_env.engine.state import SEATS
from sorry_env.rules.ruleset import MAX_PAWNS
from sorry_training.features import CODES, plan_features
from sorry_training.kernels import add_rows
from sorry_training.masked import mask_logits


def arithmetic(precision: str, device: str = "cpu") -> torch.autocast:
    """The context in which a network computes: ``float32`` or ``bfloat16`` (mixed)."""
    return torch.autocast(device, torch.bfloat16, enabled=precision == "bfloat16")


class PolicyValueNet(nn.Module):
    """A multi-layer perceptron on table rows, with a policy head and a value head.

    fields:      the layout of the observation, as ``observe.layout`` gives it
    num_actions: A, the size of the action table
    width:       units of each hidden layer
    layers:      hidden layers, at least 1 (the first is the table)
    """

    columns: Tensor
    bases: Tensor
    sharing: Tensor
    pairs: Tensor
    pair_bases: Tensor
    amounts: Tensor
    scales: Tensor

    def __init__(
        self, fields: Sequence[Field], num_actions: int, width: int = 256, layers: int = 2
    ) -> None:
        super().__init__()
        self.fields = tuple(fields)
        self.num_actions = num_actions
        self.width, self.layers = width, layers
        self.plan = plan = plan_features(self.fields)
        for name in ("columns", "bases", "sharing", "pairs", "pair_bases", "amounts", "scales"):
            # They follow from the fields and are not saved.
            values = torch.from_numpy(getattr(plan, name))
            self.register_buffer(name, values, persistent=False)
        self.table = nn.Parameter(torch.zeros(plan.rows, width))
        self.shared = nn.Parameter(torch.zeros(plan.shared_rows, width))
        self.weights = nn.Parameter(torch.zeros(len(plan.amounts), width))
        self.bias = nn.Parameter(torch.zeros(width))
        self.hidden = nn.ModuleList(nn.Linear(width, width) for _ in range(layers - 1))
        self.policy = nn.Linear(width, num_actions)
        self.value = nn.Linear(width, 1)
        self._initialise()

    def forward(self, observation: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
        """Masked logits float32[N, A] (ILLEGAL where illegal) and values float32[N] in [-1, 1].

        observation: int8[N, O], seen by the seat that decides; mask: bool[N, A].  The value is the
        expected return of that seat.
        """
        logits, values = self.evaluate(observation)
        return mask_logits(logits, mask), values

    @property
    def device(self) -> torch.device:
        """Where the weights are."""
        return self.bias.device

    def evaluate(self, observation: Tensor) -> tuple[Tensor, Tensor]:
        """Logits float32[N, A] of all actions, legal or not, and values float32[N]."""
        features, values = self.describe(observation)
        return self.policy(features), values

    def describe(self, observation: Tensor) -> tuple[Tensor, Tensor]:
        """What the policy head reads, float32[N, W], and values float32[N].

        observation: int8[N, O], seen by the seat that decides.
        """
        features = functional.relu(self._first_layer(observation))
        for layer in self.hidden:
            features = functional.relu(layer(features))
        features = features.float()
        return features, torch.tanh(self.value(features).float().squeeze(1))

    def _first_layer(self, observation: Tensor) -> Tensor:
        """The sum of the rows that the fields pick, and of the weighted amounts: float32[N, W]."""
        picked = self.pick_rows(observation)
        fractions = observation.index_select(1, self.amounts).float() * self.scales
        return add_rows(picked, self.whole_table()) + fractions @ self.weights + self.bias

    def pick_rows(self, observation: Tensor) -> Tensor:
        """The rows int32[N, K + 48] of the table that an observation picks, -1 for none.

        Without a board int32[N, K].
        """
        entries = observation.index_select(1, self.columns).int()
        named = torch.where(entries < 0, -1, entries + self.bases)
        if not self.plan.board:
            return named
        own = observation[:, :MAX_PAWNS].int() + 1
        others = observation[:, MAX_PAWNS : SEATS * MAX_PAWNS].int() + 1
        pairs = (own.unsqueeze(2) * CODES + others.unsqueeze(1)).flatten(1) + self.pair_bases
        distances = self.pairs.index_select(0, pairs.flatten()).view_as(pairs)
        return torch.cat((named, distances), dim=1)

    def whole_table(self) -> Tensor:
        """float32[R, W], what each row adds, shared parts included."""
        count = len(self.sharing)
        slots = self.table[:count] + self.shared.index_select(0, self.sharing)
        return torch.cat((slots, self.table[count:]))

    def _initialise(self) -> None:
        # Some dozen rows are added for each sample: the sum starts with a variance near 1.  The
        # rest of the first layer starts at 0.
        nn.init.normal_(self.table[: self.plan.names], std=len(self.columns) ** -0.5)
        for layer in self.hidden:
            nn.init.orthogonal_(cast(nn.Linear, layer).weight, 2**0.5)
            nn.init.zeros_(cast(nn.Linear, layer).bias)
        # Small heads: the first policy is close to uniform, the first values are close to 0.
        for head in (self.policy, self.value):
            nn.init.orthogonal_(head.weight, 0.01)
            nn.init.zeros_(head.bias)
