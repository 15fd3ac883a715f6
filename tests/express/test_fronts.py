"""The fronts of the dice game: bots and matches, records, the command line, pictures."""

from __future__ import annotations

import io
import json
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sorry_env.arena.match import play_match
from sorry_env.bots.base import Bot
from sorry_env.cli import main
from sorry_env.errors import (
    MissingExtraError,
    ModelError,
    MoveError,
    RecordError,
    RequestError,
    RulesetError,
)
from sorry_env.express import ExpressGame, notation
from sorry_env.express.ansi import ansi
from sorry_env.express.bots import make_bot
from sorry_env.express.pictures import rgb, svg
from sorry_env.notation import Recorder, read_records
from tests.express.support import MIDDLE, at, random_positions

# -- bots and matches -----------------------------------------------------------------------------


def chosen(bot: Bot, position: str) -> str:
    game: Any = at(position)
    return notation.move_text(game.describe(bot.choose(game.view(game.actor))))


@pytest.mark.parametrize(
    ("position", "move"),
    [
        # To win at once, whichever die does it.
        ("r:3.1.0.0/b:0.2.2.0 1.1.2.4 0 1=r,2=L,3=y -", "1:r<pool"),
        ("r:1.4.0.0/b:1.0.2.0 2.0.2.4 0 2=L -", "2:L:0>b"),
        # Never to make somebody else win: Sorry! from the one who has most.
        ("r:0.0.0.0/b:0.3.0.0/y:0.0.1.0 4.1.3.4 0 1=S -", "1:S<1"),
        # A pawn of the Home colour rather than another.
        (f"{MIDDLE} 0 1=W -", "1:W:r<1"),
    ],
)
def test_the_greedy_bot_takes_what_is_best_at_once(position: str, move: str) -> None:
    bot = make_bot("greedy")
    bot.reset(1)
    assert chosen(bot, position) == move


@pytest.mark.parametrize("players", [2, 3, 4])
def test_random_bots_win_their_share(players: int) -> None:
    # 1,200 games rotated over the seats: four standard errors of a share of 1/n.
    result = play_match(["random"] * players, "express", games=1_200, seed=1)
    error = (1 / players * (1 - 1 / players) / result.games) ** 0.5
    for bot in range(players):
        assert abs(result.rate(bot) - 1 / players) < 4 * error
    assert result.cut == 0 and result.mean_length > 20


@pytest.mark.parametrize("players", [2, 3, 4])
def test_greedy_beats_random(players: int) -> None:
    result = play_match(["greedy"] + ["random"] * (players - 1), "express", games=240, seed=2)
    assert result.interval(0)[0] > 0.6
    assert "as 0" in result.table() and result.to_dict()["seats"] == [*"0123"][:players]


def test_the_batch_size_has_no_part_in_a_match() -> None:
    results = [
        play_match(["greedy", "random"], "express", games=40, seed=5, batch=batch)
        for batch in (1, 16)
    ]
    assert results[0].outcomes.tobytes() == results[1].outcomes.tobytes()


class _First(Bot):
    """Chooses by view, the first legal action, or one that is not legal."""

    def __init__(self, legal: bool) -> None:
        self.legal = legal

    def choose(self, view: Any) -> int:
        assert view.seat == view.actor
        return int(np.flatnonzero(view.mask() == self.legal)[0])


def test_bots_that_choose_by_view() -> None:
    assert play_match([_First(True), "random"], "express", games=4).games == 4
    with pytest.raises(MoveError, match="express"):
        play_match([_First(False), "random"], "express", games=2)


def test_bots_and_matches_that_there_are_not() -> None:
    for name in ("best", "greedy:depth=2"):
        with pytest.raises(RequestError):
            make_bot(name)
    with pytest.raises((ModelError, MissingExtraError), match=r"nowhere\.onnx|onnxruntime"):
        make_bot("learned:nowhere.onnx")
    with pytest.raises(RulesetError):
        play_match(["random"] * 5, "express", games=5)
    with pytest.raises(RequestError):
        play_match(["random"] * 2, "express", 3, games=2)


# -- records --------------------------------------------------------------------------------------


def record_lines(players: int, seed: int = 3) -> list[str]:
    game = ExpressGame(players, seed=seed)
    names = {str(seat): "first" for seat in range(players)}
    recorder = Recorder(game, names, seed=seed, name="x", legal=True)
    rng = np.random.default_rng(seed)
    while not game.over:
        move = game.describe(int(rng.choice(game.legal_actions())))
        recorder.decision(move)
        game.play(move)
    return list(recorder.finish().lines())


@pytest.mark.parametrize("players", [2, 3, 4])
def test_records_are_read_back(players: int) -> None:
    lines = record_lines(players)
    (record,) = read_records(lines, name="x")
    assert list(record.lines()) == lines
    header = json.loads(lines[0])
    assert (header["ruleset"], header["seats"]) == ("express", [*"0123"][:players])
    end = json.loads(lines[-1])
    assert sum(end["returns"].values()) == pytest.approx(0, abs=1e-5)
    assert all(game.plies == 0 for game in record.games())


def _swap(line: int, **values: Any) -> Callable[[list[str]], list[str]]:
    def change(lines: list[str]) -> list[str]:
        row = {**json.loads(lines[line]), **values}
        return [*lines[:line], json.dumps(row), *lines[line:][1:]]

    return change


