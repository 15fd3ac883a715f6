"""`sorry bot`: a bot for programs in any language, by the bot protocol."""

from __future__ import annotations

import argparse
import sys
from typing import Any

from sorry_env.cli.options import seed_number


def add_commands(commands: Any) -> None:
    """Add this module's command to the parser."""
    bot = commands.add_parser(
        "bot",
        help="let another program ask a bot for moves",
        description="Answer requests for moves, one JSON object a line, until the input ends: bot "
        "protocol 1, see docs/protocol.md. Whatever is wrong with a line is answered in words.",
    )
    bot.add_argument("bot", metavar="BOT", help="random, greedy, learned:FILE.onnx")
    bot.add_argument(
        "--stdio", action="store_true", required=True, help="over standard input and output"
    )
    bot.add_argument(
        "--seed",
        type=seed_number,
        metavar="S",
        help="of the bot and of draws (default: the system's)",
    )
    bot.add_argument(
        "--ruleset", metavar="FILE", help="YAML file of a ruleset that positions may name, too"
    )
    bot.set_defaults(run=_run)


def _run(arguments: argparse.Namespace) -> int:
    from sorry_env.server.session import Session
    from sorry_env.server.stdio import serve

    more = () if arguments.ruleset is None else (arguments.ruleset,)
    session = Session(arguments.bot, arguments.seed, more)

    def write(text: str) -> None:
        sys.stdout.write(text)
        sys.stdout.flush()

    binary: Any = sys.stdin.buffer
    serve(session, binary.read1, write)
    return 0
