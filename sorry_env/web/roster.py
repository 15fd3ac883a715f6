"""The bots that a server offers, by name: built-in and shipped ones, the `.onnx` files of a folder.

A client's text is looked up among these names and never given to `make_bot`, which would read files
and run commands. Read `../bots/registry.py` before and `analysis.py` after this file.
"""

from __future__ import annotations

import copy
import importlib.util
import logging
import os
import re
import threading
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from sorry_env.bots.base import Bot
from sorry_env.bots.model_file import ModelFacts, read_facts
from sorry_env.bots.shipped import load_file, shipped_files, shipped_folder
from sorry_env.errors import RequestError, SorryError
from sorry_env.express.bots import BOTS as EXPRESS_BOTS
from sorry_env.families import BOARD, EXPRESS, Family, family_of
from sorry_env.server.session import Session
from sorry_env.terminal import terminal_text

_log = logging.getLogger(__name__)

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
#: What tells more than how much it favours each move.
_TELLING: Final = ("expectimax:depth=1", "expectimax:depth=2", "mcts:sims=200", "optimal")
#: Those that play with some numbers of seats alone: no published edition that is solved has teams.
_SEATS: Final = {"optimal": (1, 2)}
#: Files of the folder that are looked at, and the largest of them in bytes.
MOST_FILES: Final = 100
MAX_FILE: Final = 256 << 20
FILE: Final = "file:"
SHIPPED: Final = "best:"
#: Where `find_solution` says that a solution is kept.
_SOLUTION: Final = re.compile(r"(?<=keeps its solution in ).*\.npz")
_STEM: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")


@dataclass(frozen=True, eq=False)
class Offer:
    """A bot that is offered.

    name:     what clients call it
    words:    what it does, in one line
    rulesets: those that it is made for, or None for all that it can play
    seats:    numbers of seats that it plays with, or None for all that the ruleset has
    families: `board`, `express`
    telling:  whether it knows how good positions or moves are
    path:     its file, if it has one
    """

    name: str
    words: str
    rulesets: tuple[str, ...] | None
    seats: tuple[int, ...] | None
    families: tuple[str, ...]
    telling: bool
    path: Path | None = None

    def row(self) -> dict[str, Any]:
        """The offer as JSON; the path stays here."""
        return {
            "name": self.name,
            "words": self.words,
            "rulesets": None if self.rulesets is None else list(self.rulesets),
            "seats": None if self.seats is None else list(self.seats),
            "families": list(self.families),
            "analysis": self.telling,
        }


def _built_in(name: str, words: str) -> Offer:
    families = {"board": BOARD} | ({"express": EXPRESS} if name in EXPRESS_BOTS else {})
    made_for = [family.make_bot(name).rulesets for family in families.values()]
    known = [names for names in made_for if names is not None]
    rulesets = (
        tuple(one for names in known for one in names) if len(known) == len(made_for) else None
    )
    return Offer(name, words, rulesets, _SEATS.get(name), tuple(families), name in _TELLING)


class Roster:
    """The bots of one server. All methods may be called from any thread.

    folder: where `.onnx` files lie, which are offered as `file:NAME`; looked at anew when asked
    """

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = folder
        self._lock = threading.Lock()
        self._files: dict[Path, tuple[tuple[int, int], tuple[Offer, Bot] | None]] = {}
        self._too_many: list[str] = []
        self._built: dict[tuple[str, str], Bot] = {}

    # -- what there is ------------------------------------------------------------------------

    def offers(self) -> list[Offer]:
        """All of them, built-in ones first; each file that is no bot is named in a warning."""
        rows = [_built_in(name, words) for name, words in BUILT_IN.items()]
        return rows + shipped_offers() + [offer for offer, _ in self._in_folder()]

    def look(self) -> None:
        """Look into the folder, so that files which are no bots are named in warnings now."""
        for _ in self._in_folder():
            pass

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
            paths = sorted(self._folder.glob("*.onnx"))
        except OSError:  # the folder has gone: so have its bots
            paths = []
        with self._lock:
            self._warn_of_more([path.name for path in paths[MOST_FILES:]])
            for path in paths[:MOST_FILES]:
                known = self._known_file(path)
                if known is not None:
                    yield known

    def _warn_of_more(self, names: list[str]) -> None:
        if names and names != self._too_many:
            _log.warning("only %d bots of a folder are offered, not %s", MOST_FILES,
                         ", ".join(map(repr, names)))  # fmt: skip
        self._too_many = names

    def _known_file(self, path: Path) -> tuple[Offer, Bot] | None:
        """What is in a file, read once as long as it does not change; None where it is no bot."""
        try:
            about = path.stat()
            stamp = (about.st_mtime_ns, about.st_size)
        except OSError as error:  # it has just gone, or is a link to nothing
            stamp = (-1, error.errno or 0)
        known = self._files.get(path)
        if known is None or known[0] != stamp:
            try:
                found = _read_file(path)
            except SorryError as error:
                found = None
                reason = terminal_text(self.private(error.message))
                _log.warning("%r is not offered: %s", path.name, reason)
            known = self._files[path] = (stamp, found)
        return known[1]

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
        """A message without the paths of bots' files and of kept solutions."""
        for folder in (self._folder, shipped_folder()):
            text = text if folder is None else text.replace(f"{folder}{os.sep}", "")
        return _SOLUTION.sub("its folder", text)


def shipped_offers() -> list[Offer]:
    """The bots that come with the project, by ruleset; none without onnxruntime."""
    if importlib.util.find_spec("onnxruntime") is None:
        return []
    by_ruleset: dict[str, list[ModelFacts]] = {}
    for file in shipped_files()[0]:
        by_ruleset.setdefault(file.facts.account.ruleset, []).append(file.facts)
    return [_offer(f"{SHIPPED}{ruleset}", facts) for ruleset, facts in by_ruleset.items()]


def _offer(name: str, facts: Iterable[ModelFacts], path: Path | None = None) -> Offer:
    """The offer of one or several files for the same ruleset."""
    accounts = [one.account for one in facts]
    ruleset = accounts[0].ruleset
    seats = tuple(sorted({count for account in accounts for count in account.seat_counts}))
    words = f"trained for {ruleset} with {' or '.join(map(str, seats))} players"
    kind = "express" if family_of(ruleset) is EXPRESS else "board"
    return Offer(name, words, (ruleset,), seats, (kind,), True, path)


def _read_file(path: Path) -> tuple[Offer, Bot]:
    """The offer and the bot of a file; any SorryError says why it is not offered."""
    if not path.is_file():
        raise RequestError("it is no file", value=path.name)
    if not _STEM.fullmatch(path.stem):
        raise RequestError(
            "its name must be made of letters, digits, dots, hyphens and underscores, begin with a "
            "letter or a digit, and have at most 64 characters before .onnx",
            value=path.name,
        )
    if path.stat().st_size > MAX_FILE:
        raise RequestError(f"it has more than {MAX_FILE} bytes", value=path.name)
    facts = read_facts(path)
    bot = load_file(path)
    ruleset = facts.account.ruleset
    family = family_of(ruleset)
    # A file for rules that this server does not know, or knows otherwise, could never play here.
    bot.policy.check_fits(family.compile_rules(family.resolve(ruleset)))
    bot.name = f"{FILE}{path.stem}"
    return _offer(bot.name, [facts], path), bot
