"""Pictures of results through matplotlib: rating ladder, win matrix, lengths of games.

Read `export.py`, which calls this, before this file.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np

from sorry_env.arena.league_result import LeagueResult, shares_before
from sorry_env.arena.result import MatchResult
from sorry_env.errors import MissingExtraError
from sorry_env.files import replace_file

#: The most bars of a histogram.
BARS: Final = 40


def draw(result: MatchResult | LeagueResult, folder: Path) -> list[Path]:
    """Draw a result into a folder that exists; the paths of the PNG files.

    lengths.png: how many decisions games took, `ladder.png` ratings with intervals and `matrix.png`
    who came before whom; the latter two of leagues. Raises MissingExtraError without matplotlib.
    """
    figures = {"lengths.png": draw_lengths(result)}
    if isinstance(result, LeagueResult):
        figures |= {"ladder.png": draw_ladder(result), "matrix.png": draw_matrix(result)}
    for name, figure in figures.items():
        with replace_file(folder / name) as file:
            figure.savefig(file, dpi=120, format="png")
    return [folder / name for name in figures]


def draw_ladder(result: LeagueResult) -> Any:
    """A figure of the rated bots from the weakest up, each with its interval."""
    ratings = result.ratings
    rated = [bot for bot in reversed(result.order()) if np.isfinite(ratings.elo[bot])]
    elo = ratings.elo[rated]
    low, high = np.array([ratings.interval(bot) for bot in rated]).T
    names = [result.bots[bot] for bot in rated]
    figure, axes = _figure(5.5 + _room_for(names), 1.6 + 0.4 * len(rated))
    axes.grid(axis="x", color="0.9")
    axes.axvline(0.0, color="grey", linewidth=0.8)
    axes.errorbar(elo, range(len(rated)), xerr=[elo - low, high - elo], fmt="o", capsize=4)
    for place, value in enumerate(elo):
        axes.annotate(f"{value:+.0f}", (value, place), (0, 7), textcoords="offset points",
                      ha="center", fontsize="small")  # fmt: skip
    axes.set_yticks(range(len(rated)), names)
    axes.set_ylim(-0.6, len(rated) - 0.3)
    axes.set_xlabel(f"Elo above {result.bots[ratings.anchor]}, 95 % intervals")
    axes.set_title(f"{result.ruleset}, {result.games} games")
    return figure


def draw_matrix(result: LeagueResult) -> Any:
    """A figure of how often the bot of each row came before that of each column."""
    order = result.order()
    names = [result.bots[bot] for bot in order]
    shares = shares_before(result)[np.ix_(order, order)]
    side = 1.0 + 0.7 * len(order) + _room_for(names)
    figure, axes = _figure(max(side, 6.0), side)
    # Blue and red for those who see no red and green; pale in the middle, where bots are equals.
    axes.imshow(shares, vmin=0.0, vmax=1.0, cmap="RdBu")
    for row, column in zip(*np.nonzero(~np.isnan(shares)), strict=True):
        share = shares[row, column]
        ink = "black" if 0.15 < share < 0.85 else "white"
        axes.text(column, row, f"{share:.0%}", ha="center", va="center", color=ink)
    axes.set_xticks(range(len(order)), names, rotation=45, ha="right", rotation_mode="anchor")
    axes.set_yticks(range(len(order)), names)
    axes.spines[:].set_visible(False)
    axes.tick_params(length=0)
    figure.suptitle(f"{result.ruleset}, {result.games} games: how often the row came\n"
                    "before the column", fontsize="medium")  # fmt: skip
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
    # Bars of equally many whole numbers: others would stand out for their width alone.
    step = max(1, -(-int(np.ptp(lengths) + 1) // BARS))
    edges = np.arange(lengths.min(), lengths.max() + step + 1, step) - 0.5
    axes.hist([v for v, _ in kinds], bins=edges, stacked=True, label=[label for _, label in kinds])
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


def _room_for(names: Sequence[str]) -> float:
    """Inches that names along an axis take."""
    return 0.5 + 0.08 * max(map(len, names))


def _figure(width: float, height: float) -> tuple[Any, Any]:
    figure = matplotlib_figure()(figsize=(width, height), layout="constrained")
    axes = figure.subplots()
    axes.spines[["top", "right"]].set_visible(False)
    return figure, axes
