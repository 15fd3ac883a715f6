"""Names of rulesets: ``classic``, ``classic?pawns=2&play_out=true``, and those of one's own.

Read ``rules_data.py`` before this file and ``board.py`` after it.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from .rules_data import BASES, CARDS, DECKS, Ruleset

# Rulesets of one's own by name, for as long as the tests that made them run.
OWN: dict[str, Ruleset] = {}

# The fields that a derived name may change, in alphabetical order.
FIELDS = (
    "answers", "bonuses", "deck", "diamond", "hand", "on_circle", "p_yes", "pawn_points", "pawns",
    "play_out", "questions", "slides", "switch_slides", "teams", "turbo", "winner_counts",
)  # fmt: skip

CHOICES = {
    "answers": ("coin", "player"),
    "diamond": ("true", "false"),
    "on_circle": ("0", "1"),
    "pawns": ("1", "2", "3", "4"),
    "play_out": ("true", "false"),
    "switch_slides": ("mover", "both", "none"),
    "teams": ("none", "four", "two"),
    "turbo": ("true", "false"),
    "winner_counts": ("opponents_home", "opponents_not_home"),
}


def base_of(name: str) -> Ruleset | None:
    """The published ruleset of a name, or one's own."""
    return BASES.get(name) or OWN.get(name)


def _value_text(value: object) -> str:
    """A field's value in a name: ``true``, ``none``, ``100.50.25``, ``1-4.9-13``."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, tuple):
        parts = ["-".join(map(str, one)) if isinstance(one, tuple) else str(one) for one in value]
        return ".".join(parts) or "none"
    return str(value)


def write_name(rules: Ruleset) -> str:
    """The base's name, then the changed fields in alphabetical order."""
    base = base_of(rules.base)
    changed = [
        f"{field}={_value_text(getattr(rules, field))}"
        for field in FIELDS
        if getattr(rules, field) != getattr(base, field)
    ]
    return rules.base + ("?" + "&".join(changed) if changed else "")


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit()


def _deck_value(base: Ruleset, text: str) -> str:
    """A named deck, or counts in card order; counts that a named deck has get its name.

    The counts are those of the classic cards; an edition's own cards come on top. ``bump-em`` has
    a card order of its own and none of the named decks.
    """
    if base.effects:
        raise ValueError("a deck of one's own cards is told by their counts")
    own_order = base.base == "bump-em"
    if text in DECKS and (not own_order or text == "infinite"):
        return text
    parts = text.split(".")
    length = len(base.cards) if own_order else len(CARDS)
    if len(parts) != length or not all(_is_number(part) for part in parts):
        raise ValueError(f"no such deck: {text!r}")
    counts = tuple(int(part) for part in parts)
    if sum(counts) == 0:
        raise ValueError("a deck needs a card")
    for name in ("standard", "first_edition", "waddingtons"):
        if counts == DECKS[name]:
            return name
    return ".".join(str(count) for count in counts)


def _chance(text: str) -> str:
    """A number from 0 to 1 in shortest decimal form."""
    whole, _, decimals = text.partition(".")
    if not _is_number(whole) or not _is_number(decimals or "0") or not 0 <= Fraction(text) <= 1:
        raise ValueError(f"no chance: {text!r}")
    decimals = decimals.rstrip("0")
    return f"{int(whole)}.{decimals}" if decimals else str(int(whole))


def _numbers(text: str, divider: str) -> tuple[int, ...]:
    parts = text.split(divider)
    if not all(_is_number(part) for part in parts):
        raise ValueError(f"no numbers: {text!r}")
    return tuple(int(part) for part in parts)


def _slides(text: str) -> tuple[tuple[int, int], ...]:
    """``1-4.9-13``, the offsets of a side's slides, in whatever order."""
    pairs = [_numbers(part, "-") for part in text.split(".")] if text != "none" else []
    slides = sorted((pair[0], pair[1]) for pair in pairs if len(pair) == 2)
    taken = [offset for first, last in slides for offset in range(first, last + 1)]
    if len(slides) != len(pairs) or len(set(taken)) != len(taken) or max(taken, default=0) > 14:
        raise ValueError(f"no slides: {text!r}")
    return tuple(slides)


def _field_value(base: Ruleset, field: str, text: str) -> object:
    """Read one field of a derived name."""
    if field == "deck":
        return _deck_value(base, text)
    if field in ("hand", "pawn_points", "questions") and _is_number(text):
        return int(text)
    if field == "bonuses":
        return () if text == "none" else _numbers(text, ".")
    if field == "p_yes":
        return _chance(text)
    if field == "slides":
        return _slides(text)
    if text in CHOICES.get(field, ()):
        if field in ("on_circle", "pawns"):
            return int(text)
        return text == "true" if text in ("true", "false") else text
    raise ValueError(f"no such value: {field}={text}")


def _check(rules: Ruleset) -> Ruleset:
    """What the rules say nothing of, or forbid."""
    further = rules.tokens or rules.moods or rules.that("question")
    if rules.questions and not rules.that("question"):
        raise ValueError("no question card")
    if further and (rules.hand or rules.partners):
        raise ValueError("those cards are drawn, and nobody has partners")
    if rules.turbo and (rules.slides or rules.partners or rules.tokens or rules.moods):
        raise ValueError("turbo squares have neither slides nor partners")
    if rules.turbo and not rules.effects and rules.base != "bump-em":
        raise ValueError("nothing is split where there are turbo squares")
    if rules.partners and 4 not in rules.seats_allowed:
        raise ValueError("partners are two and two")
    return rules


def read_ruleset(name: str) -> Ruleset:
    """The edition that a name means: ``classic`` or ``classic?pawns=2&play_out=true``."""
    start, question, rest = name.partition("?")
    base = base_of(start)
    if base is None:
        raise ValueError(f"no such ruleset: {start!r}")
    if not question:
        return base
    changes: dict[str, object] = {}
    for pair in rest.split("&"):
        field, _, text = pair.partition("=")
        if field in changes or field not in FIELDS:
            raise ValueError(f"no such field, or named twice: {field}")
        changes[field] = _field_value(base, field, text)
    return _check(replace(base, **changes))  # type: ignore[arg-type]
