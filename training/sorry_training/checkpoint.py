"""Checkpoints: everything a run needs to go on exactly, in files that are never half written.

The newest is ``checkpoint.pt``; those before it are ``checkpoint-000123.pt``, by update. A file is
made by ``torch.save`` from plain values and tensors alone, and read with
``weights_only=True``: opening somebody else's checkpoint runs no code of theirs.
Read before: ``rollout.py``.  Read next: ``ppo.py``.
"""

from __future__ import annotations

import io
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch

from sorry_env.errors import ConfigError, ModelError, SorryError
from sorry_env.files import replace_file
from sorry_training.config import C, PPOConfig, config_to_mapping, settings_from_mapping
from sorry_training.nets import PolicyValueNet
from sorry_training.options import read_yaml
from sorry_training.td_config import record_of

FORMAT = "sorry_env.training"
VERSION = 1
#: Name of the newest checkpoint in a run's folder, and of its settings.
FILE = "checkpoint.pt"
CONFIG = "config.yaml"
#: Settings that may differ when a run is resumed: none of them changes what is learnt from the same
#: decisions.  (So may the number of processes, which is no setting.)
RESUMABLE = ("decisions", "minutes", "threads", "device", "checkpoint_every", "checkpoints_kept",
             "evaluate_every", "evaluate_games", "final_games")  # fmt: skip
_OLDER = re.compile(r"checkpoint-([0-9]{6,})\.pt")


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
    Raises OSError, and keeps the old file, where it cannot be written.
    """
    # In memory first: torch's own writer turns a full disk into an error without words.
    buffer = io.BytesIO()
    torch.save({"format": FORMAT, "version": VERSION, **_pack(state)}, buffer)
    with replace_file(path) as file:
        file.write(buffer.getbuffer())


def save_newest(folder: Path, state: dict[str, Any], before: int | None, kept: int) -> None:
    """Write the newest checkpoint of a run, and keep those before it.

    before: the update of the newest one so far; None where there is none
    kept:   how many checkpoints there may be, this one included; older ones are removed
    """
    newest = folder / FILE
    older = folder / f"checkpoint-{before or 0:06d}.pt"
    moved = kept > 1 and before is not None and newest.exists()
    if moved:
        newest.replace(older)
    try:
        save_checkpoint(newest, state)
    except BaseException:
        if moved:
            older.replace(newest)
        raise
    for path in older_checkpoints(folder)[kept - 1 :]:
        path.unlink()


def older_checkpoints(folder: Path) -> list[Path]:
    """The checkpoints before the newest, latest first."""
    named = [(int(m[1]), p) for p in folder.iterdir() if (m := _OLDER.fullmatch(p.name))]
    return [path for _, path in sorted(named, reverse=True)]


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


def load_run(folder: Path) -> tuple[dict[str, Any], Path, list[ModelError]]:
    """The state in the newest whole checkpoint of a run's folder, or in the file ``folder``.

    Returns also the file that it was read from, and what was wrong with newer ones.  Raises
    ModelError where there is no checkpoint, or none is whole.
    """
    if not folder.is_dir():
        return load_checkpoint(folder), folder, []
    files = [folder / FILE] if (folder / FILE).exists() else []
    files += older_checkpoints(folder)
    if not files:
        raise ModelError(
            f"{folder} is not the folder of a run: it has no {FILE}", value=str(folder)
        )
    faults: list[ModelError] = []
    for path in files:
        try:
            return load_checkpoint(path), path, faults
        except ModelError as error:
            faults.append(error)
    raise faults[0]


def load_policy(path: Path) -> Policy:
    """The network of a checkpoint or run folder, as it is to be evaluated and exported.

    Raises ModelError where the file does not hold one that fits its own ruleset.
    """
    state, path, _ = load_run(path)
    try:
        config = settings_from_mapping(state["config"], record_of(state["config"]))
        net = make_net(config)
        check_layout(state, config)
        net.load_state_dict(state["average"])
        check_weights(net, "average")
    except (KeyError, TypeError, AttributeError, RuntimeError, SorryError) as error:
        raise ModelError(f"the checkpoint {path} does not describe a policy: {_first_line(error)}",
                         value=str(path)) from None  # fmt: skip
    summary = {key: state[key] for key in ("update", "decisions", "games")}
    return Policy(net.eval(), config, config.tables, summary)


def check_weights(net: PolicyValueNet, what: str) -> None:
    """ModelError unless all weights are finite numbers."""
    for name, weight in net.state_dict().items():
        if not bool(torch.isfinite(weight).all()):
            raise ModelError(f"its weights ({what}: {name}) are not all finite numbers", value=name)


def saved_settings(folder: Path, overrides: Sequence[str], kind: type[C]) -> C:
    """The settings of the run in ``folder``, changed by ``key=value`` words.

    They are those of its checkpoint; what may change when a run is resumed is taken from its
    ``config.yaml``, which people edit, and then from the words.
    kind: the record of the algorithm that is to go on
    Raises ConfigError for a run of another algorithm, and where ``config.yaml`` or a word changes
    what may not differ.
    """
    saved = load_run(folder)[0]["config"]
    learnt = record_of(saved).algorithm
    if learnt != kind.algorithm:
        raise ConfigError(f"{folder} holds a run of {learnt}, not of {kind.algorithm}; go on with "
                          f"it by {learnt} --resume {folder}", value=str(folder))  # fmt: skip
    saved = _with_edits(saved, folder / CONFIG, kind)
    for word in overrides:
        key, _, text = word.partition("=")
        if key not in RESUMABLE:
            raise ConfigError(f"{word}: a run is resumed with its own settings; only "
                              f"{', '.join(RESUMABLE)} may be given anew", value=word)  # fmt: skip
        saved[key] = text
    return settings_from_mapping(saved, kind)


def _with_edits(saved: Mapping[str, Any], path: Path, kind: type[C]) -> dict[str, Any]:
    """The saved settings with what was changed in the file ``path``, where it may be."""
    before = config_to_mapping(settings_from_mapping(saved, kind))
    if not path.exists():
        return before
    edited = config_to_mapping(settings_from_mapping(read_yaml(path), kind))
    changed = [key for key in before if edited[key] != before[key]]
    if fixed := [key for key in changed if key not in RESUMABLE]:
        told = "; ".join(f"{key}: {edited[key]!r}, it began with {before[key]!r}" for key in fixed)
        raise ConfigError(
            f"{path} was edited: {told}. A run goes on with the settings that it began with: put "
            f"them back, or train anew in another folder. Only {', '.join(RESUMABLE)} may change",
            value=fixed,
        )
    return edited


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
