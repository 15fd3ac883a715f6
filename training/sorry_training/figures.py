"""Figures of a run read back from its CSV files: ``metrics.csv`` and ``evaluations.csv``.

Files are edited, cut short and copied about by people: whatever is wrong with one is a
`ConfigError` that names file and line.
"""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from sorry_env.errors import ConfigError
from sorry_env.parsing import shorten

#: Columns of whole numbers.
_WHOLE: Final = ("update", "decisions", "games", "wins", "cut")
#: Columns of text.
_TEXT: Final = ("opponent",)
#: Columns that every file has.
NEEDED: Final = ("update", "decisions", "seconds")


def read_rows(path: Path, needed: Sequence[str] = ()) -> list[dict[str, str]]:
    """The whole rows of a CSV file as dicts of text; none where there is no file.

    needed: columns that there must be besides `NEEDED`
    A last line that was cut short (the machine was switched off) is left out, and so are blank
    lines at the end. All other columns than ``opponent`` hold numbers, those of `NEEDED` finite
    ones. Raises ConfigError for a file that is otherwise.
    """
    if not path.exists():
        return []
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path}: cannot be read: {error}", value=str(path)) from error
    whole = text[: text.rfind("\n") + 1].rstrip(" \t\r\n")
    if not whole:
        return []
    reader = csv.reader(io.StringIO(whole + "\n", newline=""), strict=True)
    rows: list[dict[str, str]] = []
    try:
        header = next(reader)
        _check_header(path, header, [*NEEDED, *needed])
        for entries in reader:
            rows.append(_row(f"{path}, line {reader.line_num}", header, entries))
    except csv.Error as error:
        raise ConfigError(f"{path}, line {reader.line_num}: no CSV: {error}", value=None) from error
    return rows


def _check_header(path: Path, header: list[str], needed: Sequence[str]) -> None:
    if missing := [name for name in needed if name not in header]:
        raise ConfigError(f"{path}: the columns {', '.join(missing)} are missing", value=missing)
    if len(set(header)) < len(header):
        raise ConfigError(f"{path}: a column is there twice", value=header)


def _row(place: str, header: list[str], entries: list[str]) -> dict[str, str]:
    if len(entries) != len(header):
        raise ConfigError(
            f"{place}: {len(entries)} entries for {len(header)} columns", value=entries
        )
    row = dict(zip(header, entries, strict=True))
    for name, entry in row.items():
        if name in _WHOLE:
            right = entry.isascii() and entry.isdigit() and len(entry) < 19
        elif name in _TEXT:
            right = True
        else:
            right = _is_number(entry, finite=name in NEEDED)
        if not right:
            kind = "a whole number" if name in _WHOLE else "a number"
            raise ConfigError(f"{place}: {name} {shorten(entry)} must be {kind}", value=entry)
    return row


def _is_number(text: str, *, finite: bool) -> bool:
    try:
        value = float(text)
    except ValueError:
        return False
    return math.isfinite(value) or not finite
