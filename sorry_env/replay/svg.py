"""A story as one tall SVG page: a picture for each move, read like a comic.

A page is what people print, scale and look at without a player; what moves is `gif.py`'s and
`html.py`'s. The board is drawn once and used by every picture. Passes have no picture of their own:
the next one tells of them. Read `story.py` and `curve.py` before and `gif.py` after this file.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from textwrap import wrap
from typing import Final

from sorry_env.render.board import EXTENT, MARGIN
from sorry_env.render.shapes import INK, PAPER
from sorry_env.render.svg import element
from sorry_env.replay.curve import curve
from sorry_env.replay.story import (
    Frame,
    Story,
    account_words,
    change_words,
    common_start,
    swing_words,
)

COLUMNS: Final = 4
_BOARD = 300.0  # pixels
_GAP = 20.0
_LINE = 17.0
_CAPTION = 5  # lines below a picture
_LETTERS = 46  # of a line
_CURVE = 260.0
_CELL = (_BOARD + _GAP, _BOARD + _CAPTION * _LINE + _GAP)
#: Decisions that lose at least so much are told of, in each unit.
TOLD: Final = {"chance": 0.02, "steps": 5.0}
_QUIET = "#6d6553"


def svg_story(story: Story) -> str:
    """The story as the text of an SVG file, without scripts or links."""
    shared = common_start(story.frames)
    board = "".join(map(element, story.frames[0].shapes[:shared]))
    cells = list(_cells(story))
    rows = -(-len(cells) // COLUMNS)
    width = COLUMNS * _CELL[0] + _GAP
    head, top = _head(story, width)
    height = top + rows * _CELL[1]
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:g}" height="{height:g}" '
        f'viewBox="0 0 {width:g} {height:g}" color="{INK}" '
        'font-family="Helvetica, Arial, sans-serif">',
        f"<title>{escape(story.title)}</title>",
        f"<desc>{escape(f'{story.players}. {story.result}.')}</desc>",
        f'<defs><g id="board">{board}</g></defs>',
        f'<rect width="{width:g}" height="{height:g}" fill="{PAPER}"/>',
        *head,
    ]
    for place, (number, before) in enumerate(cells):
        x = _GAP + place % COLUMNS * _CELL[0]
        y = top + place // COLUMNS * _CELL[1]
        lines += _picture(story.frames[number], shared, x, y)
        lines += _caption(story.frames[number], number, before, x, y + _BOARD)
    return "\n".join([*lines, "</svg>"]) + "\n"


def _cells(story: Story) -> Iterator[tuple[int, list[str]]]:
    """Numbers of the frames that have a picture, each with the lines before its own words."""
    before: list[str] = []
    for number, frame in enumerate(story.frames):
        if frame.still:
            before.append(f"{number + 1}. {frame.who} {frame.card}: no move")
            continue
        shown = before[-2:] if len(before) <= 2 else [f"... {before[-1]}"]
        yield number, [*shown, *_remarks(story, number)]
        before = []


def _remarks(story: Story, number: int) -> list[str]:
    """What the analysis says of a decision, where it says something."""
    analysis = story.analysis
    if analysis is None or number >= len(analysis.plies):
        return []
    ply, least = analysis.plies[number], TOLD.get(analysis.unit or "", 0.0)
    told = []
    if ply.luck is not None and abs(ply.luck) >= 2 * least:
        told.append(f"the draw: {change_words(ply.luck, analysis.unit)}")
    if ply.decision is not None and ply.decision <= -least and ply.values:
        lost = change_words(ply.decision, analysis.unit)
        told.append(f"better {ply.values[0][0]} ({lost})")
    elif analysis.unit is None and not ply.agrees:
        told.append(f"{analysis.bot} would play {' or '.join(ply.bot[:2])}")
    return ["; ".join(told)] if told else []


def _picture(frame: Frame, shared: int, x: float, y: float) -> list[str]:
    scale = _BOARD / EXTENT
    return [
        f'<g transform="translate({x:g} {y:g}) scale({scale:.5g}) translate({MARGIN:g} '
        f'{MARGIN:g})" text-anchor="middle"><use href="#board"/>',
        *map(element, frame.shapes[shared:]),
        "</g>",
    ]


def _caption(frame: Frame, number: int, before: Sequence[str], x: float, y: float) -> Iterator[str]:
    """The words of a picture: quiet lines, who plays what in the seat's colour, the move."""
    texts = [(text, _QUIET, "normal") for text in before]
    head = f"{number + 1}. {frame.who} {frame.move}" if frame.move else frame.words
    texts.append((head, frame.tone, "bold"))
    if frame.move:
        texts += [(text, INK, "normal") for text in wrap(frame.words, _LETTERS)]
    for number, (text, fill, weight) in enumerate(texts[:_CAPTION], 1):
        yield (
            f'<text x="{x:g}" y="{y + number * _LINE:g}" font-size="13" fill="{fill}" '
            f'font-weight="{weight}">{escape(text)}</text>'
        )


def _head(story: Story, width: float) -> tuple[list[str], float]:
    """Title, players and result, and the curve with its swings; and where the pictures begin."""
    lines = [
        f'<text x="{_GAP:g}" y="36" font-size="22" font-weight="bold" fill="{INK}">'
        f"{escape(story.title)}</text>",
        f'<text x="{_GAP:g}" y="62" font-size="15" fill="{INK}">'
        f"{escape(f'{story.players}. {story.result}.')}</text>",
    ]
    top = 84.0
    drawn = curve(story, width - 2 * _GAP, _CURVE)
    if not drawn or story.analysis is None:
        return lines, top
    lines += [f'<g transform="translate({_GAP:g} {top:g})">', *drawn, "</g>"]
    top += _CURVE + 10
    swings = story.analysis.swings()
    for number, swing in enumerate(swings):
        ply = swing.ply
        sign = "◆" if swing.kind == "luck" else "●"
        text = (
            f"{sign} {ply.number + 1}. {story.names[ply.seat]} {swing_words(story, swing)}: "
            f"{change_words(swing.change, story.unit)}"
        )
        x = _GAP + (number % 2) * (width - 2 * _GAP) / 2
        y = top + 16 + number // 2 * 20
        lines.append(
            f'<text x="{x:g}" y="{y:g}" font-size="14" fill="{story.frames[ply.number].tone}">'
            f"{escape(text)}</text>"
        )
    top += 20 * (-(-len(swings) // 2)) + 26
    if account := account_words(story):
        lines.append(
            f'<text x="{_GAP:g}" y="{top - 4:g}" font-size="14" fill="{INK}">'
            f"{escape(account)}</text>"
        )
        top += 22
    by = f"Values by {story.analysis.bot}. ◆ what a draw changed (luck); ● what a move lost."
    lines.append(
        f'<text x="{_GAP:g}" y="{top - 8:g}" font-size="13" fill="{_QUIET}">{escape(by)}</text>'
    )
    return lines, top + 12
