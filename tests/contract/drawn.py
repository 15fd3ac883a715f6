"""Rulesets drawn at random, each described twice: for the engine and for the reference.

Both descriptions are built from the same drawn numbers; nothing of the engine's ruleset is read.
What the engine refuses is drawn again, and the refusal must name the field. Read
`tests/reference/rules_data.py` before this file.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from typing import Any

import yaml

from sorry_env.errors import RulesetError
from sorry_env.rules import Ruleset, register_ruleset
from sorry_env.rules.files import make_ruleset
from tests.cases import SEATINGS
from tests.reference import rules_data as theirs
from tests.reference.names import OWN

#: What kind of ruleset is drawn: one after the other, by the seed.
THEMES = ("plain", "teams", "hand", "tokens", "moods", "questions", "turbo")
#: One ruleset in so many leaves its theme alone and takes whatever is drawn.
WILD = 6
NAMES = (*(str(n) for n in range(1, 16)), "S", "B", "X", "Y", "LEAP", "BACK", "OUT", "SWAP")
CLASSIC_COUNTS = (5, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4)
NAMED_DECKS = {
    "standard": CLASSIC_COUNTS,
    "first_edition": (4,) * 11,
    "waddingtons": (5,) * 11,
    "bump_em": (4,) * 13,
}


FLAGS = (
    "start", "split", "switch", "take", "again", "ice", "fire", "question", "happy", "punish",
    "buddy", "bully", "repeat",
)  # fmt: skip


@dataclass
class DrawnCard:
    """A card's name, its steps, what it does besides, and its copies where the deck omits it."""

    name: str
    forward: int = 0
    backward: int = 0
    does: set[str] = field(default_factory=set)
    copies: int = 0

    def row(self) -> dict[str, Any]:
        """As in a ruleset's file; every flag, for the base may have a card of this name."""
        steps = {"forward": self.forward, "backward": self.backward, "copies": self.copies}
        return {"name": self.name, **steps, **{flag: flag in self.does for flag in FLAGS}}


@dataclass
class Drawn:
    """The numbers of a ruleset. ``fields`` are those of a file, cards and deck apart."""

    name: str
    fields: dict[str, Any]
    cards: list[DrawnCard]
    deck: str
    counts: list[int]  # of the cards that the deck counts

    def rows(self) -> dict[str, Any]:
        """The ruleset as the contents of a file."""
        cards = [card.row() for card in self.cards]
        return {"edition": self.name, "cards": cards, "deck": self.deck, **self.fields}

    def for_reference(self) -> theirs.Ruleset:
        """The same for the reference."""
        left = list(self.counts)
        effects = []
        for card in self.cards:
            count = card.copies or (self.fields["questions"] if "question" in card.does else None)
            count = left.pop(0) if count is None else count
            does = frozenset(card.does - {"again"})
            effects.append(theirs.Effect(card.name, count, card.forward, card.backward, does))
        taken: dict[str, Any] = {
            key: tuple(map(_tuple, value)) if isinstance(value, list) else value
            for key, value in self.fields.items()
            if key != "seat_counts"
        }
        taken["p_yes"] = f"{self.fields['p_yes']:g}"
        taken["slides"] = tuple(sorted(taken["slides"]))
        return theirs.Ruleset(
            self.name,
            seats_allowed=tuple(self.fields["seat_counts"]),
            draw_again=tuple(card.name for card in self.cards if "again" in card.does),
            effects=tuple(effects),
            deck="infinite" if self.deck == "infinite" else "own",
            **taken,
        )


