"""What the tests of the server share: a server in this process, clients that play."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from starlette.testclient import TestClient, WebSocketTestSession

from sorry_env.web.app import Settings, make_app
from sorry_env.web.limits import Limits

Row = dict[str, Any]
ADDRESS = "http://127.0.0.1:8000"
SOCKETS = "ws://127.0.0.1:8000"


@contextmanager
def server(db: Path, *, limits: Limits | None = None, **settings: Any) -> Iterator[TestClient]:
    """A client of a server that runs as long as this lasts."""
    made = Settings(db=db, limits=limits or Limits(), **settings)
    with TestClient(make_app(made), base_url=ADDRESS, raise_server_exceptions=True) as client:
        yield client


def new_game(client: TestClient, **fields: Any) -> Row:
    """A new game: the whole answer."""
    response = client.post("/api/games", json=fields)
    assert response.status_code == 201, response.text
    row: Row = response.json()
    return row


class Player:
    """One WebSocket at a game: what it was told, what it asks."""

    def __init__(self, socket: WebSocketTestSession, secrets: list[str]) -> None:
        self.socket = socket
        self.told: list[Row] = []
        self._asked = 0
        socket.send_json({"type": "join", "secrets": secrets})
        self.welcome = self.wait("welcome")
        self.state: Row = self.welcome["state"]

    def next(self) -> Row:
        """The next message."""
        row: Row = self.socket.receive_json()
        self.told.append(row)
        if "state" in row:
            self.state = row["state"]
        return row

    def wait(self, kind: str, **fields: Any) -> Row:
        """The next message of a type, and with these fields; what comes before is only noted."""
        while True:
            row = self.next()
            if row["type"] == kind and all(row.get(k) == v for k, v in fields.items()):
                return row
            assert row["type"] != "error" or kind == "error", row

    def ask(self, kind: str, **fields: Any) -> Row:
        """The answer to a request."""
        self._asked += 1
        name = f"request {self._asked}"  # which nobody hits upon who sends messages at random
        self.socket.send_json({"id": name, "type": kind, **fields})
        while True:
            row = self.next()
            if row.get("id") == name:
                return row

    def move(self, choose: Callable[[list[Row]], Row] = lambda moves: moves[-1]) -> Row:
        """Play a legal move; the answer."""
        move = choose(self.state["legal"])
        return self.ask("move", move=move["move"], ply=self.state["ply"])

    def until_mine(self) -> bool:
        """Wait until this player decides; False when the game is over."""
        while not self.state["over"] and not self.state["legal"]:
            self.next()
        return not self.state["over"]


@contextmanager
def player(client: TestClient, game: str, *secrets: str) -> Iterator[Player]:
    """A player of these secrets, or without any a watcher."""
    with client.websocket_connect(f"{SOCKETS}/api/games/{game}/ws") as socket:
        yield Player(socket, list(secrets))
