"""What the server refuses before it looks: foreign pages, foreign names, sizes, paths, floods."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient, WebSocketDenialResponse

from sorry_env.web.app import STATIC
from sorry_env.web.guard import Guard
from sorry_env.web.limits import Bucket, Buckets, Limits, Refusal
from tests.web.support import SOCKETS, new_game, player, server

pytestmark = pytest.mark.timeout(300)
JSON = {"content-type": "application/json"}


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    folder = tmp_path_factory.mktemp("web")
    with server(folder / "games.db", hosts=["games.example"]) as running:
        yield running


def code(response: Any, status: int) -> str:
    """The code of a refusal of this status, which has the form of all refusals."""
    assert response.status_code == status, response.text
    row = response.json()
    assert row["type"] == "error" and row["message"] and "Traceback" not in response.text
    return str(row["code"])


@pytest.mark.parametrize(
    "origin",
    ["http://evil.example", "null", "http://127.0.0.1:8001", "https://127.0.0.1", "file://", "x"],
)
def test_pages_of_other_origins_cannot_ask(client: TestClient, origin: str) -> None:
    for path in ("/api/games", "/v1/hello", "/api/analysis", "/api/replay"):
        response = client.post(path, content=b"{}", headers={**JSON, "origin": origin})
        assert code(response, 403) == "forbidden"
    game = new_game(client)["game"]
    for path in (f"/api/games/{game}/ws", "/v1/bot"):
        with (
            pytest.raises(WebSocketDenialResponse) as refused,
            client.websocket_connect(SOCKETS + path, headers={"origin": origin}),
        ):
            pass
        assert refused.value.status_code == 403


def test_the_own_page_and_programs_can_ask(client: TestClient) -> None:
    for headers in ({}, {"origin": "http://127.0.0.1:8000"}):
        response = client.post("/v1/hello", content=b"{}", headers={**JSON, **headers})
        assert response.status_code == 200
    crossed = {**JSON, "sec-fetch-site": "cross-site"}
    assert code(client.post("/v1/hello", content=b"{}", headers=crossed), 403) == "forbidden"


@pytest.mark.parametrize(
    ("site", "allowed"),
    [("cross-site", False), ("same-site", False), ("same-origin", True), ("none", True)],
)
def test_what_a_browser_says_of_the_page_that_asks(
    client: TestClient, site: str, allowed: bool
) -> None:
    """Another origin of the same site, such as another port, is another page, too."""
    crossed = {**JSON, "sec-fetch-site": site}
    for method in ("POST", "PUT", "DELETE", "PATCH"):
        response = client.request(method, "/v1/hello", content=b"{}", headers=crossed)
        assert (response.status_code == 403) is not allowed, method
    assert client.get("/api/bots", headers=crossed).status_code == 200  # a link may lead here
    path = f"{SOCKETS}/api/games/{new_game(client)['game']}/ws"
    if allowed:
        with client.websocket_connect(path, headers={"sec-fetch-site": site}) as socket:
            socket.send_json({"type": "join", "secrets": []})
            assert socket.receive_json()["type"] == "welcome"
    else:
        with (
            pytest.raises(WebSocketDenialResponse) as refused,
            client.websocket_connect(path, headers={"sec-fetch-site": site}),
        ):
            pass
        assert refused.value.status_code == 403


@pytest.mark.parametrize(
    ("host", "known"),
    [
        ("127.0.0.1:8000", True),
        ("localhost:8000", True),
        ("LOCALHOST", True),
        ("[::1]:8000", True),
        ("192.168.1.7:8000", True),
        ("games.example:8000", True),
        ("evil.example", False),
        ("127.0.0.1.evil.example", False),
        ("localhost.", False),
        ("user@127.0.0.1", False),
        ("127.0.0.1/x", False),
        ("[::1", False),
        ("", False),
    ],
)
def test_only_addresses_and_known_names_are_answered(
    client: TestClient, host: str, known: bool
) -> None:
    response = client.get("/api/bots", headers={"host": host})
    assert response.status_code == (200 if known else 403)


@pytest.mark.parametrize("hosts", [[], ["127.0.0.1:8000", "evil.example"], ["127.0.0.1"] * 2])
def test_a_request_has_one_host(hosts: list[str]) -> None:
    """Of two names one might be looked at here and the other by a proxy."""
    guard = Guard(lambda *_: None, Limits())  # type: ignore[arg-type, return-value]
    scope: dict[str, Any] = {
        "type": "http", "method": "GET", "path": "/", "client": ("127.0.0.1", 1),
        "headers": [(b"host", host.encode()) for host in hosts],
    }  # fmt: skip
    with pytest.raises(Refusal, match="must have one Host header"):
        guard.check(scope)
    guard.check({**scope, "headers": [(b"host", b"127.0.0.1:8000")]})


def test_answers_forbid_what_a_page_must_not_do(client: TestClient) -> None:
    for path in ("/api/bots", "/nowhere", "/static/nothing.js"):
        headers = client.get(path).headers
        policy = headers["content-security-policy"]
        assert "default-src 'none'" in policy and "frame-ancestors 'none'" in policy
        assert "unsafe" not in policy and "http" not in policy
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["x-frame-options"] == "DENY"
        assert headers["referrer-policy"] == "no-referrer"
        assert headers["cross-origin-opener-policy"] == "same-origin"
        assert headers["cross-origin-resource-policy"] == "same-origin"
        assert "access-control-allow-origin" not in headers
    assert client.get("/api/bots").headers["cache-control"] == "no-store"


@pytest.mark.parametrize(
    "path",
    [
        "/static/../app.py", "/static/%2e%2e/app.py", "/static/..%2fapp.py", "/static//etc/passwd",
        "/static/%00", "/static/....//app.py", "/..%2f..%2fetc/passwd", "/api/games/..%2f..%2fx",
        "/api/games/%2e%2e/record", "/static/", "/static", "/api/games/x%00y",
        "/v1/move%00", "/api/games/" + "a" * 5000,
    ],
)  # fmt: skip
def test_tricks_with_paths_find_nothing(client: TestClient, path: str) -> None:
    response = client.get(path)
    assert response.status_code in (404, 405), response.text
    assert "import" not in response.text and "root:" not in response.text


def test_only_what_is_in_the_folder_is_served() -> None:
    assert Path(STATIC).name == "static"


def test_methods_and_kinds_of_bodies(client: TestClient) -> None:
    assert code(client.put("/api/games", json={}), 405) == "method_not_allowed"
    assert code(client.get("/v1/hello"), 405) == "method_not_allowed"
    assert code(client.delete("/api/games/x"), 405) == "method_not_allowed"
    for kind in ("text/plain", "application/x-www-form-urlencoded", "", "multipart/form-data"):
        response = client.post("/api/games", content=b"{}", headers={"content-type": kind})
        assert code(response, 415) == "bad_media_type"


@pytest.mark.parametrize(
    "body",
    [b"", b"[]", b"null", b"{", b"\xff", b"[" * 5000, b'{"seats":' + b"1" * 5000 + b"}", b'"x"'],
)
def test_bodies_that_are_none(client: TestClient, body: bytes) -> None:
    assert code(client.post("/api/games", content=body, headers=JSON), 400) == "bad_request"


def test_sizes(client: TestClient) -> None:
    large = b'{"name":"' + b"x" * 70_000 + b'"}'
    assert code(client.post("/api/games", content=large, headers=JSON), 413) == "too_large"
    assert code(client.post("/v1/legal", content=large, headers=JSON), 413) == "too_large"
    record = {"content-type": "application/x-ndjson"}
    huge = b"x" * (5 << 20)
    assert code(client.post("/api/replay", content=huge, headers=record), 413) == "too_large"
    made = new_game(client)
    with player(client, made["game"], made["secrets"]["red"]) as red:
        red.socket.send_text('{"type":"ping","id":"' + "x" * 70_000 + '"}')
        assert red.wait("error")["code"] == "too_large"
        assert red.ask("ping")["type"] == "pong"
    with client.websocket_connect(f"{SOCKETS}/v1/bot") as socket:
        socket.send_text("x" * 70_000)
        assert socket.receive_json()["code"] == "too_large"


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"ruleset": "chess"}, "unknown ruleset"),
        ({"ruleset": "classic?pawns=9"}, "pawns"),
        ({"ruleset": 5}, "ruleset must not be"),
        ({"seats": 7}, "7"),
        ({"seats": ["red", "red"]}, "red"),
        ({"seats": [1, 2]}, "names"),
        ({"seats": True}, "seats must not be"),
        ({"seats": ["mauve"] * 100}, "seats"),
        ({"players": {"red": "person"}}, "players must be given"),
        ({"players": {"red": "person", "yellow": 5}}, "named by text"),
        ({"players": {"red": "person", "yellow": "process:sh"}}, "not offered"),
        ({"players": {"red": "person", "yellow": "learned:/etc/passwd"}}, "not offered"),
        ({"players": {"red": "person", "yellow": "http://127.0.0.1:1/"}}, "not offered"),
        ({"players": {"red": "person", "yellow": "file:../../etc/passwd"}}, "not offered"),
        ({"players": {"red": "person", "yellow": "value:x.onnx"}}, "not offered"),
        ({"ruleset": "express", "players": {"0": "person", "1": "runner"}}, "does not play"),
        ({"ruleset": "points", "players": {"red": "person", "yellow": "optimal"}}, ""),
        ({"first": "green"}, "green"),
        ({"seed": -1}, "seed"),
        ({"seed": 2**70}, "seed"),
        ({"seed": 1.5}, "seed"),
        ({"pace_ms": 10**9}, "pace_ms"),
        ({"name": "x" * 61}, "characters"),
        ({"name": "\u0007"}, "characters"),
        ({"position": "classic"}, "eight fields"),
        ({"position": "classic rS,rS,rS,rS/-/yS,yS,yS,yS/- r move 7 5.4.4.4.4.3.4.4.4.4.4 - -",
          "seats": 2}, "says itself"),
        ({"position": "x" * 5000}, ""),
        ({"forced": "yes"}, "forced"),
        ({"colour": "red"}, "unknown field"),
    ],
)  # fmt: skip
def test_games_that_cannot_be_made(client: TestClient, fields: dict[str, Any], words: str) -> None:
    response = client.post("/api/games", json=fields)
    assert 400 <= response.status_code < 500, response.text
    assert response.json()["type"] == "error" and words in response.json()["message"]


def test_first_messages_that_are_none(client: TestClient) -> None:
    game = new_game(client)["game"]
    for message in ("", "x", "[]", '{"type":"move"}', '{"type":"join","secrets":"x"}',
                    '{"type":"join","who":1}', '{"type":["join"]}', "null"):  # fmt: skip
        with client.websocket_connect(f"{SOCKETS}/api/games/{game}/ws") as socket:
            socket.send_text(message)
            assert socket.receive_json()["type"] == "error"
            assert socket.receive()["code"] == 1008
    with client.websocket_connect(f"{SOCKETS}/api/games/nowhere/ws") as socket:
        assert socket.receive_json()["code"] == "not_found"


def test_floods_are_cut_off_and_others_play_on(tmp_path: Path) -> None:
    limits = Limits(messages=(10, 0), sockets=3, viewers=2, new_games=(2, 0), join_seconds=0.2)
    with server(tmp_path / "games.db", limits=limits) as client:
        made = new_game(client, seed=1)
        with player(client, made["game"], made["secrets"]["red"]) as red:
            with player(client, made["game"]) as flooder:
                for _ in range(200):
                    flooder.socket.send_json({"type": "ping"})
                refused = 0
                while (message := flooder.socket.receive())["type"] == "websocket.send":
                    refused += "too_many" in message["text"]
                assert message["code"] == 1008 and refused > 10
            assert red.until_mine() and red.move()["type"] == "ok"
            with player(client, made["game"]) as second:
                assert second.ask("ping")["type"] == "pong"
                # One more than may look at a game, one more than may be connected at all.
                with client.websocket_connect(f"{SOCKETS}/api/games/{made['game']}/ws") as third:
                    third.send_json({"type": "join"})
                    assert third.receive_json()["code"] == "too_many"
                bots = f"{SOCKETS}/v1/bot"
                with client.websocket_connect(bots) as bot:
                    bot.send_json({"type": "hello"})
                    assert bot.receive_json()["type"] == "hello"
                    with (
                        pytest.raises(WebSocketDenialResponse) as denied,
                        client.websocket_connect(bots),
                    ):
                        pass
                    assert denied.value.status_code == 429
            # Whoever says nothing is not waited for.
            with client.websocket_connect(f"{SOCKETS}/api/games/{made['game']}/ws") as silent:
                assert silent.receive_json()["code"] == "timeout"
        new_game(client)
        assert code(client.post("/api/games", json={}), 429) == "too_many"


def test_requests_without_end_are_refused(tmp_path: Path) -> None:
    with server(tmp_path / "games.db", limits=Limits(requests=(5, 0))) as client:
        answers = [client.get("/api/games").status_code for _ in range(7)]
    assert answers == [200] * 5 + [429] * 2


def test_buckets() -> None:
    now = 0.0
    bucket = Bucket(2, 0.5, lambda: now)
    assert [bucket.take() for _ in range(3)] == [True, True, False]
    now = 2.0
    assert [bucket.take() for _ in range(2)] == [True, False]
    now = 1000.0
    assert [bucket.take() for _ in range(3)] == [True, True, False]
    many = Buckets(1, 0, most=2, clock=lambda: now)
    assert [many.take(who) for who in "abab"] == [True, True, False, False]
    assert many.take("c") and many.take("a")  # of whom nothing was known any more
