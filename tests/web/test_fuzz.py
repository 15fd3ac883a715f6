"""Anything at all is sent to every address and as every message: refused in words, harming nobody.

What is sent comes from the published schema, as it is and spoilt. In the default run some hundred
cases; all 100,000 by `pytest -m slow tests/web/test_fuzz.py`.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from starlette.testclient import TestClient

from sorry_env.server.protocol import CODES
from sorry_env.web.limits import STATUS, Limits
from sorry_env.web.messages import LIVE
from sorry_env.web.schema import api_schema
from tests.web.support import SOCKETS, Player, Row, new_game, player, server

pytestmark = pytest.mark.timeout(3600)

#: Cases in one example.
BATCH = 20
FEW = settings(max_examples=8, deadline=None, suppress_health_check=list(HealthCheck))
MANY = settings(FEW, max_examples=2500)
SCHEMA = api_schema()
GAME = "{game}"

# -- what is sent ---------------------------------------------------------------------------------

LINES = [
    "classic rS,rS,rS,rS/-/yS,yS,yS,yS/- r move 7 5.4.4.4.4.3.4.4.4.4.4 - -",
    "classic 58,25,rS,rS/-/15,40,yS,yS/- r move 5 5.4.4.4.3.4.4.4.4.4.4 - -",
    "duel-1 rS/-/yS/- r move ? * - -",
    "express r:2.1.0.0/b:1.3.2.0 1.0.2.4 0 1=b,3=L -",
    "points rS,rS,rS,4/-/yS,yS,yS,34/- r move - 4.4.4.4.4.3.4.4.4.4.1 1.S.S.7.S/-/?/- -",
]
WORDS = [
    *LINES, "red", "yellow", "0", "pass", "7:rS-4", "greedy", "random", "file:x", "process:id",
    "learned:/etc/passwd", "../../etc/passwd", "classic", "points", "classic?pawns=1", "express",
    "", "\0", "\ud800", "é", "?", "*", "-", "' or 1=1 --", "<script>", "{seed}", "%00", "9" * 400,
]  # fmt: skip
texts = st.one_of(st.sampled_from(WORDS), st.text(max_size=30))
numbers = st.one_of(
    st.integers(-5, 12), st.integers(), st.floats(), st.sampled_from([2**63, -(2**63), 1e308])
)
anything: st.SearchStrategy[Any] = st.recursive(
    st.one_of(st.none(), st.booleans(), numbers, texts),
    lambda inner: st.one_of(
        st.lists(inner, max_size=4), st.dictionaries(texts, inner, max_size=4)
    ),
    max_leaves=6,
)  # fmt: skip


def fitting(schema: Row) -> st.SearchStrategy[Any]:
    """Values that a schema of ours allows; of texts the likely ones."""
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        return fitting(SCHEMA["components"]["schemas"][name])
    if "oneOf" in schema:
        return st.one_of([fitting(one) for one in schema["oneOf"]])
    if "const" in schema:
        return st.just(schema["const"])
    kinds = schema.get("type", "null")
    kinds = [kinds] if isinstance(kinds, str) else kinds
    return st.one_of([_of_kind(kind, schema) for kind in kinds])


def _of_kind(kind: str, schema: Row) -> st.SearchStrategy[Any]:
    low, high = schema.get("minimum", -3), schema.get("maximum", 10**6)
    if kind == "object":
        extra = schema.get("additionalProperties")
        if isinstance(extra, dict):
            seats = st.sampled_from(["red", "yellow", "blue", "0", "1"])
            players = st.sampled_from(["person", "greedy", "random", "process:id"])
            return st.dictionaries(seats, players, max_size=4)
        fields = {name: fitting(one) for name, one in schema.get("properties", {}).items()}
        needed = {name: fields.pop(name) for name in schema.get("required", ()) if name in fields}
        return st.fixed_dictionaries(needed, optional=fields)
    simple: dict[str, st.SearchStrategy[Any]] = {
        "null": st.none(),
        "boolean": st.booleans(),
        "integer": st.integers(low, min(high, low + 300)),
        "number": st.floats(low, 10**6),
        "string": st.one_of(st.sampled_from(WORDS), st.text(max_size=20)),
    }
    if kind == "array":
        return st.lists(fitting(schema["items"]), max_size=5)
    return simple[kind]


@st.composite
def spoilt(draw: Any, schema: Row) -> bytes:
    """A body for a schema: as it should be, with a field too much, too few or of another kind."""
    value = draw(fitting(schema))
    how = draw(st.sampled_from(["right", "right", "other", "more", "less", "raw", "cut"]))
    if isinstance(value, dict) and value and how in ("other", "less"):
        name = draw(st.sampled_from(sorted(value)))
        if how == "other":
            value[name] = draw(anything)
        else:
            del value[name]
    elif isinstance(value, dict) and how == "more":
        value[draw(texts)] = draw(anything)
    elif how == "raw":
        return bytes(draw(st.binary(max_size=60)))
    text = json.dumps(value).encode()
    return text[: draw(st.integers(0, len(text)))] if how == "cut" else text


@dataclass(frozen=True)
class Case:
    """A request."""

    method: str
    path: str
    query: dict[str, str]
    body: bytes
    kind: str


@st.composite
def cases(draw: Any) -> Case:
    """A request to an address of the schema or near one."""
    path = draw(st.sampled_from([*SCHEMA["paths"], "/", "/static/x.js", "/api", "/v1/bot"]))
    routes: Row = SCHEMA["paths"].get(path, {})
    method = draw(st.sampled_from([*routes, *routes, "get", "post", "put", "head"]))
    route: Row = routes.get(method, {})
    content: Row = route.get("requestBody", {}).get("content", {})
    kind = next(iter(content), "application/json")
    schema = content.get(kind, {}).get("schema") or {"type": "string"}
    query = {
        # An address has no place for half a pair of surrogates: our client could not send it.
        row["name"]: draw(st.one_of(st.integers(-2, 10**10).map(str), texts)).replace("\ud800", "")
        for row in route.get("parameters", ())
        if row["in"] == "query" and draw(st.booleans())
    }
    if draw(st.integers(0, 9)) == 0:
        kind = draw(st.sampled_from(["text/plain", "", "application/x-ndjson", "multipart/x"]))
    return Case(method, path, query, draw(spoilt(schema)), kind)


live_messages = spoilt(SCHEMA["components"]["schemas"]["LiveRequest"])
bot_messages = spoilt(SCHEMA["components"]["schemas"]["BotRequest"])

# -- what must hold -------------------------------------------------------------------------------


@dataclass
class World:
    """A server with a game that is attacked by yellow and one beside it that is not."""

    client: TestClient
    secrets: dict[str, str]
    other: Player
    game: str = ""

    def no_secret(self, text: str) -> None:
        """What no answer may hold."""
        assert "Traceback" not in text and "sorry_env/" not in text
        for secret in self.secrets.values():
            assert secret not in text

    @contextmanager
    def attacked(self) -> Iterator[Player]:
        """A new game of red and yellow; yellow's player."""
        people = {"red": "person", "yellow": "person"}
        made = new_game(self.client, ruleset="points", players=people, seed=1)
        red, yellow = made["secrets"]["red"], made["secrets"]["yellow"]
        self.game = made["game"]
        self.secrets |= {"red": red, "owner": made["owner"]}
        with (
            player(self.client, self.game, red) as first,
            player(self.client, self.game, yellow) as second,
        ):
            assert first.move()["type"] == "ok"
            yield second


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    much = (10**9, 10**6)
    limits = Limits(messages=much, requests=much, new_games=much)
    db = tmp_path_factory.mktemp("fuzz") / "games.db"
    with server(db, limits=limits, away=0) as client:
        beside = new_game(client, seed=2)
        secret = beside["secrets"]["red"]
        with player(client, beside["game"], secret) as other:
            yield World(client, {"other": secret}, other)


