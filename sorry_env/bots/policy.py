"""A trained policy out of its one file: `load_policy` reads an `.onnx` and refuses what is not one.

The file has the inputs ``observation`` int8[N, O] and ``mask`` bool[N, A] and the outputs
``logits`` float32[N, A] and ``value`` float32[N]. Its metadata say which game it was trained for,
see `metadata.py`. Needs onnxruntime, not torch. Read that before and `learned.py` after this file.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

from sorry_env.bots.metadata import (
    RULES,
    difference,
    fields_of,
    own_rules,
    read_account,
    reward_of,
)
from sorry_env.engine.arguments import as_bool_mask
from sorry_env.engine.tables import RuleTables
from sorry_env.errors import MissingExtraError, ModelError, RequestError

#: Rows evaluated at once.  Each takes some 50 kB on the way, the rows of the first layer: 256 stay
#: in a processor's cache and are three times as fast as thousands.
ROWS: Final = 256

_INPUTS: Final = {"observation": "tensor(int8)", "mask": "tensor(bool)"}
_OUTPUTS: Final = {"logits": "tensor(float)", "value": "tensor(float)"}


@dataclass(frozen=True, eq=False)
class Policy:
    """A loaded policy.

    path:        the file
    ruleset, seat_counts, labels, fields: what it was trained for, see `metadata.Account`
    metadata:    everything the file says of itself
    """

    path: str
    ruleset: str
    seat_counts: tuple[int, ...]
    labels: tuple[str, ...]
    fields: tuple[tuple[Any, ...], ...]
    metadata: Mapping[str, str]
    _run: Callable[..., Any]
    _data: bytes
    _values_only: bool = False

    def __deepcopy__(self, memo: dict[int, Any]) -> Policy:
        return self  # nothing of it ever changes

    def __reduce__(self) -> tuple[object, ...]:
        # With the file in it: what goes on elsewhere, or later, plays the very same policy.
        return read_model, (self.path, self._data, self._values_only)

    @property
    def observation_size(self) -> int:
        """O, the length of its observations."""
        return int(self.fields[-1][1] + self.fields[-1][2])

    @property
    def reward(self) -> str:
        """What it was trained to get, by the file's own account; `win` where it gives none."""
        return reward_of(self.metadata)

    def evaluate(self, observation: np.ndarray, mask: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Logits float32[n, A] and values float32[n] of int8[n, O] observations and their masks.

        mask: bool[n, A], or the int8[n, A] of 0 and 1 that the environments hand out
        Raises RequestError, naming the conversion, for arrays of other dtypes or shapes.
        """
        observation = self._check_observation(observation)
        shape = (len(observation), len(self.labels))
        mask = as_bool_mask(f"{self.path}: mask", mask, shape)
        inputs = {"observation": observation, "mask": mask}
        logits, value = self._run_in_parts(["logits", "value"], inputs)
        return logits, self._finite(value)

    def values(self, observation: np.ndarray) -> np.ndarray:
        """Values float32[n] of int8[n, O] observations, of a file that has only these."""
        observation = self._check_observation(observation)
        return self._finite(self._run_in_parts(["value"], {"observation": observation})[0])

    def _finite(self, values: np.ndarray) -> np.ndarray:
        """The values; ModelError where one is not a finite number."""
        if not np.isfinite(values).all():
            raise ModelError(f"{self.path}: the values are not all finite numbers", value=self.path)
        return values

    def _check_observation(self, observation: np.ndarray) -> np.ndarray:
        shape = np.shape(observation)
        if len(shape) != 2 or shape[1] != self.observation_size:
            raise RequestError(
                f"{self.path}: observation must be int8[n, {self.observation_size}], not of shape "
                f"{shape}; observation[None] makes a row of one vector",
                value=shape,
            )
        if not isinstance(observation, np.ndarray) or observation.dtype != np.int8:
            kind = getattr(observation, "dtype", type(observation).__name__)
            raise RequestError(
                f"{self.path}: observation must be int8, not {kind}: give the compact one "
                "(Batch.buffers.observation where Batch.observation is one-hot), or "
                "np.asarray(observation, np.int8) of the same numbers",
                value=str(kind),
            )
        return observation

    def _run_in_parts(
        self, outputs: list[str], inputs: Mapping[str, np.ndarray]
    ) -> list[np.ndarray]:
        """What the file gives for inputs of any number of rows, ROWS at a time."""
        count = len(inputs["observation"])
        parts = [
            self._run(outputs, {name: rows[low : low + ROWS] for name, rows in inputs.items()})
            for low in range(0, max(1, count), ROWS)
        ]
        if len(parts) == 1:
            only: list[np.ndarray] = parts[0]
            return only
        return [np.concatenate(arrays) for arrays in zip(*parts, strict=True)]

    def legal_logits(self, observation: np.ndarray, mask: np.ndarray) -> np.ndarray:
        """As `evaluate`, the logits alone, -inf where an action is illegal, whatever the file says.

        Raises ModelError where a row's largest is not a finite number, so that none is chosen.
        """
        logits, _ = self.evaluate(observation, mask)
        logits = np.where(np.asarray(mask, np.bool_), logits, np.float32(-np.inf))
        if not np.isfinite(logits.max(axis=1)).all():
            raise ModelError(f"{self.path}: the logits are not all finite numbers", value=self.path)
        return logits

    def check_fits(self, tables: RuleTables) -> None:
        """Raise ModelError, saying what differs, unless it was trained for this very game."""
        name = tables.ruleset.name
        if self.ruleset != name:
            raise ModelError(
                f"{self.path} was trained for ruleset {self.ruleset}, not for {name}",
                value=self.ruleset,
            )
        if self.metadata.get(RULES, "") != own_rules(tables.ruleset):
            raise ModelError(
                f"{self.path} was trained for another ruleset of the name {name}", value=name
            )
        for what, mine, theirs in (
            ("action", self.labels, tables.labels),
            ("observation field", self.fields, fields_of(tables)),
        ):
            if mine != theirs:
                raise ModelError(
                    f"{self.path}: {difference(what, mine, theirs)} of ruleset {name}", value=what
                )

    def check_seats(self, count: int) -> None:
        """Raise ModelError unless it was trained with this number of seats."""
        if count not in self.seat_counts:
            trained = " or ".join(map(str, self.seat_counts))
            raise ModelError(
                f"{self.path} was trained with {trained} seats, not with {count}", value=count
            )


def load_policy(path: str | Path) -> Policy:
    """The policy in a file; see `read_file` for what it raises."""
    return read_file(path)


def read_file(path: str | Path, values_only: bool = False) -> Policy:
    """The policy in a file, or the value of afterstates: the same without mask and logits.

    Raises ModelError for anything but a whole file of this format, and MissingExtraError where
    onnxruntime is not installed.
    """
    name = str(path)
    try:
        data = Path(name).read_bytes()
    except (OSError, ValueError) as error:  # ValueError: a name that no file can have
        reason = getattr(error, "strerror", None) or error
        raise ModelError(f"{name!r} cannot be read: {reason}", value=name) from error
    return read_model(name, data, values_only)


def read_model(name: str, data: bytes, values_only: bool = False) -> Policy:
    """The policy in a file's bytes; the name is for messages. Raises as `read_file`."""
    session, metadata = _open_session(name, data)
    policy = Policy(
        path=name,
        **read_account(name, metadata)._asdict(),
        metadata=metadata,
        _run=session.run,
        _data=data,
        _values_only=values_only,
    )
    actions, size = len(policy.labels), policy.observation_size
    if values_only:
        inputs, outputs = ({"observation": _INPUTS["observation"]}, {"value": _OUTPUTS["value"]})
        _check_ports(name, "input", session.get_inputs(), inputs, ((size,),))
        _check_ports(name, "output", session.get_outputs(), outputs, ((),))
        return policy
    _check_ports(name, "input", session.get_inputs(), _INPUTS, ((size,), (actions,)))
    _check_ports(name, "output", session.get_outputs(), _OUTPUTS, ((actions,), ()))
    _try_out(policy)
    return policy


def _open_session(name: str, data: bytes) -> tuple[Any, dict[str, str]]:
    """An onnxruntime session on a file's bytes, and the file's metadata."""
    try:
        import onnxruntime
    except ImportError as error:
        raise MissingExtraError(
            "a learned bot needs onnxruntime: pip install 'sorry_env[onnx]'", value="onnxruntime"
        ) from error
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    options.log_severity_level = 4  # what goes wrong is told by the exception
    try:
        session = onnxruntime.InferenceSession(
            data, options, providers=["CPUExecutionProvider"],
            enable_fallback=0,  # it would print and try the same once more
        )  # fmt: skip
        # Texts are decoded when they are asked for, so this, too, tells a spoilt file.
        metadata = dict(session.get_modelmeta().custom_metadata_map)
        for port in (*session.get_inputs(), *session.get_outputs()):
            str(port)
    except Exception as error:  # onnxruntime's errors share no other base class
        reason = str(error).strip().splitlines()[0]
        raise ModelError(f"{name} is no whole .onnx file: {reason}", value=name) from error
    return session, metadata


def _check_ports(
    name: str, what: str, ports: Sequence[Any], wanted: Mapping[str, str],
    shapes: tuple[tuple[int, ...], ...],
) -> None:  # fmt: skip
    """Names, types and shapes of a session's inputs or outputs; the first dimension is free."""
    given = {port.name: port for port in ports}
    if sorted(given) != sorted(wanted):
        raise ModelError(
            f"{name}: the {what}s must be {' and '.join(wanted)}, not {' and '.join(given)}",
            value=list(given),
        )
    for (port_name, kind), shape in zip(wanted.items(), shapes, strict=True):
        port = given[port_name]
        if port.type != kind:
            raise ModelError(
                f"{name}: {what} {port_name} must be a {kind}, not a {port.type}", value=port.type
            )
        free = port.shape and not isinstance(port.shape[0], int)
        # An inner dimension that the file leaves open is settled by trying the model out.
        inner = [d for d in port.shape[1:] if isinstance(d, int)]
        if not free or len(port.shape) != 1 + len(shape) or inner not in ([], list(shape)):
            text = ", ".join(["N", *map(str, shape)])
            raise ModelError(
                f"{name}: {what} {port_name} must have the shape [{text}] with N left open, not "
                f"{port.shape}",
                value=port.shape,
            )


def _try_out(policy: Policy) -> None:
    """Evaluate rows with one legal action each: a file that loads may still not run."""
    for rows in (1, 3):
        observation = np.zeros((rows, policy.observation_size), np.int8)
        mask = np.zeros((rows, len(policy.labels)), np.bool_)
        mask[:, 0] = True
        try:
            logits, value = policy.evaluate(observation, mask)
            policy.legal_logits(observation, mask)
        except ModelError:
            raise
        except Exception as error:  # onnxruntime's errors share no other base class
            reason = str(error).strip().splitlines()[0]
            raise ModelError(f"{policy.path} does not run: {reason}", value=rows) from error
        if logits.shape != mask.shape or value.shape != (rows,):
            raise ModelError(
                f"{policy.path}: logits {logits.shape} and value {value.shape} must have the "
                f"shapes {mask.shape} and {(rows,)}",
                value=(logits.shape, value.shape),
            )
        if (logits[~mask] > -1e8).any():
            raise ModelError(
                f"{policy.path}: it must give logits of illegal actions -1e9 or less",
                value=policy.path,
            )
