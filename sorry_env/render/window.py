"""A window on the desktop that shows pictures made elsewhere, by pygame.

Nothing is opened before the first picture, and pygame is imported when a window is made, so whoever
has no window needs neither. pygame has one window a process: who shows a picture last has it. Read
`rgb.py`, which paints the pictures, before this file.
"""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING, Any, Final

from sorry_env.errors import MissingExtraError, RequestError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

#: Seconds between two looks at what happens to the window: short enough for it to feel alive.
_TICK: Final = 0.01
#: SDL's video drivers that show nothing.
_UNSEEN: Final = ("dummy", "offscreen")
#: The variables by which a video driver is asked for, in SDL 2 and in SDL 3.
_DRIVER_NAMES: Final = ("SDL_VIDEODRIVER", "SDL_VIDEO_DRIVER")


class Window:
    """Shows one picture after the other; opened by the first, closed by `close` or by the user.

    title: what stands above the pictures

    A window that its user has closed stays closed: pictures are then shown nowhere and take no
    time. After `close` the next picture opens a new one. Copies and pickles are windows of their
    own that have shown nothing yet.

    Raises MissingExtraError without pygame.
    """

    def __init__(self, title: str) -> None:
        self.title = title
        self.shut = False
        self._pygame = _import_pygame()
        self._surface: Any = None
        self._release = 0.0  # when the last picture had been shown for long enough

    def __reduce__(self) -> tuple[type[Window], tuple[str]]:
        return Window, (self.title,)

    @property
    def open(self) -> bool:
        """Whether pictures of this window can be seen now."""
        return self._surface is not None and self._surface is self._current()

    def check(self) -> None:
        """Raise RequestError unless pictures can be shown, or have been shut out by the user.

        Opens nothing: for callers that must know before they change anything.
        """
        if not self.shut and not self.open:
            self._start()

    def show(self, pixels: NDArray[np.uint8], fps: float) -> None:
        """Show a picture for 1/fps seconds, counted from when the last one's time was over.

        pixels: uint8[H, W, 3]
        fps:    pictures a second, above 0; the window answers its user in the meantime
        Raises RequestError where no window can be opened.
        """
        if self.shut:
            return
        height, width, _ = pixels.shape
        if not self.open or self._surface.get_size() != (width, height):
            self._open(width, height)
        picture = self._pygame.image.frombuffer(pixels.tobytes(), (width, height), "RGB")
        self._surface.blit(picture, (0, 0))
        self._pygame.display.flip()
        self._hold(max(self._release + 1 / fps, time.monotonic()))

    def close(self) -> None:
        """Close the window if it is open; as often as you like."""
        if self.open:
            self._pygame.display.quit()
        self._surface = None
        self.shut = False

    def _open(self, width: int, height: int) -> None:
        self._start()
        display = self._pygame.display
        try:
            self._surface = display.set_mode((width, height))
        except self._pygame.error as error:
            raise _no_window(error) from None
        display.set_caption(self.title)
        self._release = time.monotonic()

    def _start(self) -> None:
        """Have SDL choose its video driver.

        Without a display it falls back to one that shows nothing. Nobody would see the pictures,
        and each would still take its time: that is refused unless such a driver was asked for.
        """
        display = self._pygame.display
        started = display.get_init()
        try:
            display.init()
        except self._pygame.error as error:
            raise _no_window(error) from None
        driver = display.get_driver()
        if driver in _UNSEEN and driver not in _asked_for():
            if not started:
                display.quit()
            raise _no_window(f"there is no display (SDL would take its driver {driver!r})")

    def _hold(self, release: float) -> None:
        """Answer the window's user until a time, at least once; a closed window ends it."""
        self._release = release
        while True:
            # All events are taken, so that the queue cannot fill up and lose the one that matters.
            if any(event.type == self._pygame.QUIT for event in self._pygame.event.get()):
                self.close()
                self.shut = True
                return
            left = release - time.monotonic()
            if left <= 0:
                return
            time.sleep(min(left, _TICK))

    def _current(self) -> Any:
        """What pygame shows now, None where its window is closed."""
        display = self._pygame.display
        return display.get_surface() if display.get_init() else None


def _asked_for() -> list[str]:
    """The video drivers that the user's environment names."""
    names = (os.environ.get(name, "") for name in _DRIVER_NAMES)
    return [driver.strip().lower() for text in names for driver in text.split(",")]


def _no_window(reason: object) -> RequestError:
    return RequestError(
        f"no window can be opened: {reason}; without a display take render_mode="
        '"rgb_array" or "ansi", or set SDL_VIDEODRIVER=dummy',
        value=os.environ.get("SDL_VIDEODRIVER"),
    )


def _import_pygame() -> Any:
    # It greets on standard output, which belongs to our users' programs.
    os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
    try:
        import pygame
    except ImportError:
        raise MissingExtraError(
            'render_mode="human" needs pygame: pip install "sorry_env[window]"', value="pygame"
        ) from None
    return pygame
