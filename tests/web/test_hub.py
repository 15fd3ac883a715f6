"""Games in memory and out of it: what a game takes, when it leaves, that it comes back the same."""

from __future__ import annotations

import asyncio
import gc
import sqlite3
import tracemalloc
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from sorry_env.bots.base import Bot
from sorry_env.errors import RecordError
from sorry_env.web.gathering import Viewer
from sorry_env.web.hub import Hub
from sorry_env.web.limits import Limits, Refusal
from sorry_env.web.room import Room
from sorry_env.web.roster import Roster
from sorry_env.web.setup import read_setup
from sorry_env.web.store import Store

pytestmark = pytest.mark.timeout(300)


def with_hub(
    db: Path, work: Callable[[Hub], Awaitable[Any]], roster: Roster | None = None, **limits: Any
) -> None:
    """Do something with the games of a file."""

    async def run() -> None:
        store = Store(db)
        hub = Hub(store, roster or Roster(), Limits(**limits), away_seconds=0.0)
        try:
            await hub.start()
            await work(hub)
            await hub.stop()
        finally:
            store.close()

    asyncio.run(run())


async def create(hub: Hub, **fields: Any) -> str:
    game_id, *_ = await hub.create(read_setup(fields, hub.roster))
    return game_id


async def until_over(hub: Hub, game_id: str) -> Room:
    async with hub.room(game_id) as room:
        while not room.table.over:
            await asyncio.sleep(0.01)
        return room


BOTS = {"red": "random", "yellow": "random"}


def test_an_idle_game_takes_little_memory(tmp_path: Path) -> None:
    async def work(hub: Hub) -> None:
        games = [await create(hub, players=BOTS, seed=seed) for seed in range(3)]
        plies = [(await until_over(hub, game_id)).table.ply for game_id in games]
        assert min(plies) > 100
        while hub.rooms:
            hub.sweep()
            await asyncio.sleep(0.01)
        gc.collect()
        tracemalloc.start()
        kept: list[Room] = []
        try:
            before = tracemalloc.get_traced_memory()[0]
            for game_id in games:
                async with hub.room(game_id):
                    kept.append(hub.rooms[game_id])
            gc.collect()
            taken = tracemalloc.get_traced_memory()[0] - before
        finally:
            tracemalloc.stop()
        print(f"{taken / len(games):.0f} bytes for games of {plies} plies")
        assert taken / len(games) < 200_000

    with_hub(tmp_path / "games.db", work, idle_seconds=0.0)


def test_a_game_that_nobody_looks_at_leaves_the_memory_and_comes_back(tmp_path: Path) -> None:
    async def work(hub: Hub) -> None:
        game_id = await create(hub, seed=3)
        async with hub.room(game_id) as room:
            viewer = Viewer(frozenset({"red"}), False, None, 100)
            await room.join(viewer)
            while room.driver is not None or not room.table.state((0,))["legal"]:
                await asyncio.sleep(0.01)
            line = room.table.line()
            hub.sweep()
            assert hub.rooms == {game_id: room}  # somebody looks at it
            await room.leave(viewer)
        while hub.rooms:
            hub.sweep()
            await asyncio.sleep(0.01)
        async with hub.room(game_id) as again:
            assert again is not room and again.table.line() == line
            assert again.table.log == room.table.log
        with pytest.raises(Refusal):
            await room.join(viewer)  # of a room that has been left behind

    with_hub(tmp_path / "games.db", work, idle_seconds=0.0)


def test_many_look_for_a_game_at_once_and_find_one(tmp_path: Path) -> None:
    async def work(hub: Hub) -> None:
        game_id = await create(hub, seed=3)
        while hub.rooms:
            hub.sweep()
            await asyncio.sleep(0.01)

        async def look() -> int:
            async with hub.room(game_id) as room:
                await asyncio.sleep(0.01)
                return id(room)

        assert len(set(await asyncio.gather(*(look() for _ in range(10))))) == 1
        for wrong in ("nowhere", "", "x" * 1000, "../games"):
            with pytest.raises(Refusal):
                async with hub.room(wrong):
                    pass

    with_hub(tmp_path / "games.db", work, idle_seconds=0.0)


