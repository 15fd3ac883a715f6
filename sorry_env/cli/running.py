"""How a command runs: its standard streams, and every error as words and an exit status.

Both `sorry` and `sorry-train` run through `run_program`.
"""

from __future__ import annotations

import argparse
import contextlib
import errno
import io
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from typing import Any, NoReturn

from sorry_env.cli.terminal import say
from sorry_env.errors import RequestError, SorryError
from sorry_env.files import check_file, check_folder
from sorry_env.terminal import terminal_text


class CommandParser(argparse.ArgumentParser):
    """argparse's parser, which tells when its help cannot be written instead of keeping quiet."""

    def error(self, message: str) -> NoReturn:
        """Complain of the command line and end; what was typed is shown safe for a terminal."""
        super().error(terminal_text(message))

    def _print_message(self, message: str, file: Any = None) -> None:
        (file or sys.stderr).write(message or "")


def run_program(program: str, run: Callable[[], int]) -> int:
    """Run a command; returns the exit status.

    program: begins each error message
    run:     parses arguments and does the work; returns its own status
    Errors in words (`SorryError`, `OSError`, no memory) are 2, an interrupt is 130. If the reader
    of standard output (head, less) has gone, nothing is wrong: 0.
    """
    prepare_streams()
    try:
        try:
            status = run()
        except SystemExit:  # argparse has printed its help or its complaint
            sys.stdout.flush()
            raise
        sys.stdout.flush()
        return status
    except SorryError as error:
        say(f"{program}: {terminal_text(error.message)}")
        return 2
    except OSError as error:
        if _is_output(error) and error.errno == errno.EPIPE:
            return 0
        say(f"{program}: {terminal_text(_words(error))}")
        return 2
    except MemoryError as error:
        say(f"{program}: not enough memory{f': {error}' if str(error) else ''}")
        return 2
    except KeyboardInterrupt:
        say("")
        return 130
    finally:
        _settle()


def check_outputs(**options: str | os.PathLike[str] | None) -> None:
    """Raise RequestError for an option that names a file which cannot be written.

    For a check before the work. Options are given by name (``record=FILE`` for --record FILE);
    those that are None are not in use.
    """
    _check(check_file, options)


def check_output_folders(**options: str | os.PathLike[str] | None) -> None:
    """As `check_outputs`, for folders to write into, which need not exist."""
    _check(check_folder, options)


@contextlib.contextmanager
def attempts() -> Iterator[Callable[[], AbstractContextManager[None]]]:
    """Several results to write or print, each of which is kept though others fail.

    Gives a function ``attempt``: what fails within ``with attempt():`` does not end the block. At
    its end the first error is raised; further ones are told before it.
    """
    errors: list[OSError | SorryError] = []

    @contextlib.contextmanager
    def attempt() -> Iterator[None]:
        try:
            yield
        except (OSError, SorryError) as error:
            errors.append(error)

    yield attempt
    for error in errors[1:]:
        say(terminal_text(error.message if isinstance(error, SorryError) else _words(error)))
    if errors:
        raise errors[0]


def use_utf8() -> None:
    """Write UTF-8 to standard output whatever the terminal reads: programs read this output."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8", errors="backslashreplace")


def prepare_streams() -> None:
    """Make the standard streams usable: closed ones, and those that take few characters."""
    _occupy_closed()
    replaced: dict[str, Any] = {"stdin": io.StringIO, "stdout": _Closed, "stderr": io.StringIO}
    for name, replacement in replaced.items():
        if getattr(sys, name) is None:
            setattr(sys, name, replacement())
    # What a terminal cannot show is shown as an escape, as standard error has it anyway.
    if isinstance(sys.stdout, io.TextIOWrapper) and sys.stdout.errors != "backslashreplace":
        sys.stdout.reconfigure(errors="backslashreplace")


def _check(
    check: Callable[[str | os.PathLike[str]], None],
    options: dict[str, str | os.PathLike[str] | None],
) -> None:
    for name, path in options.items():
        if path is None:
            continue
        try:
            check(path)
        except OSError as error:
            raise RequestError(
                f"--{name.replace('_', '-')} {path}: cannot be written: {error.strerror or error}",
                value=os.fspath(path),
            ) from error


# -- standard output ----------------------------------------------------------------------------

_OUTPUT = "standard output"


class _Closed(io.TextIOBase):
    """Standard output that was closed when the program began: an error once it is needed."""

    def write(self, text: str, /) -> int:
        """Refuse."""
        raise OSError(errno.EBADF, "it is closed", _OUTPUT)


def _occupy_closed() -> None:
    """Open the null device for closed standard streams: files opened later must not become them."""
    for descriptor in (0, 1, 2):
        try:
            os.fstat(descriptor)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # takes the lowest free descriptor: this one


def _is_output(error: OSError) -> bool:
    """Whether an error came from standard output, as far as one can tell."""
    if error.filename is not None:
        return bool(error.filename == _OUTPUT)
    try:
        sys.stdout.flush()  # what could not be written is still there, and fails again
    except OSError:
        return True
    return error.errno in (errno.EPIPE, errno.ENOSPC)


def _words(error: OSError) -> str:
    reason = error.strerror or str(error)
    if _is_output(error):
        return f"{_OUTPUT}: {reason}"
    name = error.filename
    if name is None:
        return reason
    named = os.fsdecode(name) if isinstance(name, (str, bytes)) and name else repr(name)
    return f"{named}: {reason}"


def _settle() -> None:
    """Write what standard output still holds, or drop it: at its end Python would complain."""
    try:
        sys.stdout.flush()
    except OSError:
        with contextlib.suppress(OSError, ValueError):  # ValueError: it has no descriptor
            null = os.open(os.devnull, os.O_WRONLY)
            os.dup2(null, sys.stdout.fileno())
            os.close(null)
