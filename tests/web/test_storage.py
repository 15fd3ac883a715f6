"""The games database while a server uses it: full disks, other readers, other servers, backups."""

from __future__ import annotations

import asyncio
import json
import sqlite3
import urllib.request
from collections.abc import Awaitable, Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from sorry_env.cli import main
from sorry_env.errors import RequestError
from sorry_env.web.backup import backup
from sorry_env.web.gathering import Viewer
from sorry_env.web.hub import Hub
from sorry_env.web.limits import Refusal
from sorry_env.web.room import Room
from sorry_env.web.store import Store, StoreError
from tests.web.process import Served
from tests.web.support import new_game, server
from tests.web.test_hub import BOTS, create, until_over, with_hub

pytestmark = pytest.mark.timeout(120)

#: A retry at once, so that no test waits.
SOON: dict[str, Any] = {"resume_seconds": (0.02, 0.1)}
PEOPLE = {"red": "person", "yellow": "person"}


async def set_pages(hub: Hub, more: int | None) -> None:
    """Let the database grow by so many pages at most, as on a disk that is full; None: freely."""

    def job(db: sqlite3.Connection) -> None:
        used = db.execute("pragma page_count").fetchone()[0]
        limit = 2**31 if more is None else used + more
        db.execute(f"pragma max_page_count = {limit}")

    await asyncio.wrap_future(hub.store._do(job))


async def until(true: Callable[[], bool]) -> None:
    async with asyncio.timeout(60):
        while not true():
            await asyncio.sleep(0.01)


@pytest.mark.parametrize("games", [1, 3])
def test_games_of_bots_go_on_by_themselves_when_there_is_room_again(
    tmp_path: Path, games: int, caplog: pytest.LogCaptureFixture
) -> None:
    async def work(hub: Hub) -> None:
        ids = [await create(hub, players=BOTS, seed=seed, pace_ms=1) for seed in range(games)]
        await set_pages(hub, 0)
        await until(lambda: hub.store.failing and not hub.rooms)
        before = {game_id: (await _stored(hub, game_id)).summary.plies for game_id in ids}
        await asyncio.sleep(0.3)  # several attempts, none of which may succeed
        assert hub.store.failing
        for game_id in ids:
            stored = await _stored(hub, game_id)
            assert stored.summary.plies == len(stored.moves) >= before[game_id]
            assert stored.summary.result is None
        await set_pages(hub, None)
        # Nobody opens them.
        await until(lambda: not hub.store.failing and len(hub.rooms) == games)
        for game_id in ids:
            room = await until_over(hub, game_id)
            stored = await _stored(hub, game_id)
            assert room.table.result == "win"
            # Played again from the seed, what is on disk is a whole game.
            assert stored.table().line() == room.table.line()

    with_hub(tmp_path / "games.db", work, **SOON)
    told = [record.getMessage() for record in caplog.records if "stored" in record.getMessage()]
    assert [text.partition(":")[0] for text in told] == [
        "games cannot be stored", "games can be stored again",
    ]  # fmt: skip


async def _stored(hub: Hub, game_id: str) -> Any:
    return await asyncio.wrap_future(hub.store.load(game_id))


CHANGES: dict[str, Callable[[Room, Viewer], Awaitable[Any]]] = {
    "pace": lambda room, viewer: room._do_pace(viewer, 5),
    "end": lambda room, viewer: room._do_end(viewer),
}


