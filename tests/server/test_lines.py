"""Lines out of bytes, and a session over streams: nothing is lost, nothing piles up."""

from __future__ import annotations

import io
import json
import subprocess
import sys
import tracemalloc
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sorry_env.cli import main
from sorry_env.server.protocol import Lines
from sorry_env.server.session import Session
from sorry_env.server.stdio import serve
from tests.server.support import SORRY

ONE = "classic rS,rS,rS,rS/-/yS,yS,yS,yS/- r move 1 4.4.4.4.4.4.4.4.4.4.4 - -"
LEGAL = json.dumps({"id": 1, "type": "legal", "position": ONE}).encode()


@given(st.lists(st.binary(max_size=12), max_size=6), st.lists(st.integers(0, 80)), st.booleans())
def test_lines_do_not_depend_on_the_pieces(rows: list[bytes], cuts: list[int], ended: bool) -> None:
    rows = [row.replace(b"\n", b"") for row in rows]
    data = b"\n".join(rows) + (b"\n" if ended else b"")
    edges = sorted({0, len(data), *(cut for cut in cuts if cut < len(data))})
    lines = Lines(limit=6)
    found: list[bytes | None] = []
    for start, stop in pairwise(edges):
        found += lines.feed(data[start:stop])
    found += lines.end()
    whole = data.split(b"\n")
    if not whole[-1]:
        whole.pop()
    short = [line.removesuffix(b"\r") for line in whole]
    assert found == [line if len(line) <= 6 else None for line in short]


def test_of_a_line_that_is_too_long_nothing_is_kept() -> None:
    lines = Lines()
    piece = b"x" * 50_000
    tracemalloc.start()
    found = [line for _ in range(400) for line in lines.feed(piece)]  # 20 MB
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert found == [None]  # told once, and before its end
    assert peak < 500_000
    assert list(lines.feed(b"\nnext\n")) == [b"next"]


def test_a_session_over_streams_goes_on_after_anything() -> None:
    pieces = [LEGAL[:20], LEGAL[20:] + b"\r\n\xff\n\n", b"x" * 65536, b"x" * 65536 + b"\n", LEGAL]
    out: list[str] = []
    serve(Session("random"), lambda _: pieces.pop(0) if pieces else b"", out.append)
    assert all(text.endswith("\n") for text in out)
    answers = [json.loads(text) for text in out]
    assert [row.get("code") for row in answers] == [
        None, "bad_request", "bad_request", "too_large", None,
    ]  # fmt: skip
    assert answers[0] == answers[-1] == {"id": 1, "type": "legal", "moves": ["1:rS-4"]}


def test_the_command_answers_at_once_and_ends_with_its_input() -> None:
    command = [*SORRY, "bot", "greedy", "--stdio", "--seed", "1"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as program:
        assert program.stdin is not None and program.stdout is not None
        for line in (LEGAL, b"nonsense", b"y" * 200_000, LEGAL):
            program.stdin.write(line + b"\n")
            program.stdin.flush()
            answer = json.loads(program.stdout.readline())
        assert answer["moves"] == ["1:rS-4"]
        program.stdin.close()
        assert program.wait(10) == 0
        assert program.stdout.read() == b""


def test_the_command_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    rules = tmp_path / "house.yaml"
    rules.write_text("edition: house-of-lines\npawns: 2\n")
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b'{"type":"hello"}\n')))
    assert main(["bot", "greedy", "--stdio", "--ruleset", str(rules)]) == 0
    hello = json.loads(capsys.readouterr().out)
    assert hello["id"] is None and hello["rulesets"][-1] == "house-of-lines"
    assert main(["bot", "learned:none.onnx", "--stdio"]) == 2
    assert "none.onnx" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        main(["bot", "greedy"])
    assert "--stdio" in capsys.readouterr().err
