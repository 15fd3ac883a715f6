"""What is asked by HTTP: rulesets, bots, games, records, analyses.

Each function answers one route of `app.py`; a SorryError is the answer that it becomes there. Read
`body.py` and `hub.py` before and `live.py` after this file.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, Final

from starlette.requests import Request
from starlette.responses import Response

from sorry_env.errors import RequestError, SorryError
from sorry_env.server.positions import Position, read_position
from sorry_env.web import facts
from sorry_env.web.analysis import analyse
from sorry_env.web.body import RECORDS, Json, read_body, read_json, refused
from sorry_env.web.hub import Hub
from sorry_env.web.limits import Buckets, Refusal, error_row
from sorry_env.web.match import round_id
from sorry_env.web.messages import ANALYSIS, read_fields
from sorry_env.web.replay import MOST_FRAMES, read_upload, replay
from sorry_env.web.schema import api_schema
from sorry_env.web.setup import read_setup
from sorry_env.web.store import Stored

Row = dict[str, Any]
Endpoint = Callable[[Request], Awaitable[Response]]

#: Games that are listed in one answer at most.
MOST_LISTED: Final = 200
#: Rounds of a match that are told in one file at most.
MOST_ROUNDS: Final = 100


def answering(answer: Endpoint) -> Endpoint:
    """An endpoint that tells every SorryError as JSON."""

    async def endpoint(request: Request) -> Response:
        try:
            return await answer(request)
        except SorryError as error:
            roster = request.app.state.hub.roster
            error.args = (roster.private(error.message), *error.args[1:])
            return refused(error)

    return endpoint


def _hub(request: Request) -> Hub:
    hub: Hub = request.app.state.hub
    return hub


def _number(request: Request, name: str, usual: int, most: int) -> int:
    """A number of the query string."""
    text = request.query_params.get(name)
    if text is None:
        return usual
    if not (text.isascii() and text.isdigit() and len(text) < 10 and int(text) <= most):
        raise RequestError(f"{name}={text[:40]!r} must be a number from 0 to {most}", value=text)
    return int(text)


# -- what there is --------------------------------------------------------------------------------


async def schema(request: Request) -> Response:
    """GET /api/schema"""
    root_path = request.scope.get("root_path")
    servers = {"servers": [{"url": root_path}]} if root_path else {}
    return Json(api_schema() | servers)


async def rulesets(request: Request) -> Response:
    """GET /api/rulesets"""
    return Json({"rulesets": await asyncio.to_thread(facts.all_facts)})


async def ruleset(request: Request) -> Response:
    """GET /api/ruleset?name=NAME: of one, derived ones included"""
    name = request.query_params.get("name", "classic")
    return Json(await asyncio.to_thread(facts.ruleset_facts, name))


async def board(request: Request) -> Response:
    """GET /api/board?ruleset=NAME"""
    return Json(facts.board(request.query_params.get("ruleset", "classic")))


async def bots(request: Request) -> Response:
    """GET /api/bots"""
    offers = await asyncio.to_thread(_hub(request).roster.offers)
    return Json({"bots": [offer.row() for offer in offers]})


# -- games ----------------------------------------------------------------------------------------


async def create(request: Request) -> Response:
    """POST /api/games"""
    hub = _hub(request)
    made: Buckets = request.app.state.new_games
    if not made.take(request.client.host if request.client else ""):
        raise Refusal("too_many", "too many new games; wait a moment")
    row = await read_json(request, hub.limits.body, hub.limits.body_seconds)
    setup = await asyncio.to_thread(read_setup, row, hub.roster)
    game_id, told, owner, state = await hub.create(setup)
    answer = {"type": "created", "game": game_id, "secrets": told, "owner": owner, "state": state}
    return Json(answer, 201)


async def games(request: Request) -> Response:
    """GET /api/games?offset=0&limit=50"""
    offset = _number(request, "offset", 0, 10**8)
    limit = _number(request, "limit", 50, MOST_LISTED)
    listed, total = await asyncio.wrap_future(_hub(request).store.listed(offset, limit))
    return Json({"games": [summary.row() for summary in listed], "total": total})


async def game(request: Request) -> Response:
    """GET /api/games/ID"""
    game_id = request.path_params["game"]
    found = await asyncio.wrap_future(_hub(request).store.summary(game_id))
    if found is None:
        raise Refusal("not_found", f"there is no game {game_id[:40]!r}")
    return Json(found.row())


async def _stored(request: Request) -> Stored:
    game_id = request.path_params["game"]
    found = await asyncio.wrap_future(_hub(request).store.load(game_id))
    if found is None:
        raise Refusal("not_found", f"there is no game {game_id[:40]!r}")
    return found


async def record(request: Request) -> Response:
    """GET /api/games/ID/record"""
    found = await _stored(request)
    if found.summary.result is None:
        # Its record tells the seed, and so the cards to come; hands would be open, too.
        raise Refusal("running", "the game is still played: its record would tell too much")
    return await _records(request, found.summary.id, [found])


async def match_record(request: Request) -> Response:
    """GET /api/games/ID/match/record?from=1: a record of each round that is over, in one file"""
    start = _number(request, "from", 1, 10**6)
    found = await _stored(request)
    if found.summary.setup.target_score is None:
        raise Refusal("not_found", "this game is no round of a match")
    rounds: list[Stored] = []
    store = _hub(request).store
    while len(rounds) < MOST_ROUNDS:
        name = round_id(found.summary.id, max(1, start) + len(rounds))
        one = await asyncio.wrap_future(store.load(name))
        if one is None or one.summary.result is None:
            break
        rounds.append(one)
    if not rounds:
        raise Refusal("running", f"round {start} is not over: its record would tell too much")
    return await _records(request, f"{round_id(found.summary.id, 1)}-match", rounds)


async def _records(request: Request, name: str, games: list[Stored]) -> Response:
    """Records of games that are over as a file of this name."""

    def work() -> list[str]:
        return [
            line
            for game in games
            for line in game.table().record(game.summary.id, game.positions).lines()
        ]

    lines = await _hub(request).read(work)
    headers = {"content-disposition": f'attachment; filename="{name}.jsonl"'}
    text = "".join(f"{line}\n" for line in lines)
    return Response(text, media_type="application/x-ndjson", headers=headers)


async def game_replay(request: Request) -> Response:
    """GET /api/games/ID/replay?from=0&count=200"""
    start, count = _frames(request)
    found = await _stored(request)

    def work() -> Row:
        table = found.table()
        if table.game.ruleset.hand and not table.over:
            raise Refusal("running", "the game is still played: its hands are not to be seen")
        played = table.record(found.summary.id, found.positions, so_far=True)
        row = replay(played, table.log, start=start, count=count)
        if not table.over:
            del row["header"]["seed"]
            row["end"] = None
        return row

    return Json(await _hub(request).read(work))


async def upload(request: Request) -> Response:
    """POST /api/replay?game=0&from=0&count=200, the body a record file"""
    hub = _hub(request)
    start, count = _frames(request)
    number = _number(request, "game", 0, 10**6)
    body = await read_body(request, hub.limits.record, hub.limits.body_seconds, RECORDS)
    try:
        text = body.decode("utf-8")
    except UnicodeDecodeError as error:
        raise RequestError(f"a record must be UTF-8: {error}", value=None) from None

    def work() -> Row:
        found, many = read_upload(text, number)
        return replay(found, start=start, count=count, games=many, number=number)

    return Json(await hub.read(work))


def _frames(request: Request) -> tuple[int, int]:
    return _number(request, "from", 0, 10**6), _number(request, "count", MOST_FRAMES, MOST_FRAMES)


async def analysis(request: Request) -> Response:
    """POST /api/analysis"""
    hub = _hub(request)
    row = await read_json(request, hub.limits.body, hub.limits.body_seconds)
    fields = read_fields("analysis", row, ANALYSIS)

    def work() -> list[Row]:
        hub.roster.offer(fields["bot"])
        return [_one_analysis(hub, fields["bot"], line) for line in fields["positions"]]

    return Json({"answers": await hub.analyse(work)})


def _one_analysis(hub: Hub, bot: str, line: str) -> Row:
    """Of one position; an error is told in its place."""
    try:
        position: Position = read_position(line)
        game = position.game
        made = hub.roster.make(bot, game.ruleset, game.seats, 0)
        return analyse(made, bot, position)
    except SorryError as error:
        return error_row(error)
