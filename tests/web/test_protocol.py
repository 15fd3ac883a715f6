"""The bot protocol says the same whatever carries it; a server is a bot like any other program."""

from __future__ import annotations

import asyncio
import json
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sorry_env.bots.registry import make_bot
from sorry_env.errors import MoveError, PeerError, RequestError, RulesetError
from sorry_env.families import family_of
from sorry_env.server.client import HttpBot
from sorry_env.server.session import Session
from sorry_env.server.stdio import serve as serve_stdio
from sorry_env.web.limits import Limits
from tests.web.support import SOCKETS, server

pytestmark = pytest.mark.timeout(300)
SEED = 9


def requests() -> list[str]:
    """Lines of requests: games of several editions played on, and everything that is wrong."""
    rng = np.random.default_rng(4)
    lines: list[Any] = [{"id": 0, "type": "hello"}]
    for ruleset in ("classic", "points", "fire-and-ice", "not-sorry", "express"):
        family = family_of(ruleset)
        game = family.new_game(ruleset, 2, seed=3)
        for _ in range(3):
            line = family.write(game)
            moves = family.legal_texts(game)
            move = moves[rng.integers(len(moves))]
            number = len(lines)
            lines += [
                {"id": number, "type": "legal", "position": line},
                {"id": f"m{number}", "type": "move", "position": line, "time_ms": 5},
                {"id": 0.5, "type": "apply", "position": line, "move": move},
                {"type": "apply", "position": line, "move": "7:nowhere"},
            ]
            game.play(family.parse_move(game, move), draw=False)
            waiting = family.write(game)
            lines += [
                {"id": number, "type": kind, "position": waiting} for kind in ("draw", "move")
            ]
            if game.waiting:
                game.draw()
    lines += [
        {"id": 1}, {"id": True, "type": "hello"}, {"id": [1], "type": "hello"}, {"type": "chess"},
        {"type": "hello", "more": 1}, {"type": "legal"}, {"type": "legal", "position": 7},
        {"type": "legal", "position": "chess x y z"}, {"type": "legal", "position": "\ud800"},
        {"type": "move", "position": "classic", "time_ms": -1}, [], 7, None, "x",
        {"id": "é", "type": "hello"},
    ]  # fmt: skip
    raw = ["", " ", "{", '{"id":NaN,"type":"hello"}', '{"id":1e999,"type":"hello"}', "[" * 4000,
           '{"type":"hello","type":"legal"}', "x" * 65_537, '{"id":"' + "y" * 65_600]  # fmt: skip
    return [json.dumps(line) for line in lines] + raw


def over_pipe(name: str, lines: list[str]) -> list[str]:
    session = Session(name, SEED)
    pieces = iter(["".join(f"{line}\n" for line in lines).encode()])
    answers: list[str] = []
    serve_stdio(session, lambda _: next(pieces, b""), answers.append)
    return [answer.removesuffix("\n") for answer in answers]


@pytest.mark.parametrize("name", ["random", pytest.param("greedy", marks=pytest.mark.slow)])
def test_pipe_http_and_websocket_answer_alike(tmp_path: Path, name: str) -> None:
    lines = requests()
    expected = over_pipe(name, lines)
    assert len(expected) == len(lines)
    assert {json.loads(text)["type"] for text in expected} == {
        "hello", "legal", "move", "apply", "draw", "error",
    }  # fmt: skip
    headers = {"content-type": "application/json"}
    with server(tmp_path / "games.db", seed=SEED, limits=Limits(requests=(10**6, 1))) as client:
        by_http = []
        for line in lines:
            response = client.post(f"/v1?bot={name}", content=line.encode(), headers=headers)
            error = json.loads(response.text)["type"] == "error"
            assert response.status_code in ((400, 413) if error else (200,))
            by_http.append(response.text)
        with client.websocket_connect(f"{SOCKETS}/v1/bot?bot={name}") as connection:
            by_socket = []
            for number, line in enumerate(lines):
                if number % 2:
                    connection.send_text(line)
                else:
                    connection.send_bytes(line.encode())
                by_socket.append(connection.receive_text())
    assert by_http == expected
    assert by_socket == expected


