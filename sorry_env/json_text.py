"""JSON read from outside and JSON written: one reader and one writer for the whole project.

`read_json` refuses in words whatever `json.loads` lets through or fails on: numbers that are not
finite or have thousands of digits, deep nesting, keys given twice, half surrogate pairs, byte
order marks. `write_json` never writes NaN or Infinity, which are not JSON.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable
from typing import Any, Final

from sorry_env.errors import RequestError, SorryError

#: Digits of the longest whole number: every such number fits a float, and can be printed.
MAX_DIGITS: Final = 300
#: Lists and objects inside each other, at most.
MAX_DEPTH: Final = 64
#: Characters of the offending text that an error carries as its value.
_MOST_SHOWN: Final = 80

#: Half of a surrogate pair, escaped or as itself; a whole pair matches, too, and is looked at.
_SURROGATE: Final = re.compile(r"\\u[dD][89a-fA-F]|[\ud800-\udfff]")


class _FaultError(ValueError):
    """What is wrong with a text; `read_json` turns it into its caller's error."""


def read_json(
    text: str | bytes, error: Callable[..., SorryError] = RequestError, what: str = "the text"
) -> Any:
    """The value of a JSON text (RFC 8259), bytes as UTF-8.

    error: the error that a fault of the text is raised as, a subclass of SorryError
    what:  what the message calls the text
    """
    try:
        return _read(text)
    except RecursionError:
        reason = f"more than {MAX_DEPTH} lists and objects inside each other"
    except (ValueError, UnicodeError) as fault:
        reason = str(fault)
    shown = text[:_MOST_SHOWN]
    raise error(f"{what} is not JSON: {reason}", value=shown) from None


def _read(text: str | bytes) -> Any:
    if isinstance(text, bytes):
        text = _decoded(text)
    if text.startswith("\ufeff"):
        raise _FaultError("it begins with a byte order mark; save it as UTF-8 without one")
    if not text.strip(" \t\r\n"):
        raise _FaultError("it is empty")
    value = json.loads(
        text,
        parse_constant=_constant,
        parse_int=_whole,
        parse_float=_number,
        object_pairs_hook=_object,
    )
    # Values hold no more lists and objects than there are brackets: few need no closer look.
    if text.count("[") + text.count("{") > MAX_DEPTH and _depth_over(value, MAX_DEPTH):
        raise _FaultError(f"more than {MAX_DEPTH} lists and objects inside each other")
    if _SURROGATE.search(text):
        _check_surrogates(value)
    return value


def _decoded(data: bytes) -> str:
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as fault:
        raise _FaultError(f"it is not UTF-8: {fault.reason} at byte {fault.start}") from None


def _constant(text: str) -> Any:
    raise _FaultError(f"{text} is no JSON number")


def _whole(text: str) -> int:
    if len(text) > MAX_DIGITS:
        raise _FaultError(f"a number has {len(text)} digits, and at most {MAX_DIGITS} are read")
    return int(text)


def _number(text: str) -> float:
    value = float(text)
    if not math.isfinite(value):
        raise _FaultError(f"the number {_brief(text)} is too large")
    return value


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise _FaultError(f"the key {_brief(ascii(twice))} is given twice")
    return found


def _brief(text: str) -> str:
    return text if len(text) <= 40 else f"{text[:37]}..."


def _depth_over(value: Any, most: int) -> bool:
    """Whether lists and objects are nested deeper than ``most``, found without recursion."""
    level = [value]
    for _ in range(most):
        level = [
            inner
            for one in level
            if isinstance(one, list | dict)
            for inner in (one.values() if isinstance(one, dict) else one)
        ]
    return any(isinstance(one, list | dict) for one in level)


def _check_surrogates(value: Any) -> None:
    try:
        json.dumps(value, ensure_ascii=False).encode("utf-8")
    except UnicodeEncodeError as fault:
        half = ascii(fault.object[fault.start])[1:-1]
        raise _FaultError(f"{half} is half of a character: a text cannot hold it alone") from None


# -- writing --------------------------------------------------------------------------------------


def write_json(
    value: Any,
    *,
    compact: bool = False,
    ascii_only: bool = True,
    indent: int | None = None,
    sort_keys: bool = False,
) -> str:
    """A value as JSON text.

    compact:    no spaces after commas and colons
    ascii_only: escape all other characters; without it they are written as they are
    Raises RequestError, naming the place, where the value holds a number that is not finite, or
    half of a surrogate pair that would have to be written as it is.
    """
    try:
        text = json.dumps(
            value, allow_nan=False, ensure_ascii=ascii_only, indent=indent, sort_keys=sort_keys,
            separators=(",", ":") if compact else None,
        )  # fmt: skip
    except ValueError as error:
        place = _not_finite(value, "")
        if place is None:
            raise
        raise RequestError(
            f"{place or 'the value'} is not a finite number: JSON cannot hold it", value=place
        ) from error
    if not ascii_only:
        _check_encodes(text)
    return text


def _check_encodes(text: str) -> None:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError as fault:
        half = ascii(fault.object[fault.start])
        raise RequestError(f"{half} cannot be written as UTF-8", value=half) from None


def _not_finite(value: Any, place: str) -> str | None:
    """Where the first number that is not finite stands, such as ``bots[0].rate``."""
    if isinstance(value, float):
        return None if math.isfinite(value) else place
    if isinstance(value, dict):
        inner = [(f"{place}.{key}".lstrip("."), one) for key, one in value.items()]
    elif isinstance(value, list | tuple):
        inner = [(f"{place}[{i}]", one) for i, one in enumerate(value)]
    else:
        return None
    return next((found for p, one in inner if (found := _not_finite(one, p)) is not None), None)
