"""The bots that a server offers, by name: built-in and shipped ones, the `.onnx` files of a folder.

A client's text is looked up among these names and never given to `make_bot`, which would read files
and run commands. Read `../bots/registry.py` before and `analysis.py` after this file.
"""

from __future__ import annotations

import copy
import importlib.util
import os
import re
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from sorry_env.bots.base import Bot
from sorry_env.bots.learned import LearnedBot
from sorry_env.bots.shipped import shipped_folder, shipped_names
from sorry_env.bots.value import ValueBot
from sorry_env.errors import ModelError, RequestError
from sorry_env.families import BOARD, EXPRESS, Family, family_of
from sorry_env.server.session import Session

#: Bots of the board game that need no file, as `make_bot` knows them, in words.
BUILT_IN: Final = {
    "random": "any legal move",
    "greedy": "the move that gains most at once",
    "runner": "its foremost pawn as far as it can",
    "bumper": "sends back as many pawns as it can",
    "cautious": "as greedy, but shuns squares where it can be hit",
    "expectimax:depth=1": "the best position after its move",
    "expectimax:depth=2": "looks at every card and every reply",
    "mcts:sims=200": "plays on from each move two hundred times in its head",
    "optimal": "exactly the best, in the smallest rulesets",
}
#: Of these, the ones that play the dice game.
DICE_BOTS: Final = ("random", "greedy")
#: What tells more than how much it favours each move.
_TELLING: Final = ("expectimax:depth=1", "expectimax:depth=2", "mcts:sims=200", "optimal")
#: Files of the folder that are looked at, and the largest of them in bytes.
MOST_FILES: Final = 100
MAX_FILE: Final = 256 << 20
FILE: Final = "file:"
SHIPPED: Final = "best:"
_STEM: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")


@dataclass(frozen=True, eq=False)
class Offer:
    """A bot that is offered.

    name:     what clients call it
    words:    what it does, in one line
    rulesets: those that it is made for, or None for all that it can play
    families: `board`, `express`
    telling:  whether it knows how good positions or moves are
    path:     its file, if it has one
    """

    name: str
    words: str
    rulesets: tuple[str, ...] | None
    families: tuple[str, ...]
    telling: bool
    path: Path | None = None

    def row(self) -> dict[str, Any]:
        """The offer as JSON; the path stays here."""
        return {
            "name": self.name,
            "words": self.words,
            "rulesets": None if self.rulesets is None else list(self.rulesets),
            "families": list(self.families),
            "analysis": self.telling,
        }


