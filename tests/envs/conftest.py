"""Windows without a screen."""

from __future__ import annotations

from collections.abc import Iterator

import pygame
import pytest

from sorry_env.envs.aec import SorryEnv
from sorry_env.express.env import ExpressEnv


@pytest.fixture
def windows(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Windows open under a driver that shows nothing, and hold no picture for long."""
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    for kind in (SorryEnv, ExpressEnv):
        monkeypatch.setitem(kind.metadata, "render_fps", 1000)
    yield
    pygame.display.quit()
