"""Fields of cards and rulesets: what is refused when they are built, in words, and what is not."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from sorry_env.errors import RulesetError
from sorry_env.rules import Card, Ruleset, get_ruleset

CLASSIC = get_ruleset("classic")

# (fields of a card, what the message says, the offending value)
BAD_CARDS: list[tuple[dict[str, Any], str, Any]] = [
    ({"name": ""}, "letters and digits", ""),
    ({"name": "7 8"}, "letters and digits", "7 8"),
    ({"name": "?"}, "letters and digits", "?"),
    ({"name": "-"}, "letters and digits", "-"),
    ({"name": "7:"}, "letters and digits", "7:"),
    ({"name": 7}, "letters and digits", 7),
    ({"name": None}, "letters and digits", None),
    ({"forward": -1}, "forward=-1 must be an int from 0 to 59", -1),
    ({"forward": 60}, "forward=60 must be an int from 0 to 59", 60),
    ({"forward": 1.0}, "forward=1.0", 1.0),
    ({"forward": True}, "forward=True", True),
    ({"forward": "3"}, "forward='3'", "3"),
    ({"backward": -1}, "backward=-1 must be an int from 0 to 59", -1),
    ({"backward": 60}, "backward=60", 60),
    ({"forward": 50, "backward": 10}, "same square", (50, 10)),
    ({"forward": 1, "split": True}, "2 or more", 1),
    ({"forward": 0, "backward": 4, "split": True}, "2 or more", 0),
    ({"forward": 0}, "can do nothing", "X"),
    ({"forward": 0, "again": True}, "can do nothing", "X"),
    ({"start": 1}, "start=1 must be true or false", 1),
    ({"again": "yes"}, "again='yes' must be true or false", "yes"),
    # Flags whose moves would be written alike, or that no rule brings together.
    ({"forward": 0, "switch": True, "bully": True}, "switch and bully would be written alike", "X"),
    ({"buddy": True}, "buddy and steps would be written alike", "X"),
    ({"forward": 0, "backward": 4, "buddy": True}, "buddy and steps", "X"),
    ({"ice": True, "fire": True}, "ice and fire are of two cards", "X"),
    ({"question": True}, "a question card does nothing else", "X"),
    ({"forward": 0, "question": True, "ice": True}, "a question card does nothing else", "X"),
    ({"take": True, "repeat": True}, "repeat is for a card that only takes", "X"),
    ({"forward": 0, "take": True, "start": True, "repeat": True}, "repeat is for a card", "X"),
    ({"repeat": True}, "repeat is for a card that only takes", "X"),
    ({"forward": 1, "bully": True}, "bully and a single step would be named alike", "X"),
    ({"name": "home"}, "card name 'home' must be none of fire, ice, token", "home"),
]


@pytest.mark.parametrize(("given", "words", "value"), BAD_CARDS, ids=str)
def test_cards_that_are_refused(given: dict[str, Any], words: str, value: Any) -> None:
    with pytest.raises(RulesetError) as caught:
        Card(**{"name": "X", "forward": 3, **given})
    assert words in str(caught.value)
    assert caught.value.value == value


@pytest.mark.parametrize(
    "fields",
    [
        {"forward": 59},
        {"backward": 59},
        {"forward": 2, "split": True},
        {"start": True},
        {"switch": True},
        {"take": True, "again": True},
    ],
)
def test_cards_that_are_allowed(fields: dict[str, Any]) -> None:
    card = Card("X", **fields)
    assert card.name == "X"
    assert {name: getattr(card, name) for name in fields} == fields


WAY = get_ruleset("way-sorry")
REPEAT = replace(WAY, cards=tuple(card for card in WAY.cards if not card.mood))
ASK = Card("Q", question=True)
TOKENS = get_ruleset("fire-and-ice")

# (ruleset, what is changed, what the message says): cards that have no rule together.
BAD_MEETINGS: list[tuple[Ruleset, dict[str, Any], str]] = [
    (REPEAT, {"hand": 3}, "without a repeated take for partners or hands"),
    (REPEAT, {"teams": "four"}, "without a repeated take for partners or hands"),
    (TOKENS, {"cards": (*TOKENS.cards, ASK), "questions": 4}, "without questions for partners"),
    (TOKENS, {"hand": 3}, "without Fire and Ice for partners or hands"),
    (WAY, {"turbo": True, "slides": ()}, "without moods for partners, hands, tokens or turbo"),
    (CLASSIC, {"turbo": True, "slides": ()}, "false with partners, tokens, slides or cards that"),
]


@pytest.mark.parametrize(("base", "given", "words"), BAD_MEETINGS, ids=lambda v: str(v)[:40])
def test_cards_that_have_no_rule_together(base: Ruleset, given: Any, words: str) -> None:
    with pytest.raises(RulesetError) as caught:
        replace(base, **given)
    assert words in str(caught.value)
    assert any(f"{field}=" in str(caught.value) for field in ("cards", "turbo"))


def test_what_is_given_in_another_order_is_the_same_ruleset() -> None:
    turned = replace(CLASSIC, slides=((9, 13), (1, 4)), seat_counts=(4, 2, 3, 2))
    assert turned == CLASSIC and turned.name == "classic"
    assert get_ruleset("classic?slides=9-13.1-4").name == "classic"
    assert get_ruleset("classic?slides=5-8.0-3").name == "classic?slides=0-3.5-8"


NINE = tuple(Card(str(n), forward=n) for n in range(1, 10))

# (field, value, what the message says)
BAD_FIELDS: list[tuple[dict[str, Any], str]] = [
    ({"cards": ()}, "cards=() must be 1 to 16"),
    ({"cards": tuple(Card(f"X{n}", forward=1) for n in range(17))}, "1 to 16"),
    ({"cards": (Card("X", forward=1), Card("X", forward=2))}, "different names"),
    ({"cards": (1, 2)}, "cards=(1, 2) must be"),
    ({"cards": list(CLASSIC.cards)}, "must be"),
    ({"cards": NINE}, "9 kinds of cards"),
    ({"deck": "Standard"}, "deck='Standard' must be one of standard"),
    ({"deck": 45}, "deck=45"),
    ({"deck": None}, "deck=None"),
    ({"deck": ["standard"]}, "deck=['standard']"),
    ({"deck": (5, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4)}, "deck=(5,"),
    ({"pawns": 0}, "pawns=0 must be an int from 1 to 4"),
    ({"pawns": 5}, "pawns=5 must be an int from 1 to 4"),
    ({"pawns": 2.0}, "pawns=2.0"),
    ({"pawns": True}, "pawns=True"),
    ({"on_circle": -1}, "on_circle=-1 must be 0 or 1"),
    ({"on_circle": 2}, "on_circle=2 must be 0 or 1"),
    ({"teams": "red"}, "teams='red' must be one of none, four, two"),
    ({"teams": None}, "teams=None"),
    ({"hand": 8}, "hand=8 must be an int from 0 to 7"),
    ({"hand": True}, "hand=True"),
    ({"pawn_points": -1}, "pawn_points=-1 must be an int from 0 to 1000"),
    ({"pawn_points": 1001}, "from 0 to 1000"),
    ({"bonuses": (1, 2, 3)}, "none without points for pawns"),
    ({"bonuses": [1, 2, 3]}, "three ints"),
    ({"bonuses": (1, 2, 1001)}, "three ints from 0 to 1000"),
    ({"winner_counts": "home"}, "winner_counts='home' must be one of"),
    ({"questions": 1.0}, "questions=1.0 must be an int from 0 to 100"),
    ({"answers": None}, "answers=None must be one of coin, player"),
    ({"p_yes": 1}, "p_yes=1 must be a number from 0 to 1"),
    ({"p_yes": float("nan")}, "from 0 to 1"),
    ({"turbo": 1}, "turbo=1 must be true or false"),
    ({"switch_slides": "all"}, "switch_slides='all' must be one of mover, both, none"),
    ({"switch_slides": True}, "switch_slides=True"),
    ({"switch_slides": ["mover"]}, "switch_slides=['mover']"),
    ({"play_out": 1}, "play_out=1 must be true or false"),
    ({"play_out": "true"}, "play_out='true'"),
    ({"diamond": None}, "diamond=None must be true or false"),
    ({"seat_counts": ()}, "seat_counts=() must be"),
    ({"seat_counts": (0, 2)}, "seat_counts=(0, 2) must be one or more numbers from 1 to 4"),
    ({"seat_counts": (2, 5)}, "from 1 to 4"),
    ({"seat_counts": (2.0,)}, "from 1 to 4"),
    ({"seat_counts": 2}, "seat_counts=2"),
    ({"seat_counts": [2, 3]}, "seat_counts=[2, 3]"),
    ({"slides": ((4, 1),)}, "0 <= triangle < last square <= 14"),
    ({"slides": ((-1, 3),)}, "0 <= triangle"),
    ({"slides": ((9, 15),)}, "<= 14"),
    ({"slides": ((1, 4), (3, 9))}, "do not overlap"),
    ({"slides": ((1, 4, 9),)}, "slides=((1, 4, 9),)"),
    ({"slides": (1, 4)}, "slides=(1, 4)"),
    ({"slides": None}, "slides=None"),
    ({"slides": ((1.0, 4),)}, "slides=((1.0, 4),)"),
    ({"slides": [[1, 4]]}, "slides=[[1, 4]]"),
    ({"edition": 5}, "edition"),
    ({"edition": ""}, "edition"),
    ({"edition": "my game"}, "edition"),
    ({"edition": "my?game"}, "edition"),
]


@pytest.mark.parametrize(("given", "words"), BAD_FIELDS, ids=lambda v: str(v)[:50])
def test_fields_that_are_refused(given: dict[str, Any], words: str) -> None:
    with pytest.raises(RulesetError) as caught:
        replace(CLASSIC, **given)
    assert words in str(caught.value)
    if "cards" not in given:
        (value,) = given.values()
        assert caught.value.value is value