class Roster:
    """The bots of one server. All methods may be called from any thread.

    folder: where `.onnx` files lie, which are offered as `file:NAME`; looked at anew when asked
    """

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = folder
        self._lock = threading.Lock()
        self._files: dict[Path, tuple[tuple[int, int], Offer | None, Bot | None]] = {}
        self._built: dict[tuple[str, str], Bot] = {}

    # -- what there is ------------------------------------------------------------------------

    def offers(self) -> list[Offer]:
        """All of them, built-in ones first; files that are no bots are left out."""
        rows = [
            Offer(
                name,
                words,
                BOARD.make_bot(name).rulesets if name == "optimal" else None,
                ("board", "express") if name in DICE_BOTS else ("board",),
                name in _TELLING,
            )
            for name, words in BUILT_IN.items()
        ]
        return rows + shipped_offers() + [offer for offer, _ in self._in_folder()]

    def offer(self, name: str) -> Offer:
        """The bot of this name; RequestError, saying what there is, for any other text."""
        offers = {offer.name: offer for offer in self.offers()}
        if name not in offers:
            raise RequestError(
                f"bot {name[:80]!r} is not offered here; offered are {', '.join(offers)}",
                value=name,
            )
        return offers[name]

    def _in_folder(self) -> Iterator[tuple[Offer, Bot]]:
        if self._folder is None:
            return
        try:
            paths = sorted(self._folder.glob("*.onnx"))[:MOST_FILES]
        except OSError:  # the folder has gone: so have its bots
            paths = []
        with self._lock:
            for path in paths:
                offer, bot = self._known_file(path)
                if offer is not None and bot is not None:
                    yield offer, bot

    def _known_file(self, path: Path) -> tuple[Offer | None, Bot | None]:
        """What is in a file, read once as long as it does not change."""
        try:
            about = path.stat()
        except OSError:  # it has just gone
            return None, None
        stamp = (about.st_mtime_ns, about.st_size)
        known = self._files.get(path)
        if known is None or known[0] != stamp:
            offer, bot = _read_file(path, about.st_size)
            known = self._files[path] = (stamp, offer, bot)
        return known[1], known[2]

    # -- bots to play with --------------------------------------------------------------------

    def make(self, name: str, ruleset: Any, seats: tuple[int, ...], seed: int) -> Bot:
        """A bot of one's own of this name for a game of these seats.

        Raises RequestError for a name that is not offered, and what the bot's check raises where it
        does not play this game.
        """
        family = family_of(ruleset)
        bot = copy.deepcopy(self._prototype(self.offer(name), family))
        bot.check(family.compile_rules(ruleset), seats)
        bot.reset(seed)
        return bot

    def _prototype(self, offer: Offer, family: Family) -> Bot:
        kind = "express" if family is EXPRESS else "board"
        if kind not in offer.families:
            raise RequestError(f"bot {offer.name} does not play this game", value=offer.name)
        if offer.path is not None:
            for other, bot in self._in_folder():
                if other.name == offer.name:
                    return bot
            raise RequestError(f"bot {offer.name} is no longer offered", value=offer.name)
        with self._lock:
            if (offer.name, kind) not in self._built:
                self._built[offer.name, kind] = family.make_bot(offer.name)
            return self._built[offer.name, kind]

    def session(self, name: str, seed: int) -> Session:
        """A session of the bot protocol with a bot of one's own."""
        offer = self.offer(name)
        if offer.path is None:
            return Session(offer.name, seed)
        bot = copy.deepcopy(self._prototype(offer, family_of((offer.rulesets or ("",))[0])))
        bot.name = offer.name
        return Session(bot, seed)

    def private(self, text: str) -> str:
        """A message without the paths of bots' files."""
        for folder in (self._folder, shipped_folder()):
            text = text if folder is None else text.replace(f"{folder}{os.sep}", "")
        return text


def shipped_offers() -> list[Offer]:
    """The bots that come with the project, by ruleset; none without onnxruntime."""
    if importlib.util.find_spec("onnxruntime") is None:
        return []
    counts: dict[str, list[str]] = {}
    for name in shipped_names():
        ruleset, _, count = name.rpartition("-")
        counts.setdefault(ruleset, []).append(count)
    return [
        Offer(
            f"{SHIPPED}{ruleset}",
            f"trained for {ruleset} with {' or '.join(several)} players",
            (ruleset,),
            ("express" if family_of(ruleset) is EXPRESS else "board",),
            True,
        )
        for ruleset, several in counts.items()
    ]


def _read_file(path: Path, size: int) -> tuple[Offer | None, Bot | None]:
    """The offer and the bot of a file; nothing where it is no bot."""
    if not _STEM.fullmatch(path.stem) or size > MAX_FILE or not path.is_file():
        return None, None
    for make in (LearnedBot, ValueBot):
        try:
            bot: Bot = make(path)
            rulesets = bot.rulesets or ()
        except ModelError:
            continue
        words = f"trained for {', '.join(rulesets)}"
        bot.name = f"{FILE}{path.stem}"
        kinds = {"express" if family_of(n) is EXPRESS else "board" for n in rulesets}
        return Offer(bot.name, words, rulesets, tuple(sorted(kinds)), True, path), bot
    return None, None
