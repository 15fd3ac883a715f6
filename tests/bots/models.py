"""Small .onnx policies built by hand, right ones and spoilt ones."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

from sorry_env.bots.metadata import fitting_metadata
from sorry_env.families import family_of

#: A model is spoilt by a change to the finished protobuf.
Change = Callable[[onnx.ModelProto], None]


def build(
    ruleset: str = "classic",
    seat_counts: Sequence[int] = (2, 3, 4),
    *,
    bias: np.ndarray | None = None,
    metadata: Mapping[str, str | None] | None = None,
    change: Change | None = None,
    seed: int = 0,
) -> bytes:
    """A linear policy: logits = observation @ W + bias where legal, value = tanh(observation @ v).

    bias:     float32[A] with all other weights 0; None for random weights
    metadata: entries that replace the right ones; None leaves one out
    """
    tables = family_of(ruleset).compile_rules(ruleset)
    size, actions = tables.observation_size, tables.num_actions
    random = np.random.default_rng(seed)
    weights = random.normal(0, 0.05, (size, actions)) if bias is None else np.zeros((size, actions))
    constants = {
        "W": weights,
        "b": np.zeros(actions) if bias is None else bias,
        "v": random.normal(0, 0.01, (size, 1)),
        "never": np.array(-1e9),
    }
    graph = helper.make_graph(
        [
            helper.make_node("Cast", ["observation"], ["x"], to=TensorProto.FLOAT),
            helper.make_node("Gemm", ["x", "W", "b"], ["open"]),
            helper.make_node("Where", ["mask", "open", "never"], ["logits"]),
            helper.make_node("MatMul", ["x", "v"], ["column"]),
            helper.make_node("Squeeze", ["column", "axis"], ["flat"]),
            helper.make_node("Tanh", ["flat"], ["value"]),
        ],
        "policy",
        [
            helper.make_tensor_value_info("observation", TensorProto.INT8, ["N", size]),
            helper.make_tensor_value_info("mask", TensorProto.BOOL, ["N", actions]),
        ],
        [
            helper.make_tensor_value_info("logits", TensorProto.FLOAT, ["N", actions]),
            helper.make_tensor_value_info("value", TensorProto.FLOAT, ["N"]),
        ],
        [
            *(numpy_helper.from_array(v.astype(np.float32), k) for k, v in constants.items()),
            numpy_helper.from_array(np.array([1], np.int64), "axis"),
        ],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)
    entries: dict[str, str | None] = {**fitting_metadata(tables, seat_counts), **(metadata or {})}
    helper.set_model_props(model, {k: v for k, v in entries.items() if v is not None})
    if change is not None:
        change(model)
    return bytes(model.SerializeToString())


def build_value(
    ruleset: str = "classic", seat_counts: Sequence[int] = (2, 3, 4), *, seed: int = 0
) -> bytes:
    """A value of afterstates: tanh(observation @ v), with random weights v."""

    def cut(model: onnx.ModelProto) -> None:
        graph = model.graph
        nodes = [node for node in graph.node if node.op_type not in ("Gemm", "Where")]
        for entries, kept in (
            (graph.node, nodes),
            (graph.input, graph.input[:1]),
            (graph.output, graph.output[1:]),
            (graph.initializer, [t for t in graph.initializer if t.name in ("v", "axis")]),
        ):
            copies = list(kept)
            del entries[:]
            entries.extend(copies)

    return build(ruleset, seat_counts, seed=seed, change=cut)


def value_by_weights(data: bytes, observation: np.ndarray) -> Any:
    """What such a file says of one observation int8[O]."""
    weights = {
        t.name: numpy_helper.to_array(t) for t in onnx.load_from_string(data).graph.initializer
    }
    return float(np.tanh(observation.astype(np.float64) @ weights["v"].astype(np.float64))[0])


def save(folder: Path, data: bytes, name: str = "bot.onnx") -> Path:
    """Write a model's bytes to a file."""
    path = folder / name
    path.write_bytes(data)
    return path


def forward(data: bytes, observation: np.ndarray, mask: np.ndarray) -> Any:
    """The same policy computed by numpy from the file's weights: logits and values."""
    model = onnx.load_from_string(data)
    weights = {t.name: numpy_helper.to_array(t) for t in model.graph.initializer}
    x = observation.astype(np.float32)
    logits = np.where(mask, x @ weights["W"] + weights["b"], np.float32(-1e9))
    return logits, np.tanh(x @ weights["v"])[:, 0]
