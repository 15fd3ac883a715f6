"""What an `.onnx` file is, read from the file alone: kind, ruleset, numbers of seats, reward.

Neither the file's name nor its folder says anything. The protocol-buffer fields that matter are
read directly, so no onnxruntime session is opened and onnxruntime need not be installed.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Final

from sorry_env.bots.metadata import Account, read_account, reward_of
from sorry_env.errors import ModelError

POLICY: Final = "policy"
VALUE: Final = "value"

# Field numbers of onnx.proto.
_MODEL_GRAPH, _MODEL_METADATA = 7, 14
_GRAPH_OUTPUT = 12
_NAME, _KEY, _VALUE = 1, 1, 2
# Wire types of protocol buffers and the bytes that a fixed-size value takes.
_VARINT, _BYTES = 0, 2
_FIXED: Final = {1: 8, 5: 4}


@dataclass(frozen=True)
class ModelFacts:
    """What a file is.

    kind:    `policy` (outputs logits and value) or `value` (of afterstates)
    account: ruleset, numbers of seats, action labels, observation fields
    reward:  what it was trained for, see `metadata.reward_of`
    """

    kind: str
    account: Account
    reward: str


def read_facts(path: Path) -> ModelFacts:
    """Read what a file is; cached until the file changes.

    Raises ModelError for a file that cannot be read or is no policy and no value of sorry_env. That
    its network runs is not tried: `policy.read_file` does that.
    """
    try:
        about = path.stat()
        return _read_facts(path, about.st_mtime_ns, about.st_size)
    except (OSError, ValueError) as error:  # ValueError: a name that no file can have
        reason = getattr(error, "strerror", None) or error
        raise ModelError(f"{str(path)!r} cannot be read: {reason}", value=str(path)) from error


@lru_cache(maxsize=256)
def _read_facts(path: Path, changed: int, size: int) -> ModelFacts:
    del changed, size  # parts of the cache's key
    data, name = path.read_bytes(), str(path)
    try:
        metadata, outputs = parse_model(data)
    except ValueError as error:
        raise ModelError(f"{name} is no whole .onnx file: {error}", value=name) from error
    account = read_account(name, metadata)
    kinds = {("logits", "value"): POLICY, ("value",): VALUE}
    kind = kinds.get(tuple(sorted(outputs)))
    if kind is None:
        listed = " and ".join(outputs) or "none"
        raise ModelError(
            f"{name}: the outputs must be logits and value, or value alone, not {listed}",
            value=outputs,
        )
    return ModelFacts(kind, account, reward_of(metadata))


def parse_model(data: bytes) -> tuple[dict[str, str], list[str]]:
    """Return the metadata and the names of the outputs of a serialized ONNX model.

    Raises ValueError for bytes that are no such model.
    """
    metadata: dict[str, str] = {}
    outputs: list[str] = []
    graphs = 0
    view = memoryview(data)
    for number, field in _fields(view):
        if number == _MODEL_GRAPH:
            graphs += 1
            outputs += [_text(out, _NAME) for part, out in _fields(field) if part == _GRAPH_OUTPUT]
        elif number == _MODEL_METADATA:
            metadata[_text(field, _KEY)] = _text(field, _VALUE)
    if graphs != 1:
        raise ValueError(f"it has {graphs} graphs")
    return metadata, outputs


def _text(message: memoryview, wanted: int) -> str:
    """A text field of a message; "" where it has none."""
    found = [bytes(field) for number, field in _fields(message) if number == wanted]
    return found[-1].decode("utf-8") if found else ""


def _fields(message: memoryview) -> Iterator[tuple[int, memoryview]]:
    """Number and contents of the length-delimited fields of a message; others are passed over."""
    at = 0
    while at < len(message):
        tag, at = _varint(message, at)
        kind = tag & 7
        if kind == _VARINT:
            _, at = _varint(message, at)
            continue
        if kind == _BYTES:
            size, at = _varint(message, at)
        elif kind in _FIXED:
            size = _FIXED[kind]
        else:
            raise ValueError(f"no field of wire type {kind} can be at byte {at}")
        if at + size > len(message):
            raise ValueError(f"it ends within the field at byte {at}")
        if kind == _BYTES:
            yield tag >> 3, message[at : at + size]
        at += size


def _varint(message: memoryview, at: int) -> tuple[int, int]:
    """A variable-length integer and where it ends."""
    value = 0
    for shift in range(0, 70, 7):
        if at >= len(message):
            raise ValueError("it ends within a number")
        byte = message[at]
        at += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value, at
    raise ValueError(f"the number at byte {at - 10} has no end")
