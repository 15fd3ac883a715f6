"""A move of every bot that has a name, in every edition it says it plays, by every door.

A door is a way in which users let bots play. Each test is one bot, one edition and one door, and
fails by the bot's error or by an action that is not legal. The doors are the project's own, with
small budgets for bots that search.
"""

from __future__ import annotations

import builtins
import io
import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stdout
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest
import uvicorn
from starlette.testclient import TestClient

import sorry_env  # noqa: F401  registers the environments
from sorry_env.arena import play_league, play_match
from sorry_env.bots.registry import BOTS
from sorry_env.bots.shipped import shipped_files
from sorry_env.cli import main
from sorry_env.errors import RequestError
from sorry_env.express.bots import BOTS as EXPRESS_BOTS
from sorry_env.families import EXPRESS, FAMILIES, family_of
from sorry_env.replay import analyse
from sorry_env.rules import RULESETS
from sorry_env.server.session import Session
from sorry_env.server.stdio import serve
from sorry_env.web.app import Settings, make_app
from tests.bots import models
from tests.replay.support import record_of
from tests.web.support import SOCKETS, Player, new_game, server

pytestmark = [
    pytest.mark.timeout(240),
    # Bots that are made by name by a door keep their connection until they are collected.
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]

#: Rulesets made from others; a bot for any ruleset plays them, too.
DERIVED = ("classic?pawns=3", "points?hand=3")
#: Decisions that are enough for every seat to have had a choice in most games.
PLIES = 6
#: Every name of the registry, with small budgets.
NAMES = {
    "random": "random",
    "greedy": "greedy",
    "runner": "runner",
    "bumper": "bumper",
    "cautious": "cautious",
    "expectimax": "expectimax:depth=2,width=1,worlds=1",
    "mcts": "mcts:sims=2",
    "optimal": "optimal",
}
#: Rulesets of files that the tests make: `learned:` and `value:` play these.
MADE = {"learned": ("classic", "classic?pawns=3", "express", "teams-two"), "value": ("points",)}
#: Programs play whatever they say; one of each kind of game is asked of them.
FOREIGN = ("classic", "points", "express")


Row = dict[str, Any]


@dataclass(frozen=True)
class Case:
    """A bot in an edition; `{folder}` and `{server}` in its name are filled in."""

    bot: str
    ruleset: str
    seats: int

    def __str__(self) -> str:
        return f"{self.bot}-{self.ruleset}-{self.seats}"


def _usual(ruleset: str) -> int:
    family = family_of(ruleset)
    return len(family.choose_seats(family.resolve(ruleset), None))


def _cases() -> Iterator[Case]:
    editions = (*RULESETS, *DERIVED)
    for kind, name in NAMES.items():
        if kind == "optimal":
            known: tuple[str, ...] = ("duel-1", "duel-1?slides=none")
        else:
            known = (*editions, *FAMILIES) if kind in EXPRESS_BOTS else editions
        for ruleset in known:
            yield Case(name, ruleset, _usual(ruleset))
    for file in shipped_files()[0]:
        account = file.facts.account
        for count in account.seat_counts:
            yield Case(f"best:{account.ruleset}", account.ruleset, count)
    for kind, rulesets in MADE.items():
        for ruleset in rulesets:
            yield Case(f"{kind}:{{folder}}/{_stem(kind, ruleset)}.onnx", ruleset, _usual(ruleset))
    for ruleset in FOREIGN:
        yield Case("{server}?bot=greedy", ruleset, _usual(ruleset))


def _stem(kind: str, ruleset: str) -> str:
    return f"{kind}-{ruleset.replace('?', '-').replace('=', '-')}"


CASES = list(_cases())


def test_no_name_is_forgotten() -> None:
    played = {case.bot.replace("{server}", "http:").partition(":")[0] for case in CASES}
    # `process` starts a program for every game: tests/server/test_matches.py plays by it.
    assert played | {"process", "https"} == set(BOTS) | set(EXPRESS_BOTS)
    assert {case.ruleset for case in CASES} >= {*RULESETS, *FAMILIES}


# -- doors ----------------------------------------------------------------------------------------


class House:
    """What all doors share: a server of this process, with files in its folder.

    client: asks the server in this process; address: the same server for programs
    """

    def __init__(self, folder: Path, client: TestClient, address: str) -> None:
        self.folder, self.client, self.address = folder, client, address

    def name(self, case: Case) -> str:
        """What `make_bot` calls the bot."""
        return case.bot.replace("{folder}", str(self.folder)).replace("{server}", self.address)

    def offered(self, case: Case) -> str:
        """What the server calls the bot: budgets are its own, files are named by themselves."""
        kind = case.bot.partition(":")[0]
        usual = {"expectimax": "expectimax:depth=2", "mcts": "mcts:sims=200"}
        return f"file:{Path(case.bot).stem}" if kind in MADE else usual.get(kind, case.bot)


