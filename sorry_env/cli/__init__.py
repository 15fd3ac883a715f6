"""The command line `sorry`: one parser, one function a command.

Read `text.py` (positions and moves), `games.py` (records), `arena.py` (matches and ratings),
`play.py` (a person at the terminal), `serve.py` (people in browsers), `bot.py` (bots for other
programs), `bench.py` (speed) and `solve.py` (exact solutions) after this file; `running.py` has
what all commands do with their streams and errors. Commands import what they need when they run,
so `--help` is quick.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from textwrap import fill

from sorry_env.cli import arena, bench, bot, games, play, serve, solve, text
from sorry_env.cli.options import load_file
from sorry_env.cli.running import CommandParser, run_program
from sorry_env.families import FAMILIES
from sorry_env.rules import RULESETS
from sorry_env.version import __version__

_EPILOG = """\
rulesets:
{rulesets}
any derived one, such as 'classic?play_out=true&switch_slides=both' (quote it: & and ? mean
something to shells), and your own in a YAML file. Seats are colours: red,yellow. Bots: random,
greedy, runner, bumper, cautious, expectimax:depth=2, mcts:sims=1000, optimal (small rulesets),
learned:FILE.onnx, value:FILE.onnx, process:COMMAND (the bot protocol).
"""


def build_parser() -> argparse.ArgumentParser:
    """The parser of all commands."""
    parser = CommandParser(
        prog="sorry",
        description="The board game Sorry!: play, record, replay, count and compare bots.",
        epilog=_EPILOG.format(rulesets=fill(" ".join((*RULESETS, *FAMILIES)), 90)),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"sorry_env {__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for module in (play, serve, games, arena, text, bot, bench, solve):
        module.add_commands(commands)
    return parser


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command; returns the exit status: 0, 1 where a command says so, 2 for an error."""
    return run_program("sorry", lambda: _run(argv))


def _run(argv: Sequence[str] | None) -> int:
    arguments = build_parser().parse_args(argv)
    if hasattr(arguments, "ruleset"):
        arguments.ruleset = load_file(arguments.ruleset)
    status: int = arguments.run(arguments)
    return status
