"""A bot's move is for the position that it was asked about: if that is gone, so is the move."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from sorry_env.bots.base import Bot
from sorry_env.web.gathering import Viewer
from sorry_env.web.hub import Hub
from sorry_env.web.room import Room
from sorry_env.web.roster import Roster
from tests.web.test_hub import create, with_hub

pytestmark = pytest.mark.timeout(120)

#: Red has a choice between two pawns; then it is Yellow's turn.
POSITION = "classic 30,20,rS,rS/-/25,yS,yS,yS/- r move 3 5.4.3.4.4.4.4.4.4.4.4 - -"


class Slow(Bot):
    """Says when it has been asked, and answers when it is allowed to; then it may fail."""

    name = "slow"

    def __init__(self) -> None:
        self.asked, self.may_answer = threading.Event(), threading.Event()
        self.fails = False

    def choose(self, view: Any) -> int:
        self.asked.set()
        assert self.may_answer.wait(60)
        if self.fails:
            raise ZeroDivisionError("out of luck")
        return int(view.legal_actions()[-1])


class SlowRoster(Roster):
    """Its `greedy` is the slow bot."""

    def __init__(self) -> None:
        super().__init__()
        self.slow = Slow()

    def make(self, name: str, ruleset: Any, seats: tuple[int, ...], seed: int) -> Bot:
        return self.slow if name == "greedy" else super().make(name, ruleset, seats, seed)


async def until(true: Callable[[], bool]) -> None:
    while not true():
        await asyncio.sleep(0.005)


async def settle(room: Room) -> None:
    """Wait until the server has nothing to do in this game."""
    while room.driver is not None:
        await asyncio.sleep(0.005)


async def asked(room: Room, viewer: Viewer, slow: Slow) -> None:
    """Play a move of red's and wait until yellow's bot thinks about its own."""
    await room.join(viewer)
    await until(lambda: slow.asked.is_set() or bool(room.table.state((0,))["legal"]))
    while not slow.asked.is_set():
        legal = room.table.state((0,))["legal"]
        if legal:
            await room._do_move(viewer, legal[0]["move"], room.table.ply)
        await asyncio.sleep(0.005)


def with_thinking(db: Path, work: Callable[[Room, Viewer, Slow], Awaitable[None]]) -> None:
    """Do something while yellow's bot thinks; red is a person, and the game's owner."""
    roster = SlowRoster()

    async def run(hub: Hub) -> None:
        game_id = await create(
            hub, players={"red": "person", "yellow": "greedy"}, seed=4, forced=False,
            position=POSITION,
        )  # fmt: skip
        viewer = Viewer(frozenset({"red"}), True, None, 1000)
        async with hub.room(game_id) as room:
            try:
                await asked(room, viewer, roster.slow)
                await work(room, viewer, roster.slow)
            finally:
                roster.slow.may_answer.set()
                await settle(room)

    with_hub(db, run, roster)


@pytest.mark.parametrize("fails", [False, True])
def test_not_played_where_the_position_was_taken_back(tmp_path: Path, fails: bool) -> None:
    async def work(room: Room, viewer: Viewer, slow: Slow) -> None:
        plies = room.table.ply
        await room._do_undo(viewer)
        left, line = room.table.ply, room.table.line()
        assert left < plies and room.table.actor == "red"
        slow.fails = fails
        slow.may_answer.set()
        await settle(room)
        assert (room.table.ply, room.table.line()) == (left, line)
        assert not room.state(viewer)["players"]["yellow"]["replaceable"], "it did not fail here"
        # The game goes on with a move for the new position.
        slow.fails = False
        slow.asked.clear()
        while not slow.asked.is_set():
            legal = room.table.state((0,))["legal"]
            if legal:
                await room._do_move(viewer, legal[-1]["move"], room.table.ply)
            await asyncio.sleep(0.005)
        await until(lambda: any(entry["by"] == "greedy" for entry in room.table.log))

    with_thinking(tmp_path / "games.db", work)


@pytest.mark.parametrize("fails", [False, True])
@pytest.mark.parametrize("end", ["resign", "end"])
def test_not_played_where_the_game_has_ended(tmp_path: Path, end: str, fails: bool) -> None:
    async def work(room: Room, viewer: Viewer, slow: Slow) -> None:
        await getattr(room, f"_do_{end}")(viewer)
        left, result = room.table.ply, room.table.result
        assert result == {"resign": "resigned", "end": "truncated"}[end]
        slow.fails = fails
        slow.may_answer.set()
        await settle(room)
        assert (room.table.ply, room.table.result) == (left, result)

    with_thinking(tmp_path / "games.db", work)


def test_not_played_where_a_person_has_come_back(tmp_path: Path) -> None:
    """Yellow's person, whose place the bot had taken, is there again while the bot thinks."""
    roster = SlowRoster()

    async def run(hub: Hub) -> None:
        hub.away_seconds = 0.001
        game_id = await create(
            hub, players={"red": "person", "yellow": "person"}, seed=4, forced=False,
            position=POSITION,
        )  # fmt: skip
        red, yellow = (Viewer(frozenset({seat}), False, None, 1000) for seat in ("red", "yellow"))
        async with hub.room(game_id) as room:
            await room.join(red)
            await until(lambda: room._replaceable("yellow"))
            await room._do_replace(red, "yellow", "greedy")
            while not roster.slow.asked.is_set():
                legal = room.table.state((0,))["legal"]
                if legal:
                    await room._do_move(red, legal[0]["move"], room.table.ply)
                await asyncio.sleep(0.005)
            ply = room.table.ply
            await room.join(yellow)
            assert room.table.players["yellow"] == "person"
            roster.slow.may_answer.set()
            await settle(room)
            assert room.table.ply == ply and room.table.actor == "yellow"
            assert not any(entry["by"] == "greedy" for entry in room.table.log)
            legal = room.table.state((2,))["legal"]
            await room._do_move(yellow, legal[0]["move"], ply)
            assert room.table.log[ply]["by"] == "person"

    with_hub(tmp_path / "games.db", run, roster)


def test_not_played_where_another_bot_has_its_place(tmp_path: Path) -> None:
    async def work(room: Room, viewer: Viewer, slow: Slow) -> None:
        ply = room.table.ply
        room._failed.add("yellow")  # as after a failure, so that it may be replaced
        await room._do_replace(viewer, "yellow", "random")
        slow.may_answer.set()
        await until(lambda: room.table.ply > ply)
        assert room.table.log[ply]["by"] == "random"

    with_thinking(tmp_path / "games.db", work)
