"""Checkpoints: everything a run needs to go on exactly, in one file that is never half written.

A file is made by ``torch.save`` from plain values and tensors alone, and read with
``weights_only=True``: opening somebody else's checkpoint runs no code of theirs.
Read before: ``rollout.py``.  Read next: ``ppo.py``.
"""

from __future__ import annotations

import io
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch

from sorry_env.errors import ConfigError, ModelError, SorryError
from sorry_training.config import C, PPOConfig, settings_from_mapping
from sorry_training.nets import PolicyValueNet
from sorry_training.td_config import record_of

FORMAT = "sorry_env.training"
VERSION = 1
#: Name of the checkpoint in a run's folder.
FILE = "checkpoint.pt"
#: What may differ when a run is resumed: where it ends and how many threads work.  (So may the
#: number of processes, which is no setting.)
RESUMABLE = ("decisions", "minutes", "threads")


class Policy(NamedTuple):
    """What plays: a network, its settings, the compiled ruleset, what is known about the run."""

    net: PolicyValueNet
    config: PPOConfig
    tables: Any
    summary: dict[str, Any]


def make_net(config: PPOConfig) -> PolicyValueNet:
    """A network for the configuration's game, its weights not meant for use."""
    tables = config.tables
    return PolicyValueNet(tables.layout, tables.num_actions, config.width, config.layers)


def save_checkpoint(path: Path, state: dict[str, Any]) -> None:
    """Write ``state`` to ``path`` so that at any moment the old file or the new one is there.

    state: nested dicts, lists and tuples of numbers, words, None, tensors and numpy arrays.
    """
    temporary = path.with_name(path.name + ".new")
    with temporary.open("wb") as file:
        torch.save({"format": FORMAT, "version": VERSION, **_pack(state)}, file)
        file.flush()
        os.fsync(file.fileno())
    temporary.replace(path)


def load_checkpoint(path: Path) -> dict[str, Any]:
    """The state written by `save_checkpoint`; ModelError where ``path`` holds no such thing."""
    try:
        state = torch.load(path, map_location="cpu", weights_only=True)
    except OSError as error:
        raise ModelError(f"cannot read the checkpoint {path}: {error}", value=str(path)) from None
    except Exception as error:  # torch raises what its unpickler and its zip reader meet
        raise ModelError(f"{path} is not a checkpoint, or a damaged one: {_first_line(error)}",
                         value=str(path)) from None  # fmt: skip
    if not isinstance(state, dict) or state.get("format") != FORMAT:
        raise ModelError(f"{path} is not a checkpoint of sorry_env's training", value=str(path))
    if state.get("version") != VERSION:
        raise ModelError(f"{path} has checkpoint version {state.get('version')!r}; this program "
                         f"reads version {VERSION}", value=state.get("version"))  # fmt: skip
    unpacked: dict[str, Any] = _unpack(state)
    return unpacked


def find_checkpoint(path: Path) -> Path:
    """``path`` itself, or the checkpoint in it where it is the folder of a run."""
    if not path.is_dir():
        return path
    if not (path / FILE).exists():
        raise ModelError(f"{path} is not the folder of a run: it has no {FILE}", value=str(path))
    return path / FILE


def load_policy(path: Path) -> Policy:
    """The network of a checkpoint or run folder, as it is to be evaluated and exported.

    Raises ModelError where the file does not hold one that fits its own ruleset.
    """
    path = find_checkpoint(path)
    state = load_checkpoint(path)
    try:
        config = settings_from_mapping(state["config"], record_of(state["config"]))
        net = make_net(config)
        check_layout(state, config)
        net.load_state_dict(state["average"])
    except (KeyError, TypeError, AttributeError, RuntimeError, SorryError) as error:
        raise ModelError(f"the checkpoint {path} does not describe a policy: {_first_line(error)}",
                         value=str(path)) from None  # fmt: skip
    summary = {key: state[key] for key in ("update", "decisions", "games")}
    return Policy(net.eval(), config, config.tables, summary)


def saved_settings(folder: Path, overrides: Sequence[str], kind: type[C]) -> C:
    """The settings of the run in ``folder``, as its checkpoint has them, with ``key=value`` words.

    kind: the record of the algorithm that is to go on
    Raises ConfigError for a run of another algorithm, and for a word that changes what may not
    differ when a run is resumed.
    """
    saved = load_checkpoint(find_checkpoint(folder))["config"]
    learnt = record_of(saved).algorithm
    if learnt != kind.algorithm:
        raise ConfigError(f"{folder} holds a run of {learnt}, not of {kind.algorithm}; go on with "
                          f"it by {learnt} --resume {folder}", value=str(folder))  # fmt: skip
    for word in overrides:
        key, _, text = word.partition("=")
        if key not in RESUMABLE:
            raise ConfigError(f"{word}: a run is resumed with its own settings; only "
                              f"{', '.join(RESUMABLE)} may be given anew", value=word)  # fmt: skip
        saved[key] = text
    return settings_from_mapping(saved, kind)


def describe_layout(config: PPOConfig) -> dict[str, Any]:
    """What the meaning of the weights hangs on besides the ruleset's name: fields and actions."""
    tables = config.tables
    fields = [[f.name, f.offset, f.size, f.low, f.high] for f in tables.layout]
    return {"fields": fields, "actions": list(tables.labels)}


def check_layout(state: dict[str, Any], config: PPOConfig) -> None:
    """ModelError where a checkpoint was made for other observations or another action table."""
    present = describe_layout(config)
    for what, value in present.items():
        if state["layout"].get(what) != value:
            raise ModelError(f"its {what} are not those of {config.ruleset} today; it was made by "
                             "another version of sorry_env", value=what)  # fmt: skip


def _pack(value: Any) -> Any:
    """``value`` with numpy arrays (records included) as the bytes of an ``.npy`` file."""
    if isinstance(value, dict):
        return {key: _pack(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return type(value)(_pack(item) for item in value)
    if isinstance(value, np.ndarray):
        buffer = io.BytesIO()
        np.lib.format.write_array(buffer, value, allow_pickle=False)
        return {"npy": torch.from_numpy(np.frombuffer(buffer.getvalue(), np.uint8).copy())}
    if isinstance(value, np.generic):
        return value.item()
    return value


def _unpack(value: Any) -> Any:
    """The inverse of `_pack`."""
    if isinstance(value, dict):
        if value.keys() == {"npy"}:
            buffer = io.BytesIO(value["npy"].numpy().tobytes())
            return np.lib.format.read_array(buffer, allow_pickle=False)
        return {key: _unpack(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return type(value)(_unpack(item) for item in value)
    return value


def _first_line(error: Exception) -> str:
    lines = str(error).strip().splitlines()
    return lines[0] if lines else type(error).__name__
