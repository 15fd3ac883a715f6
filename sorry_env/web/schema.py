"""The published schema: OpenAPI 3.1 for what is asked by HTTP, and the messages of the WebSockets.

What clients send is described exactly, as `messages.py` checks it. Read `messages.py` before and
`app.py` after this file.
"""

from __future__ import annotations

from functools import cache
from typing import Any, Final

from sorry_env.engine.rng import MAX_SEED
from sorry_env.server import protocol
from sorry_env.version import __version__
from sorry_env.web.limits import STATUS
from sorry_env.web.messages import ANALYSIS, LIVE, form_schema
from sorry_env.web.setup import MAX_NAME, MAX_PACE_MS, MAX_TARGET

Row = dict[str, Any]

_CODES: Final = sorted(
    {*STATUS, "bad_request", "bad_position", "illegal_move", "unsupported_ruleset", "bad_record",
     "bad_model", "missing_extra"}
)  # fmt: skip
_ERROR: Final[Row] = {
    "type": "object",
    "properties": {
        "type": {"const": "error"}, "code": {"enum": _CODES}, "message": {"type": "string"},
        "id": {"type": ["string", "number", "null"]},
    },
    "required": ["type", "code", "message"],
}  # fmt: skip
_GAME: Final[Row] = {
    "type": "object",
    "properties": {
        "ruleset": {"type": "string"},
        "seats": {
            "oneOf": [
                {"type": "null"},
                {"type": "integer"},
                {"type": "array", "items": {"type": "string"}, "maxItems": 4},
            ]
        },
        "players": {"type": "object", "additionalProperties": {"type": "string"}},
        "first": {"type": ["string", "null"]},
        "seed": {"type": ["integer", "null"], "minimum": 0, "maximum": MAX_SEED},
        "position": {"type": ["string", "null"], "maxLength": 4096},
        "forced": {"type": "boolean"},
        "undo": {"type": "boolean"},
        "hints": {"type": "boolean"},
        "pace_ms": {"type": "integer", "minimum": 0, "maximum": MAX_PACE_MS},
        "name": {"type": ["string", "null"], "maxLength": MAX_NAME},
        "target_score": {"type": ["integer", "null"], "minimum": 1, "maximum": MAX_TARGET},
    },
    "additionalProperties": False,
}


@cache
def api_schema() -> Row:
    """All of it, as one JSON object."""
    return {
        "openapi": "3.1.0",
        "info": {"title": "sorry serve", "version": __version__},
        "paths": _paths(),
        "components": {
            "schemas": {
                "Error": _ERROR,
                "NewGame": _GAME,
                "Analysis": form_schema(ANALYSIS),
                "LiveRequest": {"oneOf": [form_schema(forms, k) for k, forms in LIVE.items()]},
                "BotRequest": {"oneOf": [bot_schema(kind) for kind in protocol.REQUESTS]},
            }
        },
    }


def bot_schema(kind: str) -> Row:
    """A request of the bot protocol of this type."""
    fields: Row = {
        name.removesuffix("?"): {"type": "number", "minimum": 0}
        if name == "time_ms?"
        else {"type": "string"}
        for name in protocol.REQUESTS[kind]
    }
    needed = [name for name in protocol.REQUESTS[kind] if not name.endswith("?")]
    return {
        "type": "object",
        "properties": {
            "id": {"type": ["string", "number", "null"]}, "type": {"const": kind}, **fields,
        },
        "required": needed,
        "additionalProperties": False,
    }  # fmt: skip


def _paths() -> Row:
    game = _parameter("game", "path", {"type": "string"})
    bot = _parameter("bot", "query", {"type": "string"})
    part = [_whole("from"), _whole("count")]
    return {
        "/api/schema": {"get": _route("this schema")},
        "/api/rulesets": {"get": _route("the published rulesets")},
        "/api/ruleset": {
            "get": _route("one ruleset", [_parameter("name", "query", {"type": "string"})])
        },
        "/api/board": {
            "get": _route("its board", [_parameter("ruleset", "query", {"type": "string"})])
        },
        "/api/bots": {"get": _route("the bots that are offered")},
        "/api/games": {
            "get": _route("games, the newest first", [_whole("offset"), _whole("limit")]),
            "post": _route("a new game", body="NewGame", status=201),
        },
        "/api/games/{game}": {"get": _route("one game", [game])},
        "/api/games/{game}/record": {"get": _route("its record, when it is over", [game])},
        "/api/games/{game}/match/record": {
            "get": _route("records of rounds of a match that are over", [game, _whole("from")])
        },
        "/api/games/{game}/replay": {"get": _route("its moves one by one", [game, *part])},
        "/api/replay": {
            "post": {
                **_route("the moves of a record", [_whole("game"), *part]),
                "requestBody": {"content": {"application/x-ndjson": {"schema": {}}}},
            }
        },
        "/api/analysis": {"post": _route("what a bot thinks of positions", body="Analysis")},
        "/v1": {"post": _route("bot protocol 1", [bot], body="BotRequest")},
        **{
            f"/v1/{kind}": {"post": _route(f"bot protocol 1: {kind}", [bot], body=bot_schema(kind))}
            for kind in protocol.REQUESTS
        },
    }


def _route(
    words: str, parameters: list[Row] | None = None, *, body: str | Row = "", status: int = 200
) -> Row:
    refused = {"$ref": "#/components/schemas/Error"}
    row: Row = {
        "summary": words,
        "parameters": parameters or [],
        "responses": {
            str(status): {"description": words},
            "default": {
                "description": "refused",
                "content": {"application/json": {"schema": refused}},
            },
        },
    }
    if body:
        named = body if isinstance(body, dict) else {"$ref": f"#/components/schemas/{body}"}
        row["requestBody"] = {"required": True, "content": {"application/json": {"schema": named}}}
    return row


def _parameter(name: str, place: str, schema: Row) -> Row:
    return {"name": name, "in": place, "required": place == "path", "schema": schema}


def _whole(name: str) -> Row:
    return _parameter(name, "query", {"type": "integer", "minimum": 0})
