"""The server is ended by force in the middle of games: nothing that anybody was told is lost."""

from __future__ import annotations

import asyncio
import json
import sqlite3
import time
import urllib.request
from pathlib import Path
from typing import Any

import pytest
import websockets

from sorry_env.errors import RequestError
from sorry_env.notation.record import read_records
from sorry_env.web.store import Store
from tests.web.process import Served

pytestmark = pytest.mark.timeout(300)
Row = dict[str, Any]


def post(address: str, path: str, row: Row) -> Row:
    request = urllib.request.Request(
        address + path, json.dumps(row).encode(), {"content-type": "application/json"}
    )
    with urllib.request.urlopen(request, timeout=20) as response:
        found: Row = json.load(response)
        return found


def get(address: str, path: str) -> str:
    with urllib.request.urlopen(address + path, timeout=20) as response:
        text: bytes = response.read()
        return text.decode()


async def play(address: str, game: str, secret: str, decisions: int) -> tuple[list[Row], Row]:
    """Decide so often; all entries that were told, and the last state."""
    url = f"{address.replace('http', 'ws')}api/games/{game}/ws"
    async with websockets.connect(url) as socket:
        await socket.send(json.dumps({"type": "join", "secrets": [secret]}))
        welcome = json.loads(await socket.recv())
        log, state = welcome["log"], welcome["state"]
        decided = -1
        while not state["over"]:
            if state["legal"] and state["ply"] > decided:
                decided = state["ply"]
                if not decisions:
                    break
                decisions -= 1
                move = state["legal"][-1]["move"]
                await socket.send(json.dumps({"type": "move", "move": move, "ply": state["ply"]}))
            row = json.loads(await socket.recv())
            assert row["type"] in ("move", "ok", "state"), row
            if row["type"] == "move":
                log.append(row["entry"])
            state = row.get("state", state)
        return log, state


def test_killed_at_any_moment_and_started_again(tmp_path: Path) -> None:
    server = Served(tmp_path / "games.db")
    server.start()
    try:
        made = post(server.address, "api/games", {"ruleset": "duel-3", "seed": 4})
        players = {"red": "greedy", "yellow": "random"}
        bots = post(server.address, "api/games", {"ruleset": "duel-3", "players": players})
        secret = made["secrets"]["red"]
        told: list[Row] = []
        for decisions in (1, 2):
            log, state = asyncio.run(play(server.address, made["game"], secret, decisions))
            assert log[: len(told)] == told
            told = log
            server.kill()  # right after the last move was told
            with pytest.raises(OSError):
                get(server.address, "api/games")
            server.start()
            # What is there now is what was told, and perhaps moves that nobody was told of.
            again, now = asyncio.run(play(server.address, made["game"], secret, 0))
            assert again[: len(told)] == told
            assert now["ply"] == len(again)
            told = again
        log, state = asyncio.run(play(server.address, made["game"], secret, 10_000))
        assert log[: len(told)] == told and state["over"]
        text = get(server.address, f"api/games/{made['game']}/record")
        (record,) = read_records(text.splitlines())
        assert [row["move"] for row in record.moves] == [entry["move"] for entry in log]
        # A game of bots has gone on by itself.
        deadline = time.monotonic() + 120
        while not json.loads(get(server.address, f"api/games/{bots['game']}"))["over"]:
            assert time.monotonic() < deadline, "the game of bots stands still"
            time.sleep(0.05)
        assert json.loads(get(server.address, "api/games"))["total"] == 2
    finally:
        server.stop()
    assert server.log() == ""


def test_a_file_serves_one_server_at_a_time(tmp_path: Path) -> None:
    first = Store(tmp_path / "games.db")
    try:
        with pytest.raises(RequestError, match="locked"):
            Store(tmp_path / "games.db")
    finally:
        first.close()
    Store(tmp_path / "games.db").close()


def test_files_that_are_none_of_ours_are_left_alone(tmp_path: Path) -> None:
    other = tmp_path / "other.db"
    with sqlite3.connect(other) as db:
        db.execute("create table people (name text)")
    db.close()
    text = tmp_path / "text.db"
    text.write_text("no database at all" * 100)
    for path in (other, text, tmp_path):
        with pytest.raises(RequestError, match="games cannot be kept"):
            Store(path)
    assert text.read_text().startswith("no database")
