"""Bot protocol 1 over HTTP and WebSocket: the same objects as over standard input and output.

`POST /v1` and `POST /v1/TYPE` take one request, the WebSocket `/v1/bot` one a message. Which bot
answers is said by `?bot=NAME`, one of those that the server offers. Read `../server/session.py` and
`live.py` before and `app.py` after this file.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Final

from starlette.requests import Request
from starlette.responses import Response
from starlette.websockets import WebSocket, WebSocketDisconnect

from sorry_env.engine.rng import given_or_fresh_seed
from sorry_env.errors import RequestError, SorryError
from sorry_env.server import protocol
from sorry_env.server.session import Session
from sorry_env.web.body import read_body
from sorry_env.web.limits import Refusal, error_row
from sorry_env.web.live import BROKEN, Sockets, close, receive
from sorry_env.web.roster import Roster

#: What is asked of a session; its answer is a line without its end.
Ask = Callable[[Session], str]

USUAL: Final = "greedy"
#: Requests that wait for a thread.
MOST_WAITING: Final = 200


class Sessions:
    """The sessions of one server: by HTTP one for each bot, by WebSocket one for each connection.

    seed: of all of them; None takes one from the system
    """

    def __init__(self, roster: Roster, seed: int | None, threads: int) -> None:
        self.roster = roster
        self.seed = given_or_fresh_seed(seed)
        self._shared: dict[str, tuple[Session, asyncio.Lock]] = {}
        self._threads = ThreadPoolExecutor(threads, "protocol")
        self._waiting = 0

    def close(self) -> None:
        """End the threads."""
        self._threads.shutdown(wait=True, cancel_futures=True)

    async def open(self, name: str) -> Session:
        """A session of one's own. RequestError for a bot that is not offered."""
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._threads, self.roster.session, name, self.seed)

    async def shared(self, name: str, ask: Ask) -> str:
        """The answer of the session that all requests for a bot share."""
        offered = await asyncio.to_thread(self.roster.offer, name)
        if offered.name not in self._shared:
            session = await self.open(name)
            self._shared.setdefault(name, (session, asyncio.Lock()))
        session, lock = self._shared[name]
        async with lock:
            return await self.answer(session, ask)

    async def answer(self, session: Session, ask: Ask) -> str:
        """What is asked of a session; Refusal where too many wait already."""
        if self._waiting >= MOST_WAITING:
            raise Refusal("too_many", "too many requests wait; try again later")
        self._waiting += 1
        try:
            loop = asyncio.get_running_loop()
            text = await loop.run_in_executor(self._threads, ask, session)
        finally:
            self._waiting -= 1
        return self.roster.private(text)


async def post(request: Request) -> Response:
    """POST /v1 and /v1/TYPE"""
    sessions: Sessions = request.app.state.sessions
    limits = request.app.state.hub.limits
    kind = request.path_params.get("type")
    if kind is not None and kind not in protocol.REQUESTS:
        raise Refusal("not_found", f"there is no request {kind[:40]!r}")
    line: bytes | None
    try:
        line = await read_body(request, protocol.MAX_LINE, limits.body_seconds)
    except Refusal as refusal:
        if refusal.code != protocol.TOO_LARGE:
            raise
        line = None
    text = await sessions.shared(request.query_params.get("bot", USUAL), _ask(line, kind))
    error = text[text.find(',"type":') :].startswith(',"type":"error"')
    status = 413 if line is None else 400 if error else 200
    headers = {"connection": "close"} if line is None else None
    return Response(text, status, headers, media_type="application/json")


def _ask(line: bytes | None, kind: str | None) -> Ask:
    """A request's line, with the type of its path if it names none.

    Raises RequestError for a type that belongs to another path.
    """
    if line is not None and kind is not None:
        try:
            row = protocol.read_object(line)
        except SorryError:
            return lambda session: session.answer_line(line)  # which says what is wrong with it
        if "type" not in row:
            return lambda session: protocol.write_line(session.answer({**row, "type": kind}))
        if row["type"] != kind and row["type"] in list(protocol.REQUESTS):
            raise RequestError(f"type {row['type']} does not belong to this path", value=kind)
    return lambda session: session.answer_line(line)


async def converse(socket: WebSocket) -> None:
    """/v1/bot"""
    sessions: Sessions = socket.app.state.sessions
    sockets: Sockets = socket.app.state.sockets
    with sockets:
        await socket.accept()
        try:
            session = await sessions.open(socket.query_params.get("bot", USUAL))
        except SorryError as error:
            row = error_row(error)
            await socket.send_text(protocol.write_line({"id": None, **row}))
            await close(socket, BROKEN)
            return
        try:
            while True:
                data = await receive(socket)
                await socket.send_text(await _answer(sessions, session, data))
        except WebSocketDisconnect:
            return


async def _answer(sessions: Sessions, session: Session, data: bytes) -> str:
    line = data if len(data) <= protocol.MAX_LINE else None
    try:
        return await sessions.answer(session, lambda session: session.answer_line(line))
    except Refusal as refusal:
        return protocol.write_line({"id": None, **error_row(refusal)})
