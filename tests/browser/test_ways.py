"""Other ways to use the page: keyboard alone, a phone, a screen reader, dark, less movement."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.support import NewPage, Seat, Server, picture

START = "classic 30,12,rS,rS/-/40,yS,yS,yS/- r move 7 5.4.4.4.4.3.4.4.4.4.4 - -"
BOTH = {"red": "person", "yellow": "person"}

#: Buttons, links and fields that would be read out without a name.
NAMELESS = """
() => [...document.querySelectorAll('button, a, input, select, textarea, [role=button]')]
  .filter((node) => node.checkVisibility() && !(
    node.getAttribute('aria-label') || node.textContent.trim() || node.labels?.length))
  .map((node) => node.outerHTML.slice(0, 120))
"""


def tab_to(page: Page, selector: str, most: int = 60) -> None:
    """Press Tab until something that matches has the focus."""
    for _ in range(most):
        page.keyboard.press("Tab")
        if page.evaluate("s => document.activeElement.matches(s)", selector):
            return
    raise AssertionError(f"Tab does not reach {selector}")


def test_with_the_keyboard_alone(page: Page, server: Server) -> None:
    page.goto(server.url)
    page.wait_for_selector("#start")
    tab_to(page, "#ruleset")
    page.keyboard.press("q")  # quick: a pawn is on the way from the first card
    expect(page.locator("#ruleset")).to_have_value("quick")
    tab_to(page, "#start")
    page.keyboard.press("Enter")
    seat = Seat(page)
    seat.wait()
    for turn in range(6):
        if seat.wait() == "over":
            break
        before = seat.ply
        if turn % 2 and page.locator(".moves button").count():
            page.keyboard.press("1")
        else:
            for _ in range(4):
                target = ".pick.target, .choice, .pick.pawn"
                if page.locator(".pick.target").count():
                    target = ".pick.target"
                tab_to(page, target)
                page.keyboard.press("Enter")
                page.wait_for_timeout(30)
                if page.evaluate("document.querySelector('.table').dataset.now") != "deciding":
                    break
                if seat.ply != before:
                    break
        page.wait_for_selector(f'.table:not([data-ply="{before}"])')
    tab_to(page, "[role=tab]")
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("tab", name="Log")).to_be_focused()
    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_contain_text("play that move of the list")
    page.keyboard.press("Escape")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_page_fits_a_phone(scheme: str, new_page: NewPage, server: Server) -> None:
    phone = new_page(viewport={"width": 375, "height": 740}, color_scheme=scheme, has_touch=True)
    game = server.new_game(players=BOTH, position=START)
    points = server.new_game("points", BOTH, seed=4)
    express = server.new_game("express", {"0": "person", "1": "person"}, seed=1)
    bots = server.new_game(players={"red": "greedy", "yellow": "greedy"}, seed=8)
    pages = {
        "setup": (server.url, "#start"),
        "game": (server.link(game, "red"), ".pick"),
        "hand": (server.link(points, "red"), ".hand-card"),
        "dice": (server.link(express, "0"), ".die"),
        "games": (f"{server.url}/#/games", ".game-row"),
        "replay": (f"{server.url}/#/replay/{bots['game']}", ".slider"),
        "record": (f"{server.url}/#/replay", "textarea"),
    }
    for name, (address, selector) in pages.items():
        phone.goto(address)
        phone.wait_for_selector(selector)
        if name == "game":
            for tab in ("Log", "Analysis", "Game", "Moves"):
                phone.get_by_role("tab", name=tab).click()
                assert phone.evaluate("document.documentElement.scrollWidth") <= 375, (name, tab)
            phone.locator('.pick[data-place="12"] .touch').tap()
            phone.wait_for_selector(".pick.target")
        picture(phone, f"phone-{name}-{scheme}")
        assert phone.evaluate("document.documentElement.scrollWidth") <= 375, name
        assert phone.evaluate(NAMELESS) == [], name


def test_what_is_read_out(page: Page, server: Server) -> None:
    game = server.new_game(players=BOTH, position=START)
    page.goto(server.link(game, "red"))
    seat = Seat(page)
    seat.wait()
    live = page.locator("#live")
    expect(live).to_contain_text("7. Red to play: your decision")
    pawn = page.get_by_role("button", name="Red pawn on square 12")
    expect(pawn).to_have_count(1)
    pawn.press("Enter")
    target = page.get_by_role("button", name="to square 15, 3, then another pawn")
    target.press("Enter")
    expect(live).to_contain_text("4 left of the 7: choose another pawn")
    # The next thing to choose has the focus.
    page.keyboard.press("Enter")
    expect(live).to_contain_text("Red: move 4 from 30 to 34, then move 3 from 12 to 15.")
    assert page.evaluate(NAMELESS) == []


def test_each_colour_has_its_letter(page: Page, server: Server) -> None:
    people = dict.fromkeys(("red", "blue", "yellow", "green"), "person")
    game = server.new_game(players=people, seats=4)
    page.goto(server.link(game, "red"))
    Seat(page).wait("deciding", "waiting")
    for colour, letter in (("red", "R"), ("blue", "B"), ("yellow", "Y"), ("green", "G")):
        letters = page.locator(f".pawns .pawn-body.{colour} text").all_text_contents()
        assert letters == [letter] * 4


def test_in_the_dark_and_without_movement(new_page: NewPage, server: Server) -> None:
    dark = new_page({"speed": "slow"}, color_scheme="dark", reduced_motion="reduce")
    game = server.new_game("fire-and-ice", {"red": "person", "yellow": "greedy"}, seed=5)
    dark.goto(server.link(game, "red"))
    seat = Seat(dark)
    for _ in range(5):
        seat.wait()
        seat.move_by_clicks()
    seat.wait()
    seat.picture("dark-fire-and-ice")
    ground = dark.evaluate("getComputedStyle(document.documentElement).backgroundColor")
    assert sum(int(n) for n in ground[4:-1].split(",")) < 150


def test_pawns_walk_square_by_square(new_page: NewPage, server: Server) -> None:
    page = new_page({"speed": "normal"})
    start = "classic 30,12,rS,rS/-/40,yS,yS,yS/- r move 5 5.4.4.4.3.4.4.4.4.4.4 - -"
    game = server.new_game(players=BOTH, position=start, forced=False)
    page.goto(server.link(game, "red"))
    seat = Seat(page)
    seat.wait()
    page.evaluate(
        """() => {
          window.seen = new Set();
          const look = () => {
            for (const node of document.querySelectorAll('.pawns .pawn-body.red')) {
              window.seen.add(node.getAttribute('transform'));
            }
            requestAnimationFrame(look);
          };
          look();
        }"""
    )
    seat.pick("30")
    seat.pick("35")
    page.wait_for_selector('.log-line[data-ply="0"]', state="attached")
    seat.wait("waiting")
    # Many places on the way, not just the two ends.
    assert page.evaluate("window.seen.size") > 15


@pytest.mark.parametrize("ruleset", ["first-edition", "bump-em"])
def test_the_boards_are_those_of_the_other_pictures(
    ruleset: str, page: Page, server: Server
) -> None:
    page.goto(server.url)
    page.wait_for_selector("#start")
    board = server.ask(f"/api/board?ruleset={ruleset}")
    ours = page.evaluate(
        """async (name) => {
          const { gridLayout } = await import('/static/geometry.js');
          const { leafLayout } = await import('/static/leaf.js');
          const { rulesets } = await import('/static/api.js');
          const facts = (await rulesets()).find((one) => one.name === name);
          return (facts.turbo ? leafLayout : gridLayout)(facts, 0);
        }""",
        ruleset,
    )
    close = pytest.approx
    for mine, theirs in zip(ours["tiles"], board["squares"], strict=True):
        assert mine["at"] == close(theirs["at"], abs=1e-3)
    for colour, name in enumerate(("red", "blue", "yellow", "green")):
        for mine, theirs in zip(ours["lanes"][colour], board["safety"][name], strict=True):
            assert mine["at"] == close(theirs["at"], abs=1e-3)
        for nests in ("starts", "homes"):
            assert ours[nests][colour]["at"] == close(board[nests][name]["centre"], abs=1e-3)
    slides = [(slide["colour"], slide["squares"]) for slide in ours["slides"]]
    names = ["red", "blue", "yellow", "green"]
    assert slides == [(names.index(s["seat"]), s["squares"]) for s in board["slides"]]
    assert ours["diamonds"] == board["diamonds"] and ours["turbos"] == board["turbos"]
