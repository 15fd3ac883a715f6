"""Running the server: `sorry serve`.

Read `app.py` before this file; `../cli/serve.py` calls it.
"""

from __future__ import annotations

import asyncio
import contextlib
import ipaddress
import mimetypes
import socket
from collections.abc import Callable
from typing import Final

import uvicorn

from sorry_env.errors import RequestError
from sorry_env.web.app import Settings, make_app
from sorry_env.web.store import Store
from sorry_env.web.wire import Http, WebSocket

#: Bytes of a WebSocket's message that is still read, to be answered `too_large`.
_MAX_SOCKET_MESSAGE: Final = 1 << 20
#: Bytes of a request's head.
_MAX_HEAD: Final = 16384
#: Connections that wait to be accepted.
_BACKLOG: Final = 512
#: What browsers must be told of the page's files, whatever this system believes.
_KINDS: Final = {
    ".js": "text/javascript", ".mjs": "text/javascript", ".css": "text/css",
    ".svg": "image/svg+xml", ".html": "text/html", ".json": "application/json",
    ".webmanifest": "application/manifest+json",
}  # fmt: skip


def serve(settings: Settings, host: str, port: int, ready: Callable[[str], None]) -> None:
    """Serve until a signal ends it.

    port:  0 takes a free one
    ready: called with the address once requests are answered
    Raises RequestError where it cannot listen there, or games cannot be kept.
    """
    for ending, kind in _KINDS.items():
        mimetypes.add_type(kind, ending)
    listener = _listen(host, port)
    try:
        store = Store(settings.db)
        try:
            _run(settings, store, listener, lambda number: ready(_address(host, number)))
        finally:
            store.close()
    finally:
        listener.close()


def _run(
    settings: Settings, store: Store, listener: socket.socket, ready: Callable[[int], None]
) -> None:
    config = uvicorn.Config(
        make_app(settings, store),
        lifespan="on",
        log_level="error",
        access_log=False,
        server_header=False,
        proxy_headers=True,
        forwarded_allow_ips=list(settings.proxies),
        http=Http,
        h11_max_incomplete_event_size=_MAX_HEAD,
        ws=WebSocket,
        ws_max_size=_MAX_SOCKET_MESSAGE,
        ws_per_message_deflate=False,
        limit_concurrency=2 * settings.limits.sockets,
        timeout_graceful_shutdown=3,
    )
    server = _Server(config, lambda: ready(int(listener.getsockname()[1])))
    with contextlib.suppress(KeyboardInterrupt):  # the usual way to end it
        asyncio.run(server.serve(sockets=[listener]))


def _address(host: str, port: int) -> str:
    return f"http://[{host}]:{port}/" if ":" in host else f"http://{host}:{port}/"


class _Server(uvicorn.Server):
    """uvicorn, telling when it is ready."""

    def __init__(self, config: uvicorn.Config, ready: Callable[[], None]) -> None:
        super().__init__(config)
        self._ready = ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """See uvicorn."""
        await super().startup(sockets)
        if self.started:
            self._ready()


def _listen(host: str, port: int) -> socket.socket:
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        family, kind, protocol, _, address = found[0]
        listener = socket.socket(family, kind, protocol)
    except OSError as error:
        raise RequestError(f"host {host!r}: {error}", value=host) from None
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(address)
        listener.listen(_BACKLOG)
    except OSError as error:
        listener.close()
        raise RequestError(
            f"cannot listen on {host}, port {port}: {error.strerror}; another --port may be free",
            value=port,
        ) from None
    return listener


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach an address."""
    with contextlib.suppress(ValueError):
        return ipaddress.ip_address(host).is_loopback
    return host == "localhost"
