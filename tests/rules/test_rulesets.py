"""Rulesets: their names, what the published ones say, and every refusal in words."""

from __future__ import annotations

import copy
import pickle
from dataclasses import FrozenInstanceError, replace
from typing import Any

import pytest

from sorry_env.engine.tables import compile_rules
from sorry_env.errors import RulesetError
from sorry_env.rules import EDITIONS, RULESETS, Card, Ruleset, get_ruleset, resolve_ruleset
from sorry_env.rules.ruleset import DECKS, NAME_FIELDS
from tests.cases import DERIVED

CLASSIC = get_ruleset("classic")

# Section 6 of the rules: seats, pawns, pawns that begin on the circle, deck, teams.
EXPECTED = {
    "classic": ((2, 3, 4), 4, 0, "standard", "none"),
    "first-edition": ((2, 3, 4), 4, 0, "first_edition", "none"),
    "waddingtons": ((2, 3, 4), 4, 0, "waddingtons", "none"),
    "quick": ((2, 3, 4), 4, 1, "standard", "none"),
    "teams": ((4,), 4, 0, "standard", "four"),
    "teams-two": ((4,), 4, 0, "standard", "two"),
    "duel-1": ((2,), 1, 0, "infinite", "none"),
    "duel-2": ((2,), 2, 0, "infinite", "none"),
    "duel-3": ((2,), 3, 0, "infinite", "none"),
    "solo": ((1,), 4, 0, "infinite", "none"),
    "points-1939": ((2, 3, 4), 4, 0, "standard", "none"),
    "points": ((2, 3, 4), 4, 1, "standard", "none"),
    "fire-and-ice": ((2, 3, 4), 3, 0, "standard", "none"),
    "not-sorry": ((2, 3, 4), 4, 0, "standard", "none"),
    "bump-em": ((2, 3, 4), 4, 0, "bump_em", "none"),
    "way-sorry": ((2, 3, 4), 4, 0, "standard", "none"),
}
# Hand, points for a pawn, bonuses, and what else the winner's points are for.
POINTS = {
    "points": (5, 5, (100, 50, 25), "opponents_not_home"),
    "points-1939": (5, 1, (24, 16, 8), "opponents_home"),
}
# Sections 6.3 to 6.6: editions with cards of their own, and all cards of the deck.
OWN_CARDS = {"fire-and-ice": 45, "not-sorry": 45 + 8, "bump-em": 4 * 13, "way-sorry": 45 + 9}


def test_the_published_editions() -> None:
    assert set(EXPECTED) == set(RULESETS) == set(EDITIONS)
    for name, expected in EXPECTED.items():
        r = get_ruleset(name)
        assert (r.seat_counts, r.pawns, r.on_circle, r.deck, r.teams) == expected
        slides = () if name == "bump-em" else ((1, 4), (9, 13))
        assert (r.switch_slides, r.play_out, r.slides) == ("mover", False, slides)
        assert r.diamond == (name == "first-edition") and r.turbo == (name == "bump-em")
        points = (r.hand, r.pawn_points, r.bonuses, r.winner_counts)
        assert points == POINTS.get(name, (0, 0, (), "opponents_not_home"))
        assert (r.questions, r.answers, r.p_yes) == (8 if name == "not-sorry" else 0, "coin", 0.5)
        assert r.tokens == (name == "fire-and-ice")
        assert sum(r.counts) == OWN_CARDS.get(name, sum(r.counts))
        assert r.infinite == (r.deck == "infinite")


def test_the_cards() -> None:
    # Section 3: steps forward and back, out of Start, split, switch, take, again.
    table = {
        "1": (1, 0, "start"), "2": (2, 0, "start again"), "3": (3, 0, ""), "4": (0, 4, ""),
        "5": (5, 0, ""), "7": (7, 0, "split"), "8": (8, 0, ""), "10": (10, 1, ""),
        "11": (11, 0, "switch"), "12": (12, 0, ""), "S": (0, 0, "take"),
    }  # fmt: skip
    flags = ("start", "split", "switch", "take", "again")
    for card in CLASSIC.cards:
        forward, backward, words = table.pop(card.name)
        assert (card.forward, card.backward) == (forward, backward)
        assert {f for f in flags if getattr(card, f)} == set(words.split())
    assert not table
    assert {name for name in EXPECTED if EDITIONS[name].cards != CLASSIC.cards} == set(OWN_CARDS)
    assert EDITIONS["not-sorry"].card_names == (*CLASSIC.card_names, "Q")
    assert EDITIONS["bump-em"].card_names == (*map(str, range(1, 13)), "B")
    assert EDITIONS["fire-and-ice"].card_names == CLASSIC.card_names
    further = {"HAPPY": 2, "PUNISH": 2, "BUDDY": 2, "BULLY": 2, "WAY": 1}
    way = EDITIONS["way-sorry"]
    assert way.cards[:11] == CLASSIC.cards
    assert dict(zip(way.card_names[11:], way.counts[11:], strict=True)) == further


