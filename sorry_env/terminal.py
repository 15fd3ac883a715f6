"""Text of strangers made safe for a terminal.

Names in records, answers of other programs and the contents of files may hold anything: escape
sequences that move the cursor or set the window's title, and marks that turn the order of letters
round. Whatever such a text may be part of goes through `terminal_text` before it is printed.
"""

from __future__ import annotations


def terminal_text(text: str, keep: str = "") -> str:
    """The text with every character that is not printable written as an escape, such as ``\\x1b``.

    Not printable are control characters, line ends, marks of direction (bidirectional overrides),
    characters without width, private and unassigned ones, and half surrogate pairs.

    keep: characters that stay, such as the line ends of a table of our own
    """
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() or c in keep else _escaped(c) for c in text)


def _escaped(character: str) -> str:
    return character.encode("unicode_escape", "surrogatepass").decode("ascii")
