"""`sorry legal`, `apply`, `show` and `perft`, as a shell user meets them."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from pathlib import Path

import pytest

from sorry_env.cli import main

FIRST = "classic rS,rS,rS,rS/-/yS,yS,yS,yS/- r move 7 5.4.4.4.4.3.4.4.4.4.4 - -"
ONE = "classic rS,rS,rS,rS/-/yS,yS,yS,yS/- r move 1 4.4.4.4.4.4.4.4.4.4.4 - -"


def feed(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))


def test_legal_answers_line_by_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    feed(monkeypatch, f"{FIRST}\n{ONE}\n")
    assert main(["legal"]) == 0
    assert capsys.readouterr().out == '["pass"]\n["1:rS-4"]\n'


def test_a_bad_line_is_answered_in_its_place_and_the_rest_goes_on(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    feed(monkeypatch, f"{ONE}\nnonsense\n\n{FIRST}\nklassik - r\n")
    assert main(["legal"]) == 1
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert lines[0] == ["1:rS-4"]
    assert lines[3] == ["pass"]
    for bad in (1, 2, 4):
        assert lines[bad]["error"]["code"] == "bad_position"
        assert lines[bad]["error"]["message"]


def test_bytes_that_are_no_text_spoil_only_their_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    raw = b"\xff\xfe\x00\n" + FIRST.encode() + b"\n"
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(raw)))
    assert main(["legal"]) == 1
    bad, good = capsys.readouterr().out.splitlines()
    assert json.loads(bad)["error"]["code"] == "bad_position"
    assert good == '["pass"]'


def test_apply_gives_the_position_that_waits_for_its_draw(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    # By hand: Red comes out to square 4, the 1 is spent, Yellow is to draw.
    feed(monkeypatch, f"{ONE}\t1:rS-4\n{ONE}\t1:rS-5\n{ONE}\n")
    assert main(["apply"]) == 1
    good, illegal, no_move = capsys.readouterr().out.splitlines()
    assert good == "classic 4,rS,rS,rS/-/yS,yS,yS,yS/- y move ? 4.4.4.4.4.4.4.4.4.4.4 - -"
    assert json.loads(illegal)["error"]["code"] == "illegal_move"
    assert "1:rS-5" in json.loads(illegal)["error"]["message"]
    assert json.loads(no_move)["error"]["code"] == "bad_request"


def test_files_serve_as_well_as_standard_input(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "positions.txt"
    path.write_text(FIRST + "\n")
    assert main(["legal", str(path)]) == 0
    assert capsys.readouterr().out == '["pass"]\n'
    assert main(["legal", str(tmp_path / "none.txt")]) == 2
    assert "none.txt" in capsys.readouterr().err


def test_perft_prints_the_counts_worked_by_hand(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["--ruleset", "classic", "--seats", "red,blue,yellow,green", "--depth", "2"]
    assert main(["perft", *arguments]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "depth 1  moves 11  forced passes 4/5",
        "depth 2  moves 122  forced passes 359/495",
    ]


def test_perft_divided_adds_up(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["perft", "--seats", "4", "--depth", "2", "--divide"]) == 0
    lines = capsys.readouterr().out.splitlines()
    rows = [line.split() for line in lines[2:]]
    assert sum(int(count) for _, _, count in rows) == 122
    # A 2 gives Red another card with a pawn on its circle, where 1, 2 and nine others can move:
    # 1 and 2 also move the pawn on the board but cannot bring out a second one. 11 cards, of
    # which 4 and 10 add the way back: 1, 2, 3, 4, 5, 7, 8, 11, 12 once, 10 twice, S passes.
    assert ["2", "2:rS-4", "12"] in rows


def test_derived_rulesets_work_where_a_name_does(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["perft", "--ruleset", "classic?pawns=1&play_out=true", "--depth", "1"]) == 0
    assert "moves 11" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["perft", "--ruleset", "klassik"], "klassik"),
        (["perft", "--ruleset", "classic?pawns=9"], "pawns=9"),
        (["perft", "--seats", "red,red"], "twice"),
        (["perft", "--seats", "5"], "5"),
        (["perft", "--seats", "mauve"], "mauve"),
        (["perft", "--first", "green"], "green"),
        (["show", "nonsense"], "nonsense"),
        (["show", "--svg", "/no/such/folder/board.svg"], "board.svg"),
    ],
)
def test_bad_options_are_one_line_of_words(
    arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith("sorry: ")
    assert said in captured.err
    assert "Traceback" not in captured.err


def test_show_draws_the_board_and_writes_pictures(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["show", ONE, "--plain"]) == 0
    out = capsys.readouterr().out
    assert "Red to play" in out
    assert ONE in out
    assert "1:rS-4" in out
    svg, png = tmp_path / "board.svg", tmp_path / "board.png"
    assert main(["show", ONE, "--svg", str(svg), "--png", str(png), "--size", "200"]) == 0
    assert svg.read_text().startswith("<svg")
    assert png.read_bytes().startswith(b"\x89PNG")


def test_the_installed_command_runs_and_helps() -> None:
    script = Path(sys.executable).parent / "sorry"
    done = subprocess.run([script, "--help"], capture_output=True, text=True, check=True)
    for command in ("play", "show", "record", "replay", "perft", "arena", "legal", "apply"):
        assert command in done.stdout
    piped = subprocess.run(
        [script, "legal"], input=FIRST + "\n", capture_output=True, text=True, check=True
    )
    assert piped.stdout == '["pass"]\n'
    assert piped.stderr == ""
