"""How much of everything a server takes on, and how refusals are told.

Read `messages.py` before and `room.py` after this file.
"""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from sorry_env.errors import SorryError

#: Status of HTTP answers by an error's code; 400 for all others.
STATUS: Final = {
    "forbidden": 403, "not_found": 404, "method_not_allowed": 405, "timeout": 408,
    "running": 409, "stale": 409, "over": 409, "not_now": 409, "too_large": 413,
    "bad_media_type": 415, "too_many": 429, "failed": 500, "bad_peer": 500,
}  # fmt: skip


class Refusal(SorryError):
    """A request that is understood and refused; each has a code of its own.

    code: a word of `STATUS`, or `bad_request`
    """

    def __init__(self, code: str, message: str, *, value: object = None) -> None:
        super().__init__(message, value=value)
        self.code = code  # type: ignore[misc]


def status_of(code: str) -> int:
    """The HTTP status of an error's code."""
    return STATUS.get(code, 400)


def error_row(error: SorryError) -> dict[str, Any]:
    """An error as clients get it."""
    message = error.message
    if len(message) > 1000:
        message = f"{message[:997]}..."
    return {"type": "error", "code": error.code, "message": message}


@dataclass(frozen=True)
class Limits:
    """The bounds of one server; sizes in bytes, times in seconds.

    body, record:         largest body of a request, of a record
    message:              largest message of a WebSocket
    body_seconds:         for a body to arrive in
    join_seconds:         for the first message of a WebSocket
    sockets, viewers:     WebSockets in all, and at one game
    games:                games that are not over
    rooms:                games in memory
    new_games:            games that one address may make at once, and afterwards in a minute
    messages:             messages of a WebSocket at once, and afterwards in a second
    requests:             requests of one address at once, and afterwards in a second
    unsent:               messages that wait for a client that does not read them
    thinking, analyses:   threads that bots think in, that analyse or read records
    waiting:              analyses, or records, that wait for a thread
    idle_seconds:         after which a game that nobody looks at leaves the memory
    resume_seconds:       between attempts to go on with games that could not be stored: the first
                          wait and, doubled from one to the next, the longest
    """

    body: int = 65536
    record: int = 4 << 20
    message: int = 65536
    body_seconds: float = 10.0
    join_seconds: float = 10.0
    sockets: int = 2000
    viewers: int = 100
    games: int = 100_000
    rooms: int = 5000
    new_games: tuple[int, int] = (300, 60)
    messages: tuple[int, int] = (100, 50)
    requests: tuple[int, int] = (2000, 1000)
    unsent: int = 500
    thinking: int = 2
    analyses: int = 1
    waiting: int = 32
    idle_seconds: float = 60.0
    resume_seconds: tuple[float, float] = (1.0, 30.0)


class Bucket:
    """So many at once, and so many a second afterwards."""

    def __init__(
        self, size: float, rate: float, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._size, self._rate, self._clock = size, rate, clock
        self._left, self._seen = size, clock()

    def take(self) -> bool:
        """Whether there is one more."""
        now = self._clock()
        self._left = min(self._size, self._left + (now - self._seen) * self._rate)
        self._seen = now
        if self._left < 1:
            return False
        self._left -= 1
        return True


class Buckets:
    """A bucket for each address; the ones used longest ago are forgotten."""

    def __init__(
        self, size: float, rate: float, most: int = 10_000,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:  # fmt: skip
        self._size, self._rate, self._most, self._clock = size, rate, most, clock
        self._buckets: OrderedDict[str, Bucket] = OrderedDict()

    def take(self, who: str) -> bool:
        """Whether this address has one more."""
        bucket = self._buckets.get(who)
        if bucket is None:
            bucket = self._buckets[who] = Bucket(self._size, self._rate, self._clock)
            if len(self._buckets) > self._most:
                self._buckets.popitem(last=False)
        self._buckets.move_to_end(who)
        return bucket.take()
