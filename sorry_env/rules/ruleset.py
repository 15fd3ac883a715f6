"""What an edition of the game is: the frozen value `Ruleset`, checked when built.

Rules are data. Nothing below this module knows an edition by name: the engine compiles a `Ruleset`
into arrays (`engine/tables.py`), and a new edition is `dataclasses.replace(classic, ...)`.
Read `card.py` before and `editions.py` after this file.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, fields

from sorry_env.errors import RulesetError
from sorry_env.rules.card import MAX_COUNT, Card
from sorry_env.rules.seats import COLOURS

__all__ = ["DECKS", "MAX_CARDS", "MAX_HAND", "MAX_PAWNS", "NAME_FIELDS", "Card", "Ruleset"]

#: A ruleset has at most this many kinds of cards (the width of the deck in a game's record).
MAX_CARDS = 16
MAX_PAWNS = 4
MAX_HAND = 7

_STANDARD = (5, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4)
#: Decks by name; question cards are counted by a field of their own.
DECKS: dict[str, tuple[int, ...]] = {
    "standard": _STANDARD,
    "first_edition": (4,) * 11,
    "waddingtons": (5,) * 11,
    "infinite": _STANDARD,
    "bump_em": (4,) * 13,
}


@dataclass(frozen=True)
class Ruleset:
    """One edition of the game.

    edition:       name of the published edition this one is, or is derived from
    cards:         the kinds of cards in the ruleset's card order
    seat_counts:   how many seats may play
    deck:          a name of `DECKS`, or the counts per kind joined by dots; `infinite` draws
                   independently with the proportions of the standard deck (of other kinds of
                   cards: all alike)
    pawns:         pawns a colour has, 1 to 4
    on_circle:     how many of them begin on the circle (0 or 1: two never share a square)
    teams:         `none`; `four`: partners sit opposite, every seat an agent; `two`: the same with
                   one agent for both colours of a team
    switch_slides: which pawn slides after a switch: `mover`, `both` (the mover first) or `none`
    play_out:      go on until all but one colour have finished
    diamond:       the board shows a diamond before each circle (a drawing, it changes no move)
    slides:        (triangle, last square) offsets of a side's slides, every side alike; kept in
                   ascending order
    turbo:         pawns on corner squares are not bumped but move on to the next corner or Home
    hand:          cards in a player's hand, 0 to draw one a turn
    pawn_points:   points for a pawn Home, 0 for an edition without scores
    bonuses:       the winner's points if no opponent has a pawn Home, none has more than one, none
                   has more than two
    winner_counts: the winner's further pawn points: `opponents_not_home` or `opponents_home`
    questions:     how many question cards are in the deck
    answers:       who answers a question: `coin` (chance) or `player` (the one asked)
    p_yes:         chance that the coin says yes
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
    turbo: bool = False
    hand: int = 0
    pawn_points: int = 0
    bonuses: tuple[int, ...] = ()
    winner_counts: str = "opponents_not_home"
    questions: int = 0
    answers: str = "coin"
    p_yes: float = 0.5

    def __post_init__(self) -> None:
        if not isinstance(self.edition, str) or not re.fullmatch("[A-Za-z0-9_-]+", self.edition):
            self._refuse("edition", "letters, digits, - and _")
        self._check_choices()  # first: the deck's counts need a number of questions
        self._check_cards()
        self._check_slides()
        self._check_combination()

    # -- what follows from the fields ---------------------------------------------------------

    @property
    def counts(self) -> tuple[int, ...]:
        """Cards of each kind in the full deck, in card order (proportions if it is infinite)."""
        named = DECKS.get(self.deck)
        listed = sum(not (card.copies or card.question) for card in self.cards)
        if self.infinite and listed != len(_STANDARD):
            named = (4,) * listed
        return self._with_extras(named or tuple(int(n) for n in self.deck.split(".")))

    def _with_extras(self, counts: tuple[int, ...]) -> tuple[int, ...]:
        """Counts of the deck and, behind them, of the cards that it leaves out."""
        extras = [card for card in self.cards if card.copies or card.question]
        return (*counts, *(self.questions if c.question else c.copies for c in extras))

    @property
    def infinite(self) -> bool:
        """Whether every draw is independent of the ones before."""
        return self.deck == "infinite"

    @property
    def tokens(self) -> bool:
        """Whether Fire and Ice are in play."""
        return any(card.ice or card.fire for card in self.cards)

    @property
    def seat_choices(self) -> tuple[int, ...]:
        """How many seats may play: all four with partners, else ``seat_counts``."""
        return self.seat_counts if self.teams == "none" else (4,)

    @property
    def card_names(self) -> tuple[str, ...]:
        """The card order as text."""
        return tuple(card.name for card in self.cards)

    @property
    def name(self) -> str:
        """Canonical text: the edition's name, and after `?` the fields that differ from it."""
        from sorry_env.rules.editions import find_edition, ruleset_name

        base = find_edition(self.edition)
        kept: tuple[Ruleset | None, str] | None = self.__dict__.get("_name")
        if kept is None or kept[0] is not base:  # its edition may have been registered since
            kept = base, ruleset_name(self)
            self.__dict__["_name"] = kept
        return kept[1]

    def __reduce__(self) -> tuple[object, ...]:
        # An edition of one's own goes along, so that the name means the same where this is read.
        from sorry_env.rules.editions import registered, restore_ruleset

        base = registered(self.edition)
        return restore_ruleset, (_values(self), None if base is None else _values(base))

    def __str__(self) -> str:
        return self.name

    # -- checks -------------------------------------------------------------------------------

    def _refuse(self, field: str, wanted: str) -> None:
        value = getattr(self, field)
        shown = repr(value)
        if field == "cards" and all(isinstance(card, Card) for card in self.cards):
            shown = " ".join(self.card_names) or "()"
        raise RulesetError(f"ruleset {self.edition}: {field}={shown} must be {wanted}", value=value)

    def _check_cards(self) -> None:
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
        written = ".".join(str(int(part)) for part in self.deck.split(".") if part.isdigit())
        if self.deck not in DECKS and self.deck != written:
            self._refuse("deck", "counts without leading zeros")
        # One deck, one text: counts that have a name are known by it.
        for name, named in DECKS.items():
            if self._with_extras(named) == counts and not self.infinite:
                object.__setattr__(self, "deck", name)
                break

    def _check_choices(self) -> None:
        for field in ("play_out", "diamond", "turbo"):
            if type(getattr(self, field)) is not bool:
                self._refuse(field, "true or false")
        for field, choices in (
            ("teams", ("none", "four", "two")),
            ("switch_slides", ("mover", "both", "none")),
            ("winner_counts", ("opponents_not_home", "opponents_home")),
            ("answers", ("coin", "player")),
        ):
            if getattr(self, field) not in choices:
                self._refuse(field, "one of " + ", ".join(choices))
        for field, low, high in (
            ("pawns", 1, MAX_PAWNS),
            ("hand", 0, MAX_HAND),
            ("pawn_points", 0, 1000),
            ("questions", 0, MAX_COUNT),
        ):
            value = getattr(self, field)
            if type(value) is not int or not low <= value <= high:
                self._refuse(field, f"an int from {low} to {high}")
        if type(self.on_circle) is not int or self.on_circle not in (0, 1):
            self._refuse("on_circle", "0 or 1 (two pawns never share a square)")
        bonuses = self.bonuses
        if (
            type(bonuses) is not tuple
            or len(bonuses) not in (0, 3)
            or not _all_ints(bonuses, range(1001))
        ):
            self._refuse("bonuses", "none, or three ints from 0 to 1000")
        if type(self.p_yes) is not float or not 0 <= self.p_yes <= 1:
            self._refuse("p_yes", "a number from 0 to 1")
        counts, allowed = self.seat_counts, range(1, len(COLOURS) + 1)
        if type(counts) is not tuple or not counts or not _all_ints(counts, allowed):
            self._refuse("seat_counts", f"one or more numbers from 1 to {len(COLOURS)}")
        object.__setattr__(self, "seat_counts", tuple(sorted(set(counts))))

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
        # One board, one text, in whatever order its slides were given.
        object.__setattr__(self, "slides", tuple(sorted(self.slides)))

    def _check_combination(self) -> None:
        partners = self.teams != "none"
        if partners and 4 not in self.seat_counts:
            self._refuse("teams", "none where four seats cannot play")
        asks = any(card.question for card in self.cards)
        extra = [bool(card.copies or card.question) for card in self.cards]
        if extra != sorted(extra):
            self._refuse(
                "cards", "in such an order that those with copies, and questions, are last"
            )
        moods = any(card.mood for card in self.cards)
        if moods and (partners or self.hand or self.tokens or self.turbo):
            self._refuse("cards", "without moods for partners, hands, tokens or turbo squares")
        if self.questions and not asks:
            self._refuse("questions", "0 without a question card")
        if self.teams == "two" and self.hand:
            self._refuse("hand", "0 where one agent plays two colours: it would hold two hands")
        if asks and (partners or self.hand or self.tokens or 1 in self.seat_counts):
            self._refuse("cards", "without questions for partners, hands, tokens or a single seat")
        if any(card.repeat for card in self.cards) and (partners or self.hand):
            self._refuse("cards", "without a repeated take for partners or hands")
        if self.tokens and (partners or self.hand):
            self._refuse(
                "cards", "without Fire and Ice for partners or hands: a draw sets them off"
            )
        splits = any(card.split for card in self.cards)
        if self.turbo and (partners or self.tokens or self.slides or splits):
            self._refuse("turbo", "false with partners, tokens, slides or cards that are split")
        if self.hand:
            if self.infinite:
                self._refuse("deck", "a deck that ends: hands are dealt from it")
            need = self.hand * max(self.seat_choices) + 1
            if sum(self.counts) < need:
                self._refuse("hand", f"smaller: {need} cards are needed, the deck has fewer")
        if self.bonuses and not self.pawn_points:
            self._refuse("bonuses", "none without points for pawns")
        if self.pawn_points and self.play_out:
            self._refuse("play_out", "false where points are counted: the first to finish ends it")
        if self.play_out and partners:
            self._refuse("play_out", "false when partners play: a team finishes together")
        if self.play_out and 1 in self.seat_counts:
            self._refuse("play_out", "false where a single seat may play: there is nobody to rank")


def _values(ruleset: Ruleset) -> dict[str, object]:
    return {field.name: getattr(ruleset, field.name) for field in fields(ruleset)}


def _all_ints(values: Iterable[object], allowed: range) -> bool:
    return all(type(value) is int and value in allowed for value in values)


#: The fields a derived name may set, each with how its text is read.
NAME_FIELDS: tuple[str, ...] = tuple(
    sorted(f.name for f in fields(Ruleset) if f.name not in ("edition", "cards", "seat_counts"))
)
