"""What the file of a trained policy says of itself: which game it is for, written, read, compared.

`fitting_metadata` is what it must say, and whoever writes a file takes it from there. Read
`engine/observe.py` before and `policy.py` after this file.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from typing import Any, Final, NamedTuple

from sorry_env.engine.observe import OBSERVATION_VERSION
from sorry_env.engine.tables import RuleTables
from sorry_env.errors import ModelError
from sorry_env.families import FAMILIES
from sorry_env.json_text import read_json, write_json
from sorry_env.rules import EDITIONS

#: Version of the file's inputs, outputs and metadata.
FILE_FORMAT: Final = "1"
#: Key of the rules themselves, which only rulesets that are no published edition need.
RULES: Final = "rules"

_FIELD_KEYS: Final = ("name", "offset", "size", "low", "high")


class Account(NamedTuple):
    """What a file says of the game that it was trained for.

    ruleset:     its name
    seat_counts: with how many seats
    labels:      the action table, see `engine.actions.label`
    fields:      the observation's fields: name, offset, size, low, high
    """

    ruleset: str
    seat_counts: tuple[int, ...]
    labels: tuple[str, ...]
    fields: tuple[tuple[Any, ...], ...]


def fitting_metadata(tables: RuleTables, seat_counts: Sequence[int]) -> dict[str, str]:
    """The metadata that a file for this game and these numbers of seats must have, at least.

    tables: of any game, the dice game's included
    """
    fields = [dict(zip(_FIELD_KEYS, values, strict=True)) for values in fields_of(tables)]
    rules = own_rules(tables.ruleset)
    return {
        **({RULES: rules} if rules else {}),
        "sorry_env.format": FILE_FORMAT,
        "ruleset": tables.ruleset.name,
        "seat_counts": write_json(list(seat_counts)),
        "actions": write_json(list(tables.labels)),
        "observation": write_json(fields),
        "observation_version": str(OBSERVATION_VERSION),
    }


def own_rules(ruleset: Any) -> str:
    """All that a ruleset of one's own says, as JSON; empty where the name says it already."""
    edition = ruleset.name.partition("?")[0]
    if edition in EDITIONS or edition in FAMILIES:
        return ""
    return write_json(asdict(ruleset), sort_keys=True)


def read_account(name: str, metadata: Mapping[str, str]) -> Account:
    """What a file's metadata say; the name is for messages.

    Raises ModelError where something is missing, of another version or cannot be read.
    """
    _check_version(name, metadata, "sorry_env.format", FILE_FORMAT)
    _check_version(name, metadata, "observation_version", str(OBSERVATION_VERSION))
    return Account(
        _text(name, metadata, "ruleset"),
        _read_list(name, metadata, "seat_counts", _seat_count),
        _read_list(name, metadata, "actions", _label),
        _read_list(name, metadata, "observation", _field),
    )


def reward_of(metadata: Mapping[str, str]) -> str:
    """The reward that a file was trained for, by its own account.

    `win` where it gives none, `unknown` where its account cannot be read.
    """
    try:
        training: Any = read_json(metadata.get("training", "{}"), ModelError)
        return str(training.get("config", {}).get("reward", "win"))
    except (ModelError, AttributeError):
        return "unknown"


def fields_of(tables: RuleTables) -> tuple[tuple[Any, ...], ...]:
    """A game's observation as `Account.fields` has it."""
    return tuple(tuple(getattr(field, key) for key in _FIELD_KEYS) for field in tables.layout)


def difference(what: str, mine: Sequence[Any], theirs: Sequence[Any]) -> str:
    """The first difference of two tables in words, ending where ` of ruleset NAME` can follow."""
    for i, (one, other) in enumerate(zip(mine, theirs, strict=False)):
        if one != other:
            return f"its {what} {i} is {one!r} instead of {other!r}"
    return f"it has {len(mine)} {what}s instead of the {len(theirs)}"


def _text(name: str, metadata: Mapping[str, str], key: str) -> str:
    if key not in metadata:
        raise ModelError(f"{name}: the metadata lack {key!r}: no policy of sorry_env", value=key)
    return metadata[key]


def _check_version(name: str, metadata: Mapping[str, str], key: str, known: str) -> None:
    found = _text(name, metadata, key)
    if found != known:
        raise ModelError(
            f"{name}: {key} is {found!r}, and this version of sorry_env reads {known!r}",
            value=found,
        )


def _read_list(
    name: str, metadata: Mapping[str, str], key: str, read: Callable[[Any], Any]
) -> tuple[Any, ...]:
    """A JSON list with something in it, each entry read."""
    text = _text(name, metadata, key)
    entries = read_json(text, ModelError, f"{name}: metadata {key!r} cannot be read: it")
    try:
        if not isinstance(entries, list) or not entries:
            raise ValueError("it is no list with entries")
        return tuple(read(entry) for entry in entries)
    except ValueError as error:
        raise ModelError(f"{name}: metadata {key!r} cannot be read: {error}", value=text) from error


def _seat_count(entry: Any) -> int:
    if type(entry) is not int or not 1 <= entry <= 4:
        raise ValueError(f"{entry!r} is no number of seats")
    return entry


def _label(entry: Any) -> str:
    if not isinstance(entry, str):
        raise ValueError(f"{entry!r} is no action's name")
    return entry


def _field(entry: Any) -> tuple[Any, ...]:
    if not isinstance(entry, dict) or any(key not in entry for key in _FIELD_KEYS):
        raise ValueError(f"{entry!r} is no object with {', '.join(_FIELD_KEYS)}")
    name, *numbers = (entry[key] for key in _FIELD_KEYS)
    if not isinstance(name, str) or any(type(n) is not int or abs(n) > 1e6 for n in numbers):
        raise ValueError(f"{entry!r} must have a name and small whole numbers")
    if numbers[0] < 0 or numbers[1] < 1:
        raise ValueError(f"{entry!r} must have an offset from 0 and a size from 1")
    return (name, *numbers)
