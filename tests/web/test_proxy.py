"""Behind a reverse proxy, with and without a path prefix, with and without the browser's Host."""

from __future__ import annotations

import http.client
import json
import re
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urljoin, urlsplit

import pytest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect
from websockets.typing import Origin

from sorry_env.errors import RequestError
from sorry_env.web.app import Settings
from tests.web.process import Served
from tests.web.proxy import Location, Proxy
from tests.web.support import server

pytestmark = pytest.mark.timeout(120)

NAME = "games.example"
GUIDE = Path(__file__).parents[2] / "docs" / "serve.md"
_UPGRADE = """
        proxy_http_version 1.1;
        proxy_set_header Upgrade $http_upgrade;
        proxy_set_header Connection $connection_upgrade;
"""


def block(prefix: str, passes: str, more: str = "") -> str:
    return f"    location {prefix} {{\n        proxy_pass {passes};{_UPGRADE}{more}    }}\n"


def documented() -> str:
    [text] = re.findall(r"```nginx\n(.*?)```", GUIDE.read_text(), re.DOTALL)
    return str(text)


#: What the proxies are; the server behind has the prefix /sorry and is told the names.
LOCATIONS = {
    "documented": documented(),
    "prefix off, Host of proxy_pass": block("/sorry/", "http://127.0.0.1:8000/"),
    "prefix on, Host of proxy_pass": block("/sorry/", "http://127.0.0.1:8000"),
    "prefix on, Host passed": block(
        "/sorry/", "http://127.0.0.1:8000", "        proxy_set_header Host $host;\n"
    ),
    "no prefix": block("/", "http://127.0.0.1:8000"),
    "another prefix, taken off": block("/board/games/", "http://127.0.0.1:8000/"),
    "name of an upstream": block("/sorry/", "http://sorry_backend:8000/"),
}


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("proxied")
    options = ("--root-path", "/sorry/", "--allow-host", NAME, "--allow-host", "sorry_backend")
    with Served(folder / "games.db", *options) as running:
        yield running
    assert "Traceback" not in running.log(), running.log()


@pytest.fixture(scope="module", params=LOCATIONS)
def proxy(request: pytest.FixtureRequest, served: Served) -> Iterator[Proxy]:
    port = urlsplit(served.address).port
    text = LOCATIONS[request.param].replace(":8000", f":{port}")
    with Proxy(Location.read(text)) as running:
        yield running


class Browser:
    """Asks a proxy as a browser does that was given the address http://games.example/PREFIX."""

    def __init__(self, proxy: Proxy, origin: str = f"http://{NAME}") -> None:
        self.port = urlsplit(proxy.address).port
        self.page = f"http://{NAME}{proxy.location.prefix}"
        self.origin = origin

    def ask(self, address: str, body: object = None, host: str = NAME) -> tuple[int, Any, str]:
        """Status, body and content type; an address is relative to the page."""
        path = urlsplit(urljoin(self.page, address)).path
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        try:
            headers = {"host": host}
            if body is not None:
                headers |= {"origin": self.origin, "content-type": "application/json"}
            data = None if body is None else json.dumps(body)
            connection.request("GET" if body is None else "POST", path, data, headers)
            answer = connection.getresponse()
            text = answer.read().decode()
            kind = answer.headers.get("content-type", "")
            if "location" in answer.headers:
                text = answer.headers["location"]
            return answer.status, json.loads(text) if "json" in kind else text, kind
        finally:
            connection.close()

    def socket(self, address: str) -> Any:
        """A WebSocket, its address relative to the page."""
        asked = urljoin(self.page, address).replace("http://", "ws://")
        raw = socket.create_connection(("127.0.0.1", self.port), timeout=30)
        return connect(asked, sock=raw, origin=Origin(self.origin), proxy=None)


def test_all_parts_of_the_page_are_found(proxy: Proxy) -> None:
    browser = Browser(proxy)
    status, page, kind = browser.ask("")
    assert status == 200 and kind.startswith("text/html")
    waiting = re.findall(r'(?:href|src)="([^"#]+)"', page)
    assert "static/main.js" in waiting
    seen: set[str] = set()
    while waiting:
        address = waiting.pop()
        if address in seen:
            continue
        seen.add(address)
        status, text, kind = browser.ask(address)
        assert status == 200, address
        if address.endswith(".js"):
            assert kind.startswith("text/javascript")
            waiting += [urljoin(address, name) for name in re.findall(r'from "(.*?)"', text)]
            # What the page asks for and where it links to is relative, too.
            assert not re.search(r"""["'`]/(api|static|v1)/""", text), address
    assert len(seen) > 25


