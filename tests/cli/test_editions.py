"""Every edition on the command line: records agree with the reference line by line.

The reference reads each position by itself, so an error that the record and the engine share shows.
"""

from __future__ import annotations

import io
import json
import sys
from collections import Counter
from typing import Any

import pytest

from sorry_env.cli import main
from sorry_env.notation import read_records
from sorry_env.rules import get_ruleset
from tests.cases import PUBLISHED, case_id
from tests.reference import ReferenceGame

MORE = (("not-sorry?answers=player", 3), ("teams?hand=5", 4), ("points?hand=2&pawns=2", 2))
SPECIAL = ("points", "points?teams=four", "fire-and-ice", "not-sorry", "bump-em", "way-sorry")
#: Decisions compared in each game; the rest of it is checked by `sorry replay` alone.
COMPARED = 60


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> list[str]:
    assert main(list(arguments)) == 0
    return capsys.readouterr().out.splitlines()


def recorded(capsys: pytest.CaptureFixture[str], case: tuple[str, int]) -> list[dict[str, Any]]:
    name, seats = case
    setup = ("--ruleset", name, "--seats", str(seats), "--seed", "5", "--max-plies", "400")
    lines = run(capsys, "record", *setup, "--legal")
    assert len(list(read_records(lines))) == 1
    return [json.loads(line) for line in lines]


def follows(reference: ReferenceGame, position: str) -> bool:
    """Whether a position is what a game is, or what chance makes of it."""
    if not (reference.waiting or reference.text().split(" ")[3] == "answer"):
        return reference.text() == position
    try:
        draws = reference.draws()
    except ValueError:  # the one asked answers; there is no chance in it
        return reference.text() == position
    return any(reference.draw(card).text() == position for card in draws)


@pytest.mark.parametrize("case", [*PUBLISHED, *MORE], ids=case_id)
def test_records_agree_with_the_reference(
    case: tuple[str, int], capsys: pytest.CaptureFixture[str]
) -> None:
    header, *moves, end = recorded(capsys, case)
    assert header["ruleset"] == case[0]
    for row, after in zip(moves[:COMPARED], [*moves[1:], end], strict=False):
        reference = ReferenceGame.from_text(row["position"])
        assert row["legal"] == reference.legal()
        assert row["move"] in row["legal"]
        assert follows(reference.apply(row["move"]), after["position"]), row
    last = ReferenceGame.from_text(end["position"])
    points = get_ruleset(case[0]).pawn_points > 0
    expected = last.outcome("points" if points else "win")
    if case[0] == "solo":
        assert end["returns"] == {"red": 1.0}
    elif end["reason"] == "win":
        assert expected == pytest.approx(end["returns"], abs=1e-6)
    assert "reward" not in header


