"""Every reader of texts from outside: whatever the fault, it is the reader's own error, in words.

One table lists the readers; each is given valid texts, which it must read, and hundreds of spoilt
ones, of which every one is read or refused by a SorryError of the reader's kind.
"""

from __future__ import annotations

import io
import json
import random
import sqlite3
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sorry_training.config import load_config
from sorry_training.figures import read_rows

from sorry_env.bots.metadata import fitting_metadata, read_account
from sorry_env.bots.registry import make_bot
from sorry_env.cli import main
from sorry_env.errors import (
    ConfigError,
    ModelError,
    MoveError,
    PeerError,
    PositionError,
    RecordError,
    RequestError,
    RulesetError,
    SorryError,
)
from sorry_env.families import family_of
from sorry_env.game import Game
from sorry_env.json_text import read_json, write_json
from sorry_env.notation import Recorder, parse_move, read_records
from sorry_env.rules import get_ruleset, load_ruleset
from sorry_env.server import protocol
from sorry_env.server.client import ForeignBot
from sorry_env.server.positions import read_position
from sorry_env.server.session import Session
from sorry_env.solve import load_solution, save_solution, solve
from sorry_env.terminal import terminal_text
from sorry_env.web.messages import ANALYSIS, message_id, read_fields, read_message
from sorry_env.web.replay import read_upload
from sorry_env.web.setup import Setup
from sorry_env.web.store import Store, Stored, StoreError, Summary
from sorry_env.web.table import Table
from tests.foreign.spoil import spoil

#: Spoilt texts for each reader, unless it says otherwise.
CASES = 60
FOLDER = Path(tempfile.mkdtemp(prefix="sorry-foreign-"))


@dataclass(frozen=True)
class Reader:
    """How a kind of text is read.

    read:   takes a text as bytes; a fault raises one of ``errors``
    valid:  texts that it reads
    """

    read: Callable[[bytes], object]
    valid: list[bytes]
    errors: tuple[type[SorryError], ...]
    cases: int = CASES


def played(ruleset: str, plies: int = 12) -> Any:
    family = family_of(ruleset)
    game = family.new_game(ruleset, seed=3)
    rng = random.Random(1)
    for _ in range(plies):
        game.play(int(rng.choice(list(game.legal_actions()))))
    return game


def record_text() -> bytes:
    game = Game("classic", seed=5)
    recorder = Recorder(game, {"red": "random", "yellow": "greedy"}, seed=5, name="one")
    rng = random.Random(2)
    for ply in range(8):
        move = game.describe(int(rng.choice(list(game.legal_actions()))))
        recorder.decision(move)
        game.play(move, draw=ply < 7)
    return "".join(f"{line}\n" for line in recorder.finish("truncated").lines()).encode()


def by_file(name: str, read: Callable[[Path], object]) -> Callable[[bytes], object]:
    """A reader of files, given the bytes of one."""
    path = FOLDER / name

    def read_bytes(data: bytes) -> object:
        path.write_bytes(data)
        return read(path)

    return read_bytes


def as_text(read: Callable[[str], object]) -> Callable[[bytes], object]:
    """A reader of text, given bytes; what is no UTF-8 comes as half surrogate pairs."""
    return lambda data: read(data.decode("utf-8", "surrogateescape"))


# -- readers that need something round them -------------------------------------------------------


def answer_line(data: bytes) -> None:
    """The session answers by an error object; here it becomes an error again."""
    text = SESSION.answer_line(data)
    assert text.isascii() and "\n" not in text
    answer = json.loads(text, parse_constant=pytest.fail)
    if answer["type"] == "error":
        assert answer["code"] in protocol.CODES and "could not be answered" not in answer["message"]
        raise RequestError(answer["message"])


class _Stub(ForeignBot):
    """A foreign bot whose program says hello and then one given line."""

    def __init__(self, line: bytes) -> None:
        super().__init__("stub", timeout=1, start_timeout=1, restarts=0, time_ms=0)
        self.line = line

    def _reach(self) -> Any:
        return self

    owner = property(lambda self: __import__("os").getpid())

    def ask(self, line: bytes, seconds: float) -> bytes:
        """See `Peer`."""
        if b'"hello"' in line:
            return b'{"id":1,"type":"hello","protocol":1,"rulesets":["classic"]}'
        return self.line

    def close(self, patience: float = 0.0) -> None:
        """See `Peer`."""


