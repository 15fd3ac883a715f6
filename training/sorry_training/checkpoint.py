"""Checkpoints: everything a run needs to go on exactly, in one file that is never half written.

A file is made by ``torch.save`` from plain values and tensors alone, and read with
``weights_only=True``: opening somebody else's checkpoint runs no code of theirs.
Read before: ``rollout.py``.  Read next: ``ppo.py``.
"""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch

from sorry_env.errors import ModelError, SorryError
from sorry_env.files import write_file
from sorry_training.config import PPOConfig, settings_from_mapping
from sorry_training.finite import check_state
from sorry_training.nets import PolicyValueNet
from sorry_training.td_config import record_of

FORMAT = "sorry_env.training"
VERSION = 2
#: Name of the newest checkpoint in a run's folder.
FILE = "checkpoint.pt"

#: Names of older ones, by their update: ``checkpoint-000120.pt``.
_OLDER = re.compile(r"checkpoint-(\d{6,9})\.pt", re.ASCII)
#: What the checkpoint of a run holds at least.
_KEYS = ("config", "layout", "net", "average", "optimiser", "pool", "collectors", "update",
         "decisions", "games", "seconds")  # fmt: skip


def _nobody(words: str) -> None:
    """Tell nobody."""


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
    Raises ModelError, and changes nothing, where what was learned is not finite.
    """
    check_state(state, "the run's state")
    buffer = io.BytesIO()  # torch turns an OSError of the file into errors of its own
    torch.save({"format": FORMAT, "version": VERSION, **_pack(state)}, buffer)
    write_file(path, buffer.getvalue())


def load_checkpoint(path: Path) -> dict[str, Any]:
    """The state written by `save_checkpoint`.

    Raises ModelError where ``path`` holds no such thing, a damaged one, or one in which a number
    that was learned is not finite.
    """
    try:
        data = path.read_bytes()
    except OSError as error:
        raise ModelError(f"cannot read the checkpoint {path}: {error.strerror or error}",
                         value=str(path)) from None  # fmt: skip
    try:
        _check_sums(data)
        state = torch.load(io.BytesIO(data), map_location="cpu", weights_only=True)
    except Exception as error:  # torch raises what its unpickler and its zip reader meet
        raise ModelError(f"{path} is not a checkpoint, or a damaged one: {_first_line(error)}",
                         value=str(path)) from None  # fmt: skip
    if not isinstance(state, dict) or state.get("format") != FORMAT:
        raise ModelError(f"{path} is not a checkpoint of sorry_env's training", value=str(path))
    if state.get("version") != VERSION:
        raise ModelError(f"{path} has checkpoint version {state.get('version')!r}; this program "
                         f"reads version {VERSION}", value=state.get("version"))  # fmt: skip
    try:
        unpacked: dict[str, Any] = _unpack(state)
    except (ValueError, AttributeError) as error:
        raise ModelError(f"{path} is a damaged checkpoint: {_first_line(error)}",
                         value=str(path)) from None  # fmt: skip
    check_state(unpacked, str(path))
    return unpacked


def _check_sums(data: bytes) -> None:
    """Compare the contents of a checkpoint with their checksums, which torch.load does not."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        if (spoilt := archive.testzip()) is not None:
            raise ValueError(f"{spoilt} is not as it was written")


def older_checkpoint(folder: Path, update: int) -> Path:
    """The file of an older checkpoint, the one after so many updates."""
    return folder / f"checkpoint-{update:06d}.pt"


def checkpoints(folder: Path) -> list[Path]:
    """The checkpoints in the folder of a run, the newest first; none where it is no such folder."""
    older = [
        (int(match[1]), path)
        for path in (folder.iterdir() if folder.is_dir() else ())
        if (match := _OLDER.fullmatch(path.name))
    ]
    newest = [folder / FILE] if (folder / FILE).exists() else []
    return newest + [path for _, path in sorted(older, reverse=True)]


def load_newest(path: Path, tell: Callable[[str], None] = _nobody) -> tuple[Path, dict[str, Any]]:
    """The newest checkpoint that is whole, and its state.

    path: the folder of a run, or a checkpoint, which is read itself
    tell: is told in words which newer ones are damaged
    Raises ModelError where there is none; it tells of the newest.
    """
    if not path.is_dir():
        return path, load_checkpoint(path)
    first: ModelError | None = None
    damaged = []
    for file in checkpoints(path):
        try:
            state = load_checkpoint(file)
            if lacking := [key for key in _KEYS if key not in state]:
                raise ModelError(f"{file} lacks {lacking[0]!r}", value=str(file))
        except ModelError as error:
            first = first or error
            damaged.append(error.message)
            continue
        if damaged:
            tell(f"{'; '.join(damaged)}; going back to {file.name}, of update {state['update']}")
        return file, state
    raise first or no_run(path)


def no_run(path: Path) -> ModelError:
    """The error for what is no folder of a run."""
    return ModelError(f"{path} is not the folder of a run: it has no {FILE}", value=str(path))


def keep_checkpoint(folder: Path, state: dict[str, Any], kept: int, before: int | None) -> None:
    """Write the newest checkpoint; the one that it follows stays as an older one.

    kept:   how many checkpoints stay in the folder, the newest included
    before: the update of the checkpoint that is the newest until now, None where there is no whole
            one
    If anything cannot be written, the newest checkpoint stays as it was.
    """
    update = int(state["update"])
    if kept > 1 and before is not None and before != update:
        write_file(older_checkpoint(folder, before), (folder / FILE).read_bytes())
    save_checkpoint(folder / FILE, state)
    older = [path for path in checkpoints(folder) if path.name != FILE]
    # Those of later updates are of a future that this run has left.
    past = [path for path in older if int(path.stem.partition("-")[2]) < update]
    for path in {*older} - {*past[: kept - 1]}:
        path.unlink(missing_ok=True)


def load_policy(path: Path, tell: Callable[[str], None] = _nobody) -> Policy:
    """The network of a checkpoint or run folder, as it is to be evaluated and exported.

    tell: see `load_newest`
    Raises ModelError where the file does not hold one that fits its own ruleset.
    """
    path, state = load_newest(path, tell)
    try:
        config = settings_from_mapping(state["config"], record_of(state["config"]))
        net = make_net(config)
        check_layout(state, config)
        net.load_state_dict(state["average"])
        summary = {key: state[key] for key in ("update", "decisions", "games")}
    except (KeyError, TypeError, AttributeError, RuntimeError, SorryError) as error:
        raise ModelError(f"the checkpoint {path} does not describe a policy: {_first_line(error)}",
                         value=str(path)) from None  # fmt: skip
    return Policy(net.eval(), config, config.tables, summary)


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
