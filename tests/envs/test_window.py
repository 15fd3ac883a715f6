"""`render_mode="human"`: a window, here under a driver that shows nothing."""

from __future__ import annotations

import copy
import pickle
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any

import gymnasium
import numpy as np
import pygame
import pytest

from sorry_env import envs
from sorry_env.envs.aec import SorryEnv
from sorry_env.errors import MissingExtraError, RequestError
from sorry_env.express import express_v0
from sorry_env.render import rgb
from sorry_env.render.window import Window
from tests.render.views import StubView

Make = Callable[[str], Any]


def _learner(render_mode: str) -> Any:
    return gymnasium.make("sorry_env/Sorry-v0", render_mode=render_mode)


MAKE = pytest.mark.parametrize(
    "make",
    [
        lambda mode: envs.env(render_mode=mode),
        lambda mode: envs.parallel_env(render_mode=mode),
        lambda mode: express_v0.env(render_mode=mode),
        _learner,
    ],
    ids=["aec", "parallel", "express", "gymnasium"],
)


def shown() -> np.ndarray | None:
    """What pygame's window shows, uint8[H, W, 3]; None where there is no window."""
    surface = pygame.display.get_surface() if pygame.display.get_init() else None
    if surface is None:
        return None
    pixels: np.ndarray = pygame.surfarray.array3d(surface).swapaxes(0, 1)
    return pixels


def close_by_user() -> None:
    pygame.event.post(pygame.event.Event(pygame.QUIT))


def step(environment: Any) -> None:
    """Play the first legal action in whatever kind of environment."""
    game = environment.unwrapped.game if hasattr(environment.unwrapped, "game") else None
    game = environment.inside.game if game is None else game
    action = game.legal_actions()[0]
    if hasattr(environment, "inside"):
        environment.step({environment.inside.agent_selection: action})
    else:
        environment.step(action)


@MAKE
@pytest.mark.usefixtures("windows")
def test_it_shows_the_same_picture_as_rgb_array(make: Make) -> None:
    seen, painted = make("human"), make("rgb_array")
    assert shown() is None, "nothing is opened before there is something to see"
    for environment in (seen, painted):
        environment.reset(seed=3)
    for _ in range(3):
        picture = shown()
        assert picture is not None
        assert np.array_equal(picture, painted.render())
        assert seen.render() is None
        for environment in (seen, painted):
            step(environment)
    seen.close()
    assert shown() is None


@MAKE
@pytest.mark.usefixtures("windows")
def test_the_user_may_close_it_and_the_game_goes_on(make: Make) -> None:
    environment = make("human")
    environment.reset(seed=3)
    close_by_user()
    step(environment)
    assert shown() is None
    step(environment)
    environment.reset(seed=4)
    assert shown() is None, "what the user closed stays closed"
    environment.close()
    environment.close()


@MAKE
@pytest.mark.usefixtures("windows")
def test_playing_on_after_close_opens_it_again(make: Make) -> None:
    environment = make("human")
    environment.close()
    environment.reset(seed=3)
    environment.close()
    environment.close()
    environment.reset(seed=3)
    assert shown() is not None
    environment.close()


@pytest.mark.usefixtures("windows")
def test_the_queue_of_events_is_emptied_at_every_picture() -> None:
    window = Window("test")
    window.show(rgb(StubView(), size=64), 1000)
    for _ in range(100):
        pygame.event.post(pygame.event.Event(pygame.KEYDOWN, key=pygame.K_a))
    window.show(rgb(StubView(), size=64), 1000)
    assert not pygame.event.peek()
    window.close()


@pytest.mark.usefixtures("windows")
def test_each_picture_has_its_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(SorryEnv.metadata, "render_fps", 20)
    environment = envs.raw_env(render_mode="human")
    begin = time.monotonic()
    environment.reset(seed=3)
    for _ in range(4):
        step(environment)
    assert time.monotonic() - begin >= 5 / 20
    environment.close()


