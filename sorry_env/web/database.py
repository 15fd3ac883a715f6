"""Opening the games database: its tables, its lock, its settings.

The file is in WAL mode, so other programs may read it at any time. A lock file beside it is held
while a server uses it.
"""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path
from typing import Final

from sorry_env.errors import RequestError

#: Version of the tables below.
SCHEMA_VERSION: Final = 1
_SCHEMA: Final = """
create table games (
    id text primary key, created text not null, updated text not null,
    setup text not null, players text not null, secrets text not null, pace_ms integer not null,
    plies integer not null, result text, winners text not null, by_server integer not null
) strict;
create index games_by_time on games (created desc, id);
create index games_playing on games (by_server) where result is null;
create table moves (
    game text not null references games (id), ply integer not null,
    entry text not null, position text not null, primary key (game, ply)
) strict, without rowid;
"""
#: Seconds to wait for another program that writes into the file.
_PATIENCE: Final = 2.0


def open_database(path: Path) -> tuple[sqlite3.Connection, sqlite3.Connection]:
    """The lock of a games database, held until it is closed, and the connection that writes."""
    path.parent.mkdir(parents=True, exist_ok=True)
    lock = _lock(path)
    try:
        return lock, _open_games(path)
    except BaseException:
        lock.close()
        raise


def _lock(path: Path) -> sqlite3.Connection:
    """Hold the lock beside a games database; RequestError where another server holds it.

    It is an empty database that is locked as a whole, which SQLite can do on every system, and
    which the system undoes when the process ends in whatever way.
    """
    target = Path(os.path.realpath(path))
    lock = sqlite3.connect(target.with_name(f"{target.name}-lock"), timeout=0.2,
                           isolation_level=None)  # fmt: skip
    try:
        lock.execute("pragma journal_mode = memory")  # it is never written
        lock.execute("begin exclusive")
    except sqlite3.OperationalError as error:
        lock.close()
        if "locked" not in str(error):
            raise
        raise RequestError("it is locked: another server uses it", value=str(path)) from error
    return lock


def _open_games(path: Path) -> sqlite3.Connection:
    db = sqlite3.connect(path, timeout=_PATIENCE, isolation_level=None)
    try:
        return _prepare(db)
    except BaseException:
        db.close()
        raise


def _prepare(db: sqlite3.Connection) -> sqlite3.Connection:
    """Set a connection up and make the tables of a new file."""
    mode = db.execute("pragma journal_mode = wal").fetchone()[0]
    if mode != "wal":
        raise RequestError(f"no write-ahead log can be kept there, only {mode}", value=mode)
    db.execute("pragma synchronous = normal")
    db.execute("pragma foreign_keys = on")
    version = db.execute("pragma user_version").fetchone()[0]
    tables = db.execute("select count(*) from sqlite_master").fetchone()[0]
    if version == 0 and tables == 0:
        db.executescript(f"begin; {_SCHEMA} pragma user_version = {SCHEMA_VERSION}; commit;")
    elif version != SCHEMA_VERSION:
        raise RequestError(f"it has version {version}, not {SCHEMA_VERSION}", value=version)
    return db