def read_hello(data: bytes) -> None:
    bot = _Stub(b"")
    bot.ask = lambda line, seconds: data  # type: ignore[method-assign]
    assert bot.rulesets


def metadata_with(key: str) -> Callable[[bytes], object]:
    metadata = fitting_metadata(family_of("duel-1").compile_rules("duel-1"), (2,))
    return as_text(lambda text: read_account("bot.onnx", {**metadata, key: text}))


def read_message_line(data: bytes) -> object:
    row = protocol.read_object(data)
    message_id(row)
    return read_message(row)


def read_about(data: bytes) -> object:
    path = FOLDER / "spoilt.npz"
    about = np.array(data.decode("utf-8", "backslashreplace"))
    np.savez(path, about=about, values=SOLUTION.values)
    found = load_solution(path, "solo?pawns=1", 1)
    return f"{found.seconds:.1f} {found.residual:.1e} {found.states:,}"


def stored_game() -> Path:
    """A file of games with one game in it, played a little."""
    path = FOLDER / "games.db"
    setup = Setup("classic", (0, 2), {"red": "person", "yellow": "greedy"}, seed=1)
    table = Table(setup, dict(setup.players), {})
    store = Store(path)
    store.create("one", table).result()
    store.close()
    return path


def read_stored(column: str) -> Callable[[bytes], object]:
    """A column of a stored game holds a text; the game is listed and loaded."""

    def read(data: bytes) -> object:
        path = FOLDER / f"{column}.db"
        path.write_bytes(STORED.read_bytes())
        with sqlite3.connect(path) as db:
            text = data.decode("utf-8", "replace")
            db.execute(f"update games set {column} = ?", (text,))
        db.close()
        store = Store(path)
        try:
            summaries, _ = store.listed(0, 10).result()
            rows = [summary.row() for summary in summaries]
            write_json(rows)
            found = store.load("one").result()
            assert found is not None
            return found.table()
        finally:
            store.close()

    return read


def check_pipe(data: bytes) -> None:
    """The same command, the record on standard input."""
    stdin, sys.stdin = sys.stdin, io.TextIOWrapper(io.BytesIO(data))
    try:
        if main(["replay", "--check", "-"]):
            raise RecordError("refused")
    finally:
        sys.stdin = stdin


def read_entry(data: bytes) -> object:
    """The text of the only move of a stored game."""
    table = Table(Setup.of_row(SETUP), dict(SETUP["players"]), {})
    found = Stored(Summary("one", "", "", table.setup, table.players, 1, None, []), {}, 0,
                   [(data.decode("utf-8", "replace"), table.line())])  # fmt: skip
    return found.table()


def check_command(data: bytes) -> None:
    """The command says in words what is wrong, and nothing raw reaches the terminal."""
    path = FOLDER / "command.jsonl"
    path.write_bytes(data)
    if main(["replay", "--check", str(path)]):
        raise RecordError("refused")


SESSION = Session("greedy", seed=1)
SOLUTION = solve("solo?pawns=1", 1)
STORED = stored_game()
SETUP = Setup("classic", (0, 2), {"red": "person", "yellow": "greedy"}, seed=1).row()
save_solution(SOLUTION, FOLDER / "whole.npz")
ABOUT = str(np.load(FOLDER / "whole.npz")["about"]).encode()
CLASSIC = "classic rS,rS,rS,rS/-/yS,yS,yS,yS/- r move 7 5.4.4.4.4.3.4.4.4.4.4 - -"
POSITIONS = [
    family_of(n).write(played(n)).encode()
    for n in ("classic", "points", "fire-and-ice", "not-sorry", "express")
]
RULES = b"""\
edition: house-of-strangers
base: classic
pawns: 3
slides: [[1, 4], [9, 13]]
cards:
  - 1
  - {name: 2, again: false}
  - {name: 6, forward: 6, start: true}
deck: {1: 5, 2: 4, 6: 3}
p_yes: 0.5
"""
CONFIG = b"""\
ruleset: duel-1
seats: ["red,yellow"]
games: 16
decisions: 2_000_000
learning_rate: 1e-3
threads: 1
seed: 7
opponents: [random, greedy]
"""
METRICS = b"""\
update,decisions,games,value_loss,seconds
1,32768,10,0.0008,0.479
2,65536,188,0.0095,0.898
"""
MOVES = [b"7:12-15,30-34", b"1:rS-4", b"pass", b"11:12x30"]

