"""What commands do when their output cannot be written, and on which terminals they use colours."""

from __future__ import annotations

import argparse
import io
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from sorry_env.cli import arena, build_parser, main, running, terminal
from sorry_env.cli.play import MOST_LETTERS
from sorry_env.errors import RequestError
from sorry_env.notation import read_records

SMALL = ("--ruleset", "duel-1")


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The record of a small game whose player has a name that is not ASCII."""
    path = tmp_path_factory.mktemp("output") / "game.jsonl"
    with path.open("wb") as file:
        stdout = io.TextIOWrapper(file, encoding="utf-8")
        before, sys.stdout = sys.stdout, stdout
        try:
            assert main(["record", *SMALL]) == 0
        finally:
            sys.stdout = before
        stdout.detach()
    path.write_bytes(path.read_bytes().replace(b'"random"', '"Zoë"'.encode()))
    return path


#: A line of each command that prints, in the fewest steps; {game} is a file of a record.
COMMANDS = {
    "record": ["record", *SMALL],
    "replay": ["replay", "{game}"],
    "arena": ["arena", "random", "random", *SMALL, "--games", "4"],
    "league": ["league", "random", "greedy", *SMALL, "--games", "40"],
    "legal": ["legal", "{positions}"],
    "apply": ["apply", "{positions}"],
    "show": ["show", *SMALL],
    "perft": ["perft", *SMALL, "--depth", "1"],
    "bench": ["bench", *SMALL, "--seconds", "0.05", "--batch", "8"],
    "solve": ["solve", "duel-1", "--quiet"],  # compiling may take long enough for a word on it
    "play": ["play", *SMALL, "--seed", "1"],
    "bot": ["bot", "random", "--stdio"],
}
WAYS = sorted(COMMANDS)


def test_every_command_is_tried() -> None:
    (commands,) = [
        action for action in build_parser()._actions
        if isinstance(action, argparse._SubParsersAction)
    ]  # fmt: skip
    assert set(commands.choices) == {*COMMANDS, "serve"}  # `serve` goes on, see below


@pytest.fixture
def words(game: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """The words of a command, and what it reads."""
    positions = tmp_path / "positions.txt"
    positions.write_text("no position\n", encoding="utf-8")

    def of(name: str) -> list[str]:
        stdin = io.TextIOWrapper(io.BytesIO(b'{"type": "hello"}\n'), encoding="utf-8")
        monkeypatch.setattr(sys, "stdin", stdin)
        return [word.format(game=game, positions=positions) for word in COMMANDS[name]]

    return of


@pytest.mark.parametrize("name", WAYS)
def test_a_full_disk_is_told_in_words(
    name: str, words: Any, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with Path("/dev/full").open("w") as full:
        monkeypatch.setattr(sys, "stdout", full)
        assert main(words(name)) == 2
        assert full.fileno()
    assert capsys.readouterr().err == "sorry: standard output: No space left on device\n"


@pytest.mark.parametrize("name", WAYS)
def test_a_closed_output_is_told_in_words(
    name: str, words: Any, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stdout", None)
    assert main(words(name)) == 2
    assert capsys.readouterr().err == "sorry: standard output: it is closed\n"


@pytest.mark.parametrize("name", WAYS)
def test_a_reader_who_goes_away_is_no_error(
    name: str, words: Any, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    read, write = os.pipe()
    os.close(read)
    with os.fdopen(write, "w") as pipe:
        monkeypatch.setattr(sys, "stdout", pipe)
        assert main(words(name)) == 0
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize("name", WAYS)
def test_a_terminal_of_few_characters(
    name: str, words: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Under LC_ALL=C or PYTHONIOENCODING=ascii; what programs read stays UTF-8."""
    out = io.BytesIO()
    stdout = io.TextIOWrapper(out, encoding="ascii", errors="strict")
    monkeypatch.setattr(sys, "stdout", stdout)
    status = main(words(name))
    stdout.flush()
    assert status == (1 if name in ("legal", "apply") else 0)
    assert out.getvalue().decode("ascii")
    if name == "replay":
        assert b"red: Zo\\xeb" in out.getvalue()


