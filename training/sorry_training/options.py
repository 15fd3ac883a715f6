"""What a setting may be: the fields of a typed record, checked one by one, and YAML files of them.

Nothing here knows which settings there are; ``config.py`` does, and is the file to read next.
Every refusal is a `ConfigError` that names key, value and what would be right.
"""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

from sorry_env.errors import ConfigError
from sorry_env.parsing import parse_number, parse_whole
from sorry_env.yaml_text import read_yaml as read_yaml_text

Field = dataclasses.Field


def option(
    default: Any,
    text: str,
    *,
    low: float | None = None,
    high: float | None = None,
    choices: tuple[str, ...] | None = None,
) -> Any:
    """A field with its explanation (shown by ``--help``) and the values it may take."""
    metadata = {"help": text, "low": low, "high": high, "choices": choices}
    return dataclasses.field(default=default, metadata=metadata)


def checked(field: Field[Any], wanted: Any, value: Any) -> Any:
    """``value`` as the type ``wanted`` of a field: int, float, str, or else a tuple of words."""
    key = field.name
    if wanted is int:
        value = _as_int(key, value)
    elif wanted is float:
        value = _as_float(key, value)
    elif wanted is str:
        if not isinstance(value, str):
            raise refusal(key, value, "a word")
    else:
        value = _as_words(key, value)
    return _in_range(field, value)


def limits(field: Field[Any]) -> str:
    """The range or the choices of a field in words, empty where everything is allowed."""
    if field.metadata["choices"] is not None:
        return "one of " + ", ".join(field.metadata["choices"])
    low, high = field.metadata["low"], field.metadata["high"]
    if low is not None and high is not None:
        return f"from {low} to {high}"
    return ""


def refusal(key: str, value: Any, right: str) -> ConfigError:
    """The error that says what a setting must be."""
    shown = repr(value)
    shown = shown if len(shown) <= 80 else f"{shown[:77]}..."
    return ConfigError(f"{key}: {shown} is not allowed; it must be {right}", value=value)


def read_yaml(path: Path) -> dict[str, Any]:
    """The mapping in a YAML file; ConfigError for any other file, or a key that is given twice."""
    values = read_yaml_text(read_text(path), ConfigError, str(path))
    if values is None:
        return {}
    if not isinstance(values, dict):
        raise ConfigError(
            f"{path} holds a {type(values).__name__}; a configuration is a list of "
            "'key: value' lines",
            value=str(path),
        )
    return values


def read_text(path: Path) -> str:
    """The text of a file; ConfigError where it cannot be read."""
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"cannot read {path}: {error}", value=str(path)) from None


#: No setting is as large as this; the limits of each are in its field.
_FAR = 10**29


def _as_int(key: str, value: Any) -> int:
    """A whole number; 1e6 and 1_000_000 are both understood."""
    if isinstance(value, str):
        try:
            text = value.strip()
            exponent = "e" in text.lower()
            value = parse_number(text, -_FAR, _FAR) if exponent else parse_whole(text, -_FAR, _FAR)
        except ValueError:
            raise refusal(key, value, "a whole number") from None
    whole = isinstance(value, float) and value.is_integer()
    if isinstance(value, bool) or not (isinstance(value, int) or whole):
        raise refusal(key, value, "a whole number")
    return int(value)


def _as_float(key: str, value: Any) -> float:
    """A finite number; YAML reads 1e-3 as a word, so words are tried too."""
    if isinstance(value, str):
        try:
            value = float(value if value.isascii() and len(value) < 100 else "")
        except ValueError:
            raise refusal(key, value, "a number") from None
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise refusal(key, value, "a number")
    if value != value or abs(value) == float("inf"):
        raise refusal(key, value, "a finite number")
    return float(value)


def _as_words(key: str, value: Any) -> tuple[str, ...]:
    """A list of words; a single word stands for a list of one."""
    words = [value] if isinstance(value, str) else value
    if not isinstance(words, (list, tuple)) or not all(isinstance(word, str) for word in words):
        raise refusal(key, value, "a list of words")
    if not all(word.strip() for word in words):
        raise refusal(key, value, "a list of words, none of them empty")
    return tuple(word.strip() for word in words)


def _in_range(field: Field[Any], value: Any) -> Any:
    """``value`` if the field's limits and choices allow it."""
    metadata = field.metadata
    too_low = metadata["low"] is not None and value < metadata["low"]
    too_high = metadata["high"] is not None and value > metadata["high"]
    unknown = metadata["choices"] is not None and value not in metadata["choices"]
    if too_low or too_high or unknown:
        raise refusal(field.name, value, limits(field))
    return value