def _tuple(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


def _cards(rng: random.Random, theme: str) -> list[DrawnCard]:
    """Four to twelve kinds of cards; with the first two every game comes to an end."""
    names = rng.sample(NAMES, rng.randint(4, 12))
    cards = [DrawnCard(names[0], 1, 0, {"start"}), DrawnCard(names[1], rng.randint(2, 3))]
    for name in names[2:]:
        card = DrawnCard(name)
        if rng.random() < 0.75:
            card.forward = rng.randint(1, 14)
        if rng.random() < 0.25:
            card.backward = rng.randint(1, 12)
        for word, chance in (
            ("start", 0.25), ("switch", 0.2), ("take", 0.2), ("again", 0.15),
        ):  # fmt: skip
            if rng.random() < chance:
                card.does.add(word)
        if card.forward > 1 and rng.random() < (0.3 if theme != "turbo" else 0.02):
            card.does.add("split")
        if not (card.forward or card.backward or card.does - {"again"}):
            card.does.add("take")
        cards.append(card)
    if rng.random() < 0.3:
        cards[1].does.add("again")
    _special_cards(rng, theme, cards)
    return cards


def _special_cards(rng: random.Random, theme: str, cards: list[DrawnCard]) -> None:
    """What the theme brings along, and now and then a card with copies of its own."""
    if theme == "tokens":
        some = rng.sample(cards, 3)
        some[0].does.add("ice")
        some[1].does.add("fire")
        some[2].does.add(rng.choice(["ice", "fire"]))
    if theme == "moods":
        for word in ("happy", "punish", "buddy", "bully"):
            if rng.random() < 0.8:
                words = {word, *(["again"] if rng.random() < 0.4 else [])}
                cards.append(DrawnCard(word.upper(), 0, 0, words, rng.randint(1, 4)))
        if rng.random() < 0.3:  # a card that moves, too
            rng.choice(cards[2:]).does.add(rng.choice(["happy", "punish", "bully"]))
    if theme in ("moods", "plain", "turbo") and rng.random() < 0.5:
        cards.append(DrawnCard("WAY", 0, 0, {"take", "repeat"}, rng.randint(1, 3)))
    if rng.random() < 0.3:
        cards.append(DrawnCard("MORE", rng.randint(4, 9), 0, set(), rng.randint(1, 5)))
    if theme == "questions":
        words = {"question", *(["again"] if rng.random() < 0.3 else [])}
        cards.append(DrawnCard("ASK", 0, 0, words))


def _slides(rng: random.Random) -> list[list[int]]:
    """None to three slides that do not overlap, in any order."""
    ends = sorted(rng.sample(range(15), 2 * rng.randint(0, 3)))
    slides = [[first, last] for first, last in zip(ends[::2], ends[1::2], strict=True)]
    rng.shuffle(slides)
    return slides


def draw(rng: random.Random, seed: int) -> Drawn:
    """The numbers of a ruleset; not all of them can be one."""
    theme, turn = THEMES[seed % len(THEMES)], seed // len(THEMES)
    wild = rng.randrange(WILD) == 0
    cards = _cards(rng, theme)
    listed = sum(not (card.copies or "question" in card.does) for card in cards)
    counts = [rng.randint(0, 6) for _ in range(listed)]
    counts[0], counts[1] = rng.randint(2, 6), rng.randint(2, 6)
    deck = ".".join(map(str, counts))
    if rng.random() < 0.2 and (theme != "hand" or wild):
        deck = "infinite"
        counts = list(CLASSIC_COUNTS) if listed == 11 else [4] * listed
    for known, numbers in NAMED_DECKS.items():
        if listed == len(numbers) and deck != "infinite" and rng.random() < 0.5:
            deck, counts = known, list(numbers)
    teams = "none"
    if theme == "teams":
        teams = ("four", "two")[turn % 2]
    elif theme == "hand" or wild:
        teams = rng.choice(["none", "none", "four"])
    scores = rng.random() < 0.4
    fields = {
        "seat_counts": sorted(rng.sample([1, 2, 3, 4], rng.randint(1, 3))),
        "pawns": rng.randint(1, 4),
        "on_circle": rng.randint(0, 1),
        "teams": teams,
        "switch_slides": rng.choice(["mover", "both", "none"]),
        "play_out": rng.random() < 0.3,
        "diamond": rng.random() < 0.5,
        "slides": [] if theme == "turbo" and not wild else _slides(rng),
        "turbo": theme == "turbo",
        "hand": 1 + turn % 7 if theme == "hand" else rng.choice([0, 3]) if wild else 0,
        "pawn_points": rng.randint(1, 9) if scores else 0,
        "bonuses": rng.choice([[], [30, 20, 10], [7, 7, 0]]) if scores else [],
        "winner_counts": rng.choice(["opponents_home", "opponents_not_home"]),
        "questions": rng.randint(1, 20) if theme == "questions" else 0,
        "answers": rng.choice(["coin", "player"]),
        "p_yes": rng.choice([0.0, 0.25, 0.5, 0.7, 1.0]),
    }
    if theme == "turbo" and rng.random() < 0.3:
        fields["hand"] = rng.randint(1, 3)
    return Drawn(f"drawn-{seed}", fields, cards, deck, counts)


#: Words of which a refusal must have one: fields of rulesets and of cards.
FIELDS = (
    "cards", "deck", "seat_counts", "pawns", "on_circle", "teams", "play_out", "slides", "turbo",
    "hand", "bonuses", "questions", "split", "ice", "fire", "repeat", "bully", "buddy", "switch",
    "forward",
)  # fmt: skip


@dataclass
class Pair:
    """A drawn ruleset that both sides know by the same name."""

    drawn: Drawn
    ruleset: Ruleset
    refused: list[str]

    @property
    def name(self) -> str:
        """The name of both."""
        return self.drawn.name

    @property
    def seatings(self) -> list[str]:
        """All seatings that the numbers allow."""
        fields = self.drawn.fields
        counts = [4] if fields["teams"] != "none" else fields["seat_counts"]
        return [seats for count in counts for seats in SEATINGS[count]]


def draw_pair(seed: int) -> Pair:
    """The ruleset of this seed, known to both sides by its name from now on.

    It goes through the text of a YAML file. ``refused`` are the messages for those drawn before.
    """
    rng = random.Random(f"drawn {seed}")
    refused: list[str] = []
    while True:
        drawn = draw(rng, seed)
        try:
            ruleset = register_ruleset(make_ruleset(yaml.safe_load(yaml.safe_dump(drawn.rows()))))
        except RulesetError as error:
            refused.append(error.message)
            continue
        OWN[drawn.name] = drawn.for_reference()
        return Pair(drawn, ruleset, refused)
