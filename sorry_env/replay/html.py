"""A story as one HTML file to step through: its scripts, styles and pictures are all in it.

The page is put together from `page/`; every element of every picture is in it once. Read `story.py`
and `curve.py` before this file.
"""

from __future__ import annotations

import re
from html import escape
from pathlib import Path
from typing import Any, Final

from sorry_env.json_text import write_json
from sorry_env.render.board import EXTENT, MARGIN
from sorry_env.render.shapes import TONES
from sorry_env.render.svg import element
from sorry_env.replay.analysis import Analysis
from sorry_env.replay.curve import BOTTOM, LEFT, RIGHT, curve
from sorry_env.replay.story import Story, account_words, change_words, common_start, swing_words

_PAGE: Final = Path(__file__).parent / "page"
#: Decimals of values in the file.
_DIGITS: Final = 5
#: The curve's box; it is scaled to the page.
_WIDTH, _HEIGHT = 620.0, 220.0


def html_story(story: Story) -> str:
    """The story as the text of an HTML file that asks nothing of any other."""
    shared = common_start(story.frames)
    elements: dict[str, int] = {}
    frames = []
    for number, frame in enumerate(story.frames):
        shapes = [elements.setdefault(element(s), len(elements)) for s in frame.shapes[shared:]]
        tone = f"s{frame.seat}" if frame.tone == TONES[frame.seat].text else ""
        row = {
            "shapes": shapes, "who": frame.who, "tone": tone, "card": frame.card,
            "move": frame.move, "words": frame.words, "still": frame.still,
        }  # fmt: skip
        frames.append({**row, **_opinion(story.analysis, number)})
    analysis = story.analysis
    swings = [] if analysis is None else analysis.swings()
    data = {
        "elements": list(elements),
        "frames": frames,
        "bot": None if analysis is None else analysis.bot,
        "unit": story.unit,
        "swings": [
            [s.ply.number, "◆" if s.kind == "luck" else "●", swing_words(story, s),
             _rounded(s.change)]
            for s in swings
        ],
        "width": _WIDTH, "left": LEFT, "wide": _WIDTH - LEFT - RIGHT,
    }  # fmt: skip
    first = "".join(element(shape) for shape in story.frames[0].shapes[shared:])
    parts = {
        "title": escape(story.title),
        "players": escape(story.players),
        "result": escape(story.result),
        "box": f"{-MARGIN:g} {-MARGIN:g} {EXTENT:g} {EXTENT:g}",
        "still": "".join(map(element, story.frames[0].shapes[:shared])),
        "first": first,
        "analysis": _study(story),
        # No text in it can end the script that it stands in.
        "data": write_json(data, compact=True).replace("<", "\\u003c"),
        "css": _read("story.css"),
        "js": _read("story.js"),
    }
    return re.sub(r"\{\{(\w+)\}\}", lambda found: parts[found[1]], _read("story.html"))


def _opinion(analysis: Analysis | None, number: int) -> dict[str, Any]:
    """What the bot says of a decision."""
    if analysis is None or number >= len(analysis.plies):
        return {}
    ply = analysis.plies[number]
    return {
        "legal": ply.legal, "bot": ply.bot, "agrees": ply.agrees,
        "luck": _rounded(ply.luck), "decision": _rounded(ply.decision),
        "values": [[move, _rounded(worth)] for move, worth in ply.values],
    }  # fmt: skip


def _study(story: Story) -> str:
    """Curve, account, swings and the moves' values, as far as they are known."""
    analysis = story.analysis
    if analysis is None:
        return ""
    bot = escape(analysis.bot)
    drawn = curve(story, _WIDTH, _HEIGHT)
    if not drawn:
        return (
            f"<h2>Beside {bot}</h2>{_account(story)}"
            '<p class="quiet">This bot does not say what positions are worth.</p>'
            '<ol id="swings" hidden></ol>'
        )
    cursor = (
        f'<line id="cursor" y1="0" y2="{_HEIGHT - BOTTOM:g}" stroke="#ff8a1f" stroke-width="2.5" '
        f'transform="translate({LEFT:g} 0)"/>'
    )
    return "\n".join(
        [
            f"<h2>Values by {bot}</h2>",
            f'<svg id="curve" class="curve" viewBox="0 0 {_WIDTH:g} {_HEIGHT:g}" role="img" '
            'aria-label="Value curve; the swings are listed below">',
            *drawn,
            f"{cursor}</svg>",
            _account(story),
            f'<p class="quiet">{escape(account_words(story))}</p>',
            "<h2>Biggest swings</h2>",
            '<p class="quiet">◆ luck: what a draw changed. ● decision: what a move lost.</p>',
            '<ol id="swings"></ol>',
            "<h2>Moves here</h2>",
            '<table><thead><tr><th scope="col">move</th><th scope="col">value</th>'
            '<th scope="col">to the best</th></tr></thead><tbody id="moves"></tbody></table>',
            '<p class="quiet">★ what the bot would play; the line played is coloured.</p>',
        ]
    )


def _account(story: Story) -> str:
    """By side: luck, what its moves lost, how often it played what the bot would."""
    analysis = story.analysis
    assert analysis is not None
    rows = []
    for side in range(len(analysis.sides)):
        cells = [f'<th scope="row">{escape(story.side_name(side))}</th>']
        if analysis.unit is not None:
            for what in ("luck", "decision"):
                total = analysis.total(side, what)
                text = "not known" if total is None else change_words(total, analysis.unit)
                cells.append(f"<td>{text}</td>")
        same, choices = analysis.agreement(side)
        cells.append(f"<td>{same} of {choices}</td>")
        rows.append(f"<tr>{''.join(cells)}</tr>")
    values = '<th scope="col">luck</th><th scope="col">decisions</th>' if analysis.unit else ""
    return (
        f'<table><thead><tr><th scope="col">side</th>{values}'
        f'<th scope="col">as the bot</th></tr></thead><tbody>{"".join(rows)}</tbody></table>'
    )


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, _DIGITS)


def _read(name: str) -> str:
    return (_PAGE / name).read_text(encoding="utf-8").strip()
