"""The board game Sorry! as an exact, fast environment for reinforcement learning, with bots.

    import sorry_env

    env = sorry_env.env("classic", seats="red,yellow")   # PettingZoo AEC
    env = gymnasium.make("sorry_env/Sorry-v0")           # one learner, after this import
    game = sorry_env.Game("classic", seed=7)             # one game, every step explained
    batch = sorry_env.Batch("classic", size=1024)        # many games, for trainers

The names below load what they need when they are first used, so that `import sorry_env` is quick
and asks for no optional package.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from sorry_env.engine.position_writer import register_position_writer
from sorry_env.gym_ids import register_when_imported
from sorry_env.version import __version__

if TYPE_CHECKING:
    from sorry_env.arena.match import play_match
    from sorry_env.bots.base import Bot
    from sorry_env.bots.registry import make_bot
    from sorry_env.engine.batch import Batch
    from sorry_env.envs import env, parallel_env, raw_env
    from sorry_env.errors import SorryError
    from sorry_env.game import Game, Move, View
    from sorry_env.notation import (
        legal_texts,
        move_text,
        move_words,
        parse_move,
        read_records,
        read_view,
    )
    from sorry_env.notation import read as read_position
    from sorry_env.notation import write as write_position
    from sorry_env.perft import perft
    from sorry_env.render import ansi, rgb, svg
    from sorry_env.rules import RULESETS, Ruleset, get_ruleset, load_ruleset

# Where each public name lives: module, and the name it has there.
_NAMES: dict[str, tuple[str, str]] = {
    "Batch": ("sorry_env.engine.batch", "Batch"),
    "Bot": ("sorry_env.bots.base", "Bot"),
    "Game": ("sorry_env.game", "Game"),
    "Move": ("sorry_env.game", "Move"),
    "RULESETS": ("sorry_env.rules", "RULESETS"),
    "Ruleset": ("sorry_env.rules", "Ruleset"),
    "SorryError": ("sorry_env.errors", "SorryError"),
    "View": ("sorry_env.game", "View"),
    "ansi": ("sorry_env.render", "ansi"),
    "env": ("sorry_env.envs", "env"),
    "get_ruleset": ("sorry_env.rules", "get_ruleset"),
    "legal_texts": ("sorry_env.notation", "legal_texts"),
    "load_ruleset": ("sorry_env.rules", "load_ruleset"),
    "make_bot": ("sorry_env.bots.registry", "make_bot"),
    "move_text": ("sorry_env.notation", "move_text"),
    "move_words": ("sorry_env.notation", "move_words"),
    "parallel_env": ("sorry_env.envs", "parallel_env"),
    "parse_move": ("sorry_env.notation", "parse_move"),
    "perft": ("sorry_env.perft", "perft"),
    "play_match": ("sorry_env.arena.match", "play_match"),
    "raw_env": ("sorry_env.envs", "raw_env"),
    "read_position": ("sorry_env.notation", "read"),
    "read_records": ("sorry_env.notation", "read_records"),
    "read_view": ("sorry_env.notation", "read_view"),
    "rgb": ("sorry_env.render", "rgb"),
    "svg": ("sorry_env.render", "svg"),
    "write_position": ("sorry_env.notation", "write"),
}

__all__ = [
    "RULESETS",
    "Batch",
    "Bot",
    "Game",
    "Move",
    "Ruleset",
    "SorryError",
    "View",
    "__version__",
    "ansi",
    "env",
    "get_ruleset",
    "legal_texts",
    "load_ruleset",
    "make_bot",
    "move_text",
    "move_words",
    "parallel_env",
    "parse_move",
    "perft",
    "play_match",
    "raw_env",
    "read_position",
    "read_records",
    "read_view",
    "rgb",
    "svg",
    "write_position",
]


def __getattr__(name: str) -> Any:
    if name not in _NAMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module, attribute = _NAMES[name]
    value = getattr(importlib.import_module(module), attribute)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_NAMES})


def _write_position(tables: Any, state: Any) -> str:
    """The position of an array of one record, for the messages of the engine below."""
    from sorry_env.families import family_of

    family = family_of(tables.ruleset)
    return str(family.write(family.View(tables, state, None)))


register_position_writer(_write_position)
register_when_imported()
