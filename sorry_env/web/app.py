"""The application: every route in one table, made from settings; started and stopped as a whole.

Read `api.py`, `live.py` and `protocol.py` before and `serve.py` after this file.
"""

from __future__ import annotations

import asyncio
import ipaddress
from collections.abc import AsyncIterator, Collection
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.routing import BaseRoute, Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp

from sorry_env.errors import RequestError
from sorry_env.web import api, live, protocol
from sorry_env.web.body import refused
from sorry_env.web.guard import Guard, check_host
from sorry_env.web.hub import Hub
from sorry_env.web.limits import Buckets, Limits, Refusal
from sorry_env.web.prefix import PathPrefix, check_prefix
from sorry_env.web.roster import Roster
from sorry_env.web.store import Store

#: The page.
STATIC: Final = Path(__file__).with_name("static")
_INDEX: Final = STATIC / "index.html"


@dataclass(frozen=True)
class Settings:
    """What a server is started with.

    db:     the file in which games are kept
    bots:   folder of `.onnx` files, or None
    away:   seconds after which a bot may take the seat of somebody away; 0: never
    seed:   of the bots and draws of the bot protocol; None takes one from the system
    hosts:  names by which the server may be called besides addresses and `localhost`, see `Guard`
    root_path: the path prefix below which a proxy shows it, such as `/sorry`; "" for none
    proxies: addresses of proxies whose `X-Forwarded-For` and `X-Forwarded-Proto` are believed
    limits: how much it takes on

    Raises RequestError for a root path or a host that is none.
    """

    db: Path
    bots: Path | None = None
    away: float = 120.0
    seed: int | None = None
    hosts: Collection[str] = ()
    root_path: str = ""
    proxies: Collection[str] = ("127.0.0.1", "::1")
    limits: Limits = field(default_factory=Limits)

    def __post_init__(self) -> None:
        object.__setattr__(self, "root_path", check_prefix(self.root_path))
        for host in self.hosts:
            check_host(host)
        for address in self.proxies:
            try:
                ipaddress.ip_network(address)
            except ValueError:
                raise RequestError(
                    f"proxy {address[:80]!r} must be an address, such as 10.0.0.7, or a network, "
                    "such as 10.0.0.0/24",
                    value=address,
                ) from None


def make_app(settings: Settings, store: Store | None = None) -> ASGIApp:
    """The server as an ASGI application.

    store: the games, already open, which are then left open; None opens and closes `settings.db`
    """

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        games = Store(settings.db) if store is None else store
        try:
            roster = Roster(settings.bots)
            await asyncio.to_thread(roster.look)
            hub = Hub(games, roster, settings.limits, settings.away)
            sessions = protocol.Sessions(roster, settings.seed, settings.limits.thinking)
            many, a_minute = settings.limits.new_games
            app.state.hub = hub
            app.state.sessions = sessions
            app.state.sockets = live.Sockets(settings.limits.sockets)
            app.state.new_games = Buckets(many, a_minute / 60)
            await hub.start()
            try:
                yield
            finally:
                await hub.stop()
                sessions.close()
        finally:
            if store is None:
                games.close()

    app = Starlette(routes=_routes(), lifespan=lifespan, exception_handlers=_HANDLERS)
    guarded = Guard(app, settings.limits, settings.hosts)
    return PathPrefix(guarded, settings.root_path)


def _routes() -> list[BaseRoute]:
    def get(path: str, endpoint: api.Endpoint) -> Route:
        return Route(path, api.answering(endpoint), methods=["GET"])

    def post(path: str, endpoint: api.Endpoint) -> Route:
        return Route(path, api.answering(endpoint), methods=["POST"])

    return [
        get("/", _index),
        get("/api/schema", api.schema),
        get("/api/rulesets", api.rulesets),
        get("/api/ruleset", api.ruleset),
        get("/api/board", api.board),
        get("/api/bots", api.bots),
        get("/api/games", api.games),
        post("/api/games", api.create),
        get("/api/games/{game}", api.game),
        get("/api/games/{game}/record", api.record),
        get("/api/games/{game}/match/record", api.match_record),
        get("/api/games/{game}/replay", api.game_replay),
        WebSocketRoute("/api/games/{game}/ws", live.live),
        post("/api/replay", api.upload),
        post("/api/analysis", api.analysis),
        post("/v1", protocol.post),
        post("/v1/{type}", protocol.post),
        WebSocketRoute("/v1/bot", protocol.converse),
        Mount("/static", StaticFiles(directory=STATIC, check_dir=False)),
    ]


async def _index(request: Request) -> Response:
    """GET /: the page."""
    if not _INDEX.is_file():
        raise Refusal("not_found", "this installation has no page, only its API: see docs/serve.md")
    return FileResponse(_INDEX)


async def _refused(request: Request, error: Exception) -> Response:
    """What the router itself refuses: a path that is none, a method that a path does not have."""
    assert isinstance(error, HTTPException)
    code = "method_not_allowed" if error.status_code == 405 else "not_found"
    words = {"not_found": "there is nothing at this address",
             "method_not_allowed": f"{request.method} is not answered here"}  # fmt: skip
    return refused(Refusal(code, words[code]))


_HANDLERS = {HTTPException: _refused}
