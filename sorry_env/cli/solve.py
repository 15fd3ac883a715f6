"""The command `solve`: exact solutions of small rulesets, and exact evaluation of bots."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from sorry_env.cli import options
from sorry_env.cli.options import add_quiet
from sorry_env.cli.running import attempts, check_outputs
from sorry_env.cli.terminal import is_terminal, say
from sorry_env.errors import RequestError
from sorry_env.files import check_folder
from sorry_env.json_text import write_json
from sorry_env.parsing import Number

if TYPE_CHECKING:
    from sorry_env.express.solution import ExpressSolution
    from sorry_env.solve import Evaluation, Solution
    from sorry_env.solve.evaluation import Losses
    from sorry_env.solve.graph import Graph, Progress
    from sorry_env.solve.space import Space

#: Seconds between two words on how far the work has come, to a person and to a log.
PATIENCE: Final = 1.0
LOG_PATIENCE: Final = 60.0


def add_commands(commands: Any) -> None:
    """Add this module's command to the parser."""
    solve = commands.add_parser(
        "solve",
        help="solve a small ruleset exactly, or evaluate a bot against its solution",
        description="Find the exact value of every position of a ruleset whose draws are "
        "independent and whose pawns are few, and print that of the first one before its draw: the "
        "chance that the seat to move wins, or, for one seat alone, the expected number of draws "
        "to bring all pawns home. Larger solutions are kept in the user's cache folder, where the "
        "bot `optimal` finds them. How far it has come is told on standard error.",
    )
    solve.add_argument(
        "ruleset", metavar="RULESET", help="such as duel-1, duel-2, solo?pawns=2, or a YAML file"
    )
    solve.add_argument(
        "--seats",
        metavar="COLOURS",
        help="seated colours joined by commas, or how many (default: the ruleset's usual)",
    )
    solve.add_argument(
        "--evaluate",
        metavar="BOT",
        help="evaluate a bot exactly: against the optimum, against its best response, its regret "
        "by card and by position",
    )
    solve.add_argument("--threads", type=options.THREADS, default=1, help="threads (default: 1)")
    solve.add_argument(
        "--memory", type=Number(0.0, 1e6, above=True), default=6.0, metavar="GIB",
        help="that it may take (default: 6)",
    )  # fmt: skip
    solve.add_argument("--out", metavar="FILE", help="write the solution to this .npz file too")
    solve.add_argument("--fresh", action="store_true", help="solve anew even if a solution is kept")
    add_quiet(solve)
    solve.add_argument("--json", action="store_true", help="print one JSON object")
    solve.set_defaults(run=_solve)


def _solve(arguments: argparse.Namespace) -> int:
    from sorry_env.bots.registry import make_bot
    from sorry_env.families import EXPRESS, family_of
    from sorry_env.rules import COLOURS
    from sorry_env.solve import evaluate, save_solution
    from sorry_env.solve.evaluation import PLAYS_AT_ONCE
    from sorry_env.solve.graph import check_size
    from sorry_env.solve.space import open_space

    if family_of(arguments.ruleset) is EXPRESS:
        return _solve_express(arguments)
    check_outputs(out=arguments.out)
    space = open_space(arguments.ruleset, arguments.seats)
    bot = make_bot(arguments.evaluate) if arguments.evaluate else None
    check_size(space, arguments.memory, weighed=PLAYS_AT_ONCE if bot else 0)
    # What cannot play is told before the work, not after it; `optimal` can play after it.
    if bot is not None and bot.name != "optimal":
        bot.check(space.tables, space.seats)
    tell = _Teller(arguments.quiet)
    found, graph = _find(arguments, space, tell)
    with attempts() as attempt:
        if arguments.out:
            with attempt():
                save_solution(found, arguments.out)
        result = None
        if bot is not None:
            with attempt():
                result = evaluate(
                    found,
                    bot,
                    graph=graph,
                    threads=arguments.threads,
                    memory=arguments.memory,
                    progress=tell,
                )
        tell.end()
        if arguments.json:
            seats = [COLOURS[seat] for seat in space.seats]
            print(write_json(_as_json(found, seats, result)))
        else:
            solo = space.solo
            _print_solution(found, "a draw", "expected draws" if solo else "the seat to move wins")
            if result is not None:
                _print_evaluation(result)
    return 0


