"""The files of a story: whole, self-contained, the same for the same game, safe for any names."""

from __future__ import annotations

import io
import json
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest
from PIL import Image

from sorry_env.errors import RequestError
from sorry_env.families import family_of
from sorry_env.notation import Record
from sorry_env.replay import analyse
from sorry_env.replay.gif import gif_story
from sorry_env.replay.html import html_story
from sorry_env.replay.story import account_words, change_words, common_start, tell
from sorry_env.replay.svg import svg_story
from tests.cases import PUBLISHED
from tests.replay.support import record_of

SVG = "{http://www.w3.org/2000/svg}"
ELSEWHERE = re.compile(
    r"(?:https?:)?//(?!www\.w3\.org/2000/svg)[\w.]+\.|url\(|@import|src=|href=\"(?!#)"
)
EVIL = "</script><script>alert(1)</script><b onload=x>&amp;\"'"


class Whole(HTMLParser):
    """Checks that tags are closed in order, and keeps what stands in scripts."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.scripts: list[str] = []
        self.tags: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        if tag not in ("meta", "input", "br"):
            self.open.append(tag)
        if tag == "script":
            self.scripts.append("")

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] == "script":
            self.scripts[-1] += data


def parse(page: str) -> tuple[Whole, Any]:
    """The page read by a parser, and its data."""
    whole = Whole()
    whole.feed(page)
    whole.close()
    assert whole.open == []
    return whole, json.loads(whole.scripts[0])


@pytest.fixture(scope="module")
def duel() -> Record:
    return record_of("duel-1", seed=3)


@pytest.mark.parametrize(
    ("ruleset", "seats"), [*PUBLISHED, ("express", 2), ("express", 3), ("express", 4)]
)
def test_every_ruleset_has_its_pictures(ruleset: str, seats: int) -> None:
    record = record_of(ruleset, seats, most=25)
    story = tell(record)
    assert len(story.frames) == len(record.moves) + 1
    picture = ElementTree.fromstring(svg_story(story))
    moving = sum(not frame.still for frame in story.frames)
    assert len(picture.findall(f".//{SVG}use")) == moving
    _, data = parse(html_story(story))
    assert len(data["frames"]) == len(story.frames)
    for frame, row in zip(story.frames, data["frames"], strict=True):
        drawn = [data["elements"][index] for index in row["shapes"]]
        assert len(drawn) + common_start(story.frames) == len(frame.shapes)
    family = family_of(ruleset)
    for row, frame in zip(record.moves, data["frames"], strict=False):
        game = family.read(row["position"], seed=0)
        assert frame["move"] == row["move"]
        assert frame["words"] == family.move_words(game, family.parse_move(game, row["move"]))


def test_the_page_draws_what_the_picture_shows(duel: Record) -> None:
    """The parts that stand for something are those of the SVG of the same position."""
    story = tell(duel)
    _, data = parse(html_story(story))
    family = family_of("duel-1")
    for game, frame in zip(duel.games(), data["frames"], strict=True):
        shown = "".join(data["elements"][index] for index in frame["shapes"])
        known = re.findall(r'data-part="(pawn-\w+|card|winner-\w)"', family.svg(game.view()))
        assert sorted(re.findall(r'data-part="(pawn-\w+|card|winner-\w)"', shown)) == sorted(known)


@pytest.mark.parametrize("bot", [None, "optimal", "expectimax:depth=1", "greedy"])
def test_nothing_comes_from_elsewhere(duel: Record, bot: str | None) -> None:
    story = tell(duel, analyse(duel, bot) if bot else None)
    picture, page = svg_story(story), html_story(story)
    for text in (picture, page):
        assert ELSEWHERE.findall(text) == []
    assert "<script" not in picture
    whole, data = parse(page)
    assert "link" not in whole.tags and "img" not in whole.tags
    assert "default-src 'none'" in page
    valued = bot in ("optimal", "expectimax:depth=1")
    assert (
        ('id="curve"' in page)
        == valued
        == ("<polyline" in picture.split('id="board"')[0] or valued)
    )
    assert bool(data["swings"]) == valued
    assert data["bot"] == (None if bot is None else analyse(duel, bot).bot)
    assert svg_story(story) == picture and html_story(story) == page


def test_names_cannot_break_out(duel: Record) -> None:
    header = {**duel.header, "id": EVIL, "players": {"red": EVIL, "yellow": "b"}}
    story = tell(Record(header, duel.moves, duel.end))
    page = html_story(story)
    whole, _ = parse(page)
    assert whole.tags.count("script") == 2 and "b" not in whole.tags
    picture = ElementTree.fromstring(svg_story(story))
    assert EVIL in "".join(picture.itertext())
    assert gif_story(story, size=64).startswith(b"GIF89a")


def test_values_of_the_page_are_those_of_the_analysis(duel: Record) -> None:
    analysis = analyse(duel, "optimal")
    _, data = parse(html_story(tell(duel, analysis)))
    for ply, row in zip(analysis.plies, data["frames"], strict=False):
        assert row["luck"] == pytest.approx(ply.luck, abs=1e-5)
        assert row["decision"] == pytest.approx(ply.decision, abs=1e-5)
        assert [move for move, _ in row["values"]] == [move for move, _ in ply.values]
    assert "luck" not in data["frames"][-1]


def test_a_gif_has_every_frame_in_its_time(duel: Record) -> None:
    story = tell(duel)
    image: Any = Image.open(io.BytesIO(gif_story(story, size=96, seconds=0.4)))
    times = []
    for number in range(image.n_frames):
        image.seek(number)
        times.append(image.info["duration"])
    passes = sum(frame.still for frame in story.frames)
    # A frame that is like the one before it only makes that one last longer.
    assert sum(times) == 400 * (len(story.frames) - passes - 1) + 200 * passes + 1600
    assert image.size[0] == 96 < image.size[1]
    last = np.asarray(image.convert("RGB"))[:96].astype(int)
    from sorry_env.render.rgb import paint

    wanted = paint(story.frames[-1].shapes, 96).astype(int)
    assert np.abs(last - wanted).mean() < 8, "the palette keeps the colours"


@pytest.mark.parametrize("settings", [{"size": 8}, {"seconds": 0.0}, {"seconds": float("nan")}])
def test_impossible_gifs(duel: Record, settings: dict[str, Any]) -> None:
    with pytest.raises(RequestError):
        gif_story(tell(duel), **settings)


def test_a_game_without_a_decision() -> None:
    """A record may end before anybody decided."""
    record = record_of("classic", 2, most=1)
    start = record.moves[0]["position"]
    empty = Record(record.header, [], {**record.end, "position": start, "plies": 0})
    analysis = analyse(empty, "greedy")
    assert analysis.plies == () and analysis.swings() == []
    story = tell(empty, analysis)
    assert len(story.frames) == 1
    assert "truncated after 0 decisions" in svg_story(story)
    parse(html_story(story))
    assert gif_story(story, size=32)


def test_an_analysis_of_another_game_is_refused(duel: Record) -> None:
    other = analyse(record_of("duel-1", seed=4), "optimal")
    with pytest.raises(RequestError, match="another game"):
        tell(duel, other)


def test_changes_in_words() -> None:
    assert change_words(0.1234, "chance") == "+12.3 %"
    assert change_words(-0.0001, "chance") == "0.0 %"
    assert change_words(-4.0, "steps") == "-4.0 steps"


def test_the_account_in_words(duel: Record) -> None:
    words = account_words(tell(duel, analyse(duel, "optimal")))
    assert words.startswith("Red: 50.2 % at first") and words.endswith("100.0 % at last.")
    assert account_words(tell(duel)) == ""


@pytest.mark.parametrize("name", ["story.html", "story.css", "story.js"])
def test_the_parts_of_the_page_are_in_the_package(name: str) -> None:
    import sorry_env.replay.html as html

    assert (Path(html.__file__).parent / "page" / name).is_file()


def test_control_characters_of_names_reach_no_file() -> None:
    record = record_of("duel-1", most=5)
    record.header["players"] = {"red": "\x1b[31mX\x07\u202e\x00", "yellow": "\ud800"}
    record.header["id"] = "duel-1 \x9b\x1b]0;"
    story = tell(record)
    ElementTree.fromstring(svg_story(story))
    for text in (svg_story(story), html_story(story)):
        text.encode("utf-8")
        assert all(c.isprintable() or c == "\n" for c in text)
        assert "\\x1b[31mX\\x07\\u202e\\x00" in text
