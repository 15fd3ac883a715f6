"""Games in SQLite: every move is on disk before anybody is told of it.

One thread holds the only connection that writes and does one thing after another; what waits
together is committed together. The file is in WAL mode: other programs may read it at any time. A
lock file beside it is held while a server uses it, so no second server can play on with the same
games. Ending this process at any moment loses nothing that was committed; after a power cut the
file is whole, too, though the very last moves may be missing. Read `table.py` before and `room.py`
after this file.
"""

from __future__ import annotations

import logging
import queue
import sqlite3
import threading
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from sorry_env.errors import RequestError, SorryError
from sorry_env.families import EXPRESS
from sorry_env.folders import data_folder
from sorry_env.json_text import read_json, write_json
from sorry_env.terminal import terminal_text
from sorry_env.web.database import open_database
from sorry_env.web.setup import Setup
from sorry_env.web.table import Played, Table

Row = dict[str, Any]
Job = Callable[[sqlite3.Connection], Any]

_log = logging.getLogger(__name__)

#: Jobs that are committed together at most.
_MOST_TOGETHER: Final = 200


class StoreError(SorryError):
    """Games cannot be stored: the disk is full, or the file is no longer ours."""

    code = "failed"


@dataclass(frozen=True, eq=False)
class _Waiting:
    """A job of the store's thread, and who waits for it."""

    work: Job
    writes: bool
    done: Future[Any] = field(default_factory=Future)


@dataclass(frozen=True)
class Summary:
    """A stored game without its moves, as it is listed."""

    id: str
    created: str
    updated: str
    setup: Setup
    players: dict[str, str]
    plies: int
    result: str | None
    winners: list[str]

    def row(self) -> Row:
        """As clients see it: no seed, no secret."""
        names = self.setup.family.seat_names
        return {
            "game": self.id, "name": self.setup.name, "ruleset": self.setup.ruleset,
            "family": "express" if self.setup.family is EXPRESS else "board",
            "seats": [names[seat] for seat in self.setup.seats], "players": self.players,
            "plies": self.plies, "over": self.result is not None, "result": self.result,
            "winners": self.winners, "created": self.created, "updated": self.updated,
            "target_score": self.setup.target_score, "round": self.setup.rounds + 1,
        }  # fmt: skip


@dataclass(frozen=True)
class Stored:
    """A stored game with its moves, as texts of entry and position."""

    summary: Summary
    secrets: dict[str, str]
    pace_ms: int
    moves: list[tuple[str, str]]

    @property
    def positions(self) -> list[str]:
        """The whole line before each move."""
        return [position for _, position in self.moves]

    def table(self) -> Table:
        """The table, every move played again; RecordError where that leads elsewhere."""
        summary = self.summary
        rows = [(_entry(entry, summary.id), position) for entry, position in self.moves]
        return Table.restore(
            summary.setup, dict(summary.players), self.secrets, rows, summary.result,
            summary.winners, self.pace_ms,
        )  # fmt: skip


def usual_file() -> Path:
    """Where games are kept unless a file is named: the user's own folder for such data.

    Raises RequestError where the user has no home directory and XDG_DATA_HOME names no folder.
    """
    folder = data_folder()
    if folder is None:
        raise RequestError(
            "there is no home directory to keep games in: --db FILE names a place for them",
            value=None,
        )
    return folder / "games.db"


