"""A server of somebody else's, asked by HTTP: it may be slow, silent, wrong or gone.

Whatever it does, asking ends by its deadline: a thread waits for the server, and what it is still
waiting for then is cut off. Read `peer.py` before and `client.py` after this file.
"""

from __future__ import annotations

import contextlib
import http.client
import os
import queue
import socket
import threading
from typing import Final
from urllib.parse import SplitResult, urlsplit

from sorry_env.errors import PeerError, RequestError
from sorry_env.server.peer import MAX_ANSWER, shown
from sorry_env.server.protocol import read_object

#: Seconds for the thread to see that its connection was cut off.
_PATIENCE: Final = 1.0
_CONNECTIONS: Final = {"http": http.client.HTTPConnection, "https": http.client.HTTPSConnection}


def check_url(url: str) -> str:
    """The address itself; RequestError for anything but `http://HOST...` or `https://HOST...`."""
    try:
        parts = urlsplit(url) if isinstance(url, str) else SplitResult("", "", "", "", "")
        right = parts.scheme in _CONNECTIONS and bool(parts.hostname) and parts.port != 0
    except ValueError:
        right = False
    if not right or not url.isascii() or not url.isprintable() or " " in url or parts.fragment:
        raise RequestError(
            f"url {url!r} must be an address such as http://127.0.0.1:8000/?bot=greedy", value=url
        )
    return url


class HttpPeer:
    """A server, asked one line at a time like `Peer`. It is not reached before it is asked.

    url: see `check_url`
    """

    def __init__(self, url: str) -> None:
        self._parts = urlsplit(url)
        self._connection: http.client.HTTPConnection | None = None
        #: The process that may talk to it: a fork must connect anew.
        self.owner = os.getpid()

    def ask(self, line: bytes, seconds: float) -> bytes:
        """The body of its answer to a request's line.

        seconds: how long it may take, from now
        Raises PeerError where it does not answer, is gone or answers no JSON object.
        """
        answers: queue.SimpleQueue[bytes | Exception] = queue.SimpleQueue()

        def work() -> None:
            try:
                answers.put(self._exchange(line, seconds))
            except Exception as error:
                answers.put(error)

        thread = threading.Thread(target=work, daemon=True)
        thread.start()
        try:
            answer = answers.get(timeout=seconds)
        except queue.Empty:
            self._cut()
            thread.join(_PATIENCE)
            raise PeerError(f"it did not answer within {seconds:g} s", value=seconds) from None
        if isinstance(answer, bytes):
            return answer
        self._cut()
        if isinstance(answer, PeerError):
            raise answer
        if isinstance(answer, TimeoutError):
            raise PeerError(f"it did not answer within {seconds:g} s", value=seconds) from None
        reason = getattr(answer, "strerror", None) or str(answer) or type(answer).__name__
        raise PeerError(f"it cannot be asked: {reason}", value=line) from answer

    def close(self, patience: float = 0.0) -> None:
        """End the connection."""
        if os.getpid() == self.owner:
            self._cut()

    def _cut(self) -> None:
        connection, self._connection = self._connection, None
        if connection is None:
            return
        if connection.sock is not None:
            with contextlib.suppress(OSError):  # a thread that waits for it wakes up
                connection.sock.shutdown(socket.SHUT_RDWR)
        connection.close()

    # -- in the thread ------------------------------------------------------------------------

    def _exchange(self, line: bytes, seconds: float) -> bytes:
        connection = self._connection
        if connection is not None:
            # It may have been closed for idleness since: then another one is tried.
            try:
                return self._post(connection, line)
            except (http.client.RemoteDisconnected, ConnectionError):
                connection.close()
        host, port = str(self._parts.hostname), self._parts.port
        made = _CONNECTIONS[self._parts.scheme](host, port, timeout=seconds)
        self._connection = made
        return self._post(made, line)

    def _post(self, connection: http.client.HTTPConnection, line: bytes) -> bytes:
        kind = read_object(line)["type"]
        query = f"?{self._parts.query}" if self._parts.query else ""
        path = f"{self._parts.path.removesuffix('/')}/v1/{kind}{query}"
        connection.request("POST", path, line, {"Content-Type": "application/json"})
        response = connection.getresponse()
        body = response.read(MAX_ANSWER + 1)
        if len(body) > MAX_ANSWER:
            raise PeerError(f"its answer is over {MAX_ANSWER} bytes", value=len(body))
        # An error of the protocol comes with a status of its own, but always as an object.
        if response.status != 200 and not body.lstrip().startswith(b"{"):
            raise PeerError(
                f"it answers status {response.status}: {shown(body)}", value=response.status
            )
        return body
