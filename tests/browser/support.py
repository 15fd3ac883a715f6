"""What the tests of the page share: a server of its own, and a person's hands on the page.

`Seat` does what a person does: look at what is offered, click pawns and squares. Read
`conftest.py` after this file.
"""

from __future__ import annotations

import json
import os
import random
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
#: After how many clicks a game is pictured.
PICTURED = 21

#: What a page must not say in its console: everything but plain logging.
_LOUD = ("error", "warning")
# Told by the browser itself when a server is away or refuses, which some tests are about.
_REFUSED = re.compile(r"WebSocket connection to .* failed|Failed to load resource")

Row = dict[str, Any]


class Server:
    """`sorry serve` as a process of its own on a free port, with a database of its own."""

    def __init__(self, folder: Path, *options: str) -> None:
        self._file = folder / "games.db"
        self._options = options
        self._port = 0
        self.url = ""
        self.start()

    def start(self) -> None:
        """Start it; a second time on the same port and the same games."""
        where = ["--port", str(self._port), "--db", str(self._file)]
        command = [*SORRY, "serve", "--no-browser", *where, *self._options]
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

    def forgive_refusals(self) -> None:
        """Forget what the browser itself said about a server that was away or refused."""
        self.complaints = [text for text in self.complaints if not _REFUSED.search(text)]


class Seat:
    """A person at a page with a game on it."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self._chance = random.Random(7)

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

    @property
    def game(self) -> str:
        """The game's name in its address."""
        return str(self.page.evaluate("location.hash.split('/')[2]"))

    def pick(self, place: str) -> None:
        """Click a pawn or a square that is offered."""
        self.page.locator(f'.pick[data-place="{place}"] .touch').click()

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
        """Make any move with the mouse: a pawn, a square, a die, a card, or words.

        Which of several is taken follows from the moves so far. Each click is the browser's own: it
        must arrive at what it was meant for, so whatever lies over that is found.
        """
        before = self.ply
        while self._click_next(before):
            pass

    def _click_next(self, before: int | None) -> bool:
        """Click what comes next, False where nothing does: see NEXT."""
        x, y = self.page.evaluate(NEXT, {"before": before, "chance": self._chance.random()})
        if x < 0:
            return False
        self.page.mouse.click(x, y)
        return True

    def play_by_clicks(self, name: str | None = None) -> None:
        """Play the game to its end with the mouse.

        name: of pictures, one on the way and, with `-over`, one of the end
        """
        self.wait("deciding", "covered", "waiting", "over")
        clicks = 0
        while self._click_next(None):
            clicks += 1
            if name and clicks == PICTURED:
                self.picture(name)
        if name:
            self.picture(f"{name}-over")

    def picture(self, name: str) -> None:
        """Put a picture of the whole page into the folder for pictures."""
        picture(self.page, name)


def picture(page: Page, name: str) -> None:
    """Put a picture of the page into the folder for pictures."""
    PICTURES.mkdir(parents=True, exist_ok=True)
    page.screenshot(path=PICTURES / f"{name}.png", animations="disabled")


#: Where to click next, once there is anything to click, for a move from the position at a ply:
#: (-1, -1) when another position is shown. Without a ply, for all moves to come: (-1, -1) when the
#: game is over. What ends a move comes before what begins one; `chance`, from 0 to 1, says which of
#: several. Fails where the last click went elsewhere.
NEXT = """
({ before, chance }) => new Promise((done, fail) => {
  const kinds = [
    '.cover button', '.pick.target', '.pick.pawn', '.choices .choice',
    '.spot-box.open, .dice-words .choice', '.die:enabled:not(.chosen)', '.hand-card:enabled',
  ];
  const told = (node) => node.outerHTML.slice(0, 200);
  const { aim } = window;
  if (aim && aim.went !== true && (aim.went || aim.one.isConnected)) {
    return fail(new Error(`a click meant for ${told(aim.one)} went to ${aim.went ?? 'nothing'}`));
  }
  window.aim = null;
  const until = performance.now() + 60000;
  const look = () => {
    const { ply, now } = document.querySelector('.table').dataset;
    const shown = before === null ? now === 'over' : Number(ply) !== before && now !== 'showing';
    if (shown) return done([-1, -1]);
    const offered = kinds.map((kind) => [...document.querySelectorAll(kind)]);
    const found = offered.find((nodes) => nodes.length);
    if (['deciding', 'covered'].includes(now) && found) {
      const one = found[Math.floor(chance * found.length)];
      one.scrollIntoView({ block: 'nearest' });
      const box = (one.querySelector('.touch') ?? one).getBoundingClientRect();
      const next = { one, went: null };
      window.aim = next;
      // Where a forced move was shown meanwhile, all has been drawn anew: then it is aimed again.
      const heard = (event) => {
        const there = event.isTrusted && one.contains(event.target);
        next.went = there || !one.isConnected || told(event.target);
      };
      document.addEventListener('click', heard, { capture: true, once: true });
      return done([box.x + box.width / 2, box.y + box.height / 2]);
    }
    if (performance.now() > until) return fail(new Error('nothing to click'));
    setTimeout(look, 5);
  };
  look();
})
"""

NewPage = Callable[..., Page]
