"""The facts of the game as plain data: colours, squares, decks and editions.

First file of the reference; ``board.py`` comes after it.

A square is the text that the formats use for it: ``"0"`` ... ``"59"`` on the outer track, and
``"rS"``, ``"r1"`` ... ``"r5"``, ``"rH"`` for Red's Start, safety zone and Home.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction

# Clockwise order of the colours, of their sides of the board and of the turns.
COLOURS = ("r", "b", "y", "g")
NAMES = {"r": "red", "b": "blue", "y": "yellow", "g": "green"}
LETTERS = {name: letter for letter, name in NAMES.items()}
SIDE = {"r": 0, "b": 1, "y": 2, "g": 3}

CARDS = ("1", "2", "3", "4", "5", "7", "8", "10", "11", "12", "S")  # S: Sorry!

OUTER = tuple(str(number) for number in range(60))
OUTER_SET = frozenset(OUTER)


def side_square(colour: str, offset: int) -> str:
    """Side s owns the outer squares 15*s ... 15*s+14, numbered clockwise."""
    return OUTER[15 * SIDE[colour] + offset]


START = {colour: colour + "S" for colour in COLOURS}
HOME = {colour: colour + "H" for colour in COLOURS}
# The entry is the last outer square before the safety zone; the circle is where pawns come out.
ENTRY = {colour: side_square(colour, 2) for colour in COLOURS}
CIRCLE = {colour: side_square(colour, 4) for colour in COLOURS}


@dataclass(frozen=True)
class Slide:
    """A slide of one colour: its squares in order, from the triangle to the last one."""

    colour: str
    squares: tuple[str, ...]


# Every side has a short slide on its squares 1-4 and a long one on its squares 9-13.
# The key is the triangle, the square where the slide starts.
SLIDES: dict[str, Slide] = {}
for _colour in COLOURS:
    for _first, _last in ((1, 4), (9, 13)):
        _squares = tuple(side_square(_colour, offset) for offset in range(_first, _last + 1))
        SLIDES[_squares[0]] = Slide(_colour, _squares)


def _most_advanced_first(colour: str) -> tuple[str, ...]:
    """Home, safety 5..1, the outer track from the entry back to the circle, diamond, Start.

    The place in this list is also the number of steps to Home for a pawn on the board: Home 0,
    safety five 1, ... safety one 5, entry 6, ... circle 64, diamond 65.
    """
    outer = [str((15 * SIDE[colour] + 2 - back) % 60) for back in range(60)]
    safety = [f"{colour}{number}" for number in (5, 4, 3, 2, 1)]
    assert outer[58] == CIRCLE[colour] and outer[59] == side_square(colour, 3)
    return (HOME[colour], *safety, *outer, START[colour])


ADVANCE = {
    colour: {square: place for place, square in enumerate(_most_advanced_first(colour))}
    for colour in COLOURS
}


# Decks: how many of each card, in the order of CARDS.
STANDARD = (5, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4)
DECKS = {
    "standard": STANDARD,
    "first_edition": (4,) * 11,
    "waddingtons": (5,) * 11,
    "infinite": STANDARD,  # the proportions; nothing is ever used up
}


# Cards that only one edition has; B is Bump, Q a question.
BUMP_EM_CARDS = ("1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12", "B")
OWN_CARDS = {"not-sorry": ("Q",), "way-sorry": ("HAPPY", "PUNISH", "BUDDY", "BULLY", "WAY")}


@dataclass(frozen=True)
class Ruleset:
    """One edition. The fields from ``deck`` on can be changed in a derived name."""

    base: str
    seat_counts: tuple[int, ...] = (2, 3, 4)
    teams: bool = False
    two_agents: bool = False
    on_circle: int = 0  # pawns of each colour that begin on its circle
    draw_again: tuple[str, ...] = ("2",)
    deck: str = "standard"
    hand: int = 0  # cards in each player's hand; 0: a card is drawn and played
    pawns: int = 4
    play_out: bool = False
    switch_slides: str = "mover"
    winner_counts: str = "opponents_not_home"
    questions: int = 0  # question cards, besides those of the deck
    answers: str = "coin"
    p_yes: str = "0.5"

    @property
    def cards(self) -> tuple[str, ...]:
        """The cards of the edition in their fixed order: the classic ones, then its own."""
        if self.base == "bump-em":
            return BUMP_EM_CARDS
        return (*CARDS, *OWN_CARDS.get(self.base, ()))

    @property
    def deck_counts(self) -> dict[str, int]:
        """How many of each card the whole deck has (for infinite: the proportions)."""
        deck = self.deck
        if self.base == "bump-em" and self.infinite:
            deck = BASES[self.base].deck
        counts = DECKS.get(deck) or tuple(int(part) for part in deck.split("."))
        if self.base == "not-sorry":
            counts = (*counts, self.questions)
        if self.base == "way-sorry":
            counts = (*counts, 2, 2, 2, 2, 1)
        return dict(zip(self.cards, counts, strict=True))

    @property
    def infinite(self) -> bool:
        """Whether every draw is independent of the ones before."""
        return self.deck == "infinite"

    @property
    def derivable(self) -> tuple[str, ...]:
        """The fields that a derived name may change, in alphabetical order."""
        everywhere = ("deck", "pawns", "play_out", "switch_slides")
        own: dict[str, tuple[str, ...]]
        own = {
            "fire-and-ice": (),
            "not-sorry": ("answers", "p_yes", "questions"),
            "bump-em": (),
            "way-sorry": (),
        }
        return tuple(sorted(everywhere + own.get(self.base, ("hand", "winner_counts"))))

    @property
    def name(self) -> str:
        """The base's name, then the changed fields in alphabetical order."""
        base = BASES[self.base]
        changed = []
        for field in self.derivable:
            value = getattr(self, field)
            if value != getattr(base, field):
                text = str(value).lower() if isinstance(value, bool) else str(value)
                changed.append(f"{field}={text}")
        return self.base + ("?" + "&".join(changed) if changed else "")


