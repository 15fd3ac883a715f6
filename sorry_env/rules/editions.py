"""The published editions, one value each, and the names by which users ask for them.

A newcomer starts here. Read `ruleset.py` for what each field means, then `engine/tables.py` for
what the engine makes of it.
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import Any

from sorry_env.errors import RulesetError
from sorry_env.rules.ruleset import NAME_FIELDS, Card, Ruleset

CLASSIC_CARDS: tuple[Card, ...] = (
    Card("1", forward=1, start=True),
    Card("2", forward=2, start=True, again=True),
    Card("3", forward=3),
    Card("4", backward=4),
    Card("5", forward=5),
    Card("7", forward=7, split=True),
    Card("8", forward=8),
    Card("10", forward=10, backward=1),
    Card("11", forward=11, switch=True),
    Card("12", forward=12),
    Card("S", take=True),
)

CLASSIC = Ruleset("classic", CLASSIC_CARDS, seat_counts=(2, 3, 4))
_DUEL = replace(CLASSIC, seat_counts=(2,), deck="infinite")

EDITIONS: dict[str, Ruleset] = {
    ruleset.edition: ruleset
    for ruleset in (
        CLASSIC,
        replace(CLASSIC, edition="first-edition", deck="first_edition", diamond=True),
        replace(CLASSIC, edition="waddingtons", deck="waddingtons"),
        replace(CLASSIC, edition="quick", on_circle=1),
        replace(CLASSIC, edition="teams", teams="four", seat_counts=(4,)),
        replace(CLASSIC, edition="teams-two", teams="two", seat_counts=(4,)),
        replace(_DUEL, edition="duel-1", pawns=1),
        replace(_DUEL, edition="duel-2", pawns=2),
        replace(_DUEL, edition="duel-3", pawns=3),
        replace(CLASSIC, edition="solo", seat_counts=(1,), deck="infinite"),
    )
}
#: Names of all editions, in the order of the documentation.
RULESETS: tuple[str, ...] = tuple(EDITIONS)


def get_ruleset(name: str) -> Ruleset:
    """The ruleset of a name: an edition, or one derived from it, `name?field=value&field=value`.

    Raises RulesetError for an unknown edition, field or value, in words.
    """
    if not isinstance(name, str):
        raise RulesetError(f"ruleset name {name!r} must be text", value=name)
    return _get_ruleset(name)


@lru_cache(maxsize=256)
def _get_ruleset(name: str) -> Ruleset:
    edition, question, rest = name.partition("?")
    if edition not in EDITIONS:
        known = ", ".join(RULESETS)
        raise RulesetError(f"unknown ruleset {edition!r}; known are {known}", value=edition)
    base = EDITIONS[edition]
    if not question:
        return base
    changes: dict[str, Any] = {}
    for pair in rest.split("&"):
        field, equals, text = pair.partition("=")
        if field not in NAME_FIELDS or not equals:
            known = ", ".join(NAME_FIELDS)
            raise RulesetError(
                f"ruleset {name!r}: {pair!r} must be FIELD=VALUE with a field of {known}",
                value=pair,
            )
        if field in changes:
            raise RulesetError(f"ruleset {name!r} sets {field} twice", value=pair)
        changes[field] = _read_value(name, field, text)
    return replace(base, **changes)


def resolve_ruleset(ruleset: Ruleset | str) -> Ruleset:
    """The ruleset itself, or the one of this name."""
    return ruleset if isinstance(ruleset, Ruleset) else get_ruleset(ruleset)


def ruleset_name(ruleset: Ruleset) -> str:
    """Canonical name: fields in alphabetical order, those with the edition's value left out."""
    base = EDITIONS.get(ruleset.edition)
    if base is None or base.cards != ruleset.cards or base.seat_counts != ruleset.seat_counts:
        # Own cards or seat counts have no text: the edition's name is then all there is.
        return ruleset.edition
    changed = [f for f in NAME_FIELDS if getattr(ruleset, f) != getattr(base, f)]
    if not changed:
        return ruleset.edition
    pairs = "&".join(f"{field}={_write_value(getattr(ruleset, field))}" for field in changed)
    return f"{ruleset.edition}?{pairs}"


def _read_value(name: str, field: str, text: str) -> Any:
    kind = type(getattr(EDITIONS["classic"], field))
    if kind is bool:
        if text not in ("true", "false"):
            raise RulesetError(f"ruleset {name!r}: {field} must be true or false", value=text)
        return text == "true"
    if kind is int:
        if not _is_number(text) or str(int(text)) != text:
            raise RulesetError(f"ruleset {name!r}: {field} must be a whole number", value=text)
        return int(text)
    if kind is tuple:
        return _read_slides(name, text)
    return text


def _read_slides(name: str, text: str) -> tuple[tuple[int, int], ...]:
    """Slides as text: `1-4.9-13`; `none` for a board without slides."""
    if text == "none":
        return ()
    slides = []
    for part in text.split("."):
        first, _, last = part.partition("-")
        if not (_is_number(first) and _is_number(last)):
            raise RulesetError(
                f"ruleset {name!r}: slides {text!r} must look like 1-4.9-13", value=text
            )
        slides.append((int(first), int(last)))
    return tuple(slides)


def _is_number(text: str) -> bool:
    """Whether the text is a number of few digits (Python refuses to read very long ones)."""
    return text.isascii() and text.isdigit() and len(text) <= 9


def _write_value(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, tuple):
        return ".".join(f"{first}-{last}" for first, last in value) or "none"
    return str(value)