def test_each_type_has_a_path(tmp_path: Path) -> None:
    position = "duel-1 rS/-/yS/- r move 1 * - -"
    with server(tmp_path / "games.db", seed=1) as client:
        for body in ({"position": position}, {"type": "legal", "position": position}):
            response = client.post("/v1/legal", json=body)
            assert response.json() == {"id": None, "type": "legal", "moves": ["1:rS-4"]}
        other = client.post("/v1/move", json={"type": "legal", "position": position})
        assert other.status_code == 400 and other.json()["code"] == "bad_request"
        assert client.post("/v1/chess", json={}).status_code == 404
        for bot in ("process:sh", "learned:/etc/passwd", "nobody", "http://127.0.0.1:1/", ""):
            refused = client.post("/v1/hello", params={"bot": bot}, json={})
            assert refused.json()["code"] == "bad_request", bot
            assert "not offered" in refused.json()["message"]
            with client.websocket_connect(f"{SOCKETS}/v1/bot?bot={bot}") as connection:
                assert connection.receive_json()["code"] == "bad_request"


# -- servers as bots ------------------------------------------------------------------------------

FIRST = family_of("duel-1").read("duel-1 rS/-/yS/- r move 1 * - -", seed=0)
#: A handler is given a connection and a whole request.
Handler = Callable[[socket.socket, dict[str, Any]], None]


