"""Records write, read and replay; a record that claims anything false is refused with its line."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from sorry_env.errors import RecordError
from sorry_env.game import Game
from sorry_env.notation import Recorder, parse_move, read_records, write, write_record

Rows = list[dict[str, Any]]

# A game of two decisions worked by hand. Red draws a 1 and comes out; Yellow draws a Sorry! and
# takes the pawn on square 4, which is a circle and no triangle: nobody slides.
GAME: Rows = [
    {
        "type": "game", "format": 1, "ruleset": "duel-1", "seats": ["red", "yellow"], "seed": 7,
        "players": {"red": "random", "yellow": "greedy"}, "id": "by-hand",
    },
    {
        "type": "move", "ply": 0, "position": "duel-1 rS/-/yS/- r move 1 * - -", "move": "1:rS-4",
        "legal": ["1:rS-4"],
    },
    {
        "type": "move", "ply": 1, "position": "duel-1 4/-/yS/- y move S * - -", "move": "S:ySx4",
        "legal": ["S:ySx4"],
    },
    {
        "type": "end", "position": "duel-1 rS/-/4/- r move ? * - -",
        "returns": {"red": 0.0, "yellow": 0.0}, "plies": 2, "reason": "truncated",
    },
]  # fmt: skip

# The last decision of a won game, by hand: Red steps from safety square 5 Home.
WON: Rows = [
    {**GAME[0], "id": "won"},
    {
        "type": "move", "ply": 0, "position": "duel-1 r5/-/yS/- r move 1 * - -", "move": "1:r5-rH",
    },
    {
        "type": "end", "position": "duel-1 rH/-/yS/- r over - * - winner=r",
        "returns": {"red": 1.0, "yellow": -1.0}, "plies": 1, "reason": "win",
    },
]  # fmt: skip


def lines(rows: Rows) -> list[str]:
    return [json.dumps(row) for row in rows]


def changed(rows: Rows, line: int, **changes: Any) -> list[str]:
    """The rows with one line changed; a value of ... takes the key away."""
    copy = [dict(row) for row in rows]
    for key, value in changes.items():
        if value is ...:
            del copy[line - 1][key]
        else:
            copy[line - 1][key] = value
    return lines(copy)


def test_hand_made_records_are_read() -> None:
    first, second = read_records(lines(GAME + WON))
    assert first.header["id"] == "by-hand"
    assert [row["move"] for row in first.moves] == ["1:rS-4", "S:ySx4"]
    assert second.end["returns"] == {"red": 1.0, "yellow": -1.0}
    assert [write(game) for game in second.games()] == [
        WON[1]["position"],
        WON[2]["position"],
    ]


def test_what_is_written_is_read_back_and_the_same() -> None:
    game = Game("classic", "red,yellow", seed=11)
    recorder = Recorder(game, {"red": "a", "yellow": "b"}, seed=11, name="é", legal=True)
    while not game.over:
        move = game.legal_moves()[-1]
        recorder.decision(move)
        game.play(move)
    record = recorder.finish()
    out = io.StringIO()
    write_record(record, out)
    (again,) = read_records(out.getvalue().splitlines())
    assert list(again.lines()) == list(record.lines())
    assert again.end["plies"] == game.plies


def test_a_recorder_closes_a_game_only_as_it_is() -> None:
    game = Game("duel-1", seed=1)
    recorder = Recorder(game, {"red": "a", "yellow": "b"}, seed=1, name="x")
    for reason in (None, "win", "bored"):
        with pytest.raises(RecordError, match=reason or "win"):
            recorder.finish(reason)
    assert recorder.finish("resigned").end["reason"] == "resigned"


def test_an_explicit_rank_reward_is_named_in_the_header() -> None:
    ruleset = "duel-1?play_out=true"
    game = Game(ruleset, seed=2)
    recorder = Recorder(game, {"red": "a", "yellow": "b"}, seed=2, name="x", reward="rank")
    while not game.over:
        move = game.legal_moves()[0]
        recorder.decision(move)
        game.play(move)
    record = recorder.finish()
    assert record.header["reward"] == "rank"
    assert sorted(record.end["returns"].values()) == [-1.0, 1.0]
    assert len(list(read_records(record.lines()))) == 1


BAD: dict[str, tuple[Callable[[], list[str]], int, str]] = {
    "not JSON": (lambda: ["{"], 1, "JSON"),
    "no object": (lambda: ["[1]"], 1, "type"),
    "a bare word": (lambda: ["null"], 1, "type"),
    "empty line": (lambda: ["", *lines(GAME)], 1, "JSON"),
    "deep nesting": (lambda: ["[" * 100_000], 1, "JSON"),
    "unknown type": (lambda: changed(GAME, 1, type="games"), 1, "games"),
    "type is a list": (lambda: changed(GAME, 1, type=["game"]), 1, "type"),
    "no type": (lambda: changed(GAME, 2, type=...), 2, "type"),
    "a move first": (lambda: lines(GAME[1:]), 1, "before any game"),
    "an end first": (lambda: lines(GAME[3:]), 1, "before any game"),
    "a game in a game": (lambda: lines([GAME[0], GAME[0]]), 2, "before the end"),
    "no end": (lambda: lines(GAME[:-1]), 3, "no end line"),
    "format 2": (lambda: changed(GAME, 1, format=2), 1, "format 2"),
    "format true": (lambda: changed(GAME, 1, format=True), 1, "format True"),
    "format missing": (lambda: changed(GAME, 1, format=...), 1, "format"),
    "extra key": (lambda: changed(GAME, 1, colour="red"), 1, "colour"),
    "unknown ruleset": (lambda: changed(GAME, 1, ruleset="duel-9"), 1, "duel-9"),
    "ruleset no text": (lambda: changed(GAME, 1, ruleset=["duel-1"]), 1, "duel-1"),
    "seats no list": (lambda: changed(GAME, 1, seats="red"), 1, "seats"),
    "seats of ints": (lambda: changed(GAME, 1, seats=[0, 2]), 1, "seats"),
    "seat unknown": (lambda: changed(GAME, 1, seats=["red", "mauve"]), 1, "mauve"),
    "seats out of order": (lambda: changed(GAME, 1, seats=["yellow", "red"]), 1, "order"),
    "too many seats": (lambda: changed(GAME, 1, seats=["red", "blue", "yellow"]), 1, "3"),
    "players missing": (lambda: changed(GAME, 1, players={"red": "a"}), 1, "players"),
    "players of others": (lambda: changed(GAME, 1, players={"red": "a", "blue": "b"}), 1, "blue"),
    "players no object": (lambda: changed(GAME, 1, players=["a", "b"]), 1, "players"),
    "seed no int": (lambda: changed(GAME, 1, seed=1.5), 1, "1.5"),
    "id no text": (lambda: changed(GAME, 1, id=7), 1, "id"),
    "reward unknown": (lambda: changed(GAME, 1, reward="money"), 1, "money"),
    "reward no text": (lambda: changed(GAME, 1, reward=["win"]), 1, "reward"),
    "reward not offered": (lambda: changed(GAME, 1, reward="rank"), 1, "rank"),
    "wrong ply": (lambda: changed(GAME, 3, ply=2), 3, "ply 2"),
    "ply false": (lambda: changed(GAME, 2, ply=False), 2, "ply False"),
    "illegal move": (lambda: changed(GAME, 2, move="1:rS-5"), 2, "1:rS-5"),
    "move of another": (lambda: changed(GAME, 3, move="S:rSx4"), 3, "S:rSx4"),
    "move no text": (lambda: changed(GAME, 2, move=3), 2, "3"),
    "bad position": (lambda: changed(GAME, 2, position="duel-1 rS"), 2, "eight fields"),
    "position no text": (lambda: changed(GAME, 2, position=None), 2, "position"),
    "other ruleset": (
        lambda: changed(GAME, 2, position="duel-2 rS,rS/-/yS,yS/- r move 1 * - -"), 2, "duel-2",
    ),
    "other seats": (
        lambda: changed(GAME, 2, position="duel-1 rS/bS/-/- r move 1 * - -"), 2, "seats",
    ),
    "does not follow": (
        lambda: changed(GAME, 3, position="duel-1 5/-/yS/- y move S * - -"), 3, "does not follow",
    ),
    "turn not passed": (
        lambda: changed(GAME, 3, position="duel-1 4/-/yS/- r move S * - -"), 3, "does not follow",
    ),
    "no card drawn": (
        lambda: changed(GAME, 3, position="duel-1 4/-/yS/- y move ? * - -"), 3, "no card",
    ),
    "first position waits": (
        lambda: changed(GAME, 2, position="duel-1 rS/-/yS/- r move ? * - -"), 2, "card",
    ),
    "wrong legal": (lambda: changed(GAME, 2, legal=["pass"]), 2, "legal"),
    "end does not follow": (
        lambda: changed(GAME, 4, position="duel-1 4/-/yS/- r move ? * - -"), 4, "does not follow",
    ),
    "wrong plies": (lambda: changed(GAME, 4, plies=3), 4, "plies 3"),
    "reason of another end": (lambda: changed(GAME, 4, reason="win"), 4, "reason"),
    "unknown reason": (lambda: changed(GAME, 4, reason="bored"), 4, "bored"),
    "a win called truncated": (lambda: changed(WON, 3, reason="truncated"), 3, "reason"),
    "wrong returns": (lambda: changed(WON, 3, returns={"red": -1.0, "yellow": 1.0}), 3, "returns"),
    "returns for one": (lambda: changed(WON, 3, returns={"red": 1.0}), 3, "returns"),
    "a move after the win": (
        lambda: lines([*WON[:2], {**WON[1], "ply": 1}, WON[2]]), 3, "no card to play",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", BAD)
def test_bad_records_are_refused_with_line_and_reason(name: str) -> None:
    make, line, said = BAD[name]
    with pytest.raises(RecordError) as caught:
        list(read_records(make(), name="games.jsonl"))
    assert caught.value.message.startswith(f"games.jsonl, line {line}: ")
    assert said in caught.value.message


def test_games_before_a_bad_one_are_given_out() -> None:
    reader = read_records(lines(WON) + changed(GAME, 2, move="pass"))
    assert next(reader).header["id"] == "won"
    with pytest.raises(RecordError, match="line 5"):
        next(reader)


def test_files_that_cannot_be_read_are_named(tmp_path: Path) -> None:
    missing = tmp_path / "none.jsonl"
    with pytest.raises(RecordError, match=r"none\.jsonl"):
        list(read_records(missing))
    binary = tmp_path / "binary.jsonl"
    binary.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(RecordError, match=r"binary\.jsonl"):
        list(read_records(binary))


def test_parse_move_leaves_the_game_alone() -> None:
    game = Game("classic", seed=3)
    before = game.state.tobytes()
    with pytest.raises(ValueError, match="is not legal"):
        parse_move(game, "5:0-5")
    assert game.state.tobytes() == before


def test_a_game_that_was_given_up_has_the_returns_that_its_players_agreed_on() -> None:
    """The position says of them nothing; of a game that was only broken off they are its own."""
    returns = {"red": 1.0, "yellow": -1.0}
    (record,) = read_records(changed(GAME, 4, reason="resigned", returns=returns))
    assert record.end["returns"] == returns
    with pytest.raises(RecordError, match="returns"):
        list(read_records(changed(GAME, 4, returns=returns)))


def test_nothing_is_played_after_the_end() -> None:
    after = [*WON[:2], {**WON[1], "ply": 1, "position": WON[2]["position"]}, WON[2]]
    with pytest.raises(RecordError, match=r"line 3: .* has no card to play"):
        list(read_records(lines(after)))


@pytest.mark.parametrize(
    ("ruleset", "reward", "said"),
    [
        ("points", None, None),
        ("points", "points", None),
        ("points", "win", "win"),
        ("classic", None, None),
        ("classic", "win", None),
        ("classic?play_out=true", "rank", "rank"),
    ],
)
def test_a_header_names_the_reward_unless_it_is_the_usual_one(
    ruleset: str, reward: str | None, said: str | None
) -> None:
    """Of cards that are held and counted the usual reward is `points` (FORMATS)."""
    game = Game(ruleset, 2, seed=1)
    recorder = Recorder(game, {"red": "a", "yellow": "b"}, seed=1, name="x", reward=reward)
    assert recorder.record.header.get("reward") == said


def test_no_return_is_minus_zero() -> None:
    """In JSON it would be -0.0, and another text than 0.0."""
    game = Game("duel-1", seed=1)
    recorder = Recorder(game, {"red": "a", "yellow": "b"}, seed=1, name="x")
    game.returns = lambda reward="win": (-0.0,) * 4  # type: ignore[method-assign]
    assert '"returns":{"red":0.0,"yellow":0.0}' in list(recorder.finish("truncated").lines())[-1]
