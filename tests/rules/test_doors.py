"""One resolver of ruleset names: every door of ours takes the same, and strangers' doors no files.

A ruleset of one's own keeps its name in other processes. Read `test_files.py` before this file.
"""

from __future__ import annotations

import copy
import json
import os
import pickle
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import gymnasium
import pytest

import sorry_env
from sorry_env import cli
from sorry_env.arena.league import play_league
from sorry_env.envs.single import SingleEnv
from sorry_env.envs.vector import SorryVectorEnv
from sorry_env.errors import RulesetError, SorryError
from sorry_env.rules import get_ruleset, load_ruleset, register_ruleset
from sorry_env.server.session import Session
from sorry_env.solve.space import open_space

#: Three pawns on the classic board, solvable where it is derived to one.
TEXT = "edition: doorway\nbase: duel-1\nslides: [[2, 5]]\n"


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("rulesets") / "any-name.yaml"
    path.write_text(TEXT, encoding="utf-8")
    return path


def made(make: Callable[..., Any], name: Any) -> Any:
    return make("sorry_env/Sorry-v0", ruleset=name)


DOORS: dict[str, Callable[[Any], str]] = {
    "load_ruleset": lambda name: sorry_env.load_ruleset(name).name,
    "Game": lambda name: sorry_env.Game(name, seed=1).ruleset.name,
    "Batch": lambda name: sorry_env.Batch(name, size=1).tables.ruleset.name,
    "raw_env": lambda name: sorry_env.raw_env(name).tables.ruleset.name,
    "env": lambda name: sorry_env.env(name).unwrapped.tables.ruleset.name,
    "parallel_env": lambda name: sorry_env.parallel_env(name).inside.tables.ruleset.name,
    "SingleEnv": lambda name: SingleEnv(name).tables.ruleset.name,
    "SorryVectorEnv": lambda name: SorryVectorEnv(1, name)._table.tables.ruleset.name,
    "gymnasium.make": lambda name: made(gymnasium.make, name).unwrapped.tables.ruleset.name,
    "gymnasium.make_vec": lambda name: made(gymnasium.make_vec, name)._table.tables.ruleset.name,
    "play_match": lambda name: sorry_env.play_match(["random"] * 2, name, games=2).ruleset,
    "play_league": lambda name: play_league(["random"] * 2, name, games=8, anchor=0).ruleset,
    "solve": lambda name: open_space(name).tables.ruleset.name,
}
DOOR = pytest.mark.parametrize("door", DOORS.values(), ids=DOORS)


@DOOR
def test_every_door_takes_every_way_of_naming_a_ruleset(
    door: Callable[[Any], str], house: Path
) -> None:
    ways: dict[Any, str] = {
        "duel-1": "duel-1",
        "duel-1?switch_slides=both": "duel-1?switch_slides=both",
        get_ruleset("duel-1"): "duel-1",
        house: "doorway",
        str(house): "doorway",
        f"{house}?switch_slides=both": "doorway?switch_slides=both",
        f"{house}?switch_slides=mover": "doorway",
        "doorway": "doorway",
        "doorway?switch_slides=none": "doorway?switch_slides=none",
        load_ruleset(f"{house}?switch_slides=none"): "doorway?switch_slides=none",
    }
    for given, name in ways.items():
        assert door(given) == name


@DOOR
def test_every_door_refuses_in_words(door: Callable[[Any], str], house: Path) -> None:
    for given, words in (
        ("clasic", "unknown ruleset 'clasic'"),
        ("no-such-file.yaml", "no-such-file.yaml: cannot be read"),
        (Path("no-such-file"), "no-such-file: cannot be read"),
        (str(house.parent / "x.yml?pawns=2"), "x.yml: cannot be read"),
        (f"{house}?pawnz=2", "'pawnz=2' must be FIELD=VALUE"),
        (f"{house}?pawns=9", "pawns=9"),
        (5, "5"),
        (None, "None"),
    ):
        with pytest.raises(RulesetError) as caught:
            door(given)
        assert words in caught.value.message, given


