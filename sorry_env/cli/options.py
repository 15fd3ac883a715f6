"""Options that several commands share, and the games made from them."""

from __future__ import annotations

import argparse
from typing import Any

from sorry_env.errors import RequestError

#: More digits than the largest seed has: such a number is told in words, and never read.
_SEED_DIGITS = 30


def add_setup(parser: argparse.ArgumentParser, *, first: bool = True) -> None:
    """--ruleset, --seats and --first."""
    parser.add_argument(
        "--ruleset",
        default="classic",
        metavar="NAME",
        help="edition to play, or the YAML file of a ruleset (default: classic)",
    )
    parser.add_argument(
        "--seats",
        metavar="COLOURS",
        help="seated colours joined by commas, or how many (default: the ruleset's usual)",
    )
    if first:
        parser.add_argument(
            "--first",
            metavar="COLOUR",
            help="who begins: a colour or 'random' (default: the first)",
        )


def add_ruleset_file(parser: argparse.ArgumentParser) -> None:
    """--ruleset for commands whose input names its rulesets itself."""
    parser.add_argument(
        "--ruleset", metavar="FILE", help="YAML file of a ruleset that the input names"
    )


def load_file(name: str | None) -> str | None:
    """The ruleset's name that --ruleset asks for; a YAML file is read and known from then on.

    name: a name, or a path that ends in .yaml or .yml, either with `?field=value` behind it
    """
    if name is None:
        return None
    from sorry_env.rules import load_ruleset, ruleset_file

    return load_ruleset(name).name if ruleset_file(name) else name


def seed_number(text: str) -> int:
    """An argparse type: a seed, see `rng.check_seed`."""
    from sorry_env.engine.rng import check_seed

    plain = text.isascii() and text.isdigit() and len(text) <= _SEED_DIGITS
    try:
        return check_seed(int(text) if plain else text)
    except RequestError as error:
        raise argparse.ArgumentTypeError(error.message) from None


def whole(low: int) -> Any:
    """An argparse type: an int of at least ``low``."""

    def read(text: str) -> int:
        try:
            value = int(text)
        except ValueError:
            raise argparse.ArgumentTypeError(f"{text!r} must be a whole number") from None
        if value < low:
            raise argparse.ArgumentTypeError(f"{value} must be {low} or more")
        return value

    return read


def share_out(players: list[str], agents: int) -> list[str]:
    """One player for each agent; a single one serves all."""
    if len(players) == 1:
        return players * agents
    if len(players) != agents:
        raise RequestError(
            f"{len(players)} players for {agents} agents: give one for all or one for each",
            value=players,
        )
    return players
