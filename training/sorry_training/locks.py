"""One process at a time in the folder of a run."""

from __future__ import annotations

import contextlib
import errno
import os
import socket
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from sorry_env.errors import RequestError

#: Name of the file that a run holds locked as long as it works in its folder.
LOCK = "run.lock"


@contextlib.contextmanager
def lock_folder(folder: Path) -> Iterator[None]:
    """Let no other process train in ``folder`` meanwhile; the folder must exist.

    The system lets go of the lock when its process ends, however it ends: a file that is left
    behind locks nobody out. Raises RequestError, naming the process, where another one holds it.
    """
    path = folder / LOCK
    file = _open_locked(path)
    try:
        file.truncate(0)
        file.write(f"process {os.getpid()} on {socket.gethostname()}\n".encode())
        file.flush()
        yield
    finally:
        path.unlink(missing_ok=True)  # still locked: nobody takes it for his own meanwhile
        file.close()


def _open_locked(path: Path) -> IO[bytes]:
    """The lock file, open and locked."""
    while True:
        file = path.open("a+b", buffering=0)
        try:
            _lock(file)
            # Whoever had the lock before may have removed the file while it was opened here.
            if path.exists() and os.path.samestat(os.fstat(file.fileno()), path.stat()):
                return file
        except BlockingIOError:
            file.seek(0)
            holder = file.read(200).decode("utf-8", "replace").strip() or "another process"
            file.close()
            raise RequestError(
                f"{path.parent} is in use: {holder} trains there; wait until it has ended, or stop "
                "it",
                value=str(path.parent),
            ) from None
        except BaseException:
            file.close()
            raise
        file.close()


if sys.platform == "win32":
    import msvcrt

    def _lock(file: IO[bytes]) -> None:
        """Lock an open file for this process; BlockingIOError where another one has it."""
        file.seek(1 << 30)  # beyond what is written: locked bytes cannot be read by others
        try:
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        except OSError as error:
            raise BlockingIOError(error.errno, error.strerror) from None

else:
    import fcntl

    def _lock(file: IO[bytes]) -> None:
        """Lock an open file for this process; BlockingIOError where another one has it."""
        try:
            fcntl.flock(file.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            if error.errno in (errno.EACCES, errno.EAGAIN):
                raise BlockingIOError(error.errno, error.strerror) from None
            raise