READERS = {
    "record file": Reader(
        by_file("r.jsonl", lambda p: list(read_records(p))), [record_text()], (RecordError,)
    ),
    "record, uploaded": Reader(
        as_text(lambda t: read_upload(t, 0)), [record_text()], (RecordError, RequestError)
    ),
    "sorry replay": Reader(check_command, [record_text()], (RecordError,), 100),
    "sorry replay -": Reader(check_pipe, [record_text()], (RecordError,), 60),
    "position": Reader(as_text(read_position), POSITIONS, (PositionError, RulesetError), 500),
    "move": Reader(as_text(lambda t: parse_move(played("classic"), t)), [], (MoveError,)),
    "ruleset name": Reader(
        as_text(get_ruleset),
        [b"classic?pawns=2&play_out=true", b"not-sorry?p_yes=0.25", b"classic?slides=1-4.9-13"],
        (RulesetError,),
    ),
    "ruleset file": Reader(by_file("rules.yaml", load_ruleset), [RULES], (RulesetError,)),
    "configuration": Reader(by_file("run.yaml", load_config), [CONFIG], (ConfigError,)),
    "settings": Reader(
        as_text(lambda t: load_config(None, [t])),
        [b"games=16", b"learning_rate=1e-3", b"seats=red,yellow;blue,green"],
        (ConfigError,),
    ),
    "metrics": Reader(by_file("metrics.csv", read_rows), [METRICS], (ConfigError,)),
    "bot name": Reader(
        as_text(make_bot),
        [b"expectimax:depth=2,width=3", b"mcts:sims=20,time_ms=50"],
        (RequestError, ModelError),
    ),
    "protocol": Reader(
        answer_line,
        [
            b'{"id":1,"type":"hello"}',
            b'{"id":2,"type":"legal","position":"%s"}' % CLASSIC.encode(),
            b'{"id":"a","type":"move","position":"%s","time_ms":20}' % CLASSIC.encode(),
        ],
        (RequestError,),
    ),
    "message of the page": Reader(
        read_message_line,
        [
            b'{"id":1,"type":"move","move":"pass","ply":3}',
            b'{"type":"join","secrets":["a"],"name":"x"}',
        ],
        (RequestError,),
    ),
    "body of an analysis": Reader(
        lambda d: read_fields("analysis", protocol.read_object(d), ANALYSIS),
        [b'{"bot":"greedy","positions":["%s"]}' % CLASSIC.encode()],
        (RequestError,),
    ),
    "hello of a program": Reader(
        read_hello, [b'{"id":1,"type":"hello","protocol":1,"rulesets":["classic"]}'], (PeerError,)
    ),
    "move of a program": Reader(
        lambda d: _Stub(d).choose(Game("classic", seed=1).view(0)),
        [],
        (PeerError, MoveError, RulesetError),
    ),
    "metadata: actions": Reader(metadata_with("actions"), [b'["pass","1:out"]'], (ModelError,)),
    "metadata: seats": Reader(metadata_with("seat_counts"), [b"[2, 3, 4]"], (ModelError,)),
    "metadata: fields": Reader(
        metadata_with("observation"),
        [b'[{"name":"pawns","offset":0,"size":4,"low":0,"high":66}]'],
        (ModelError,),
    ),
    "solution": Reader(read_about, [ABOUT], (ModelError,), 60),
    "solution file": Reader(
        by_file("s.npz", lambda p: load_solution(p, "solo?pawns=1", 1)),
        [(FOLDER / "whole.npz").read_bytes()],
        (ModelError,),
        60,
    ),
    "stored move": Reader(
        read_entry,
        [b'{"ply":0,"move":"pass","seat":"red"}'],
        (StoreError, RecordError, MoveError),
        100,
    ),
    "stored setup": Reader(
        read_stored("setup"),
        [
            write_json(
                Setup("classic", (0, 2), {"red": "person", "yellow": "greedy"}, seed=1).row()
            ).encode()
        ],
        (StoreError, SorryError),
        60,
    ),
    "stored players": Reader(
        read_stored("players"),
        [b'{"red":"person","yellow":"greedy"}'],
        (StoreError, SorryError),
        40,
    ),
    "stored winners": Reader(read_stored("winners"), [b"[]"], (StoreError, SorryError), 40),
}


