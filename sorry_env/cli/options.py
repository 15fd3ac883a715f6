"""Options that several commands share, and the games made from them."""

from __future__ import annotations

import argparse
import io
import sys
from typing import Any, Final

from sorry_env.errors import RequestError
from sorry_env.parsing import Whole

#: What counts of games, decisions, threads and pixels can be.
GAMES: Final = Whole(1, 100_000_000)
PLIES: Final = Whole(1, 1_000_000_000)
POINTS: Final = Whole(1, 1_000_000)
THREADS: Final = Whole(1, 1024)
PIXELS: Final = Whole(16, 8192)

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


def add_quiet(parser: argparse.ArgumentParser) -> None:
    """--quiet, for commands that tell on standard error how far they are or what they wrote."""
    parser.add_argument(
        "--quiet", action="store_true", help="say nothing on standard error but errors"
    )


def load_file(name: str | None) -> str | None:
    """The ruleset's name that --ruleset asks for; a YAML file is read and known from then on.

    name: a name, or a path that ends in .yaml or .yml, either with `?field=value` behind it
    """
    if name is None:
        return None
    from sorry_env.rules import load_ruleset, ruleset_file

    return load_ruleset(name).name if ruleset_file(name) else name


def read_standard_input() -> Any:
    """Standard input as lines of UTF-8; bytes that are none become half surrogate pairs.

    No position, move or record has these: they are an error in their line, not of the whole input.
    """
    stream: Any = sys.stdin
    if isinstance(stream, io.TextIOWrapper):
        stream.reconfigure(encoding="utf-8", errors="surrogateescape", newline="\n")
    return stream


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
