"""Pictures of results through matplotlib: rating ladder, win matrix, lengths of games.

Read `export.py`, which calls this, before this file.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from sorry_env.arena.league import LeagueResult, shares_before
from sorry_env.arena.result import MatchResult
from sorry_env.errors import MissingExtraError


def draw(result: MatchResult | LeagueResult, folder: Path) -> list[Path]:
    """Draw a result into a folder that exists; the paths of the PNG files.

    lengths.png: how many decisions games took, `ladder.png` ratings with intervals and `matrix.png`
    who came before whom; the latter two of leagues. Raises MissingExtraError without matplotlib.
    """
    figures = {"lengths.png": draw_lengths(result)}
    if isinstance(result, LeagueResult):
        figures |= {"ladder.png": draw_ladder(result), "matrix.png": draw_matrix(result)}
    for name, figure in figures.items():
        figure.savefig(folder / name, dpi=120)
    return [folder / name for name in figures]


def draw_ladder(result: LeagueResult) -> Any:
    """A figure of the rated bots from the weakest up, each with its interval."""
    ratings = result.ratings
    rated = [bot for bot in reversed(result.order()) if np.isfinite(ratings.elo[bot])]
    elo = ratings.elo[rated]
    low, high = np.array([ratings.interval(bot) for bot in rated]).T
    figure, axes = _figure(7.0, 1.6 + 0.4 * len(rated))
    axes.errorbar(elo, range(len(rated)), xerr=[elo - low, high - elo], fmt="o", capsize=4)
    axes.set_yticks(range(len(rated)), [result.bots[bot] for bot in rated])
    axes.axvline(0.0, color="grey", linewidth=0.8)
    axes.margins(y=0.15)
    axes.set_xlabel(f"Elo above {result.bots[ratings.anchor]}, 95 % intervals")
    axes.set_title(f"{result.ruleset}, {result.games} games")
    return figure


def draw_matrix(result: LeagueResult) -> Any:
    """A figure of how often the bot of each row came before that of each column."""
    order = result.order()
    names = [result.bots[bot] for bot in order]
    shares = shares_before(result)[np.ix_(order, order)]
    side = 2.4 + 0.7 * len(order)
    figure, axes = _figure(side + 1.0, side)
    picture = axes.imshow(shares, vmin=0.0, vmax=1.0, cmap="RdYlGn")
    for row, column in zip(*np.nonzero(~np.isnan(shares)), strict=True):
        axes.text(column, row, f"{shares[row, column]:.0%}", ha="center", va="center")
    axes.set_xticks(range(len(order)), names, rotation=45, ha="right")
    axes.set_yticks(range(len(order)), names)
    axes.set_title("share of games in which the row came before the column")
    figure.colorbar(picture)
    return figure


def draw_lengths(result: MatchResult | LeagueResult) -> Any:
    """A figure of the lengths of games in decisions; those cut off are stacked on top."""
    matches: Sequence[MatchResult] = (
        result.matches if isinstance(result, LeagueResult) else [result]
    )
    lengths = np.concatenate([match.outcomes["length"] for match in matches])
    cut = np.concatenate([match.outcomes["truncated"] for match in matches])
    kinds = [(lengths[~cut], "played to the end"), (lengths[cut], "cut off")]
    kinds = [(values, label) for values, label in kinds if len(values)]
    figure, axes = _figure(7.0, 4.0)
    axes.hist([v for v, _ in kinds], bins=40, stacked=True, label=[label for _, label in kinds])
    axes.axvline(lengths.mean(), color="black", linewidth=0.8, label=f"mean {lengths.mean():.1f}")
    axes.set_xlabel("decisions, forced ones included")
    axes.set_ylabel("games")
    axes.set_title(f"{result.ruleset}, {len(lengths)} games")
    axes.legend()
    return figure


def matplotlib_figure() -> Any:
    """Matplotlib's class Figure; no window is ever opened. Raises MissingExtraError."""
    try:
        from matplotlib.figure import Figure
    except ImportError as error:
        raise MissingExtraError(
            "pictures need matplotlib: pip install 'sorry_env[arena]'", value="matplotlib"
        ) from error
    return Figure


def _figure(width: float, height: float) -> tuple[Any, Any]:
    figure = matplotlib_figure()(figsize=(width, height), layout="constrained")
    return figure, figure.subplots()
