"""Bots behind HTTP: what is asked, what is made of the answers, what takes too long."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from sorry_env.bots.registry import make_bot
from sorry_env.errors import PeerError, RequestError
from sorry_env.game import Game
from sorry_env.server.client import HttpBot
from sorry_env.server.http_peer import HttpPeer
from sorry_env.server.peer import MAX_ANSWER
from sorry_env.server.session import Session

LINE = json.dumps({"type": "choose", "id": 7}).encode()


@dataclass
class Server:
    """A server on this machine: what it answers next, and what it was asked."""

    url: str = ""
    status: int = 200
    body: bytes = b'{"id": 7}'
    answer: Callable[[bytes], bytes] | None = None  # takes the place of `body`
    silent: bool = False  # answers only when `release` is set
    hang_up: bool = False  # closes the connection after the answer, without saying so before
    asked: list[tuple[str, bytes, str | None]] = field(default_factory=list)
    connections: set[Any] = field(default_factory=set)
    release: threading.Event = field(default_factory=threading.Event)


@pytest.fixture
def server() -> Iterator[Server]:
    state = Server()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"  # connections are kept open

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            state.asked.append((self.path, body, self.headers["Content-Type"]))
            state.connections.add(self.client_address)
            if state.silent:
                state.release.wait(20)
            answer = state.answer(body) if state.answer else state.body
            self.send_response(state.status)
            self.send_header("Content-Length", str(len(answer)))
            self.end_headers()
            self.wfile.write(answer)
            self.close_connection = state.hang_up

        def log_message(self, *_: Any) -> None:
            """Say nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as listener:
        listener.daemon_threads = True
        listener.block_on_close = False
        thread = threading.Thread(target=listener.serve_forever, args=(0.01,))
        thread.start()
        state.url = f"http://127.0.0.1:{listener.server_address[1]}"
        yield state
        state.release.set()
        listener.shutdown()
        thread.join()


@pytest.mark.parametrize(
    ("address", "path"),
    [
        ("", "/v1/choose"),
        ("/", "/v1/choose"),
        ("/some/where", "/some/where/v1/choose"),
        ("/some/where/", "/some/where/v1/choose"),
        ("?bot=greedy", "/v1/choose?bot=greedy"),
        ("/a?bot=greedy&x=1", "/a/v1/choose?bot=greedy&x=1"),
    ],
)
def test_the_request(server: Server, address: str, path: str) -> None:
    peer = HttpPeer(server.url + address)
    assert peer.ask(LINE, 20) == b'{"id": 7}'
    assert server.asked == [(path, LINE, "application/json")]
    peer.close()


def test_one_connection_for_many_requests(server: Server) -> None:
    peer = HttpPeer(server.url)
    for _ in range(3):
        peer.ask(LINE, 20)
    assert len(server.asked) == 3
    assert len(server.connections) == 1
    peer.close()
    peer.ask(LINE, 20)  # a closed one begins anew
    assert len(server.connections) == 2
    peer.close()


def test_a_connection_closed_meanwhile_is_made_anew(server: Server) -> None:
    peer = HttpPeer(server.url)
    server.hang_up = True
    for _ in range(3):
        assert peer.ask(LINE, 20) == b'{"id": 7}'
    assert len(server.asked) == 3
    assert len(server.connections) == 3
    peer.close()


@pytest.mark.parametrize("status", [200, 400, 404, 500, 503])
def test_an_object_is_an_answer_whatever_the_status(server: Server, status: int) -> None:
    server.status, server.body = status, b' \n{"error": {}}'
    peer = HttpPeer(server.url)
    assert peer.ask(LINE, 20) == server.body
    peer.close()


def test_other_answers_with_an_error_status_are_refused(server: Server) -> None:
    server.status, server.body = 502, b"<html>Bad gateway</html>"
    peer = HttpPeer(server.url)
    with pytest.raises(PeerError, match=r"answers status 502: .*Bad gateway") as caught:
        peer.ask(LINE, 20)
    assert caught.value.value == 502
    # With status 200 it is left to the reader of the protocol.
    server.status = 200
    assert peer.ask(LINE, 20) == server.body
    peer.close()


def test_the_longest_answer(server: Server) -> None:
    peer = HttpPeer(server.url)
    server.body = b" " * MAX_ANSWER
    assert peer.ask(LINE, 20) == server.body
    server.body += b" "
    with pytest.raises(PeerError, match=f"over {MAX_ANSWER} bytes") as caught:
        peer.ask(LINE, 20)
    assert caught.value.value == MAX_ANSWER + 1
    # What is left of it is not taken for the next answer.
    server.body = b'{"id": 8}'
    assert peer.ask(LINE, 20) == b'{"id": 8}'
    peer.close()


def test_silence_is_cut_off_at_the_deadline(server: Server) -> None:
    server.silent = True
    peer = HttpPeer(server.url)
    started = time.monotonic()
    with pytest.raises(PeerError, match=r"did not answer within 0\.2 s") as caught:
        peer.ask(LINE, 0.2)
    assert time.monotonic() - started < 10  # the server would have kept silent for 20
    assert caught.value.value == 0.2
    # The late answer belongs to nobody: the next request has a connection and an answer of its own.
    server.silent, server.body = False, b'{"id": 9}'
    assert peer.ask(LINE, 20) == b'{"id": 9}'
    assert len(server.connections) == 2
    peer.close()


def test_a_server_that_is_not_there(server: Server) -> None:
    peer = HttpPeer("http://127.0.0.1:9")  # the port of `discard`, which nobody serves
    with pytest.raises(PeerError, match="it cannot be asked: Connection refused") as caught:
        peer.ask(LINE, 20)
    assert caught.value.value == LINE
    peer.close()
    peer.close()  # twice does no harm


def test_a_bot_behind_it_plays_as_at_home(server: Server) -> None:
    session = Session("greedy", seed=0)
    server.answer = lambda line: session.answer_line(line).encode()
    away, home = HttpBot(f"{server.url}/bots?bot=greedy"), make_bot("greedy")
    game = Game("classic", seats="red,yellow", seed=3)
    for _ in range(12):
        view = game.view(game.actor)
        assert away.choose(view) == home.choose(view)
        game.play(home.choose(view))
    assert server.asked[0][0] == "/bots/v1/hello?bot=greedy"
    assert {path for path, _, _ in server.asked[1:]} == {"/bots/v1/move?bot=greedy"}
    away.close()


@pytest.mark.parametrize(
    "url",
    [
        *("", "x", "//h", "ftp://h/", "http://", "http:///x", "http://h:0/", "http://h:99999/"),
        *("http://h:x/", "http://a b/", "http://h/#part", "http://h/\n", "http://h/\u00e9"),
    ],
)
def test_addresses_that_are_none(url: str) -> None:
    with pytest.raises(RequestError, match="must be an address such as") as caught:
        HttpBot(url)
    assert caught.value.value == url


@pytest.mark.parametrize("url", ["http://h", "https://h:1/", "http://[::1]:65535/a?b=c&d"])
def test_addresses_that_are_some(url: str) -> None:
    assert HttpBot(url).url == url
