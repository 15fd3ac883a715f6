"""What every request must be before anything looks at it, and what every answer carries.

A page of somebody else's cannot ask us anything: its Origin is not ours. Nor can it by a name of
its own that it makes mean this machine: the Host must be an address, or a name that the server was
told. A proxy that does not pass the browser's Host on makes the two differ: then the Origin must be
a name that the server was told. Read `limits.py` before and `body.py` after this file.
"""

from __future__ import annotations

import ipaddress
import logging
from collections.abc import Collection
from typing import Final
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from sorry_env.errors import RequestError
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

    hosts: names, `NAME` or `NAME:PORT`, by which browsers may call the server besides addresses
           and `localhost`. Requests may come to such a name at any port; pages at it, without a
           port or at the port given, may ask even where a proxy has changed the Host
    """

    def __init__(self, app: ASGIApp, limits: Limits, hosts: Collection[str] = ()) -> None:
        self.app = app
        self._origins = {check_host(host) for host in hosts}
        self._hosts = {_split(host)[0] for host in self._origins} | set(_LOCAL)
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
                    api = _route(scope).startswith(("/api", "/v1"))
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
            raise Refusal("forbidden", _unknown_host(hosts))
        changes = scope["type"] == "websocket" or scope["method"] not in ("GET", "HEAD")
        if changes:
            origin = headers.get("origin")
            if origin is not None and not self._own(origin, hosts[0]):
                raise Refusal("forbidden", _foreign_origin(origin, hosts[0]))
            if headers.get("sec-fetch-site") in ("cross-site", "same-site"):
                raise Refusal("forbidden", "pages of other origins cannot ask this server")

    def _own(self, origin: str, host: str) -> bool:
        """Whether a page's origin is this server as its browser calls it."""
        netloc = _netloc(origin)
        return netloc is not None and (netloc == host.lower() or netloc in self._origins)

    def _known(self, host: str) -> bool:
        try:
            name, _ = _split(host)
        except ValueError:
            return False
        return name in self._hosts or _is_address(name)


def check_host(text: str) -> str:
    """A host's name, `NAME` or `NAME:PORT`, in small letters; RequestError for any other text."""
    try:
        _split(text)
    except ValueError:
        raise RequestError(
            f"host {text[:80]!r} must be a name or an address, with or without a port, such as "
            "games.example or games.example:8443: no http:// and no path",
            value=text,
        ) from None
    return text.lower()


def _split(host: str) -> tuple[str, int | None]:
    """Name and port of a Host; ValueError for what is none."""
    parts = urlsplit(f"//{host}")
    name, port = parts.hostname or "", parts.port
    written = f"[{name}]" if ":" in name else name
    if not name or host.lower() not in (written, f"{written}:{port}"):
        raise ValueError(f"{host!r} is no host")
    return name, port


def _unknown_host(hosts: list[str]) -> str:
    """Why a Host is refused, and what would be right."""
    if len(hosts) != 1:
        return f"a request must have one Host header, not {len(hosts)}"
    return (
        f"this server is not called {_shown(hosts[0])}: start it with --allow-host NAME for each "
        "name by which browsers or a proxy may call it"
    )


def _foreign_origin(origin: str, host: str) -> str:
    """Why an Origin is refused, and what would be right behind a proxy."""
    return (
        f"pages of other origins cannot ask this server: the page is at {_shown(origin)}, the "
        f"request came to {_shown(host)}. If the page is this server's own behind a proxy, let the "
        "proxy pass the Host header on, or start the server with --allow-host and the name in the "
        "page's address"
    )


def _route(scope: Scope) -> str:
    """The path of a request below the server's path prefix."""
    path: str = scope["path"]
    return path.removeprefix(scope.get("root_path", ""))


def _shown(text: str) -> str:
    return ascii(text if len(text) <= 100 else f"{text[:97]}...")


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