@contextmanager
def liar(handle: Handler) -> Iterator[str]:
    """The address of a server that answers as it likes."""
    listener = socket.create_server(("127.0.0.1", 0))
    ending = threading.Event()

    def talk(connection: socket.socket) -> None:
        with connection, connection.makefile("rb") as stream:
            while head := stream.readline():
                assert head.startswith(b"POST /v1/")
                length = 0
                while (line := stream.readline().strip()) != b"":
                    name, _, value = line.partition(b":")
                    length = int(value) if name.lower() == b"content-length" else length
                try:
                    handle(connection, json.loads(stream.read(length)))
                except OSError:
                    return

    def accept() -> None:
        while not ending.is_set():
            try:
                connection, _ = listener.accept()
            except OSError:
                return
            threading.Thread(target=talk, args=(connection,), daemon=True).start()

    threading.Thread(target=accept, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{listener.getsockname()[1]}/"
    finally:
        ending.set()
        listener.close()


def answer(connection: socket.socket, body: bytes, status: str = "200 OK") -> None:
    head = f"HTTP/1.1 {status}\r\nContent-Length: {len(body)}\r\n\r\n"
    connection.sendall(head.encode() + body)


def object_(connection: socket.socket, row: dict[str, Any]) -> None:
    answer(connection, json.dumps(row).encode())


def polite(connection: socket.socket, row: dict[str, Any]) -> bool:
    """Says hello as it should; whether that was asked."""
    if row["type"] != "hello":
        return False
    object_(connection, {"id": row["id"], "type": "hello", "protocol": 1, "name": "liar",
                         "rulesets": ["duel-1"]})  # fmt: skip
    return True


def says(body: bytes, status: str = "200 OK") -> Handler:
    return lambda c, row: None if polite(c, row) else answer(c, body, status)


def fields(**given: Any) -> Handler:
    def handle(c: socket.socket, row: dict[str, Any]) -> None:
        if not polite(c, row):
            object_(c, {"id": row["id"], "type": "move", "move": "1:rS-4"} | given)

    return handle


def hang_up(c: socket.socket, row: dict[str, Any]) -> None:
    if not polite(c, row):
        c.shutdown(socket.SHUT_RDWR)


def silent(c: socket.socket, row: dict[str, Any]) -> None:
    if not polite(c, row):
        time.sleep(5)


def drip(c: socket.socket, row: dict[str, Any]) -> None:
    """A byte from time to time: no single wait is long, and it never ends."""
    if not polite(c, row):
        c.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n")
        for _ in range(100):
            c.sendall(b" ")
            time.sleep(0.05)


def endless(c: socket.socket, row: dict[str, Any]) -> None:
    if not polite(c, row):
        c.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 99999999\r\n\r\n")
        for _ in range(64):
            c.sendall(b"x" * 65536)


def test_a_server_that_keeps_to_the_protocol_plays() -> None:
    with liar(fields()) as url, HttpBot(url) as bot:
        for _ in range(3):
            assert FIRST.describe(bot.choose(FIRST.view(0))).kind == "leave"
        assert bot.rulesets == ("duel-1",) and bot.name == url


@pytest.mark.parametrize(
    ("handle", "words"),
    [
        (hang_up, "cannot be asked"),
        (silent, "did not answer within 0.5 s"),
        (drip, "did not answer within 0.5 s"),
        (endless, "over 1048576 bytes"),
        (says(b"<html>", "404 Not Found"), "status 404"),
        (says(b"", "302 Found"), "status 302"),
        (says(b"no json"), "no JSON object"),
        (says(b"[1]"), "no JSON object"),
        (says(b"\xff"), "no JSON object"),
        (says(b'{"type":"error","code":"too_many","message":"wait"}'), "answers move by"),
        (fields(id=7), "where the id must be"),
        (fields(type="legal"), "to a move"),
        (fields(move=7), "answers no move"),
        (fields(type="error", code="bad_position", message="no such thing"), "no such thing"),
    ],
)
def test_whatever_a_server_does_is_told_in_time(handle: Handler, words: str) -> None:
    with liar(handle) as url, HttpBot(url, timeout=0.5, start_timeout=0.5) as bot:
        before = time.monotonic()
        with pytest.raises(PeerError, match=words):
            bot.choose(FIRST.view(0))
        assert time.monotonic() - before < 10


def test_an_illegal_move_and_another_version_of_a_server() -> None:
    with liar(fields(move="7:rS-4")) as url, HttpBot(url) as bot, pytest.raises(MoveError):
        bot.choose(FIRST.view(0))
    newer: Handler = lambda c, row: object_(  # noqa: E731
        c, {"id": row["id"], "type": "hello", "protocol": 2, "rulesets": []}
    )
    with liar(newer) as url, HttpBot(url) as bot, pytest.raises(PeerError, match="protocol 2"):
        bot.choose(FIRST.view(0))
    with liar(fields()) as url, HttpBot(url) as bot, pytest.raises(RulesetError):
        bot.check(family_of("classic").compile_rules("classic"), (0, 2))


def test_a_decision_is_asked_again_where_that_is_wanted() -> None:
    count = 0

    def once(c: socket.socket, row: dict[str, Any]) -> None:
        nonlocal count
        count += row["type"] == "move"
        (hang_up if count == 1 else fields())(c, row)

    with liar(once) as url, HttpBot(url, restarts=1) as bot:
        assert bot.choose(FIRST.view(0)) in FIRST.legal_actions()


@pytest.mark.parametrize(
    "url", ["", "ftp://x/", "http://", "http:///x", "http://a b/", "http://h:99999/", "//h", "x"]
)
def test_addresses_that_are_none(url: str) -> None:
    with pytest.raises(RequestError):
        HttpBot(url)


def test_our_server_plays_in_a_match(real_server: str) -> None:
    bot = make_bot(f"{real_server}?bot=greedy")
    other = make_bot(f"http:{real_server}?bot=runner")
    game = family_of("classic").new_game("classic", 2, seed=5)
    seats = {0: bot, 2: other}
    for _ in range(10):
        game.play(seats[game.actor].choose(game.view(game.actor)))
    assert game.plies == 10
    assert set(bot.rulesets or ()) >= {"classic", "express"}
    dice = family_of("express").make_bot(f"{real_server}?bot=random")
    rolled = family_of("express").new_game("express", 2, seed=1)
    assert dice.choose(rolled.view(rolled.actor)) in rolled.legal_actions()


def test_websocket_text_that_is_no_utf8(real_server: str) -> None:
    """Only a real connection can send it."""
    import websockets

    async def talk() -> None:
        url = real_server.replace("http", "ws")
        async with websockets.connect(f"{url}v1/bot") as connection:
            await connection.send(b"\xff\xfe", text=True)
            assert json.loads(await connection.recv())["code"] == "bad_request"
            await connection.send('{"id":1,"type":"hello"}')
            assert json.loads(await connection.recv())["id"] == 1

    asyncio.run(talk())
