"""Serving below a path prefix, such as `/sorry` of `https://games.example/sorry/`.

A proxy either takes the prefix off or passes it on; both are understood. Everything that the page
asks for is relative to its own address, so nothing else of the server needs to know the prefix.
"""

from __future__ import annotations

import re
from typing import Final

from starlette.types import ASGIApp, Receive, Scope, Send

from sorry_env.errors import RequestError

#: First parts of the server's own paths: below a prefix of such a name it could not be told
#: whether a proxy has taken the prefix off.
OWN_PATHS: Final = ("api", "static", "v1")
_PREFIX: Final = re.compile(r"(/[A-Za-z0-9_~.-]+)+")
_MAX_LENGTH: Final = 200


def check_prefix(text: str) -> str:
    """A path prefix without a slash at its end, "" for none; RequestError for any other text."""
    prefix = text.removesuffix("/")
    parts = prefix.split("/")[1:]
    if prefix and (
        not _PREFIX.fullmatch(prefix)
        or len(prefix) > _MAX_LENGTH
        or any(set(part) == {"."} for part in parts)
    ):
        raise RequestError(
            f"root path {text[:80]!r} must be a path of letters, digits, '-', '_', '.' and '~' "
            "that begins with a slash, such as /sorry",
            value=text,
        )
    if parts and parts[0] in OWN_PATHS:
        raise RequestError(
            f"root path {text!r} must not begin with /{parts[0]}, a path of the server itself",
            value=text,
        )
    return prefix


class PathPrefix:
    """ASGI middleware that serves an application below a path prefix.

    prefix: see `check_prefix`. The application is asked for paths below it, with the prefix as
            `root_path`, whether the request's path has it or not. The prefix itself, without a
            slash at its end, is redirected to the one with it, below which the page's addresses lie
    """

    def __init__(self, app: ASGIApp, prefix: str) -> None:
        self.app = app
        self._prefix = prefix

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """See ASGI."""
        prefix = self._prefix
        if not prefix or scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        path = scope["path"]
        if path == prefix and scope["type"] == "http":
            await _redirect(send, prefix)
            return
        if not path.startswith(f"{prefix}/"):
            path = prefix + path
        await self.app({**scope, "path": path, "root_path": prefix}, receive, send)


async def _redirect(send: Send, prefix: str) -> None:
    """To the page, by an address that is relative: the public host and scheme stay as they are."""
    last = prefix.rpartition("/")[2]
    headers = [(b"location", f"{last}/".encode()), (b"content-length", b"0")]
    await send({"type": "http.response.start", "status": 308, "headers": headers})
    await send({"type": "http.response.body", "body": b""})
