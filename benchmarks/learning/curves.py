"""Learning curves: what a policy is worth over the minutes and over the decisions it has had.

Read before: ``table.py``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.figure import Figure
from matplotlib.ticker import LogLocator, NullFormatter

from benchmarks.learning.base import FRONTS
from benchmarks.learning.learners import LEARNERS
from benchmarks.learning.run import SHARES
from benchmarks.learning.table import WORDS, RunFile, group, score_over_seeds
from sorry_env.files import replace_file


def draw(runs: Sequence[RunFile], folder: Path) -> Iterator[Path]:
    """A picture for each front, written to the folder; the paths."""
    folder.mkdir(parents=True, exist_ok=True)
    for front, rows in group(runs):
        path = folder / f"learning-{front}.png"
        with replace_file(path) as file:
            picture(front, rows).savefig(file, dpi=90, format="png")
        yield path


def picture(front: str, rows: Sequence[tuple[str, Sequence[RunFile]]]) -> Figure:
    """Lines of means over seeds with their 95 % intervals, by minutes and by decisions.

    rows: learners and their runs
    """
    name = FRONTS[front].yardsticks[-1]
    figure = Figure(figsize=(10, 4), layout="constrained")
    axes = figure.subplots(1, 2, sharey=True)
    for number, (learner, runs) in enumerate(rows):
        curve = [(str(share), mean) for share in SHARES
                 if (mean := score_over_seeds(runs, str(share), name))]  # fmt: skip
        values = np.array([100 * mean.value for _, mean in curve])
        halves = np.nan_to_num([100 * mean.half for _, mean in curve])
        for axis, key, unit in zip(axes, ("seconds", "decisions"), (60.0, 1000.0), strict=True):
            at = [_mean(runs, mark, key) / unit for mark, _ in curve]
            axis.plot(at, values, marker=".", color=f"C{number}", label=LEARNERS[learner].method)
            axis.fill_between(at, values - halves, values + halves, color=f"C{number}", alpha=0.15)
    axes[0].set(xlabel="minutes of processor time", ylabel=WORDS[name].replace("`", ""))
    axes[0].set_ylim(bottom=0)
    axes[1].set(xlabel="thousand decisions of the learner", xscale="log")
    axes[1].xaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
    axes[1].xaxis.set_major_formatter("{x:g}")
    axes[1].xaxis.set_minor_formatter(NullFormatter())
    axes[0].legend(fontsize="small")
    figure.suptitle(front)
    return figure


def _mean(runs: Sequence[RunFile], mark: str, key: str) -> Any:
    return np.mean([point[key] for run in runs if (point := run.at(mark))])
