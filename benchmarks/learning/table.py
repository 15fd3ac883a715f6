"""The results of the learning benchmark as tables in Markdown, and as curves.

    python -m benchmarks.learning.table [--runs runs/learning] [--curves FOLDER]

A figure is the mean over seeds with half of its 95 % interval by Student's t, so that few seeds say
how little they say.  Read before: ``run.py``, which writes the files.  Read next: ``curves.py``.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
from scipy import stats

from benchmarks.learning.base import FRONTS
from benchmarks.learning.learners import LEARNERS
from benchmarks.learning.run import OUT
from sorry_env.errors import RequestError

#: What is tabulated: a column's words, how a figure is shown, and whether as a share of 100.
WORDS: Final = {
    "random": "won against `random`, %",
    "greedy": "won against `greedy`, %",
    "optimum": "lost to the optimum, % of a win",
    "exploitability": "exploitability, % of a win",
}
END: Final = "1.0"
MARK: Final = "decisions"


@dataclass(frozen=True)
class RunFile:
    """What a file of `run.py` holds: what was run, and its points as they were written."""

    front: str
    learner: str
    seed: int
    budget: dict[str, Any]
    points: tuple[dict[str, Any], ...]

    def at(self, mark: str) -> dict[str, Any] | None:
        """The point with a mark, or None."""
        return next((point for point in self.points if point["mark"] == mark), None)


class Mean(NamedTuple):
    """The mean of seeds, half of its 95 % interval (NaN for a single one), and how many."""

    value: float
    half: float
    seeds: int


def mean_over_seeds(values: Sequence[float]) -> Mean:
    """The mean, with Student's t for the interval: nothing is assumed to be known of the spread."""
    count = len(values)
    half = float("nan")
    if count > 1:
        t = float(stats.t.ppf(0.975, count - 1))
        half = t * float(np.std(values, ddof=1)) / count**0.5
    return Mean(float(np.mean(values)), half, count)


def read_runs(folder: Path) -> list[RunFile]:
    """All finished runs in a folder; RequestError where there is none or one is no run."""
    runs = []
    for path in sorted(folder.glob("*.jsonl")):
        try:
            head, *points = (json.loads(row) for row in path.read_text("utf-8").splitlines())
            runs.append(RunFile(head["front"], head["learner"], head["seed"], head["budget"],
                                tuple(points)))  # fmt: skip
        except (ValueError, KeyError, TypeError) as error:
            raise RequestError(f"{path} is no file of a run: {error!r}", value=str(path)) from error
    if not runs:
        raise RequestError(f"{folder} holds no finished run (*.jsonl); make some by "
                           "python -m benchmarks.learning.run", value=str(folder))  # fmt: skip
    return runs


def group(runs: Sequence[RunFile]) -> Iterator[tuple[str, list[tuple[str, list[RunFile]]]]]:
    """Fronts in their order, each with its learners in theirs and their runs."""
    for front in FRONTS:
        rows = [(name, [run for run in runs if (run.front, run.learner) == (front, name)])
                for name in LEARNERS]  # fmt: skip
        if any(found for _, found in rows):
            yield front, [(name, found) for name, found in rows if found]


def score_over_seeds(runs: Sequence[RunFile], mark: str, name: str) -> Mean | None:
    """A score at a mark over the seeds that came so far; None where none did or none was measured.

    runs: of one learner on one front
    """
    points = [point for run in runs if (point := run.at(mark))]
    values = [point["scores"][name]["value"] for point in points if name in point["scores"]]
    return mean_over_seeds(values) if values else None


def tables(runs: Sequence[RunFile]) -> Iterator[str]:
    """A table in Markdown for each front."""
    for front, rows in group(runs):
        budgets = {(run.budget["minutes"], run.budget["decisions"])
                   for _, found in rows for run in found}  # fmt: skip
        if len(budgets) > 1:
            raise RequestError(f"{front}: runs with different budgets {sorted(budgets)} are in one "
                               "folder", value=sorted(budgets))  # fmt: skip
        minutes, decisions = budgets.pop()
        names = [name for name in WORDS
                 if any(score_over_seeds(found, END, name) for _, found in rows)]  # fmt: skip
        head = [f"`{front}`", "seeds"]
        head += [f"{WORDS[name]}, at {decisions:,} decisions" for name in names
                 if any(score_over_seeds(found, MARK, name) for _, found in rows)]  # fmt: skip
        head += [f"{WORDS[name]}, at {minutes:g} minutes" for name in names]
        head += [f"thousand decisions in {minutes:g} minutes"]
        lines = [head, ["---"] * len(head)]
        lines += [_row(learner, found, names, len(head)) for learner, found in rows]
        yield "\n".join("| " + " | ".join(line) + " |" for line in lines)


def _row(learner: str, runs: Sequence[RunFile], names: Sequence[str], columns: int) -> list[str]:
    marked = columns - 3 - len(names)  # how many of them are measured at the mark too
    cells = [LEARNERS[learner].method, str(len(runs))]
    cells += [shown(score_over_seeds(runs, MARK, name), len(runs)) for name in names[:marked]]
    cells += [shown(score_over_seeds(runs, END, name), len(runs)) for name in names]
    ends = [run.points[-1]["decisions"] for run in runs]
    return [*cells, f"{np.mean(ends) / 1000:,.0f}"]


def shown(mean: Mean | None, runs: int) -> str:
    """A mean in percent with half of its interval, and the number of seeds if not all."""
    if mean is None:
        return "not reached"
    half = "" if np.isnan(mean.half) else f" ± {100 * mean.half:.2f}"
    some = "" if mean.seeds == runs else f" ({mean.seeds} of {runs} seeds)"
    return f"{100 * mean.value:.2f}{half}{some}"


def main(arguments: Sequence[str] | None = None) -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--runs", type=Path, default=OUT)
    parser.add_argument("--curves", type=Path, help="a folder for a picture of each front")
    args = parser.parse_args(arguments)
    try:
        runs = read_runs(args.runs)
        print("\n\n".join(tables(runs)))
        if args.curves:
            from benchmarks.learning.curves import draw

            for path in draw(runs, args.curves):
                print(f"\n{path}")
    except RequestError as error:
        parser.exit(2, f"{parser.prog}: {error}\n")


if __name__ == "__main__":
    main()