def test_a_game_is_played(proxy: Proxy) -> None:
    browser = Browser(proxy)
    status, made, _ = browser.ask("api/games", {"ruleset": "points", "seed": 7})
    assert status == 201, made
    with browser.socket(f"api/games/{made['game']}/ws") as line:
        line.send(json.dumps({"type": "join", "secrets": [made["secrets"]["red"]]}))
        state = json.loads(line.recv(30))["state"]
        move = {"type": "move", "id": 1, "move": state["legal"][0]["move"], "ply": state["ply"]}
        line.send(json.dumps(move))
        while (told := json.loads(line.recv(30))).get("id") != 1:
            assert told["type"] in ("move", "state"), told
        assert told["type"] == "ok"
    assert browser.ask(f"api/games/{made['game']}")[1]["plies"] >= 1
    assert browser.ask("api/schema")[1]["servers"] == [{"url": "/sorry"}]


def test_pages_of_others_are_refused(proxy: Proxy) -> None:
    for origin in ("http://evil.example", f"http://{NAME}:81", f"http://x.{NAME}", "null"):
        browser = Browser(proxy, origin)
        status, refusal, _ = browser.ask("api/games", {})
        assert (status, refusal["code"]) == (403, "forbidden")
        assert "--allow-host" in refusal["message"]
        with pytest.raises(InvalidStatus) as caught, browser.socket("v1/bot"):
            pass
        assert caught.value.response.status_code == 403


def test_foreign_names_are_refused_where_the_host_is_passed_on(proxy: Proxy) -> None:
    passed = "host" in proxy.location.headers
    status, answer, _ = Browser(proxy).ask("api/bots", host="evil.example")
    assert status == (403 if passed else 200)
    if passed:
        assert "'evil.example'" in answer["message"] and "--allow-host" in answer["message"]


def test_the_prefix_without_its_slash_leads_to_the_page(served: Served) -> None:
    """Asked at the server itself: a proxy may leave it to us."""
    host = urlsplit(served.address)
    for path, status in (("/sorry", 308), ("/sorry/", 200), ("/", 200), ("/sorry/sorry/", 404),
                         ("/sorryapi/bots", 404), ("/sorry/api/bots", 200)):  # fmt: skip
        connection = http.client.HTTPConnection(str(host.hostname), host.port, timeout=30)
        connection.request("GET", path)
        answer = connection.getresponse()
        answer.read()
        assert answer.status == status, path
        if status == 308:
            assert urljoin(f"https://{NAME}{path}", answer.headers["location"]) == (
                f"https://{NAME}/sorry/"
            )
        connection.close()


# -- what to set ----------------------------------------------------------------------------------

PROXIED = {
    "host": "127.0.0.1:8000",
    "origin": f"https://{NAME}",
    "content-type": "application/json",
}


@pytest.mark.parametrize(
    ("hosts", "origin", "status"),
    [
        ([], f"https://{NAME}", 403),
        ([NAME], f"https://{NAME}", 200),
        ([NAME.upper()], f"http://{NAME}", 200),
        ([NAME], f"https://{NAME}:8443", 403),
        ([f"{NAME}:8443"], f"https://{NAME}:8443", 200),
        ([f"{NAME}:8443"], f"https://{NAME}", 403),
        (["192.168.1.7"], "http://192.168.1.7", 200),
        ([], "http://192.168.1.7", 403),
        ([NAME], "null", 403),
        ([NAME], f"file://{NAME}", 403),
        ([NAME], f"https://{NAME}.evil.example", 403),
        ([NAME], f"https://evil@{NAME}", 403),
    ],
)
def test_which_pages_may_ask_where_a_proxy_changes_the_host(
    tmp_path: Path, hosts: list[str], origin: str, status: int
) -> None:
    with server(tmp_path / "games.db", hosts=hosts) as client:
        headers = PROXIED | {"origin": origin}
        answer = client.post("/v1/hello", content=b"{}", headers=headers)
        assert answer.status_code == status, answer.text
        if status == 403:
            message = answer.json()["message"]
            assert repr(origin) in message and "127.0.0.1:8000" in message
            assert "--allow-host" in message and "Host header" in message
        crossed = headers | {"sec-fetch-site": "cross-site"}
        assert client.post("/v1/hello", content=b"{}", headers=crossed).status_code == 403


@pytest.mark.parametrize(
    ("field", "value", "words"),
    [
        *(("root_path", value, "must be a path") for value in
          ("sorry", "/so rry", "//", "/sorry//x", "/../x", "/x?y", "/x#y", "http://x/", "/ü")),
        *(("root_path", value, "a path of the server itself") for value in
          ("/api", "/static/x", "/v1/")),
        *(("hosts", [value], "must be a name or an address") for value in
          ("", "http://games.example", "games.example/x", "user@games.example", "x:y", "[::1")),
        *(("proxies", [value], "must be an address") for value in ("", "nginx", "10.0.0.0/99")),
    ],
)  # fmt: skip
def test_settings_that_cannot_be(tmp_path: Path, field: str, value: Any, words: str) -> None:
    with pytest.raises(RequestError, match=words):
        Settings(db=tmp_path / "games.db", **{field: value})


@pytest.mark.parametrize("value", ["", "/", "/sorry", "/sorry/", "/a/b-c/d.e~f"])
def test_root_paths(tmp_path: Path, value: str) -> None:
    assert Settings(db=tmp_path / "x", root_path=value).root_path == value.rstrip("/")
