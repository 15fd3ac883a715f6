"""Tables and curves of the learning benchmark, from files written by hand."""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pytest

from benchmarks.learning import curves, table
from benchmarks.learning.table import mean_over_seeds, read_runs, tables
from sorry_env.errors import RequestError


def write(
    folder: Path,
    front: str,
    learner: str,
    seed: int,
    points: list[tuple[str, int, float, dict[str, float]]],
    minutes: float = 2.0,
) -> Path:
    """A file of a run with points of mark, decisions, seconds and scores."""
    head = {"front": front, "learner": learner, "seed": seed,
            "budget": {"minutes": minutes, "decisions": 50_000}}  # fmt: skip
    rows = [
        {"mark": mark, "decisions": decisions, "seconds": seconds,
         "scores": {k: {"value": v, "low": v, "high": v} for k, v in scores.items()}}
        for mark, decisions, seconds, scores in points
    ]  # fmt: skip
    path = folder / f"{front}-{learner}-{seed}.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in [head, *rows]), encoding="utf-8")
    return path


def test_intervals_are_student_s() -> None:
    # The standard deviation is 0.1, Student's t for two degrees of freedom 4.302653.
    mean = mean_over_seeds([0.6, 0.7, 0.8])
    assert mean.value == pytest.approx(0.7)
    assert mean.half == pytest.approx(4.302653 * 0.1 / math.sqrt(3), abs=1e-6)
    assert mean.seeds == 3
    # One degree of freedom: 12.706205; the deviation of 0 and 1 is 1 / sqrt(2).
    assert mean_over_seeds([0.0, 1.0]).half == pytest.approx(12.706205 / 2, abs=1e-6)
    assert math.isnan(mean_over_seeds([0.3]).half)


def test_a_table_says_what_every_learner_reached(tmp_path: Path) -> None:
    for seed, random, greedy in ((1, 0.6, 0.5), (2, 0.7, 0.5), (3, 0.8, 0.5)):
        write(tmp_path, "classic", "ppo", seed, [
            ("decisions", 50_000, 30.0, {"random": random - 0.1, "greedy": greedy}),
            ("1.0", 200_000 * seed, 120.0, {"random": random, "greedy": greedy}),
        ])  # fmt: skip
    write(
        tmp_path, "classic", "sb3-ppo", 1, [("1.0", 40_000, 120.0, {"random": 0.4, "greedy": 0.2})]
    )
    write(tmp_path, "classic", "sb3-ppo", 2, [
        ("decisions", 50_000, 119.0, {"random": 0.5, "greedy": 0.3}),
        ("1.0", 60_000, 120.0, {"random": 0.5, "greedy": 0.3}),
    ])  # fmt: skip
    write(tmp_path, "duel-2", "td", 1, [("1.0", 10, 120.0, {"optimum": 0.01234})])
    duel, classic = tables(read_runs(tmp_path))
    assert duel.splitlines() == [
        "| `duel-2` | seeds | lost to the optimum, % of a win, at 2 minutes "
        "| thousand decisions in 2 minutes |",
        "| --- | --- | --- | --- |",
        "| TD(lambda) on afterstates, ours | 1 | 1.23 | 0 |",
    ]
    assert classic.splitlines()[0] == (
        "| `classic` | seeds | won against `random`, %, at 50,000 decisions "
        "| won against `greedy`, %, at 50,000 decisions | won against `random`, %, at 2 minutes "
        "| won against `greedy`, %, at 2 minutes | thousand decisions in 2 minutes |"
    )
    # 0.1 * 4.302653 / sqrt(3) = 24.84 %; 0.1 / sqrt(2) * 12.706205 / sqrt(2) = 63.53 %.
    assert classic.splitlines()[2:] == [
        "| PPO, ours | 3 | 60.00 ± 24.84 | 50.00 ± 0.00 | 70.00 ± 24.84 | 50.00 ± 0.00 | 400 |",
        "| MaskablePPO, sb3-contrib | 2 | 50.00 (1 of 2 seeds) | 30.00 (1 of 2 seeds) "
        "| 45.00 ± 63.53 | 25.00 ± 63.53 | 50 |",
    ]


def test_what_is_no_result_is_said(tmp_path: Path) -> None:
    with pytest.raises(RequestError, match="holds no finished run"):
        read_runs(tmp_path)
    write(tmp_path, "classic", "ppo", 1, [("1.0", 9, 9.0, {"random": 0.4})])
    write(tmp_path, "classic", "td", 1, [("1.0", 9, 9.0, {"random": 0.4})], minutes=3.0)
    with pytest.raises(RequestError, match=r"classic: runs with different budgets"):
        list(tables(read_runs(tmp_path)))
    (tmp_path / "other.jsonl").write_text('{"a": 1}\n', encoding="utf-8")
    with pytest.raises(RequestError, match=r"other\.jsonl is no file of a run"):
        read_runs(tmp_path)


def test_curves_have_the_means_at_each_share(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for seed, greedy in ((1, 0.4), (2, 0.6)):
        write(tmp_path, "points", "td", seed, [
            ("0.5", 1000, 60.0, {"random": 0.5, "greedy": greedy}),
            ("1.0", 2000 * seed, 120.0, {"random": 0.5, "greedy": greedy + 0.1}),
        ])  # fmt: skip
    table.main(["--runs", str(tmp_path), "--curves", str(tmp_path / "out")])
    printed = capsys.readouterr().out
    path = tmp_path / "out" / "learning-points.png"
    assert printed.endswith(f"\n{path}\n") and path.read_bytes().startswith(b"\x89PNG")
    figure = curves.picture("points", [("td", read_runs(tmp_path))])
    minutes, decisions = (
        [np.asarray(line.get_xydata()).tolist() for line in axis.lines] for axis in figure.axes
    )
    assert np.allclose(minutes, [[[1.0, 50.0], [2.0, 60.0]]])
    assert np.allclose(decisions, [[[1.0, 50.0], [3.0, 60.0]]])