def test_records_are_utf8_everywhere(game: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    out = io.BytesIO()
    stdout = io.TextIOWrapper(out, encoding="ascii")
    monkeypatch.setattr(sys, "stdout", stdout)
    running.use_utf8()
    for record in read_records(game):
        print(*record.lines(), sep="\n")
    stdout.flush()
    assert out.getvalue() == game.read_bytes()


@pytest.mark.parametrize("word", ["--help", "--version"])
def test_help_that_cannot_be_written(
    word: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with Path("/dev/full").open("w") as full:
        monkeypatch.setattr(sys, "stdout", full)
        assert main([word]) == 2
    assert "standard output: No space left" in capsys.readouterr().err


def test_python_has_nothing_to_add_at_its_end(game: Path) -> None:
    """The whole program, since the interpreter writes what is left when it ends."""
    code = "import sys; from sorry_env.cli import main; sys.exit(main())"
    command = f"'{sys.executable}' -c '{code}' replay --check '{game}'"
    done = subprocess.run(
        f"{command} > /dev/full; echo $?; {command} >&-; echo $?; {command} >&- 2>&-; echo $?;"
        f"{command} 2> /dev/full > /dev/full; echo $?",
        shell=True, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert done.stdout.split() == ["2"] * 4
    assert done.stderr.splitlines() == [
        "sorry: standard output: No space left on device", "sorry: standard output: it is closed",
    ]  # fmt: skip


def test_a_server_tells_its_address_elsewhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from sorry_env.web import serve as web

    monkeypatch.setattr(web, "serve", lambda settings, host, port, ready: ready("http://here"))
    with Path("/dev/full").open("w") as full:
        monkeypatch.setattr(sys, "stdout", full)
        # The server has run, and at its end the output still cannot be written.
        assert main(["serve", "--no-browser", "--db", str(tmp_path / "games.db")]) == 2
    assert "serving on http://here" in capsys.readouterr().err


# -- destinations -------------------------------------------------------------------------------

#: Commands that write files, by the option that names one.
FILES = {
    "show --svg": ["show"], "show --png": ["show"], "replay --svg": ["replay", "{game}"],
    "replay --gif": ["replay", "{game}"], "replay --html": ["replay", "{game}"],
    "play --record": ["play"], "solve --out": ["solve", "duel-2"],
}  # fmt: skip
FOLDERS = {
    "arena --out": ["arena", "random", "random"], "league --out": ["league", "random", "greedy"],
}  # fmt: skip


def test_every_destination_is_tried() -> None:
    """Options with a metavar of a file or folder to write; `--db` and `--bots` are read."""
    (commands,) = [
        action for action in build_parser()._actions
        if isinstance(action, argparse._SubParsersAction)
    ]  # fmt: skip
    found = {
        f"{name} {option}"
        for name, parser in commands.choices.items()
        for action in parser._actions
        for option in action.option_strings
        if option in ("--out", "--svg", "--png", "--gif", "--html", "--record")
    }
    assert found == {*FILES, *FOLDERS}


@pytest.fixture
def no_work(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let work that begins be an error."""

    def begun(*_: object, **__: object) -> None:
        raise AssertionError("the work has begun")

    for name in ("sorry_env.arena.play_match", "sorry_env.arena.play_league",
                 "sorry_env.solve.graph.build_graph", "sorry_env.replay.story.tell",
                 "builtins.input"):  # fmt: skip
        monkeypatch.setattr(name, begun)


@pytest.mark.usefixtures("no_work")
@pytest.mark.parametrize("way", [*FILES, *FOLDERS])
def test_destinations_are_tried_before_the_work(
    way: str, game: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").write_text("old")
    (tmp_path / "folder").mkdir()
    command = [word.format(game=game) for word in (FILES | FOLDERS)[way]]
    option = way.split()[1]
    bad = {"file/below": "Not a directory"}
    bad |= {"folder": "Is a directory"} if way in FILES else {"file": "Not a directory"}
    for name, reason in bad.items():
        path = tmp_path / name
        assert main([*command, option, str(path)]) == 2
        told = capsys.readouterr()
        assert option in told.err and str(tmp_path / "file") in told.err.replace("folder", "file")
        assert reason in told.err
        assert told.out == ""
    assert (tmp_path / "file").read_text() == "old"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["file", "folder"]


def test_what_fails_later_costs_nothing_else(
    game: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A disk that is full by then: the other files are written and the results printed."""
    from sorry_env.arena import export

    out = [f"--{kind}={tmp_path / kind}" for kind in ("svg", "html")]
    assert main(["replay", str(game), "--gif=/dev/full", *out, "--bot", "greedy"]) == 2
    told = capsys.readouterr()
    assert "sorry: /dev/full: No space left on device" in told.err
    assert "greedy" in told.out
    assert (tmp_path / "svg").stat().st_size and (tmp_path / "html").stat().st_size
    # A result whose files fail is printed; one that cannot be printed is in its files.
    folder = tmp_path / "result"
    command = ["arena", "random", "random", *SMALL, "--games", "4", "--out", str(folder)]
    with Path("/dev/full").open("w") as full, monkeypatch.context() as patch:
        patch.setattr(sys, "stdout", full)
        assert main(command) == 2
    assert json.loads((folder / "result.json").read_text())["games"] == 4
    capsys.readouterr()

    def write_file(path: Path, _: str) -> None:
        raise OSError(28, "No space left on device", str(path))

    monkeypatch.setattr(export, "write_file", write_file)
    assert main(command) == 2
    told = capsys.readouterr()
    assert "random" in told.out and "result.json: No space left on device" in told.err


def test_options_are_named_as_they_are_written() -> None:
    with pytest.raises(RequestError, match=r"--two-words /dev/null/x: cannot be written: Not a"):
        running.check_outputs(two_words="/dev/null/x", other=None)


def test_several_failures_are_all_told(capsys: pytest.CaptureFixture[str]) -> None:

    def try_both() -> None:
        with running.attempts() as attempt:
            for words in ("first", "second"):
                with attempt():
                    raise OSError(28, "No room", words)

    with pytest.raises(OSError, match="first"):
        try_both()
    assert capsys.readouterr().err == "second: No room\n"


# -- terminals ----------------------------------------------------------------------------------


class Terminal(io.StringIO):
    """A terminal."""

    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("environment", "terminal", "plain", "colours"),
    [
        ({}, True, False, True),
        ({}, False, False, False),
        ({"NO_COLOR": "1"}, True, False, False),
        ({"NO_COLOR": ""}, True, False, True),
        ({"TERM": "dumb"}, True, False, False),
        ({"FORCE_COLOR": "1"}, False, False, True),
        ({"FORCE_COLOR": "1", "TERM": "dumb"}, False, False, True),
        ({"FORCE_COLOR": "1", "NO_COLOR": "1"}, True, False, False),
        ({"FORCE_COLOR": "1"}, True, True, False),
    ],
)
@pytest.mark.parametrize("command", ["show", "play", "replay"])
def test_colours(
    command: str, environment: dict[str, str], terminal: bool, plain: bool, colours: bool,
    game: Path, monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    for name in ("NO_COLOR", "FORCE_COLOR", "TERM"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    out = Terminal() if terminal else io.StringIO()
    monkeypatch.setattr(sys, "stdout", out)
    monkeypatch.setattr(sys, "stdin", io.StringIO())
    monkeypatch.setattr("builtins.input", lambda prompt: "q")
    words = {"show": ["show"], "play": ["play", "--seed", "1"], "replay":
             ["replay", str(game), "--board"]}[command]  # fmt: skip
    if plain and command == "replay":
        words = ["show"]  # `replay` has no --plain
    assert main([*words, *(["--plain"] if plain else [])]) == 0
    assert ("\x1b[" in out.getvalue()) is colours


@pytest.mark.parametrize("dumb", [True, False])
@pytest.mark.parametrize("is_terminal", [True, False])
@pytest.mark.parametrize("quiet", [True, False])
def test_progress(
    dumb: bool, is_terminal: bool, quiet: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A line that is written over is for terminals; a log gets whole lines, and few of them."""
    from sorry_env.cli import solve

    err = Terminal() if is_terminal else io.StringIO()
    monkeypatch.setattr(sys, "stderr", err)
    monkeypatch.setenv("TERM", "dumb" if dumb else "xterm")
    clock = iter(range(0, 1000, 2))
    monkeypatch.setattr(solve.time, "monotonic", lambda: float(next(clock)))
    tell = solve._Teller(quiet)
    for _ in range(60):
        tell("some words")
    tell.end()
    told = err.getvalue()
    if quiet:
        assert told == ""
    elif is_terminal and not dumb:
        assert told.count("\r") == 60 and told.count("\n") == 1
    else:
        assert "\r" not in told and 1 <= told.count("\n") <= 2


@pytest.mark.parametrize("command", ["arena", "replay --svg", "solve"])
def test_quiet(
    command: str, game: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    from sorry_env.cli import solve

    words = {
        "arena": ["arena", "random", "random", *SMALL, "--games", "4", "--out", str(tmp_path)],
        "replay --svg": ["replay", str(game), "--svg", str(tmp_path / "x.svg")],
        "solve": ["solve", "duel-1"],
    }[command]
    monkeypatch.setattr(solve, "PATIENCE", -1.0)
    monkeypatch.setattr(solve, "LOG_PATIENCE", -1.0)
    assert main(words) == 0
    assert capsys.readouterr().err != ""
    assert main([*words, "--quiet"]) == 0
    assert capsys.readouterr().err == ""


def test_what_a_message_says_never_steers_the_terminal(
    capsys: pytest.CaptureFixture[str],
) -> None:
    terminal.say("bell \x07 red \x1b[31m back \r next\nline \udcff é")
    assert capsys.readouterr().err == "bell \\x07 red \\x1b[31m back \\r next\nline \\udcff é\n"


def test_nobody_can_be_told(monkeypatch: pytest.MonkeyPatch) -> None:
    class Full(io.StringIO):
        def write(self, text: str, /) -> int:
            raise OSError(28, "No space left on device")

    monkeypatch.setattr(sys, "stderr", Full())
    assert main(["show", "nonsense"]) == 2


# -- a person's answers -------------------------------------------------------------------------

ODD = ["²", "٣", "1_0", "+1", "0", "99", "9" * 30, "9" * 5000, "-1", "1.0", "\x00", "\x1b[31m",
       "x" * 100_000, "é", "\udcff", "1 2", "quit", "\\", "\x7f", "\u202e1"]  # fmt: skip


def answers(given: list[str | type[BaseException]], monkeypatch: pytest.MonkeyPatch) -> None:
    line: Iterator[Any] = iter(given)

    def answer(prompt: str) -> str:
        given = next(line)
        if isinstance(given, str):
            return given
        raise given

    monkeypatch.setattr("builtins.input", answer)


def test_every_odd_answer_is_answered_in_words(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    command = ["play", "--seed", "1", "--plain", "--ruleset", "points-1939"]
    answers(["q"], monkeypatch)
    assert main(command) == 0
    before = capsys.readouterr().out.splitlines()
    answers([*ODD, "q"], monkeypatch)
    assert main(command) == 0
    told = capsys.readouterr().out.splitlines()
    said = told[len(before) :]
    assert told[: len(before)] == before
    assert len(said) == len(ODD)
    for line in said:
        assert line.startswith("  ") and line.isprintable()
        assert len(line) < 3 * MOST_LETTERS


def test_an_interrupt_and_the_end_of_the_input(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    command = ["play", "--seed", "1", "--plain", "--ruleset", "points-1939"]
    answers([KeyboardInterrupt, "p", KeyboardInterrupt, "q"], monkeypatch)
    assert main(command) == 0
    assert capsys.readouterr().out.count("q leaves the game") == 2
    answers([KeyboardInterrupt, KeyboardInterrupt], monkeypatch)
    assert main(command) == 130
    answers([EOFError], monkeypatch)
    assert main(command) == 0


def test_bytes_that_are_no_text(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    stdin = io.TextIOWrapper(io.BytesIO(b"\xff\xfe\nq\n"), encoding="utf-8", errors="strict")
    monkeypatch.setattr(sys, "stdin", stdin)
    assert main(["play", "--seed", "1", "--plain", "--ruleset", "points-1939"]) == 0
    assert "\\udcff\\udcfe" in capsys.readouterr().out


def test_a_record_that_cannot_be_kept_is_printed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("builtins.input", lambda prompt: "1")
    assert main(["play", *SMALL, "--seed", "1", "--record", "/dev/full", "--plain"]) == 2
    told = capsys.readouterr()
    assert "sorry: /dev/full: No space left on device" in told.err
    lines = [line for line in told.out.splitlines() if line.startswith("{")]
    (record,) = read_records(lines)
    assert record.end["reason"] == "win"


@pytest.mark.parametrize("digits", ["²", "٣", "9" * 5000])
def test_digits_elsewhere_are_read_in_words(
    digits: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Siblings of the person's answer: every command line and text that holds a whole number."""
    from sorry_env.notation.squares import read_square
    from sorry_env.rules import get_ruleset
    from sorry_env.rules.seats import choose_seats

    with pytest.raises(ValueError, match=r"."):
        read_square(0, digits)
    with pytest.raises(ValueError, match=r"must be one of|are too many"):
        choose_seats(get_ruleset("classic"), digits)
    for words in (["show", "--seats", digits], ["arena", f"mcts:sims={digits}", "random"]):
        assert main(words) == 2
        assert capsys.readouterr().err.startswith("sorry: ")
    for words in (["serve", "--port", digits], ["perft", "--depth", digits + "x"]):
        with pytest.raises(SystemExit) as end:
            main(words)
        assert end.value.code == 2
        assert "must be" in capsys.readouterr().err


def test_a_match_checks_its_folder_first(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """`--out` that is a file was told after the games."""
    path = tmp_path / "there"
    path.touch()
    parsed = build_parser().parse_args(["arena", "random", "random", "--out", str(path)])
    with pytest.raises(RequestError, match="Not a directory"):
        arena._check_out(parsed)
