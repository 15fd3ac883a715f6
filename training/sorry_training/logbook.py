"""What a run writes down: rows of figures as CSV and for TensorBoard, and lines for people.

Read before: ``ppo.py``.  Read next: ``report.py``.

``metrics.csv`` has a row for each update, ``evaluations.csv`` one for each bot in each evaluation.
In both the columns that depend on the clock come last; all others are the same whenever and however
often a run was interrupted.
"""

from __future__ import annotations

import csv
import io
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from torch.utils.tensorboard import SummaryWriter
from tqdm import tqdm

from sorry_training.evaluate import Score
from sorry_training.figures import read_rows

METRICS = "metrics.csv"
EVALUATIONS = "evaluations.csv"
#: Columns that depend on the clock.
CLOCK = ("seconds", "decisions_per_second")


class Logbook:
    """The open files of a run; use it in a ``with`` statement.

    folder: the run's folder
    update: the update a run goes on from: rows after it belong to work that was lost, and go
    """

    def __init__(self, folder: Path, update: int, quiet: bool = False) -> None:
        self.folder = folder
        self.quiet = quiet
        for name in (METRICS, EVALUATIONS):
            _forget_after(folder / name, update)
        # Rows of a lost update are overwritten by those of the same number.
        self._board = SummaryWriter(str(folder / "tensorboard"), purge_step=update + 1)
        self._last = _last_clock(folder / METRICS)

    def update(self, row: dict[str, float], seconds: float) -> None:
        """Write the figures of one update down."""
        decisions = row["decisions"] - self._last[0]
        rate = decisions / max(seconds - self._last[1], 1e-9)
        self._last = (row["decisions"], seconds)
        clock = {"seconds": round(seconds, 3), "decisions_per_second": round(rate)}
        _append(self.folder / METRICS, {**row, **clock})
        for name, value in {**row, **clock}.items():
            if name != "update":
                self._board.add_scalar(f"train/{name}", value, int(row["update"]))

    def evaluation(
        self, update: int, decisions: int, seconds: float, scores: list[Score], bar: Any = None
    ) -> None:
        """Write the scores of one evaluation down and tell people."""
        for score in scores:
            low, high = score.interval
            _append(self.folder / EVALUATIONS, {
                "update": update, "decisions": decisions, "opponent": score.opponent,
                "games": score.games, "wins": score.wins, "cut": score.cut, "rate": score.rate,
                "low": low, "high": high, "seconds": round(seconds, 3),
            })  # fmt: skip
            self._board.add_scalar(f"wins/{score.opponent}", score.rate, update)
        self._board.flush()
        if not self.quiet:
            texts = "; ".join(score.text() for score in scores)
            tqdm.write(f"update {update}, {decisions:,} decisions: {texts}")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._board.close()


def _append(path: Path, row: dict[str, Any]) -> None:
    """Add a row, with a header to an empty file, in one write."""
    buffer = io.StringIO()
    writer = csv.DictWriter(buffer, list(row), lineterminator="\n")
    if not path.exists() or path.stat().st_size == 0:
        writer.writeheader()
    writer.writerow(row)
    with path.open("a", encoding="utf-8", newline="") as file:
        file.write(buffer.getvalue())


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
    temporary = path.with_name(path.name + ".new")
    temporary.write_text(buffer.getvalue(), encoding="utf-8")
    temporary.replace(path)


def _last_clock(path: Path) -> tuple[float, float]:
    """Decisions and seconds of the last row."""
    rows = read_rows(path)
    return (float(rows[-1]["decisions"]), float(rows[-1]["seconds"])) if rows else (0.0, 0.0)
