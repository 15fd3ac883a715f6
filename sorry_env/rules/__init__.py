"""The rules as data: colours and seats, cards, rulesets and the published editions."""

from sorry_env.rules.editions import EDITIONS, RULESETS, get_ruleset, resolve_ruleset
from sorry_env.rules.ruleset import Card, Ruleset
from sorry_env.rules.seats import (
    COLOURS,
    LETTERS,
    choose_seats,
    parse_colour,
    parse_seats,
    player_names,
)

__all__ = [
    "COLOURS",
    "EDITIONS",
    "LETTERS",
    "RULESETS",
    "Card",
    "Ruleset",
    "choose_seats",
    "get_ruleset",
    "parse_colour",
    "parse_seats",
    "player_names",
    "resolve_ruleset",
]
