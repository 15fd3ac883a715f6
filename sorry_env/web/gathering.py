"""People at a table: who is here and holds which seats, what each is shown, what is stored.

Read `table.py` and `store.py` before and `room.py` after this file.
"""

from __future__ import annotations

import asyncio
import math
from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from sorry_env.bots.base import Bot
from sorry_env.errors import SorryError
from sorry_env.json_text import write_json
from sorry_env.web.facts import ruleset_facts
from sorry_env.web.limits import Refusal, error_row
from sorry_env.web.match import match_row
from sorry_env.web.setup import PERSON, same
from sorry_env.web.table import Table

if TYPE_CHECKING:
    from sorry_env.web.hub import Hub

Row = dict[str, Any]

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


class Gathering(ABC):
    """People at one table; `Room` is what they can do.

    users: how many tasks hold on to it; without any it may leave the memory
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
        #: The id of the next round of its match, once there is one.
        self.following: str | None = None

    @abstractmethod
    def _drive(self) -> None:
        """Have the server's moves made while there are any."""

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
            "match": match_row(table, self.following),
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
        """Wait until something is on disk; where that fails, this room is no more.

        The game goes on from what is on disk: when somebody opens it, or by the hub's doing.
        """
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
        if error is not None:
            self.hub.resume_later(self.id)

    def _check_open(self) -> None:
        if self.closed:
            raise Refusal("not_now", "the game was closed; open it again")


def _dump(row: Row) -> str:
    return write_json(row, compact=True)
