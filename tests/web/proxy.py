"""A reverse proxy as nginx is one, made from an nginx `location` block: HTTP and WebSocket.

Of nginx it knows `location PREFIX { ... }` with `proxy_pass`, `proxy_http_version` and
`proxy_set_header`, and its rules for them: with a path in `proxy_pass` the prefix is replaced by
it, Host is that of `proxy_pass` and Connection is `close` unless they are set otherwise, and the
prefix without its slash is redirected to the one with it.
"""

from __future__ import annotations

import asyncio
import contextlib
import re
import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import TracebackType
from urllib.parse import urlsplit


@dataclass(frozen=True)
class Location:
    """A `location` block.

    prefix:  ends with a slash
    passes:  the address of `proxy_pass`
    version: of HTTP, 1.0 as in nginx unless the block says 1.1
    headers: `proxy_set_header` lines by name in small letters, variables included
    """

    prefix: str
    passes: str
    version: str = "1.0"
    headers: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def read(cls, text: str) -> Location:
        """The only `location` of a piece of nginx's configuration."""
        [(prefix, body)] = re.findall(r"location (\S+) \{(.*?)\n *\}", text, re.DOTALL)
        lines = re.findall(r"^\s*(\w+) +(.*?);", body, re.MULTILINE)
        single = {name: value for name, value in lines if name != "proxy_set_header"}
        headers = dict(value.split(maxsplit=1) for name, value in lines if name not in single)
        return cls(
            prefix, single["proxy_pass"], single.get("proxy_http_version", "1.0"),
            {name.lower(): value for name, value in headers.items()},
        )  # fmt: skip

    def path(self, asked: str) -> str:
        """What the server behind is asked for."""
        own = urlsplit(self.passes).path
        return own + asked[len(self.prefix) :] if own else asked

    def head(self, lines: list[str], client: str) -> list[str]:
        """The lines of a request's head as they are sent on."""
        method, asked, _ = lines[0].split(" ")
        given = dict(line.split(": ", 1) for line in lines[1:])
        lower = {name.lower(): value for name, value in given.items()}
        usual = {"host": "$proxy_host", "connection": "close"}
        known = {
            "proxy_host": urlsplit(self.passes).netloc,
            "http_host": lower.get("host", ""),
            "host": lower.get("host", "").partition(":")[0],
            "http_upgrade": lower.get("upgrade", ""),
            "connection_upgrade": "upgrade" if lower.get("upgrade") else "close",
            "remote_addr": client,
            "proxy_add_x_forwarded_for": client,
            "scheme": "http",
        }
        hop = {"host", "connection", "upgrade", "keep-alive"}
        sent = {name: value for name, value in lower.items() if name not in hop}
        for name, value in {**usual, **self.headers}.items():
            filled = re.sub(r"\$(\w+)", lambda found: known[found[1]], value.strip('"'))
            if filled:
                sent[name] = filled
        start = f"{method} {self.path(asked)} HTTP/{self.version}"
        return [start, *(f"{name}: {value}" for name, value in sent.items())]


class Proxy:
    """The proxy, running in a thread as long as a `with` block lasts.

    address: where it listens, without a slash at the end
    """

    def __init__(self, location: Location) -> None:
        self.location = location
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="proxy")
        self.address = ""

    @property
    def page(self) -> str:
        """The address of the page."""
        return f"{self.address}{self.location.prefix}"

    def __enter__(self) -> Proxy:
        self._thread.start()
        starting = asyncio.start_server(self._serve, "127.0.0.1", 0)
        self._server = asyncio.run_coroutine_threadsafe(starting, self._loop).result(10)
        port = self._server.sockets[0].getsockname()[1]
        self.address = f"http://127.0.0.1:{port}"
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:  # fmt: skip
        async def stop() -> None:
            self._server.close()
            while tasks := asyncio.all_tasks() - {asyncio.current_task()}:
                for task in tasks:
                    task.cancel()
                await asyncio.gather(*tasks, return_exceptions=True)

        asyncio.run_coroutine_threadsafe(stop(), self._loop).result(10)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(10)
        self._loop.close()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One request of a connection, or its WebSocket."""
        with contextlib.suppress(OSError, asyncio.IncompleteReadError):
            head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").rstrip("\r\n")
            lines = head.split("\r\n")
            asked = lines[0].split(" ")[1]
            prefix = self.location.prefix
            if not asked.startswith(prefix):
                moved = asked == prefix.removesuffix("/")
                status = f"301 Moved\r\nLocation: {prefix}" if moved else "404 Not Found"
                writer.write(f"HTTP/1.1 {status}\r\nContent-Length: 0\r\n"
                             "Connection: close\r\n\r\n".encode())  # fmt: skip
            else:
                await self._pass_on(lines, reader, writer)
            await writer.drain()
        writer.close()

    async def _pass_on(
        self, lines: list[str], reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        target = urlsplit(self.location.passes)
        try:
            back_reader, back_writer = await asyncio.open_connection("127.0.0.1", target.port)
        except OSError:
            writer.write(b"HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\n"
                         b"Connection: close\r\n\r\n")  # fmt: skip
            return
        client = writer.get_extra_info("peername")[0]
        sent = "\r\n".join(self.location.head(lines, client))
        back_writer.write(f"{sent}\r\n\r\n".encode("latin-1"))
        there = asyncio.create_task(_copy(reader, back_writer))
        try:
            await _copy(back_reader, writer)
        finally:
            there.cancel()
            back_writer.close()


async def _copy(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with contextlib.suppress(OSError):
        while data := await reader.read(65536):
            writer.write(data)
            await writer.drain()
