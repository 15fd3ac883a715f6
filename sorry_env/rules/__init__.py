"""The rules as data: colours and seats, cards, rulesets and the published editions."""

from sorry_env.rules.editions import (
    EDITIONS,
    RULESETS,
    find_edition,
    get_ruleset,
    register_ruleset,
    resolve_ruleset,
)
from sorry_env.rules.files import load_ruleset, ruleset_file
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
    "find_edition",
    "get_ruleset",
    "load_ruleset",
    "parse_colour",
    "parse_seats",
    "player_names",
    "register_ruleset",
    "resolve_ruleset",
    "ruleset_file",
]
