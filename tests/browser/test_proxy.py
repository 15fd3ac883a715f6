"""The page behind a proxy with a path prefix: a game from the first screen to its replay."""

from __future__ import annotations

import re
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import expect

from tests.browser.support import NewPage, Seat, Server
from tests.web.proxy import Location, Proxy
from tests.web.test_proxy import LOCATIONS


@pytest.mark.parametrize("kind", ["documented", "prefix on, Host of proxy_pass"])
def test_a_game_through_a_proxy(kind: str, new_page: NewPage, tmp_path: Path) -> None:
    text = LOCATIONS[kind]
    with Proxy(Location.read(text)) as proxy:
        name = urlsplit(proxy.address).netloc
        server = Server(tmp_path, "--root-path", "/sorry", "--allow-host", name)
        try:
            port = urlsplit(server.url).port
            proxy.location = Location.read(text.replace(":8000", f":{port}"))
            page = new_page()
            # Without its slash, as people type it.
            page.goto(proxy.page.removesuffix("/"))
            expect(page).to_have_url(re.compile(f"^{re.escape(proxy.page)}"))
            page.locator(".more summary").click()
            page.get_by_label("Seed").fill("11")
            page.get_by_role("button", name="Start the game").click()
            seat = Seat(page)
            seat.wait("deciding")
            ply = seat.ply
            seat.move_by_clicks()
            assert seat.ply > ply and len(seat.log()) > ply
            # Its own link opens it again, on another device.
            game = seat.game
            assert page.url.startswith(f"{proxy.page}#/game/{game}/")
            other = new_page()
            other.goto(page.url)
            again = Seat(other)
            again.wait("deciding", "waiting", "over")
            assert again.log() == seat.log()
            links = page.locator("input.link").all()
            assert all(link.input_value().startswith(proxy.page) for link in links)
            page.goto(f"{proxy.page}#/replay/{game}")
            page.wait_for_selector(".table.replay")
            page.goto(f"{proxy.page}#/games")
            expect(page.locator(f'a[href*="{game}"]').first).to_be_visible()
            # Before the server ends, of which they would complain.
            other.close()
            page.close()
        finally:
            server.kill()
