"""A game's WebSocket: one client, what it asks for, what it is told.

Read `room.py` and `api.py` before and `protocol.py` after this file.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Any, Final

from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

from sorry_env.errors import RequestError, SorryError
from sorry_env.json_text import write_json
from sorry_env.server import protocol
from sorry_env.web.gathering import Viewer
from sorry_env.web.hub import Hub
from sorry_env.web.limits import Bucket, Refusal, error_row
from sorry_env.web.messages import Message, message_id, read_message
from sorry_env.web.room import Room

Row = dict[str, Any]

#: Closing codes: broken rules, too slow to read, try again later.
BROKEN, SLOW, LATER = 1008, 1013, 1013
#: Refused messages in a row after which a flood is cut off.
MOST_REFUSED: Final = 50
#: What is answered beside the messages that follow.
_LONG: Final = ("hint", "analysis")


class Sockets:
    """How many WebSockets there are; Refusal for one too many."""

    def __init__(self, most: int) -> None:
        self.most = most
        self.count = 0

    def __enter__(self) -> Sockets:
        if self.count >= self.most:
            raise Refusal("too_many", "too many connections")
        self.count += 1
        return self

    def __exit__(self, *_: object) -> None:
        self.count -= 1


async def receive(socket: WebSocket, seconds: float | None = None) -> bytes:
    """The next message, text or bytes. WebSocketDisconnect at the end, TimeoutError after that."""
    async with asyncio.timeout(seconds):
        message = await socket.receive()
    if message["type"] == "websocket.disconnect":
        raise WebSocketDisconnect(message.get("code", 1005))
    data: bytes | None = message.get("bytes")
    return str(message["text"]).encode("utf-8", "surrogatepass") if data is None else data


async def close(socket: WebSocket, code: int) -> None:
    """Close unless it is closed already."""
    if socket.application_state is not WebSocketState.DISCONNECTED:
        with suppress(RuntimeError, WebSocketDisconnect, OSError):
            await socket.close(code)


async def live(socket: WebSocket) -> None:
    """/api/games/ID/ws"""
    hub: Hub = socket.app.state.hub
    sockets: Sockets = socket.app.state.sockets
    with sockets:
        await socket.accept()
        try:
            async with hub.room(socket.path_params["game"]) as room:
                viewer = await _join(socket, hub, room)
                await _talk(socket, hub, room, viewer)
        except (SorryError, TimeoutError) as error:
            await _last_words(socket, error)
        except WebSocketDisconnect:
            return


async def _last_words(socket: WebSocket, error: Exception) -> None:
    told = error if isinstance(error, SorryError) else Refusal("timeout", "nobody has joined")
    with suppress(RuntimeError, WebSocketDisconnect, OSError):
        await socket.send_text(write_json(error_row(told)))
    await close(socket, LATER if told.code == "too_many" else BROKEN)


async def _join(socket: WebSocket, hub: Hub, room: Room) -> Viewer:
    """Read the first message, which must be `join`."""
    data = await receive(socket, hub.limits.join_seconds)
    row = _read(data, hub.limits.message)
    message = read_message(row)
    if message.type != "join":
        raise RequestError(f"the first message must be join, not {message.type}", value=None)
    agents, owner = room.agents_of(message.fields.get("secrets", []))
    name = "".join(c for c in message.fields.get("name", "") if c.isprintable()).strip()
    viewer = Viewer(agents, owner, name or None, hub.limits.unsent)
    await room.join(viewer)
    return viewer


def _read(data: bytes, most: int) -> Row:
    if len(data) > most:
        raise Refusal("too_large", f"a message has at most {most} bytes")
    return protocol.read_object(data)


async def _talk(socket: WebSocket, hub: Hub, room: Room, viewer: Viewer) -> None:
    sender = asyncio.create_task(_send_all(socket, viewer))
    bucket = Bucket(*hub.limits.messages)
    thinking: asyncio.Task[None] | None = None
    refused = 0
    try:
        while refused < MOST_REFUSED:
            data = await receive(socket)
            found = _message(viewer, data, hub.limits.message)
            if not bucket.take():
                refused += 1
                if found is not None:
                    flood = Refusal("too_many", "too many messages; wait a moment")
                    _answer(viewer, found[0], error_row(flood))
                continue
            refused = 0
            if found is None:
                continue
            name, message = found
            if message.type not in _LONG:
                await _answer_to(room, viewer, name, message)
            elif thinking is not None and not thinking.done():
                busy = Refusal("too_many", "one thing after another: it still thinks")
                _answer(viewer, name, error_row(busy))
            else:
                thinking = asyncio.create_task(_answer_to(room, viewer, name, message))
        await close(socket, BROKEN)
    except WebSocketDisconnect:
        return
    finally:
        sender.cancel()
        if thinking is not None:
            thinking.cancel()
        # The others are told even where this task is being cancelled.
        await asyncio.shield(room.leave(viewer))


def _message(viewer: Viewer, data: bytes, most: int) -> tuple[Any, Message] | None:
    """The message's id and the message; where it is none, that is answered."""
    name = None
    try:
        row = _read(data, most)
        name = message_id(row)
        return name, read_message(row)
    except SorryError as error:
        _answer(viewer, name, error_row(error))
        return None


async def _answer_to(room: Room, viewer: Viewer, name: Any, message: Message) -> None:
    try:
        row = await room.answer(viewer, message)
    except SorryError as error:
        row = error_row(error)
        row["message"] = room.hub.roster.private(row["message"])
    _answer(viewer, name, row)


def _answer(viewer: Viewer, name: Any, row: Row) -> None:
    viewer.send(write_json({**row, "id": name}, compact=True))


async def _send_all(socket: WebSocket, viewer: Viewer) -> None:
    """Send what waits, one after another, until the viewer is left behind."""
    with suppress(RuntimeError, WebSocketDisconnect, OSError):
        while (text := await viewer.messages.get()) is not None:
            await socket.send_text(text)
    await close(socket, SLOW)
