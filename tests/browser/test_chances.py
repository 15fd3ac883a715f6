"""The chances of four seats: a bar with a part for each, and a curve with a line for each."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.browser.support import NewPage, Seat, Server

#: Red and Blue are nearly Home, and Red has drawn a 3.
START = "classic rH,rH,rH,r4/bH,bH,b2,bS/yH,20,yS,yS/g3,gS,gS,gS r move 3 4.4.3.4.4.4.4.4.4.4.4 - -"


def test_a_part_of_the_bar_and_a_line_for_each_seat(new_page: NewPage, server: Server) -> None:
    page = new_page(likes={"bot": "best:classic", "analysis": True, "tab": "analysis"})
    players = dict.fromkeys(("red", "blue", "yellow", "green"), "greedy") | {"red": "person"}
    game = server.new_game("classic", players, position=START, forced=False, seed=6)
    page.goto(server.link(game, "red"))
    seat = Seat(page)
    seat.wait()
    gauge = page.get_by_role("img", name=re.compile("Chances to win"))
    expect(gauge).to_be_visible()
    label = gauge.get_attribute("aria-label") or ""
    told = re.findall(r"(Red|Blue|Yellow|Green) (<?)(\d+) %", label)
    assert [name for name, _, _ in told] == ["Red", "Blue", "Yellow", "Green"]
    assert sum(int(number) for _, less, number in told if not less) == pytest.approx(100, abs=2)
    parts = page.locator(".gauge .share")
    expect(parts).to_have_count(4)
    for part, (name, less, number) in zip(parts.all(), told, strict=True):
        text = part.inner_text()
        if not less and int(number) >= 8:
            assert text.split() == [name[0], number]
    boxes = [part.bounding_box() for part in parts.all()]
    heights = [box["height"] for box in boxes if box is not None]
    assert max(range(4), key=lambda n: heights[n]) == max(range(4), key=lambda n: int(told[n][2]))
    seat.picture("chances")
    page.set_viewport_size({"width": 375, "height": 700})
    seat.picture("chances-phone")
    page.set_viewport_size({"width": 1280, "height": 800})
    seat.play_by_clicks()
    page.get_by_role("link", name="Replay and analyse").click()
    page.wait_for_selector(".replay")
    page.get_by_role("tab", name="Curve").click()
    page.get_by_role("button", name="Value the whole game").click()
    page.wait_for_selector(".swing")
    lines = page.locator(".curve-box .curve")
    expect(lines).to_have_count(4)
    plies = int(page.locator(".slider").get_attribute("max") or 0)
    for line in lines.all():
        path = line.get_attribute("d") or ""
        assert len(path.split("L")) == plies + 1, "every position, and the end, is on every line"
    expect(page.locator(".curve-keys")).to_have_text("RedBlueYellowGreen")
    seat.picture("chances-curve")
