"""The settings in the folder of a run, and those with which it goes on."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from sorry_env.errors import ConfigError, SorryError
from sorry_training.checkpoint import load_newest
from sorry_training.config import (
    RULES,
    SETTINGS,
    C,
    PPOConfig,
    settings_from_mapping,
    write_config,
)
from sorry_training.options import read_text
from sorry_training.td_config import load_saved, record_of

#: Settings that may differ when a run is resumed: where it ends, the machine, and its records. (So
#: may the number of processes, which is no setting.)
RESUMABLE = ("decisions", "minutes", "threads", "device", "checkpoint_every", "checkpoints_kept",
             "evaluate_every", "evaluate_games", "final_games")  # fmt: skip


def saved_settings(folder: Path, overrides: Sequence[str], kind: type[C]) -> C:
    """The settings with which the run in ``folder`` goes on.

    They are those of its checkpoint, those of RESUMABLE as ``config.yaml`` has them, changed by
    ``key=value`` words.
    kind: the record of the algorithm that is to go on
    Raises ConfigError for a run of another algorithm, and where a word or the file changes what may
    not differ when a run is resumed.
    """
    saved = load_newest(folder)[1]["config"]
    learned = record_of(saved).algorithm
    if learned != kind.algorithm:
        raise ConfigError(f"{folder} holds a run of {learned}, not of {kind.algorithm}; go on with "
                          f"it by {learned} --resume {folder}", value=str(folder))  # fmt: skip
    values = saved | _edited(folder, settings_from_mapping(saved, kind))
    for word in overrides:
        key, _, text = word.partition("=")
        if key not in RESUMABLE:
            raise ConfigError(f"{word}: a run is resumed with its own settings; only "
                              f"{', '.join(RESUMABLE)} may be given anew", value=word)  # fmt: skip
        values[key] = text
    return settings_from_mapping(values, kind)


def check_resumed(config: PPOConfig, state: dict[str, Any], folder: Path) -> None:
    """Raise ConfigError unless a run may go on with these settings from this state."""
    saved = settings_from_mapping(state["config"], type(config))
    _refuse_changes(saved, config, f"{folder}: this run")
    _edited(folder, saved)


def write_settings(config: PPOConfig, folder: Path, *, resume: bool) -> None:
    """Write ``config.yaml``, unless it says the same already.

    Raises ConfigError where another one is there that is not this run's own.
    """
    path, rules = folder / SETTINGS, folder / RULES
    same_rules = not config.rules or (rules.exists() and read_text(rules) == config.rules)
    if path.exists() and same_rules and _says(path, config):
        return
    for file, same in ((path, _says(path, config)), (rules, same_rules)):
        if file.exists() and not same and not resume:
            raise ConfigError(f"{file} is there already, with other contents; remove it or choose "
                              "another folder", value=str(file))  # fmt: skip
    write_config(config, path)


def _says(path: Path, config: PPOConfig) -> bool:
    """Whether a file holds just these settings."""
    try:
        return path.exists() and load_saved(path) == config
    except SorryError:
        return False


def _edited(folder: Path, saved: PPOConfig) -> dict[str, Any]:
    """What of RESUMABLE the ``config.yaml`` of a run has changed; ConfigError for other changes."""
    rules = folder / RULES
    if saved.rules and rules.exists() and read_text(rules) != saved.rules:
        raise ConfigError(
            f"{rules} is not the ruleset that this run was started with; a run goes on by its own "
            "rules: remove the file (it is written again), or start a new run",
            value=str(rules),
        )
    path = folder / SETTINGS
    if not path.exists():
        return {}
    file = load_saved(path)
    _refuse_changes(saved, file, str(path))
    return {key: getattr(file, key) for key in RESUMABLE}


def _refuse_changes(saved: PPOConfig, other: PPOConfig, where: str) -> None:
    """Raise ConfigError if settings differ that may not when a run is resumed."""
    if type(other) is not type(saved):
        raise ConfigError(f"{where} has settings of {other.algorithm}, and the checkpoint those of "
                          f"{saved.algorithm}", value=other.algorithm)  # fmt: skip
    changed = [
        f"{field.name} ({_short(getattr(other, field.name))} in place of "
        f"{_short(getattr(saved, field.name))})"
        for field in dataclasses.fields(saved)
        if field.name not in RESUMABLE and getattr(other, field.name) != getattr(saved, field.name)
    ]
    if changed:
        raise ConfigError(
            f"{where} has other settings than its checkpoint: {', '.join(changed)}. A run goes on "
            f"with its own; only {', '.join(RESUMABLE)} may change. Put them back, or start a new "
            "run from that file with --out and another folder",
            value=changed,
        )


def _short(value: Any) -> str:
    shown = ";".join(value) if isinstance(value, tuple) else str(value)
    return repr(shown if len(shown) <= 40 else f"{shown[:37]}...")