@pytest.mark.parametrize("change", CHANGES)
def test_whatever_cannot_be_stored_the_bots_of_the_game_go_on(
    tmp_path: Path, change: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The room closes by a person's request, while the server has the next move."""
    monkeypatch.setattr("sorry_env.web.database._PATIENCE", 0.1)

    async def work(hub: Hub) -> None:
        game_id = await create(hub, players=BOTS, seed=1, pace_ms=10_000)
        async with hub.room(game_id) as room:
            viewer = Viewer(frozenset(), True, None, 1000)
            await room.join(viewer)
            ply = room.table.ply
            with pytest.raises(StoreError):
                await _fail_once(hub, CHANGES[change](room, viewer))
        assert room.closed
        await until(lambda: game_id in hub.rooms)
        again = hub.rooms[game_id]
        again.table.pace_ms = 0
        again._next_move = 0.0
        await until(lambda: again.table.ply > ply + 3)

    with_hub(tmp_path / "games.db", work, **SOON)


async def _fail_once(hub: Hub, change: Awaitable[Any]) -> None:
    """Let a change come while the store cannot write: another program holds the file."""
    blocker = sqlite3.connect(hub.store.path, isolation_level=None)
    with closing(blocker):
        blocker.execute("begin immediate")
        await change
        blocker.execute("rollback")


def test_more_games_than_fit_into_memory_all_go_on_after_a_restart(tmp_path: Path) -> None:
    db, found = tmp_path / "games.db", []

    async def begin(hub: Hub) -> None:
        for seed in range(3):
            found.append(await create(hub, players=BOTS, seed=seed, pace_ms=10_000))

    async def later(hub: Hub) -> None:
        def all_over() -> bool:
            for room in list(hub.rooms.values()):
                room.table.pace_ms, room._next_move = 0, 0.0
            hub.sweep()
            return hub.store.playing().result() == 0

        assert len(hub.rooms) == 1
        await until(all_over)

    with_hub(db, begin)
    with_hub(db, later, rooms=1, idle_seconds=0.0, **SOON)


def test_a_game_that_cannot_be_opened_is_not_made(tmp_path: Path) -> None:
    async def work(hub: Hub) -> None:
        await create(hub, players=PEOPLE)
        with pytest.raises(Refusal, match="too many games are open"):
            await create(hub, players=PEOPLE)
        assert (await asyncio.wrap_future(hub.store.listed(0, 10)))[1] == 1

    with_hub(tmp_path / "games.db", work, rooms=1)


def test_reading_goes_on_while_nothing_can_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Reads wait together with writes that fail: on a full disk, and while another one writes."""
    monkeypatch.setattr("sorry_env.web.database._PATIENCE", 0.1)

    async def work(hub: Hub) -> None:
        game_id = await create(hub, players=PEOPLE)
        table = (await _stored(hub, game_id)).table()
        await set_pages(hub, 0)
        await _read_among_writes(hub, table, "full")
        await set_pages(hub, None)
        with closing(sqlite3.connect(hub.store.path, isolation_level=None)) as blocker:
            blocker.execute("begin immediate")
            await _read_among_writes(hub, table, "locked")
        assert hub.store.failing
        await asyncio.wrap_future(hub.store.create("another", table))
        assert not hub.store.failing

    with_hub(tmp_path / "games.db", work)


async def _read_among_writes(hub: Hub, table: Any, words: str) -> None:
    """Many jobs at once, so that they are done together: each write fails and no read does."""
    writes, reads = [], []
    for number in range(50):
        writes.append(asyncio.wrap_future(hub.store.create(f"{words}-{number}" * 200, table)))
        reads.append(asyncio.wrap_future(hub.store.listed(0, 10)))
    for failed in await asyncio.gather(*writes, return_exceptions=True):
        assert isinstance(failed, StoreError) and words in failed.message
    assert [total for _, total in await asyncio.gather(*reads)] == [1] * 50


# -- other programs -------------------------------------------------------------------------------


def count(db: Path) -> int:
    with closing(sqlite3.connect(f"{db.absolute().as_uri()}?mode=ro", uri=True)) as reader:
        return int(reader.execute("select count(*) from games").fetchone()[0])


def test_others_read_and_back_up_while_a_server_runs(tmp_path: Path) -> None:
    """A server of its own process: its locks are those that other programs meet."""
    db, copy = tmp_path / "games.db", tmp_path / "copy.db"
    with Served(db) as served:
        made = _post_game(served.address)
        assert count(db) == 1
        with pytest.raises(RequestError, match="locked: another server uses it"):
            Store(db)
        assert main(["serve", "--backup", str(copy), "--db", str(db)]) == 0
        assert count(copy) == 1
        _post_game(served.address)
        assert (count(db), count(copy)) == (2, 1)
        assert main(["serve", "--backup", str(copy), "--db", str(db)]) == 0
    # The copy is one file, and a server goes on with it.
    assert sorted(path.name for path in tmp_path.glob("copy*")) == ["copy.db"]
    with server(copy) as client:
        assert client.get("/api/games").json()["total"] == 2
        assert client.get(f"/api/games/{made}").status_code == 200


def _post_game(address: str) -> str:
    body = json.dumps({"players": PEOPLE}).encode()
    request = urllib.request.Request(
        f"{address}api/games", body, {"content-type": "application/json"}
    )
    with urllib.request.urlopen(request, timeout=30) as answer:
        return str(json.loads(answer.read())["game"])


def test_no_two_servers_use_one_file(tmp_path: Path) -> None:
    db, link = tmp_path / "games.db", tmp_path / "link.db"
    link.symlink_to(db)
    with closing(Store(db)):
        for path in (db, link):
            with pytest.raises(RequestError, match="another server uses it"):
                Store(path)
    with closing(Store(link)):
        assert {path.name for path in tmp_path.glob("*-lock*")} == {"games.db-lock"}


def test_a_backup_is_refused_in_words(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    db = tmp_path / "games.db"
    with server(db) as client:
        new_game(client)
    text, other, empty = (tmp_path / name for name in ("notes.txt", "other.db", "empty.db"))
    text.write_text("no database at all, " * 100)
    with closing(sqlite3.connect(other)) as made:
        made.execute("create table songs (title text)")
    empty.touch()
    target = tmp_path / "copy.db"
    for source in (text, other, empty, tmp_path / "none.db", tmp_path):
        with pytest.raises(RequestError, match="is no games database"):
            backup(source, target)
        assert not target.exists()
    for place, words in (
        (db, "part of the games database itself"),
        (text, "is no backup of games"),
        (other, "is no backup of games"),
        (tmp_path, "is no file"),
        (Path("/dev/null"), "is no file"),
        (tmp_path / "nowhere" / "copy.db", "cannot be written"),
    ):
        with pytest.raises(RequestError, match=words):
            backup(db, place)
    assert text.read_text().startswith("no database") and count(db) == 1
    assert {path.name for path in tmp_path.iterdir()} >= {"games.db", "notes.txt", "other.db"}
    assert not list(tmp_path.glob(".*"))
    assert main(["serve", "--backup", str(text), "--db", str(db)]) == 2
    assert "no backup of games" in capsys.readouterr().err


def test_a_backup_that_fails_leaves_the_old_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    db, target = tmp_path / "games.db", tmp_path / "copy.db"
    with server(db) as client:
        new_game(client)
    assert backup(db, target) == 1
    old = target.read_bytes()

    def full(*_: Any) -> int:
        raise sqlite3.OperationalError("database or disk is full")

    monkeypatch.setattr("sorry_env.web.backup._copy", full)
    with pytest.raises(RequestError, match="disk is full"):
        backup(db, target)
    assert target.read_bytes() == old and not list(tmp_path.glob(".*"))