@pytest.mark.parametrize("name", [*EDITIONS, *(name for name, _ in DERIVED)])
def test_names_round_trip(name: str) -> None:
    ruleset = get_ruleset(name)
    assert ruleset.name == str(ruleset) == name
    assert get_ruleset(ruleset.name) == resolve_ruleset(ruleset) == resolve_ruleset(name) == ruleset
    assert pickle.loads(pickle.dumps(ruleset)) == copy.deepcopy(ruleset) == ruleset
    assert pickle.loads(pickle.dumps(compile_rules(name))) is compile_rules(name)


@pytest.mark.parametrize(
    ("given", "name"),
    [
        ("classic?pawns=4", "classic"),
        ("classic?play_out=false&pawns=4", "classic"),
        ("classic?play_out=true&pawns=2", "classic?pawns=2&play_out=true"),
        ("first-edition?deck=first_edition", "first-edition"),
        ("first-edition?diamond=false", "first-edition?diamond=false"),
        ("classic?switch_slides=both&deck=infinite", "classic?deck=infinite&switch_slides=both"),
        # Counts that have a name are known by it.
        ("classic?deck=5.4.4.4.4.4.4.4.4.4.4", "classic"),
        ("classic?deck=5.5.5.5.5.5.5.5.5.5.5", "classic?deck=waddingtons"),
        ("quick?on_circle=0", "quick?on_circle=0"),
        ("quick?on_circle=1", "quick"),
        ("classic?slides=1-4.9-13", "classic"),
        ("classic?slides=none", "classic?slides=none"),
        ("classic?slides=9-13", "classic?slides=9-13"),
        ("teams?teams=two", "teams?teams=two"),
        ("classic?teams=four", "classic?teams=four"),
        ("points?hand=5", "points"),
        ("points?pawns=2&hand=3", "points?hand=3&pawns=2"),
        ("points?bonuses=100.50.25&pawn_points=5", "points"),
        ("points?bonuses=none", "points?bonuses=none"),
        ("points?winner_counts=opponents_home", "points?winner_counts=opponents_home"),
        ("not-sorry?questions=8&p_yes=0.5&answers=coin", "not-sorry"),
        ("not-sorry?p_yes=0.25&answers=player", "not-sorry?answers=player&p_yes=0.25"),
        ("not-sorry?p_yes=1", "not-sorry?p_yes=1"),
        ("not-sorry?p_yes=0", "not-sorry?p_yes=0"),
        ("bump-em?turbo=false", "bump-em?turbo=false"),
    ],
)
def test_derived_names_are_canonical(given: str, name: str) -> None:
    ruleset = get_ruleset(given)
    assert ruleset.name == name
    assert get_ruleset(name) == ruleset and hash(get_ruleset(name)) == hash(ruleset)


