"""Single moves of the classic game by clicks, in positions made for them. Ends worked by hand."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.support import Seat, Server

SEVEN = "classic 30,12,rS,rS/-/yS,yS,yS,yS/- r move 7 5.4.4.4.4.3.4.4.4.4.4 - -"
ELEVEN = "classic 12,rS,rS,rS/-/40,yS,yS,yS/- r move 11 5.4.4.4.4.4.4.4.3.4.4 - -"
SORRY = "classic rS,rS,rS,rS/-/40,yS,yS,yS/- r move S 5.4.4.4.4.4.4.4.4.4.3 - -"
#: An 11 from 12 counts to 23, where yellow stands: to bump it or to change places with it.
BOTH = "classic 12,rS,rS,rS/-/23,yS,yS,yS/- r move 11 5.4.4.4.4.4.4.4.3.4.4 - -"


@pytest.fixture
def sit(page: Page, server: Server) -> Seat:
    return Seat(page)


def open_position(seat: Seat, server: Server, position: str) -> None:
    """A game of two people from a position; forced moves wait for a click, yellow never answers."""
    both = {"red": "person", "yellow": "person"}
    game = server.new_game(players=both, position=position, forced=False)
    seat.page.goto(server.link(game, "red"))
    assert seat.wait() == "deciding"


@pytest.mark.parametrize(
    ("first", "then"),
    [(("30", "33"), ("12", "16")), (("12", "16"), ("30", "33"))],
    ids=["leader first", "leader last"],
)
def test_a_split_seven_takes_two_clicks_each_way(
    sit: Seat, server: Server, first: tuple[str, str], then: tuple[str, str]
) -> None:
    open_position(sit, server, SEVEN)
    assert sit.places("pawn") == ["12", "30"]
    sit.pick(first[0])
    assert first[1] in sit.places("target")
    sit.pick(first[1])
    left = 4 if first[0] == "30" else 3
    expect(sit.page.locator(".left-words")).to_contain_text(f"{left} left of the 7")
    sit.picture(f"split-{left}-left")
    # Only the other pawn can go on, so its square is offered at once.
    assert sit.places("target") == [then[1]]
    sit.pick(then[1])
    sit.page.wait_for_selector('.log-line[data-ply="0"]', state="attached")
    assert sit.log()[0] == "7:30-33,12-16"
    # 16 is the triangle of blue's short slide, which ends on 19.
    assert sit.pawns()["Red"] == "0 Home, 2 in Start, on square 33 and square 19."


def test_the_first_half_of_a_split_can_be_taken_back(sit: Seat, server: Server) -> None:
    open_position(sit, server, SEVEN)
    sit.pick("30")
    sit.pick("33")
    sit.page.keyboard.press("Escape")
    expect(sit.page.locator(".left-words")).to_have_count(0)
    assert sit.places("pawn") == ["12", "30"]
    sit.pick("12")
    sit.pick("19")  # all seven with one pawn
    sit.page.wait_for_selector('.log-line[data-ply="0"]', state="attached")
    assert sit.log()[0] == "7:12-19"


def test_a_switch(sit: Seat, server: Server) -> None:
    open_position(sit, server, ELEVEN)
    sit.pick("12")
    assert sit.places("target") == ["23", "40"]
    sit.pick("40")
    sit.page.wait_for_selector('.log-line[data-ply="0"]', state="attached")
    assert sit.log()[0] == "11:12x40"
    assert sit.pawns()["Red"] == "0 Home, 3 in Start, on square 40."


def test_two_moves_to_one_square_are_asked_for_in_words(sit: Seat, server: Server) -> None:
    open_position(sit, server, BOTH)
    sit.pick("12")
    sit.pick("23")
    choices = sit.page.locator(".choices .choice")
    assert sorted(choices.evaluate_all("list => list.map((b) => b.dataset.move)")) == [
        "11:12-23", "11:12x23",
    ]  # fmt: skip
    sit.page.locator('.choice[data-move="11:12-23"]').click()
    sit.page.wait_for_selector('.log-line[data-ply="0"]', state="attached")
    assert sit.log()[0] == "11:12-23"


def test_sorry(sit: Seat, server: Server) -> None:
    open_position(sit, server, SORRY)
    sit.picture("sorry-card")
    sit.pick("rS")
    assert sit.places("target") == ["40"]
    sit.pick("40")
    sit.page.wait_for_selector('.log-line[data-ply="0"]', state="attached")
    assert sit.log()[0] == "S:rSx40"
    assert sit.pawns()["Red"] == "0 Home, 3 in Start, on square 40."
