"""Hidden hands: on two devices each sees its own cards alone, on one screen they are covered."""

from __future__ import annotations

import json
from typing import Any

from playwright.sync_api import Page, WebSocket, expect

from tests.browser.support import NewPage, Seat, Server

BOTH = {"red": "person", "yellow": "person"}
#: Each has one pawn to bring Home, by a 5 in all or a 4 in all, which the first cards are not.
NEARLY = (
    "points rH,rH,rH,r1/-/yH,yH,yH,y2/- r move - 3.4.4.0.4.4.4.2.4.2.4"
    " 1.4.4.10.12/-/1.4.4.10.12/- -"
)


def frames_of(page: Page) -> list[Any]:
    """Everything that comes over the page's live lines, as objects; grows while it plays."""
    heard: list[Any] = []

    def listen(socket: WebSocket) -> None:
        socket.on("framereceived", lambda frame: heard.append(json.loads(frame)))

    page.on("websocket", listen)
    return heard


def test_two_devices_to_the_end_of_a_points_game(new_page: NewPage, server: Server) -> None:
    game = server.new_game("points", BOTH, seed=4)
    small = {"width": 960, "height": 600}  # is painted sooner
    pages = {seat: new_page(viewport=small) for seat in BOTH}
    heard = {seat: frames_of(page) for seat, page in pages.items()}
    seats = {}
    for seat, page in pages.items():
        page.goto(server.link(game, seat))
        seats[seat] = Seat(page)
        seats[seat].wait("deciding", "waiting")
        expect(page.locator(".hand-card")).to_have_count(5)
    seats["red"].picture("points-red")
    states: dict[str, str] = {}
    while set(states.values()) != {"over"}:
        for seat in BOTH:
            states[seat] = seats[seat].wait("deciding", "waiting", "over")
            if states[seat] == "deciding":
                seats[seat].move_by_clicks()
    expect(pages["yellow"].locator(".player.won")).to_have_count(1)
    expect(pages["red"].locator(".points")).to_have_count(2)
    seats["yellow"].picture("points-over")
    for mine, other in (("red", "yellow"), ("yellow", "red")):
        states_heard = [row["state"] for row in heard[mine] if "state" in row]
        assert len(states_heard) > 20
        assert all(state["hands"][mine] is not None for state in states_heard)
        running = [state for state in states_heard if not state["over"]]
        assert all(state["hands"][other] is None for state in running)


def test_cards_are_covered_where_two_share_a_screen(page: Page, server: Server) -> None:
    game = server.new_game("points", BOTH, position=NEARLY, seed=4)
    page.goto(server.link(game, *BOTH))
    seat = Seat(page)
    assert seat.wait("covered") == "covered"
    expect(page.locator(".hand-card")).to_have_count(0)
    expect(page.locator(".moves")).to_have_count(0)
    seat.picture("points-cover")
    first = page.locator(".player.active b").inner_text()
    page.get_by_role("button", name=f"I am {first}").click()
    expect(page.locator(".hand-card")).to_have_count(5)
    seat.wait("deciding")
    seat.move_by_clicks()
    while seat.wait("deciding", "covered") == "deciding":
        seat.move_by_clicks()  # a 2 plays again
    expect(page.locator(".hand-card")).to_have_count(0)
    seat.play_by_clicks()
