"""A session over standard input and output, or any other pair of streams.

Read `session.py` before this file.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from sorry_env.server.protocol import Lines, with_content
from sorry_env.server.session import Session

_PIECE = 65536


def serve(session: Session, read: Callable[[int], bytes], write: Callable[[str], object]) -> None:
    """Answer every line until the input ends; a last one without an end is answered, too.

    A blank line is answered by an error when another line follows; at the end of the input blank
    lines are ignored.

    read:  returns some bytes, at most as many as it is given, as soon as there are any, and none at
           the end: `read1` of a buffered stream
    write: takes one answer, its line's end included, and sends it off at once
    """
    for line in with_content(_lines(read)):
        write(session.answer_line(line) + "\n")


def _lines(read: Callable[[int], bytes]) -> Iterator[bytes | None]:
    lines = Lines()
    while data := read(_PIECE):
        yield from lines.feed(data)
    yield from lines.end()
