"""YAML read from outside and YAML written: one reader and one writer for the whole project.

YAML 1.1, which PyYAML reads, takes `0123` for 83, `1:30` for 90 and `no` for false; YAML 1.2 and
most people do not. `read_yaml` reads what both versions agree on, and numbers such as 1e3 and
1_000_000, of which nobody can mean anything else. Whatever has two meanings is refused, and the
message says how to write each. Tags, anchors, aliases and merge keys are refused, too.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator
from typing import Any, Final, NoReturn

from sorry_env.errors import SorryError

#: Lists and mappings inside each other, at most.
MAX_DEPTH: Final = 32
#: Digits of the longest whole number.
MAX_DIGITS: Final = 100

_WORDS: Final = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL"), None),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
}
_WHOLE: Final = re.compile(r"[-+]?(0|[1-9][0-9]*|[1-9][0-9]{0,2}(_[0-9]{3})+)", re.ASCII)
_HEX: Final = re.compile(r"0x[0-9a-fA-F]{1,32}", re.ASCII)
_NUMBER: Final = re.compile(
    r"[-+]?(?:(?:0|[1-9][0-9]*)\.[0-9]*|\.[0-9]+|(?:0|[1-9][0-9]*)(?=[eE]))(?:[eE][-+]?[0-9]+)?",
    re.ASCII,
)
#: Plain scalars that mean one thing to their author and another to a version of YAML, or nothing.
_TWO_MEANINGS: Final = (
    (
        re.compile(r"(yes|no|on|off|y|n)", re.ASCII | re.IGNORECASE),
        "true or false to YAML 1.1 and a word to YAML 1.2; write true or false, or '{}' in quotes",
    ),
    (
        re.compile(r"[-+]?0[0-9_]*[0-9](\.[0-9_]*)?([eE][-+]?[0-9]+)?|[-+]?0o[0-7_]+", re.ASCII),
        "octal to some versions of YAML; write a number without leading zeros, or '{}' in quotes",
    ),
    (
        re.compile(r"[-+]?[0-9][0-9_]*(:[0-5]?[0-9])+(\.[0-9_]*)?", re.ASCII),
        "a number to the base of 60 to YAML 1.1; write it in decimal, or '{}' in quotes",
    ),
    (
        re.compile(r"[-+]?0[bx][0-9a-fA-F_]+", re.ASCII),
        "a number to some versions of YAML only; write it in decimal, or '{}' in quotes",
    ),
    (
        re.compile(r"[-+]?[0-9.][0-9_]*_[0-9_]*(\.[0-9_]*)?([eE][-+]?[0-9]+)?", re.ASCII),
        "a number to YAML 1.1 only; part groups of three digits (1_000_000), or write '{}' in "
        "quotes",
    ),
    (
        re.compile(r"[-+]?\.inf|\.nan", re.ASCII | re.IGNORECASE),
        "no finite number; write '{}' in quotes if it is a word",
    ),
    (
        re.compile(r"[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}([Tt \t].*)?", re.ASCII),
        "a date to YAML 1.1; write '{}' in quotes",
    ),
    (re.compile(r"=|<<"), "a sign of YAML 1.1; write '{}' in quotes"),
)


class _FaultError(ValueError):
    """What is wrong with a text; `read_yaml` turns it into its caller's error."""


def read_yaml(text: str, error: Callable[..., SorryError], what: str = "the text") -> Any:
    """The value of a YAML text: None, bool, int, float, str, lists, and dicts of str and int keys.

    error: the error that a fault of the text is raised as, a subclass of SorryError
    what:  what the message calls the text
    """
    import yaml

    try:
        return _Builder(yaml.parse(text, Loader=yaml.SafeLoader)).document()
    except yaml.MarkedYAMLError as fault:
        line = f"line {fault.problem_mark.line + 1}: " if fault.problem_mark else ""
        reason = f"{line}{fault.problem or fault.context}"
    except yaml.reader.ReaderError as fault:
        reason = f"{fault.reason}, at character {fault.position}"
    except (yaml.YAMLError, ValueError, RecursionError) as fault:
        reason = str(fault)
    raise error(f"{what} is not plain YAML: {reason}", value=None) from None


