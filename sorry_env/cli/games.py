"""Commands on whole games: `record` here, `replay` in `replay.py`."""

from __future__ import annotations

import argparse
import sys
from typing import Any

from sorry_env.cli import options, replay
from sorry_env.cli.options import add_setup, share_out
from sorry_env.cli.running import use_utf8
from sorry_env.families import family_of
from sorry_env.parsing import SEED


def add_commands(commands: Any) -> None:
    """Add this module's commands to the parser."""
    _add_record(commands)
    replay.add_commands(commands)


def _add_record(commands: Any) -> None:
    record = commands.add_parser(
        "record",
        help="let bots play and print game records",
        description="Let bots play games and print their records as JSON lines on standard output. "
        "Game i has the seed S + i; the same command prints the same bytes.",
    )
    add_setup(record)
    record.add_argument("--games", type=options.GAMES, default=1, help="how many (default: 1)")
    record.add_argument("--seed", type=SEED, default=0, metavar="S", help="of the first game")
    record.add_argument(
        "--player",
        action="append",
        metavar="BOT",
        help="a bot for all agents, or, given again, one for each in turn order (default: random)",
    )
    record.add_argument(
        "--legal", action="store_true", help="write the legal moves of each decision"
    )
    record.add_argument(
        "--max-plies", type=options.PLIES, default=5000, help="decisions before a break"
    )
    record.add_argument(
        "--reward",
        help="of the returns: win, rank or points (default: points where a hand is held and points "
        "are counted, else win)",
    )
    record.set_defaults(run=_record)


def _record(arguments: argparse.Namespace) -> int:
    from sorry_env.engine.rng import MAX_SEED, check_seed
    from sorry_env.notation import Recorder, write_record
    from sorry_env.notation.record import usual_reward

    use_utf8()
    last = check_seed(arguments.seed + arguments.games - 1, "the seed of the last game")
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
    for seed in range(arguments.seed, last + 1):
        game = family.new_game(arguments.ruleset, arguments.seats, seed=seed, first=arguments.first)
        for i, bot in enumerate(bots):
            bot.reset((seed * len(bots) + i) & MAX_SEED)
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
