"""Files that are no policy: each is refused with a ModelError that says what is wrong."""

from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from onnx import TensorProto, helper, numpy_helper

from sorry_env.bots.policy import load_policy
from sorry_env.errors import ModelError
from tests.bots import models


def refused(folder: Path, data: bytes) -> str:
    """The message with which these bytes are refused."""
    path = models.save(folder, data)
    with pytest.raises(ModelError) as caught:
        load_policy(path)
    assert str(path) in str(caught.value)
    return str(caught.value)


def test_no_file_at_all(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "none.onnx", Path("\0")):
        with pytest.raises(ModelError, match="cannot be read"):
            load_policy(path)


@pytest.mark.parametrize("data", [b"", b"\0", b"hello", b"PK\x03\x04", b"{}" * 99, bytes(999)])
def test_no_onnx(tmp_path: Path, data: bytes) -> None:
    assert "is no whole .onnx file" in refused(tmp_path, data)


def test_truncated_anywhere(tmp_path: Path) -> None:
    whole = models.build()
    for length in np.linspace(1, len(whole) - 1, 60).astype(int).tolist():
        assert refused(tmp_path, whole[:length])


def test_one_byte_changed_is_refused_or_still_a_policy(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    whole = models.build("duel-1", [2])
    random = np.random.default_rng(0)
    for _ in range(150):
        spoilt = bytearray(whole)
        spoilt[random.integers(len(whole))] ^= 1 << int(random.integers(8))
        with suppress(ModelError):
            load_policy(models.save(tmp_path, bytes(spoilt)))
    assert capfd.readouterr() == ("", "")  # what is wrong is told by the error alone


KEYS = (
    "sorry_env.format", "observation_version", "ruleset", "seat_counts", "actions", "observation",
)  # fmt: skip


@pytest.mark.parametrize("key", KEYS)
def test_metadata_must_be_there(tmp_path: Path, key: str) -> None:
    assert f"the metadata lack {key!r}" in refused(tmp_path, models.build(metadata={key: None}))


@pytest.mark.parametrize("key", ["sorry_env.format", "observation_version"])
@pytest.mark.parametrize("version", ["", "0", "2", "1.0", "one"])
def test_versions_must_be_known(tmp_path: Path, key: str, version: str) -> None:
    message = refused(tmp_path, models.build(metadata={key: version}))
    assert f"{key} is {version!r}, and this version of sorry_env reads '1'" in message


FIELD = {"name": "pawns", "offset": 0, "size": 30, "low": -1, "high": 66}


@pytest.mark.parametrize(
    ("key", "value"),
    [
        *((key, text) for key in KEYS[3:] for text in ("", "[", "{}", "7", "null", "[]", "[null]")),
        *(("seat_counts", text) for text in ("[0]", "[5]", "[2.0]", "[true]", '["2"]', "2,3")),
        ("actions", "[" * 100_000),
        ("actions", "[1, 2]"),
        ("observation", json.dumps(["pawns"])),
        *(("observation", json.dumps([{**FIELD, **wrong}])) for wrong in (
            {"name": 3}, {"size": 0}, {"size": "30"}, {"offset": -1}, {"low": 0.5}, {"high": 1e9},
            {"size": 10**30},
        )),
        ("observation", json.dumps([{k: v for k, v in FIELD.items() if k != "low"}])),
    ],
)  # fmt: skip
def test_metadata_must_be_readable(tmp_path: Path, key: str, value: str) -> None:
    message = refused(tmp_path, models.build(metadata={key: value}))
    assert f"metadata {key!r} cannot be read" in message


def test_metadata_must_fit_the_tensors(tmp_path: Path) -> None:
    message = refused(tmp_path, models.build(metadata={"actions": '["pass", "1:out"]'}))
    assert "input mask must have the shape [N, 2]" in message
    fields = json.dumps([{**FIELD, "size": 29}])
    message = refused(tmp_path, models.build(metadata={"observation": fields}))
    assert "input observation must have the shape [N, 29]" in message


def _rename(model: Any, old: str, new: str) -> None:
    for port in [*model.graph.input, *model.graph.output]:
        port.name = new if port.name == old else port.name
    for node in model.graph.node:
        node.input[:] = [new if name == old else name for name in node.input]
        node.output[:] = [new if name == old else name for name in node.output]


@pytest.mark.parametrize("name", ["observation", "mask", "logits", "value"])
def test_tensors_must_have_their_names(tmp_path: Path, name: str) -> None:
    message = refused(tmp_path, models.build(change=lambda m: _rename(m, name, "other")))
    kind = "inputs" if name in ("observation", "mask") else "outputs"
    assert f"the {kind} must be" in message and "other" in message


def test_nothing_may_be_missing_or_left_over(tmp_path: Path) -> None:
    def no_value(model: Any) -> None:
        del model.graph.output[1]

    def third_input(model: Any) -> None:
        model.graph.input.add().CopyFrom(model.graph.input[0])
        model.graph.input[2].name = "temperature"

    assert "outputs must be logits and value, not logits" in refused(
        tmp_path, models.build(change=no_value)
    )
    assert "temperature" in refused(tmp_path, models.build(change=third_input))


@pytest.mark.parametrize(("port", "wrong"), [(0, "FLOAT"), (0, "INT32"), (0, "UINT8")])
def test_inputs_must_have_their_types(tmp_path: Path, port: int, wrong: str) -> None:
    def change(model: Any) -> None:
        kind = getattr(TensorProto, wrong)
        model.graph.input[port].type.tensor_type.elem_type = kind

    message = refused(tmp_path, models.build(change=change))
    assert "input observation must be a tensor(int8), not a tensor" in message


def test_outputs_must_have_their_types(tmp_path: Path) -> None:
    def doubles(model: Any) -> None:
        model.graph.node[5].output[0] = "narrow"
        cast = helper.make_node("Cast", ["narrow"], ["value"], to=TensorProto.DOUBLE)
        model.graph.node.append(cast)
        model.graph.output[1].type.tensor_type.elem_type = TensorProto.DOUBLE

    message = refused(tmp_path, models.build(change=doubles))
    assert "output value must be a tensor(float), not a tensor(double)" in message


@pytest.mark.parametrize("size", [1, 2, 64])
def test_the_number_of_rows_must_be_free(tmp_path: Path, size: int) -> None:
    def fixed(model: Any) -> None:
        for port in [*model.graph.input, *model.graph.output]:
            port.type.tensor_type.shape.dim[0].dim_value = size

    assert "with N left open" in refused(tmp_path, models.build(change=fixed))


def test_a_graph_that_fails_on_several_rows_is_found_out(tmp_path: Path) -> None:
    def one_row(model: Any) -> None:
        # Looks free from outside, and holds for one row only.
        node, kinds = helper.make_node, TensorProto
        chain = [
            node("Cast", ["mask"], ["ones"], to=kinds.FLOAT),
            node("ReduceMax", ["ones"], ["most"], keepdims=0),
            node("Cast", ["most"], ["whole"], to=kinds.INT64),
            node("Unsqueeze", ["whole", "zero"], ["one"]),
            node("Reshape", ["column", "one"], ["flat"]),
        ]
        zero = numpy_helper.from_array(np.array([0], np.int64), "zero")
        model.graph.initializer.append(zero)
        last = model.graph.node.pop()
        model.graph.node.pop()
        model.graph.node.extend([*chain, last])

    assert "does not run" in refused(tmp_path, models.build(change=one_row))


def _set_weight(name: str, value: float) -> Any:
    def change(model: Any) -> None:
        for tensor in model.graph.initializer:
            if tensor.name == name:
                array = np.full_like(numpy_helper.to_array(tensor), value)
                tensor.CopyFrom(numpy_helper.from_array(array, name))

    return change


@pytest.mark.parametrize(
    ("weight", "value", "message"),
    [
        ("b", float("nan"), "the logits are not all finite numbers"),
        ("b", float("inf"), "the logits are not all finite numbers"),
        ("b", float("-inf"), "the logits are not all finite numbers"),
        ("v", float("nan"), "values are not all finite"),
        ("never", 0.0, "logits of illegal actions -1e9 or less"),
        ("never", -80.0, "logits of illegal actions -1e9 or less"),
    ],
)
def test_what_it_computes_must_make_sense(
    tmp_path: Path, weight: str, value: float, message: str
) -> None:
    assert message in refused(tmp_path, models.build(change=_set_weight(weight, value)))


def test_weights_outside_the_file_are_refused(tmp_path: Path) -> None:
    (tmp_path / "weights.bin").write_bytes(bytes(30 * 179 * 4))

    def outside(model: Any) -> None:
        tensor = model.graph.initializer[0]
        tensor.ClearField("raw_data")
        tensor.data_location = TensorProto.EXTERNAL
        entry = tensor.external_data.add()
        entry.key, entry.value = "location", "weights.bin"

    assert "is no whole .onnx file" in refused(tmp_path, models.build(change=outside))