def _find(
    arguments: argparse.Namespace, space: Space, progress: Progress
) -> tuple[Solution, Graph | None]:
    """The solution that is kept, or a new one, which is kept where it took long, and its graph."""
    from sorry_env.solve import files
    from sorry_env.solve.graph import build_graph
    from sorry_env.solve.solution import solve_graph

    threads = arguments.threads
    large = space.places > files.SOLVED_AT_ONCE
    kept = files.usual_file(space) if large else None
    if large:
        _tell_if_not_kept(kept, arguments)
    if kept is not None and kept.exists() and not arguments.fresh:
        progress(f"solution read from {kept}")
        return files.load_solution(kept, space.tables.ruleset, space.seats), None
    started = time.perf_counter()
    graph = build_graph(space, threads=threads, memory=arguments.memory, progress=progress)
    found = solve_graph(graph, threads=threads, progress=progress, started=started)
    if kept is not None:
        try:
            files.save_solution(found, kept)
            progress(f"solution kept in {kept}")
        except RequestError as error:  # keeping it only saves time
            say(f"sorry: the solution is not kept: {error.message}")
    return found, graph


def _tell_if_not_kept(kept: Path | None, arguments: argparse.Namespace) -> None:
    """Tell, before the work, that a solution that takes long cannot be kept."""
    reason = "there is no home directory"
    if kept is not None:
        try:
            check_folder(kept.parent)
            return
        except OSError as error:
            reason = f"{kept.parent}: {error.strerror or error}"
    way = "" if arguments.out else "; --out FILE writes it to a file"
    say(f"sorry: the solution will not be kept: {reason}{way}")


def _solve_express(arguments: argparse.Namespace) -> int:
    """The dice game: solved in seconds on one thread, so nothing is kept."""
    from sorry_env.express.bots import make_bot
    from sorry_env.express.evaluation import evaluate
    from sorry_env.express.solution import solve

    if arguments.out:
        raise RequestError(
            "--out: the dice game is solved in seconds whenever it is needed; nothing is written",
            value=arguments.out,
        )
    bot = make_bot(arguments.evaluate) if arguments.evaluate else None
    tell = _Teller(arguments.quiet)
    found = solve(arguments.ruleset, arguments.seats, progress=tell)
    result = None if bot is None else evaluate(found, bot, progress=tell)
    tell.end()
    if arguments.json:
        print(write_json(_as_json(found, ("0", "1"), result)))
        return 0
    _print_solution(found, "a roll", "the seat to move wins")
    if result is not None:
        print(f"{result.name}:")
        _print_losses(result)
    return 0


def _as_json(
    found: Solution | ExpressSolution, seats: Sequence[str], result: Losses | None
) -> dict[str, Any]:
    about: dict[str, Any] = {
        "ruleset": found.space.tables.ruleset.name,
        "seats": list(seats),
        "states": found.states,
        "value": found.value(),
        "residual": found.residual,
        "seconds": round(found.seconds, 3),
    }
    return about if result is None else about | {"evaluation": result.to_dict()}


class _Teller:
    """Progress on standard error: one line, written over where that is a terminal.

    A log gets a line a minute.
    """

    def __init__(self, quiet: bool) -> None:
        self._started = self._told = time.monotonic()
        self._width = 0
        self._over = is_terminal(sys.stderr)
        self._quiet = quiet

    def __call__(self, words: str) -> None:
        now = time.monotonic()
        if self._quiet or now - self._told < (PATIENCE if self._over else LOG_PATIENCE):
            return
        self._told = now
        line = f"{now - self._started:6.0f} s  {words}"
        if self._over:
            with suppress(OSError):  # the work goes on though nobody can be told of it
                print(line.ljust(self._width), end="\r", file=sys.stderr, flush=True)
        else:
            say(line)
        self._width = len(line)

    def end(self) -> None:
        """Leave the line that is written over."""
        if self._over and self._width:
            say("")


def _print_solution(found: Solution | ExpressSolution, chance: str, value: str) -> None:
    """The size and the value of a solution.

    chance: what its positions wait for; value: what the value is
    """
    print(f"{found.space.words}: {found.states:,} positions before {chance}")
    print(f"{value}: {found.value():.8f}")
    print(f"residual {found.residual:.1e}, found in {found.seconds:.1f} s")


def _print_evaluation(result: Evaluation) -> None:
    print(f"{result.name}:")
    if result.graph.space.solo:
        print(f"  expected draws     {result.against_optimum[0]:.6f}")
        print(f"  more than optimal  {result.lost:.6f}")
    else:
        _print_losses(result)
    print(f"  a game of its own: {result.draws:.3f} draws, regret {result.regret_of_game:.6f}")
    for card, loss in result.regret_by_card.items():
        print(f"  {card:>5}  {loss:.6f}")
    print("  positions that add most to it (visits a game, regret a visit):")
    for row in result.worst():
        print(f"  {row['visits']:.6f}  {row['regret']:.6f}  {row['position']}")


def _print_losses(result: Losses) -> None:
    """What a bot gets from the optimum and from its best response, of either game."""
    for what, (begins, follows), lost in (
        ("the optimum", result.against_optimum, result.lost),
        ("its best response", result.against_best, result.exploitability),
    ):
        print(
            f"  against {what:<17}  wins {begins:.6f} beginning, {follows:.6f} not; "
            f"loses {lost:.6f} of a win"
        )
