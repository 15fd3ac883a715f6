"""All games of a server: found, made, loaded when somebody looks, dropped when nobody does.

Read `room.py` before and `app.py` after this file.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
import time
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from typing import Any, Final

from sorry_env.bots.base import Bot
from sorry_env.engine.rng import MAX_SEED
from sorry_env.errors import MoveError, SorryError
from sorry_env.web.gathering import OWNER, Gathering, Viewer
from sorry_env.web.limits import Limits, Refusal
from sorry_env.web.match import match_over, next_setup, round_id
from sorry_env.web.room import Room
from sorry_env.web.roster import Roster
from sorry_env.web.setup import PERSON, Setup, digest, new_secret
from sorry_env.web.store import Store, StoreError
from sorry_env.web.table import Table

_log = logging.getLogger(__name__)

#: Games are called by so many letters and digits, which are easily told apart.
_ALPHABET: Final = "abcdefghjkmnpqrstuvwxyz23456789"
_ID_LENGTH: Final = 10
MAX_ID: Final = 32


class Hub:
    """The games of one server; used from one event loop.

    away_seconds: after which a bot may take the seat of somebody who is away; 0: never
    """

    def __init__(
        self, store: Store, roster: Roster, limits: Limits, away_seconds: float = 120.0
    ) -> None:
        self.store = store
        self.roster = roster
        self.limits = limits
        self.away_seconds = away_seconds
        self.rooms: dict[str, Room] = {}
        self._loading: dict[str, asyncio.Task[Room]] = {}
        self._thinking = ThreadPoolExecutor(limits.thinking, "bot")
        self._analyses = Workers(limits.analyses, limits.waiting, "analysis")
        self._readings = Workers(limits.analyses, limits.waiting, "reading")
        self._sweeper: asyncio.Task[None] | None = None
        # Games whose next move is the server's and that stand still, in the order they stopped.
        self._stopped: dict[str, None] = {}
        self._resumer: asyncio.Task[None] | None = None
        self._wait = limits.resume_seconds[0]

    def now(self) -> float:
        """Seconds, from whenever."""
        return time.monotonic()

    # -- from the beginning to the end --------------------------------------------------------

    async def start(self) -> None:
        """Go on with the games in which the server has the next move."""
        for game_id in await asyncio.wrap_future(self.store.unfinished()):
            await self._resume(game_id)
        self._sweeper = asyncio.create_task(self._sweep(), name="sweeper")

    def resume_later(self, game_id: str) -> None:
        """Go on with a game that stands still, as soon as games can be stored and opened again."""
        self._stopped[game_id] = None
        if self._resumer is None:
            self._resumer = asyncio.create_task(self._resume_all(), name="resumer")

    async def _resume_all(self) -> None:
        """Try stopped games until none is left: one at a time while storing fails, then all."""
        try:
            while self._stopped:
                await asyncio.sleep(self._wait)
                failing = self.store.failing
                first, longest = self.limits.resume_seconds
                self._wait = min(2 * self._wait, longest) if failing else first
                for game_id in list(self._stopped)[: 1 if failing else None]:
                    del self._stopped[game_id]
                    await self._resume(game_id, again=True)
        finally:
            self._resumer = None

    async def _resume(self, game_id: str, *, again: bool = False) -> None:
        """Open a game and make the server's moves; where that fails for now, later once more.

        again: whether it has been tried and told before
        """
        try:
            async with self.room(game_id) as room, room.lock:
                room.drive()
        except SorryError as error:
            later = isinstance(error, StoreError) or error.code == "too_many"
            if later:
                self.resume_later(game_id)
            if not (later and again):
                yet = " yet" if later else ""
                _log.warning("game %s cannot go on%s: %s", game_id, yet, error.message)

    async def stop(self) -> None:
        """End all tasks and threads; what is stored stays."""
        tasks = [self._resumer, self._sweeper, *(room.driver for room in self.rooms.values())]
        running = [task for task in tasks if task is not None]
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)
        for room in list(self.rooms.values()):
            for viewer in list(room.viewers):
                viewer.end()
        self._thinking.shutdown(wait=True, cancel_futures=True)
        self._analyses.close()
        self._readings.close()

    async def _sweep(self) -> None:
        while True:
            await asyncio.sleep(min(10.0, max(0.05, self.limits.idle_seconds / 2)))
            self.sweep()

    def sweep(self) -> None:
        """Drop the games that nobody looks at and that wait for a person."""
        for room in list(self.rooms.values()):
            idle = self.now() - room.touched >= self.limits.idle_seconds
            if idle and not room.users and not room.viewers and not room.lock.locked():
                room.closed = True
                self.forget(room)

    def forget(self, room: Gathering) -> None:
        """Let a room leave the memory."""
        if self.rooms.get(room.id) is room:
            del self.rooms[room.id]

    # -- games --------------------------------------------------------------------------------

    async def create(self, setup: Setup) -> tuple[str, dict[str, str], str, dict[str, Any]]:
        """A new game: its id, the secret of each person's agent, the owner's, what watchers see."""
        await self._check_room()
        persons = [agent for agent, player in setup.players.items() if player == PERSON]
        told = {agent: new_secret() for agent in persons}
        owner = new_secret()
        kept = {agent: digest(secret) for agent, secret in told.items()} | {OWNER: digest(owner)}
        table = Table(setup, dict(setup.players), kept, pace_ms=setup.pace_ms)
        if table.game.over:
            raise Refusal("over", "the game is over in this position")
        game_id = "".join(secrets.choice(_ALPHABET) for _ in range(_ID_LENGTH))
        await asyncio.wrap_future(self.store.create(game_id, table))
        async with self.room(game_id) as room, room.lock:
            state = room.state(Viewer(frozenset(), False, None, 1), whole=True)
            room.drive()
        return game_id, told, owner, state

    async def next_round(self, played: Room) -> str:
        """Make the round after one that is over: its id. People keep their seats and secrets."""
        await self._check_room()
        table = played.table
        setup = next_setup(table)
        made = Table(setup, dict(table.players), table.secrets, pace_ms=setup.pace_ms)
        game_id = round_id(played.id, setup.rounds + 1)
        await asyncio.wrap_future(self.store.create(game_id, made))
        await self._resume(game_id)  # where that fails it is there all the same
        return game_id

    async def _check_room(self) -> None:
        if await asyncio.wrap_future(self.store.playing()) >= self.limits.games:
            raise Refusal("too_many", "too many games are being played here")
        self._check_rooms()

    def _check_rooms(self) -> None:
        if len(self.rooms) >= self.limits.rooms:
            raise Refusal("too_many", "too many games are open; try again later")

    @asynccontextmanager
    async def room(self, game_id: str) -> AsyncIterator[Room]:
        """The room of a game, in memory as long as this lasts; Refusal where there is none."""
        room = self.rooms.get(game_id)
        while room is None or room.closed:  # it may be dropped again before we hold on to it
            task = self._loading.get(game_id)
            if task is None or task.done():
                task = self._loading[game_id] = asyncio.create_task(self._load(game_id))
            try:
                room = await asyncio.shield(task)
            finally:
                if task.done() and self._loading.get(game_id) is task:
                    del self._loading[game_id]
        room.users += 1
        try:
            yield room
        finally:
            room.users -= 1
            room.touched = self.now()

    async def _load(self, game_id: str) -> Room:
        if len(game_id) > MAX_ID:
            raise Refusal("not_found", "there is no such game", value=game_id)
        self._check_rooms()
        stored = await asyncio.wrap_future(self.store.load(game_id))
        if stored is None:
            raise Refusal("not_found", f"there is no game {game_id!r}", value=game_id)
        table = await asyncio.to_thread(stored.table)
        room = Room(self, game_id, table, stored.summary.created)
        if not match_over(table):
            following = round_id(game_id, table.setup.rounds + 2)
            if await asyncio.wrap_future(self.store.summary(following)) is not None:
                room.following = following
        self.rooms[game_id] = room
        return room

    # -- bots ---------------------------------------------------------------------------------

    async def make_bot(self, name: str, table: Table, agent: str) -> Bot:
        """A bot for an agent of a table."""
        setup = table.setup
        seed = (setup.seed + 1 + list(setup.players).index(agent)) & MAX_SEED
        rules = table.game.ruleset
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(
            self._thinking, lambda: self.roster.make(name, rules, setup.seats, seed)
        )

    async def think(self, bot: Bot, view: Any) -> int:
        """What a bot chooses, a legal action. MoveError for any other, and what the bot raises."""
        loop = asyncio.get_running_loop()
        action = await loop.run_in_executor(self._thinking, bot.choose, view)
        if action not in view.legal_actions():
            raise MoveError(f"bot {bot.name} chose {action}, which is not legal", value=action)
        return int(action)

    async def analyse(self, work: Callable[[], Any]) -> Any:
        """What a bot thinks; Refusal where too much waits already."""
        return await self._analyses.run(work)

    async def read(self, work: Callable[[], Any]) -> Any:
        """What a record says; Refusal where too much waits already."""
        return await self._readings.run(work)


class Workers:
    """Threads for work that takes its time, and how much may wait for them."""

    def __init__(self, threads: int, waiting: int, name: str) -> None:
        self._threads = ThreadPoolExecutor(threads, name)
        self._most = threads + waiting
        self._running = 0

    async def run(self, work: Callable[[], Any]) -> Any:
        """Its result, or what it raises; Refusal where too much waits already."""
        if self._running >= self._most:
            raise Refusal("too_many", "too much is asked for at once; try again later")
        self._running += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self._threads, work)
        finally:
            self._running -= 1

    def close(self) -> None:
        """End the threads."""
        self._threads.shutdown(wait=True, cancel_futures=True)
