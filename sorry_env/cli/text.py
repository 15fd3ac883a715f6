"""Commands on positions and moves: `legal`, `apply`, `show` and `perft`."""

from __future__ import annotations

import argparse
import io
import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from sorry_env.cli.options import add_ruleset_file, add_setup, seed_number, whole
from sorry_env.errors import RequestError, SorryError
from sorry_env.families import family_of


def add_commands(commands: Any) -> None:
    """Add this module's commands to the parser."""
    legal = commands.add_parser(
        "legal",
        help="list the legal moves of positions",
        description="Read positions, one a line, and print a JSON list of each one's legal moves. "
        'A bad line prints {"error": {"code": ..., "message": ...}} in its place; the exit status '
        "is then 1.",
    )
    apply = commands.add_parser(
        "apply",
        help="play moves in positions",
        description="Read lines POSITION<tab>MOVE and print the next position for each; where a "
        "card must now be drawn its card is ?. Bad lines as in `sorry legal`. A line with hidden "
        "hands ? is answered where it shows the hand of the seat that decides.",
    )
    for parser, one in ((legal, _legal), (apply, _apply)):
        parser.add_argument("file", nargs="?", default="-", help="file to read (default: stdin)")
        add_ruleset_file(parser)
        parser.set_defaults(run=_each_line(one))
    _add_show(commands)
    _add_perft(commands)


# -- legal and apply ------------------------------------------------------------------------------


def _lines(name: str) -> Iterator[str]:
    # Undecodable bytes become characters that no position has: an error in their line alone.
    if name == "-":
        stream: Any = sys.stdin
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="surrogateescape", newline="\n")
        yield from (line.removesuffix("\n").removesuffix("\r") for line in stream)
        return
    try:
        with Path(name).open(encoding="utf-8", errors="surrogateescape") as file:
            yield from (line.removesuffix("\n") for line in file)
    except OSError as error:
        raise RequestError(f"{name}: cannot be read: {error}", value=name) from error


def _each_line(one: Callable[[str], str]) -> Callable[[argparse.Namespace], int]:
    def run(arguments: argparse.Namespace) -> int:
        status = 0
        for line in _lines(arguments.file):
            try:
                print(one(line))
            except SorryError as error:
                print(json.dumps({"error": {"code": error.code, "message": error.message}}))
                status = 1
        return status

    return run


def _legal(line: str) -> str:
    from sorry_env.server.positions import legal, read_position

    return json.dumps(legal(read_position(line)))


def _apply(line: str) -> str:
    from sorry_env.server.positions import apply, read_position

    position, tab, move = line.partition("\t")
    if not tab:
        raise RequestError(f"{line!r} must be POSITION<tab>MOVE", value=line)
    return apply(read_position(position), move)


# -- show -----------------------------------------------------------------------------------------


def _add_show(commands: Any) -> None:
    show = commands.add_parser(
        "show",
        help="draw a position",
        description="Draw a position in the terminal, or write it as a picture.",
    )
    show.add_argument("position", nargs="?", help="position line in quotes (default: a first one)")
    add_setup(show)
    show.add_argument(
        "--seed", type=seed_number, default=0, help="of the first card drawn (default: 0)"
    )
    show.add_argument(
        "--view", metavar="COLOUR", help="as this colour sees it (default: all hands)"
    )
    show.add_argument("--svg", metavar="FILE", help="write an SVG picture")
    show.add_argument("--png", metavar="FILE", help="write a PNG picture")
    show.add_argument("--size", type=whole(16), default=640, help="of a picture, in pixels")
    show.add_argument("--plain", action="store_true", help="no colours")
    show.set_defaults(run=_show)


def _shown(arguments: argparse.Namespace) -> tuple[Any, Any]:
    """The family and the view that the arguments of `show` ask for."""
    from sorry_env.notation import views

    if arguments.position is None:
        family = family_of(arguments.ruleset)
        game = family.new_game(
            arguments.ruleset, arguments.seats, seed=arguments.seed, first=arguments.first
        )
    else:
        family = family_of(arguments.position)
        if views.hides_hands(arguments.position):
            game, seat = views.complete(arguments.position)
            if arguments.view not in (None, family.seat_names[seat]):
                raise RequestError(
                    f"the position is what {family.seat_names[seat]} sees, not {arguments.view}",
                    value=arguments.view,
                )
            return family, game.view(seat)
        game = family.read(arguments.position, seed=0)
    seats = () if arguments.view is None else family.parse_seats(arguments.view)
    return family, game.view(*seats)


def _show(arguments: argparse.Namespace) -> int:
    family, view = _shown(arguments)
    try:
        if arguments.svg:
            Path(arguments.svg).write_text(family.svg(view, size=arguments.size), encoding="utf-8")
        if arguments.png:
            from PIL import Image

            pixels = family.rgb(view, size=arguments.size)
            Image.fromarray(pixels).save(arguments.png, format="PNG")
    except OSError as error:
        raise RequestError(f"the picture cannot be written: {error}", value=None) from error
    if not (arguments.svg or arguments.png):
        print(family.ansi(view, colour=not arguments.plain and sys.stdout.isatty()))
        print(family.write(view))
        print("legal:", "  ".join(family.legal_texts(view)) or "-")
    return 0


# -- perft ----------------------------------------------------------------------------------------


def _add_perft(commands: Any) -> None:
    perft = commands.add_parser(
        "perft",
        help="count move sequences exactly",
        description="For each depth print the number of distinct sequences of cards and moves, and "
        "the exact chance that the last ply is a forced pass (cards by their true chances, moves "
        "uniform). A ply is one card revealed and one move.",
    )
    add_setup(perft)
    perft.add_argument("--depth", type=whole(1), default=2, help="plies to look ahead (default: 2)")
    perft.add_argument("--position", metavar="TEXT", help="count from this position")
    perft.add_argument(
        "--seed", type=seed_number, default=0, help="of the deal of hands (default: 0)"
    )
    perft.add_argument("--divide", action="store_true", help="split the last count by first move")
    perft.set_defaults(run=_perft)


def _perft(arguments: argparse.Namespace) -> int:
    from sorry_env.game import Game
    from sorry_env.notation import move_text, read
    from sorry_env.perft import divide, perft

    if arguments.position is not None:
        game = read(arguments.position, seed=0)
    else:
        game = Game(
            arguments.ruleset,
            arguments.seats,
            seed=arguments.seed,
            first=arguments.first,
            draw=False,
        )
    for depth, ply in enumerate(perft(game, arguments.depth), start=1):
        print(f"depth {depth}  moves {ply.moves}  forced passes {ply.forced}")
    if arguments.divide:
        rows = sorted(
            (card or "-", move_text(move), count)
            for card, move, count in divide(game, arguments.depth)
        )
        for card, move, count in rows:
            print(f"{card:>3}  {move:<20} {count}")
    return 0
