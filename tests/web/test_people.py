"""Several people at one game: seats by secrets, watching, taking back, being away, coming back."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from sorry_env.notation.record import read_records
from tests.web.support import Player, Row, new_game, player, server

pytestmark = pytest.mark.timeout(300)

BOTH = {"red": "person", "yellow": "person"}


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    with server(tmp_path_factory.mktemp("web") / "games.db", away=0.3) as running:
        yield running


def turns(players: dict[str, Player], state: Row) -> Player:
    """Who decides."""
    return players[state["actor"]]


def play(players: dict[str, Player], watcher: Player, moves: int) -> None:
    """Each player moves when it is his turn; everybody has seen everything in the end."""
    for _ in range(moves):
        while not watcher.state["persons_turn"]:
            watcher.next()
        mover = turns(players, watcher.state)
        assert mover.until_mine()
        ply = mover.state["ply"]
        assert mover.move()["type"] == "ok"
        watcher.wait("move")
        assert watcher.state["ply"] > ply


def test_everybody_sees_the_same_game(client: TestClient) -> None:
    made = new_game(client, players=BOTH, seed=11)
    secrets = made["secrets"]
    with (
        player(client, made["game"], secrets["red"]) as red,
        player(client, made["game"], secrets["yellow"]) as yellow,
        player(client, made["game"]) as watcher,
    ):
        play({"red": red, "yellow": yellow}, watcher, 12)
        for person in (red, yellow):
            while person.state["ply"] < watcher.state["ply"]:
                person.next()
        shown = [
            [row["entry"] for row in person.told if row["type"] == "move"]
            for person in (red, yellow, watcher)
        ]
        # Whoever came later was told what had happened before.
        logs = [person.welcome["log"] for person in (red, yellow, watcher)]
        whole = [log + rows for log, rows in zip(logs, shown, strict=True)]
        assert whole[0] == whole[1] == whole[2]
        assert red.state["position"] == yellow.state["position"] == watcher.state["position"]
        assert watcher.welcome["you"] == [] and red.welcome["you"] == ["red"]


def test_coming_back_goes_on_where_the_game_is(client: TestClient) -> None:
    made = new_game(client, players=BOTH, seed=12)
    both = list(made["secrets"].values())
    with player(client, made["game"], *both) as first:
        for _ in range(6):
            assert first.until_mine()
            first.move()
        assert first.until_mine()
        before = first.state
        log = first.welcome["log"] + [r["entry"] for r in first.told if r["type"] == "move"]
    with player(client, made["game"], *both) as again:
        assert again.welcome["log"] == log
        changing = ("players", "facts")
        now = {k: v for k, v in again.state.items() if k not in changing}
        assert now == {k: v for k, v in before.items() if k not in changing}


def test_a_secret_opens_its_own_seat_and_no_other_game(client: TestClient) -> None:
    one, two = new_game(client, players=BOTH), new_game(client, players=BOTH)
    url = f"ws://127.0.0.1:8000/api/games/{one['game']}/ws"
    wrong = [
        two["secrets"]["red"], one["secrets"]["red"][:-1], "", "red", one["game"],
        one["secrets"]["red"].swapcase(),
    ]  # fmt: skip
    for secret in wrong:
        with client.websocket_connect(url) as socket:
            socket.send_text(json.dumps({"type": "join", "secrets": [secret]}))
            assert socket.receive_json()["code"] == "forbidden"
            assert socket.receive()["code"] == 1008


def test_no_answer_holds_a_secret(client: TestClient) -> None:
    made = new_game(client, players=BOTH, seed=98765)
    secrets = [*made["secrets"].values(), made["owner"]]
    assert len(set(secrets)) == 3 and all(len(secret) >= 20 for secret in secrets)
    game = made["game"]
    texts = [client.get(path).text for path in ("/api/games", f"/api/games/{game}")]
    with player(client, game, made["secrets"]["red"]) as red, player(client, game) as watcher:
        for _ in range(3):
            red.ask("ping")
        texts += [str(red.told), str(watcher.told)]
    for text in texts:
        assert not any(secret in text for secret in secrets)
        assert "98765" not in text


def test_against_bots_undo_leads_to_the_own_last_choice(client: TestClient) -> None:
    made = new_game(client, seed=21, players={"red": "person", "yellow": "greedy"})
    with player(client, made["game"], made["secrets"]["red"]) as red:
        assert red.ask("undo")["code"] == "not_now"
        assert red.until_mine() and not red.state["can_undo"]
        choices = []
        for _ in range(3):
            assert red.until_mine()
            choices.append(red.state["position"])
            red.move()
        assert red.until_mine()
        assert red.state["can_undo"]
        assert red.ask("undo")["type"] == "ok"
        assert red.state["position"] == choices[-1] and red.state["legal"]
        undone = next(row for row in red.told if row.get("reason") == "undo")
        assert len(undone["log"]) == undone["state"]["ply"]
        # Played again, the same cards come.
        assert red.ask("undo")["type"] == "ok"
        assert red.state["position"] == choices[-2]
        red.move()
        assert red.until_mine()
        assert red.state["position"] == choices[-1]


def test_between_people_undo_is_asked_for(client: TestClient) -> None:
    made = new_game(client, players=BOTH, seed=22)
    secrets = made["secrets"]
    with (
        player(client, made["game"], secrets["red"]) as red,
        player(client, made["game"], secrets["yellow"]) as yellow,
        player(client, made["game"]) as watcher,
    ):
        people = {"red": red, "yellow": yellow}
        play(people, watcher, 4)
        while not watcher.state["persons_turn"]:
            watcher.next()
        mover = turns(people, watcher.state)
        other = yellow if mover is red else red
        name = "red" if mover is red else "yellow"
        assert mover.until_mine()
        position = watcher.state["position"]
        assert watcher.ask("undo")["code"] == "forbidden"
        assert other.ask("undo_answer", yes=True)["code"] == "not_now"
        assert mover.ask("undo")["type"] == "ok"
        asked = other.wait("undo_asked")
        assert asked["by"] == name and asked["plies"] > 0
        assert mover.ask("undo_answer", yes=True)["code"] == "not_now"  # not by himself
        assert other.ask("undo_answer", yes=False)["type"] == "ok"
        watcher.wait("undo_refused")
        assert watcher.state["position"] == position
        assert mover.ask("undo")["type"] == "ok"
        assert other.ask("undo_answer", yes=True)["type"] == "ok"
        back = watcher.wait("state", reason="undo")
        assert back["state"]["actor"] == name and back["state"]["ply"] < asked["plies"] + 100
        assert back["state"]["position"] != position
        # A wish ends with the next move.
        while not mover.state["legal"]:
            mover.next()
        if mover.state["can_undo"]:
            mover.ask("undo")
            mover.move()
            assert other.ask("undo_answer", yes=True)["code"] == "not_now"


def test_games_may_be_made_without_undo_and_hints(client: TestClient) -> None:
    made = new_game(client, seed=23, undo=False, hints=False)
    with player(client, made["game"], made["secrets"]["red"]) as red:
        assert red.until_mine()
        red.move()
        assert red.ask("undo")["code"] == "not_now"
        assert red.ask("hint")["code"] == "not_now"
        assert red.ask("analysis", bot="greedy")["code"] == "not_now"


def test_somebody_away_is_replaced_and_comes_back(client: TestClient) -> None:
    made = new_game(client, players=BOTH, seed=31)
    secrets = made["secrets"]
    with player(client, made["game"], secrets["red"]) as red:
        with player(client, made["game"], secrets["yellow"]):
            red.wait("state", reason="players")
            assert red.state["players"]["yellow"]["here"]
            assert red.ask("replace", seat="yellow", bot="greedy")["code"] == "not_now"
        red.wait("state", reason="players")
        gone = red.state["players"]["yellow"]
        assert not gone["here"] and 0 <= gone["replaceable_in"] <= 0.3
        assert red.state["players"]["red"]["replaceable_in"] is None
        assert red.ask("replace", seat="red", bot="greedy")["code"] == "not_now"
        time.sleep(0.35)
        assert red.ask("replace", seat="yellow", bot="nobody")["code"] == "bad_request"
        with player(client, made["game"]) as watcher:
            refused = watcher.ask("replace", seat="yellow", bot="greedy")
            assert refused["code"] == "forbidden"
        assert red.ask("replace", seat="yellow", bot="greedy")["type"] == "ok"
        assert red.state["players"]["yellow"]["bot"] == "greedy"
        for _ in range(3):
            assert red.until_mine()
            red.move()
        assert red.until_mine()
        with player(client, made["game"], secrets["yellow"]) as yellow:
            red.wait("state", reason="players")
            assert red.state["players"]["yellow"]["kind"] == "person"
            assert yellow.welcome["you"] == ["yellow"]
            bots = {e["by"] for e in yellow.welcome["log"] if e["seat"] == "yellow"}
            assert "greedy" in bots
            while not yellow.state["legal"]:
                if yellow.state["persons_turn"] and red.until_mine():
                    red.move()
                yellow.next()
            assert yellow.move()["type"] == "ok"


def test_giving_up(client: TestClient) -> None:
    made = new_game(client, players=BOTH, seed=41)
    secrets = made["secrets"]
    with (
        player(client, made["game"], secrets["red"]) as red,
        player(client, made["game"], secrets["yellow"]) as yellow,
    ):
        assert red.ask("resign", seat="yellow")["code"] == "forbidden"
        assert red.ask("end")["code"] == "forbidden"
        assert yellow.ask("resign")["type"] == "ok"
        assert yellow.state["over"] and yellow.state["winners"] == ["red"]
        red.wait("state", reason="end")
        assert red.state["result"] == "resigned" and red.state["legal"] == []
        assert red.ask("resign")["code"] == "over"
    lines = client.get(f"/api/games/{made['game']}/record").text.splitlines()
    (record,) = read_records(lines)
    assert record.end["reason"] == "resigned"
    assert record.end["returns"] == {"red": 1.0, "yellow": -1.0}


def test_of_more_than_two_people_nobody_ends_it_for_the_others(client: TestClient) -> None:
    people = dict.fromkeys(("red", "blue", "yellow"), "person")
    made = new_game(client, seats=3, players=people)
    with player(client, made["game"], made["secrets"]["red"]) as red:
        assert red.ask("resign")["code"] == "not_now"


def test_the_owner_paces_and_ends_a_game_of_bots(client: TestClient) -> None:
    made = new_game(client, players={"red": "random", "yellow": "random"}, pace_ms=10_000)
    with player(client, made["game"]) as watcher, player(client, made["game"], made["owner"]) as me:
        ply = me.state["ply"]
        assert me.welcome["owner"] and me.welcome["you"] == []
        assert watcher.ask("pace", pace_ms=0)["code"] == "forbidden"
        assert watcher.ask("end")["code"] == "forbidden"
        assert me.ask("pace", pace_ms=20)["type"] == "ok"
        while me.state["ply"] < ply + 5:
            me.next()
        assert me.ask("end")["type"] == "ok"
        assert me.state["result"] == "truncated"


def leaks(rows: list[Row], hidden: Any) -> list[Row]:
    """Messages whose hands show a seat that must be hidden."""
    return [
        row
        for row in rows
        if "state" in row and any(row["state"]["hands"][seat] is not None for seat in hidden)
    ]


@pytest.mark.parametrize("ruleset", ["points", "points?teams=four"])
def test_nobody_is_told_of_anothers_hand(client: TestClient, ruleset: str, tmp_path: Path) -> None:
    seats = ["red", "blue", "yellow", "green"] if "teams" in ruleset else ["red", "yellow"]
    made = new_game(
        client, ruleset=ruleset, seats=seats, players=dict.fromkeys(seats, "person"), seed=51
    )
    # The first move of red's, whichever it is, tells its hand to nobody else.
    secrets = made["secrets"]
    with ExitStack() as sockets:
        watcher = sockets.enter_context(player(client, made["game"]))
        people = {
            seat: sockets.enter_context(player(client, made["game"], secrets[seat]))
            for seat in seats
        }
        play(people, watcher, 30)
        for seat in seats:
            person = people[seat]
            assert person.ask("ping")["type"] == "pong"
            others = [other for other in seats if other != seat]
            assert leaks([person.welcome, *person.told], others) == []
            own = [r["state"]["hands"][seat] for r in person.told if "state" in r]
            assert own and all(own)
            # Of a line with hands, one alone is shown.
            fields = person.state["position"].split(" ")[6].split("/")
            assert [f for f in fields if f not in ("?", "-")] == [
                ".".join(person.state["hands"][seat])
            ]
            assert person.state["before_draw"] is None
            deciding = watcher.state["actor"] == seat
            answer = person.ask("analysis", bot="greedy")
            assert (answer["type"] == "analysis") is deciding, answer
            hint = person.ask("hint")
            assert (hint["type"] == "hint") is deciding, hint
        assert leaks([watcher.welcome, *watcher.told, {"state": made["state"]}], seats) == []
