"""The page that `sorry replay --html` writes: stepped through by the keyboard, offline."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Browser, expect

from sorry_env.replay import analyse
from sorry_env.replay.html import html_story
from sorry_env.replay.story import change_words, tell
from tests.replay.support import record_of


def test_stepping_jumping_and_playing_by_keys(browser: Browser, tmp_path: Path) -> None:
    record = record_of("duel-1", seed=8)
    analysis = analyse(record, "optimal")
    story = tell(record, analysis)
    last = len(record.moves)
    file = tmp_path / "game.html"
    file.write_text(html_story(story), encoding="utf-8")
    context = browser.new_context(viewport={"width": 375, "height": 800}, offline=True)
    page = context.new_page()
    complaints: list[str] = []
    page.on("console", lambda message: complaints.append(message.text))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("request", lambda request: complaints.extend(
        [] if request.url == file.as_uri() else [request.url]))  # fmt: skip
    page.goto(file.as_uri())
    caption, slider = page.locator("#caption"), page.locator("#slider")
    expect(caption).to_contain_text(story.frames[0].words)
    page.keyboard.press("ArrowRight")
    expect(slider).to_have_value("1")
    page.keyboard.press("End")
    expect(caption).to_have_text(story.frames[-1].words)
    expect(page.locator("#board [data-part^=winner]")).to_have_count(1)
    page.keyboard.press("ArrowLeft")
    expect(caption).to_contain_text(story.frames[last - 1].words)
    draw = change_words(analysis.plies[-1].luck or 0.0, "chance")
    expect(page.locator("#remark")).to_contain_text(f"The draw: {draw}")
    swings = analysis.swings()
    assert page.locator("#swings button").count() == len(swings)
    lost = next(i for i, swing in enumerate(swings) if swing.kind == "decision")
    page.locator("#swings button").nth(lost).press("Enter")
    ply = swings[lost].ply
    expect(slider).to_have_value(str(ply.number))
    expect(page.locator("#moves tr.played")).to_contain_text(ply.move)
    expect(page.locator("#moves tr").first).to_contain_text(ply.values[0][0])
    page.locator("#log button").nth(8).press("Enter")
    expect(caption).to_contain_text(story.frames[8].words)
    page.locator("#first").press("Enter")
    page.locator("#speed").select_option("150")
    page.locator("#play").press("Enter")
    expect(page.locator("#play")).to_have_attribute("aria-label", "Pause")
    expect(caption).to_have_text(story.frames[-1].words, timeout=60_000)
    expect(page.locator("#play")).to_have_attribute("aria-label", "Play")
    assert page.evaluate("document.documentElement.scrollWidth") <= 375
    assert complaints == []
    context.close()
