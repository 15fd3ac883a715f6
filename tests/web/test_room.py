"""What a room keeps track of: who asks for what, who is here, which seed a bot has, what is stored.

Without a server in between, so that each step is seen by itself.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from sorry_env.bots.base import Bot
from sorry_env.web.gathering import Viewer
from sorry_env.web.hub import Hub
from sorry_env.web.limits import Refusal
from sorry_env.web.room import Room
from sorry_env.web.roster import Roster
from tests.web.test_hub import create, until_over, with_hub
from tests.web.test_thinking import POSITION, settle

pytestmark = pytest.mark.timeout(120)

BOTH = {"red": "person", "yellow": "person"}


def seat(name: str, owner: bool = False) -> Viewer:
    return Viewer(frozenset({name} if name else ()), owner, None, 1000)


def with_room(
    db: Path, work: Callable[[Room, Viewer, Viewer], Awaitable[None]], **fields: Any
) -> None:
    """Do something with a game of two people, both of whom are there."""
    fields = {"players": BOTH, "position": POSITION, "seed": 4, "forced": False} | fields

    async def run(hub: Hub) -> None:
        game_id = await create(hub, **fields)
        async with hub.room(game_id) as room:
            red, yellow = seat("red"), seat("yellow")
            await room.join(red)
            await room.join(yellow)
            await settle(room)
            await work(room, red, yellow)

    with_hub(db, run)


async def move(room: Room, viewer: Viewer) -> None:
    """Play the first legal move for whoever decides."""
    seats = room.table.seats_of(viewer.agents)
    legal = room.table.state(seats)["legal"]
    assert legal, "another seat decides"
    await room._do_move(viewer, legal[0]["move"], room.table.ply)


@pytest.mark.parametrize("off", [-1, 1])
def test_a_move_for_another_ply_is_refused(tmp_path: Path, off: int) -> None:
    async def work(room: Room, red: Viewer, yellow: Viewer) -> None:
        await move(room, red)
        line, ply = room.table.line(), room.table.ply
        legal = room.table.state((2,))["legal"]
        with pytest.raises(Refusal, match="not the one due") as refused:
            await room._do_move(yellow, legal[0]["move"], ply + off)
        assert refused.value.code == "stale"
        assert (room.table.line(), room.table.ply) == (line, ply)

    with_room(tmp_path / "games.db", work)


def test_only_the_seat_that_decides_moves(tmp_path: Path) -> None:
    async def work(room: Room, red: Viewer, yellow: Viewer) -> None:
        legal = room.table.state((0,))["legal"]
        for other in (yellow, seat("")):
            with pytest.raises(Refusal, match="another seat decides"):
                await room._do_move(other, legal[0]["move"], room.table.ply)
        assert room.table.ply == 0

    with_room(tmp_path / "games.db", work)


@pytest.mark.parametrize("what", ["move", "resign", "refusal"])
def test_a_question_about_taking_back_ends_with_what_comes_next(tmp_path: Path, what: str) -> None:
    async def work(room: Room, red: Viewer, yellow: Viewer) -> None:
        await move(room, red)
        await room._do_undo(red)
        assert room.state(yellow)["undo_asked"] == {"by": "red", "plies": 1}
        if what == "move":
            await move(room, yellow)
        elif what == "resign":
            await room._do_resign(yellow)
        else:
            await room._do_undo_answer(yellow, False)
        ply = room.table.ply
        assert room.state(yellow)["undo_asked"] is None
        with pytest.raises(Refusal, match=r"nobody asks you|the game is over"):
            await room._do_undo_answer(yellow, True)
        assert room.table.ply == ply

    with_room(tmp_path / "games.db", work)


def test_what_is_taken_back_is_gone_from_the_file_too(tmp_path: Path) -> None:
    async def work(room: Room, red: Viewer, yellow: Viewer) -> None:
        line = room.table.line()
        await move(room, red)
        await move(room, yellow)
        assert room.table.before_draw is not None
        await room._do_undo(red)
        await room._do_undo_answer(yellow, True)
        assert room.table.line() == line and room.table.log == []
        assert room.state(red)["before_draw"] is None, "it was the line before another draw"
        stored = await asyncio.wrap_future(room.hub.store.load(room.id))
        assert stored is not None and stored.moves == [] and stored.summary.plies == 0
        await move(room, red)
        stored = await asyncio.wrap_future(room.hub.store.load(room.id))
        assert stored is not None and stored.table().line() == room.table.line()

    with_room(tmp_path / "games.db", work)


def test_whoever_looks_twice_is_here_until_both_are_closed(tmp_path: Path) -> None:
    async def work(room: Room, red: Viewer, yellow: Viewer) -> None:
        again = seat("red")
        await room.join(again)
        for gone, here in ((red, True), (again, False)):
            await room.leave(gone)
            assert room.state(yellow)["players"]["red"]["here"] is here
            assert (room.state(yellow)["players"]["red"]["away_s"] is None) is here
        assert room.state(yellow)["players"]["yellow"]["here"]

    with_room(tmp_path / "games.db", work)


def test_time_away_counts_from_leaving(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def work(room: Room, red: Viewer, yellow: Viewer) -> None:
        room.hub.away_seconds = 10.0
        monkeypatch.setattr(room.hub, "now", lambda: 1000.0)
        await room.leave(red)
        for now, left in ((1000.0, 10.0), (1004.0, 6.0), (1009.96, 0.1), (1010.0, 0), (2000.0, 0)):
            monkeypatch.setattr(room.hub, "now", lambda now=now: now)
            player = room.state(yellow)["players"]["red"]
            assert player["away_s"] == pytest.approx(now - 1000, abs=0.06)
            assert player["replaceable_in"] == pytest.approx(left)
            assert player["replaceable"] is (left == 0)

    with_room(tmp_path / "games.db", work)


def test_a_game_that_is_given_up_keeps_its_cards_to_itself(tmp_path: Path) -> None:
    """While it is played a record has no seed; its last line is the one before the last draw."""

    async def work(room: Room, red: Viewer, yellow: Viewer) -> None:
        await move(room, red)
        before = room.table.before_draw
        stored = await asyncio.wrap_future(room.hub.store.load(room.id))
        assert stored is not None and before is not None and before != room.table.line()
        so_far = room.table.record("x", stored.positions, so_far=True)
        assert so_far.header["seed"] == 0 and so_far.end["position"] == before
        assert so_far.end["reason"] == "truncated"
        await room._do_resign(yellow)
        record = room.table.record("x", stored.positions)
        assert record.header["seed"] == 4 and record.end["position"] == before
        assert record.end["returns"] == {"red": 1.0, "yellow": -1.0}
        assert room.table.state((0,))["legal"] == room.table.state((2,))["legal"] == []

    with_room(tmp_path / "games.db", work)


class Listening(Roster):
    """Notes the seeds of the bots it makes."""

    def __init__(self) -> None:
        super().__init__()
        self.seeds: list[int] = []

    def make(self, name: str, ruleset: Any, seats: tuple[int, ...], seed: int) -> Bot:
        self.seeds.append(seed)
        return super().make(name, ruleset, seats, seed)


def test_bots_of_one_name_have_seeds_of_their_own(tmp_path: Path) -> None:
    """Otherwise they would draw the same numbers; and a game follows from its seed alone."""
    logs, seeds = [], []
    for number in range(2):
        roster = Listening()

        async def work(hub: Hub) -> None:
            players = dict.fromkeys(("red", "blue", "yellow"), "random")
            game_id = await create(hub, players=players, seats=3, seed=3)
            logs.append((await until_over(hub, game_id)).table.log)

        with_hub(tmp_path / f"{number}.db", work, roster)
        playing = roster.seeds[3:]  # the first three were made to see whether they can play
        assert len(set(playing)) == len(playing) == 3
        seeds.append(set(playing))
    assert seeds[0] == seeds[1] and logs[0] == logs[1]
