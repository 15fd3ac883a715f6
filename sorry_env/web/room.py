"""A table with people at it: who is here, who may do what, whose move it is, who is told.

Everything that changes a game happens under the room's lock, and is stored before it is told. The
moves that the server makes, of bots and without a choice, are made by one task while there are any.
Where storing fails, the room closes: what is on disk holds. Read `table.py`, `store.py` and
`messages.py` before and `hub.py` after this file.
"""

from __future__ import annotations

import asyncio
import json
import logging
import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from sorry_env.bots.base import Bot
from sorry_env.errors import RequestError, SorryError
from sorry_env.server.positions import Position
from sorry_env.web.analysis import analyse, hint
from sorry_env.web.facts import ruleset_facts
from sorry_env.web.limits import Refusal, error_row
from sorry_env.web.messages import Message
from sorry_env.web.setup import PERSON, check_pace, same
from sorry_env.web.table import Played, Table

if TYPE_CHECKING:
    from sorry_env.web.hub import Hub

Row = dict[str, Any]
_log = logging.getLogger(__name__)

OWNER = "owner"


class Viewer:
    """Somebody who looks at a game: a WebSocket, what it holds, what it is still to be sent.

    agents: for whom it decides; none: it watches
    owner:  whether it made the game
    """

    def __init__(self, agents: frozenset[str], owner: bool, name: str | None, most: int) -> None:
        self.agents = agents
        self.owner = owner
        self.name = name
        self.messages: asyncio.Queue[str | None] = asyncio.Queue(most)
        self.lost = False

    def send(self, text: str) -> None:
        """Let it be sent; whoever does not read what he is sent is left behind."""
        if self.lost:
            return
        try:
            self.messages.put_nowait(text)
        except asyncio.QueueFull:
            self.end()

    def end(self) -> None:
        """Send nothing more: what waits is dropped and the connection closed."""
        self.lost = True
        while not self.messages.empty():
            self.messages.get_nowait()
        self.messages.put_nowait(None)