def test_bots_go_on_after_a_restart(tmp_path: Path) -> None:
    db, found = tmp_path / "games.db", []

    async def begin(hub: Hub) -> None:
        found.append(await create(hub, players=BOTS, seed=3, pace_ms=10_000))

    async def later(hub: Hub) -> None:
        assert list(hub.rooms) == found  # nobody had to ask for it
        hub.rooms[found[0]].table.pace_ms = 0
        room = await until_over(hub, found[0])
        assert room.table.result == "win"

    with_hub(db, begin)
    with_hub(db, later)


class Broken(Bot):
    """Fails as bots of others may: an error of its own, or an action that is not legal."""

    name = "broken"
    action = -1

    def choose(self, view: Any) -> int:
        if self.action < 0:
            raise ZeroDivisionError("out of luck")
        return int(view.tables.num_actions) + 5


class BrokenRoster(Roster):
    """Its greedy is broken."""

    def make(self, name: str, ruleset: Any, seats: tuple[int, ...], seed: int) -> Bot:
        bot = super().make(name, ruleset, seats, seed)
        return Broken() if name == "greedy" else bot


@pytest.mark.parametrize("action", [-1, 0])
def test_a_bot_that_fails_can_be_replaced(
    tmp_path: Path, action: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Broken, "action", action)

    async def work(hub: Hub) -> None:
        game_id = await create(hub, players={"red": "person", "yellow": "greedy"}, seed=4,
                               forced=False)  # fmt: skip
        async with hub.room(game_id) as room:
            viewer = Viewer(frozenset({"red"}), False, None, 1000)
            await room.join(viewer)
            while not room.state(viewer)["players"]["yellow"]["replaceable"]:
                legal = room.table.state((0,))["legal"]
                if legal:
                    await room._do_move(viewer, legal[0]["move"], room.table.ply)
                await asyncio.sleep(0.01)
            assert room.table.actor == "yellow"
            ply = room.table.ply
            await room._do_replace(viewer, "yellow", "random")
            while room.table.ply == ply:
                await asyncio.sleep(0.01)
            assert room.table.log[ply]["by"] == "random"

    with_hub(tmp_path / "games.db", work, BrokenRoster())


def test_a_game_of_other_rules_is_not_opened(tmp_path: Path) -> None:
    db, found = tmp_path / "games.db", []

    async def begin(hub: Hub) -> None:
        found.append(await create(hub, players=BOTS, seed=3))
        await until_over(hub, found[0])

    async def later(hub: Hub) -> None:
        with pytest.raises(RecordError, match="stored move 2"):
            async with hub.room(found[0]):
                pass
        assert (await asyncio.wrap_future(hub.store.summary(found[0]))) is not None

    with_hub(db, begin)
    with sqlite3.connect(db) as raw:
        raw.execute("update moves set position = 'another' where ply = 2")
    raw.close()
    with_hub(db, later)


def test_where_nothing_can_be_stored_nothing_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def work(hub: Hub) -> None:
        game_id = await create(hub, seed=3, players={"red": "person", "yellow": "person"})
        async with hub.room(game_id) as room:
            viewer = Viewer(frozenset({"red", "yellow"}), False, None, 1000)
            await room.join(viewer)
            while not (legal := room.table.state((0, 2))["legal"]):
                await asyncio.sleep(0.01)
            while not viewer.messages.empty():
                viewer.messages.get_nowait()
            ply = room.table.ply

            def fail(*_: Any) -> Any:
                def job(db: sqlite3.Connection) -> None:
                    raise sqlite3.OperationalError("database or disk is full")

                return hub.store._do(job)

            with monkeypatch.context() as broken:
                broken.setattr(hub.store, "played", fail)
                with pytest.raises(Exception, match="disk is full"):
                    await room._do_move(viewer, legal[0]["move"], ply)
            told = []
            while (text := viewer.messages.get_nowait()) is not None:
                told.append(text)
            assert not any('"type":"move"' in text for text in told)
        # What is on disk holds.
        async with hub.room(game_id) as again:
            assert again is not room and again.table.ply == ply

    with_hub(tmp_path / "games.db", work)
