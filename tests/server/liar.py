"""A program that claims to speak the bot protocol and does not keep to it: one way for each name.

    python liar.py WAY PIDS

PIDS: a file to which it appends the numbers of the processes that must be gone in the end.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

Row = dict[str, Any]
PIDS = Path(sys.argv[2]) if len(sys.argv) > 2 else Path(os.devnull)


def say(row: object) -> None:
    raw(json.dumps(row).encode() + b"\n")


def raw(data: bytes) -> None:
    os.write(1, data)


def hello(row: Row) -> Row:
    return {"id": row["id"], "type": "hello", "protocol": 1, "name": "liar",
            "rulesets": ["classic", "points"]}  # fmt: skip


def introduce(row: Row) -> None:
    say(hello(row))


def remember(pid: int) -> None:
    with PIDS.open("a") as file:
        file.write(f"{pid}\n")


def die(_: Row) -> None:
    print("out of luck", file=sys.stderr, flush=True)
    sys.exit(3)


def die_once(row: Row) -> None:
    if len(PIDS.read_text().split()) == 1:
        sys.exit(3)
    say({"id": row["id"], "type": "move", "move": "pass"})


def half(row: Row) -> None:
    raw(json.dumps({"id": row["id"], "type": "move"}).encode()[:-5])
    sys.exit(0)


def half_and_wait(_: Row) -> None:
    raw(b'{"id":')
    time.sleep(60)


def flood(row: Row) -> None:
    while True:
        say({"id": row["id"], "type": "move", "move": "pass"})


def flood_of_one_line(_: Row) -> None:
    while True:
        raw(b"x" * 65536)


def noisy(row: Row) -> None:
    """Fills standard error, then does as it should."""
    for _ in range(50):
        os.write(2, b"!" * 65536)
    say({"id": row["id"], "type": "move", "move": "pass"})


def leave_a_child(row: Row) -> None:
    """The child holds the pipes open."""
    child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
    remember(child.pid)
    os._exit(0)


def twice(row: Row) -> None:
    for _ in range(2):
        say({"id": row["id"], "type": "move", "move": "pass"})


def answers(**fields: Any) -> Callable[[Row], None]:
    return lambda row: say({"id": row["id"], "type": "move", "move": "pass"} | fields)


def says(data: bytes) -> Callable[[Row], None]:
    return lambda row: raw(data)


MOVES: dict[str, Callable[[Row], None]] = {
    "honest": answers(),
    "slow": lambda row: time.sleep(60),
    "dies": die,
    "dies_once": die_once,
    "half": half,
    "half_and_wait": half_and_wait,
    "flood": flood,
    "flood_of_one_line": flood_of_one_line,
    "noisy": noisy,
    "twice": twice,
    "leaves_a_child": leave_a_child,
    "illegal": answers(move="7:12-19"),
    "illegal_line": answers(move="pass\n\x1b[2J"),
    "no_move": answers(move=7),
    "wrong_id": answers(id=7),
    "id_of_another_kind": answers(id="2"),
    "id_true": answers(id=True),
    "wrong_type": answers(type="legal"),
    "no_type": answers(type=None),
    "list": says(b"[1, 2]\n"),
    "no_json": says(b"bestmove e2e4\n"),
    "empty_line": says(b"\n"),
    "no_text": says(b"\xff\xfe\n"),
    "deep": says(b"[" * 5000 + b"\n"),
    "not_a_number": says(b'{"id": NaN}\n'),
    "refuses": answers(type="error", code="bad_position", message="no such thing"),
    "refuses_oddly": answers(type="error", code=[], message={"a": 1}),
    "unsupported": answers(type="error", code="unsupported_ruleset", message="only chess"),
}
HELLOS: dict[str, Callable[[Row], None]] = {
    "dies_at_once": die,
    "silent": lambda row: time.sleep(60),
    "protocol_2": lambda row: say(hello(row) | {"protocol": 2}),
    "protocol_1.0": lambda row: say(hello(row) | {"protocol": 1.0}),
    "no_protocol": lambda row: say({"id": row["id"], "type": "hello"}),
    "no_rulesets": lambda row: say(hello(row) | {"rulesets": "classic"}),
    "other_rulesets": lambda row: say(hello(row) | {"rulesets": ["chess"]}),
    "error_at_hello": lambda row: say({"id": row["id"], "type": "error", "code": "bad_request"}),
}


def main(way: str) -> None:
    remember(os.getpid())
    if way == "banner":
        raw(b"Liar 1.0, all rights reserved\n")
    if way == "deaf":  # never reads, and knows the answers all the same
        say(hello({"id": 1}))
        for number in range(2, 100_000):
            time.sleep(0.001)
            say({"id": number, "type": "move", "move": "pass"})
    for line in sys.stdin:
        row = json.loads(line)
        if row["type"] == "hello":
            HELLOS.get(way, introduce)(row)
        else:
            MOVES[way](row)
    if way == "stubborn":
        time.sleep(60)


MOVES["stubborn"] = MOVES["banner"] = answers()

if __name__ == "__main__":
    main(sys.argv[1])
