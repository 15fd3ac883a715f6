"""The published editions, one value each, and the names by which users ask for them.

A newcomer starts here. Read `ruleset.py` for what each field means, then `engine/tables.py` for
what the engine makes of it.
"""

from __future__ import annotations

import math
from dataclasses import replace
from decimal import Decimal
from functools import lru_cache
from typing import Any

from sorry_env.errors import RulesetError
from sorry_env.families import FAMILIES
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

_FIRE_AND_ICE_CARDS: tuple[Card, ...] = (
    Card("1", forward=1, start=True, ice=True),
    Card("2", forward=2, start=True, fire=True),
    Card("3", forward=3, start=True),
    Card("4", backward=4),
    Card("5", forward=5, start=True),
    Card("7", forward=7, start=True, split=True),
    Card("8", forward=8, start=True),
    Card("10", forward=10, backward=1, start=True),
    Card("11", forward=11, start=True, switch=True),
    Card("12", forward=12, start=True),
    Card("S", forward=4, take=True),
)
_BUMP_EM_CARDS: tuple[Card, ...] = (
    Card("1", forward=1, start=True),
    Card("2", forward=2),
    Card("3", forward=3, again=True),
    Card("4", backward=4),
    *(Card(str(n), forward=n) for n in range(5, 11)),
    Card("11", forward=11, switch=True),
    Card("12", forward=12, start=True),
    Card("B", take=True),
)

_WAY_SORRY_CARDS: tuple[Card, ...] = (
    *CLASSIC_CARDS,
    Card("HAPPY", happy=True, again=True, copies=2),
    Card("PUNISH", punish=True, again=True, copies=2),
    Card("BUDDY", buddy=True, copies=2),
    Card("BULLY", bully=True, copies=2),
    Card("WAY", take=True, repeat=True, copies=1),
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
        replace(
            CLASSIC,
            edition="points-1939",
            hand=5,
            pawn_points=1,
            bonuses=(24, 16, 8),
            winner_counts="opponents_home",
        ),
        replace(
            CLASSIC, edition="points", hand=5, on_circle=1, pawn_points=5, bonuses=(100, 50, 25)
        ),
        replace(CLASSIC, edition="fire-and-ice", cards=_FIRE_AND_ICE_CARDS, pawns=3),
        replace(
            CLASSIC,
            edition="not-sorry",
            cards=(*CLASSIC_CARDS, Card("Q", question=True)),
            questions=8,
        ),
        replace(
            CLASSIC, edition="bump-em", cards=_BUMP_EM_CARDS, deck="bump_em", slides=(), turbo=True
        ),
        replace(CLASSIC, edition="way-sorry", cards=_WAY_SORRY_CARDS),
        replace(_DUEL, edition="duel-1", pawns=1),
        replace(_DUEL, edition="duel-2", pawns=2),
        replace(_DUEL, edition="duel-3", pawns=3),
        replace(CLASSIC, edition="solo", seat_counts=(1,), deck="infinite"),
    )
}
#: Names of all editions, in the order of the documentation.
RULESETS: tuple[str, ...] = tuple(EDITIONS)

_registered: dict[str, Ruleset] = {}


def register_ruleset(ruleset: Ruleset) -> Ruleset:
    """Make a ruleset of one's own known by its name for the rest of the process.

    Its positions and records can then be read, and names can be derived from its own. Returns it.
    Raises RulesetError where the name is that of a published edition or of another ruleset.
    """
    known = find_edition(ruleset.edition)
    published = ruleset.edition in EDITIONS or ruleset.edition in FAMILIES
    if published or known not in (None, ruleset):
        what = "a published edition" if published else "another ruleset"
        raise RulesetError(
            f"edition {ruleset.edition!r} is the name of {what}; a ruleset of one's own needs one "
            "of its own",
            value=ruleset.edition,
        )
    _registered[ruleset.edition] = ruleset
    return ruleset


def registered(name: str) -> Ruleset | None:
    """The ruleset of one's own of this name, or None."""
    return _registered.get(name)


def restore_ruleset(values: dict[str, Any], base: dict[str, Any] | None) -> Ruleset:
    """The ruleset of a pickle; ``base`` is the edition of one's own that it is derived from.

    values, base: fields by name
    The base is registered. Raises RulesetError where another ruleset has its name in this process.
    """
    if base is not None:
        register_ruleset(Ruleset(**base))
    return Ruleset(**values)


def find_edition(name: str) -> Ruleset | None:
    """The published or registered ruleset of this name, or None."""
    return EDITIONS.get(name) or _registered.get(name)


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
    base = find_edition(edition)
    if edition in FAMILIES:
        raise RulesetError(
            f"{name!r}: {edition} is another game, no ruleset of the board's, and has no fields",
            value=edition,
        )
    if base is None:
        known = ", ".join((*RULESETS, *_registered))
        raise RulesetError(f"unknown ruleset {edition!r}; known are {known}", value=edition)
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
    """The ruleset itself, or the one of this name; never a file's, so that strangers may ask."""
    return ruleset if isinstance(ruleset, Ruleset) else get_ruleset(ruleset)


def ruleset_name(ruleset: Ruleset) -> str:
    """Canonical name: fields in alphabetical order, those with the edition's value left out."""
    base = find_edition(ruleset.edition)
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
        return _read_int(name, field, text)
    if kind is float:
        return _read_float(name, field, text)
    if field == "slides":
        return _read_slides(name, text)
    if kind is tuple:
        parts = () if text == "none" else text.split(".")
        return tuple(_read_int(name, field, part) for part in parts)
    return text


def _read_int(name: str, field: str, text: str) -> int:
    if not text.isascii() or not text.isdigit() or len(text) > 9 or str(int(text)) != text:
        raise RulesetError(f"ruleset {name!r}: {field} must be a whole number", value=text)
    return int(text)


def _read_float(name: str, field: str, text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value) or _write_value(value) != text:
        raise RulesetError(
            f"ruleset {name!r}: {field}={text!r} must be a number in its shortest form", value=text
        )
    return value


def _read_slides(name: str, text: str) -> tuple[tuple[int, int], ...]:
    """Slides as text: `1-4.9-13`; `none` for a board without slides."""
    slides = []
    for part in () if text == "none" else text.split("."):
        first, dash, last = part.partition("-")
        if not dash:
            raise RulesetError(
                f"ruleset {name!r}: slides {text!r} must look like 1-4.9-13", value=text
            )
        slides.append((_read_int(name, "slides", first), _read_int(name, "slides", last)))
    return tuple(slides)


def _write_value(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return f"{Decimal(repr(value)):f}".removesuffix(".0")
    if isinstance(value, tuple):
        parts = ("-".join(map(str, v)) if isinstance(v, tuple) else str(v) for v in value)
        return ".".join(parts) or "none"
    return str(value)
