"""Whatever a request is, its answer is one line of JSON with its id or null and a known code."""

from __future__ import annotations

import json
import logging
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sorry_env.families import family_of
from sorry_env.notation import views
from sorry_env.rules import RULESETS
from sorry_env.server.protocol import CODES, REQUESTS
from sorry_env.server.session import Session

# -- requests that are nearly right ---------------------------------------------------------------


def _lines() -> list[str]:
    """Positions of every ruleset: first ones, later ones, ones that wait, views, ends."""
    lines = []
    for name in (*RULESETS, "express", "not-sorry?answers=player", "points?teams=four"):
        family = family_of(name)
        game = family.new_game(name, seed=3)
        for _ in range(30):
            if game.over:
                break
            game.play(int(game.legal_actions()[-1]), draw=False)
            lines.append(family.write(game))
            lines.append(family.write(game.view(game.actor)))
            if game.waiting:
                game.draw()
                lines.append(family.write(game))
    return lines


LINES = _lines()
WORDS = sorted({word for line in LINES[::7] for word in line.split(" ")})
POSITIONS = st.sampled_from(LINES)
CHARACTERS = st.sampled_from("0123456789.,/-=;?*>:&rbygSHWLQ xé\x00\ud800")


@st.composite
def broken_positions(draw: st.DrawFn) -> str:
    """A position with a few fields, characters or counts changed."""
    text = draw(POSITIONS)
    for _ in range(draw(st.integers(0, 3))):
        at = draw(st.integers(0, len(text)))
        kind = draw(st.integers(0, 3))
        if kind == 0:
            fields = text.split(" ")
            fields[at % len(fields)] = draw(st.sampled_from(WORDS))
            text = " ".join(fields)
        elif kind == 1:
            text = text[:at] + draw(CHARACTERS) + text[at:]
        elif kind == 2:
            text = text[:at] + text[at + draw(st.integers(1, 9)) :]
        else:
            text = text[:at] + draw(CHARACTERS) * draw(st.integers(2, 40)) + text[at + 1 :]
    return text


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner),
    max_leaves=6,
)
TEXTS = (
    broken_positions()
    | st.sampled_from(["pass", "1:rS-4", "7:12-15,30-34", "1", "7", "S", "yes", "?", "1=b,2=S,3=L"])
    | st.text(max_size=20)
)
NAMES = sorted({name.removesuffix("?") for names in REQUESTS.values() for name in names})


@st.composite
def requests(draw: st.DrawFn) -> bytes:
    """A line: most have the form of a request, some are any JSON, some any bytes."""
    kind = draw(st.integers(0, 11))
    if kind == 0:
        return draw(st.binary(max_size=60)).replace(b"\n", b"")
    if kind == 1:
        return json.dumps(draw(JSON)).encode()
    name = draw(st.sampled_from([*REQUESTS, *REQUESTS, "answer", ""]))
    row: dict[str, Any] = {"id": draw(st.integers() | JSON), "type": name}
    for field in REQUESTS.get(name, NAMES):
        if draw(st.integers(0, 19)) or not field.endswith("?"):
            field = field.removesuffix("?")
            row[field] = draw(broken_positions() if field == "position" else TEXTS)
    if row.get("time_ms"):
        row["time_ms"] = draw(st.integers(0, 1000) | JSON)
    if draw(st.integers(0, 9)) == 0:
        row[draw(st.sampled_from([*NAMES, "id", "type", "x"]))] = draw(JSON)
    line = json.dumps(row).encode()
    return line[: draw(st.integers(0, len(line)))] if draw(st.integers(0, 19)) == 0 else line


# -- what answers must be -------------------------------------------------------------------------

SESSION = Session("greedy", seed=1)


def check(line: bytes, failures: list[logging.LogRecord]) -> None:
    text = SESSION.answer_line(line)
    assert text.isascii() and "\n" not in text and "Traceback" not in text
    answer = json.loads(text, parse_constant=pytest.fail)
    try:
        row = json.loads(line)
        wanted = row.get("id") if isinstance(row, dict) else None
    except ValueError:
        row, wanted = None, None
    assert answer["id"] is None or answer["id"] == wanted
    assert not failures, line
    if answer["type"] == "error":
        assert answer["code"] in CODES and 0 < len(answer["message"]) <= 1000
        return
    assert answer["type"] == row["type"] and answer["id"] == wanted
    if answer["type"] in ("apply", "draw"):  # what it answers, it can read
        position = answer["position"]
        family = family_of(position)
        hidden = views.hides_hands(position)
        again = views.read_view(position) if hidden else family.read(position)
        assert family.write(again) == position


class _Failures(logging.Handler):
    """What the session could not answer but by saying so: there must be none."""

    def __init__(self) -> None:
        super().__init__()
        self.records: list[logging.LogRecord] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.records.append(record)


def run(examples: int) -> None:
    handler = _Failures()
    logger = logging.getLogger("sorry_env.server.session")
    logger.addHandler(handler)

    @settings(max_examples=examples, suppress_health_check=list(HealthCheck))
    @given(requests())
    def each(line: bytes) -> None:
        handler.records.clear()
        check(line, handler.records)

    try:
        each()
    finally:
        logger.removeHandler(handler)


def test_any_request_is_answered_properly() -> None:
    run(400)


@pytest.mark.slow
def test_100_000_requests_are_answered_properly() -> None:
    run(100_000)


def test_the_nearly_right_requests_are_often_right() -> None:
    # Else the fuzz would only try the reader of JSON.
    right = sum(
        json.loads(SESSION.answer_line(json.dumps({"type": "legal", "position": line}).encode()))
        .get("moves") is not None
        for line in LINES
    )  # fmt: skip
    assert right > len(LINES) / 3
