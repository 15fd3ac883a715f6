"""Every transcript is there and says what the engine plays now."""

from __future__ import annotations

import difflib

import pytest

from tests.cases import case_id
from tests.golden.transcript import CASES, FOLDER, path_of, transcript


def test_no_transcript_is_missing_or_left_over() -> None:
    wanted = {path_of(name, count).name for name, count in CASES}
    there = {path.name for path in FOLDER.iterdir()}
    assert there == wanted, "run `make golden` and look at what it writes"


@pytest.mark.parametrize("case", CASES, ids=case_id)
def test_the_engine_plays_the_transcript(case: tuple[str, int]) -> None:
    path = path_of(*case)
    frozen = path.read_text(encoding="utf-8").splitlines()
    played = transcript(*case).splitlines()
    if frozen != played:
        lines = difflib.unified_diff(frozen, played, path.name, "now", lineterm="", n=4)
        pytest.fail("\n".join([*lines][:60]), pytrace=False)
