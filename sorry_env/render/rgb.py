"""The board as pixels, painted with Pillow: no display, no window, no files.

A thin painter of the shapes of `scene.py`, at twice the size and then halved, so that edges are
smooth. Read `svg.py` before and `ansi.py` after this file.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from sorry_env.render.board import EXTENT, MARGIN
from sorry_env.render.layout import Point
from sorry_env.render.scene import scene
from sorry_env.render.shapes import BASELINE, TABLE, Circle, Line, Polygon, Rect, Shape, Text
from sorry_env.render.size import check_size
from sorry_env.render.snapshot import Played, Snapshot

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from PIL.ImageDraw import ImageDraw
    from PIL.ImageFont import FreeTypeFont, ImageFont

OVERSAMPLING = 2
#: Pillow's own font has no bold: letters are thickened by this share of their size.
_BOLD = 0.035


def rgb(view: Snapshot, *, size: int = 640, last_move: Played | None = None) -> NDArray[np.uint8]:
    """The board as uint8[size, size, 3], a new array: rows from the top, then red, green, blue.

    view:      what is drawn; nothing but the attributes of `Snapshot` is read
    last_move: a move to mark with rings and a line
    The same view gives the same pixels. Raises RequestError for an impossible size,
    PositionError for an impossible pawn.
    """
    return paint(scene(view, last_move), size)


def paint(shapes: Iterable[Shape], size: int) -> NDArray[np.uint8]:
    """Any picture as uint8[size, size, 3]; shapes are in board units, in the order of painting."""
    # Imported here: whoever trains without pictures never loads Pillow.
    import numpy as np
    from PIL import Image, ImageDraw

    check_size(size)
    image = Image.new("RGB", (size * OVERSAMPLING, size * OVERSAMPLING), TABLE)
    painter = _Painter(ImageDraw.Draw(image), size * OVERSAMPLING / EXTENT)
    for shape in shapes:
        painter.paint(shape)
    return np.array(image.reduce(OVERSAMPLING), dtype=np.uint8)


class _Painter:
    """Paints shapes of board units with a scale of pixels per unit."""

    def __init__(self, draw: ImageDraw, scale: float) -> None:
        self.draw = draw
        self.scale = scale
        self.fonts: dict[float, FreeTypeFont | ImageFont] = {}

    def paint(self, shape: Shape) -> None:
        match shape:
            case Rect():
                box = self._box(shape.x, shape.y, shape.x + shape.w, shape.y + shape.h, shape.width)
                self.draw.rounded_rectangle(
                    box,
                    (shape.radius + shape.width / 2) * self.scale if shape.radius else 0,
                    shape.fill,
                    shape.stroke,
                    self._pixels(shape.width),
                )
            case Circle():
                x, y, r = shape.x, shape.y, shape.r
                box = self._box(x - r, y - r, x + r, y + r, shape.width)
                width = self._pixels(shape.width)
                self.draw.ellipse(box, shape.fill, shape.stroke, width)
            case Polygon():
                self.draw.polygon([self._point(p) for p in shape.points], shape.fill)
                if shape.stroke:
                    self._line((*shape.points, shape.points[0]), shape.stroke, shape.width)
            case Line():
                self._line(shape.points, shape.stroke, shape.width)
            case Text():
                self._text(shape)

    def _line(self, points: tuple[Point, ...], stroke: str, width: float) -> None:
        self.draw.line([self._point(p) for p in points], stroke, self._pixels(width))
        for x, y in points:  # round ends and joints
            r = width / 2
            self.draw.ellipse(self._box(x - r, y - r, x + r, y + r, 0), stroke)

    def _text(self, shape: Text) -> None:
        size = max(1.0, shape.size * self.scale)
        bold = round(_BOLD * size) if shape.bold else 0
        x, y = self._point((shape.x, shape.y + BASELINE * shape.size))
        font = self._font(size)
        self.draw.text((x, y), shape.text, shape.fill, font, anchor="ms", stroke_width=bold)

    def _font(self, size: float) -> FreeTypeFont | ImageFont:
        from PIL import ImageFont

        if size not in self.fonts:  # Pillow unpacks its font anew at every call
            self.fonts[size] = ImageFont.load_default(size)
        return self.fonts[size]

    def _point(self, point: Point) -> Point:
        return (point[0] + MARGIN) * self.scale, (point[1] + MARGIN) * self.scale

    def _box(self, x0: float, y0: float, x1: float, y1: float, width: float) -> tuple[float, ...]:
        """The outermost pixels of a shape; half of its outline lies outside its edge."""
        half = width / 2
        left, top = self._point((x0 - half, y0 - half))
        right, bottom = self._point((x1 + half, y1 + half))
        return left, top, max(left, right - 1), max(top, bottom - 1)

    def _pixels(self, width: float) -> int:
        return max(1, round(width * self.scale)) if width else 0
