"""A copy of the games in one file, made while a server may be writing them: `sorry serve --backup`.

SQLite's own backup is used: the database is in WAL mode, so its file alone is not all of it.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Final

from sorry_env.errors import RequestError
from sorry_env.files import replace_file
from sorry_env.web.database import SCHEMA_VERSION

#: Pages copied at a time; between two of these steps a server writes on.
_PAGES: Final = 4096
#: Seconds to wait for whoever has locked the database.
_PATIENCE: Final = 10.0


def backup(db: Path, target: Path) -> int:
    """Copy all games of a database to a file, which holds the old contents or all of the new ones.

    db:     the games database; a server may be using it
    target: a new file, or an earlier backup, which is replaced
    Returns the number of games. Raises RequestError where `db` is no games database or cannot be
    read, and where `target` cannot be written, is another kind of file, or is `db` itself.
    """
    if not db.is_file():
        raise RequestError(f"{db} is no games database: there is no such file", value=str(db))
    _check_target(db, target)
    try:
        with closing(_open_read_only(db)) as source:
            _check_games(db, source)
            with replace_file(target) as file:
                return _copy(source, Path(file.name))
    except sqlite3.Error as error:
        raise RequestError(
            f"{db} cannot be backed up to {target}: {error}", value=str(db)
        ) from error
    except OSError as error:
        reason = error.strerror or error
        raise RequestError(f"{target} cannot be written: {reason}", value=str(target)) from error


def _check_target(db: Path, target: Path) -> None:
    if not target.exists():
        return
    if not target.is_file():
        raise RequestError(f"{target} is no file: a backup needs one", value=str(target))
    own = [db, *(db.with_name(f"{db.name}{end}") for end in ("-wal", "-shm"))]
    if any(path.exists() and path.samefile(target) for path in own):
        raise RequestError(f"{target} is part of the games database itself", value=str(target))
    if target.stat().st_size:
        try:
            with closing(_open_read_only(target)) as old:
                _check_games(target, old)
        except (sqlite3.Error, RequestError) as error:
            raise RequestError(
                f"{target} is there already and is no backup of games: name another file",
                value=str(target),
            ) from error


def _open_read_only(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True, timeout=_PATIENCE)


def _check_games(path: Path, db: sqlite3.Connection) -> None:
    """Raise RequestError unless a database holds games of this version."""
    try:
        version = db.execute("pragma user_version").fetchone()[0]
        tables = {row[0] for row in db.execute("select name from sqlite_master where type='table'")}
    except sqlite3.DatabaseError as error:
        if "locked" in str(error):
            raise
        raise RequestError(f"{path} is no games database: {error}", value=str(path)) from error
    if not {"games", "moves"} <= tables:
        raise RequestError(f"{path} is no games database: it has no games", value=str(path))
    if version != SCHEMA_VERSION:
        raise RequestError(
            f"{path} is a games database of version {version}, not {SCHEMA_VERSION}",
            value=version,
        )


def _copy(source: sqlite3.Connection, path: Path) -> int:
    """Copy a database into an empty file; the number of games in the copy, which is whole."""
    with closing(sqlite3.connect(path, isolation_level=None)) as copy:
        source.backup(copy, pages=_PAGES)
        # One file is all of it from now on; a server that opens it writes ahead again.
        copy.execute("pragma journal_mode = delete")
        found = copy.execute("pragma quick_check(1)").fetchone()[0]
        if found != "ok":
            raise sqlite3.DatabaseError(f"the copy is not whole: {found}")
        return int(copy.execute("select count(*) from games").fetchone()[0])