@pytest.mark.parametrize("name", SPECIAL)
def test_legal_and_apply_agree_with_the_record(
    name: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    _, *moves, end = recorded(capsys, (name, 4))
    for command, ending in (("legal", ""), ("apply", "\t{move}")):
        lines = [(row["position"] + ending).format(**row) for row in moves]
        text = io.TextIOWrapper(io.BytesIO("".join(f"{line}\n" for line in lines).encode()))
        monkeypatch.setattr(sys, "stdin", text)
        out = run(capsys, command)
        if command == "legal":
            assert [json.loads(line) for line in out] == [row["legal"] for row in moves]
        else:
            assert out[-1] == end["position"]
            for line, after in zip(out[:-1], moves[1:], strict=True):
                # Chance changes the card, the pile and what follows from the card, never a pawn.
                assert line.split(" ")[1] == after["position"].split(" ")[1]


def test_the_reward_is_named_where_it_is_not_the_usual_one(
    capsys: pytest.CaptureFixture[str],
) -> None:
    for name, reward, named in (
        ("points", "points", None),
        ("points", "win", "win"),
        ("classic?hand=5", "win", None),
        ("classic", "win", None),
    ):
        lines = run(capsys, "record", "--ruleset", name, "--reward", reward)
        header, end = json.loads(lines[0]), json.loads(lines[-1])
        assert header.get("reward") == named
        assert (sum(end["returns"].values()) == 0) == (reward == "win")
        assert len(list(read_records(lines))) == 1
    assert main(["record", "--reward", "points"]) == 2
    assert "needs a ruleset with scores" in capsys.readouterr().err


def test_a_hand_game_broken_off_ends_before_the_replacement(
    capsys: pytest.CaptureFixture[str],
) -> None:
    lines = run(capsys, "record", "--ruleset", "points", "--max-plies", "3")
    end = json.loads(lines[-1])
    _, _, turn, phase, card, _, hands, _ = end["position"].split(" ")
    assert (phase, card, end["reason"]) == ("move", "?", "truncated")
    assert Counter(len(h.split(".")) for h in hands.split("/") if h != "-") == {4: 1, 5: 1}
    assert turn in "ry"
    assert len(list(read_records(lines))) == 1


@pytest.mark.parametrize(
    ("name", "line"),
    [
        # By hand: six card kinds of the hand can move; nothing can be passed.
        ("points", "depth 1  moves 6  forced passes 0"),
        # 3 pawns in Start. Passes are forced by 4 and S: 8 of 45. The ice must go off, the Fire
        # cannot be taken: one move each for 1 and 2, and for 3 5 7 8 10 11 12.
        ("fire-and-ice", "depth 1  moves 11  forced passes 8/45"),
        # 11 cards as in classic, and the question whom there is one to ask: 36 of 53 pass.
        ("not-sorry", "depth 1  moves 12  forced passes 36/53"),
        # 1, 12 and, with nobody on the track, no Bump: 44 of 52 pass.
        ("bump-em", "depth 1  moves 13  forced passes 11/13"),
    ],
)
def test_perft_of_the_first_ply_worked_by_hand(
    name: str, line: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(capsys, "perft", "--ruleset", name, "--depth", "1") == [line]


def test_perft_divided_shows_the_moves_of_a_hand(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ("perft", "--ruleset", "points", "--depth", "2", "--seed")
    first = run(capsys, *arguments, "0", "--divide")
    rows = [line.split() for line in first[2:]]
    assert sum(int(count) for _, _, count in rows) == int(first[1].split()[3])
    assert run(capsys, *arguments, "1") != first[:2], "another deal"


def test_a_bot_answers_for_the_seat_that_is_asked(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ("--ruleset", "not-sorry?answers=player", "--seats", "4", "--player", "greedy")
    rows = [json.loads(line) for line in run(capsys, "record", *arguments)]
    answers = [row for row in rows if row["type"] == "move" and " answer " in row["position"]]
    assert answers and all(row["position"].split(" ")[2][1] == ">" for row in answers)
    assert {row["move"] for row in answers} <= {"answer:yes", "answer:no"}


def test_arena_shows_points_and_plays_rounds(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ("arena", "greedy", "random", "--ruleset", "points", "--games", "10")
    table = run(capsys, *arguments, "--reward", "points", "--target-score", "100")
    assert "each to 100 points in" in table[0]
    assert "points" in table[2].split()
    found = json.loads("\n".join(run(capsys, *arguments, "--reward", "points", "--json")))
    assert found["reward"] == "points" and found["target_score"] is None
    assert found["bots"][0]["mean_return"] > found["bots"][1]["mean_return"] >= 0


def test_show_hides_what_a_colour_cannot_see(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ("show", "--ruleset", "points", "--seats", "red,blue", "--plain")
    every = run(capsys, *arguments)
    assert "?" not in every[-2]
    red = run(capsys, *arguments, "--view", "red")
    assert red[-2].split(" ")[6].split("/")[1:] == ["?", "-", "-"]
    assert red[-1] == every[-1]
    blue = run(capsys, *arguments, "--view", "blue")
    assert blue[-2].split(" ")[6].startswith("?/")
    assert blue[-1] == "legal: -", "what Red may do depends on its hand"
    assert main(["show", "--ruleset", "points", "--view", "green"]) == 2
