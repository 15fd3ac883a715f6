"""A program of somebody else's, asked one line at a time: it may be slow, silent, wrong or dead.

Whatever it does, asking ends by its deadline, and closing ends the program and its children. Its
pipes are served by threads, so nothing that it leaves unread or unsaid holds us up. Read
`protocol.py` before and `client.py` after this file.
"""

from __future__ import annotations

import contextlib
import os
import queue
import signal
import subprocess
import threading
import time
import weakref
from collections.abc import Sequence
from typing import Any, Final

from sorry_env.errors import PeerError
from sorry_env.server.protocol import Lines

#: Bytes of the longest answer that is read.
MAX_ANSWER: Final = 1 << 20
#: Lines that nobody has asked for, after which no more are read.
_MOST_UNREAD: Final = 8
#: Bytes of standard error kept for messages.
_LAST_WORDS: Final = 400
#: Seconds for a program to end by itself when its input ends, or to die when it is killed.
_PATIENCE: Final = 1.0

_GROUPS: Final = os.name == "posix"  # children of the program can be ended with it


class Peer:
    """A running program. Raises PeerError where it cannot be started.

    command: the program and its arguments; no shell is asked
    """

    def __init__(self, command: Sequence[str]) -> None:
        try:
            self._process = subprocess.Popen(
                list(command),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
                start_new_session=_GROUPS,
            )
        except (OSError, ValueError) as error:  # ValueError: a zero byte
            reason = getattr(error, "strerror", None) or error
            raise PeerError(f"it cannot be started: {reason}", value=list(command)) from error
        #: The process that may talk to it: a fork must start a program of its own.
        self.owner = os.getpid()
        self._requests: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._answers: queue.SimpleQueue[bytes | PeerError | None] = queue.SimpleQueue()
        self._last_words = bytearray()
        self._threads = [
            threading.Thread(target=target, args=arguments, daemon=True)
            for target, arguments in (
                (_send, (self._process.stdin, self._requests)),
                (_receive, (self._process.stdout, self._answers)),
                (_keep_last, (self._process.stderr, self._last_words)),
            )
        ]
        for thread in self._threads:
            thread.start()
        # At the end of this program, or when nobody asks any more, it ends, too.
        self._end = weakref.finalize(self, _kill, self._process, self.owner)

    def ask(self, line: bytes, seconds: float) -> bytes:
        """Its next line after it has been sent this one; neither has a line's end.

        seconds: how long it may take, from now
        Raises PeerError where it does not answer, has ended or says more than it is asked.
        """
        deadline = time.monotonic() + seconds
        if not self._answers.empty():
            said = self._take(0.0)
            raise PeerError(f"it says {shown(said)} without being asked", value=said)
        self._requests.put(line + b"\n")
        try:
            return self._take(max(0.0, deadline - time.monotonic()))
        except queue.Empty:
            status = self._status()  # its children may hold on to its pipes
            raise PeerError(
                f"it did not answer within {seconds:g} s{status}", value=seconds
            ) from None

    def _take(self, seconds: float) -> bytes:
        answer = self._answers.get(timeout=seconds)
        if isinstance(answer, bytes):
            return answer
        if isinstance(answer, PeerError):
            raise answer
        # The pipe closes a moment before the process is seen to have ended.
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(_PATIENCE)
        self._threads[-1].join(_PATIENCE)
        words = self._last_words.decode("utf-8", "replace").strip()
        said = f"; its last words: {words}" if words else ""
        raise PeerError(f"it has ended{self._status()}{said}", value=self._process.returncode)

    def _status(self) -> str:
        status = self._process.poll()
        if status is None:
            return ""
        return f" (killed by signal {-status})" if status < 0 else f" (exit status {status})"

    def close(self, patience: float = _PATIENCE) -> None:
        """End it: its input ends, and after so many seconds it is ended by force."""
        if os.getpid() != self.owner:
            self._end.detach()
            return
        self._requests.put(None)
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(patience)
        self._end()
        for thread in self._threads:
            thread.join(_PATIENCE)


def _kill(process: subprocess.Popen[bytes], owner: int) -> None:
    """End a program and its children, and wait for it, so that nothing is left of it."""
    if os.getpid() != owner:
        return
    if _GROUPS:
        # Its group outlives it where it has left children behind.
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
    process.kill()
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(_PATIENCE)


# -- threads; each closes its pipe at its end -----------------------------------------------------


def _send(pipe: Any, requests: queue.SimpleQueue[bytes | None]) -> None:
    with contextlib.suppress(OSError), pipe:  # a broken pipe: what is read tells why
        while (data := requests.get()) is not None:
            while data:
                data = data[pipe.write(data) :]


def _receive(pipe: Any, answers: queue.SimpleQueue[bytes | PeerError | None]) -> None:
    """Queue its lines, then the error why no more are read, or None where it has ended."""
    lines = Lines(MAX_ANSWER)
    with pipe:
        while data := pipe.read(65536):
            for line in lines.feed(data):
                if line is None:
                    answers.put(PeerError(f"its answer is over {MAX_ANSWER} bytes"))
                    return
                answers.put(line)
                if answers.qsize() > _MOST_UNREAD:
                    return
        for line in lines.end():
            answers.put(PeerError(f"it ended in the middle of the line {shown(line or b'')}"))
    answers.put(None)


def _keep_last(pipe: Any, words: bytearray) -> None:
    with pipe:
        while data := pipe.read(65536):
            words += data
            del words[:-_LAST_WORDS]


def shown(line: bytes) -> str:
    """A line for messages, which may be long and anything."""
    text = line.decode("utf-8", "replace")
    return repr(text if len(text) <= 80 else f"{text[:77]}...")
