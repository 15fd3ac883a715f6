"""The value curve of a game as SVG elements.

Two sides share one curve: the area below it is the first side's. With more each seat has a line of
its own. Read `story.py` before and `svg.py` and `html.py` after this file.
"""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from typing import Final

import numpy as np

from sorry_env.render.shapes import INK, TONES
from sorry_env.replay.analysis import Analysis, Swing
from sorry_env.replay.judge import CHANCE
from sorry_env.replay.story import Story, change_words, swing_words

LEFT, RIGHT, TOP, BOTTOM = 56.0, 12.0, 10.0, 30.0
#: Swings that are marked.
MARKED: Final = 8
#: How the lines of three sides or more differ besides their colours: dashes, and the same in text.
DASHES: Final = (("", "———"), ("7 4", "– – –"), ("2 4", "· · · ·"), ("9 3 2 3", "– · –"))


def curve(story: Story, width: float, height: float) -> list[str]:
    """The curve in a box of this size; [] where the analysis has no values.

    The plot itself lies LEFT, RIGHT, TOP and BOTTOM from the box's edges.
    """
    analysis = story.analysis
    if analysis is None or analysis.unit is None or not analysis.plies:
        return []
    plot = _Plot(analysis, width, height)
    two = len(analysis.sides) == 2
    lines = list(plot.ground(story, two))
    for side in (0,) if two else range(len(analysis.sides)):
        points = plot.points(side)
        if not points:
            continue
        drawn = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        colour = INK if two else TONES[analysis.sides[side][0]].main
        if two:
            down = f"{points[-1][0]:.1f},{plot.low:.1f} {points[0][0]:.1f},{plot.low:.1f}"
            area = TONES[analysis.sides[0][0]].slide
            lines.append(f'<polygon points="{drawn} {down}" fill="{area}"/>')
        dashes = f' stroke-dasharray="{DASHES[side][0]}"' if side else ""
        lines.append(
            f'<polyline points="{drawn}" fill="none" stroke="{colour}" stroke-width="1.6" '
            f'stroke-linejoin="round"{dashes}/>'
        )
    lines += plot.scale(two)
    for swing in analysis.swings(MARKED):
        lines += plot.mark(story, swing)
    return lines


class _Plot:
    """Where plies and values lie."""

    def __init__(self, analysis: Analysis, width: float, height: float) -> None:
        self.analysis = analysis
        self.chance = analysis.unit == CHANCE
        values = [abs(v) for side in range(len(analysis.sides)) for _, v in analysis.curve(side)]
        self.most = 1.0 if self.chance else max(1.0, *values)
        self.plies = max(1, len(analysis.plies))
        self.right, self.height = width - RIGHT, height
        self.low = height - BOTTOM

    def x(self, at: float) -> float:
        return LEFT + (self.right - LEFT) * at / self.plies

    def y(self, value: float) -> float:
        share = value if self.chance else 0.5 + 0.5 * value / self.most
        return self.low - (self.low - TOP) * min(max(share, 0.0), 1.0)

    def points(self, side: int) -> list[tuple[float, float]]:
        return [(self.x(at), self.y(value)) for at, value in self.analysis.curve(side)]

    def ground(self, story: Story, two: bool) -> Iterator[str]:
        fill = TONES[self.analysis.sides[1][0]].slide if two else "#ffffff"
        yield (
            f'<rect x="{LEFT:g}" y="{TOP:g}" width="{self.right - LEFT:g}" '
            f'height="{self.low - TOP:g}" fill="{fill}"/>'
        )
        names = [story.side_name(side) for side in range(len(self.analysis.sides))]
        words = f"{names[0]} below, {names[1]} above the line"
        if not two:
            marked = zip(names, DASHES, strict=False)
            words = ", ".join(f"{name} {dashes[1]}" for name, dashes in marked)
        what = "chance to win" if self.chance else "steps ahead"
        yield (
            f'<text x="{LEFT:g}" y="{self.height - 8:g}" font-size="13" fill="currentColor" '
            f'text-anchor="start">{escape(f"{what}: {words}")}</text>'
        )

    def scale(self, two: bool) -> Iterator[str]:
        top = "100 %" if self.chance else f"{self.most:+.0f}"
        middle = "50 %" if self.chance else "0"
        low = "0 %" if self.chance else f"{-self.most:+.0f}"
        half = 0.5 if self.chance else 0.0
        bottom = 0.0 if self.chance else -self.most
        for value, text in ((self.most, top), (half, middle), (bottom, low)):
            y = self.y(value)
            yield (
                f'<text x="{LEFT - 8:g}" y="{y + 4:.1f}" font-size="13" fill="currentColor" '
                f'text-anchor="end">{text}</text>'
            )
        y = self.y(half)
        yield (
            f'<line x1="{LEFT:g}" x2="{self.right:g}" y1="{y:.1f}" y2="{y:.1f}" '
            f'stroke="{INK}" stroke-width="0.8" stroke-dasharray="4 4"/>'
        )
        yield (
            f'<text x="{self.right:g}" y="{self.height - 8:g}" font-size="13" '
            f'fill="currentColor" text-anchor="end">{self.plies} decisions</text>'
        )

    def mark(self, story: Story, swing: Swing) -> Iterator[str]:
        """A diamond for luck, a disc for a decision, with words for who points at it."""
        ply = swing.ply
        side = self.analysis.side_of(ply.seat)
        value = ply.drawn if swing.kind == "luck" else ply.played
        if value is None:
            return
        at = ply.number + (0.5 if swing.kind == "luck" else 1.0)
        if len(self.analysis.sides) == 2 and side == 1:
            value = 1.0 - value if self.chance else -value
        elif ply.chances:  # on the line, between the points of this ply and the next
            line = np.array(self.analysis.curve(side))
            value = float(np.interp(at, line[:, 0], line[:, 1]))
        x = self.x(at)
        y = self.y(value)
        told = f"{story.names[ply.seat]} {swing_words(story, swing)}"
        words = f"{ply.number + 1}. {told}: {change_words(swing.change, story.unit)}"
        tone = TONES[ply.seat].main
        shape = (
            f'<polygon points="{x:.1f},{y - 7:.1f} {x + 7:.1f},{y:.1f} {x:.1f},{y + 7:.1f} '
            f'{x - 7:.1f},{y:.1f}"'
            if swing.kind == "luck"
            else f'<circle cx="{x:.1f}" cy="{y:.1f}" r="5.5"'
        )
        yield (
            f'{shape} fill="{tone}" stroke="#ffffff" stroke-width="1.5">'
            f"<title>{escape(words)}</title>{'</polygon>' if swing.kind == 'luck' else '</circle>'}"
        )
