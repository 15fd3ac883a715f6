"""What a run writes down: rows of figures as CSV and for TensorBoard, and lines for people.

Each write is whole or not at all, so a full disk leaves no half rows.

Read before: ``ppo.py``.  Read next: ``report.py``.

``metrics.csv`` has a row for each update, ``evaluations.csv`` one for each bot in each evaluation.
In both the columns that depend on the clock come last; all others are the same whenever and however
often a run was interrupted.
"""

from __future__ import annotations

import csv
import io
from pathlib import Path
from typing import Any

from sorry_env.files import append_file, write_file
from sorry_training.evaluate import Score
from sorry_training.events import EventFile
from sorry_training.figures import read_rows
from sorry_training.packages import is_installed
from sorry_training.progress import Progress

METRICS = "metrics.csv"
EVALUATIONS = "evaluations.csv"
#: Columns that depend on the clock.
CLOCK = ("seconds", "decisions_per_second")


class Logbook:
    """The tables of a run.

    folder:   the run's folder
    update:   the update a run goes on from: rows after it belong to work that was lost, and go
    progress: where evaluations are told
    Without the package tensorboard there is nothing for TensorBoard.
    """

    def __init__(self, folder: Path, update: int, progress: Progress) -> None:
        self.folder = folder
        self.progress = progress
        for name in (METRICS, EVALUATIONS):
            _forget_after(folder / name, update)
        installed = is_installed("tensorboard")
        self._events = EventFile(folder / "tensorboard", update + 1) if installed else None
        self._last = _last_clock(folder / METRICS)

    def update(self, row: dict[str, float], seconds: float) -> None:
        """Write the figures of one update down."""
        decisions = row["decisions"] - self._last[0]
        rate = decisions / max(seconds - self._last[1], 1e-9)
        self._last = (row["decisions"], seconds)
        clock = {"seconds": round(seconds, 3), "decisions_per_second": round(rate)}
        _append(self.folder / METRICS, {**row, **clock})
        if self._events is not None:
            figures = {name: value for name, value in {**row, **clock}.items() if name != "update"}
            self._events.add(int(row["update"]), {f"train/{n}": v for n, v in figures.items()})

    def evaluation(self, update: int, decisions: int, seconds: float, scores: list[Score]) -> None:
        """Write the scores of one evaluation down and tell people."""
        for score in scores:
            low, high = score.interval
            _append(self.folder / EVALUATIONS, {
                "update": update, "decisions": decisions, "opponent": score.opponent,
                "games": score.games, "wins": score.wins, "cut": score.cut, "rate": score.rate,
                "low": low, "high": high, "seconds": round(seconds, 3),
            })  # fmt: skip
        if self._events is not None:
            self._events.add(update, {f"wins/{score.opponent}": score.rate for score in scores})
        texts = "; ".join(score.text() for score in scores)
        self.progress.tell(f"update {update}, {decisions:,} decisions: {texts}")


def _append(path: Path, row: dict[str, Any]) -> None:
    """Add a row, with a header to an empty file, in one write."""
    buffer = io.StringIO()
    writer = csv.DictWriter(buffer, list(row), lineterminator="\n")
    if not path.exists() or path.stat().st_size == 0:
        writer.writeheader()
    writer.writerow(row)
    append_file(path, buffer.getvalue())


def _forget_after(path: Path, update: int) -> None:
    """Take the rows of later updates than ``update`` out of a file, and half a last line."""
    if not path.exists():
        return
    buffer = io.StringIO()
    kept = [row for row in read_rows(path) if int(row["update"]) <= update]
    if kept:
        writer = csv.DictWriter(buffer, list(kept[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(kept)
    write_file(path, buffer.getvalue())


def _last_clock(path: Path) -> tuple[float, float]:
    """Decisions and seconds of the last row."""
    rows = read_rows(path)
    return (float(rows[-1]["decisions"]), float(rows[-1]["seconds"])) if rows else (0.0, 0.0)
