"""The tables of the documentation, written from the code: TABLES, by the name a page gives them.

`test_readme.py` compares them with the pages.
"""

from __future__ import annotations

import dataclasses
import json
import re
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import numpy as np
import yaml

from sorry_env import errors
from sorry_env.bots.shipped import shipped_folder, shipped_names
from sorry_env.engine import state
from sorry_env.engine.tables import compile_rules
from sorry_env.families import family_of
from sorry_env.rules import RULESETS, Card, Ruleset, get_ruleset
from sorry_env.rules.ruleset import NAME_FIELDS

ROOT = Path(__file__).resolve().parents[1]


def _table(head: str, rows: list[tuple[Any, ...]]) -> str:
    columns = [cell.strip() for cell in head.split("|")]
    lines = [columns, ["---"] * len(columns), *([str(cell) for cell in row] for row in rows)]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def observation_table(ruleset: str = "classic") -> str:
    """The fields of a ruleset's observation."""
    layout = family_of(ruleset).compile_rules(ruleset).layout
    rows = [(f"`{f.name}`", f.offset, f.size, f"{f.low} ... {f.high}", f.meaning) for f in layout]
    return _table("field | offset | size | values | meaning", rows)


def record_table() -> str:
    """The fields of a game's record."""
    told = re.findall(r"^(\w+(?:, \w+)*): +(.*(?:\n   .*)*)", _record_words(), re.M)
    meanings = {name: text for names, text in told for name in names.split(", ")}
    fields = state.GAME.fields
    assert fields is not None
    rows = []
    for name in state.GAME.names or ():
        kind, offset = fields[name][:2]
        shape = f"[{', '.join(map(str, kind.shape))}]" if kind.shape else ""
        base = np.dtype(kind.base)
        rows.append((f"`{name}`", f"{offset}", f"{base.name}{shape}", _one_line(meanings[name])))
    return _table("field | byte | type | meaning", rows)


def _record_words() -> str:
    """The text that stands below GAME in its file."""
    source = Path(str(state.__file__)).read_text(encoding="utf-8")
    return source.split('"""A game, ', 1)[1].split('"""', 1)[0]


def _one_line(text: str) -> str:
    return " ".join(text.split())


def rulesets_table() -> str:
    """Seats, pawns, deck and sizes of every ruleset."""
    rows = []
    for name in RULESETS:
        tables = compile_rules(name)
        rules = tables.ruleset
        seats = ", ".join(map(str, rules.seat_counts))
        deck = "independent draws" if rules.infinite else f"{sum(rules.counts)} cards"
        deck += f", hands of {rules.hand}" if rules.hand else ""
        start = f"{rules.pawns}, one on its circle" if rules.on_circle else f"{rules.pawns}"
        partners = {"none": "no", "four": "yes", "two": "yes, one agent a team"}[rules.teams]
        rows.append(
            (f"`{name}`", seats, start, deck, partners, tables.num_actions, tables.observation_size)
        )
    return _table("ruleset | seats | pawns | deck | partners | actions | observation", rows)


def editions_table() -> str:
    """What distinguishes every ruleset from `classic`: fields, and cards by what they can do."""
    classic = get_ruleset("classic")
    usual = {card.name: card for card in classic.cards}
    rows = []
    for name in RULESETS:
        rules = get_ruleset(name)
        seats = [f"seats {', '.join(map(str, rules.seat_counts))}"]
        fields = [f"`{field_text(rules, f)}`" for f in NAME_FIELDS
                  if getattr(rules, f) != getattr(classic, f)]  # fmt: skip
        other = [card_words(c) for c in rules.cards if usual.get(c.name) != c]
        gone = [f"no `{one}`" for one in usual if one not in rules.card_names]
        first = seats if rules.seat_counts != classic.seat_counts else []
        what = ", ".join([*first, *fields]) or "-"
        rows.append((f"`{name}`", what, "; ".join([*other, *gone]) or "-"))
    return _table("ruleset | fields | cards", rows)


def field_text(rules: Ruleset, field: str) -> str:
    """`field=value` as derived names have it."""
    value = getattr(rules, field)
    if isinstance(value, tuple):
        parts = ("-".join(map(str, v)) if isinstance(v, tuple) else str(v) for v in value)
        return f"{field}={'.'.join(parts) or 'none'}"
    return f"{field}={str(value).lower()}"


