"""Solutions that several tests look at, found once."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from sorry_env.solve import Solution, solve
from sorry_env.solve.files import _find


@pytest.fixture(scope="session")
def duel() -> Solution:
    return solve("duel-1")


@pytest.fixture(scope="session")
def beside() -> Solution:
    """One pawn each, Blue sitting beside Red and not opposite."""
    return solve("duel-1", "red,blue")


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An empty folder where solutions are kept for the time of a test."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    _find.cache_clear()
    yield tmp_path / "sorry_env" / "solutions"
    _find.cache_clear()