def check_request(world: World, case: Case) -> None:
    path = case.path.replace(GAME, world.game)
    response = world.client.request(
        case.method.upper(), path, params=case.query, content=case.body,
        headers={"content-type": case.kind} if case.kind else {},
    )  # fmt: skip
    world.no_secret(response.text)
    assert response.status_code in {200, 201, 400, *STATUS.values()} - {500}, response.text
    if response.status_code >= 400 and case.method != "head":
        row = response.json()
        assert row["type"] == "error" and row["message"], row
        assert row["code"] in {*STATUS, *CODES, "bad_record", "bad_model"}


def check_message(world: World, yellow: Player, message: bytes) -> None:
    """To the game, as yellow; then it must still be answered, and red's hand not be told."""
    yellow.socket.send_bytes(message)
    begun = len(yellow.told)
    pong = yellow.ask("ping")
    assert pong["type"] == "pong"
    for row in yellow.told[begun:]:
        world.no_secret(json.dumps(row))
        if "state" in row:
            assert row["state"]["hands"]["red"] is None
        if row["type"] == "error":
            assert row["code"] in {*STATUS, *CODES} - {"failed"}, row
    yellow.told.clear()


def undisturbed(world: World) -> None:
    """The game beside goes on as if nothing had happened."""
    other = world.other
    if not other.state["over"] and other.until_mine():
        ply = other.state["ply"]
        assert other.move()["type"] == "ok"
        assert other.state["ply"] > ply


def nothing_logged(caplog: pytest.LogCaptureFixture) -> None:
    assert [record for record in caplog.records if record.levelno >= logging.ERROR] == []


def run(world: World, profile: settings, caplog: pytest.LogCaptureFixture) -> None:
    @profile
    @given(
        st.lists(cases(), min_size=BATCH // 2, max_size=BATCH // 2),
        st.lists(live_messages, min_size=BATCH // 4, max_size=BATCH // 4),
        st.lists(bot_messages, min_size=BATCH // 4, max_size=BATCH // 4),
    )
    def send(some: list[Case], messages: list[bytes], to_bot: list[bytes]) -> None:
        with world.attacked() as yellow:
            for case in some:
                check_request(world, case)
            for message in messages:
                check_message(world, yellow, message)
        with world.client.websocket_connect(f"{SOCKETS}/v1/bot") as socket:
            for message in to_bot:
                socket.send_bytes(message)
                text = socket.receive_text()
                world.no_secret(text)
                row = json.loads(text)
                assert row["type"] != "error" or row["code"] in CODES
        nothing_logged(caplog)

    send()
    undisturbed(world)


def test_some_hundred_cases(world: World, caplog: pytest.LogCaptureFixture) -> None:
    run(world, FEW, caplog)


@pytest.mark.slow
def test_a_hundred_thousand_cases(world: World, caplog: pytest.LogCaptureFixture) -> None:
    for _ in range(2):
        run(world, MANY, caplog)


def test_every_message_and_address_is_in_the_schema(tmp_path: Path) -> None:
    schemas = SCHEMA["components"]["schemas"]
    kinds = {row["properties"]["type"]["const"] for row in schemas["LiveRequest"]["oneOf"]}
    assert kinds == set(LIVE)
    with server(tmp_path / "games.db") as client:
        assert client.get("/api/schema").json() == json.loads(json.dumps(SCHEMA))
        for path, routes in SCHEMA["paths"].items():
            for method in routes:
                found = client.request(method.upper(), path.replace(GAME, quote("none")))
                assert found.status_code != 405, path
                assert path.endswith("}") or GAME in path or found.status_code != 404, path