@pytest.mark.usefixtures("windows")
def test_two_windows_do_not_close_each_other() -> None:
    pixels = rgb(StubView(), size=64)
    one, other = Window("one"), Window("other")
    one.show(pixels, 1000)
    one.close()
    other.show(pixels, 1000)
    one.close()
    assert other.open and not one.open
    one.show(pixels, 1000)
    other.close()
    one.close()
    assert shown() is None


@pytest.mark.usefixtures("windows")
def test_a_picture_of_another_size_takes_the_window() -> None:
    window = Window("test")
    for size in (64, 96):
        window.show(rgb(StubView(), size=size), 1000)
        assert shown().shape == (size, size, 3)  # type: ignore[union-attr]
    window.close()


@pytest.mark.usefixtures("windows")
@pytest.mark.parametrize(
    "copied", [copy.deepcopy, lambda e: pickle.loads(pickle.dumps(e)), lambda e: e.clone()]
)
def test_copies_have_windows_of_their_own(copied: Callable[[Any], Any]) -> None:
    environment = envs.raw_env(render_mode="human")
    environment.reset(seed=3)
    twin = copied(environment)
    twin.close()
    assert environment._window.open, "closing the copy's leaves the other open"
    assert twin.game.state.tobytes() == environment.game.state.tobytes()
    step(twin)
    assert shown() is not None
    environment.close()
    twin.close()


def test_without_a_display_it_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    pygame.display.quit()
    monkeypatch.setenv("SDL_VIDEODRIVER", "no-such-driver")
    environment = envs.raw_env(render_mode="human")
    with pytest.raises(RequestError, match="rgb_array") as caught:
        environment.reset(seed=3)
    assert caught.value.value == "no-such-driver"
    environment.close()


@pytest.fixture
def no_display(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A process without a display in which nobody has asked for a driver that shows nothing."""
    pygame.display.quit()
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "SDL_VIDEODRIVER", "SDL_VIDEO_DRIVER"):
        monkeypatch.delenv(name, raising=False)
    yield
    pygame.display.quit()


@MAKE
@pytest.mark.usefixtures("no_display")
def test_without_a_display_nothing_is_shown_to_nobody(make: Make) -> None:
    """SDL takes its offscreen driver by itself: every step would wait for pictures unseen."""
    environment = make("human")
    before = pickle.dumps(environment.unwrapped)
    with pytest.raises(RequestError, match=r"no display.*offscreen.*rgb_array") as caught:
        environment.reset(seed=3)
    assert caught.value.value is None
    assert pickle.dumps(environment.unwrapped) == before, "a refused reset changes nothing"
    assert not pygame.display.get_init()
    with pytest.raises(RequestError):
        environment.unwrapped.render()
    environment.close()


@pytest.mark.usefixtures("no_display")
@pytest.mark.parametrize("driver", ["dummy", "offscreen", "OffScreen"])
def test_a_driver_that_shows_nothing_may_be_asked_for(
    monkeypatch: pytest.MonkeyPatch, driver: str
) -> None:
    monkeypatch.setenv("SDL_VIDEODRIVER", driver)
    monkeypatch.setitem(SorryEnv.metadata, "render_fps", 1000)
    environment = envs.raw_env(render_mode="human")
    environment.reset(seed=3)
    assert shown() is not None
    environment.close()


@MAKE
@pytest.mark.usefixtures("windows")
def test_a_step_is_refused_before_it_is_played(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    environment = make("human")
    environment.reset(seed=3)
    environment.close()
    monkeypatch.setenv("SDL_VIDEODRIVER", "no-such-driver")
    pygame.display.quit()
    before = pickle.dumps(environment.unwrapped)
    for call in (lambda: step(environment), lambda: environment.reset(seed=4)):
        with pytest.raises(RequestError, match="no window"):
            call()
        assert pickle.dumps(environment.unwrapped) == before


def test_without_pygame_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pygame", None)
    with pytest.raises(MissingExtraError, match=r"sorry_env\[window\]"):
        envs.raw_env(render_mode="human")
    for mode in ("ansi", "rgb_array", None):
        envs.raw_env(render_mode=mode).reset(seed=1)