class Room:
    """One game at a server.

    users: how many tasks hold on to it; a room without any may leave the memory
    """

    def __init__(self, hub: Hub, game_id: str, table: Table, created: str) -> None:
        self.hub = hub
        self.id = game_id
        self.table = table
        self.created = created
        self.lock = asyncio.Lock()
        self.viewers: set[Viewer] = set()
        self.users = 0
        self.touched = hub.now()
        self.closed = False
        self.driver: asyncio.Task[None] | None = None
        self._away = dict.fromkeys(table.persons(), hub.now())
        self._here: dict[str, int] = dict.fromkeys(table.persons(), 0)
        self._bots: dict[str, Bot] = {}
        self._failed: set[str] = set()
        self._undo: tuple[str, int, set[str]] | None = None
        self._next_move = 0.0
        self._changes = 0

    # -- who is here --------------------------------------------------------------------------

    def agents_of(self, secrets: list[str]) -> tuple[frozenset[str], bool]:
        """The agents that these secrets are for, and whether one is the owner's.

        Raises Refusal for a secret that is none of this game's.
        """
        held, owner = set(), False
        for secret in secrets:
            names = [name for name, kept in self.table.secrets.items() if same(secret, kept)]
            if not names:
                raise Refusal("forbidden", "this is no secret of a seat in this game")
            owner |= names[0] == OWNER
            held |= set(names) - {OWNER}
        return frozenset(held), owner

    async def join(self, viewer: Viewer) -> None:
        """Let somebody look: all that happened so far is sent, and from now on everything."""
        async with self.lock:
            self._check_open()
            if len(self.viewers) >= self.hub.limits.viewers:
                raise Refusal("too_many", "too many people look at this game")
            back = [a for a in viewer.agents if self.table.players[a] != PERSON]
            for agent in back:
                self.table.players[agent] = PERSON
                self._bots.pop(agent, None)
                self._changes += 1
            if back:
                await self._keep(self.hub.store.changed(self.id, self.table))
            self.viewers.add(viewer)
            for agent in viewer.agents:
                self._here[agent] += 1
            viewer.send(self._welcome(viewer))
            if viewer.agents:
                self._tell_state("players", besides=viewer)
            self._drive()

    async def leave(self, viewer: Viewer) -> None:
        """Somebody has gone."""
        async with self.lock:
            self.touched = self.hub.now()
            if viewer not in self.viewers:
                return
            self.viewers.discard(viewer)
            for agent in viewer.agents:
                self._here[agent] -= 1
                self._away[agent] = self.hub.now()
            if viewer.agents and not self.closed:
                self._tell_state("players")

    def _welcome(self, viewer: Viewer) -> str:
        held = self.table.seats_of(viewer.agents)
        names = self.table.family.seat_names
        return _dump({
            "type": "welcome", "game": self.id, "you": [names[seat] for seat in held],
            "owner": viewer.owner, "created": self.created, "name": self.table.setup.name,
            "log": self.table.log, "state": self.state(viewer, whole=True),
        })  # fmt: skip

    # -- what is shown ------------------------------------------------------------------------

    def state(self, viewer: Viewer, *, whole: bool = False) -> Row:
        """The state for a viewer; ``whole`` with the facts of the ruleset."""
        table = self.table
        row = table.state(table.seats_of(viewer.agents))
        asked = self._undo
        names = table.family.seat_names
        row |= {
            "players": {names[s]: self._player(s) for s in table.setup.seats},
            "can_undo": bool(
                table.setup.undo and not table.over and table.undo_plies(viewer.agents)
            ),
            "undo_asked": None if asked is None else {"by": asked[0], "plies": asked[1]},
            "hints": table.setup.hints or table.over,
        }
        if whole:
            row["facts"] = ruleset_facts(table.setup.ruleset)
        return row

    def _player(self, seat: int) -> Row:
        agent = self.table.setup.agent(seat)
        player = self.table.players[agent]
        person = player == PERSON
        here = bool(self._here.get(agent))
        away = None if here or agent not in self._away else self.hub.now() - self._away[agent]
        names = [v.name for v in self.viewers if agent in v.agents and v.name]
        return {
            "kind": PERSON if person else "bot",
            "bot": None if person else player,
            "name": names[0] if names and person else None,
            "here": here or not person,
            "away_s": None if away is None else round(away, 1),
            "replaceable": self._replaceable(agent),
            "replaceable_in": self._replaceable_in(agent),
        }

    def _replaceable(self, agent: str) -> bool:
        return self._replaceable_in(agent) == 0

    def _replaceable_in(self, agent: str) -> float | None:
        """Seconds until a bot may take a seat, None where it may not."""
        if self.table.over:
            return None
        if agent in self._failed:
            return 0
        limit = self.hub.away_seconds
        if self.table.players[agent] != PERSON or self._here.get(agent) or not limit:
            return None
        left = limit - (self.hub.now() - self._away[agent])
        return max(0.0, math.ceil(10 * left) / 10)

    def _tell(self, make: Callable[[Viewer], Row], besides: Viewer | None = None) -> None:
        """Send everybody what is made for him; whoever holds the same seats gets the same."""
        made: dict[frozenset[str], str] = {}
        for viewer in list(self.viewers):
            if viewer is besides:
                continue
            if viewer.agents not in made:
                made[viewer.agents] = _dump(make(viewer))
            viewer.send(made[viewer.agents])

    def _tell_state(self, reason: str, besides: Viewer | None = None, **more: Any) -> None:
        self._tell(
            lambda v: {"type": "state", "reason": reason, **more, "state": self.state(v)}, besides
        )

    # -- what is stored -----------------------------------------------------------------------

    async def _keep(self, stored: Any) -> None:
        """Wait until something is on disk; where that fails, this room is no more."""
        try:
            await asyncio.shield(asyncio.wrap_future(stored))
        except asyncio.CancelledError:
            await asyncio.wait([asyncio.wrap_future(stored)])
            raise
        except SorryError as error:
            self._close(error)
            raise

    def _close(self, error: SorryError | None = None) -> None:
        self.closed = True
        self.hub.forget(self)
        for viewer in list(self.viewers):
            if error is not None:
                viewer.send(_dump(error_row(error)))
            viewer.end()

    def _check_open(self) -> None:
        if self.closed:
            raise Refusal("not_now", "the game was closed; open it again")

    # -- what people ask for ------------------------------------------------------------------

    async def answer(self, viewer: Viewer, message: Message) -> Row:
        """Do what a message asks for; the answer without its id. Any SorryError refuses it."""
        action = getattr(self, f"_do_{message.type}", None)
        if action is None:
            raise Refusal("not_now", "you have joined already")
        answer: Row | None = await action(viewer, **message.fields)
        return {"type": "ok"} if answer is None else answer

    async def _do_ping(self, viewer: Viewer) -> Row:
        return {"type": "pong"}

    async def _do_move(self, viewer: Viewer, move: str, ply: int) -> None:
        async with self.lock:
            self._check_running()
            if ply != self.table.ply:
                raise Refusal("stale", f"ply {ply} is not the one due, {self.table.ply}")
            if self.table.actor not in viewer.agents:
                raise Refusal("forbidden", "another seat decides")
            await self._play(move, PERSON)
            self._drive()

    async def _play(self, move: Any, by: str) -> None:
        """Play, store, tell."""
        played = self.table.play(move, by)
        self._changes += 1
        self._undo = None
        await self._keep(self.hub.store.played(self.id, self.table, played))
        self._next_move = self.hub.now() + self.table.pace_ms / 1000
        self._tell(lambda viewer: self._move_row(viewer, played))

    def _move_row(self, viewer: Viewer, played: Played) -> Row:
        return {
            "type": "move", "entry": played.entry, "events": played.events,
            "state": self.state(viewer),
        }  # fmt: skip

    def _check_running(self) -> None:
        self._check_open()
        if self.table.over:
            raise Refusal("over", "the game is over")

    def _check_person(self, viewer: Viewer) -> None:
        if not viewer.agents and not viewer.owner:
            raise Refusal("forbidden", "whoever watches has no say in the game")

    async def _do_undo(self, viewer: Viewer) -> None:
        async with self.lock:
            self._check_running()
            if not viewer.agents:
                raise Refusal("forbidden", "whoever watches has nothing to take back")
            if not self.table.setup.undo:
                raise Refusal("not_now", "this game is played without taking back")
            plies = self.table.undo_plies(viewer.agents)
            if not plies:
                raise Refusal("not_now", "there is no choice of yours to take back")
            asked = self._others(viewer)
            if not asked:
                await self._take_back(plies)
                return
            by = self.table.family.seat_names[self.table.seats_of(viewer.agents)[0]]
            self._undo = (by, plies, asked)
            self._tell(lambda _: {"type": "undo_asked", "by": by, "plies": plies})

    def _others(self, viewer: Viewer) -> set[str]:
        """The other people in the game; whoever is away for too long is not asked."""
        return {
            agent
            for agent, player in self.table.players.items()
            if player == PERSON and agent not in viewer.agents and not self._replaceable(agent)
        }

    async def _do_undo_answer(self, viewer: Viewer, yes: bool) -> None:
        async with self.lock:
            self._check_running()
            if self._undo is None or not viewer.agents & self._undo[2]:
                raise Refusal("not_now", "nobody asks you to take anything back")
            _, plies, asked = self._undo
            if not yes:
                self._undo = None
                by = self.table.family.seat_names[self.table.seats_of(viewer.agents)[0]]
                self._tell(lambda _: {"type": "undo_refused", "by": by})
                return
            asked -= viewer.agents
            if not asked:
                await self._take_back(plies)

    async def _take_back(self, plies: int) -> None:
        self.table.take_back(plies)
        self._changes += 1
        self._undo = None
        await self._keep(self.hub.store.changed(self.id, self.table))
        self._tell_state("undo", log=self.table.log)
        self._drive()

    async def _do_resign(self, viewer: Viewer, seat: str | None = None) -> None:
        async with self.lock:
            self._check_running()
            agents = self._agents_named(seat) if seat is not None else viewer.agents
            if not agents or not agents <= viewer.agents:
                raise Refusal("forbidden", "only your own seat can be given up")
            persons = [p for p in self.table.players.values() if p == PERSON]
            if len(self.table.players) > 2 and len(persons) > 1:
                raise Refusal("not_now", "the others play on: a bot can take your seat instead")
            self.table.give_up(next(iter(sorted(agents))))
            await self._ended()

    async def _do_end(self, viewer: Viewer) -> None:
        async with self.lock:
            self._check_running()
            others = self._others(viewer)
            if not (viewer.owner or viewer.agents) or others:
                raise Refusal("forbidden", "a game that others play cannot be broken off")
            self.table.break_off()
            await self._ended()

    async def _ended(self) -> None:
        self._changes += 1
        self._undo = None
        await self._keep(self.hub.store.changed(self.id, self.table))
        self._tell_state("end")

    async def _do_pace(self, viewer: Viewer, pace_ms: int) -> None:
        async with self.lock:
            self._check_running()
            self._check_person(viewer)
            self.table.pace_ms = check_pace(pace_ms)
            self._next_move = min(self._next_move, self.hub.now() + pace_ms / 1000)
            await self._keep(self.hub.store.changed(self.id, self.table))
            self._tell_state("pace")

    async def _do_replace(self, viewer: Viewer, seat: str, bot: str) -> None:
        async with self.lock:
            self._check_running()
            self._check_person(viewer)
            agent = next(iter(self._agents_named(seat)))
            if not self._replaceable(agent):
                raise Refusal("not_now", f"{seat} is not away, or not for long enough")
            made = await self.hub.make_bot(bot, self.table, agent)
            self.table.players[agent] = bot
            self._bots[agent] = made
            self._failed.discard(agent)
            self._changes += 1
            await self._keep(self.hub.store.changed(self.id, self.table))
            self._tell_state("players")
            self._drive()

    def _agents_named(self, seat: str) -> frozenset[str]:
        names = self.table.family.seat_names
        seats = [s for s in self.table.setup.seats if names[s] == seat]
        if not seats:
            raise RequestError(f"seat {seat!r} does not play here", value=seat)
        return frozenset({self.table.setup.agent(seats[0])})

    # -- hints and analysis -------------------------------------------------------------------

    async def _do_hint(self, viewer: Viewer, bot: str = "greedy") -> Row:
        name, game, ply = await self._to_think_about(viewer, bot)
        found = await self.hub.analyse(
            lambda: hint(self.hub.roster.make(name, game.ruleset, game.seats, 0), game)
        )
        return {"type": "hint", "ply": ply, "bot": name, **found}

    async def _do_analysis(self, viewer: Viewer, bot: str) -> Row:
        name, game, ply = await self._to_think_about(viewer, bot)
        seat = game.actor if game.ruleset.hand else None
        position = Position(self.table.family, game, seat)

        def think() -> Row:
            made = self.hub.roster.make(name, game.ruleset, game.seats, 0)
            return analyse(made, name, position)

        found: Row = await self.hub.analyse(think)
        return found | {"ply": ply}

    async def _to_think_about(self, viewer: Viewer, bot: str) -> tuple[str, Any, int]:
        async with self.lock:
            self._check_running()
            if not self.table.setup.hints:
                raise Refusal("not_now", "this game is played without hints")
            if self.table.game.ruleset.hand and self.table.actor not in viewer.agents:
                raise Refusal("forbidden", "that would tell of a hand that is not yours")
            return bot, self.table.game.copy(), self.table.ply

    # -- the moves of the server --------------------------------------------------------------

    def _drive(self) -> None:
        """Have the server's moves made while there are any."""
        busy = self.driver is not None and not self.driver.done()
        if not busy and self._servers_turn():
            self.users += 1
            self.driver = asyncio.create_task(self._play_on(), name=f"game {self.id}")

    def drive(self) -> None:
        """As after a restart: go on where the server has the next move."""
        self._drive()

    def _servers_turn(self) -> bool:
        table = self.table
        return not self.closed and table.by_server() and table.actor not in self._failed

    async def _play_on(self) -> None:
        try:
            while await self._server_move():
                pass
        except SorryError as error:  # storing failed, and the room is closed
            _log.warning("game %s: %s", self.id, error.message)
        finally:
            self.driver = None
            self.users -= 1
            self.touched = self.hub.now()

    async def _server_move(self) -> bool:
        """Make the next move if it is the server's; whether there may be one more."""
        wait = self._next_move - self.hub.now()
        if wait > 0:
            await asyncio.sleep(min(wait, 0.25))
            return True
        async with self.lock:
            if not self._servers_turn():
                return False
            agent, changes = self.table.actor, self._changes
            player = self.table.players[agent]
            if self.table.forced():
                await self._play(self.table.game.legal_moves()[0], player)
                return True
            view = self.table.game.view(self.table.game.actor)
        try:
            if agent not in self._bots:
                self._bots[agent] = await self.hub.make_bot(player, self.table, agent)
            action = await self.hub.think(self._bots[agent], view)
        except Exception as error:  # whatever a bot does, the other games go on
            await self._fail(agent, changes, error)
            return True
        async with self.lock:
            if changes == self._changes and not self.closed:
                await self._play(view.describe(action), player)
        return True

    async def _fail(self, agent: str, changes: int, error: Exception) -> None:
        """A bot has no move: the game waits for another bot in its place."""
        text = error.message if isinstance(error, SorryError) else type(error).__name__
        _log.warning("game %s: the bot of %s fails: %s", self.id, agent, text)
        async with self.lock:
            if changes != self._changes:
                return
            self._failed.add(agent)
            self._bots.pop(agent, None)
            words = f"the bot of {agent} has no move; let another one take its place"
            self._tell(lambda _: error_row(Refusal("failed", words)))
            self._tell_state("players")


def _dump(row: Row) -> str:
    return json.dumps(row, separators=(",", ":"), allow_nan=False)
