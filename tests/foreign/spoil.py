"""Valid texts spoilt at random, in the ways that texts from outside are spoilt."""

from __future__ import annotations

import random
import re
from collections.abc import Callable

#: What is put in place of a number or a word, or in between.
HOSTILE = [
    b"9" * 5000, b"-" + b"9" * 400, b"1e999", b"NaN", b"-Infinity", b".inf", b".nan", b"0123",
    b"1:30", b"1_0", b"yes", b"2001-01-01", b"[" * 3000, b'{"a":' * 3000, b"[" * 100 + b"]" * 100,
    b'"\\ud800"', b"\\ud800", b"\xff\xfe", b"\xed\xa0\x80", b"\xef\xbb\xbf", b"\x00", b"\x1b[2J",
    b'"\\u001b[31m"', b"\xe2\x80\xae", b"\xc2\xb2", b"\xd9\xa1", b"", b'""', b"null", b"true",
    b"1.5", b"-1", b"{}", b"[]", b"!!python/object:os.system x", b"&a", b"*a", b"<<",
    b"\r", b"\n\n",
    b"\xe2\x80\xa8", b"\t", b"'", b'"', b",", b":", b"99999999999999999999", b"=",
]  # fmt: skip
_TOKEN = re.compile(rb'-?[0-9]+(?:\.[0-9]+)?|"[^"\n]*"|[A-Za-z]+')


def _replace_token(rng: random.Random, text: bytes) -> bytes:
    tokens = list(_TOKEN.finditer(text))
    if not tokens:
        return rng.choice(HOSTILE)
    one = rng.choice(tokens)
    return text[: one.start()] + rng.choice(HOSTILE) + text[one.end() :]


def _insert(rng: random.Random, text: bytes) -> bytes:
    at = rng.randint(0, len(text))
    return text[:at] + rng.choice(HOSTILE) + text[at:]


def _cut(rng: random.Random, text: bytes) -> bytes:
    return text[: rng.randint(0, len(text))]


def _leave_out(rng: random.Random, text: bytes) -> bytes:
    at = rng.randint(0, len(text))
    return text[:at] + text[at + rng.randint(1, 20) :]


def _repeat(rng: random.Random, text: bytes) -> bytes:
    """A piece twice: a key of an object, a line, an entry."""
    separator = rng.choice([b",", b"\n", b" ", b"/"])
    pieces = text.split(separator)
    at = rng.randrange(len(pieces))
    return separator.join([*pieces[: at + 1], *pieces[at:]])


def _swap_byte(rng: random.Random, text: bytes) -> bytes:
    at = rng.randint(0, max(0, len(text) - 1))
    return text[:at] + bytes([rng.randrange(256)]) + text[at + 1 :]


def _front(rng: random.Random, text: bytes) -> bytes:
    return b"\xef\xbb\xbf" + text


_WAYS: list[Callable[[random.Random, bytes], bytes]] = [
    _replace_token, _replace_token, _replace_token, _insert, _cut, _leave_out, _repeat, _swap_byte,
    _front,
]  # fmt: skip


def spoil(rng: random.Random, text: bytes) -> bytes:
    """A text with one to three faults; now and then none of them does any harm."""
    for _ in range(rng.choice([1, 1, 1, 2, 3])):
        text = rng.choice(_WAYS)(rng, text)
    return text
