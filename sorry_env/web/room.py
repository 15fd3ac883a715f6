"""A game at a server: what people ask for, and the moves that the server makes itself.

Everything that changes a game happens under the room's lock, and is stored before it is told. The
moves that the server makes, of bots and without a choice, are made by one task while there are any.
Where storing fails, the room closes: what is on disk holds, and the hub goes on from there. Read
`gathering.py` and `messages.py` before and `hub.py` after this file.
"""

from __future__ import annotations

import asyncio
import logging
from typing import Any

from sorry_env.errors import RequestError, SorryError
from sorry_env.server.positions import Position
from sorry_env.web.analysis import analyse, hint
from sorry_env.web.gathering import Gathering, Viewer
from sorry_env.web.limits import Refusal, error_row
from sorry_env.web.match import match_over
from sorry_env.web.messages import Message
from sorry_env.web.setup import PERSON, check_pace
from sorry_env.web.store import StoreError
from sorry_env.web.table import Played

Row = dict[str, Any]
_log = logging.getLogger(__name__)


class Room(Gathering):
    """A table with people at it: does what they ask, and makes the server's moves."""

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

    async def _do_next_round(self, viewer: Viewer) -> Row:
        async with self.lock:
            self._check_open()
            self._check_person(viewer)
            if self.table.setup.target_score is None:
                raise Refusal("not_now", "this game is no round of a match")
            if not self.table.over:
                raise Refusal("running", "this round is still played")
            if match_over(self.table):
                raise Refusal("over", "the match is over")
            if self.following is None:
                self.following = await self.hub.next_round(self)
                self._tell_state("round")
            return {"type": "next_round", "game": self.following}

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
        except StoreError:
            pass  # the store has told it, the room is closed, and the hub goes on later
        except SorryError as error:
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