class Store:
    """The games of one file. Methods may be called from any thread and return futures.

    Raises RequestError where the file cannot be opened, is none of ours, or is in use.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        #: Whether the last attempt to write failed, as it does while the disk is full.
        self.failing = False
        self._jobs: queue.SimpleQueue[_Waiting | None] = queue.SimpleQueue()
        opened: Future[None] = Future()
        self._thread = threading.Thread(target=self._work, args=(opened,), name="store")
        self._thread.start()
        opened.result()

    def close(self) -> None:
        """Finish what waits and close the file."""
        self._jobs.put(None)
        self._thread.join()

    def _do(self, job: Job, *, writes: bool = True) -> Future[Any]:
        waiting = _Waiting(job, writes)
        self._jobs.put(waiting)
        return waiting.done

    # -- writing ------------------------------------------------------------------------------

    def create(self, game_id: str, table: Table) -> Future[None]:
        """Keep a new game."""
        now = _now()
        values = (
            game_id, now, now, _dump(table.setup.row()), _dump(table.players),
            _dump(dict(table.secrets)), *_progress(table),
        )  # fmt: skip
        sql = (
            "insert into games (id, created, updated, setup, players, secrets, pace_ms, plies, "
            "result, winners, by_server) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
        )

        def job(db: sqlite3.Connection) -> None:
            db.execute(sql, values)

        return self._do(job)

    def played(self, game_id: str, table: Table, played: Played) -> Future[None]:
        """Keep a move and what became of the game by it."""
        move = (game_id, played.entry["ply"], _dump(played.entry), played.position)
        update = self._update(game_id, table)

        def job(db: sqlite3.Connection) -> None:
            db.execute("insert into moves (game, ply, entry, position) values (?, ?, ?, ?)", move)
            update(db)

        return self._do(job)

    def changed(self, game_id: str, table: Table) -> Future[None]:
        """Keep a game that has changed otherwise; moves that were taken back are no more."""
        update = self._update(game_id, table)
        plies = table.ply

        def job(db: sqlite3.Connection) -> None:
            db.execute("delete from moves where game = ? and ply >= ?", (game_id, plies))
            update(db)

        return self._do(job)

    def _update(self, game_id: str, table: Table) -> Callable[[sqlite3.Connection], None]:
        values = (_now(), _dump(table.players), *_progress(table), game_id)
        sql = (
            "update games set updated = ?, players = ?, pace_ms = ?, plies = ?, result = ?, "
            "winners = ?, by_server = ? where id = ?"
        )

        def job(db: sqlite3.Connection) -> None:
            if db.execute(sql, values).rowcount != 1:
                raise StoreError(f"game {game_id} is no longer stored", value=game_id)

        return job

    # -- reading ------------------------------------------------------------------------------

    def load(self, game_id: str) -> Future[Stored | None]:
        """A game with all its moves, or None."""
        return self._do(lambda db: _load(db, game_id), writes=False)

    def summary(self, game_id: str) -> Future[Summary | None]:
        """A game without its moves, or None."""

        def job(db: sqlite3.Connection) -> Summary | None:
            found = db.execute(f"{_SELECT} where id = ?", (game_id,)).fetchone()
            return None if found is None else _summary(found)

        return self._do(job, writes=False)

    def listed(self, offset: int, limit: int) -> Future[tuple[list[Summary], int]]:
        """Some games, the newest first, and how many there are."""

        def job(db: sqlite3.Connection) -> tuple[list[Summary], int]:
            rows = db.execute(
                f"{_SELECT} order by created desc, id limit ? offset ?", (limit, offset)
            ).fetchall()
            total = db.execute("select count(*) from games").fetchone()[0]
            return [one for row in rows if (one := _sound(row)) is not None], int(total)

        return self._do(job, writes=False)

    def unfinished(self) -> Future[list[str]]:
        """The games in which the server has the next move."""
        sql = "select id from games where by_server and result is null"
        return self._do(lambda db: [row[0] for row in db.execute(sql)], writes=False)

    def playing(self) -> Future[int]:
        """How many games are not over."""
        sql = "select count(*) from games where result is null"
        return self._do(lambda db: int(db.execute(sql).fetchone()[0]), writes=False)

    # -- the thread ---------------------------------------------------------------------------

    def _work(self, opened: Future[None]) -> None:
        try:
            lock, db = open_database(self.path)
        except (OSError, sqlite3.Error, SorryError) as error:
            reason = error.message if isinstance(error, SorryError) else str(error)
            opened.set_exception(RequestError(
                f"games cannot be kept in {self.path}: {reason}", value=str(self.path)
            ))  # fmt: skip
            return
        opened.set_result(None)
        going = True
        while going:
            jobs = [self._jobs.get()]
            with suppress(queue.Empty):
                while len(jobs) < _MOST_TOGETHER:
                    jobs.append(self._jobs.get_nowait())
            going = None not in jobs
            self._do_together(db, [job for job in jobs if job is not None])
        db.close()
        lock.close()

    def _do_together(self, db: sqlite3.Connection, jobs: list[_Waiting]) -> None:
        """Jobs in one transaction; each that fails leaves the others as they are."""
        before = db.total_changes
        writes = any(job.writes for job in jobs)
        try:
            db.execute("begin immediate" if writes else "begin")
        except sqlite3.Error as error:  # another program writes: one may read all the same
            self._fail(error, [job for job in jobs if job.writes or not writes])
            if writes and (reads := [job for job in jobs if not job.writes]):
                self._do_together(db, reads)
            return
        try:
            outcomes = [_try(db, job.work) for job in jobs]
            db.execute("commit")
        except sqlite3.Error as error:  # SQLite has rolled everything back, as on a full disk
            with suppress(sqlite3.Error):
                db.execute("rollback")
            if len(jobs) == 1:
                self._fail(error, jobs)
                return
            for job in jobs:
                self._do_together(db, [job])
            return
        broken = [one for one in outcomes if isinstance(one, sqlite3.Error)]
        if broken or db.total_changes != before:
            self._note(broken[0] if broken else None)
        for job, outcome in zip(jobs, outcomes, strict=True):
            if isinstance(outcome, Exception):
                job.done.set_exception(_store_error(outcome))
            else:
                job.done.set_result(outcome)

    def _fail(self, error: sqlite3.Error, jobs: list[_Waiting]) -> None:
        """Tell whoever waits for these jobs that they could not be done."""
        if any(job.writes for job in jobs):
            self._note(error)
        for job in jobs:
            job.done.set_exception(_store_error(error))

    def _note(self, broken: sqlite3.Error | None) -> None:
        """Note how the last attempt to write went, and say so where it is news."""
        if broken is not None and not self.failing:
            _log.warning("games cannot be stored: %s", broken)
        elif broken is None and self.failing:
            _log.warning("games can be stored again")
        self.failing = broken is not None


def _try(db: sqlite3.Connection, work: Job) -> Any:
    """The result of a job, or the error that it raised and that undid it alone.

    Raises sqlite3.Error where the error has undone the whole transaction.
    """
    db.execute("savepoint job")
    outcome: Any
    try:
        outcome = work(db)
    except Exception as error:
        if not db.in_transaction:
            raise
        db.execute("rollback to job")
        outcome = error
    db.execute("release job")
    return outcome


def _store_error(error: Exception) -> Exception:
    if isinstance(error, SorryError):
        return error
    return StoreError(f"games cannot be stored: {error}", value=None)


# -- rows -----------------------------------------------------------------------------------------

_SELECT: Final = (
    "select id, created, updated, setup, players, plies, result, winners, secrets, pace_ms "
    "from games"
)


def _summary(row: tuple[Any, ...]) -> Summary:
    setup = _setup(row[3], row[0])
    return Summary(row[0], row[1], row[2], setup, _read(row[4], row[0], dict), row[5], row[6],
                   _read(row[7], row[0], list))  # fmt: skip


def _setup(text: str, game_id: str) -> Setup:
    try:
        return Setup.of_row(_read(text, game_id, dict))
    except SorryError as error:
        reason = error.message
        raise StoreError(f"stored game {game_id} is spoilt: {reason}", value=game_id) from error


def _entry(text: str, game_id: str) -> Row:
    """A stored move as the log has it."""
    entry: Row = _read(text, game_id)
    if not isinstance(entry.get("move"), str) or type(entry.get("ply")) is not int:
        raise StoreError(f"stored game {game_id}: a move without ply or text", value=text[:80])
    return entry


def _read(text: str, game_id: str, kind: type[Any] = dict) -> Any:
    """A stored JSON text; StoreError where somebody has spoilt it."""
    value = read_json(text, StoreError, f"stored game {game_id}: a text")
    if not isinstance(value, kind):
        raise StoreError(f"stored game {game_id}: a text is no {kind.__name__}", value=game_id)
    return value


def _sound(row: tuple[Any, ...]) -> Summary | None:
    """A listed game; None, with a word in the log, for one that is spoilt."""
    try:
        return _summary(row)
    except StoreError as error:
        _log.warning("left out of the list: %s", terminal_text(error.message))
        return None


def _load(db: sqlite3.Connection, game_id: str) -> Stored | None:
    found = db.execute(f"{_SELECT} where id = ?", (game_id,)).fetchone()
    if found is None:
        return None
    moves = db.execute(
        "select entry, position from moves where game = ? order by ply", (game_id,)
    ).fetchall()
    return Stored(_summary(found), _read(found[8], game_id, dict), found[9], moves)


def _progress(table: Table) -> tuple[Any, ...]:
    return (table.pace_ms, table.ply, table.result, _dump(table.winners), int(table.by_server()))


def _dump(value: Any) -> str:
    return write_json(value, compact=True)


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
