"""A story as an animated GIF: the board with a line of words below it.

Read `story.py` and `../render/rgb.py` before and `html.py` after this file.
"""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Any, Final

from sorry_env.errors import RequestError
from sorry_env.render.rgb import paint
from sorry_env.render.shapes import PAPER
from sorry_env.render.size import check_size
from sorry_env.replay.story import Frame, Story

if TYPE_CHECKING:
    from PIL.Image import Image as Picture

SIZE: Final = 480
#: Seconds that a move is shown; passes are shown half as long, the end four times.
SECONDS: Final = 1.2
_COLOURS = 128
_LEAST = 0.02  # seconds: viewers slow down what is quicker


def gif_story(story: Story, *, size: int = SIZE, seconds: float = SECONDS) -> bytes:
    """The story as the bytes of a GIF that begins anew at its end.

    size:    pixels wide; the words below the board come on top of as many high
    seconds: that a move is shown
    Raises RequestError for an impossible size or time.
    """
    from PIL import Image

    check_size(size)
    if not _LEAST <= seconds < 600:
        raise RequestError(f"seconds={seconds!r} must be {_LEAST} to 600", value=seconds)
    images = [_image(frame, number, size) for number, frame in enumerate(story.frames, 1)]
    times = [
        max(20, round(1000 * seconds * (0.5 if frame.still else 1.0))) for frame in story.frames
    ]
    times[-1] *= 4
    # One palette for all, of pictures that have every colour in them: what does not move stays the
    # same to the last bit, and only what changes is written.
    count = len(images)
    samples = sorted({0, count // 3, 2 * count // 3, count - 1})
    palette = _beside([images[i] for i in samples]).quantize(_COLOURS)
    flat = [image.quantize(palette=palette, dither=Image.Dither.NONE) for image in images]
    out = io.BytesIO()
    flat[0].save(
        out, "GIF", save_all=True, append_images=flat[1:], duration=times, loop=0, optimize=False
    )
    return out.getvalue()


def _image(frame: Frame, number: int, size: int) -> Picture:
    """The board and the words of a frame; long words are broken into two lines."""
    from PIL import Image, ImageDraw, ImageFont

    letters = max(9, size // 32)
    band = round(2.9 * letters)
    image = Image.new("RGB", (size, size + band), PAPER)
    image.paste(Image.fromarray(paint(frame.shapes, size)), (0, 0))
    draw = ImageDraw.Draw(image)
    font = ImageFont.load_default(letters)
    head = f"{number}. {frame.who}{f' {frame.card}' if frame.card else ''}: " if frame.move else ""
    for line, text in enumerate(_lines(draw, font, head + frame.words, size - 12)):
        at = (6, size + round((0.1 + 1.35 * line) * letters))
        draw.text(at, text, frame.tone, font)
    return image


def _lines(draw: Any, font: Any, text: str, width: int) -> list[str]:
    """The text in two lines at most; what does not fit is left out, which dots say."""
    lines = [""]
    for word in text.split(" "):
        longer = f"{lines[-1]} {word}".lstrip()
        if draw.textlength(longer, font=font) <= width or not lines[-1]:
            lines[-1] = longer
        elif len(lines) < 2:
            lines.append(word)
        else:
            lines[-1] += " ..."
            break
    return lines


def _beside(images: list[Picture]) -> Picture:
    """Pictures of one size side by side."""
    from PIL import Image

    width, height = images[0].size
    wide = Image.new("RGB", (width * len(images), height))
    for number, image in enumerate(images):
        wide.paste(image, (number * width, 0))
    return wide
