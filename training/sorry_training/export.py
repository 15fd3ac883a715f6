"""The way out: a checkpoint becomes one ``.onnx`` file that any program can play with.

Read before: ``checkpoint.py``.  ``sorry_env/bots/policy.py`` reads the file and says what it holds.

The file is built in memory, compared with the network on real positions and read back by the bot's
own reader before it takes its name: a file that differs or does not fit is never written.
"""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any, Final

import numpy as np
import onnx
import torch
from onnx import TensorProto, helper, numpy_helper

from sorry_env.bots.metadata import fitting_metadata
from sorry_env.bots.policy import Policy as Exported
from sorry_env.bots.policy import read_model
from sorry_env.engine.batch import Batch
from sorry_env.engine.state import SEATS
from sorry_env.errors import ModelError
from sorry_env.files import write_file
from sorry_env.json_text import write_json
from sorry_env.rules.ruleset import MAX_PAWNS
from sorry_training.checkpoint import Policy
from sorry_training.config import config_to_mapping
from sorry_training.features import CODES
from sorry_training.finite import check_state
from sorry_training.masked import ILLEGAL
from sorry_training.nets import PolicyValueNet

#: Versions of the operators and of the file that every onnxruntime since 1.13 reads.
OPSET = 17
IR_VERSION = 8
#: Batch sizes at which the file is compared with the network, and the difference allowed.
SIZES = (1, 3, 257)
TOLERANCE = 1e-5


def export_policy(policy: Policy, out: Path) -> None:
    """Write ``policy`` to ``out``; ModelError, and no file, where the result is not its equal."""
    check_weights(policy)
    model = build_model(policy.net)
    for key, value in metadata_of(policy, "ppo").items():
        model.metadata_props.add(key=key, value=value)
    data = model.SerializeToString()
    check_file(read_model(str(out), data), policy)
    out.parent.mkdir(parents=True, exist_ok=True)
    write_file(out, data)


def check_weights(policy: Policy) -> None:
    """Raise ModelError if a weight of the policy is not finite."""
    check_state({"net": policy.net.state_dict()}, "the network")


def metadata_of(policy: Policy, algorithm: str) -> dict[str, str]:
    """What the file says of itself."""
    seat_counts = sorted({len(seats) for seats in policy.config.seat_sets()})
    return fitting_metadata(policy.tables, seat_counts) | {
        "position_format": "1",
        "training": write_json(summary(policy, algorithm)),
        "weights_sha256": weights_sha256(policy.net),
    }


def build_model(net: PolicyValueNet) -> onnx.ModelProto:
    """The network as a graph of standard operators, inputs and outputs as the reader wants them.

    Written out here instead of traced: it is `PolicyValueNet.forward` in twenty nodes, whatever
    version of torch is installed, and `check_file` holds it against the network.
    """
    weights = weights_of(net)
    graph = Graph()
    features = add_features(graph, net, weights)
    logits = graph.linear(features, weights, "policy")
    graph.add("Where", "mask", logits, graph.constant(np.float32(ILLEGAL)), out="logits")
    add_value(graph, features, weights)
    return graph.model(
        [observation_port(net), ("mask", TensorProto.BOOL, ["N", net.num_actions])],
        [("logits", TensorProto.FLOAT, ["N", net.num_actions]), VALUE_PORT],
    )


#: The output that is a value.
VALUE_PORT: Final = ("value", TensorProto.FLOAT, ["N"])


def observation_port(net: PolicyValueNet) -> tuple[str, int, list[Any]]:
    """The input that is an observation."""
    return "observation", TensorProto.INT8, ["N", net.fields[-1].offset + net.fields[-1].size]


def weights_of(net: PolicyValueNet) -> dict[str, np.ndarray]:
    """The weights by name."""
    return {name: value.detach().cpu().numpy() for name, value in net.state_dict().items()}


def add_features(graph: Graph, net: PolicyValueNet, weights: dict[str, np.ndarray]) -> str:
    """The layers that policy and value share as nodes; returns the name of their result."""
    picked = pick_rows(graph, net)
    # A row that is not there is number -1: to Gather the last one, which holds zeros.
    table = np.pad(net.whole_table().detach().numpy(), ((0, 1), (0, 0)))
    rows = graph.add("Gather", graph.constant(table), picked)
    features = graph.add("ReduceSum", rows, graph.constant(np.array([1])), keepdims=0)
    features = graph.add("Add", features, graph.constant(weights["bias"]))
    if len(net.plan.amounts):
        amounts = graph.add("Gather", "observation", graph.constant(net.plan.amounts), axis=1)
        amounts = graph.add("Cast", amounts, to=TensorProto.FLOAT)
        fractions = graph.add("Mul", amounts, graph.constant(net.plan.scales))
        weighed = graph.add("MatMul", fractions, graph.constant(weights["weights"]))
        features = graph.add("Add", features, weighed)
    features = graph.add("Relu", features)
    for i in range(len(net.hidden)):
        features = graph.add("Relu", graph.linear(features, weights, f"hidden.{i}"))
    return features


def add_value(graph: Graph, features: str, weights: dict[str, np.ndarray]) -> None:
    """The value head as the output ``value``."""
    value = graph.add("Squeeze", graph.linear(features, weights, "value"),
                      graph.constant(np.array([1])))  # fmt: skip
    graph.add("Tanh", value, out="value")


