"""Bot protocol 1 as text: lines out of bytes, requests out of lines, answers into lines.

Nothing here knows a game, reads a file or waits for anything. Read `session.py` after this file.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import repeat
from typing import Any, Final

from sorry_env.errors import MoveError, PositionError, RequestError, RulesetError, SorryError
from sorry_env.json_text import read_json, write_json

PROTOCOL: Final = 1
#: Bytes of the longest request, its line's end not counted.
MAX_LINE: Final = 65536
#: Characters of the longest message, which may quote what was asked.
MAX_MESSAGE: Final = 1000
#: Milliseconds that a bot can be given for a move: some 30 years.
MAX_TIME_MS: Final = 10**12
TOO_LARGE: Final = "too_large"
#: All that an error's code can be.
CODES: Final = (
    PositionError.code, MoveError.code, RequestError.code, RulesetError.code, TOO_LARGE,
)  # fmt: skip

#: The fields of each type of request besides id and type; `?` marks what may be left out.
REQUESTS: Final[Mapping[str, tuple[str, ...]]] = {
    "hello": (),
    "legal": ("position",),
    "move": ("position", "time_ms?"),
    "apply": ("position", "move"),
    "draw": ("position", "card?"),
}

#: What a request can be known by: null, text or a number.
Id = str | int | float | None


@dataclass(frozen=True)
class Request:
    """A request whose form is right: ``fields`` has what its type asks for, texts as str."""

    type: str
    fields: Mapping[str, Any]


class Lines:
    """Lines out of bytes that come in pieces; of a line that is too long nothing is kept."""

    def __init__(self, limit: int = MAX_LINE) -> None:
        self.limit = limit
        self._part = bytearray()
        self._skipping = False

    def feed(self, data: bytes) -> Iterator[bytes | None]:
        """The lines that end in these bytes, without their ends; None for each one too long.

        That a line is too long is told as soon as it is known, not at its end.
        """
        *ended, rest = data.split(b"\n")
        for piece in ended:
            if self._skipping:
                self._skipping = False
                continue
            line = bytes(self._part) + piece
            self._part.clear()
            line = line.removesuffix(b"\r")
            yield line if len(line) <= self.limit else None
        if self._skipping:
            return
        self._part += rest
        if len(self._part) > self.limit + 1:  # one more may be the \r of its end
            self._part.clear()
            self._skipping = True
            yield None

    def end(self) -> Iterator[bytes | None]:
        """The line that has begun, when nothing will follow; none if there is nothing of it."""
        if self._part:
            yield from self.feed(b"\n")


#: Characters of a blank line.
_BLANKS: Final = b" \t\r"


def with_content(lines: Iterator[bytes | None]) -> Iterator[bytes | None]:
    """The lines without the blank ones at the end; those between others come as they are."""
    blank = 0
    for line in lines:
        if line is not None and not line.strip(_BLANKS):
            blank += 1
            continue
        yield from repeat(b"", blank)
        blank = 0
        yield line


# -- requests -------------------------------------------------------------------------------------


def read_object(line: bytes) -> dict[str, Any]:
    """The JSON object of a line; RequestError for anything else."""
    row = read_json(line, RequestError, "the request")
    if not isinstance(row, dict):
        raise RequestError(f"a request must be a JSON object, not {_json_kind(row)}", value=line)
    return row


def read_id(row: Mapping[str, Any]) -> Id:
    """By what a request wants to be known: null if it does not say.

    Raises RequestError for true, false, lists, objects and numbers that are too large.
    """
    value = row.get("id")
    if isinstance(value, bool) or not isinstance(value, str | int | float | None):
        raise RequestError(
            f"id must be text, a number or null, not {_json_kind(value)}", value=value
        )
    if isinstance(value, float) and not math.isfinite(value):
        raise RequestError("id must be a finite number", value=value)
    return value


def read_request(row: Mapping[str, Any]) -> Request:
    """The request of an object; RequestError, naming the field, where its form is not right."""
    kind = row.get("type")
    if not isinstance(kind, str) or kind not in REQUESTS:
        raise RequestError(f"type {_shown(kind)} must be one of {', '.join(REQUESTS)}", value=kind)
    names = [name.removesuffix("?") for name in REQUESTS[kind]]
    needed = [name for name in REQUESTS[kind] if not name.endswith("?")]
    if missing := [name for name in needed if name not in row]:
        raise RequestError(f"{kind}: {missing[0]} is missing", value=missing)
    if unknown := [name for name in row if name not in ("id", "type", *names)]:
        known = ", ".join(["id", "type", *names])
        raise RequestError(
            f"{kind}: unknown field {_shown(unknown[0])}; it has {known}", value=unknown
        )
    fields = {name: row[name] for name in names if name in row}
    for name, value in fields.items():
        if name == "time_ms":
            _check_time(value)
        elif not isinstance(value, str):
            raise RequestError(f"{kind}: {name} must be text, not {_json_kind(value)}", value=value)
    return Request(kind, fields)


def _check_time(value: Any) -> None:
    number = isinstance(value, int | float) and not isinstance(value, bool)
    if not number or not 0 <= value <= MAX_TIME_MS:
        raise RequestError(
            f"time_ms {_shown(value)} must be a number of milliseconds from 0 to {MAX_TIME_MS}",
            value=value,
        )


def _json_kind(value: Any) -> str:
    """What a value is called in JSON."""
    if value is None or isinstance(value, bool):
        return write_json(value)
    kinds: dict[type[Any], str] = {str: "text", dict: "an object", list: "a list"}
    return kinds.get(type(value), "a number")


def _shown(value: Any) -> str:
    text = write_json(value)
    return text if len(text) <= 80 else f"{text[:77]}..."


# -- answers --------------------------------------------------------------------------------------


def answer(request_id: Id, kind: str, **fields: Any) -> dict[str, Any]:
    """An answer as an object."""
    return {"id": request_id, "type": kind, **fields}


def refusal(request_id: Id, code: str, message: str) -> dict[str, Any]:
    """An answer that says what is wrong."""
    if len(message) > MAX_MESSAGE:
        message = f"{message[: MAX_MESSAGE - 3]}..."
    return answer(request_id, "error", code=code, message=message)


def refusal_of(request_id: Id, error: SorryError) -> dict[str, Any]:
    """An error as an answer; kinds that the protocol does not have are a `bad_request`."""
    code = error.code if error.code in CODES else RequestError.code
    return refusal(request_id, code, error.message)


def write_line(row: Mapping[str, Any]) -> str:
    """An object as one line of ASCII, its end not included."""
    return write_json(row, compact=True)
