"""The simple shapes that a picture is made of, and its colours.

A picture is a flat sequence of shapes in board units (see `layout.py`), painted in order, without
transparency: `scene.py` makes it, `svg.py` and `rgb.py` paint it. Outlines lie half inside and
half outside the edge. `part` names what a shape belongs to, for programs that look into the SVG.
"""

from __future__ import annotations

from dataclasses import dataclass

from sorry_env.render.layout import Point


@dataclass(frozen=True)
class Rect:
    """A rectangle with upper left corner (x, y), its corners rounded by `radius`."""

    x: float
    y: float
    w: float
    h: float
    fill: str | None
    stroke: str | None = None
    width: float = 0.0
    radius: float = 0.0
    part: str = ""


@dataclass(frozen=True)
class Circle:
    """A circle around (x, y)."""

    x: float
    y: float
    r: float
    fill: str | None
    stroke: str | None = None
    width: float = 0.0
    part: str = ""


@dataclass(frozen=True)
class Line:
    """Straight pieces from point to point, with round ends and joints."""

    points: tuple[Point, ...]
    stroke: str
    width: float
    part: str = ""


@dataclass(frozen=True)
class Polygon:
    """A filled polygon."""

    points: tuple[Point, ...]
    fill: str
    stroke: str | None = None
    width: float = 0.0
    part: str = ""


@dataclass(frozen=True)
class Text:
    """One line of text with its middle at (x, y); `size` is the font's size in board units."""

    x: float
    y: float
    text: str
    size: float
    fill: str
    bold: bool = False
    part: str = ""


#: From the middle of a line of text down to its baseline, in font sizes (half a capital).
BASELINE = 0.355

Shape = Rect | Circle | Line | Polygon | Text


@dataclass(frozen=True)
class Tone:
    """A player's colour in its shades: `ink` is readable on `main`, `text` on paper and `tint`."""

    main: str
    dark: str
    tint: str
    slide: str
    ink: str
    text: str


#: Red, blue, yellow, green. They differ in lightness too, for eyes that mix up hues.
TONES = (
    Tone(
        main="#d23b3f",
        dark="#8f1f27",
        tint="#f6d3cf",
        slide="#eb9d97",
        ink="#ffffff",
        text="#b3262e",
    ),
    Tone(
        main="#2f5fb3",
        dark="#1a3a78",
        tint="#cfdcf2",
        slide="#98b4e4",
        ink="#ffffff",
        text="#2551a0",
    ),
    Tone(
        main="#f3bf2f",
        dark="#a87708",
        tint="#fbecbd",
        slide="#f8d878",
        ink="#3a2b00",
        text="#8a6100",
    ),
    Tone(
        main="#35925a",
        dark="#1a5c36",
        tint="#cfe9d6",
        slide="#92cda4",
        ink="#ffffff",
        text="#1f6f41",
    ),
)

TABLE = "#23324a"
FELT = "#efe6d2"
SQUARE = "#fdfaf2"
GRID_LINE = "#c8bb9c"
PAPER = "#ffffff"
SHADOW = "#d6c9ab"
INK = "#23324a"
MUTED = "#9a8d70"
MARK = "#ff8a1f"
TURBO = "#ffd9a8"
FIRE, FIRE_DARK, FIRE_LIGHT = "#ff7a1a", "#8a1f00", "#ffe14d"
ICE, ICE_DARK = "#d9f3ff", "#0d5c8c"
FACE = "#ffe14d"
PUNISHED = "#b3262e"
