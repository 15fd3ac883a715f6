"""Values of afterstates: choosing by them, a network as a bot that does, and the way out.

Read before: ``nets.py``, ``export.py``.  Read next: ``td.py``, which learns them.

An afterstate is the position after a move and before the next card is drawn, always as the seat
that moves sees it.  Its value is that seat's expected return, from -1 to 1.  The network is PPO's;
its policy head is not used.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import numpy.typing as npt
import onnx
import torch

from sorry_env.bots.policy import Policy as Exported
from sorry_env.bots.policy import read_model
from sorry_env.bots.value import AfterstateBot
from sorry_env.engine.afterstate import Afterstates
from sorry_env.errors import ModelError
from sorry_env.files import write_file
from sorry_training import export
from sorry_training.checkpoint import Policy
from sorry_training.finite import check_outputs
from sorry_training.nets import PolicyValueNet


def choose_afterstates(
    after: Afterstates,
    values: npt.NDArray[np.float32],
    size: int,
    explore: float,
    random: np.random.Generator,
) -> npt.NDArray[np.int64]:
    """Which afterstate int64[size] each game goes to: its best (the first of equal ones), or any.

    values:  float32[m], of all afterstates; every game has one at least
    explore: the chance of any
    """
    counts = np.bincount(after.row, minlength=size)
    starts = np.cumsum(counts) - counts
    best = np.maximum.reduceat(values, starts)
    greatest = np.flatnonzero(values == best[after.row])
    _, first = np.unique(after.row[greatest], return_index=True)
    anyone = starts + (random.random(size) * counts).astype(np.int64)
    return np.where(random.random(size) < explore, anyone, greatest[first])


def value_of(net: PolicyValueNet, observation: npt.NDArray[np.int8]) -> npt.NDArray[np.float32]:
    """Values float32[m] of observations int8[m, O]; call it without gradients."""
    _, values = net.describe(torch.from_numpy(observation).to(net.device))
    return values.cpu().numpy()


class NetValueBot(AfterstateBot):
    """A network as a bot that plays one ply ahead."""

    name = "learner"

    def __init__(self, net: PolicyValueNet) -> None:
        self.net = net
        super().__init__(self._evaluate)

    def _evaluate(self, observation: np.ndarray) -> np.ndarray:
        with torch.no_grad():
            values = value_of(self.net, observation)
        check_outputs(values)
        return values


def export_values(policy: Policy, out: Path) -> None:
    """Write the value of ``policy`` to ``out``; ModelError, and no file, where it differs.

    ``value:OUT`` plays by it; see ``sorry_env/bots/value.py`` for what the file holds.
    """
    export.check_weights(policy)
    model = build_values(policy.net)
    for key, value in export.metadata_of(policy, "td").items():
        model.metadata_props.add(key=key, value=value)
    data = model.SerializeToString()
    check_values(read_model(str(out), data, values_only=True), policy)
    out.parent.mkdir(parents=True, exist_ok=True)
    write_file(out, data)


def build_values(net: PolicyValueNet) -> onnx.ModelProto:
    """The network up to its value, as a graph of standard operators."""
    graph, weights = export.Graph(), export.weights_of(net)
    export.add_value(graph, export.add_features(graph, net, weights), weights)
    return graph.model([export.observation_port(net)], [export.VALUE_PORT])


def check_values(exported: Exported, policy: Policy) -> None:
    """ModelError where a file does not compute the network's values on real afterstates."""
    exported.check_fits(policy.tables)
    for size in export.SIZES:
        observation = observe_afterstates(policy, size)
        with torch.no_grad():
            difference = np.abs(value_of(policy.net, observation) - exported.values(observation))
        if not (difference <= export.TOLERANCE).all():
            raise ModelError(
                f"the exported values differ from the network's by {difference.max():.2g} in a "
                f"batch of {size}; nothing was written", value=float(difference.max()),
            )  # fmt: skip


def observe_afterstates(policy: Policy, size: int) -> npt.NDArray[np.int8]:
    """Observations int8[size, O] of afterstates out of random games of all seatings."""
    batch = export.random_games(policy, size)
    return batch.afterstates().observation[:size].copy()
