"""A match to a target score on the page: chosen, played over two rounds, its score in sight."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.browser.support import NewPage, Seat, Server


def score(page: Page) -> dict[str, float]:
    """The points in the match as the list of players has them."""
    rows = page.locator(".player").all()
    return {
        row.locator("b").first.inner_text(): float(row.locator(".score").inner_text().split()[0])
        for row in rows
    }


def test_two_rounds_with_a_watcher(new_page: NewPage, server: Server) -> None:
    page, watching = new_page(), new_page(viewport={"width": 375, "height": 700})
    page.goto(f"{server.url}/#/")
    page.get_by_label("Game", exact=True).select_option("classic")
    expect(page.locator("#target")).to_have_count(0)
    page.get_by_label("Game", exact=True).select_option("points")
    page.locator("#target").fill("500")
    page.get_by_text("Options and house rules").click()
    page.get_by_label("pawns of each colour").fill("1")
    page.get_by_label("pawns of each colour").press("Tab")
    Seat(page).picture("match-setup")
    page.locator("#start").click()
    seat = Seat(page)
    seat.wait()
    first = seat.game
    watching.goto(f"{server.url}/#/game/{first}")
    Seat(watching).wait("waiting", "deciding", "over")
    expect(page.locator(".match-words")).to_have_text(
        "Round 1 of a match to 500: Red 0 and Yellow 0."
    )
    assert score(page) == {"Red": 0, "Yellow": 0}
    seat.play_by_clicks()
    after = score(page)
    assert sorted(after.values()) == [0, 110]
    expect(watching.get_by_role("button", name="Next round")).to_have_count(0)
    seat.picture("match-round-over")
    page.get_by_role("button", name="Next round").click()
    for one in (page, watching):
        one.wait_for_url(f"**/#/game/{first}-2**")
        expect(one.locator(".match-words")).to_contain_text("Round 2 of a match to 500")
        assert score(one) == after, "nobody comes Home in the first turn"
    seat.wait()
    seat.picture("match-second-round")
    Seat(watching).picture("match-phone")
    # As if the page were opened anew: the seat is still ours.
    page.reload()
    seat.wait()
    seat.play_by_clicks()
    assert sum(score(page).values()) == 220
    page.goto(f"{server.url}/#/games")
    expect(page.locator(".game-about", has_text="round 2 to 500 points")).to_have_count(1)
