"""Writing files: the one way in which the whole project does it.

Writing is all or nothing: at any moment a path holds the old contents or the new ones.
"""

from __future__ import annotations

import contextlib
import errno
import io
import os
import re
import secrets
import shutil
import stat
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import IO

PathLike = str | os.PathLike[str]

#: Contents that must wait in memory, up to so many bytes; larger ones wait in a temporary file.
_IN_MEMORY = 1 << 24
#: A descriptor that this process has open, as a path.
_DESCRIPTOR = re.compile(r"(?:/dev/fd|/proc/(?:self|thread-self|(\d+))/fd)/(\d{1,9})")
_MOST_LINKS = 40


def write_file(path: PathLike, data: bytes | str) -> None:
    """Write ``data`` (text as UTF-8) to ``path``; see `replace_file` for how, and its errors."""
    with replace_file(path) as file:
        file.write(data.encode("utf-8") if isinstance(data, str) else data)


@contextlib.contextmanager
def replace_file(path: PathLike) -> Iterator[IO[bytes]]:
    """Open ``path`` for writing; its new contents appear at once, when the block ends.

    Symbolic links are followed. A file keeps its mode, its owner and its other names (hard links).
    A device, a pipe and what this process has open already (``/dev/stdout``) are written into. In
    every case the block may move back and forth in its file. If it raises, or the disk is full, the
    old contents stay and nothing is left beside them.
    Raises OSError, which names ``path``, where it cannot be written.
    """
    foreign: list[OSError] = []
    with _naming(path, foreign), _open(path) as file:
        try:
            yield file
        except OSError as error:
            if error.filename is not None:
                foreign.append(error)  # of another file that the block uses
            raise


def append_file(path: PathLike, data: bytes | str) -> None:
    """Write ``data`` (text as UTF-8) behind what is in ``path``, or into a new file.

    If it does not fit, the file is as it was.
    Raises OSError, which names ``path``, where it cannot be written.
    """
    data = data.encode("utf-8") if isinstance(data, str) else data
    with _naming(path):
        descriptor = _descriptor(path)
        if descriptor is not None:
            with _open_stream(Path(path), descriptor) as file:
                file.write(data)
            return
        target = _resolve(path)
        new = not target.exists()
        with target.open("ab", buffering=0) as raw:
            state = os.fstat(raw.fileno())
            try:
                _write_all(raw, data)
            except BaseException:
                if stat.S_ISREG(state.st_mode):
                    raw.truncate(state.st_size)
                if new:
                    target.unlink()
                raise


def check_file(path: PathLike) -> None:
    """Raise the OSError that writing ``path`` would raise; for a check before long work.

    Nothing is changed. A disk may still be full when the work is done.
    """
    with _naming(path):
        descriptor = _descriptor(path)
        if descriptor is not None:
            os.close(os.dup(descriptor))
            return
        target = _resolve(path)
        if not target.exists():
            _probe(target.parent)
        elif target.is_file():
            os.close(os.open(target, os.O_WRONLY))
        elif not os.access(target, os.W_OK):
            raise _error(errno.EACCES)


def check_folder(path: PathLike) -> None:
    """Raise the OSError that making the folder ``path``, or writing into it, would raise."""
    with _naming(path):
        folder = Path(path).absolute()
        while not folder.exists():
            if folder.is_symlink():
                raise _error(errno.ENOENT)
            folder = folder.parent
        _probe(folder)


# -- where to write -----------------------------------------------------------------------------


def _descriptor(path: PathLike) -> int | None:
    """The file descriptor of this process that ``path`` means, by way of links or not."""
    at = Path(os.path.normpath(Path(path).absolute()))
    for _ in range(_MOST_LINKS):
        if found := _DESCRIPTOR.fullmatch(str(at)):
            process, number = found.groups()
            return int(number) if process in (None, str(os.getpid())) else None
        if not at.is_symlink():
            return None
        at = Path(os.path.realpath(at.parent)) / at.readlink()
    return None


def _open_stream(target: Path, descriptor: int | None) -> IO[bytes]:
    """A device or pipe, or a file that goes on where a descriptor is and leaves that open."""
    if descriptor is None:
        return target.open("wb")
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:
            stream.flush()
    return os.fdopen(os.dup(descriptor), "wb")


def _resolve(path: PathLike) -> Path:
    """The file behind the links; it need not exist. Raises OSError for a folder and for a ring."""
    target = Path(os.path.realpath(path))
    if target.is_dir() or os.fspath(path).endswith(os.sep):
        raise _error(errno.EISDIR)
    if target.is_symlink():
        raise _error(errno.ELOOP)
    return target


