"""Foreign programs as bots: whatever they do, an error in words, in time, and nothing is left."""

from __future__ import annotations

import copy
import os
import pickle
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from sorry_env.bots.registry import make_bot
from sorry_env.errors import MoveError, PeerError, RequestError, RulesetError, SorryError
from sorry_env.game import Game
from sorry_env.notation import read
from sorry_env.server.client import ProcessBot

LIAR = Path(__file__).with_name("liar.py")
#: Red's 7 moves nothing: pass is the only move.
FIRST = read("classic rS,rS,rS,rS/-/yS,yS,yS,yS/- r move 7 5.4.4.4.4.3.4.4.4.4.4 - -").view(0)
MakeLiar = Callable[..., ProcessBot]


def gone(pid: int) -> bool:
    """Whether a process has ended; one that only waits to be fetched has."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text()
    except FileNotFoundError:
        return True
    return stat.rpartition(")")[2].split()[0] == "Z"


@pytest.fixture
def liar(tmp_path: Path) -> Any:
    """Makes liars; in the end none of their processes may be there, and of ours no zombie."""
    if sys.platform != "linux":
        pytest.skip("looks for processes in /proc")
    pids = tmp_path / "pids"

    def make(way: str, **settings: Any) -> ProcessBot:
        command = [sys.executable, str(LIAR), way, str(pids)]
        return ProcessBot(command, **{"timeout": 20.0, "start_timeout": 20.0} | settings)

    yield make
    for pid in map(int, pids.read_text().split()):
        deadline = time.monotonic() + 2
        while not gone(pid) and time.monotonic() < deadline:
            time.sleep(0.01)
        assert gone(pid), pid
        with pytest.raises(ChildProcessError):
            os.waitpid(pid, os.WNOHANG)  # no child of ours that has not been waited for


def test_a_program_that_keeps_to_the_protocol_plays(liar: MakeLiar) -> None:
    with liar("honest") as bot:
        assert bot.rulesets == ("classic", "points")
        for _ in range(3):
            assert bot.choose(FIRST) == FIRST.legal_actions()[0]
        assert bot.name.endswith("pids") and bot.name.startswith("process:")


@pytest.mark.parametrize(
    ("way", "words"),
    [
        ("dies", r"it has ended \(exit status 3\); its last words: out of luck"),
        ("half", 'in the middle of the line \'{"id": 2, "type": "m\''),
        ("leaves_a_child", r"it did not answer within 2 s \(exit status 0\)"),
        ("slow", "it did not answer within 2 s"),
        ("half_and_wait", "it did not answer within 2 s"),
        ("flood_of_one_line", "its answer is over 1048576 bytes"),
        ("no_move", 'it answers no move but \'{"id":2,"type":"move","move":7}'),
        ("wrong_id", "where the id must be 2"),
        ("id_of_another_kind", "where the id must be 2"),
        ("id_true", "where the id must be 2"),
        ("wrong_type", "to a move"),
        ("no_type", "to a move"),
        ("list", r"it answers no JSON object but '\[1, 2\]'"),
        ("no_json", "it answers no JSON object but 'bestmove e2e4'"),
        ("empty_line", "it answers no JSON object but ''"),
        ("no_text", "it answers no JSON object but"),
        ("deep", "it answers no JSON object but"),
        ("not_a_number", "it answers no JSON object but"),
        ("refuses", "refuses classic .*: bad_position: no such thing"),
        ("refuses_oddly", r"refuses classic .*: \[\]: \{'a': 1\}"),
    ],
)
def test_a_move_that_is_none_is_an_error_in_words(liar: MakeLiar, way: str, words: str) -> None:
    bot = liar(way, start_timeout=2.0 if "within" in words else 20.0)
    before = time.monotonic()
    with pytest.raises(PeerError, match=words):
        bot.choose(FIRST)
    assert time.monotonic() - before < 15
    bot.close()


@pytest.mark.parametrize(
    ("way", "words"),
    [
        ("dies_at_once", r"\(exit status 3\); its last words: out of luck"),
        ("silent", "it did not answer within 1 s"),
        ("protocol_2", "it speaks protocol 2, not 1"),
        ("protocol_1.0", "it speaks protocol 1.0, not 1"),
        ("no_protocol", "it speaks protocol None, not 1"),
        ("no_rulesets", "its rulesets must be a list of names, not 'classic'"),
        ("error_at_hello", "it answers hello by"),
        ("banner", "Liar 1.0, all rights reserved"),
    ],
)
def test_who_does_not_introduce_himself_is_refused(liar: MakeLiar, way: str, words: str) -> None:
    bot = liar(way, start_timeout=1.0 if way == "silent" else 20.0)
    with pytest.raises(PeerError, match=words):
        bot.check(FIRST.tables, FIRST.seats)
    with pytest.raises(PeerError, match=words):  # and again: it is started anew
        bot.choose(FIRST)


def test_other_games_are_refused(liar: MakeLiar) -> None:
    with liar("other_rulesets") as bot, pytest.raises(RulesetError, match="plays chess, not clas"):
        bot.check(FIRST.tables, FIRST.seats)
    with liar("unsupported") as bot, pytest.raises(RulesetError, match="only chess"):
        bot.choose(FIRST)
    with liar("honest") as bot:
        derived = Game("classic?play_out=true", seed=0)
        bot.check(derived.tables, derived.seats)


@pytest.mark.parametrize("way", ["illegal", "illegal_line"])
def test_an_illegal_move_names_bot_position_and_what_is_legal(liar: MakeLiar, way: str) -> None:
    words = r"liar\.py .*asked in classic .*card 7: pass"
    with liar(way) as bot, pytest.raises(MoveError, match=words) as caught:
        bot.choose(FIRST)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("way", ["flood", "twice", "deaf"])
def test_who_says_more_than_he_is_asked_is_found_out(liar: MakeLiar, way: str) -> None:
    bot = liar(way)

    def go_on() -> None:
        for _ in range(3):
            bot.choose(FIRST)
            time.sleep(0.05)  # until the second line has come

    with pytest.raises(PeerError, match=r"without being asked|the id must be"):
        go_on()


def test_standard_error_may_be_anything(liar: MakeLiar) -> None:
    with liar("noisy") as bot:
        assert bot.choose(FIRST) == FIRST.legal_actions()[0]


def test_a_program_that_does_not_end_with_its_input_is_ended(liar: MakeLiar) -> None:
    bot = liar("stubborn")
    bot.choose(FIRST)
    before = time.monotonic()
    bot.close()
    assert time.monotonic() - before < 3


def test_nobody_has_to_close_it(liar: MakeLiar) -> None:
    bot = liar("stubborn")
    assert bot.choose(FIRST) == FIRST.legal_actions()[0]
    del bot  # the fixture sees that its process has ended


def test_a_program_that_died_is_started_again_if_wanted(liar: MakeLiar) -> None:
    with liar("dies_once", restarts=1) as bot:
        assert bot.choose(FIRST) == FIRST.legal_actions()[0]
    bot = liar("dies", restarts=2)
    with pytest.raises(PeerError, match="exit status 3"):
        bot.choose(FIRST)


def test_after_an_error_the_next_question_starts_it_anew(liar: MakeLiar) -> None:
    bot = liar("dies_once")
    with pytest.raises(PeerError):
        bot.choose(FIRST)
    assert bot.choose(FIRST) == FIRST.legal_actions()[0]
    bot.close()


def test_copies_have_programs_of_their_own(liar: MakeLiar) -> None:
    with liar("honest") as bot:
        bot.choose(FIRST)
        for twin in (copy.deepcopy(bot), pickle.loads(pickle.dumps(bot))):
            with twin:
                assert twin.choose(FIRST) == bot.choose(FIRST)


def test_a_fork_has_a_program_of_its_own(liar: MakeLiar) -> None:
    with liar("honest") as bot:
        bot.choose(FIRST)
        child = os.fork()
        if child == 0:
            good = False
            try:
                good = bot.choose(FIRST) == FIRST.legal_actions()[0]
                bot.close()
            finally:
                os._exit(0 if good else 1)
        assert os.waitpid(child, 0)[1] == 0
        bot.choose(FIRST)  # the parent's has not been ended


@pytest.mark.parametrize(
    ("command", "kind", "words"),
    [
        ("no-such-program --stdio", PeerError, "cannot be started: No such file"),
        ("'unbalanced", RequestError, "No closing quotation"),
        ("", RequestError, "must name a program"),
        ([], RequestError, "must name a program"),
        (["a\0b"], PeerError, "cannot be started"),
    ],
)
def test_commands_that_are_none(command: Any, kind: type[SorryError], words: str) -> None:
    with pytest.raises(kind, match=words):
        ProcessBot(command).choose(FIRST)


def test_settings_out_of_range_are_refused() -> None:
    for settings in ({"timeout": 0}, {"start_timeout": float("nan")}, {"restarts": -1}):
        with pytest.raises(RequestError, match="must be"):
            ProcessBot("x", **settings)


def test_it_has_a_name_like_every_bot(liar: MakeLiar, tmp_path: Path) -> None:
    bot = make_bot(f"process:{sys.executable} {LIAR} honest {tmp_path / 'pids'}")
    assert isinstance(bot, ProcessBot)
    assert bot.choose(FIRST) == FIRST.legal_actions()[0]
    bot.close()
    with pytest.raises(RequestError, match="must name a command: process:COMMAND"):
        make_bot("process:")
    # What an option would be of other bots is the command's own.
    assert make_bot("process:x learned:a.onnx?sample=true").name.endswith("?sample=true'")
