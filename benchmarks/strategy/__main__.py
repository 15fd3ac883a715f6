"""The tables of docs/strategy.md.

    python -m benchmarks.strategy games|squares|circles|exchange|examples|match|policy [ADVICE]
        [--ruleset NAME] [--seats SEATS] [--value VALUE] [--games N] [--plies N] [--seed N]

games:    every piece of advice in games of the best known play with itself
squares:  what a pawn is worth on each square of its way, beyond one in Start
circles:  what squares about an opponent's circle are worth
exchange: what steps that opponents lose are worth in own steps
examples: positions with two moves each, and the games played on from them
match:    a bot that always (or never) does what the advice is about, against the bot as it is
policy:   the same exactly, for rulesets as small as duel-1
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Final

from benchmarks.strategy.advice import ADVICE, Advice
from benchmarks.strategy.decisions import Mean, Tested, test_advice
from benchmarks.strategy.examples import EXAMPLES, measure
from benchmarks.strategy.matches import FOLLOW, FORBID, AdvisedBot, obey
from benchmarks.strategy.squares import exchange, own_way, price, round_circles
from benchmarks.strategy.worth import EXACT, ExactWorth, Worth, find_worth
from sorry_env.errors import RequestError
from sorry_env.solve import evaluate

#: Rows of a table; the first is its head.
Rows = Iterator[tuple[str, ...]]


def games(worth: Worth, advice: list[Advice], options: argparse.Namespace) -> Rows:
    """See the top."""
    two = () if worth.name == EXACT else ("two plies",)
    yield ("advice", "a game", "best", "gain", *two, "always", "never")
    named = {piece.name: piece for piece in advice}
    for tested in test_advice(worth, named, options.games, options.seed).values():
        if not len(tested.game):
            continue
        costs = (tested.always.words, tested.never.words)
        yield (tested.advice.name, *_about(tested, bool(two)), *costs)
        for number, case in enumerate(tested.advice.cases):
            some = tested.case == number
            part = replace(
                tested, game=tested.game[some], best_x=tested.best_x[some],
                best_y=tested.best_y[some], case=tested.case[some], deep=tested.deep[some],
            )  # fmt: skip
            if len(part.game):
                costs = (part.always.words, part.never.words)
                yield (f"- {case}", *_about(part, bool(two)), *costs)


def _about(tested: Tested, deep: bool) -> tuple[str, ...]:
    best = tested.best
    return (
        f"{len(tested.game) / tested.games:.2f}",
        f"{100 * best.mean:.0f} ± {100 * best.half:.0f} %",
        tested.mean(tested.gain).words,
        *((tested.mean(tested.deep).words,) if deep else ()),
    )


def squares(worth: Worth, advice: list[Advice], options: argparse.Namespace) -> Rows:
    """See the top."""
    del advice
    yield ("steps from Start", "beyond a pawn in Start")
    for code, mean in own_way(price(worth, options.games, options.seed)):
        if mean.mean == mean.mean:  # a pawn can stand there
            yield (str(code), mean.words)


def circles(worth: Worth, advice: list[Advice], options: argparse.Namespace) -> Rows:
    """See the top."""
    del advice
    yield ("beyond the circle", "pawns in that Start", "none")
    for distance, *means in round_circles(price(worth, options.games, options.seed)):
        if means[0].mean == means[0].mean:
            yield (f"{distance:+d}", *(mean.words for mean in means))


def exchanges(worth: Worth, advice: list[Advice], options: argparse.Namespace) -> Rows:
    """See the top."""
    del advice
    own, rates = exchange(worth, options.games, options.seed)
    yield ("a step", "worth")
    yield ("of one's own", f"{100 * own.mean:.3f} ± {100 * own.half:.3f} % of a win")
    for name, rate in rates:
        yield (f"of {name}", f"{rate.mean:.2f} ± {rate.half:.2f} own steps")


def examples(worth: Worth, advice: list[Advice], options: argparse.Namespace) -> Rows:
    """See the top."""
    exact = worth.name == EXACT
    more = () if exact else ("two plies", "played on")
    yield ("advice", "position", "X", "Y", "X wins", "Y wins", "X less Y", *more)
    names = {piece.name for piece in advice}
    for example in EXAMPLES:
        ruleset, pawns = example.position.split(" ")[:2]
        seats = sum(colour != "-" for colour in pawns.split("/"))
        if ruleset != options.ruleset or seats != len(worth.seats) or example.advice not in names:
            continue
        count = 0 if exact else options.games
        found = measure(worth, example, count, options.seed, options.plies)
        played = found.played.words if found.played else "-"
        yield (
            example.advice, f"`{example.position}`", f"`{example.one}`", f"`{example.other}`",
            f"{100 * found.one:.2f}", f"{100 * found.other:.2f}",
            f"{100 * (found.one - found.other):+.2f}",
            *(() if exact else (f"{100 * found.deep:+.2f}", played)),
        )  # fmt: skip


def match(worth: Worth, advice: list[Advice], options: argparse.Namespace) -> Rows:
    """See the top."""
    yield ("advice", "always: wins", "by values", "never: wins", "by values")
    for piece in advice:
        cells: list[Mean] = []
        for how in (FOLLOW, FORBID):
            cells.extend(obey(worth, piece, how, options.games, options.seed))
        if any(cell.mean for cell in cells[1::2]):  # otherwise it never made a difference
            yield (piece.name, *(cell.words for cell in cells))


def policies(worth: Worth, advice: list[Advice], options: argparse.Namespace) -> Rows:
    """See the top."""
    del options
    if not isinstance(worth, ExactWorth):
        raise RequestError(f"--value {worth.name} must be exact for this table", value=worth.name)
    yield ("advice", "always", "never")
    free = evaluate(worth.solution, AdvisedBot(worth))
    for piece in advice:
        lost = [
            evaluate(worth.solution, AdvisedBot(worth, piece, how), graph=free.graph).lost
            for how in (FOLLOW, FORBID)
        ]
        if max(lost) > worth.equal:  # otherwise it never makes a difference
            yield (piece.name, *(f"{-100 * loss:+.4f}" for loss in lost))


#: By name: the table, and games unless told otherwise.
TABLES: Final[dict[str, tuple[Callable[[Worth, list[Advice], argparse.Namespace], Rows], int]]] = {
    "games": (games, 4000),
    "squares": (squares, 4000),
    "circles": (circles, 4000),
    "exchange": (exchanges, 4000),
    "examples": (examples, 4000),
    "match": (match, 4000),
    "policy": (policies, 1),
}


def main(arguments: list[str] | None = None) -> None:
    """Print one table."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.strategy", description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )  # fmt: skip
    parser.add_argument("table", choices=TABLES)
    parser.add_argument("advice", nargs="?", choices=ADVICE, help="one piece only")
    parser.add_argument("--ruleset", default="classic")
    parser.add_argument("--seats", default="2", help="how many, or colours (default: 2)")
    parser.add_argument(
        "--value", help="a value file, best:NAME for a shipped one, or exact (default: exact in "
        "duels, else best:classic-SEATS)"
    )  # fmt: skip
    parser.add_argument("--games", type=int, help="(default: 4000)")
    parser.add_argument(
        "--plies", type=int, help="examples: decisions that are played on before the value counts "
        "(default: to the end)"
    )  # fmt: skip
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(arguments)
    table, usual = TABLES[options.table]
    options.games = usual if options.games is None else options.games
    seats = int(options.seats) if options.seats.isdigit() else options.seats
    count = seats if isinstance(seats, int) else len(seats.split(","))
    exact = options.ruleset.startswith("duel-")
    value = options.value or (EXACT if exact else f"best:classic-{count}")
    worth = find_worth(value, options.ruleset, seats)
    named = [ADVICE[options.advice]] if options.advice else list(ADVICE.values())
    advice = [piece for piece in named if piece.seats <= count]
    for number, row in enumerate(table(worth, advice, options)):
        print("|", " | ".join(row), "|", flush=True)
        if number == 0:
            print("|", " | ".join("---" for _ in row), "|")


if __name__ == "__main__":
    main()