def test_the_command_line_is_such_a_door(house: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = ["record", "--ruleset", f"{house}?switch_slides=both", "--max-plies", "1"]
    assert cli.main(command) == 0
    header = json.loads(capsys.readouterr().out.splitlines()[0])
    assert header["ruleset"] == "doorway?switch_slides=both"


def test_the_trainer_is_such_a_door(house: Path) -> None:
    config = pytest.importorskip("sorry_training.config")
    made = config.load_config(None, [f"ruleset={house}?switch_slides=both"])
    assert made.ruleset == "doorway?switch_slides=both" and made.rules == TEXT
    assert config.load_config(None, ["ruleset=duel-1?pawns=2"]).ruleset == "duel-1?pawns=2"


# -- strangers ------------------------------------------------------------------------------------


def test_no_text_of_strangers_opens_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "secret.yaml"
    path.write_text("edition: stranger\n", encoding="utf-8")

    def never(self: Path, *_: Any, **__: Any) -> str:
        raise AssertionError(f"{self} was opened")

    monkeypatch.setattr(Path, "read_text", never)
    monkeypatch.setattr(Path, "open", never)
    texts = [str(path), f"{path}?pawns=2"]
    lines = [f"{text} 0/-/3/- y move ? * - -" for text in texts]
    session = Session("random", 1)
    for text, line in zip(texts, lines, strict=True):
        for request in ("legal", "move", "draw"):
            answer = session.answer({"id": 1, "type": request, "position": line})
            assert answer["code"] == "unsupported_ruleset", answer
        header = {
            "type": "game", "format": 1, "ruleset": text, "seats": ["red"], "seed": 1,
            "players": {"red": "a"}, "id": "g",
        }  # fmt: skip
        for call in (
            lambda text=text: get_ruleset(text),
            lambda line=line: sorry_env.read_position(line),
            lambda line=line: sorry_env.read_view(line.replace("* -", "* ?/-")),
            lambda header=header: list(sorry_env.read_records([json.dumps(header)])),
        ):
            with pytest.raises(SorryError, match="unknown ruleset"):
                call()


def test_no_game_of_the_server_opens_a_file(house: Path) -> None:
    setup = pytest.importorskip("sorry_env.web.setup")
    from sorry_env.web.facts import ruleset_facts
    from sorry_env.web.roster import Roster

    other = house.with_name("other.yaml")
    other.write_text("edition: unheard\n", encoding="utf-8")
    for text in (str(other), f"{other}?pawns=2"):
        for call in (
            lambda text=text: setup.read_setup({"ruleset": text}, Roster()),
            lambda text=text: setup.read_setup({"position": f"{text} 0 - - - - - -"}, Roster()),
            lambda text=text: ruleset_facts(text),
        ):
            with pytest.raises(SorryError, match="unknown ruleset"):
                call()
    with pytest.raises(RulesetError, match="unknown ruleset"):
        get_ruleset("unheard")


# -- names in other processes ---------------------------------------------------------------------


def elsewhere(script: str, *pickles: bytes) -> str:
    """What a fresh process prints, with pickles in a list ``given``."""
    head = f"import pickle, sorry_env\ngiven = [pickle.loads(one) for one in {list(pickles)!r}]\n"
    done = subprocess.run(
        [sys.executable, "-c", head + script],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_a_ruleset_of_ones_own_keeps_its_name_in_other_processes() -> None:
    own = register_ruleset(replace(get_ruleset("duel-1"), edition="far", slides=((2, 5),)))
    other = register_ruleset(replace(get_ruleset("duel-1"), edition="further", pawns=2))
    loose = replace(get_ruleset("duel-1"), edition="loose", pawns=2)
    unread = sorry_env.Game("far?pawns=2", seed=1)  # nobody has asked for its name yet
    game = sorry_env.Game("far?pawns=2", seed=1)
    text = sorry_env.write_position(game)
    assert text.startswith("far?pawns=2 ")
    holders: list[Any] = [
        unread, game, sorry_env.raw_env("far?pawns=2"), SorryVectorEnv(1, "far?pawns=2"),
        replace(own, pawns=2), other, loose,
    ]  # fmt: skip
    told = elsewhere(
        f"text = {text!r}\n"
        "for game in given[:2]:\n"
        "    assert sorry_env.write_position(game) == text, game.ruleset.name\n"
        "    assert sorry_env.write_position(sorry_env.read_position(text)) == text\n"
        "print(given[2].tables.ruleset.name, given[3]._table.tables.ruleset.name, given[4].name)\n"
        "print(sorry_env.Game('further?pawns=3').ruleset.name, given[6].name)\n"
        "try:\n    sorry_env.get_ruleset('loose')\n"
        "except sorry_env.SorryError as error:\n    print(error.message)\n",
        *map(pickle.dumps, holders),
    )
    lines = told.split("\n")
    assert lines[:2] == ["far?pawns=2 far?pawns=2 far?pawns=2", "further?pawns=3 loose"]
    assert "unknown ruleset 'loose'" in lines[2], "nobody has registered it"


def test_each_process_alone_learns_the_name_from_its_pickle() -> None:
    """The first that is unpickled registers the rest: here it is one that knows its name least."""
    own = register_ruleset(replace(get_ruleset("duel-1"), edition="lone", slides=((2, 5),)))
    derived = replace(own, pawns=2)
    told = elsewhere("print(given[0].name)", pickle.dumps(derived))
    assert told.strip() == "lone?pawns=2"
    assert pickle.loads(pickle.dumps(derived)) == copy.deepcopy(derived) == derived


def test_another_ruleset_of_the_same_name_is_refused_where_it_is_read() -> None:
    own = register_ruleset(replace(get_ruleset("duel-1"), edition="twice", pawns=2))
    told = elsewhere(
        "from dataclasses import replace\n"
        "from sorry_env.rules import register_ruleset, get_ruleset\n"
        "register_ruleset(replace(get_ruleset('duel-1'), edition='twice', pawns=3))\n"
        f"try:\n    pickle.loads({pickle.dumps(own)!r})\n"
        "except sorry_env.SorryError as error:\n    print(error.message)",
    )
    assert "'twice' is the name of another ruleset" in told


def test_a_name_follows_what_is_registered() -> None:
    base = replace(get_ruleset("duel-1"), edition="later", pawns=2)
    derived = replace(base, pawns=3)
    game = sorry_env.Game(derived, seed=1)
    assert derived.name == game.ruleset.name == "later"
    register_ruleset(base)
    assert derived.name == game.ruleset.name == "later?pawns=3"
    assert sorry_env.Game("later?pawns=3", seed=1).ruleset.name == "later?pawns=3"