def _is_stream(target: Path) -> bool:
    """Whether ``target`` is no file on a disk but a device, a pipe or a setting of the kernel."""
    return target.exists() and (not target.is_file() or str(target).startswith(("/proc/", "/sys/")))


def _temporary(target: Path) -> Path | None:
    """A new file beside ``target`` with its mode and owner, to take its place.

    None where no other file can take its place: it has other names, belongs to somebody else, or
    its folder cannot be written. Raises OSError where ``target`` cannot be written at all.
    """
    old = target.stat() if target.exists() else None
    if old is not None:
        os.close(os.open(target, os.O_WRONLY))
        if old.st_nlink > 1:
            return None
    temporary = _beside(target)
    try:
        temporary.touch(exist_ok=False)
    except OSError:
        if old is None:
            raise
        return None
    try:
        if old is not None:
            new = temporary.stat()
            if (new.st_uid, new.st_gid) != (old.st_uid, old.st_gid):
                os.chown(temporary, old.st_uid, old.st_gid)
            temporary.chmod(stat.S_IMODE(old.st_mode))
    except BaseException as error:
        temporary.unlink()
        if isinstance(error, OSError):
            return None  # its owner cannot be kept
        raise
    return temporary


def _beside(target: Path) -> Path:
    """A name in the same folder that no other file has, of at most 255 bytes."""
    return target.with_name(f".{target.name[:40]}.{secrets.token_hex(8)}.part")


def _probe(folder: Path) -> None:
    """Raise the OSError that a new file in a folder would raise."""
    if not folder.exists():
        raise _error(errno.ENOENT)
    if not folder.is_dir():
        raise _error(errno.ENOTDIR)
    probe = _beside(folder / "probe")
    probe.touch(exist_ok=False)
    probe.unlink()


# -- how to write -------------------------------------------------------------------------------


@contextlib.contextmanager
def _open(path: PathLike) -> Iterator[IO[bytes]]:
    """`replace_file`, with errors that name files of which the caller knows nothing."""
    descriptor = _descriptor(path)
    target = Path(path) if descriptor is not None else _resolve(path)
    stream = descriptor is not None or _is_stream(target)
    temporary = None if stream else _temporary(target)
    if temporary is None:
        with tempfile.SpooledTemporaryFile(_IN_MEMORY) as held:
            yield held
            held.seek(0)
            if stream:
                with _open_stream(target, descriptor) as file:
                    shutil.copyfileobj(held, file)
            else:
                _overwrite(target, held)
        return
    try:
        with temporary.open("r+b") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        _rename(temporary, target)
    finally:
        temporary.unlink(missing_ok=True)


def _rename(temporary: Path, target: Path) -> None:
    """Give ``temporary`` the name ``target``; a file that is mounted there is overwritten."""
    try:
        temporary.replace(target)
    except OSError as error:
        if error.errno != errno.EBUSY:
            raise
        with temporary.open("rb") as held:
            _overwrite(target, held)


def _overwrite(target: Path, held: IO[bytes]) -> None:
    """Write new contents over the old ones, which come back if the new ones do not fit."""
    with target.open("r+b", buffering=0) as raw:
        before = raw.read()
        raw.seek(0)
        try:
            while chunk := held.read(1 << 20):
                _write_all(raw, chunk)
            raw.truncate()
            os.fsync(raw.fileno())
        except BaseException:
            # The old contents still have their room on the disk: nothing was cut off yet.
            raw.seek(0)
            _write_all(raw, before)
            raw.truncate()
            raise


def _write_all(raw: io.FileIO, data: bytes) -> None:
    """Write all of ``data``; the system may take it in parts."""
    rest = memoryview(data)
    while rest:
        rest = rest[raw.write(rest) :]


# -- errors -------------------------------------------------------------------------------------


def _error(number: int) -> OSError:
    return OSError(number, os.strerror(number))


@contextlib.contextmanager
def _naming(path: PathLike, foreign: Sequence[OSError] = ()) -> Iterator[None]:
    """Let errors name the path that the caller gave, in place of what it leads to.

    foreign: errors that are about something else
    """
    try:
        yield
    except OSError as error:
        if error.errno is None or error in foreign:
            raise
        raise OSError(error.errno, os.strerror(error.errno), os.fspath(path)) from error
