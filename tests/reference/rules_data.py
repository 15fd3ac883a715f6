"""The facts of the game as plain data: colours, squares, decks and editions.

First file of the reference; ``names.py`` and ``board.py`` come after it.

A square is the text that the formats use for it: ``"0"`` ... ``"59"`` on the outer track, and
``"rS"``, ``"r1"`` ... ``"r5"``, ``"rH"`` for Red's Start, safety zone and Home.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

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
SLIDES = ((1, 4), (9, 13))


def slide_table(offsets: tuple[tuple[int, int], ...]) -> dict[str, Slide]:
    """The slides of all four sides; the key is the triangle, the square where the slide starts."""
    table = {}
    for colour in COLOURS:
        for first, last in offsets:
            squares = tuple(side_square(colour, offset) for offset in range(first, last + 1))
            table[squares[0]] = Slide(colour, squares)
    return table


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
MOODS = ("happy", "punish", "buddy", "bully")


@dataclass(frozen=True)
class Effect:
    """What a card of one's own does. ``does`` has words of the list below.

    start split switch take again ice fire question happy punish buddy bully repeat
    """

    card: str
    count: int  # in the whole deck (for infinite: the proportion)
    forward: int = 0
    backward: int = 0
    does: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Ruleset:
    """One edition. The fields from ``deck`` on can be changed in a derived name.

    A ruleset of one's own has ``effects``; then ``deck`` is only what its name says.
    """

    base: str
    seats_allowed: tuple[int, ...] = (2, 3, 4)
    draw_again: tuple[str, ...] = ("2",)
    effects: tuple[Effect, ...] = ()
    deck: str = "standard"
    answers: str = "coin"
    bonuses: tuple[int, ...] = ()  # if no opponent has more than 0, 1, 2 pawns Home
    diamond: bool = False  # drawn on the board; no rule depends on it
    hand: int = 0  # cards in each player's hand; 0: a card is drawn and played
    on_circle: int = 0  # pawns of each colour that begin on its circle
    p_yes: str = "0.5"
    pawn_points: int = 0  # for a pawn Home
    pawns: int = 4
    play_out: bool = False
    questions: int = 0  # question cards, besides those of the deck
    slides: tuple[tuple[int, int], ...] = SLIDES
    switch_slides: str = "mover"
    teams: str = "none"
    turbo: bool = False
    winner_counts: str = "opponents_not_home"

    @property
    def partners(self) -> bool:
        """Whether those who sit opposite play together."""
        return self.teams != "none"

    @property
    def two_agents(self) -> bool:
        """Whether one agent plays both colours of a team."""
        return self.teams == "two"

    @property
    def seat_counts(self) -> tuple[int, ...]:
        """How many may play; with partners all four do."""
        return (4,) if self.partners else self.seats_allowed

    @property
    def cards(self) -> tuple[str, ...]:
        """The cards of the edition in their fixed order: the classic ones, then its own."""
        if self.effects:
            return tuple(effect.card for effect in self.effects)
        if self.base == "bump-em":
            return BUMP_EM_CARDS
        return (*CARDS, *OWN_CARDS.get(self.base, ()))

    @property
    def deck_counts(self) -> dict[str, int]:
        """How many of each card the whole deck has (for infinite: the proportions)."""
        if self.effects:
            return {effect.card: effect.count for effect in self.effects}
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

    def that(self, word: str) -> tuple[str, ...]:
        """The cards with an effect that is more than a move: ``ice``, ``question``, moods ..."""
        if self.effects:
            return tuple(effect.card for effect in self.effects if word in effect.does)
        return PUBLISHED_EFFECTS.get(self.base, {}).get(word, ())

    @property
    def tokens(self) -> bool:
        """Whether Fire and Ice are in play."""
        return bool(self.that("ice") or self.that("fire"))

    @property
    def moods(self) -> bool:
        """Whether pawns can be happy or punished."""
        return any(self.that(word) for word in MOODS)

    @cached_property
    def name(self) -> str:
        """The base's name, then the changed fields in alphabetical order."""
        from .names import write_name

        return write_name(self)


# Which cards of the published editions do what no classic card does.
PUBLISHED_EFFECTS: dict[str, dict[str, tuple[str, ...]]] = {
    "fire-and-ice": {"ice": ("1",), "fire": ("2",)},
    "not-sorry": {"question": ("Q",)},
    "way-sorry": {
        "happy": ("HAPPY",), "punish": ("PUNISH",), "buddy": ("BUDDY",), "bully": ("BULLY",),
        "repeat": ("WAY",),
    },
}  # fmt: skip

LEAFLET_BONUSES, BONUSES_OF_1939 = (100, 50, 25), (24, 16, 8)

BASES = {
    rules.base: rules
    for rules in (
        Ruleset("classic"),
        Ruleset("first-edition", deck="first_edition", diamond=True),
        Ruleset("waddingtons", deck="waddingtons"),
        Ruleset("quick", on_circle=1),
        Ruleset(
            "points-1939", hand=5, pawn_points=1, bonuses=BONUSES_OF_1939,
            winner_counts="opponents_home",
        ),
        Ruleset("points", on_circle=1, hand=5, pawn_points=5, bonuses=LEAFLET_BONUSES),
        Ruleset("teams", seats_allowed=(4,), teams="four"),
        Ruleset("teams-two", seats_allowed=(4,), teams="two"),
        Ruleset("fire-and-ice", draw_again=(), pawns=3),
        Ruleset("not-sorry", questions=8),
        Ruleset("bump-em", draw_again=("3",), deck=".".join(["4"] * 13), slides=(), turbo=True),
        Ruleset("way-sorry", draw_again=("2", "HAPPY", "PUNISH")),
        Ruleset("duel-1", seats_allowed=(2,), pawns=1, deck="infinite"),
        Ruleset("duel-2", seats_allowed=(2,), pawns=2, deck="infinite"),
        Ruleset("duel-3", seats_allowed=(2,), pawns=3, deck="infinite"),
        Ruleset("solo", seats_allowed=(1,), deck="infinite"),
    )
}  # fmt: skip

# Seats when none are named: two sit opposite, three are Red, Blue, Yellow, solo is Red.
DEFAULT_SEATS = {1: ("r",), 2: ("r", "y"), 3: ("r", "b", "y"), 4: ("r", "b", "y", "g")}
