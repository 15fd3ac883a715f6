"""Commands on whole games: `record` and `replay`."""

from __future__ import annotations

import argparse
import json
import sys
import time
from typing import Any

from sorry_env.cli.options import add_ruleset_file, add_setup, share_out, whole
from sorry_env.errors import RequestError
from sorry_env.families import family_of


def add_commands(commands: Any) -> None:
    """Add this module's commands to the parser."""
    _add_record(commands)
    _add_replay(commands)


# -- record ---------------------------------------------------------------------------------------


def _add_record(commands: Any) -> None:
    record = commands.add_parser(
        "record",
        help="let bots play and print game records",
        description="Let bots play games and print their records as JSON lines on standard output. "
        "Game i has the seed S + i; the same command prints the same bytes.",
    )
    add_setup(record)
    record.add_argument("--games", type=whole(1), default=1, help="how many (default: 1)")
    record.add_argument("--seed", type=int, default=0, metavar="S", help="of the first game")
    record.add_argument(
        "--player",
        action="append",
        metavar="BOT",
        help="a bot for all agents, or, given again, one for each in turn order (default: random)",
    )
    record.add_argument(
        "--legal", action="store_true", help="write the legal moves of each decision"
    )
    record.add_argument("--max-plies", type=whole(1), default=5000, help="decisions before a break")
    record.add_argument(
        "--reward",
        help="of the returns: win, rank or points (default: points where a hand is held and points "
        "are counted, else win)",
    )
    record.set_defaults(run=_record)


def _record(arguments: argparse.Namespace) -> int:
    from sorry_env.notation import Recorder, write_record
    from sorry_env.notation.record import usual_reward

    family = family_of(arguments.ruleset)
    game = family.new_game(arguments.ruleset, arguments.seats, seed=0, first=arguments.first)
    game.returns(arguments.reward or usual_reward(game.ruleset))
    names = family.player_names(game.ruleset, game.seats)
    specs = share_out(arguments.player or ["random"], len(names))
    bots = [family.make_bot(spec) for spec in specs]
    for bot in bots:
        bot.check(game.tables, game.seats)
    # With two agents for four colours, the agents' colours alternate in turn order.
    bot_of = {seat: bots[i % len(bots)] for i, seat in enumerate(game.seats)}
    for seed in range(arguments.seed, arguments.seed + arguments.games):
        game = family.new_game(arguments.ruleset, arguments.seats, seed=seed, first=arguments.first)
        for i, bot in enumerate(bots):
            bot.reset(seed * len(bots) + i)
        recorder = Recorder(
            game,
            dict(zip(names, specs, strict=True)),
            seed=seed,
            name=f"{game.ruleset.name}-{'-'.join(family.seat_names[s] for s in game.seats)}-{seed}",
            reward=arguments.reward,
            legal=arguments.legal,
        )
        while not game.over and game.plies < arguments.max_plies:
            move = game.describe(bot_of[game.actor].choose(game.view(game.actor)))
            recorder.decision(move)
            # A game broken off ends after its last move, before the next draw.
            game.play(move, draw=game.plies + 1 < arguments.max_plies)
        write_record(recorder.finish(None if game.over else "truncated"), sys.stdout)
    return 0


# -- replay ---------------------------------------------------------------------------------------


def _add_replay(commands: Any) -> None:
    replay = commands.add_parser(
        "replay",
        help="check game records and show them move by move",
        description="Read game records, check every line of them and show the games. A record "
        "with an illegal move is refused with file, line and reason.",
    )
    replay.add_argument("file", help="records as JSON lines; - for standard input")
    replay.add_argument("--game", type=whole(1), metavar="N", help="only the N-th game of the file")
    replay.add_argument("--check", action="store_true", help="only check; print one line a game")
    replay.add_argument("--board", action="store_true", help="draw the board before each move")
    replay.add_argument("--delay", type=float, default=0.0, metavar="S", help="seconds a move")
    add_ruleset_file(replay)
    replay.set_defaults(run=_replay)


def _replay(arguments: argparse.Namespace) -> int:
    from sorry_env.notation import read_records

    piped = arguments.file == "-"
    source: Any = sys.stdin if piped else arguments.file
    records = read_records(source, name="standard input" if piped else None)
    count = 0
    for count, record in enumerate(records, start=1):
        if arguments.game not in (None, count):
            continue
        header, end = record.header, record.end
        players = ", ".join(f"{colour}: {name}" for colour, name in header["players"].items())
        print(f"game {count}: {header['ruleset']} ({players})")
        if not arguments.check:
            _show_record(record, arguments.board, arguments.delay)
        print(f"{end['reason']} after {end['plies']} decisions: {json.dumps(end['returns'])}")
    if arguments.game is not None and arguments.game > count:
        raise RequestError(
            f"{arguments.file} has {count} games, no game {arguments.game}", value=arguments.game
        )
    return 0


def _show_record(record: Any, board: bool, delay: float) -> None:
    family = family_of(record.header["ruleset"])
    colour = sys.stdout.isatty()
    for row, game in zip(record.moves, record.games(), strict=False):
        if board:
            print(family.ansi(game.view(), colour=colour))
        words = family.move_words(game, family.parse_move(game, row["move"]))
        print(f"{row['ply']:4d} {family.seat_names[game.actor]:<6} {row['move']:<16} {words}")
        if delay > 0:
            sys.stdout.flush()
            time.sleep(delay)