@cache
def decisions(ruleset: str, seats: int) -> tuple[str, ...]:
    """Lines of two positions, one with a choice and one without; where hands are full, of one."""
    family = family_of(ruleset)
    game = family.new_game(ruleset, seats, seed=3)
    found: dict[bool, str] = {}
    for _ in range(40):
        if game.over or len(found) == 2:
            break
        found.setdefault(len(game.legal_actions()) > 1, str(family.write(game)))
        game.play(game.legal_moves()[0])
    assert True in found
    return tuple(found.values())


def check_legal(position: str, move: Any) -> None:
    family = family_of(position)
    assert move in family.legal_texts(family.read(position, seed=0))


def players(case: Case, one: str, others: str) -> list[str]:
    """A bot on each place of a match: where partners play together, one for each team."""
    teams = getattr(family_of(case.ruleset).resolve(case.ruleset), "teams", "none") != "none"
    return [one, *[others] * ((2 if teams else case.seats) - 1)]


def arena(house: House, case: Case) -> None:
    name = house.name(case)
    result = play_match(players(case, name, name), case.ruleset, case.seats, games=1,
                        max_plies=PLIES)  # fmt: skip
    assert sum(result.asked) > 0


def league(house: House, case: Case) -> None:
    """The matches of a league are played; that nobody has won yet is all that is wrong."""
    bots = players(case, house.name(case), "random")
    with pytest.raises(RequestError, match="ratings need two seeds at least with games that"):
        play_league(bots, case.ruleset, case.seats, games=1, max_plies=PLIES)


def play(house: House, case: Case) -> None:
    name, out = house.name(case), io.StringIO()
    answers = iter(["h", *["1"] * 30, "q"])

    def answer(prompt: str) -> str:
        text = out.getvalue()
        return "q" if f"({name}): " in text and "hint: " in text else next(answers)

    with pytest.MonkeyPatch.context() as patch, redirect_stdout(out):
        patch.setattr(builtins, "input", answer)
        status = main(["play", "--ruleset", case.ruleset, "--seats", str(case.seats), "--seed", "3",
                       "--bot", name, "--hint", name, "--plain"])  # fmt: skip
    text = out.getvalue()
    assert status == 0 and "  hint: " in text
    assert case.seats == 1 or f"({name}): " in text


def stdio(house: House, case: Case) -> None:
    """All types of requests, each made from the answer before."""
    for position in decisions(case.ruleset, case.seats):
        answers: list[Row] = []
        ask = partial(request_after, position, answers)
        serve(Session(house.name(case), 1), ask, partial(keep, answers))
        hello, legal, move, quick, applied, drawn = answers
        assert {case.ruleset.partition("?")[0], case.ruleset} & set(hello["rulesets"])
        assert {move["move"], quick["move"]} <= set(legal["moves"])
        check_legal(position, move["move"])
        # Where the same seat decides again, nothing is drawn.
        assert applied["type"] == "apply"
        assert drawn["type"] == "draw" or "nothing is to be drawn" in drawn["message"]


def request_after(position: str, told: list[Row], _: int) -> bytes:
    """The next request as a line, after these answers; nothing after the last."""
    applied: Row = {"position": position, "move": told[2]["move"]} if len(told) == 4 else {}
    rows: list[Row] = [
        {"type": "hello"},
        {"type": "legal", "position": position},
        {"type": "move", "position": position},
        {"type": "move", "position": position, "time_ms": 1},
        {"type": "apply", **applied},
        {"type": "draw", "position": told[-1].get("position") if told else None},
    ]
    return json.dumps(rows[len(told)]).encode() + b"\n" if len(told) < len(rows) else b""


def keep(told: list[Row], text: str) -> None:
    told.append(json.loads(text))


def http(house: House, case: Case) -> None:
    for position in decisions(case.ruleset, case.seats):
        body = {"position": position, "time_ms": 1}
        bot = {"bot": house.offered(case)}
        answer = house.client.post("/v1/move", params=bot, json=body)
        assert answer.status_code == 200, answer.text
        check_legal(position, answer.json()["move"])


def websocket(house: House, case: Case) -> None:
    path = f"{SOCKETS}/v1/bot?bot={house.offered(case)}"
    with house.client.websocket_connect(path) as socket:
        for position in decisions(case.ruleset, case.seats):
            socket.send_json({"type": "move", "position": position, "time_ms": 1})
            answer = socket.receive_json()
            assert answer["type"] == "move", answer
            check_legal(position, answer["move"])


def table(house: House, case: Case) -> None:
    """A game at the server, by its WebSocket: a person against the bot."""
    family = family_of(case.ruleset)
    name = house.offered(case)
    agents = family.player_names(
        family.resolve(case.ruleset), family.choose_seats(family.resolve(case.ruleset), case.seats)
    )
    seated = {agent: name if i else "person" for i, agent in enumerate(agents)}
    made = new_game(house.client, ruleset=case.ruleset, seats=case.seats, players=seated, seed=3)
    secrets = list(made["secrets"].values())
    with house.client.websocket_connect(f"{SOCKETS}/api/games/{made['game']}/ws") as socket:
        person = Player(socket, secrets)
        moves = [*person.welcome["log"]]
        while not any(entry["by"] == name for entry in moves) and len(moves) < 30:
            if person.state["legal"]:
                assert person.move()["type"] == "ok"
            else:
                row = person.next()
                assert row["type"] != "error", row
            moves = [row["entry"] for row in person.told if row["type"] == "move"]
            moves += person.welcome["log"]
        assert case.seats == 1 or any(entry["by"] == name for entry in moves)