class _Builder:
    """Values out of PyYAML's events, without its rules for what a plain word means."""

    def __init__(self, events: Iterator[Any]) -> None:
        self._events = events
        self._depth = 0
        self._key = ""  # of the value being read, for messages

    def document(self) -> Any:
        """The value of the only document; None where there is none."""
        value, seen = None, False
        for event in self._events:
            name = type(event).__name__
            if name == "DocumentStartEvent":
                if seen:
                    _refuse(event, "more than one document (---)")
                value, seen = self._value(next(self._events)), True
        return value

    def _value(self, event: Any) -> Any:
        name = type(event).__name__
        if name == "AliasEvent" or event.anchor is not None:
            sign = "*" if name == "AliasEvent" else "&"
            _refuse(event, f"{sign}{event.anchor}: anchors and aliases are not read; write it out")
        if event.tag is not None:
            _refuse(event, f"{event.tag}: tags are not read; leave it out")
        if name == "ScalarEvent":
            return self._scalar(event)
        self._depth += 1
        if self._depth > MAX_DEPTH:
            _refuse(event, f"more than {MAX_DEPTH} lists and mappings inside each other")
        value = self._list() if name == "SequenceStartEvent" else self._mapping()
        self._depth -= 1
        return value

    def _scalar(self, event: Any) -> Any:
        try:
            if event.style is None:
                return read_plain(event.value)
            event.value.encode("utf-8")
        except UnicodeEncodeError:
            _refuse(event, "half of a surrogate pair is no character")
        except ValueError as fault:
            _refuse(event, f"{self._key}{fault}")
        return event.value

    def _list(self) -> list[Any]:
        found = []
        while type(event := next(self._events)).__name__ != "SequenceEndEvent":
            found.append(self._value(event))
        return found

    def _mapping(self) -> dict[str | int, Any]:
        found: dict[str | int, Any] = {}
        known = set()
        while type(event := next(self._events)).__name__ != "MappingEndEvent":
            self._key = ""
            key = self._value(event)
            if type(key) not in (str, int):
                _refuse(event, f"{key!r} cannot be a key: keys are words and whole numbers")
            if str(key) in known:
                _refuse(event, f"key {key!r} is given twice")
            known.add(str(key))
            self._key = f"{key}: "
            found[key] = self._value(next(self._events))
        return found


def _refuse(event: Any, reason: str) -> NoReturn:
    raise _FaultError(f"line {event.start_mark.line + 1}: {reason}")


def read_plain(text: str) -> Any:
    """What a word without quotes means; ValueError for one with two meanings."""
    if text in _WORDS:
        return _WORDS[text]
    if len(text) > MAX_DIGITS and text.lstrip("+-").replace("_", "").isdigit():
        raise ValueError(f"a number has {len(text)} digits, and at most {MAX_DIGITS} are read")
    if _WHOLE.fullmatch(text):
        return int(text)
    if _HEX.fullmatch(text):
        return int(text, 16)
    if _NUMBER.fullmatch(text):
        value = float(text)
        if not math.isfinite(value):
            raise ValueError(f"{text[:40]} is too large a number")
        return value
    for pattern, reason in _TWO_MEANINGS:
        if pattern.fullmatch(text):
            raise ValueError(f"{text[:40]} is {reason.format(text[:40])}")
    return text


# -- writing --------------------------------------------------------------------------------------


def write_yaml(value: Any) -> str:
    """Plain values as YAML text, which `read_yaml` reads back as they are."""
    import yaml

    class Dumper(yaml.SafeDumper):
        pass

    def text(dumper: Any, data: str) -> Any:
        try:
            plain = read_plain(data) == data
        except ValueError:
            plain = False
        style = None if plain or "\n" in data else "'"
        return dumper.represent_scalar("tag:yaml.org,2002:str", data, style=style)

    Dumper.add_representer(str, text)
    return str(yaml.dump(value, Dumper=Dumper, sort_keys=False))