def pick_rows(graph: Graph, net: PolicyValueNet) -> str:
    """`PolicyValueNet.pick_rows` as nodes; returns the name of their result."""
    plan = net.plan
    entries = graph.add("Gather", "observation", graph.constant(plan.columns), axis=1)
    entries = graph.add("Cast", entries, to=TensorProto.INT32)
    absent = graph.add("Less", entries, graph.constant(np.int32(0)))
    named = graph.add("Add", entries, graph.constant(plan.bases))
    named = graph.add("Where", absent, graph.constant(np.int32(-1)), named)
    if not plan.board:
        return named
    pawns = SEATS * MAX_PAWNS
    codes = graph.add("Gather", "observation", graph.constant(np.arange(pawns)), axis=1)
    codes = graph.add("Add", graph.add("Cast", codes, to=TensorProto.INT32),
                      graph.constant(np.int32(1)))  # fmt: skip
    # Each own slot (repeated for every other pawn) beside each other pawn.
    own = np.repeat(np.arange(MAX_PAWNS), pawns - MAX_PAWNS)
    others = np.tile(np.arange(MAX_PAWNS, pawns), MAX_PAWNS)
    left = graph.add("Gather", codes, graph.constant(own), axis=1)
    left = graph.add("Mul", left, graph.constant(np.int32(CODES)))
    right = graph.add("Gather", codes, graph.constant(others), axis=1)
    pairs = graph.add("Add", graph.add("Add", left, right), graph.constant(plan.pair_bases))
    distances = graph.add("Gather", graph.constant(plan.pairs), pairs)
    return graph.add("Concat", named, distances, axis=1)


class Graph:
    """Nodes and constants of a graph while it is being built; values are known by name."""

    def __init__(self) -> None:
        self.nodes: list[onnx.NodeProto] = []
        self.constants: list[onnx.TensorProto] = []

    def constant(self, value: np.ndarray | np.generic) -> str:
        """The name of a new constant."""
        name = f"constant_{len(self.constants)}"
        self.constants.append(numpy_helper.from_array(np.asarray(value), name))
        return name

    def add(self, operator: str, *inputs: str, out: str | None = None, **attributes: Any) -> str:
        """The name of the result of a new node."""
        out = out or f"{operator}_{len(self.nodes)}"
        self.nodes.append(helper.make_node(operator, inputs, [out], **attributes))
        return out

    def linear(self, value: str, weights: dict[str, np.ndarray], layer: str) -> str:
        """A linear layer called ``layer`` in ``weights``."""
        weight, bias = weights[f"{layer}.weight"], weights[f"{layer}.bias"]
        return self.add("Gemm", value, self.constant(weight), self.constant(bias), transB=1)

    def model(self, inputs: list[Any], outputs: list[Any]) -> onnx.ModelProto:
        """The finished model; inputs and outputs as (name, element type, shape)."""
        graph = helper.make_graph(
            self.nodes, "policy",
            [helper.make_tensor_value_info(*port) for port in inputs],
            [helper.make_tensor_value_info(*port) for port in outputs],
            self.constants,
        )  # fmt: skip
        model = helper.make_model(
            graph, producer_name="sorry_env", ir_version=IR_VERSION,
            opset_imports=[helper.make_opsetid("", OPSET)],
        )  # fmt: skip
        onnx.checker.check_model(model, full_check=True)
        return model


def check_file(exported: Exported, policy: Policy) -> None:
    """ModelError where a file does not compute what the network does on real positions."""
    exported.check_fits(policy.tables)
    for size in SIZES:
        observation, mask = positions(policy, size)
        with torch.no_grad():
            outputs = policy.net(torch.from_numpy(observation), torch.from_numpy(mask))
        logits, value = exported.evaluate(observation, mask)
        for name, here, there in (
            ("logits", outputs[0].numpy()[mask], logits[mask]), ("value", outputs[1], value),
        ):  # fmt: skip
            difference = np.abs(np.asarray(here) - there)
            allowed = TOLERANCE * np.maximum(1.0, np.abs(there))
            if not (difference <= allowed).all():
                raise ModelError(
                    f"the exported {name} differ from the network's by {difference.max():.2g} in a "
                    f"batch of {size}; nothing was written", value=float(difference.max()),
                )  # fmt: skip


def positions(policy: Policy, size: int) -> tuple[np.ndarray, np.ndarray]:
    """Observations int8[size, O] and masks bool[size, A] out of random games of all seatings."""
    batch = random_games(policy, size)
    return batch.observation.copy(), batch.mask.copy()


def random_games(policy: Policy, size: int) -> Batch:
    """``size`` games of all seatings, some way into random play."""
    seatings = policy.config.seat_sets()
    seats = [seatings[i % len(seatings)] for i in range(size)]
    batch: Batch = policy.config.family.Batch(policy.config.ruleset, seats, size, seed=size)
    batch.random_steps(75)
    return batch


def summary(policy: Policy, algorithm: str) -> dict[str, Any]:
    """What the file says of its training: nothing that depends on the clock or the machine."""
    return {"algorithm": algorithm, **policy.summary, "config": config_to_mapping(policy.config)}


def weights_sha256(net: PolicyValueNet) -> str:
    """A hash of the weights' names, shapes and bytes."""
    digest = hashlib.sha256()
    for name, value in sorted(net.state_dict().items()):
        digest.update(f"{name} {tuple(value.shape)}\n".encode())
        digest.update(value.detach().contiguous().numpy().tobytes())
    return digest.hexdigest()