def analysis(house: House, case: Case) -> None:
    positions = decisions(case.ruleset, case.seats)
    body = {"bot": house.offered(case), "positions": positions}
    answer = house.client.post("/api/analysis", json=body)
    assert answer.status_code == 200, answer.text
    for position, row in zip(positions, answer.json()["answers"], strict=True):
        assert row["type"] == "analysis", row
        family = family_of(position)
        legal = family.legal_texts(family.read(position, seed=0))
        assert sorted(candidate["move"] for candidate in row["candidates"]) == legal


def environment(house: House, case: Case) -> None:
    make = _environment(case)
    env: Any = gymnasium.make(**make, opponents=house.name(case), disable_env_checker=True)
    env.reset(seed=3)
    for _ in range(PLIES):
        mask = env.unwrapped.action_masks()
        _, _, over, cut, _ = env.step(np.int64(np.flatnonzero(mask)[0]))
        if over or cut:
            break
    env.close()


def vector(house: House, case: Case) -> None:
    make = _environment(case)
    mode: Row = {"vectorization_mode": "sync"} if case.ruleset in FAMILIES else {}
    envs = gymnasium.make_vec(**make, num_envs=2, **mode, opponents=house.name(case))
    _, infos = envs.reset(seed=3)
    for _ in range(PLIES):
        masks = np.stack(list(infos["action_mask"]))
        _, _, over, cut, infos = envs.step(masks.argmax(axis=1))
        if (over | cut).any():
            break
    envs.close()


def _environment(case: Case) -> dict[str, Any]:
    if family_of(case.ruleset) is EXPRESS:
        return {"id": "sorry_env/SorryExpress-v0", "seats": case.seats}
    return {"id": "sorry_env/Sorry-v0", "ruleset": case.ruleset, "seats": case.seats}


def replay(house: House, case: Case) -> None:
    record = record_of(case.ruleset, case.seats, seed=3, most=PLIES)
    found = analyse(record, house.name(case))
    assert len(found.plies) == len(record.moves)
    for row, ply in zip(record.moves, found.plies, strict=True):
        assert ply.bot
        known = [ply.before, ply.drawn, ply.best, ply.played, *dict(ply.values).values()]
        assert all(np.isfinite(value) for value in known if value is not None)
        for move in ply.bot:
            check_legal(row["position"], move)


Door = Callable[[House, Case], None]
DOORS: tuple[Door, ...] = (
    arena, league, play, stdio, http, websocket, table, analysis, environment, vector, replay,
)  # fmt: skip
#: Doors where there must be an opponent.
AGAINST: tuple[Door, ...] = (league, table, environment, vector)
#: Doors of the server, which lets nobody name a program or a server.
OFFERED: tuple[Door, ...] = (http, websocket, table, analysis)


def doors_of(case: Case, number: int) -> list[Any]:
    """The tests of a case, by all doors that it has.

    Bots that play any ruleset are the same code in every edition: by default each of these cases
    has the arena and one other door, the next one from case to case, and all doors with `-m slow`.
    """
    foreign = case.bot.startswith("{server}")
    doors = [
        door
        for door in DOORS
        if not (case.seats == 1 and door in AGAINST) and not (foreign and door in OFFERED)
    ]
    some = {arena, doors[1:][number % (len(doors) - 1)]}
    rest = () if case.bot not in NAMES.values() or case.bot == "optimal" else pytest.mark.slow
    return [
        pytest.param(
            case, door, id=f"{case}-{door.__name__}", marks=rest if door not in some else ()
        )
        for door in doors
    ]


@contextmanager
def real_server(folder: Path) -> Iterator[str]:
    """The address of a server that programs can reach, run by a thread."""
    app = make_app(Settings(db=folder / "others.db"))
    config = uvicorn.Config(app, port=0, log_level="error", lifespan="on")
    running = uvicorn.Server(config)
    thread = threading.Thread(target=running.run)
    thread.start()
    try:
        while not running.started:
            assert thread.is_alive()
            time.sleep(0.01)
        port = running.servers[0].sockets[0].getsockname()[1]
        yield f"http://127.0.0.1:{port}/"
    finally:
        running.should_exit = True
        thread.join(20)


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    folder = tmp_path_factory.mktemp("bots")
    for kind, rulesets in MADE.items():
        build = models.build if kind == "learned" else models.build_value
        for ruleset in rulesets:
            models.save(folder, build(ruleset, (_usual(ruleset),)), f"{_stem(kind, ruleset)}.onnx")
    with server(folder / "games.db", bots=folder) as client, real_server(folder) as address:
        yield House(folder, client, address)


@pytest.mark.parametrize(
    ("case", "door"),
    [test for number, case in enumerate(CASES) for test in doors_of(case, number)],
)
def test_a_move(house: House, case: Case, door: Door) -> None:
    door(house, case)
