"""What clients may send: the form of every message, checked here and published as a JSON schema.

One table says both. Read `../server/protocol.py` before and `room.py` after this file.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from sorry_env.errors import RequestError

Row = dict[str, Any]


@dataclass(frozen=True)
class Text:
    """Text of at most so many characters."""

    most: int

    def fits(self, value: Any) -> bool:
        """Whether a value is one."""
        return isinstance(value, str) and len(value) <= self.most

    @property
    def schema(self) -> Row:
        """As JSON schema."""
        return {"type": "string", "maxLength": self.most}

    @property
    def words(self) -> str:
        """For messages."""
        return f"text of at most {self.most} characters"


@dataclass(frozen=True)
class Whole:
    """A whole number within bounds."""

    low: int
    high: int

    def fits(self, value: Any) -> bool:
        """Whether a value is one."""
        return type(value) is int and self.low <= value <= self.high

    @property
    def schema(self) -> Row:
        """As JSON schema."""
        return {"type": "integer", "minimum": self.low, "maximum": self.high}

    @property
    def words(self) -> str:
        """For messages."""
        return f"a whole number from {self.low} to {self.high}"


@dataclass(frozen=True)
class Flag:
    """True or false."""

    words = "true or false"

    def fits(self, value: Any) -> bool:
        """Whether a value is one."""
        return isinstance(value, bool)

    @property
    def schema(self) -> Row:
        """As JSON schema."""
        return {"type": "boolean"}


@dataclass(frozen=True)
class Texts:
    """A list of texts."""

    count: int
    most: int

    def fits(self, value: Any) -> bool:
        """Whether a value is one."""
        one = Text(self.most)
        return isinstance(value, list) and len(value) <= self.count and all(map(one.fits, value))

    @property
    def schema(self) -> Row:
        """As JSON schema."""
        return {"type": "array", "items": Text(self.most).schema, "maxItems": self.count}

    @property
    def words(self) -> str:
        """For messages."""
        return f"a list of at most {self.count} texts"


Form = Text | Whole | Flag | Texts
Forms = Mapping[str, Form]

_BOT: Final = Text(100)
_SEAT: Final = Text(10)
_LINE: Final = Text(4096)
#: What a message's `id` can be besides null.
MAX_ID: Final = 200

#: Messages of a game's WebSocket by type, each with its fields; `?` marks what may be left out.
LIVE: Final[Mapping[str, Forms]] = {
    "join": {"secrets?": Texts(8, 200), "name?": Text(60)},
    "move": {"move": Text(200), "ply": Whole(0, 1_000_000)},
    "undo": {},
    "undo_answer": {"yes": Flag()},
    "resign": {"seat?": _SEAT},
    "end": {},
    "next_round": {},
    "hint": {"bot?": _BOT},
    "analysis": {"bot": _BOT},
    "replace": {"seat": _SEAT, "bot": _BOT},
    "pace": {"pace_ms": Whole(0, 10_000)},
    "ping": {},
}
#: The body of `POST /api/analysis`.
ANALYSIS: Final[Forms] = {"bot": _BOT, "positions": Texts(32, 4096)}


@dataclass(frozen=True)
class Message:
    """A message whose form is right."""

    type: str
    fields: Mapping[str, Any]


def read_message(row: Any) -> Message:
    """The message of an object; RequestError, naming the field, where its form is not right."""
    if not isinstance(row, dict):
        raise RequestError("a message must be a JSON object", value=row)
    kind = row.get("type")
    if not isinstance(kind, str) or kind not in LIVE:
        raise RequestError(f"type {str(kind)[:40]!r} must be one of {', '.join(LIVE)}", value=kind)
    rest = {name: value for name, value in row.items() if name not in ("id", "type")}
    return Message(kind, read_fields(kind, rest, LIVE[kind]))


def message_id(row: Any) -> str | int | None:
    """By what a message wants to be known: text or a whole number, else null."""
    value = row.get("id") if isinstance(row, dict) else None
    if isinstance(value, str) and len(value) <= MAX_ID:
        return value
    return value if type(value) is int and abs(value) < 2**53 else None


def read_fields(what: str, row: Any, forms: Forms) -> dict[str, Any]:
    """The fields of an object; RequestError for one that is missing, unknown or of a wrong kind."""
    if not isinstance(row, dict):
        raise RequestError(f"{what} must be a JSON object", value=row)
    known = {name.removesuffix("?"): form for name, form in forms.items()}
    if unknown := [name for name in row if name not in known]:
        listed = ", ".join(known) or "no others"
        raise RequestError(
            f"{what}: unknown field {unknown[0][:40]!r}; it has {listed}", value=unknown
        )
    for name, form in forms.items():
        field = name.removesuffix("?")
        if field not in row:
            if field == name:
                raise RequestError(f"{what}: {field} is missing", value=field)
        elif not form.fits(row[field]):
            raise RequestError(f"{what}: {field} must be {form.words}", value=row[field])
    return dict(row)


def form_schema(forms: Forms, kind: str | None = None) -> Row:
    """The JSON schema of an object; with a kind, of a message of that type."""
    properties: Row = {name.removesuffix("?"): form.schema for name, form in forms.items()}
    required = [name for name in forms if not name.endswith("?")]
    if kind is not None:
        properties |= {
            "type": {"const": kind},
            "id": {"type": ["string", "integer", "null"], "maxLength": MAX_ID},
        }
        required = ["type", *required]
    return {
        "type": "object", "properties": properties, "required": required,
        "additionalProperties": False,
    }  # fmt: skip
