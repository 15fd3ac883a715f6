"""Matches to a target score: round after round, the same people, a score that adds up."""

from __future__ import annotations

import asyncio
import json
import time
import urllib.error
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import websockets
from starlette.testclient import TestClient

from sorry_env.notation.record import Record, read_records
from sorry_env.web.limits import Limits
from tests.web.process import Served
from tests.web.support import Player, Row, new_game, player, server
from tests.web.test_crash import get, play, post

pytestmark = pytest.mark.timeout(300)

#: One pawn each: a round is soon over, and brings its winner 5 + 5 + 100 points.
SHORT = "points?pawns=1"


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    limits = Limits(messages=(100_000, 100_000))
    with server(tmp_path_factory.mktemp("match") / "games.db", limits=limits) as running:
        yield running


def to_the_end(person: Player) -> Row:
    """Play on until the round is over; its last state."""
    while person.until_mine():
        person.move()
    return person.state


def records(client: TestClient, game: str) -> list[Record]:
    response = client.get(f"/api/games/{game}/match/record")
    assert response.status_code == 200, response.text
    return list(read_records(response.text.splitlines()))


def test_two_rounds_and_their_score(client: TestClient) -> None:
    made = new_game(client, ruleset=SHORT, target_score=111, seed=3)
    first, secret = made["game"], made["secrets"]["red"]
    assert made["state"]["match"] == {
        "target_score": 111, "round": 1, "score": {"red": 0.0, "yellow": 0.0}, "over": False,
        "winners": [], "next": None,
    }  # fmt: skip
    with player(client, first, secret) as red, player(client, first) as watcher:
        assert red.ask("next_round")["code"] == "running"
        assert client.get(f"/api/games/{first}/match/record").json()["code"] == "running"
        state = to_the_end(red)
        # 5 for the own pawn Home, 5 for the other that is not, 100 as no opponent has one Home.
        (winner,) = state["winners"]
        loser = next(seat for seat in state["seats"] if seat != winner)
        assert state["match"]["score"] == {winner: 110.0, loser: 0.0}
        assert not state["match"]["over"] and state["match"]["winners"] == []
        assert watcher.ask("next_round")["code"] == "forbidden"
        answer = red.ask("next_round")
        second = answer["game"]
        assert answer["type"] == "next_round" and second == f"{first}-2"
        assert red.ask("next_round")["game"] == second, "asked again it is the same one"
        told = watcher.wait("state", reason="round")
        assert told["state"]["match"]["next"] == second
    with player(client, second, secret) as red:
        match = red.state["match"]
        assert red.welcome["you"] == ["red"] and match["round"] == 2
        assert match["score"] == {winner: 110.0, loser: 0.0}
        begins = red.welcome["log"][0]["seat"] if red.welcome["log"] else red.state["actor"]
        assert begins == "yellow", "the turn to begin moves on"
        assert len(records(client, second)) == 1, "the round that is played is not told"
    rounds = [first, second]
    while True:  # two or three rounds: whoever won the first needs another one
        with player(client, rounds[-1], secret) as red:
            match = to_the_end(red)["match"]
            if match["over"]:
                assert red.ask("next_round")["code"] == "over"
                break
            rounds.append(red.ask("next_round")["game"])
    played = records(client, first)
    assert [record.header["id"] for record in played] == rounds
    assert len({record.header["seed"] for record in played}) == len(rounds)
    assert played[0].header["seed"] == 3 and played[1].header["seed"] != 4
    for seat in ("red", "yellow"):
        assert match["score"][seat] == sum(record.end["returns"][seat] for record in played)
    most = max(match["score"].values())
    assert most >= 111
    assert match["winners"] == [seat for seat, points in match["score"].items() if points == most]
    later = client.get(f"/api/games/{first}/match/record?from=2").text
    assert [r.header["id"] for r in read_records(later.splitlines())] == rounds[1:]
    listed = {row["game"]: row for row in client.get("/api/games").json()["games"]}
    assert [listed[game]["round"] for game in rounds] == list(range(1, len(rounds) + 1))
    assert all(listed[game]["target_score"] == 111 for game in rounds)


def test_one_round_may_be_enough(client: TestClient) -> None:
    made = new_game(client, ruleset=SHORT, target_score=110, seed=3)
    with player(client, made["game"], made["secrets"]["red"]) as red:
        match = to_the_end(red)["match"]
        assert match["over"] and match["winners"] == red.state["winners"]
        assert red.ask("next_round")["code"] == "over"


