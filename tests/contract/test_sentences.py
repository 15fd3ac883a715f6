"""Each sentence of the rules on editions has a case worked by hand that runs on the engine.

`sentences.txt`: a `##` line is a section of the rules; `KEY: SHORT WORDS` a sentence of it; the
lines below are its cases, `FILE::TEST`, with `#TEXT` behind it where one row is meant, or a file of
`tests/engine/worked` with the heading `#TEXT`.
"""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
#: How many sentences the sections have: one that is dropped is missed.
SECTIONS = {"6": 15, "6.1": 19, "6.2": 12, "6.3": 26, "6.4": 10, "6.5": 18, "6.6": 15, "6.7": 19}


def read_index() -> dict[str, list[str]]:
    """The cases of each sentence, by `SECTION KEY`."""
    index: dict[str, list[str]] = {}
    section = key = ""
    for line in (Path(__file__).parent / "sentences.txt").read_text().splitlines():
        if line.startswith("## "):
            section = line.split()[1]
        elif line.startswith("    "):
            index[key].append(line.strip())
        elif line and not line.startswith("#"):
            key = f"{section} {line.partition(':')[0]}"
            assert key not in index, f"{key} is there twice"
            index[key] = []
    return index


INDEX = read_index()


@cache
def source(path: str) -> str:
    """The text of a file of the tests."""
    return (ROOT / path).read_text()


@cache
def cases_of(path: str) -> dict[str, bool]:
    """The test functions of a file, and whether each runs on the engine."""
    found = {}
    for node in ast.parse(source(path)).body:
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
            marks = {ast.unparse(mark) for mark in node.decorator_list}
            found[node.name] = "reference_only" not in marks
    return found


def test_no_sentence_is_missing() -> None:
    counts: dict[str, int] = {}
    for key in INDEX:
        section = key.split()[0]
        counts[section] = counts.get(section, 0) + 1
    assert counts == SECTIONS


@pytest.mark.parametrize("key", INDEX)
def test_every_sentence_has_a_case_that_runs_on_the_engine(key: str) -> None:
    assert INDEX[key], f"{key}: no case"
    for case in INDEX[key]:
        where, _, text = case.partition("#")
        path, _, test = where.partition("::")
        assert (ROOT / path).is_file(), case
        if test:
            assert cases_of(path).get(test), f"{case}: no such test on the engine"
            assert text in source(path), f"{case}: no such row"
        else:
            assert f"## {text}" in source(path), f"{case}: no such heading"


def test_the_cases_of_the_reference_are_tried_on_the_engine(request: pytest.FixtureRequest) -> None:
    """`tests/reference/conftest.py` doubles each of them."""
    conftest = source("tests/reference/conftest.py")
    assert '["reference", "engine"]' in conftest and "autouse=True" in conftest
    from tests.engine.as_reference import EngineGame

    position = "classic 20,rS,rS,rS/-/yS,yS,yS,yS/- r move 3 5.4.3.4.4.4.4.4.4.4.4 - -"
    game = EngineGame.from_text(position)
    assert type(game.game).__module__ == "sorry_env.game"
    assert game.apply("3:20-23").text().split(" ")[1].startswith("23,")
