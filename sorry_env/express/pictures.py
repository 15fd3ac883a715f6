"""The dice game as SVG text and as pixels: the painters of `render/` on other shapes.

Read `scene.py` before and `ansi.py` after this file.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sorry_env.express.rules import FACES
from sorry_env.express.scene import SPECIALS, headline, scene
from sorry_env.express.view import ExpressMove, ExpressReader
from sorry_env.render.rgb import paint
from sorry_env.render.svg import svg_text
from sorry_env.rules import COLOURS

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


def svg(view: ExpressReader, *, size: int = 640, last_move: ExpressMove | None = None) -> str:
    """The game as SVG text, `size` pixels wide and high; `title` and `desc` tell it in words.

    last_move: a move to tell of. Raises RequestError for an impossible size.
    """
    title = f"Sorry! Express: {headline(view)}"
    return svg_text(scene(view, last_move), title, describe(view), size)


def rgb(
    view: ExpressReader, *, size: int = 640, last_move: ExpressMove | None = None
) -> NDArray[np.uint8]:
    """The game as uint8[size, size, 3]; the same view gives the same pixels."""
    return paint(scene(view, last_move), size)


def face_word(letter: str) -> str:
    """A die's face in words: `blue`, `Sorry!`, `Wild`, `Slide`."""
    face = FACES.index(letter)
    return COLOURS[face] if face < len(COLOURS) else SPECIALS[face]


def describe(view: ExpressReader) -> str:
    """The position in a few sentences, for people who hear the picture."""
    sentences = [headline(view)]
    if view.dice:
        dice = ", ".join(f"{die} {face_word(face)}" for die, face in view.dice.items())
        sentences.append(f"Dice: {dice}")
    for seat, (home, held) in enumerate(zip(view.homes, view.held, strict=True)):
        waiting = [f"{n} {COLOURS[c]}" for c, n in enumerate(held) if n and c != home]
        sentences.append(
            f"Player {seat}: {held[home]} {COLOURS[home]} in Home, "
            f"{', '.join(waiting) or 'none'} waiting"
        )
    left = [f"{n} {COLOURS[c]}" for c, n in enumerate(view.pool) if n]
    sentences.append(f"On the start base: {', '.join(left) or 'none'}")
    return ". ".join(sentences) + "."
