"""The learning benchmark: the same budget for every learner, on every front, with several seeds.

    python -m benchmarks.learning.run [--fronts duel-2,classic,points] [--learners ppo,td,...]
        [--seeds 1,2,3] [--minutes 1.5] [--decisions 100000] [--out runs/learning]

There are two budgets.  `--minutes` is processor time: a run ends when it is spent, and is measured
at some shares of it.  `--decisions` is a mark on the way: a run is measured when it passes it as
well.  Measuring is charged to neither.  Each run writes a file of JSON lines when it is over, and
one whose file is there is not run again: an interrupted benchmark goes on by the same command.
Read before: ``base.py``, ``measure.py``.  Read next: ``table.py``.
"""

from __future__ import annotations

import argparse
import itertools
import json
import time
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks.learning.base import FRONTS, Front, Learner, Meter, Step
from benchmarks.learning.learners import LEARNERS
from benchmarks.learning.measure import Score, measure
from benchmarks.table import installed
from sorry_env.errors import RequestError, SorryError
from sorry_env.files import append_file, write_file
from sorry_env.speed import machine, versions

#: Shares of the minutes at which runs are measured.
SHARES = (0.125, 0.25, 0.5, 0.75, 1.0)
OUT = Path("runs/learning")
#: Packages whose versions a run notes down, where they are installed.
PACKAGES = ("numba", "numpy", "torch", "gymnasium", "sb3-contrib", "tianshou")


class Budget(NamedTuple):
    """What a run may spend, and how it is measured.

    minutes:   of processor time; the run ends with them
    decisions: of the learner's own; the run is measured when it passes them
    games:     of each measurement on the way
    final:     of the one at the end, and of the one at ``decisions``
    exact:     whether large rulesets are evaluated exactly at the end
    """

    minutes: float
    decisions: int
    games: int
    final: int
    exact: bool = False


class Point(NamedTuple):
    """A measurement.

    mark:    the share of the minutes that is spent (a number), or ``decisions``
    seconds: of processor time spent on learning
    """

    mark: str
    decisions: int
    seconds: float
    scores: dict[str, Score]


def learn(learner: Learner, front: Front, seed: int, budget: Budget) -> Iterator[Point]:
    """One run; points as they come, the last of which is the end's."""
    meter = Meter(60 * budget.minutes)
    steps = learner.train(front, seed, meter)
    next(steps)
    shares = list(SHARES)
    passed = False
    while meter.progress < 1.0:
        with meter.running():
            step = next(steps)
        if not passed and step.decisions >= budget.decisions:
            passed = True
            yield _point("decisions", front, step, meter, budget.final)
        due = [share for share in shares if meter.progress >= share]
        if due:
            shares = shares[len(due) :]
            last = due[-1] == 1.0
            games = budget.final if last else budget.games
            yield _point(str(due[-1]), front, step, meter, games, exact=last and budget.exact)


def _point(
    mark: str, front: Front, step: Step, meter: Meter, games: int, exact: bool = False
) -> Point:
    scores = measure(front, step.bot, games, exact)
    return Point(mark, step.decisions, meter.seconds, scores)


@cache
def warm_up(learner: Learner, front: Front) -> None:
    """Compile, or load, what runs need, before the clock starts; once in a process."""
    for _ in itertools.islice(learner.train(front, 0, Meter(60.0)), 2):
        pass


def path_of(out: Path, front: str, learner: str, seed: int) -> Path:
    """The file of a run."""
    return out / f"{front}-{learner}-{seed}.jsonl"


def write_run(
    path: Path, learner: Learner, front: Front, seed: int, budget: Budget
) -> Iterator[Point]:
    """Make a run and write its file, which is there when the run is over and not before."""
    head = {
        "front": front.name, "learner": learner.name, "seed": seed, "budget": budget._asdict(),
        "machine": machine(), "versions": versions(*installed(PACKAGES)),
    }  # fmt: skip
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_suffix(".part")
    write_file(part, json.dumps(head) + "\n")
    for point in learn(learner, front, seed, budget):
        append_file(part, json.dumps(as_json(point)) + "\n")
        yield point
    part.replace(path)


def as_json(point: Point) -> dict[str, Any]:
    """A point as a line of the file."""
    scores = {name: score._asdict() for name, score in point.scores.items()}
    return point._asdict() | {"seconds": round(point.seconds, 3), "scores": scores}


def finished(path: Path, budget: Budget) -> bool:
    """Whether a run's file is there; RequestError where it was made with another budget."""
    if not path.exists():
        return False
    with path.open(encoding="utf-8") as file:
        found = json.loads(file.readline())["budget"]
    if found != budget._asdict():
        raise RequestError(f"{path} was made with the budget {found}, not {budget._asdict()}: give "
                           "another --out, or remove it", value=found)  # fmt: skip
    return True


def main(arguments: Sequence[str] | None = None) -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--fronts", type=_names(FRONTS), default="duel-2,classic,points")
    parser.add_argument("--learners", type=_names(LEARNERS), default=",".join(LEARNERS))
    parser.add_argument("--seeds", type=_whole_numbers, default="1,2,3")
    parser.add_argument("--minutes", type=float, default=1.5, help="of processor time, each run")
    parser.add_argument("--decisions", type=int, default=100_000, help="the mark on the way")
    parser.add_argument("--games", type=int, default=500, help="of measurements on the way")
    parser.add_argument("--final-games", type=int, default=2000, help="of the tabulated ones")
    parser.add_argument(
        "--exact", action="store_true", help="exploitability on duel-2 too: long, see the page"
    )
    parser.add_argument("--out", type=Path, default=OUT)
    args = parser.parse_args(arguments)
    if not args.minutes > 0:
        parser.error(f"--minutes {args.minutes} must be more than 0")
    budget = Budget(args.minutes, args.decisions, args.games, args.final_games, args.exact)
    try:
        runs = itertools.product(args.seeds, args.fronts, args.learners)
        for seed, front, learner in runs:  # all with one seed first: each tells something by then
            _one(path_of(args.out, front, learner, seed), learner, front, seed, budget)
    except SorryError as error:
        parser.exit(2, f"{parser.prog}: {error}\n")


def _one(path: Path, learner: str, front: str, seed: int, budget: Budget) -> None:
    """One run, told as it goes; nothing where it has been made."""
    if finished(path, budget):
        print(f"{path}: there", flush=True)
        return
    warm_up(LEARNERS[learner], FRONTS[front])
    begun = time.perf_counter()
    for point in write_run(path, LEARNERS[learner], FRONTS[front], seed, budget):
        scores = ", ".join(f"{name} {score.value:.4f}" for name, score in point.scores.items())
        print(f"{front} {learner} {seed}: at {point.mark}, {point.decisions:,} decisions, "
              f"{point.seconds:.1f} s: {scores} ({time.perf_counter() - begun:.0f} s in all)",
              flush=True)  # fmt: skip


def _names(known: dict[str, Any]) -> Any:
    def read(text: str) -> list[str]:
        names = text.split(",")
        for name in names:
            if name not in known:
                raise argparse.ArgumentTypeError(f"{name!r} must be of {', '.join(known)}")
        return names

    return read


def _whole_numbers(text: str) -> list[int]:
    try:
        return [int(word) for word in text.split(",")]
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} must be whole numbers with commas") from None


if __name__ == "__main__":
    main()
