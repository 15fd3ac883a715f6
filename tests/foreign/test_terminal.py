"""Text of strangers reaches a terminal without anything that a terminal would obey."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path

import pytest

from sorry_env.cli import main
from sorry_env.server.session import Session
from sorry_env.server.stdio import serve
from sorry_env.terminal import terminal_text
from tests.foreign.test_readers import record_text

#: A window's title, a cursor's move, a line turned round, a line end, a C1 control, a tag.
NASTY = "\x1b]0;owned\x07\x1b[2J\r\u202eabc\n\x9b31m\u2066\u200b\U000e0041"


def lines_of(text: str) -> list[str]:
    return text.split("\n")


def test_what_is_escaped() -> None:
    assert terminal_text(NASTY).isprintable()
    assert terminal_text("\x1b[2J\n\ud800") == "\\x1b[2J\\n\\ud800"
    assert terminal_text("é \U0001f600 learned:a/b.onnx") == "é \U0001f600 learned:a/b.onnx"
    assert terminal_text("a\nb\t\x1b", keep="\n") == "a\nb\\t\\x1b"


def nasty_record(folder: Path) -> str:
    """A right record whose players and id have names that a terminal would obey."""
    header, *rows = [json.loads(line) for line in record_text().splitlines()]
    header |= {"players": {"red": NASTY, "yellow": f"x{NASTY}"}, "id": NASTY}
    path = folder / "nasty.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in (header, *rows)))
    return str(path)


@pytest.mark.parametrize("options", [["--check"], [], ["--bot", "greedy"]])
def test_names_in_records(
    options: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["replay", nasty_record(tmp_path), *options]) == 0
    out, err = capsys.readouterr()
    assert "owned" in out
    assert all(line.isprintable() for line in lines_of(out + err))


@pytest.mark.parametrize(
    "arguments",
    [
        ["arena", NASTY, "random"],
        ["arena", "random", "random", "--reward", NASTY],
        ["show", NASTY],
        ["show", f"classic {NASTY}"],
        ["play", "--ruleset", NASTY],
        ["record", "--player", f"learned:{NASTY}"],
        ["record", "--ruleset", f"classic?pawns={NASTY}"],
        ["replay", NASTY],
        ["solve", NASTY],
        ["perft", "--position", f"{NASTY} - - -"],
        ["league", f"process:sh -c \"printf '{NASTY}' >&2\"", "random", "--games", "2"],
        ["arena", "process:printf '\\033[2J\\n'", "random", "--games", "2"],
    ],
)
def test_errors_of_the_command_line(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == 2
    out, err = capsys.readouterr()
    assert err.startswith("sorry: ") and err.endswith("\n") and err.count("\n") == 1
    assert err.removesuffix("\n").isprintable() and not out


def test_errors_of_the_trainer(capsys: pytest.CaptureFixture[str]) -> None:
    from sorry_training.__main__ import main as train

    assert train(["ppo", f"{NASTY}.yaml"]) == 2
    assert capsys.readouterr().err.removesuffix("\n").isprintable()


# -- blank lines: ignored at the end, an error anywhere else --------------------------

POSITION = "classic rS,rS,rS,rS/-/yS,yS,yS,yS/- r move 1 4.4.4.4.4.4.4.4.4.4.4 - -"
HELLO = b'{"id":1,"type":"hello"}'


def legal(text: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> int:
    """How many lines `sorry legal` answers."""
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
    main(["legal"])
    return capsys.readouterr().out.count("\n")


@pytest.mark.parametrize("end", ["", "\n", "\n\n\n", "\n \t\n", "\r\n\r\n"])
def test_blank_lines_at_the_end(
    end: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    whole = record_text().rstrip(b"\n")
    path = tmp_path / "games.jsonl"
    path.write_bytes(whole + end.encode())
    assert main(["replay", "--check", str(path)]) == 0
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(whole + end.encode())))
    assert main(["replay", "--check", "-"]) == 0
    capsys.readouterr()
    assert legal(POSITION + end, monkeypatch, capsys) == 1
    pieces = [HELLO + end.encode()]
    answers: list[str] = []
    serve(Session("random"), lambda _: pieces.pop() if pieces else b"", answers.append)
    assert len(answers) == 1


def test_blank_lines_elsewhere_are_errors(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    first, rest = record_text().split(b"\n", 1)
    path = tmp_path / "games.jsonl"
    path.write_bytes(first + b"\n\n" + rest)
    assert main(["replay", "--check", str(path)]) == 2
    assert "line 2: it is not JSON" in capsys.readouterr().err
    assert legal(f"{POSITION}\n\n{POSITION}\n", monkeypatch, capsys) == 3
    pieces = [HELLO + b"\n\n" + HELLO + b"\n"]
    answers: list[str] = []
    serve(Session("random"), lambda _: pieces.pop() if pieces else b"", answers.append)
    assert [json.loads(text)["type"] for text in answers] == ["hello", "error", "hello"]


def test_bytes_that_are_no_utf8_at_the_prompt(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    stdin = io.TextIOWrapper(io.BytesIO(b"\xff\xfe\nq\n"), encoding="utf-8", errors="strict")
    monkeypatch.setattr(sys, "stdin", stdin)
    assert main(["play", "--seed", "3", "--ruleset", "duel-1", "--plain"]) == 0
    assert "move '\\udcff\\udcfe' is not legal" in capsys.readouterr().out


def test_a_name_with_a_line_separator_stays_in_its_line(tmp_path: Path) -> None:
    from sorry_env.notation import read_records

    text = record_text().decode().replace('"red":"random"', '"red":"a\u2028b\x85"', 1)
    path = tmp_path / "games.jsonl"
    path.write_text(text, encoding="utf-8")
    (record,) = read_records(path)
    assert record.header["players"]["red"] == "a\u2028b\x85"
    assert "".join(f"{line}\n" for line in record.lines()) == text


@pytest.mark.parametrize("arguments", [["show", "--\x1b[31mfoo"], ["\x9b1m"], ["arena", "--x\x07"]])
def test_arguments_are_echoed_safely(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        main(arguments)
    error = capsys.readouterr().err
    assert all(c.isprintable() or c == "\n" for c in error)
