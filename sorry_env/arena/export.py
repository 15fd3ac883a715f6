"""Results of matches and leagues as files: JSON, CSV and pictures.

Read `result.py` and `league_result.py` before and `pictures.py` after this file.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Final

from sorry_env.arena.league_result import LeagueResult
from sorry_env.arena.outcomes import won_seats
from sorry_env.arena.result import MatchResult
from sorry_env.families import family_of
from sorry_env.files import write_file
from sorry_env.json_text import write_json

RESULT: Final = "result.json"
BOTS: Final = "bots.csv"
GAMES: Final = "games.csv"
BEFORE: Final = "before.csv"


def save(
    result: MatchResult | LeagueResult, folder: Path | str, pictures: bool = False
) -> list[Path]:
    """Write a result into a folder, which is made; the paths of the files.

    result.json: `to_dict`
    bots.csv:    a row for each bot, with its rate or rating and the interval
    games.csv:   a row for each game
    before.csv:  of a league: `before`, how often the bot of the row came before the others
    pictures:    draw `lengths.png` and, of a league, `ladder.png` and `matrix.png` too; raises
                 MissingExtraError, before anything is written, without matplotlib
    """
    folder = Path(folder)
    if pictures:
        from sorry_env.arena import pictures as drawing

        drawing.matplotlib_figure()
    folder.mkdir(parents=True, exist_ok=True)
    paths = [folder / RESULT]
    write_file(paths[0], write_json(result.to_dict(), indent=2) + "\n")
    tables: dict[str, list[list[Any]]]
    if isinstance(result, LeagueResult):
        before = zip(result.bots, result.before.tolist(), strict=True)
        tables = {
            BOTS: _league_rows(result),
            GAMES: _game_rows(result.matches, result.ruleset),
            BEFORE: [["bot", *result.bots], *([name, *row] for name, row in before)],
        }
    else:
        tables = {BOTS: _match_rows(result), GAMES: _game_rows([result], result.ruleset)}
    for name, rows in tables.items():
        paths.append(folder / name)
        _write_csv(paths[-1], rows)
    return [*paths, *drawing.draw(result, folder)] if pictures else paths


def _write_csv(path: Path, rows: Iterable[Sequence[Any]]) -> None:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    write_file(path, text.getvalue())


def _match_rows(result: MatchResult) -> list[list[Any]]:
    head = ["bot", "games", "wins", "rate", "low", "high", "paired_low", "paired_high",
            "wilson_low", "wilson_high", "mean_return"]  # fmt: skip
    if result.luck is not None:
        head += ["adjusted_rate", "adjusted_low", "adjusted_high"]
    rows: list[list[Any]] = [head]
    for bot, name in enumerate(result.bots):
        rows.append([
            name, result.games, result.wins[bot], result.rate(bot), *result.interval(bot),
            *result.paired_interval(bot), *result.wilson_interval(bot), result.returns[bot],
        ])  # fmt: skip
        if result.luck is not None:
            adjusted = result.adjusted(bot)
            rows[-1] += [adjusted.rate, adjusted.low, adjusted.high]
    return rows


def _league_rows(result: LeagueResult) -> list[list[Any]]:
    rows: list[list[Any]] = [["bot", "elo", "low", "high", "unrated", "games", "wins"]]
    for bot in result.to_dict()["bots"]:
        low, high = bot["interval"] or (None, None)
        rows.append([bot["name"], bot["elo"], low, high, bot["unrated"], bot["games"], bot["wins"]])
    return rows


def _game_rows(matches: Sequence[MatchResult], ruleset: str) -> list[list[Any]]:
    """A row for each game; seats and winners by the names of the bots, a team's winner once."""
    seats = family_of(ruleset).seat_names
    rows: list[list[Any]] = [
        ["table", "seed", "game", *seats, "winner", "length", "rounds", "truncated"]
    ]
    for table, match in enumerate(matches):
        n = len(match.bots)
        won = won_seats(match.outcomes)
        for game, outcome in enumerate(match.outcomes):
            sitting = [match.bots[bot] if bot >= 0 else "" for bot in outcome["bots"].tolist()]
            winners = [name for name, one in zip(sitting, won[game].tolist(), strict=True) if one]
            rows.append([
                table, game // n, game, *sitting, "+".join(dict.fromkeys(winners)),
                int(outcome["length"]), int(outcome["rounds"]), int(outcome["truncated"]),
            ])  # fmt: skip
    return rows
