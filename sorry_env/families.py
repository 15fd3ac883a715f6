"""The two kinds of games by the name of their rulesets: where the parts of each are found.

The board game with all its editions is one family, the dice game `express` another. Whoever serves
both (records, matches, the command line) asks `family_of` for a ruleset's or a position's family
and takes the parts from it; nothing else tells the two apart. Parts are imported when they are
first used. Imports nothing of sorry_env itself, so that any layer can ask.
"""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from typing import Any, Final


class Family:
    """The parts of a kind of games, each an attribute.

    resolve(ruleset), choose_seats(rules, seats): what is played, by whom
    load(ruleset):                                as resolve, and files: not for strangers' text
    compile_rules(ruleset):                       tables: rules, actions, observation layout
    seat_names, parse_seats(text):                seats in words
    player_names(rules, seats):                   by which names records and agents are called
    new_game(ruleset, seats, **settings):         a game; `Batch`: many
    View, BatchRequest, make_bot(text):           what bots are shown, bots by name
    read, write, move_text, legal_texts, parse_move, move_words: notation
    ansi, svg, rgb:                               pictures of a view
    scene:                                        the shapes that svg and rgb paint
    drawn:                                        what chance gives: a card, dice
    """

    def __init__(self, parts: Mapping[str, str]) -> None:
        self._parts = parts

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_") or name not in self._parts:
            raise AttributeError(f"a family of games has no part {name!r}")
        module, _, attribute = self._parts[name].partition(":")
        part = getattr(importlib.import_module(module), attribute)
        setattr(self, name, part)
        return part


BOARD: Final = Family(
    {
        "resolve": "sorry_env.rules:resolve_ruleset",
        "load": "sorry_env.rules:load_ruleset",
        "compile_rules": "sorry_env.engine.tables:compile_rules",
        "choose_seats": "sorry_env.rules:choose_seats",
        "drawn": "sorry_env.game:DRAWN",
        "seat_names": "sorry_env.rules:COLOURS",
        "parse_seats": "sorry_env.rules:parse_seats",
        "player_names": "sorry_env.rules:player_names",
        "new_game": "sorry_env.game:Game",
        "Batch": "sorry_env.engine.batch:Batch",
        "View": "sorry_env.view:View",
        "BatchRequest": "sorry_env.bots.base:BatchRequest",
        "make_bot": "sorry_env.bots.registry:make_bot",
        "read": "sorry_env.notation.position:read",
        "write": "sorry_env.notation.position:write",
        "move_text": "sorry_env.notation.moves:move_text",
        "legal_texts": "sorry_env.notation.moves:legal_texts",
        "parse_move": "sorry_env.notation.moves:parse_move",
        "move_words": "sorry_env.notation.moves:move_words",
        "ansi": "sorry_env.render:ansi",
        "svg": "sorry_env.render:svg",
        "rgb": "sorry_env.render:rgb",
        "scene": "sorry_env.render.scene:scene",
    }
)
EXPRESS: Final = Family(
    {
        "resolve": "sorry_env.express.rules:resolve_rules",
        "load": "sorry_env.express.rules:resolve_rules",
        "compile_rules": "sorry_env.express.tables:compile_rules",
        "choose_seats": "sorry_env.express.rules:choose_seats",
        "drawn": "sorry_env.express.rules:DRAWN",
        "seat_names": "sorry_env.express.rules:SEAT_NAMES",
        "parse_seats": "sorry_env.express.rules:parse_seats",
        "player_names": "sorry_env.express.rules:player_names",
        "new_game": "sorry_env.express.game:new_game",
        "Batch": "sorry_env.express.batch:ExpressBatch",
        "View": "sorry_env.express.view:ExpressView",
        "BatchRequest": "sorry_env.express.bots:ExpressRequest",
        "make_bot": "sorry_env.express.bots:make_bot",
        "read": "sorry_env.express.notation:read",
        "write": "sorry_env.express.notation:write",
        "move_text": "sorry_env.express.notation:move_text",
        "legal_texts": "sorry_env.express.notation:legal_texts",
        "parse_move": "sorry_env.express.notation:parse_move",
        "move_words": "sorry_env.express.notation:move_words",
        "ansi": "sorry_env.express.ansi:ansi",
        "svg": "sorry_env.express.pictures:svg",
        "rgb": "sorry_env.express.pictures:rgb",
        "scene": "sorry_env.express.scene:scene",
    }
)

#: Families by the name of their only ruleset; every other ruleset is the board game's.
FAMILIES: Final[Mapping[str, Family]] = {"express": EXPRESS}


def family_of(ruleset: object) -> Family:
    """The family of a ruleset or its name, or of a position's line, which begins with that name.

    Anything else is the board game's to refuse.
    """
    name = getattr(ruleset, "name", ruleset)
    return FAMILIES.get(name.partition(" ")[0], BOARD) if isinstance(name, str) else BOARD
