"""Every case of this folder is tried on the reference and on the engine itself.

The cases are worked by hand from the rules. A test of how the reference itself is made, or of what
only it reads, is marked ``@reference_only`` (``positions.py``).
"""

from __future__ import annotations

import sys

import pytest

from tests.engine.as_reference import EngineDice, EngineGame

from .express import ExpressGame
from .reference import ReferenceGame

SIDES = {"ReferenceGame": (ReferenceGame, EngineGame), "ExpressGame": (ExpressGame, EngineDice)}


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Two of each test, but one of those that are about the reference alone."""
    alone = getattr(metafunc.function, "reference_only", False)
    sides = ["reference"] if alone else ["reference", "engine"]
    metafunc.parametrize("side", sides, indirect=True)


@pytest.fixture(autouse=True)
def side(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Which side a test is tried on: modules that name the reference's game are given that one."""
    name: str = request.param
    if name == "engine":
        for module in [m for n, m in sys.modules.items() if n.startswith("tests.reference.")]:
            if module.__name__.rpartition(".")[2].startswith(("test_", "positions")):
                for attribute, (theirs, ours) in SIDES.items():
                    if getattr(module, attribute, None) is theirs:
                        monkeypatch.setattr(module, attribute, ours)
    return name
