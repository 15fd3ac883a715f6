"""What the tests of the page share: a server of its own, and a person's hands on the page.

`Seat` does what a person does: look at what is offered, click pawns and squares. Read
`conftest.py` after this file.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Any

from playwright.sync_api import ConsoleMessage, Locator, Page

#: `sorry` of the environment that runs the tests.
SORRY = [sys.executable, "-c", "import sys; from sorry_env.cli import main; sys.exit(main())"]
#: Where pictures of the pages are put, for a person to look at.
PICTURES = Path(os.environ.get("SCREENSHOTS", "out/screenshots"))

#: What a page must not say in its console: everything but plain logging.
_LOUD = ("error", "warning")
# Told by the browser when a server is away, which some tests are about.
_BROKEN_LINE = re.compile(r"WebSocket connection to .* failed|net::ERR_CONNECTION_REFUSED")

Row = dict[str, Any]


class Server:
    """`sorry serve` as a process of its own on a free port, with a database of its own."""

    def __init__(self, folder: Path) -> None:
        self._file = folder / "games.db"
        self._port = 0
        self.url = ""
        self.start()

    def start(self) -> None:
        """Start it; a second time on the same port and the same games."""
        command = [*SORRY, "serve", "--no-browser", "--port", str(self._port), "--db", str(self._file)]
        self._process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert self._process.stdout is not None
        for line in self._process.stdout:
            found = re.search(r"http://127\.0\.0\.1:(\d+)", line)
            if found:
                self._port = int(found[1])
                self.url = found[0]
                return
        raise AssertionError("sorry serve ended without telling where it listens")

    def kill(self) -> None:
        """End it without warning."""
        self._process.kill()
        self._process.wait()
        assert self._process.stdout is not None
        self._process.stdout.close()

    def ask(self, path: str, body: object = None) -> Any:
        """The answer to a GET, or to a POST of a body as JSON."""
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(
            f"{self.url}{path}", data=data, headers={"content-type": "application/json"}
        )
        try:
            with urllib.request.urlopen(request, timeout=30) as answer:
                text, kind = answer.read().decode(), answer.headers["content-type"]
        except urllib.error.HTTPError as error:
            raise AssertionError(f"{path}: {error.read().decode()}") from None
        return json.loads(text) if kind.startswith("application/json") else text

    def new_game(self, ruleset: str = "classic", players: Row | None = None, **fields: Any) -> Row:
        """Make a game; red is a person and yellow greedy unless said otherwise."""
        players = players or {"red": "person", "yellow": "greedy"}
        made: Row = self.ask("/api/games", {"ruleset": ruleset, "players": players, **fields})
        return made

    def link(self, game: Row, *seats: str) -> str:
        """The address of a game for those who sit on these seats; of a watcher without any."""
        secrets = ",".join(game["secrets"][seat] for seat in seats)
        return f"{self.url}/#/game/{game['game']}" + (f"/{secrets}" if secrets else "")


class Ear:
    """Hears what a page complains of."""

    def __init__(self, page: Page) -> None:
        self.complaints: list[str] = []
        page.on("console", self._console)
        page.on("pageerror", lambda error: self.complaints.append(f"error: {error}"))

    def _console(self, message: ConsoleMessage) -> None:
        if message.type in _LOUD:
            self.complaints.append(f"{message.type}: {message.text}")

    def forgive_broken_lines(self) -> None:
        """Forget what the browser itself said about a server that was away."""
        self.complaints = [text for text in self.complaints if not _BROKEN_LINE.search(text)]


class Seat:
    """A person at a page with a game on it."""

    def __init__(self, page: Page) -> None:
        self.page = page

    @property
    def table(self) -> Locator:
        """The game's section."""
        return self.page.locator("section.table")

    def wait(self, *states: str) -> str:
        """Wait until the game is in one of these states; which. By default: my turn, or over."""
        states = states or ("deciding", "over")
        self.page.wait_for_selector(", ".join(f'.table[data-now="{state}"]' for state in states))
        now = self.table.get_attribute("data-now")
        assert now is not None
        return now

    @property
    def ply(self) -> int:
        """How many decisions have been made."""
        return int(self.table.get_attribute("data-ply") or -1)

    def pick(self, place: str) -> None:
        """Click a pawn or a square that is offered."""
        self.page.locator(f'.pick[data-place="{place}"]').click(force=True)

    def places(self, kind: str) -> list[str]:
        """The places that are offered in a way: `pawn`, `target` or `chosen`."""
        nodes = self.page.locator(f".pick.{kind}").all()
        return sorted(node.get_attribute("data-place") or "" for node in nodes)

    def pawns(self) -> Row:
        """Where the pawns are, as the page tells people who cannot see it."""
        lines = self.page.locator(".table .side ul.sr li").all_text_contents()
        return {line.split(":")[0]: line.split(": ", 1)[1] for line in lines}

    def log(self) -> list[str]:
        """The texts of all moves so far."""
        return self.page.locator(".log-line code").all_text_contents()

    def move_by_clicks(self) -> None:
        """Make any move with the mouse: a pawn, a square, or words where there is no pawn."""
        before = self.ply
        for _ in range(6):
            # What there is to click first, last things first.
            for kind in (".pick.target", ".pick.pawn", ".choices .choice", ".hand-card:enabled"):
                found = self.page.locator(kind)
                if found.count():
                    found.first.click(force=True)
                    break
            if self.page.evaluate("document.querySelector('.table').dataset.now") != "deciding":
                break
        self.page.wait_for_function(
            "ply => Number(document.querySelector('.table').dataset.ply) > ply", arg=before
        )

    def picture(self, name: str) -> None:
        """Put a picture of the whole page into the folder for pictures."""
        picture(self.page, name)


def picture(page: Page, name: str) -> None:
    """Put a picture of the page into the folder for pictures."""
    PICTURES.mkdir(parents=True, exist_ok=True)
    page.screenshot(path=PICTURES / f"{name}.png", animations="disabled")


#: Plays whatever is offered until the game is over: clicks in the page, the way a person would.
#: Everything it touches is a button of the page; `choose` says which of several.
AUTOPLAY = """
async ({ limit }) => {
  const table = () => document.querySelector('.table');
  const kinds = [
    '.cover button', '.pick.target', '.pick.pawn', '.choices .choice',
    '.spot-box.open, .dice-words .choice', '.die:enabled', '.hand-card:enabled',
  ];
  let turn = 7;
  const random = (n) => { turn = (turn * 48271) % 2147483647; return turn % n; };
  const click = (node) => node.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true }));
  for (let n = 0; n < limit; n++) {
    if (table().dataset.now === 'over') return true;
    if (['deciding', 'covered'].includes(table().dataset.now)) {
      for (const kind of kinds) {
        const found = [...document.querySelectorAll(kind)];
        if (found.length) { click(found[random(found.length)]); break; }
      }
    }
    await new Promise((done) => setTimeout(done, 4));
  }
  return false;
}
"""


def play_to_the_end(page: Page, limit: int = 12_000) -> None:
    """Click through the rest of a game, whatever is offered."""
    assert page.evaluate(AUTOPLAY, {"limit": limit}), "the game did not end"


NewPage = Callable[..., Page]