@pytest.mark.parametrize("name", READERS)
def test_valid_texts_are_read(name: str) -> None:
    valid = READERS[name].valid
    assert len([READERS[name].read(text) for text in valid]) == len(valid)


@pytest.mark.parametrize("name", READERS)
def test_every_fault_is_the_readers_own_error(name: str) -> None:
    reader = READERS[name]
    rng = random.Random(f"foreign {name}")
    messages = []
    for _ in range(reader.cases):
        text = spoil(
            rng, rng.choice(reader.valid or [*MOVES, b'{"id":2,"type":"move","move":"1:rS-4"}'])
        )
        try:
            reader.read(text)
        except reader.errors as error:
            messages.append(error.message)
        except Exception as error:  # the text is what one wants to see
            pytest.fail(f"{type(error).__name__}: {error}\n{text[:300]!r}")
    assert all(message and terminal_text(message).isprintable() for message in messages)
    assert len(messages) > reader.cases // 5


@pytest.mark.parametrize("value", [
    None, 5, -1, "x", [], [9], {}, {"red": 1}, 1.5, True, [0, 0], ["a"], 2**70,
])  # fmt: skip
def test_stored_setups_of_wrong_kinds(value: Any) -> None:
    read = read_stored("setup")
    for key in SETUP:
        try:
            read(write_json({**SETUP, key: value}).encode())
        except SorryError:
            continue
    with pytest.raises(StoreError, match="spoilt"):
        read(write_json({**SETUP, "ruleset": None}).encode())


#: Faults of JSON that `json.loads` lets through or fails on by another error than its own.
FAULTS = {
    "NaN": "NaN is no JSON number",
    "[-Infinity]": "-Infinity is no JSON number",
    "1e999": "too large",
    "9" * 5000: "5000 digits",
    "[" * 100 + "]" * 100: "inside each other",
    "[" * 100_000: "inside each other",
    '{"a":' * 65 + "1" + "}" * 65: "inside each other",
    '"\\ud800"': "half of a character",
    '["\\udc00\\ud800"]': "half of a character",
    '{"a":1,"a":2}': "given twice",
    "\ufeff{}": "byte order mark",
    '"\x1b"': "control character",
    "{} {}": "Extra data",
    "": "it is empty",
    " \n": "it is empty",
    "\u00a0": "Expecting value",
    b"\xff\xfe": "not UTF-8",
    "{}".encode("utf-16"): "not UTF-8",
}


@pytest.mark.parametrize("text", FAULTS, ids=[str(i) for i in range(len(FAULTS))])
def test_faults_of_json(text: str | bytes) -> None:
    with pytest.raises(RecordError) as caught:
        read_json(text, RecordError, "the line")
    assert FAULTS[text] in caught.value.message
    assert caught.value.message.startswith("the line is not JSON: ")


@pytest.mark.parametrize(
    "value",
    [1, -7, 10**299, 0.1, "é\U0001f600", None, True, [], {"a": [1, {"b": ""}]}, [[[]]] * 99],
)
def test_what_is_written_is_read(value: Any) -> None:
    for options in ({}, {"compact": True}, {"ascii_only": False}, {"indent": 2}):
        assert read_json(write_json(value, **options)) == value


def test_json_of_ours_never_holds_what_is_no_number() -> None:
    for wrong, place in (
        (float("nan"), "the value"),
        ({"a": [1.0, {"b": float("inf")}]}, "a[1].b"),
        ([(0.5, float("-inf"))], "[0][1]"),
    ):
        with pytest.raises(RequestError) as caught:
            write_json(wrong)
        assert caught.value.message.startswith(f"{place} is not a finite number")
