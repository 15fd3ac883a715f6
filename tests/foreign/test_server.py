"""The server answers every fault of an uploaded text in words: never by status 500."""

from __future__ import annotations

import random
from pathlib import Path

from sorry_env.web.limits import Limits
from tests.foreign.spoil import spoil
from tests.foreign.test_readers import CLASSIC, record_text
from tests.web.support import server

BODIES = {
    "/api/replay": (record_text(), "application/x-ndjson"),
    "/api/games": (b'{"ruleset":"duel-1","seats":2,"seed":7}', "application/json"),
    "/api/analysis": (b'{"bot":"greedy","positions":["%s"]}' % CLASSIC.encode(),
                      "application/json"),
    "/v1": (b'{"id":1,"type":"legal","position":"%s"}' % CLASSIC.encode(), "application/json"),
}  # fmt: skip


def test_a_number_of_5000_digits_in_a_record(tmp_path: Path) -> None:
    with server(tmp_path / "games.db") as client:
        text = record_text().replace(b'"seed":5', b'"seed":' + b"9" * 5000)
        kind = {"content-type": "application/x-ndjson"}
        response = client.post("/api/replay", content=text, headers=kind)
        assert response.status_code == 400 and response.json()["code"] == "bad_record"
        assert "line 1: it is not JSON: a number has 5000 digits" in response.json()["message"]


def test_spoilt_bodies(tmp_path: Path) -> None:
    rng = random.Random("bodies")
    limits = Limits(requests=(10**6, 10**6), new_games=(10**6, 10**6))
    refused = 0
    with server(tmp_path / "games.db", limits=limits) as client:
        for address, (body, kind) in BODIES.items():
            for _ in range(40):
                spoilt = spoil(rng, body)
                response = client.post(address, content=spoilt, headers={"content-type": kind})
                assert response.status_code < 500, (address, spoilt, response.text)
                refused += response.status_code != 200
                assert isinstance(response.json(), dict)
    assert refused > 80
