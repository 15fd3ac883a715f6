"""The commands `arena` and `league`: matches and ratings of bots."""

from __future__ import annotations

import argparse
import json
import sys
from typing import TYPE_CHECKING, Any, Final

from sorry_env.cli.options import add_setup, seed_number, whole
from sorry_env.errors import RequestError

if TYPE_CHECKING:
    from sorry_env.arena import LeagueResult, MatchResult
    from sorry_env.arena.stopping import Rule

#: Games that a match plays, and the most where it stops by itself.
GAMES: Final = 1000
MOST_GAMES: Final = 100_000


def add_commands(commands: Any) -> None:
    """Add this module's commands to the parser."""
    _add_arena(commands)
    _add_league(commands)


def _add_common(parser: argparse.ArgumentParser) -> None:
    add_setup(parser)
    parser.add_argument("--seed", type=seed_number, default=0, help="of all games (default: 0)")
    parser.add_argument("--max-plies", type=whole(1), default=5000, help="decisions before a break")
    parser.add_argument(
        "--target-score", type=whole(1), metavar="N", help="play rounds to so many points"
    )
    parser.add_argument(
        "--luck",
        metavar="BOT",
        help="take the luck of the draws out, by what positions are worth to value:FILE.onnx, "
        "learned:FILE.onnx, optimal or greedy",
    )
    parser.add_argument("--json", action="store_true", help="print the result as JSON")
    parser.add_argument(
        "--out", metavar="FOLDER", help="write result.json, bots.csv and games.csv there too"
    )
    parser.add_argument(
        "--pictures", action="store_true", help="draw into --out; needs sorry_env[arena]"
    )


def _add_arena(commands: Any) -> None:
    arena = commands.add_parser(
        "arena",
        help="let bots play a match, with intervals",
        description="Let bots play a match. Every seed is played once in each rotation of the bots "
        "over the seats, so cards and seats favour nobody. Prints wins with 95 % intervals "
        "from the spread between seeds. With --half-width or --elo1 the match stops by itself.",
    )
    arena.add_argument("bots", nargs="+", metavar="BOT", help="random, greedy, learned:FILE.onnx")
    arena.add_argument(
        "--games",
        type=whole(1),
        help=f"how many (default: {GAMES}), or the most before a match that stops by itself "
        f"(default: {MOST_GAMES})",
    )
    arena.add_argument("--reward", default="win", help="shown: win, rank or points (default: win)")
    arena.add_argument(
        "--half-width",
        type=float,
        metavar="W",
        help="play until the first bot's rate is known to +- W (0.01: one per cent), 95 %%; with "
        "--luck, the rate without luck",
    )
    arena.add_argument(
        "--elo1", type=float, metavar="E", help="SPRT: play until the first bot is shown to be so "
        "much better, or no better than --elo0"
    )  # fmt: skip
    arena.add_argument("--elo0", type=float, metavar="E", help="SPRT: the other (default: 0)")
    arena.add_argument("--alpha", type=float, help="SPRT: chance to accept elo1 in error (0.05)")
    arena.add_argument("--beta", type=float, help="SPRT: chance to accept elo0 in error (0.05)")
    _add_common(arena)
    arena.set_defaults(run=_arena)


def _add_league(commands: Any) -> None:
    league = commands.add_parser(
        "league",
        help="let every table of bots play and rate them",
        description="Let every pair of bots play a match, or with --seats 3 or 4 every table of so "
        "many, and print Bradley-Terry or Plackett-Luce ratings in Elo with 95 % intervals.",
    )
    league.add_argument("bots", nargs="+", metavar="BOT", help="two or more, as in `sorry arena`")
    league.add_argument(
        "--games",
        type=whole(1),
        help=f"of each table (default: {GAMES}), or the most before a league that stops by itself "
        f"(default: {MOST_GAMES})",
    )
    league.add_argument(
        "--half-width",
        type=float,
        metavar="E",
        help="play until every bot's Elo is known to +- E, 95 %%",
    )
    league.add_argument(
        "--anchor", default="random", metavar="BOT", help="the bot with 0 Elo (default: random)"
    )
    league.add_argument(
        "--reward", default="win", help="win, or rank: places count in games played out"
    )
    _add_common(league)
    league.set_defaults(run=_league)


def _arena(arguments: argparse.Namespace) -> int:
    from sorry_env.arena import play_match

    _check_out(arguments)
    until = _rule(arguments)
    result = play_match(
        arguments.bots,
        arguments.ruleset,
        arguments.seats,
        games=arguments.games or (GAMES if until is None else MOST_GAMES),
        seed=arguments.seed,
        max_plies=arguments.max_plies,
        reward=arguments.reward,
        first=arguments.first,
        target_score=arguments.target_score,
        until=until,
        luck=arguments.luck,
    )
    return _show(result, arguments)


def _league(arguments: argparse.Namespace) -> int:
    from sorry_env.arena import play_league

    _check_out(arguments)
    result = play_league(
        arguments.bots,
        arguments.ruleset,
        arguments.seats,
        games=arguments.games or (GAMES if arguments.half_width is None else MOST_GAMES),
        seed=arguments.seed,
        half_width=arguments.half_width,
        luck=arguments.luck,
        anchor=arguments.anchor,
        max_plies=arguments.max_plies,
        reward=arguments.reward,
        first=arguments.first,
        target_score=arguments.target_score,
    )
    return _show(result, arguments)


def _rule(arguments: argparse.Namespace) -> Rule | None:
    """When the match should stop by itself, None if it should not."""
    from sorry_env.arena import HalfWidth, Sprt

    given = {name: getattr(arguments, name) for name in ("elo0", "elo1", "alpha", "beta")}
    given = {name: value for name, value in given.items() if value is not None}
    if given and "elo1" not in given:
        raise RequestError(f"--{next(iter(given))} needs --elo1: it is for an SPRT", value=given)
    if given and arguments.half_width is not None:
        raise RequestError("--half-width and an SPRT (--elo1) are two ways to stop: give one",
                           value=arguments.half_width)  # fmt: skip
    if given:
        return Sprt(**given)
    return None if arguments.half_width is None else HalfWidth(arguments.half_width)


def _check_out(arguments: argparse.Namespace) -> None:
    """Complain of --out and --pictures before the games, not after them."""
    if not arguments.pictures:
        return
    if arguments.out is None:
        raise RequestError("--pictures needs --out FOLDER to draw into", value=arguments.out)
    from sorry_env.arena.pictures import matplotlib_figure

    matplotlib_figure()


def _show(result: MatchResult | LeagueResult, arguments: argparse.Namespace) -> int:
    from sorry_env.arena import save

    print(json.dumps(result.to_dict(), indent=2) if arguments.json else result.table())
    if arguments.out is not None:
        for path in save(result, arguments.out, arguments.pictures):
            print(f"wrote {path}", file=sys.stderr)
    return 0
