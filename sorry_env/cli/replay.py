"""The command `replay`: check records, show them, look at one with a bot, draw it.

Read `../notation/record.py` and `../replay/analysis.py` before this file.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from sorry_env.cli import options
from sorry_env.cli.options import add_quiet, add_ruleset_file
from sorry_env.cli.running import attempts, check_outputs
from sorry_env.cli.terminal import say, use_colour
from sorry_env.errors import RequestError
from sorry_env.families import family_of
from sorry_env.files import write_file
from sorry_env.json_text import write_json
from sorry_env.parsing import Number
from sorry_env.terminal import terminal_text

if TYPE_CHECKING:
    from sorry_env.notation import Record
    from sorry_env.replay import Analysis
    from sorry_env.replay.story import Story


def add_commands(commands: Any) -> None:
    """Add this module's command to the parser."""
    replay = commands.add_parser(
        "replay",
        help="check game records, show them move by move, draw and analyse one",
        description="Read game records, check every line of them and show the games. A record "
        "with an illegal move is refused with file, line and reason. With --svg, --gif or --html "
        "one game is drawn as a file of its own; with --bot a bot tells what each draw and each "
        "move changed, and what it would have played.",
    )
    replay.add_argument("file", help="records as JSON lines; - for standard input")
    replay.add_argument(
        "--game", type=options.GAMES, metavar="N", help="only the N-th game of the file"
    )
    replay.add_argument("--check", action="store_true", help="only check; print one line a game")
    replay.add_argument("--board", action="store_true", help="draw the board before each move")
    replay.add_argument(
        "--delay", type=Number(0.0, 3600.0), metavar="S",
        help="seconds a move, here (0) or in the GIF (1.2)",
    )  # fmt: skip
    replay.add_argument("--svg", metavar="OUT", help="write a page with a picture of each move")
    replay.add_argument("--gif", metavar="OUT", help="write an animated picture")
    replay.add_argument("--html", metavar="OUT", help="write a page to step through, in one file")
    replay.add_argument(
        "--bot", help="look at the game with a bot: value:FILE.onnx, optimal, expectimax, ..."
    )
    replay.add_argument(
        "--size", type=options.PIXELS, metavar="P", help="pixels of the GIF's board"
    )
    add_quiet(replay)
    add_ruleset_file(replay)
    replay.set_defaults(run=_replay)


def _replay(arguments: argparse.Namespace) -> int:
    from sorry_env.notation import read_records

    check_outputs(svg=arguments.svg, gif=arguments.gif, html=arguments.html)
    piped = arguments.file == "-"
    source: Any = options.read_standard_input() if piped else arguments.file
    records = read_records(source, name="standard input" if piped else None)
    drawn = bool(arguments.svg or arguments.gif or arguments.html or arguments.bot)
    chosen: list[Record] = []
    count = 0
    for count, record in enumerate(records, start=1):
        if arguments.game not in (None, count):
            continue
        chosen.append(record)
        if drawn:
            continue
        header, end = record.header, record.end
        players = ", ".join(f"{colour}: {name}" for colour, name in header["players"].items())
        print(terminal_text(f"game {count}: {header['ruleset']} ({players})"))
        if not arguments.check:
            _show_record(record, arguments.board, arguments.delay or 0.0)
        print(f"{end['reason']} after {end['plies']} decisions: {write_json(end['returns'])}")
    if arguments.game is not None and arguments.game > count:
        raise RequestError(
            f"{arguments.file} has {count} games, no game {arguments.game}", value=arguments.game
        )
    if drawn:
        if len(chosen) != 1:
            raise RequestError(
                f"{arguments.file} has {count} games: --game N says which is meant", value=count
            )
        _look_at(chosen[0], arguments)
    return 0


def _show_record(record: Record, board: bool, delay: float) -> None:
    family = family_of(record.header["ruleset"])
    colour = use_colour()
    for row, game in zip(record.moves, record.games(), strict=False):
        if board:
            print(family.ansi(game.view(), colour=colour))
        words = family.move_words(game, family.parse_move(game, row["move"]))
        print(f"{row['ply']:4d} {family.seat_names[game.actor]:<6} {row['move']:<16} {words}")
        if delay > 0:
            sys.stdout.flush()
            time.sleep(delay)


# -- one game ----------------------------------------------------------------------------------


def _look_at(record: Record, arguments: argparse.Namespace) -> None:
    """Analyse one game and draw it, as asked for."""
    from sorry_env.replay import analyse
    from sorry_env.replay.story import tell

    analysis = analyse(record, arguments.bot) if arguments.bot else None
    story = tell(record, analysis)
    with attempts() as attempt:
        for path, draw in _drawings(story, arguments):
            with attempt():
                write_file(path, draw())
                if not arguments.quiet:
                    say(f"wrote {path}")
        if analysis is not None:
            with attempt():
                _print_analysis(story, analysis)


def _drawings(
    story: Story, arguments: argparse.Namespace
) -> Iterator[tuple[str, Callable[[], bytes | str]]]:
    """The files asked for, each with the function that draws it."""
    if arguments.svg:
        from sorry_env.replay.svg import svg_story

        yield arguments.svg, lambda: svg_story(story)
    if arguments.gif:
        from sorry_env.replay.gif import SECONDS, SIZE, gif_story

        seconds = SECONDS if arguments.delay is None else arguments.delay
        size = arguments.size or SIZE
        yield arguments.gif, lambda: gif_story(story, size=size, seconds=seconds)
    if arguments.html:
        from sorry_env.replay.html import html_story

        yield arguments.html, lambda: html_story(story)


def _say(line: str) -> None:
    """Print a line that has names of a record in it."""
    print(terminal_text(line))


def _print_analysis(story: Story, analysis: Analysis) -> None:
    """Luck and decisions by side, and the biggest swings."""
    from sorry_env.replay.story import account_words, change_words, swing_words

    _say(f"{story.title} by {analysis.bot}: {story.result}")
    for side in range(len(analysis.sides)):
        same, choices = analysis.agreement(side)
        parts = [f"plays as the bot in {same} of {choices} choices"]
        for what, words in (("luck", "luck"), ("decision", "decisions")):
            total = analysis.total(side, what)
            if total is not None:
                parts.append(f"{words} {change_words(total, analysis.unit)}")
        _say(f"{story.side_name(side)}: {', '.join(parts)}")
    if analysis.unit is None:
        _say(f"{analysis.bot} does not say what positions are worth: no curve, no swings")
        return
    if account := account_words(story):
        _say(account)
    for swing in analysis.swings():
        ply = swing.ply
        change, words = change_words(swing.change, analysis.unit), swing_words(story, swing)
        _say(f"{ply.number + 1:4d} {story.names[ply.seat]:<8} {change:>12}  {words}")