@pytest.mark.parametrize(
    "change",
    [
        _swap(0, seats=["0", "2"]), _swap(0, seats=[0, 1]), _swap(0, seats=["red", "blue"]),
        _swap(0, players={"red": "a", "blue": "b"}), _swap(0, reward="rank"), _swap(0, seed="1"),
        _swap(0, ruleset="classic"), _swap(1, move="1:none"), _swap(1, legal=["1:none"]),
        _swap(2, position=f"express {MIDDLE} 0 1=b -"), _swap(2, ply=2),
        _swap(1, position="express r:0.0.0.0/b:0.0.0.0 4.4.4.4 0 ? -"),
        _swap(-1, plies=1), _swap(-1, reason="truncated"), lambda lines: lines[:-1],
    ],
)  # fmt: skip
def test_bad_records_are_refused(change: Callable[[list[str]], list[str]]) -> None:
    with pytest.raises(RecordError, match="x, line"):
        list(read_records(change(record_lines(2)), name="x"))


# -- the command line -----------------------------------------------------------------------------


@pytest.mark.parametrize("players", [2, 3, 4])
def test_record_and_replay(
    players: int, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    command = ["record", "--ruleset", "express", "--seats", str(players), "--legal", "--seed", "4"]
    assert main([*command, "--games", "2", "--player", "greedy"]) == 0
    text = capsys.readouterr().out
    path = tmp_path / "games.jsonl"
    path.write_text(text)
    assert main(["replay", str(path), "--board"]) == 0
    shown = capsys.readouterr().out
    assert "game 2: express" in shown and "Start base" in shown
    assert main([*command, "--max-plies", "3"]) == 0
    end = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert (end["reason"], set(end["returns"].values())) == ("truncated", {0.0})


def test_legal_and_apply(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    base = f"express {MIDDLE} 0 1=b,3=r -"
    monkeypatch.setattr("sys.stdin", io.StringIO(f"{base}\nexpress {MIDDLE} 0 ? -\nexpress\n"))
    assert main(["legal"]) == 1
    good, waiting, bad = map(json.loads, capsys.readouterr().out.splitlines())
    assert good == ["1:none", "3:r<pool"]
    assert "the dice must be rolled" in waiting["error"]["message"]
    assert bad["error"]["code"] == "bad_position"
    monkeypatch.setattr("sys.stdin", io.StringIO(f"{base}\t3:r<pool\n{base}\t3:r<1\n"))
    assert main(["apply"]) == 1
    after, wrong = capsys.readouterr().out.splitlines()
    assert after == "express r:3.1.0.0/b:1.3.2.0 0.0.2.4 0 1=b -"
    assert json.loads(wrong)["error"]["code"] == "illegal_move"


def test_show_arena_and_play(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    picture, pixels = tmp_path / "a.svg", tmp_path / "a.png"
    assert main(["show", f"express {MIDDLE} 0 1=b -", "--plain"]) == 0
    assert "legal: 1:none" in capsys.readouterr().out
    arguments = ["--ruleset", "express", "--seats", "3"]
    assert main(["show", *arguments, "--svg", str(picture), "--png", str(pixels)]) == 0
    assert picture.read_text().startswith("<svg") and pixels.read_bytes()[1:4] == b"PNG"
    assert main(["arena", "greedy", "random", "random", *arguments, "--games", "6"]) == 0
    assert "as 2" in capsys.readouterr().out
    answers = iter(["h", "1", "u", "p", "x", "1", "q"])
    monkeypatch.setattr("builtins.input", lambda _: next(answers))
    assert main(["play", *arguments, "--seed", "3", "--plain", "--you", "0,1"]) == 0
    shown = capsys.readouterr().out
    assert "you play 0, 1" in shown and "hint:" in shown and "express r:0.0.0.0/" in shown


def test_a_whole_game_at_the_terminal(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    path = tmp_path / "played.jsonl"
    monkeypatch.setattr("builtins.input", lambda _: "1")
    command = ["play", "--ruleset", "express", "--seed", "5", "--plain", "--record", str(path)]
    assert main(command) == 0
    assert "won after" in capsys.readouterr().out
    (record,) = read_records(path)
    assert record.header["players"] == {"0": "person", "1": "greedy"}


# -- pictures -------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", [2, 3, 4])
def test_pictures_of_any_position(players: int) -> None:
    for number, game in enumerate(random_positions(players, seed=90 + players, count=60)):
        view = game.view()
        root = ElementTree.fromstring(svg(view))
        parts = {e.get("data-part") for e in root.iter()}
        assert {f"base-{seat}" for seat in view.seats} <= parts
        assert {f"die-{die}" for die in view.dice} <= parts
        pawns = sum(1 for p in parts if p and p[-1].isdigit() and p.split("-")[0] in _PAWN_PLACES)
        homes = len([p for p in parts if p and p.startswith("home-") and p.count("-") == 1])
        assert pawns - homes == 16, "every pawn is drawn once"
        lines = ansi(view, colour=False).split("\n")
        assert len(lines) == 14 and max(map(len, lines)) <= 79
        assert sum(line.count("(") for line in lines) == 16 and ansi(view).isascii()
        if number % 30 == 0:
            pixels = rgb(view, size=64)
            assert pixels.shape == (64, 64, 3) and pixels.dtype == np.uint8
            assert (pixels == rgb(view, size=64)).all()


_PAWN_PLACES = ("home", "waiting", "pool")


def test_the_last_move_is_told() -> None:
    game = at(f"{MIDDLE} 0 1=W,2=r -")
    move = notation.parse_move(game, "1:W:r<1")
    game.play(move)
    assert "last: 1:W:r&lt;1" in svg(game.view(), last_move=move)
    assert (rgb(game.view(), size=200) != rgb(game.view(), size=200, last_move=move)).any()
    with pytest.raises(RequestError):
        svg(game.view(), size=3)
