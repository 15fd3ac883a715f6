"""Files written by the whole project, and the user's own folders for what is kept between runs.

Writing is all or nothing: at any moment a path holds the old contents or the new ones.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any


def write_file(path: str | os.PathLike[str], data: bytes | str) -> None:
    """Write ``data`` (text as UTF-8) to ``path``; see `replace_file` for how, and its errors."""
    with replace_file(path) as file:
        file.write(data.encode("utf-8") if isinstance(data, str) else data)


@contextlib.contextmanager
def replace_file(path: str | os.PathLike[str]) -> Iterator[IO[bytes]]:
    """Open ``path`` for writing; its new contents appear at once, when the block ends.

    Links are followed, a file's mode is kept, and a device, pipe or terminal is written straight
    into. If the block raises, or the disk is full, the old contents stay and nothing is left
    beside them.
    Raises OSError, which names ``path``, where it cannot be written.
    """
    target = Path(path)
    try:
        if _is_stream(target):
            with target.open("wb") as file:
                yield file
            return
        target = Path(os.path.realpath(target))
        mode = stat.S_IMODE(target.stat().st_mode) if target.exists() else None
        if mode is not None and not os.access(target, os.W_OK):
            raise PermissionError(13, os.strerror(13))
        temporary = target.with_name(f".{target.name[:100]}.{secrets.token_hex(8)}.part")
        try:
            with temporary.open("xb") as file:
                if mode is not None:
                    temporary.chmod(mode)
                yield file
                file.flush()
                os.fsync(file.fileno())
            temporary.replace(target)
        finally:
            temporary.unlink(missing_ok=True)
    except OSError as error:
        raise _named(error, path) from error


def _is_stream(path: Path) -> bool:
    """Whether ``path`` is no regular file, or one that a program has open already (/dev/stdout)."""
    if path.is_dir() or not path.exists():
        return False
    return not path.is_file() or str(path.absolute()).startswith(("/dev/", "/proc/"))


def _named(error: OSError, path: Any) -> OSError:
    """The same error, of the path that the caller gave."""
    return type(error)(error.errno, error.strerror or str(error), os.fspath(path))