def card_words(card: Card) -> str:
    """A card and what it can do: `2` out +2 fire."""
    words = ["out"] if card.start else []
    words += [f"+{card.forward}"] if card.forward else []
    words += [f"-{card.backward}"] if card.backward else []
    words += [f.name for f in dataclasses.fields(card)
              if f.name != "start" and getattr(card, f.name) is True]  # fmt: skip
    words += [f"x {card.copies}"] if card.copies else []
    return " ".join([f"`{card.name}`", *words])


def extra_observation_table() -> str:
    """The fields of observations that `classic` has not."""
    usual = {field.name for field in compile_rules("classic").layout}
    found: dict[str, tuple[Any, list[str]]] = {}
    for name in RULESETS:
        for field in compile_rules(name).layout:
            if field.name not in usual:
                found.setdefault(field.name, (field, []))[1].append(f"`{name}`")
    rows = [(f"`{name}`", field.size, f"{field.low} ... {field.high}", field.meaning,
             ", ".join(where)) for name, (field, where) in found.items()]  # fmt: skip
    return _table("field | size | values | meaning | in", rows)


def errors_table() -> str:
    """The kinds of errors."""
    kinds = [k for k in vars(errors).values() if isinstance(k, type)]
    rows = [
        (f"`{k.code}`", f"`{k.__name__}`", _one_line(k.__doc__ or ""))
        for k in kinds
        if issubclass(k, errors.SorryError) and k is not errors.SorryError
    ]
    return _table("code | class | meaning", rows)


def settings_table() -> str:
    """The settings of a training run."""
    from sorry_training.config import FIELDS

    return _settings_table(FIELDS.values())


def td_settings_table() -> str:
    """Those of TD that PPO has not, or that mean something else there."""
    from sorry_training.config import FIELDS
    from sorry_training.td_config import UNUSED, TDConfig

    own = [f for f in dataclasses.fields(TDConfig) if f.name not in UNUSED]
    usual = {name: (f.default, f.metadata) for name, f in FIELDS.items()}
    return _settings_table([f for f in own if usual.get(f.name) != (f.default, f.metadata)])


def _settings_table(settings: Iterable[dataclasses.Field[Any]]) -> str:
    rows = []
    for field in settings:
        default = "; ".join(field.default) if isinstance(field.default, tuple) else field.default
        shown = f"`{default}`" if default != "" else "-"
        rows.append((f"`{field.name}`", shown, field.metadata["help"]))
    return _table("key | default | meaning", rows)


def configs_table() -> str:
    """The configurations of the project; what they are for is the first comment of each."""
    from sorry_training.config import load_config
    from sorry_training.config_files import description, shipped_configs

    rows = []
    for name, path in shipped_configs("ppo").items():
        config = load_config(path)
        seats = {len(seats) for seats in config.seat_sets()}
        rows.append((
            f"`{name}`", f"`{config.ruleset}`", ", ".join(map(str, sorted(seats))),
            f"{config.decisions / 1e6:g}", description(path),
        ))  # fmt: skip
    return _table("name | ruleset | seats | million decisions | what it is", rows)


def shipped_table() -> str:
    """What the folders of checkpoints say of themselves."""
    rows = []
    for name in shipped_names():
        matches = json.loads((shipped_folder() / name / "arena.json").read_text())
        config = yaml.safe_load((shipped_folder() / name / "config.yaml").read_text())
        won = []
        for match in matches:
            bot = match["bots"][0]
            low, high = bot["paired_interval"]
            won.append(f"{bot['rate']:.1%} ({100 * low:.1f} to {100 * high:.1f})")
        sides = len(matches[0]["bots"])
        rows.append((f"`{name}`", sides, f"{config['decisions'] / 1e6:g}", *won))
    return _table("name | sides | million decisions | against `random` | against `greedy`", rows)


TABLES: dict[str, Callable[[], str]] = {
    "observation": observation_table,
    "express_observation": lambda: observation_table("express"),
    "record": record_table,
    "rulesets": rulesets_table,
    "editions": editions_table,
    "extra_observation": extra_observation_table,
    "errors": errors_table,
    "settings": settings_table,
    "td_settings": td_settings_table,
    "configs": configs_table,
    "shipped": shipped_table,
}
