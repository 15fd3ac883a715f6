"""A real server in a process of its own, for what only that can show."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.web.process import Served


@pytest.fixture(scope="session")
def real_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Its address; in the end its log must hold no traceback."""
    folder = tmp_path_factory.mktemp("served")
    with Served(folder / "games.db") as served:
        yield served.address
    assert "Traceback" not in served.log(), served.log()
