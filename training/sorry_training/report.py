"""The end of a run on one page: a picture of the learning curve and a report in Markdown.

Read before: ``evaluate.py`` and ``logbook.py``, which write the rows that this file reads.
"""

from __future__ import annotations

import io
from dataclasses import fields
from pathlib import Path
from typing import Any

from sorry_env.errors import ConfigError
from sorry_env.files import write_file
from sorry_training.algorithms import algorithm_of
from sorry_training.config import RULES, SETTINGS, PPOConfig
from sorry_training.figures import read_rows
from sorry_training.logbook import EVALUATIONS, METRICS
from sorry_training.packages import is_installed
from sorry_training.td_config import load_saved

CURVE = "curve.png"
REPORT = "report.md"
Rows = list[dict[str, str]]


def write_report(folder: Path) -> Path:
    """Write ``curve.png`` and ``report.md`` into the folder of a run; returns the report's path.

    Without matplotlib there is no picture, and the report shows none.
    Raises ConfigError where the folder holds no evaluated run.
    """
    metrics = read_rows(folder / METRICS, ("games", "plies_per_game"))
    evaluations = read_rows(
        folder / EVALUATIONS, ("opponent", "games", "rate", "low", "high", "cut")
    )
    if not metrics or not evaluations:
        raise ConfigError(f"{folder} holds no evaluated run: it needs {METRICS} and {EVALUATIONS}",
                          value=str(folder))  # fmt: skip
    config = load_saved(folder / SETTINGS)
    inside = tuple(algorithm_of(config).inside)
    if missing := [name for name in inside if name not in metrics[0]]:
        raise ConfigError(f"{folder / METRICS}: the columns {', '.join(missing)} are missing",
                          value=missing)  # fmt: skip
    drawn = is_installed("matplotlib")
    if drawn:
        write_file(folder / CURVE, draw_curve(metrics, evaluations, config))
    path = folder / REPORT
    write_file(path, report_text(metrics, evaluations, config, folder, drawn))
    return path


def draw_curve(metrics: Rows, evaluations: Rows, config: PPOConfig) -> bytes:
    """Games won and what learning looked like from inside, over the learner's decisions: a PNG."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(11, 4), layout="constrained")
    left, right = figure.subplots(1, 2)
    for name in config.opponents:
        rows = [row for row in evaluations if row["opponent"] == name]
        x, rate, low, high = (
            _column(rows, key) for key in ("decisions", "rate", "low", "high")
        )  # fmt: skip
        (line,) = left.plot(x, rate, marker="o", markersize=3, label=name)
        left.fill_between(x, low, high, alpha=0.2, color=line.get_color())
    _dress(left, "Games won, with 95 % intervals")
    left.set_ylim(0, 1)
    algorithm = algorithm_of(config)
    for name, label in algorithm.inside.items():
        right.plot(_column(metrics, "decisions"), _column(metrics, name), label=label)
    _dress(right, "Learning from inside")
    figure.suptitle(f"{algorithm.title} on {config.ruleset}, {' and '.join(config.seats)}")
    picture = io.BytesIO()
    figure.savefig(picture, format="png", dpi=120)
    return picture.getvalue()


def report_text(
    metrics: Rows, evaluations: Rows, config: PPOConfig, folder: Path, drawn: bool = True
) -> str:
    """The report: result, course and settings of a run, as Markdown.

    drawn: whether there is a picture of the learning curve
    """
    last, algorithm = metrics[-1], algorithm_of(config)
    final = [row for row in evaluations if row["update"] == evaluations[-1]["update"]]
    scores = "\n".join(
        f"| {row['opponent']} | {row['games']} | {float(row['rate']):.1%} | "
        f"{float(row['low']):.1%} to {float(row['high']):.1%} | {row['cut']} |"
        for row in final
    )
    changed = "\n".join(
        f"| {field.name} | {_show(value)} | {_show(field.default)} |"
        for field in fields(config)
        if (value := getattr(config, field.name)) != field.default
    )
    minutes = float(last["seconds"]) / 60
    seated = len(config.seat_sets()[0])
    others = 1 if config.tables.ruleset.teams != "none" else seated - 1
    players = [f"{algorithm.bot}:{algorithm.file}", *["greedy"] * others]
    inside = [f"{label} {float(last[name]):.3f}" for name, label in algorithm.inside.items()]
    picture = f"![learning curve]({CURVE})\n\n" if drawn else ""
    ruleset = config.ruleset
    if config.rules:
        _, question, changes = ruleset.partition("?")
        ruleset = f"{folder / RULES}{question}{changes}"
    return f"""# {algorithm.title} on {config.ruleset}

Seats: {" and ".join(config.seats)}. {int(last["decisions"]):,} decisions of the learner in
{int(last["games"]):,} games and {last["update"]} updates; {minutes:.1f} minutes of training
(evaluations not counted).

| games against | games | won | 95 % interval | cut off |
| --- | --- | --- | --- | --- |
{scores}

{algorithm.plays}; every card sequence is played from every seat.

{picture}At the end: {", ".join(inside)};
{float(last["plies_per_game"]):.0f} decisions a game (forced ones included).

Settings that are not the defaults (all are in `config.yaml`):

| setting | here | default |
| --- | --- | --- |
{changed}

Every update's figures are in `{METRICS}`, every evaluation in `{EVALUATIONS}`; the same for
TensorBoard in `tensorboard/`. To export this bot and try it:

    sorry-train export {folder} --out {algorithm.file}
    sorry arena {" ".join(players)} --ruleset '{ruleset}' --seats {config.seats[0]}
"""


def _column(rows: Rows, name: str) -> list[float]:
    return [float(row[name]) for row in rows]


def _dress(axes: Any, title: str) -> None:
    axes.set_title(title, fontsize=10)
    axes.set_xlabel("decisions of the learner")
    axes.grid(alpha=0.3)
    axes.legend()


def _show(value: object) -> str:
    return "; ".join(value) if isinstance(value, tuple) else str(value)