# (name, what the message says, the offending value)
BAD_NAMES: list[tuple[Any, str, Any]] = [
    ("chess", "classic", "chess"),
    ("", "classic", ""),
    ("Classic", "classic", "Classic"),
    ("classic ", "classic", "classic "),
    (" classic", "classic", " classic"),
    ("classic?", "FIELD=VALUE", ""),
    ("classic?pawns", "FIELD=VALUE", "pawns"),
    ("classic?pawns=", "pawns", ""),
    ("classic?=2", "FIELD=VALUE", "=2"),
    ("classic?pawn=2", "pawns", "pawn=2"),
    ("classic?edition=quick", "FIELD=VALUE", "edition=quick"),
    ("classic?cards=1", "FIELD=VALUE", "cards=1"),
    ("classic?seat_counts=2", "FIELD=VALUE", "seat_counts=2"),
    ("classic?pawns=2&", "FIELD=VALUE", ""),
    ("classic?&pawns=2", "FIELD=VALUE", ""),
    ("classic?pawns=2&pawns=2", "twice", "pawns=2"),
    ("classic?pawns=2&pawns=3", "twice", "pawns=3"),
    ("classic?pawns=0", "from 1 to 4", 0),
    ("classic?pawns=5", "from 1 to 4", 5),
    ("classic?pawns=-1", "whole number", "-1"),
    ("classic?pawns=02", "whole number", "02"),
    ("classic?pawns=2.0", "whole number", "2.0"),
    ("classic?pawns=2 ", "whole number", "2 "),
    ("classic?pawns=two", "whole number", "two"),
    ("classic?pawns=²", "whole number", "²"),
    ("classic?pawns=\uff12", "whole number", "\uff12"),
    ("classic?pawns=" + "9" * 5000, "whole number", "9" * 5000),
    ("classic?play_out=yes", "true or false", "yes"),
    ("classic?play_out=True", "true or false", "True"),
    ("classic?play_out=1", "true or false", "1"),
    ("classic?switch_slides=all", "mover, both, none", "all"),
    ("classic?switch_slides=", "mover, both, none", ""),
    ("duel-1?teams=four", "none where four seats cannot play", "four"),
    ("classic?teams=three", "none, four, two", "three"),
    ("classic?on_circle=2", "0 or 1", 2),
    ("classic?deck=none", "standard", "none"),
    ("classic?deck=", "standard", ""),
    ("classic?deck=1.2", "11 kinds", "1.2"),
    ("classic?deck=5.4.4.4.4.4.4.4.4.4.4.4", "11 kinds", "5.4.4.4.4.4.4.4.4.4.4.4"),
    ("classic?deck=0.0.0.0.0.0.0.0.0.0.0", "1 card or more", "0.0.0.0.0.0.0.0.0.0.0"),
    ("classic?deck=101.4.4.4.4.4.4.4.4.4.4", "at most 100", "101.4.4.4.4.4.4.4.4.4.4"),
    ("classic?deck=05.4.4.4.4.4.4.4.4.4.4", "leading zeros", "05.4.4.4.4.4.4.4.4.4.4"),
    ("classic?deck=-1.4.4.4.4.4.4.4.4.4.4", "counts joined", "-1.4.4.4.4.4.4.4.4.4.4"),
    ("classic?deck=5,4,4,4,4,4,4,4,4,4,4", "counts joined", "5,4,4,4,4,4,4,4,4,4,4"),
    ("classic?deck=5.4.4.4.4.4.4.4.4.4.", "counts joined", "5.4.4.4.4.4.4.4.4.4."),
    ("classic?slides=1", "1-4.9-13", "1"),
    ("classic?slides=", "1-4.9-13", ""),
    ("classic?slides=4-1", "triangle < last", ((4, 1),)),
    ("classic?slides=1-15", "14", ((1, 15),)),
    ("classic?slides=1-4.4-9", "overlap", ((1, 4), (4, 9))),
    ("classic?slides=1-" + "9" * 5000, "whole number", "9" * 5000),
    ("teams?play_out=true", "partners", True),
    ("teams-two?play_out=true", "partners", True),
    ("solo?play_out=true", "single seat", True),
    ("points?play_out=true", "points are counted", True),
    ("points?hand=8", "from 0 to 7", 8),
    ("points?hand=-1", "whole number", "-1"),
    ("points?deck=infinite", "hands are dealt", "infinite"),
    ("points?deck=1.1.1.1.1.1.1.1.1.1.1", "21 cards are needed", 5),
    ("points?bonuses=1.2", "three ints", (1, 2)),
    ("points?winner_counts=all", "opponents_not_home, opponents_home", "all"),
    ("points?pawn_points=0", "without points", (100, 50, 25)),
    ("teams-two?hand=5", "two hands", 5),
    ("solo?hand=1", "hands are dealt", "infinite"),
    ("classic?questions=3", "without a question card", 3),
    ("not-sorry?questions=101", "at most 100 of a kind", "standard"),
    ("not-sorry?answers=me", "coin, player", "me"),
    ("not-sorry?p_yes=1.5", "from 0 to 1", 1.5),
    ("not-sorry?p_yes=0.50", "shortest", "0.50"),
    ("not-sorry?p_yes=.5", "shortest", ".5"),
    ("not-sorry?p_yes=nan", "shortest", "nan"),
    ("not-sorry?p_yes=1e-1", "shortest", "1e-1"),
    ("not-sorry?hand=5", "without questions", EDITIONS["not-sorry"].cards),
    ("not-sorry?teams=four", "without questions", EDITIONS["not-sorry"].cards),
    ("fire-and-ice?hand=5", "without Fire and Ice", EDITIONS["fire-and-ice"].cards),
    ("fire-and-ice?teams=four", "without Fire and Ice", EDITIONS["fire-and-ice"].cards),
    ("way-sorry?hand=5", "without moods", EDITIONS["way-sorry"].cards),
    ("way-sorry?teams=two", "without moods", EDITIONS["way-sorry"].cards),
    ("classic?turbo=true", "partners, tokens or slides", True),
    ("bump-em?slides=1-4", "partners, tokens or slides", True),
    ("bump-em?deck=standard", "a deck of 13 kinds", "standard"),
    (None, "text", None),
    (7, "text", 7),
    (["classic"], "text", ["classic"]),
    (b"classic", "text", b"classic"),
]


