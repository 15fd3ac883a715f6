"""The live line: reloading, several people, watching, a server that is killed and comes back."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.support import Ear, NewPage, Seat, Server

BOTH = {"red": "person", "yellow": "person"}


def test_reloading_goes_on_where_it_was(page: Page, server: Server) -> None:
    game = server.new_game(seed=9)
    page.goto(server.link(game, "red"))
    seat = Seat(page)
    for _ in range(3):
        seat.wait()
        seat.move_by_clicks()
    seat.wait()
    before = (seat.ply, seat.pawns(), seat.log())
    page.reload()
    seat.wait()
    assert (seat.ply, seat.pawns(), seat.log()) == before
    seat.move_by_clicks()


def test_two_people_and_one_who_watches(new_page: NewPage, server: Server) -> None:
    start = "classic 30,12,rS,rS/-/40,yS,yS,yS/- r move 5 5.4.4.4.3.4.4.4.4.4.4 - -"
    game = server.new_game(players=BOTH, position=start, seed=2)
    red, yellow, watcher = (Seat(new_page()) for _ in range(3))
    red.page.goto(server.link(game, "red"))
    yellow.page.goto(server.link(game, "yellow"))
    watcher.page.goto(server.link(game))
    assert red.wait("deciding", "waiting") == "deciding"
    for other in (yellow, watcher):
        assert other.wait("deciding", "waiting") == "waiting"
    red.pick("12")
    red.pick("17")
    for seat in (red, yellow, watcher):
        seat.page.wait_for_selector('.log-line[data-ply="0"]', state="attached")
        assert seat.log()[0] == "5:12-17"
    expect(watcher.page.locator("[data-tool=undo]")).to_have_count(0)
    # What one takes back the other must allow.
    red.page.get_by_role("button", name="Take back").click()
    yellow.page.get_by_role("button", name="Take them back").click()
    for seat in (red, yellow, watcher):
        seat.page.wait_for_selector('.table[data-ply="0"]')


def test_links_for_the_others_are_shown_to_who_makes_the_game(page: Page, server: Server) -> None:
    page.goto(server.url)
    page.locator("#seat-yellow").select_option("person")
    page.get_by_role("button", name="Start the game").click()
    box = page.get_by_role("dialog")
    expect(box).to_contain_text("Invite the others")
    link = box.get_by_label("Play Yellow: link").input_value()
    assert link.startswith(f"{server.url}/#/game/")
    Seat(page).picture("invite")
    box.get_by_role("button", name="Close").click()
    page.goto(link)
    expect(page.locator(".player", has_text="Yellow")).to_contain_text("you")


def test_a_killed_server_loses_nothing(
    new_page: NewPage, ears: list[Ear], tmp_path_factory: pytest.TempPathFactory
) -> None:
    server = Server(tmp_path_factory.mktemp("killed"))
    try:
        page = new_page()
        game = server.new_game(seed=9)
        page.goto(server.link(game, "red"))
        seat = Seat(page)
        for _ in range(4):
            seat.wait()
            seat.move_by_clicks()
        seat.wait()
        before = (seat.ply, seat.pawns(), seat.log())
        server.kill()
        expect(page.locator(".connection")).to_be_visible()
        seat.picture("line-broken")
        server.start()
        expect(page.locator(".connection")).to_be_hidden()
        seat.wait()
        assert (seat.ply, seat.pawns(), seat.log()) == before
        seat.move_by_clicks()
        seat.wait()
        ears[-1].forgive_refusals()
    finally:
        server.kill()


def test_a_wrong_secret_and_a_game_that_is_none(page: Page, server: Server) -> None:
    game = server.new_game()
    page.goto(f"{server.url}/#/game/{game['game']}/not-the-secret")
    expect(page.locator("h1")).to_have_text("Not here")
    page.goto(f"{server.url}/#/nowhere")
    expect(page.locator("main")).to_contain_text("no such page")


def test_a_bot_takes_the_seat_of_somebody_away(
    new_page: NewPage, tmp_path_factory: pytest.TempPathFactory
) -> None:
    server = Server(tmp_path_factory.mktemp("away"), "--away", "1")
    try:
        game = server.new_game(players=BOTH, seed=9)
        red, yellow = (Seat(new_page()) for _ in range(2))
        red.page.goto(server.link(game, "red"))
        yellow.page.goto(server.link(game, "yellow"))
        red.wait("deciding", "waiting")
        yellow.wait("deciding", "waiting")
        offer = red.page.get_by_role("button", name="Let a bot play")
        expect(offer).to_have_count(0)
        yellow.page.close()
        expect(offer).to_have_count(1)
        red.picture("somebody-away")
        offer.click()
        expect(red.page.locator(".player", has_text="Yellow")).to_contain_text("greedy")
        for _ in range(3):
            if red.wait() == "deciding":
                red.move_by_clicks()
        red.page.close()
    finally:
        server.kill()
