"""Whole games in the browser, every edition with the mouse."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from sorry_env.notation.record import read_records
from tests.browser.support import NewPage, Seat, Server


def test_a_whole_classic_game_from_the_first_screen(new_page: NewPage, server: Server) -> None:
    page = new_page(viewport={"width": 960, "height": 600})  # smaller is painted sooner
    page.goto(server.url)
    expect(page.locator("h1")).to_have_text("New game")
    page.locator(".more summary").click()
    page.get_by_label("Seed").fill("11")
    seat = Seat(page)
    seat.picture("setup")
    page.get_by_role("button", name="Start the game").click()
    seat.play_by_clicks("classic")
    expect(page.locator(".end-words")).to_have_text(re.compile("You win!|You lose this one."))
    # What the page has shown is what the record says, and the record is a legal game.
    text = server.ask(f"/api/games/{seat.game}/record")
    [record] = read_records(text.splitlines())
    assert [row["move"] for row in record.moves] == seat.log()
    winner = "Red" if record.end["returns"]["red"] > 0 else "Yellow"
    expect(page.locator(".player.won")).to_contain_text(winner)
    assert seat.pawns()[winner].startswith("4 Home")


EDITIONS = {
    "fire-and-ice": {"red": "person", "yellow": "greedy"},
    "not-sorry?answers=player": {"red": "person", "yellow": "greedy"},
    "bump-em": {"red": "person", "yellow": "greedy"},
    "way-sorry": {"red": "person", "yellow": "greedy"},
    "express": {"0": "person", "1": "greedy"},
}


@pytest.mark.parametrize("ruleset", EDITIONS)
def test_other_editions_to_the_end(ruleset: str, new_page: NewPage, server: Server) -> None:
    page = new_page(viewport={"width": 960, "height": 600})
    players = EDITIONS[ruleset]
    game = server.new_game(ruleset, players, seed=5)
    page.goto(server.link(game, next(iter(players))))
    seat = Seat(page)
    seat.play_by_clicks(ruleset.partition("?")[0])
    summary = server.ask(f"/api/games/{game['game']}")
    assert summary["over"] and summary["result"] == "win"
    assert len(seat.log()) == summary["plies"]


def test_teams_and_four_seats_on_one_screen(page: Page, server: Server) -> None:
    people = dict.fromkeys(("red", "blue", "yellow", "green"), "person")
    game = server.new_game("teams", people, seed=3)
    page.goto(server.link(game, *people))
    seat = Seat(page)
    for _ in range(4):
        assert seat.wait() == "deciding"
        seat.move_by_clicks()
    expect(page.locator(".player")).to_have_count(4)
    seat.picture("teams")


def test_watching_bots_at_a_chosen_speed(page: Page, server: Server) -> None:
    page.goto(server.url)
    page.locator("#seat-red").select_option("greedy")
    page.get_by_role("button", name="Start the game").click()
    seat = Seat(page)
    seat.wait("over")
    assert server.ask("/api/games?limit=1")["games"][0]["over"]
    expect(page.locator(".player.won")).to_have_count(1)


def test_take_back_and_hint(page: Page, server: Server) -> None:
    start = "classic 30,12,rS,rS/-/yS,yS,yS,yS/- r move 5 5.4.4.4.3.4.4.4.4.4.4 - -"
    game = server.new_game(position=start, seed=1)
    page.goto(server.link(game, "red"))
    seat = Seat(page)
    seat.wait()
    page.get_by_role("button", name="Hint").click()
    expect(page.locator(".toast")).to_contain_text("would move 5")
    expect(page.locator(".move.hinted")).to_have_count(1)
    seat.pick("12")
    seat.pick("17")
    page.wait_for_selector('.table:not([data-ply="0"])')
    seat.wait()
    page.get_by_role("button", name="Take back").click()
    page.wait_for_selector('.table[data-ply="0"]')
    assert seat.wait() == "deciding"
    assert seat.log() == []
    assert seat.pawns()["Red"] == "0 Home, 2 in Start, on square 30 and square 12."


def test_values_of_all_moves_and_chances(page: Page, server: Server) -> None:
    # Small enough to be solved: the bot that knows its values gives chances.
    start = "duel-1 12/-/40/- r move 10 * - -"
    game = server.new_game("duel-1", position=start)
    page.goto(server.link(game, "red"))
    seat = Seat(page)
    seat.wait()
    page.get_by_role("tab", name="Analysis").click()
    page.get_by_label("Analyse").check()
    page.get_by_label("Bot", exact=True).select_option("expectimax:depth=1")
    rows = page.locator(".candidates tbody tr")
    expect(rows).to_have_count(2)
    expect(rows.first).to_contain_text("move 10 from 12 to 22")
    seat.picture("analysis")
