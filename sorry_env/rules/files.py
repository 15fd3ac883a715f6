"""Rulesets of one's own from YAML files, see `configs/rulesets/` for examples.

A file names its edition and what differs from another ruleset, its base:

    edition: house            # its name: letters, digits, - and _
    base: classic             # a known ruleset's name; the default is classic
    pawns: 3                  # any field of `Ruleset`; those left out are the base's
    deck: {1: 5, 2: 4, 6: 3}  # counts by card, or as in `Ruleset`
    slides: [[1, 4], [9, 13]]
    cards:                    # all cards, in the ruleset's card order
      - 1                     # the base's card of this name
      - {name: 2, again: false}          # the same with changes
      - {name: 6, forward: 6, start: true}  # a new one

Everything else in it is refused, and so is what `Ruleset` and `Card` refuse, with their bounds.
Read `editions.py` before this file.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, replace
from os import PathLike
from pathlib import Path
from typing import Any, Final

from sorry_env.errors import RulesetError
from sorry_env.rules.editions import get_ruleset, register_ruleset
from sorry_env.rules.ruleset import Card, Ruleset
from sorry_env.yaml_text import read_yaml

_CARD_KEYS = tuple(field.name for field in fields(Card))
_RULESET_KEYS = ("base", *(field.name for field in fields(Ruleset)))


#: How the path of a ruleset's file ends.
SUFFIXES: Final = (".yaml", ".yml")


def load_ruleset(ruleset: Ruleset | str | PathLike[str]) -> Ruleset:
    """The ruleset that is asked for, in whatever way: the one resolver of all doors.

    ruleset: a Ruleset; a name as `get_ruleset` takes it, `classic` or `classic?pawns=2`; the path
             of a YAML file as text that ends in .yaml or .yml, `house.yaml` or
             `house.yaml?pawns=2`; or such a file's Path, however it ends
    A file's ruleset is known by its edition's name from now on.
    Raises RulesetError for an unknown name or field; and, naming the file, for one that cannot be
    read, a key that does not exist, a value out of its bounds, and a name that is another
    ruleset's. Not for text of strangers, who must not make us open files: `get_ruleset` is.
    """
    if isinstance(ruleset, Ruleset):
        return ruleset
    if isinstance(ruleset, PathLike):
        return _read_file(ruleset)
    path = ruleset_file(ruleset)
    if path is None:
        return get_ruleset(ruleset)
    return get_ruleset(_read_file(path).edition + ruleset.removeprefix(path))


def ruleset_file(text: object) -> str | None:
    """The path in `house.yaml` or `house.yaml?pawns=2`; None for what names no file."""
    path = text.partition("?")[0] if isinstance(text, str) else ""
    return path if path.lower().endswith(SUFFIXES) else None


def _read_file(path: str | PathLike[str]) -> Ruleset:
    try:
        text = Path(path).read_text(encoding="utf-8")
        return register_ruleset(read_ruleset(text))
    except (OSError, UnicodeDecodeError) as error:
        raise RulesetError(f"{path}: cannot be read: {error}", value=str(path)) from error
    except RulesetError as error:
        raise RulesetError(f"{path}: {error.message}", value=error.value) from error


def read_ruleset(text: str) -> Ruleset:
    """The ruleset that the text of a file describes; it is not registered.

    Raises RulesetError as `load_ruleset`.
    """
    return make_ruleset(read_yaml(text, RulesetError, "it"))


def make_ruleset(rows: object) -> Ruleset:
    """The ruleset that the contents of a file describe; it is not registered.

    Raises RulesetError as `load_ruleset`.
    """
    values = _checked(rows, "a ruleset file", _RULESET_KEYS)
    if "edition" not in values:
        raise RulesetError("edition must be given: the ruleset's own name", value=None)
    base = get_ruleset(values.pop("base", "classic"))
    if "cards" in values:
        values["cards"] = _cards(base, values["cards"])
    if "deck" in values:
        cards = values.get("cards", base.cards)
        values["deck"] = _deck(values["deck"], cards)
    for key, value in values.items():
        if key != "cards":
            values[key] = _plain(value)
    if type(values.get("p_yes")) is int:
        values["p_yes"] = float(values["p_yes"])
    return replace(base, **values)


def _checked(rows: object, what: str, known: tuple[str, ...]) -> dict[str, Any]:
    """The rows as a new dictionary, or RulesetError where they are none or have unknown keys."""
    if not isinstance(rows, Mapping):
        raise RulesetError(f"{what} must be KEY: VALUE pairs, not {rows!r}", value=rows)
    for key in rows:
        if key not in known:
            raise RulesetError(
                f"unknown key {key!r} in {what}; known are {', '.join(known)}", value=key
            )
    return dict(rows)


def _cards(base: Ruleset, rows: object) -> tuple[Card, ...]:
    if not isinstance(rows, list):
        raise RulesetError(f"cards must be a list, not {rows!r}", value=rows)
    return tuple(_card({card.name: card for card in base.cards}, row) for row in rows)


def _card(known: dict[str, Card], row: object) -> Card:
    """A card by its name, with changes, or new."""
    values = _checked(row if isinstance(row, Mapping) else {"name": row}, "a card", _CARD_KEYS)
    name = values.pop("name", None)
    if isinstance(name, bool) or not isinstance(name, (str, int)):
        raise RulesetError(f"card {row!r} must have a name: letters and digits", value=row)
    name = str(name)
    if name in known:
        return replace(known[name], **values)
    if not values:
        listed = ", ".join(known)
        raise RulesetError(
            f"card {name} is none of the base's, {listed}: say what it can do", value=name
        )
    return Card(name, **values)


def _deck(value: object, cards: tuple[Card, ...]) -> object:
    """Counts by card become counts by card order; cards with copies of their own are left out."""
    if not isinstance(value, Mapping):
        return value
    counts = {str(name): count for name, count in value.items()}
    listed = [card.name for card in cards if not (card.copies or card.question)]
    if unknown := [name for name in counts if name not in listed]:
        raise RulesetError(
            f"deck counts a card {unknown[0]!r}; its cards are {', '.join(listed)}", value=value
        )
    for name, count in counts.items():
        if type(count) is not int or count < 0:
            raise RulesetError(f"deck has {count!r} of card {name}: from 0 to 100", value=count)
    return ".".join(str(counts.get(name, 0)) for name in listed)


def _plain(value: object) -> object:
    """Lists as the tuples that rulesets are made of."""
    return tuple(_plain(one) for one in value) if isinstance(value, list) else value
