"""What an edition of the game is: the frozen values `Card` and `Ruleset`, checked when built.

Rules are data. Nothing below this module knows an edition by name: the engine compiles a `Ruleset`
into arrays (`engine/tables.py`), and a new edition is `dataclasses.replace(classic, ...)`.
Read `seats.py` before and `editions.py` after this file.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, fields
from functools import cached_property

from sorry_env.errors import RulesetError
from sorry_env.rules.seats import COLOURS

#: Steps from the own circle to Home, and from Home's first step before it: no card goes further.
MAX_STEPS = 64
#: A ruleset has at most this many kinds of cards (the width of the deck in a game's record).
MAX_CARDS = 16
#: At most this many cards of one kind (a record counts them in one signed byte).
MAX_COUNT = 100
MAX_PAWNS = 4

DECKS: dict[str, tuple[int, ...]] = {
    "standard": (5, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4),
    "first_edition": (4,) * 11,
    "waddingtons": (5,) * 11,
    "infinite": (5, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4),
}


@dataclass(frozen=True)
class Card:
    """What one kind of card can do. Every flag adds moves; a card that can do nothing is refused.

    name:     text of the card in moves and positions (no spaces)
    forward:  steps forward with one pawn, 0 for none
    backward: steps backward with one pawn, 0 for none
    start:    may take a pawn out of Start onto its circle
    split:    the forward steps may be divided between two pawns on the board
    switch:   may exchange an own pawn with an opponent's on the outer track (always optional)
    take:     may move a pawn from Start onto the square of an opponent's pawn
    again:    the seat draws again, even if the card could not be played
    """

    name: str
    forward: int = 0
    backward: int = 0
    start: bool = False
    split: bool = False
    switch: bool = False
    take: bool = False
    again: bool = False

    def __post_init__(self) -> None:
        if not (isinstance(self.name, str) and self.name.isascii() and self.name.isalnum()):
            raise RulesetError(
                f"card name {self.name!r} must be letters and digits only", value=self.name
            )
        for what in ("forward", "backward"):
            steps = getattr(self, what)
            if type(steps) is not int or not 0 <= steps <= MAX_STEPS - 5:
                raise RulesetError(
                    f"card {self.name}: {what}={steps!r} must be an int from 0 to {MAX_STEPS - 5}",
                    value=steps,
                )
        for flag in ("start", "split", "switch", "take", "again"):
            value = getattr(self, flag)
            if type(value) is not bool:
                raise RulesetError(
                    f"card {self.name}: {flag}={value!r} must be true or false", value=value
                )
        if self.forward and self.forward + self.backward == 60:
            raise RulesetError(
                f"card {self.name}: forward {self.forward} and backward {self.backward} reach the "
                "same square of the 60; they would be one move with two meanings",
                value=(self.forward, self.backward),
            )
        if self.split and self.forward < 2:
            raise RulesetError(
                f"card {self.name}: only a forward move of 2 or more can be split, not "
                f"{self.forward}",
                value=self.forward,
            )
        if not (self.forward or self.backward or self.start or self.switch or self.take):
            raise RulesetError(f"card {self.name} can do nothing", value=self.name)


@dataclass(frozen=True)
class Ruleset:
    """One edition of the game.

    edition:       name of the published edition this one is, or is derived from
    cards:         the kinds of cards in the ruleset's card order
    seat_counts:   how many seats may play
    deck:          a name of `DECKS`, or the counts per kind joined by dots; `infinite` draws
                   independently with the proportions of the standard deck
    pawns:         pawns a colour has, 1 to 4
    on_circle:     how many of them begin on the circle (0 or 1: two never share a square)
    teams:         `none`; `four`: partners sit opposite, every seat an agent; `two`: the same with
                   one agent for both colours of a team
    switch_slides: which pawn slides after a switch: `mover`, `both` (the mover first) or `none`
    play_out:      go on until all but one colour have finished
    diamond:       the board shows a diamond before each circle (a drawing, it changes no move)
    slides:        (triangle, last square) offsets of a side's slides, every side alike
    """

    edition: str
    cards: tuple[Card, ...]
    seat_counts: tuple[int, ...]
    deck: str = "standard"
    pawns: int = 4
    on_circle: int = 0
    teams: str = "none"
    switch_slides: str = "mover"
    play_out: bool = False
    diamond: bool = False
    slides: tuple[tuple[int, int], ...] = ((1, 4), (9, 13))

    def __post_init__(self) -> None:
        self._check_cards()
        self._check_choices()
        self._check_slides()
        self._check_combination()

    # -- what follows from the fields ---------------------------------------------------------

    @property
    def counts(self) -> tuple[int, ...]:
        """Cards of each kind in the full deck, in card order (proportions if it is infinite)."""
        if self.deck in DECKS:
            return DECKS[self.deck]
        return tuple(int(count) for count in self.deck.split("."))

    @property
    def infinite(self) -> bool:
        """Whether every draw is independent of the ones before."""
        return self.deck == "infinite"

    @property
    def card_names(self) -> tuple[str, ...]:
        """The card order as text."""
        return tuple(card.name for card in self.cards)

    @cached_property
    def name(self) -> str:
        """Canonical text: the edition's name, and after `?` the fields that differ from it."""
        from sorry_env.rules.editions import ruleset_name

        return ruleset_name(self)

    def __str__(self) -> str:
        return self.name

    # -- checks -------------------------------------------------------------------------------

    def _refuse(self, field: str, wanted: str) -> None:
        value = getattr(self, field)
        raise RulesetError(
            f"ruleset {self.edition}: {field}={value!r} must be {wanted}", value=value
        )

    def _check_cards(self) -> None:
        if not isinstance(self.edition, str) or not re.fullmatch("[A-Za-z0-9_-]+", self.edition):
            self._refuse("edition", "letters, digits, - and _")
        cards = self.cards
        if type(cards) is not tuple or not all(isinstance(card, Card) for card in cards):
            self._refuse("cards", "a tuple of cards")
        if not 1 <= len(cards) <= MAX_CARDS:
            self._refuse("cards", f"1 to {MAX_CARDS} kinds of cards")
        if len(set(self.card_names)) != len(self.cards):
            self._refuse("cards", "kinds of cards with different names")
        if not isinstance(self.deck, str) or self.deck not in DECKS:
            parts = self.deck.split(".") if isinstance(self.deck, str) else [""]
            if not all(part.isascii() and part.isdigit() and len(part) <= 3 for part in parts):
                names = ", ".join(DECKS)
                self._refuse("deck", f"one of {names}, or counts joined by dots")
        counts = self.counts
        if len(counts) != len(self.cards):
            self._refuse("deck", f"a deck of {len(self.cards)} kinds of cards, not {len(counts)}")
        if max(counts) > MAX_COUNT or sum(counts) == 0:
            self._refuse("deck", f"1 card or more in all and at most {MAX_COUNT} of a kind")
        if self.deck not in DECKS and self.deck != ".".join(map(str, counts)):
            self._refuse("deck", "counts without leading zeros")
        # One deck, one text: counts that have a name are known by it.
        for name, named in DECKS.items():
            if counts == named and not self.infinite:
                object.__setattr__(self, "deck", name)
                break

    def _check_choices(self) -> None:
        for field in ("play_out", "diamond"):
            if type(getattr(self, field)) is not bool:
                self._refuse(field, "true or false")
        for field, choices in (
            ("teams", ("none", "four", "two")),
            ("switch_slides", ("mover", "both", "none")),
        ):
            if getattr(self, field) not in choices:
                self._refuse(field, "one of " + ", ".join(choices))
        if type(self.pawns) is not int or not 1 <= self.pawns <= MAX_PAWNS:
            self._refuse("pawns", f"an int from 1 to {MAX_PAWNS}")
        if type(self.on_circle) is not int or self.on_circle not in (0, 1):
            self._refuse("on_circle", "0 or 1 (two pawns never share a square)")
        counts, allowed = self.seat_counts, range(1, len(COLOURS) + 1)
        if type(counts) is not tuple or not counts or not _all_ints(counts, allowed):
            self._refuse("seat_counts", f"one or more numbers from 1 to {len(COLOURS)}")

    def _check_slides(self) -> None:
        pairs = type(self.slides) is tuple and all(
            type(slide) is tuple and len(slide) == 2 and _all_ints(slide, range(15))
            for slide in self.slides
        )
        if not pairs or any(first >= last for first, last in self.slides):
            self._refuse("slides", "pairs of offsets 0 <= triangle < last square <= 14")
        taken = [o for first, last in self.slides for o in range(first, last + 1)]
        if len(set(taken)) != len(taken):
            self._refuse("slides", "slides that do not overlap")

    def _check_combination(self) -> None:
        if self.teams != "none" and self.seat_counts != (4,):
            self._refuse("seat_counts", "(4,) when partners play")
        if self.play_out and self.teams != "none":
            self._refuse("play_out", "false when partners play: a team finishes together")
        if self.play_out and 1 in self.seat_counts:
            self._refuse("play_out", "false where a single seat may play: there is nobody to rank")


def _all_ints(values: Iterable[object], allowed: range) -> bool:
    return all(type(value) is int and value in allowed for value in values)


#: The fields a derived name may set, each with how its text is read.
NAME_FIELDS: tuple[str, ...] = tuple(
    sorted(f.name for f in fields(Ruleset) if f.name not in ("edition", "cards", "seat_counts"))
)
