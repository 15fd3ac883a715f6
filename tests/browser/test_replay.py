"""Replaying: a game of the server from the list, a record file, the value curve."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from sorry_env.game import Game
from sorry_env.notation.record import Recorder, write_record
from tests.browser.support import Ear, Seat, Server

BOTS = {"red": "greedy", "yellow": "random"}


@pytest.fixture(scope="module")
def record_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A classic game of three, each move the first of its list."""
    game = Game("classic", 3, seed=21)
    players = {"red": "a", "blue": "b", "yellow": "c"}
    recorder = Recorder(game, players, seed=21, name="three")
    while not game.over:
        move = game.legal_moves()[0]
        recorder.decision(move)
        game.play(move)
    file = tmp_path_factory.mktemp("records") / "game.jsonl"
    with file.open("w") as out:
        write_record(recorder.finish(), out)
    return file


def shown(page: Page) -> int:
    """How many moves have been played in what is shown."""
    return int(page.locator(".slider").input_value())


def test_a_record_file_step_by_step(page: Page, server: Server, record_file: Path) -> None:
    lines = record_file.read_text().splitlines()
    plies = len(lines) - 2
    page.goto(f"{server.url}/#/replay")
    page.locator("#record-file").set_input_files(record_file)
    page.wait_for_selector(".replay")
    assert shown(page) == 0
    page.get_by_role("button", name="A move on").click()
    expect(page.locator(".slider")).to_have_value("1")
    page.keyboard.press("ArrowRight")
    expect(page.locator(".slider")).to_have_value("2")
    page.keyboard.press("ArrowLeft")
    assert shown(page) == 1
    # Any line of the log leads to the position after its move.
    page.locator('.log-line[data-ply="40"] .log-pick').click()
    assert shown(page) == 41
    Seat(page).picture("replay")
    page.get_by_role("button", name="To the end").click()
    assert shown(page) == plies
    expect(page.locator(".player.won")).to_have_count(1)
    page.get_by_role("button", name="To the beginning").click()
    page.get_by_role("button", name="Play", exact=True).click()
    expect(page.locator(".slider")).to_have_value(re.compile(r"[4-9]|\d\d+"))
    page.get_by_role("button", name="Pause").click()


def test_a_bad_record_is_refused_in_words(page: Page, ears: list[Ear], server: Server) -> None:
    page.goto(f"{server.url}/#/replay")
    page.get_by_label("Record as text").fill('{"type":"game"}')
    page.get_by_role("button", name="Open").click()
    expect(page.locator(".toast.bad")).to_contain_text("line 1")
    ears[0].forgive_refusals()


def test_a_game_of_the_list_with_its_curve(page: Page, server: Server) -> None:
    game = server.new_game("duel-1", BOTS, seed=3)
    page.goto(f"{server.url}/#/games")
    row = page.locator(".game-row", has=page.locator(f'a[href="#/replay/{game["game"]}"]'))
    expect(row).to_contain_text(re.compile("(Red|Yellow) won"))
    Seat(page).picture("games")
    row.get_by_role("link", name="Replay").click()
    page.wait_for_selector(".replay")
    page.get_by_role("tab", name="Curve").click()
    page.get_by_role("button", name="Value the whole game").click()
    page.wait_for_selector(".swing")
    expect(page.locator(".curve")).to_have_count(1)
    Seat(page).picture("curve")
    page.locator(".swing").first.click()
    page.get_by_role("tab", name="Analysis").click()
    expect(page.locator(".candidates .played")).to_have_count(1)
    Seat(page).picture("replay-analysis")
