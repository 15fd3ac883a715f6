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
        ("not-sorry?p_yes=0.00001", "not-sorry?p_yes=0.00001"),
        ("classic?slides=9-13.1-4", "classic"),
        ("classic?slides=6-8.0-2", "classic?slides=0-2.6-8"),
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
    ("express", "express is another game", "express"),
    ("express?pawns=3", "and has no fields", "express"),
    ("not-sorry?p_yes=1e-05", "p_yes='1e-05' must be a number in its shortest form", "1e-05"),
    ("not-sorry?questions=101", "questions=101 must be an int from 0 to 100", 101),
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
    ("classic?turbo=true", "partners, tokens, slides", True),
    ("bump-em?slides=1-4", "partners, tokens, slides", True),
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
    nine = tuple(Card(str(n), forward=n) for n in range(1, 10))
    assert replace(CLASSIC, edition="nine", cards=nine, deck="infinite").counts == (4,) * 9


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
