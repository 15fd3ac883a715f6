"""Whole games over the WebSocket: every edition to its end, what is told on the way."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from sorry_env.notation.record import read_records
from sorry_env.web.limits import Limits
from tests.bots import models
from tests.web.support import new_game, player, server

pytestmark = pytest.mark.timeout(300)

#: Every kind of ruleset, with how many play.
GAMES = [
    ("classic", 2),
    ("classic?play_out=true", 3),
    ("teams", 4),
    ("teams-two", 4),
    ("points", 2),
    ("fire-and-ice", 4),
    ("not-sorry?answers=player", 3),
    ("bump-em", 2),
    ("way-sorry", 2),
    ("solo", 1),
    ("express", 4),
]


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    # These clients think for no time at all.
    limits = Limits(messages=(100_000, 100_000))
    with server(tmp_path_factory.mktemp("web") / "games.db", limits=limits) as running:
        yield running


@pytest.mark.parametrize(("ruleset", "seats"), GAMES)
def test_a_person_plays_a_game_to_its_end(client: TestClient, ruleset: str, seats: int) -> None:
    made = new_game(client, ruleset=ruleset, seats=seats, seed=5)
    (mine,) = made["secrets"]
    with player(client, made["game"], *made["secrets"].values()) as person:
        assert mine in person.welcome["you"]
        while person.until_mine():
            before = person.state
            assert before["position"].startswith(f"{ruleset} ")
            # Forced moves play themselves: a person is only asked where there is a choice.
            assert len(before["legal"]) > 1 and before["persons_turn"]
            assert person.move()["type"] == "ok"
        end = person.state
    assert end["over"] and end["result"] == "win" and end["winners"]
    entries = [row["entry"] for row in person.told if row["type"] == "move"]
    entries = person.welcome["log"] + entries
    assert [entry["ply"] for entry in entries] == list(range(end["ply"]))
    lines = client.get(f"/api/games/{made['game']}/record").text
    (record,) = read_records(lines.splitlines())
    assert [row["move"] for row in record.moves] == [entry["move"] for entry in entries]
    if ruleset != "points":  # where the line shown hides the other's hand
        assert record.end["position"] == end["position"]
    assert record.header["seed"] == 5 and record.header["id"] == made["game"]


def test_a_game_of_bots_plays_itself_and_is_listed(client: TestClient) -> None:
    made = new_game(client, players={"red": "random", "yellow": "bumper"}, seed=1, name="two bots")
    assert made["secrets"] == {}
    with player(client, made["game"]) as watcher:
        while not watcher.state["over"]:
            watcher.next()
            assert watcher.state["legal"] == []
    (listed,) = [
        row for row in client.get("/api/games").json()["games"] if row["game"] == made["game"]
    ]
    assert listed["name"] == "two bots" and listed["result"] == "win"
    assert listed["winners"] == watcher.state["winners"]


def test_what_a_move_does_is_told_square_by_square(client: TestClient) -> None:
    line = "classic 58,25,rS,rS/-/15,40,yS,yS/- r move 5 5.4.4.4.3.4.4.4.4.4.4 - -"
    made = new_game(client, position=line, players={"red": "person", "yellow": "person"})
    with player(client, made["game"], made["secrets"]["red"]) as red:
        moves = {row["move"]: row for row in red.state["legal"]}
        assert sorted(moves) == ["5:25-30", "5:58-r1"]
        assert moves["5:25-30"]["parts"] == [
            {"seat": "red", "from": "25", "to": "30", "rest": "30", "steps": 5}
        ]
        assert red.ask("move", move="5:58-r1", ply=0)["type"] == "ok"
    told = next(row for row in red.told if row["type"] == "move")
    assert told["events"] == [
        {"type": "step", "seat": "red", "from": "58", "path": ["59", "0", "1", "2", "r1"]},
        {"type": "draw", "seat": "yellow"},
    ]
    assert told["entry"]["words"] == "move 5 from 58 to safety square 1"


def test_a_slide_bumps_what_stands_on_it(client: TestClient) -> None:
    # 16 is blue's triangle: from there it goes on to 19, over yellow on 18.
    line = "classic 13,rS,rS,rS/-/18,yS,yS,yS/- r move 3 5.4.3.4.4.4.4.4.4.4.4 - -"
    made = new_game(client, position=line, players={"red": "person", "yellow": "greedy"},
                    forced=False)  # fmt: skip
    with player(client, made["game"], made["secrets"]["red"]) as red:
        (only,) = red.state["legal"]
        assert only["parts"][0]["to"] == "16" and only["parts"][0]["rest"] == "19"
        red.move()
    told = next(row for row in red.told if row["type"] == "move")
    assert told["events"][:3] == [
        {"type": "step", "seat": "red", "from": "13", "path": ["14", "15", "16"]},
        {"type": "slide", "seat": "red", "from": "16", "path": ["17", "18", "19"]},
        {"type": "bump", "seat": "yellow", "from": "18", "to": "yS"},
    ]


def test_a_split_shows_both_parts(client: TestClient) -> None:
    line = "classic 30,20,rS,rS/-/yS,yS,yS,yS/- r move 7 5.4.4.4.4.3.4.4.4.4.4 - -"
    made = new_game(client, position=line)
    with player(client, made["game"], made["secrets"]["red"]) as red:
        splits = [row for row in red.state["legal"] if row["kind"] == "split"]
        assert {tuple(part["steps"] for part in row["parts"]) for row in splits} <= {
            (n, 7 - n) for n in range(1, 7)
        }
        split = next(row for row in splits if row["parts"][0]["steps"] == 3)
        red.ask("move", move=split["move"], ply=0)
    told = next(row for row in red.told if row["type"] == "move")
    assert [event["type"] for event in told["events"][:2]] == ["step", "step"]
    assert len(told["events"][0]["path"]) == 3 and len(told["events"][1]["path"]) == 4


def test_moves_that_are_not_due_are_refused_and_change_nothing(client: TestClient) -> None:
    made = new_game(client, seed=3, players={"red": "person", "yellow": "person"}, forced=False)
    secrets = made["secrets"]
    with (
        player(client, made["game"], secrets["red"]) as red,
        player(client, made["game"], secrets["yellow"]) as yellow,
        player(client, made["game"]) as watcher,
    ):
        move = red.state["legal"][0]["move"]
        assert red.ask("move", move="7:rS-4", ply=0)["code"] == "illegal_move"
        assert red.ask("move", move=move, ply=1)["code"] == "stale"
        assert yellow.ask("move", move=move, ply=0)["code"] == "forbidden"
        assert watcher.ask("move", move=move, ply=0)["code"] == "forbidden"
        assert red.ask("join")["code"] == "not_now"
        assert red.ask("move", move=move, ply=0)["type"] == "ok"
        assert red.ask("move", move=move, ply=0)["code"] == "stale"
        assert watcher.wait("move")["entry"]["move"] == move
        assert watcher.state["ply"] == 1


def test_two_seats_on_one_screen(client: TestClient) -> None:
    made = new_game(client, players={"red": "person", "yellow": "person"}, seed=9)
    with player(client, made["game"], *made["secrets"].values()) as both:
        assert both.welcome["you"] == ["red", "yellow"]
        for _ in range(10):
            assert both.until_mine()
            both.move()
        deciders = {row["entry"]["seat"] for row in both.told if row["type"] == "move"}
    assert deciders == {"red", "yellow"}


def test_analysis_and_hint(client: TestClient) -> None:
    line = "duel-1 50/-/45/- r move 10 * - -"
    made = new_game(client, position=line, players={"red": "person", "yellow": "optimal"})
    with player(client, made["game"], made["secrets"]["red"]) as red:
        told = red.ask("analysis", bot="optimal")
        assert told["scale"] == "win" and told["seat"] == "red" and told["ply"] == 0
        assert next(row["move"] for row in told["candidates"]) == told["best"]
        values = [row["value"] for row in told["candidates"]]
        assert len(values) == len(red.state["legal"]) and values == sorted(values, reverse=True)
        assert told["value"] == max(values) and told["chances"]["red"] == told["value"]
        assert abs(sum(told["chances"].values()) - 1) < 1e-6
        hint = red.ask("hint", bot="optimal")
        assert hint["move"] == told["best"] and hint["words"]
        assert red.ask("hint", bot="learned:/etc/passwd")["code"] == "bad_request"


def test_positions_are_analysed_without_a_game(client: TestClient) -> None:
    lines = ["duel-1 50/-/45/- r move 10 * - -", "duel-1 50/-/45/- r move ? * - -", "nonsense"]
    body = {"bot": "optimal", "positions": lines}
    response = client.post("/api/analysis", json=body)
    first, waiting, wrong = response.json()["answers"]
    assert first["best"] and wrong["code"] in ("bad_position", "unsupported_ruleset")
    draws = waiting["draws"]
    assert abs(sum(row["p"] for row in draws) - 1) < 1e-4
    mean = sum(row["p"] * row["chances"]["red"] for row in draws)
    assert abs(waiting["chances"]["red"] - mean) < 1e-4
    ten = next(row for row in draws if row["card"] == "10")
    assert ten["chances"] == first["chances"]


def test_a_record_is_shown_move_by_move(client: TestClient) -> None:
    made = new_game(client, players={"red": "random", "yellow": "greedy"}, seed=4)
    with player(client, made["game"]) as watcher:
        while not watcher.state["over"]:
            watcher.next()
    text = client.get(f"/api/games/{made['game']}/record").text
    stored = client.get(f"/api/games/{made['game']}/replay").json()
    kind = {"content-type": "application/x-ndjson"}
    shown = client.post("/api/replay", content=text, headers=kind).json()
    assert shown["plies"] == stored["plies"] and shown["games"] == 1
    for mine, theirs in zip(shown["frames"], stored["frames"], strict=True):
        assert mine == theirs
    moves = [row for row in map(json.loads, text.splitlines()) if row["type"] == "move"]
    assert [f["state"]["position"] for f in shown["frames"]] == [m["position"] for m in moves][:200]
    assert shown["final"]["over"] is (shown["plies"] <= 200)
    # Parts fit together.
    part = client.post("/api/replay?from=3&count=4", content=text, headers=kind).json()
    assert part["frames"] == shown["frames"][3:7] and part["final"] is None
    # What was told while it was played is what is shown afterwards.
    played = [row for row in watcher.told if row["type"] == "move"]
    by_ply = {f["ply"]: f for f in shown["frames"]}
    for row in played:
        frame = by_ply.get(row["entry"]["ply"])
        if frame is not None:
            assert frame["entry"] == row["entry"]
            shuffles = [e for e in row["events"] if e["type"] != "shuffle"]
            assert frame["events"] == shuffles
    spoilt = text.replace('"ply":1,', '"ply":2,')
    refused = client.post("/api/replay", content=spoilt, headers=kind)
    assert refused.status_code == 400 and refused.json()["code"] == "bad_record"


def test_a_running_game_has_no_record_and_no_seed(client: TestClient) -> None:
    made = new_game(client, seed=77777)
    refused = client.get(f"/api/games/{made['game']}/record")
    assert refused.status_code == 409 and refused.json()["code"] == "running"
    shown = client.get(f"/api/games/{made['game']}/replay")
    assert shown.status_code == 200 and "77777" not in shown.text
    hands = new_game(client, ruleset="points")
    assert client.get(f"/api/games/{hands['game']}/replay").json()["code"] == "running"


def test_chances_of_four_seats(tmp_path: Path) -> None:
    """A value file tells those of all; a bot's own value stays as it is."""
    (tmp_path / "bots").mkdir()
    models.save(tmp_path / "bots", models.build_value("classic", (3, 4)), "eyes.onnx")
    drawn = "classic 20,rS,rS,rS/33,bS,bS,bS/yS,yS,yS,yS/gS,gS,gS,gS r move 5 5.4.4.4.3.4.4.4.4.4.4"
    lines = [f"{drawn} - -", f"{drawn.replace('move 5', 'move ?')} - -"]
    with server(tmp_path / "games.db", bots=tmp_path / "bots") as client:
        body = {"bot": "file:eyes", "positions": lines}
        first, waiting = client.post("/api/analysis", json=body).json()["answers"]
    for answer in (first, waiting):
        assert list(answer["chances"]) == ["red", "blue", "yellow", "green"]
        assert sum(answer["chances"].values()) == pytest.approx(1.0, abs=1e-5)
    assert first["value"] == max(row["value"] for row in first["candidates"])
    mean = sum(row["p"] * row["chances"]["red"] for row in waiting["draws"])
    assert waiting["value"] == pytest.approx(mean, abs=1e-4)