def test_whoever_gives_up_gives_the_match_up(client: TestClient) -> None:
    made = new_game(client, ruleset=SHORT, target_score=500)
    with player(client, made["game"], made["secrets"]["red"]) as red:
        red.ask("resign")
        red.until_mine()
        match = red.state["match"]
        assert match["over"] and match["winners"] == ["yellow"]
        assert match["score"] == {"red": 0.0, "yellow": 0.0}
        assert red.ask("next_round")["code"] == "over"


def test_a_bot_that_took_a_seat_keeps_it(tmp_path: Path) -> None:
    with server(tmp_path / "games.db", away=0.001) as client:
        people = {"red": "person", "yellow": "person"}
        made = new_game(client, ruleset=SHORT, target_score=500, players=people)
        with player(client, made["game"], made["secrets"]["red"]) as red:
            time.sleep(0.01)
            assert red.ask("replace", seat="yellow", bot="greedy")["type"] == "ok"
            to_the_end(red)
            second = red.ask("next_round")["game"]
        with player(client, second, made["secrets"]["yellow"]) as yellow:
            assert yellow.welcome["you"] == ["yellow"], "and gives it back"
        with player(client, second) as watcher:
            kinds = {seat: row["kind"] for seat, row in watcher.state["players"].items()}
            assert kinds == people


def test_partners_share_their_points(client: TestClient) -> None:
    made = new_game(
        client, ruleset="points?pawns=1&teams=four", target_score=100, seed=1,
        players={"red": "person", "blue": "greedy", "yellow": "person", "green": "greedy"},
    )  # fmt: skip
    with player(client, made["game"], *made["secrets"].values()) as people:
        score = to_the_end(people)["match"]["score"]
    assert score["red"] == score["yellow"] and score["blue"] == score["green"]
    assert max(score.values()) > 0


@pytest.mark.parametrize("target", [0, -1, 10_001, 2**70, True, "100", 1.5, [100], {}])
def test_targets_that_are_none(client: TestClient, target: Any) -> None:
    response = client.post("/api/games", json={"ruleset": "points", "target_score": target})
    assert response.status_code == 400
    assert response.json()["code"] == "bad_request"
    assert "target_score" in response.json()["message"]


@pytest.mark.parametrize("ruleset", ["classic", "teams", "express", "duel-1"])
def test_games_without_scores(client: TestClient, ruleset: str) -> None:
    response = client.post("/api/games", json={"ruleset": ruleset, "target_score": 100})
    assert response.status_code == 400
    assert "needs a ruleset with scores" in response.json()["message"]


def test_a_game_by_itself_is_no_match(client: TestClient) -> None:
    made = new_game(client, ruleset=SHORT)
    assert made["state"]["match"] is None
    with player(client, made["game"], made["secrets"]["red"]) as red:
        assert red.ask("next_round")["code"] == "not_now"
    for game in (made["game"], "nothing", f"{made['game']}-2"):
        assert client.get(f"/api/games/{game}/match/record").status_code == 404


def test_killed_between_rounds_and_started_again(tmp_path: Path) -> None:
    served = Served(tmp_path / "games.db")
    served.start()
    try:
        made = post(served.address, "api/games", {"ruleset": SHORT, "target_score": 300, "seed": 5})
        secret, first = made["secrets"]["red"], made["game"]
        _, ended = asyncio.run(play(served.address, first, secret, 10_000))
        served.kill()
        served.start()
        _, again = asyncio.run(play(served.address, first, secret, 0))
        assert again["match"] == ended["match"] and again["match"]["next"] is None
        second = asyncio.run(next_round(served.address, first, secret))
        # Yellow begins; nobody comes Home in a single turn.
        log, _ = asyncio.run(play(served.address, second, secret, 0))
        served.kill()
        served.start()
        _, again = asyncio.run(play(served.address, first, secret, 0))
        assert again["match"]["next"] == second
        now, state = asyncio.run(play(served.address, second, secret, 0))
        assert log and now[: len(log)] == log
        assert state["match"]["round"] == 2
        assert state["match"]["score"] == ended["match"]["score"]
        text = get(served.address, f"api/games/{second}/match/record")
        assert [record.header["id"] for record in read_records(text.splitlines())] == [first]
        with pytest.raises(urllib.error.HTTPError):
            get(served.address, f"api/games/{second}/record")
    finally:
        served.stop()
    assert served.log() == ""


async def next_round(address: str, game: str, secret: str) -> str:
    """Ask for the next round; its id."""
    url = f"{address.replace('http', 'ws')}api/games/{game}/ws"
    async with websockets.connect(url) as socket:
        await socket.send(json.dumps({"type": "join", "secrets": [secret]}))
        await socket.send(json.dumps({"type": "next_round", "id": 1}))
        while True:
            row = json.loads(await socket.recv())
            if row.get("id") == 1:
                return str(row["game"])