@pytest.mark.parametrize(("name", "words", "value"), BAD_NAMES, ids=lambda v: str(v)[:40])
def test_names_that_are_refused(name: Any, words: str, value: Any) -> None:
    with pytest.raises(RulesetError) as caught:
        get_ruleset(name)
    assert words in str(caught.value)
    assert caught.value.value == value


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
]


@pytest.mark.parametrize(("given", "words", "value"), BAD_CARDS, ids=str)
def test_cards_that_are_refused(given: dict[str, Any], words: str, value: Any) -> None:
    with pytest.raises(RulesetError) as caught:
        Card(**{"name": "X", "forward": 3, **given})
    assert words in str(caught.value)
    assert caught.value.value == value


def test_cards_that_are_allowed() -> None:
    Card("X", forward=59)
    Card("X", backward=59)
    Card("X", forward=2, split=True)
    Card("X", start=True)
    Card("X", switch=True)
    Card("X", take=True, again=True)


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


def test_rulesets_are_frozen() -> None:
    with pytest.raises(FrozenInstanceError):
        CLASSIC.pawns = 2  # type: ignore[misc]
    with pytest.raises(FrozenInstanceError):
        CLASSIC.cards[0].forward = 2  # type: ignore[misc]


def test_every_field_of_a_name_changes_something() -> None:
    assert set(NAME_FIELDS) == {
        "answers", "bonuses", "deck", "diamond", "hand", "on_circle", "p_yes", "pawn_points",
        "pawns", "play_out", "questions", "slides", "switch_slides", "teams", "turbo",
        "winner_counts",
    }  # fmt: skip
    assert list(NAME_FIELDS) == sorted(NAME_FIELDS)


def test_decks_in_numbers() -> None:
    assert {name: sum(counts) for name, counts in DECKS.items()} == {
        "standard": 45, "first_edition": 44, "waddingtons": 55, "infinite": 45,
        "bump_em": 52,
    }  # fmt: skip


def test_partners_need_all_four_seats() -> None:
    assert get_ruleset("classic").seat_choices == (2, 3, 4)
    assert get_ruleset("classic?teams=four").seat_choices == (4,)
    assert get_ruleset("points?teams=four").seat_choices == (4,)


def test_an_infinite_deck_of_other_cards_has_all_kinds_alike() -> None:
    assert replace(CLASSIC, edition="nine", cards=NINE, deck="infinite").counts == (4,) * 9


def test_own_cards_need_a_name_of_their_own() -> None:
    mine = replace(CLASSIC, cards=(Card("6", forward=6, start=True), *CLASSIC.cards[1:]))
    with pytest.raises(RulesetError, match="classic"):
        compile_rules(mine)
    assert compile_rules(replace(mine, edition="mine")).num_actions > 1


def test_an_own_edition_plays() -> None:
    # A user makes a new edition with `replace`: no code knows its name.
    from sorry_env.game import Game

    own: Ruleset = replace(
        CLASSIC, edition="mine", cards=(Card("6", forward=6, start=True), Card("B", backward=2)),
        deck="3.2", pawns=2,
    )  # fmt: skip
    game = Game(own, seed=1)
    for _ in range(2000):
        if game.over:
            break
        game.play(int(game.legal_actions()[0]))
    assert game.over