BASES = {
    rules.base: rules
    for rules in (
        Ruleset("classic"),
        Ruleset("first-edition", deck="first_edition"),
        Ruleset("waddingtons", deck="waddingtons"),
        Ruleset("quick", on_circle=1),
        Ruleset("points-1939", hand=5, winner_counts="opponents_home"),
        Ruleset("points", on_circle=1, hand=5),
        Ruleset("teams", seat_counts=(4,), teams=True),
        Ruleset("teams-two", seat_counts=(4,), teams=True, two_agents=True),
        Ruleset("fire-and-ice", draw_again=(), pawns=3),
        Ruleset("not-sorry", questions=8),
        Ruleset("bump-em", draw_again=("3",), deck=".".join(["4"] * 13)),
        Ruleset("way-sorry", draw_again=("2", "HAPPY", "PUNISH")),
        Ruleset("duel-1", seat_counts=(2,), pawns=1, deck="infinite"),
        Ruleset("duel-2", seat_counts=(2,), pawns=2, deck="infinite"),
        Ruleset("duel-3", seat_counts=(2,), pawns=3, deck="infinite"),
        Ruleset("solo", seat_counts=(1,), deck="infinite"),
    )
}

# Seats when none are named: two sit opposite, three are Red, Blue, Yellow, solo is Red.
DEFAULT_SEATS = {1: ("r",), 2: ("r", "y"), 3: ("r", "b", "y"), 4: ("r", "b", "y", "g")}

CHOICES = {
    "answers": ("coin", "player"),
    "pawns": ("1", "2", "3", "4"),
    "play_out": ("true", "false"),
    "switch_slides": ("mover", "both", "none"),
    "winner_counts": ("opponents_home", "opponents_not_home"),
}


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit()


def _deck_value(base: Ruleset, text: str) -> str:
    """A named deck, or counts in card order; counts that a named deck has get its name.

    The counts are those of the classic cards; an edition's own cards come on top. ``bump-em`` has
    a card order of its own and none of the named decks.
    """
    own_order = base.base == "bump-em"
    if text in DECKS and (not own_order or text == "infinite"):
        return text
    parts = text.split(".")
    length = len(base.cards) if own_order else len(CARDS)
    if len(parts) != length or not all(_is_number(part) for part in parts):
        raise ValueError(f"no such deck: {text!r}")
    counts = tuple(int(part) for part in parts)
    if sum(counts) == 0:
        raise ValueError("a deck needs a card")
    for name in ("standard", "first_edition", "waddingtons"):
        if counts == DECKS[name]:
            return name
    return ".".join(str(count) for count in counts)


def _chance(text: str) -> str:
    """A number from 0 to 1 in shortest decimal form."""
    whole, _, decimals = text.partition(".")
    if not _is_number(whole) or not _is_number(decimals or "0") or not 0 <= Fraction(text) <= 1:
        raise ValueError(f"no chance: {text!r}")
    decimals = decimals.rstrip("0")
    return f"{int(whole)}.{decimals}" if decimals else str(int(whole))


def _field_value(base: Ruleset, field: str, text: str) -> object:
    """Read one field of a derived name."""
    if field not in base.derivable:
        raise ValueError(f"no such field of {base.base}: {field!r}")
    if field == "deck":
        return _deck_value(base, text)
    if field in ("hand", "questions") and _is_number(text):
        return int(text)
    if field == "p_yes":
        return _chance(text)
    if text in CHOICES.get(field, ()):
        if field == "pawns":
            return int(text)
        return text == "true" if field == "play_out" else text
    raise ValueError(f"no such value: {field}={text}")


def read_ruleset(name: str) -> Ruleset:
    """The edition that a name means: ``classic`` or ``classic?pawns=2&play_out=true``."""
    base, question, rest = name.partition("?")
    if base not in BASES:
        raise ValueError(f"no such ruleset: {base!r}")
    if not question:
        return BASES[base]
    changes: dict[str, object] = {}
    for pair in rest.split("&"):
        field, _, text = pair.partition("=")
        if field in changes:
            raise ValueError(f"field named twice: {field}")
        changes[field] = _field_value(BASES[base], field, text)
    return replace(BASES[base], **changes)  # type: ignore[arg-type]
