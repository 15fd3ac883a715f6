"""What every request must be before anything looks at it, and what every answer carries.

A page of somebody else's cannot ask us anything: its Origin is not ours. Nor can it by a name of
its own that it makes mean this machine: the Host must be an address, or a name that the server was
told. Read `limits.py` before and `body.py` after this file.
"""

from __future__ import annotations

import ipaddress
import logging
from collections.abc import Collection
from typing import Final
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from sorry_env.json_text import write_json
from sorry_env.web.limits import Buckets, Limits, Refusal, error_row, status_of

_log = logging.getLogger(__name__)

#: Scripts, styles and pictures come from here alone; nothing may be put into a frame.
POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; "
    "connect-src 'self'; font-src 'self'; manifest-src 'self'; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'"
)
HEADERS: Final = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}
#: Names of this machine for itself.
_LOCAL: Final = ("localhost",)


class Guard:
    """ASGI middleware in front of everything.

    hosts: names, besides addresses and `localhost`, by which the server may be called
    """

    def __init__(self, app: ASGIApp, limits: Limits, hosts: Collection[str] = ()) -> None:
        self.app = app
        self._hosts = {host.lower() for host in (*_LOCAL, *hosts)}
        self._requests = Buckets(*limits.requests)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """See ASGI."""
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        started = False

        async def guarded(message: Message) -> None:
            nonlocal started
            if message["type"] in ("http.response.start", "websocket.accept"):
                started = True
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers[name] = value
                if "cache-control" not in headers:
                    api = scope["path"].startswith(("/api", "/v1"))
                    headers["cache-control"] = "no-store" if api else "no-cache"
            await send(message)

        try:
            self.check(scope)
            await self.app(scope, receive, guarded)
        except Refusal as refusal:
            await _refuse(scope, guarded, refusal)
        except Exception:  # a mistake of ours must end neither the server nor in the answer
            _log.exception("%s %r failed", scope.get("method", "WS"), scope["path"])
            if not started:
                await _refuse(scope, guarded, Refusal("failed", "the server made a mistake"))

    def check(self, scope: Scope) -> None:
        """Refusal for a request that must not be answered."""
        if not self._requests.take((scope.get("client") or ("",))[0]):
            raise Refusal("too_many", "too many requests; wait a moment")
        headers = Headers(scope=scope)
        hosts = headers.getlist("host")
        if len(hosts) != 1 or not self._known(hosts[0]):
            raise Refusal("forbidden", "this server is not called by that name: see --allow-host")
        changes = scope["type"] == "websocket" or scope["method"] not in ("GET", "HEAD")
        if changes:
            origin = headers.get("origin")
            own = origin is None or _netloc(origin) == hosts[0].lower()
            if not own or headers.get("sec-fetch-site") in ("cross-site", "same-site"):
                raise Refusal("forbidden", "pages of other origins cannot ask this server")

    def _known(self, host: str) -> bool:
        try:
            name = urlsplit(f"//{host}").hostname or ""
            port = urlsplit(f"//{host}").port
        except ValueError:
            return False
        written = f"[{name}]" if ":" in name else name
        if host.lower() not in (written, f"{written}:{port}"):
            return False
        return name in self._hosts or _is_address(name)


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def _netloc(origin: str) -> str | None:
    try:
        parts = urlsplit(origin)
    except ValueError:
        return None
    return parts.netloc.lower() if parts.scheme in ("http", "https") else None


async def _refuse(scope: Scope, send: Send, refusal: Refusal) -> None:
    """Answer by an error; a WebSocket's handshake is answered by it, too, where the server can."""
    prefix = "http.response"
    if scope["type"] == "websocket":
        if "websocket.http.response" not in scope.get("extensions", {}):
            await send({"type": "websocket.close", "code": 1008, "reason": refusal.code})
            return
        prefix = "websocket.http.response"
    body = write_json(error_row(refusal), compact=True).encode()
    headers = [(b"content-type", b"application/json"), (b"connection", b"close"),
               (b"content-length", str(len(body)).encode())]  # fmt: skip
    status = status_of(refusal.code)
    await send({"type": f"{prefix}.start", "status": status, "headers": headers})
    await send({"type": f"{prefix}.body", "body": body})
