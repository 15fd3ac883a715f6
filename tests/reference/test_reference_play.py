"""Texts, perft and self-consistency of the reference under random play.

Read ``test_reference_editions.py`` before this file. The perft numbers of ``classic`` with four
seats were worked by hand: 11 and 122 moves, a forced pass with chance 4/5 and 359/495.
"""

from __future__ import annotations

import random
from fractions import Fraction

import pytest

from .perft import Ply, perft
from .positions import deal, legal, reference_only
from .reference import ReferenceGame

FOUR = ["red", "blue", "yellow", "green"]


def test_the_example_of_the_formats() -> None:
    text = "classic rS,rS,rS,rS/-/yS,yS,yS,yS/- r move 7 5.4.4.4.4.3.4.4.4.4.4 - -"
    assert ReferenceGame.new("classic").draw("7").text() == text
    assert ReferenceGame.from_text(text).text() == text
    assert ReferenceGame.from_text(text).legal() == ["pass"]


# PAWNS: Home, safety 5..1, the track from the entry back to the circle, the diamond, Start.
@pytest.mark.parametrize(
    "pawns",
    ["rH,r5,r1,2/-/yH,y2,32,rS", "2,0,59,4/-/32,31,30,29", "5,4,3,rS/-/35,34,33,yS"],
)
def test_order_of_pawns(pawns: str) -> None:
    pawns = pawns.replace("32,rS", "32,yS")
    text = f"classic {pawns}/- r move ? 5.4.4.4.4.4.4.4.4.4.4 - -"
    assert ReferenceGame.from_text(text).text() == text
    red, blue, yellow = pawns.split("/")
    other = "/".join([",".join(reversed(red.split(","))), blue, yellow])
    with pytest.raises(ValueError):
        ReferenceGame.from_text(text.replace(pawns, other))


@pytest.mark.parametrize(
    "text",
    [
        "classic rS/-/yS/- r move ? 5.4.4.4.4.4.4.4.4.4.4 - -",  # too few pawns
        "duel-1 20/-/20/- r move ? * - -",  # two pawns on one square
        "duel-1 rS/-/y6/- r move ? * - -",  # no such square
        "duel-1 rS/-/r1/- r move ? * - -",  # another colour's zone
        "duel-1 rS/-/yS/- b move ? * - -",  # not seated
        "duel-1 rS/-/yS/- r move 6 * - -",  # no such card
        "duel-1 rH/-/yS/- r move ? * - -",  # Red has won
        "duel-1 20/-/yS/- r over - * - winner=r",  # Red has not
        "duel-1 rS/-/yS/- r move ? * -",  # a field is missing
        "duel-1?deck=standard rS/-/yS/- r move 7 5.4.4.4.4.4.4.4.4.4.4 - -",  # five 7s
    ],
)
def test_impossible_positions_are_errors(text: str) -> None:
    with pytest.raises(ValueError):
        ReferenceGame.from_text(text)


def test_moves_are_sorted_by_text() -> None:
    assert legal("9,5/-/S/-", "r", "10") == ["10:5-15", "10:5-4", "10:9-19", "10:9-8"]


def test_perft_of_classic_with_four_seats() -> None:
    plies = perft(ReferenceGame.new("classic", FOUR), 2)
    assert plies == [Ply(11, Fraction(4, 5)), Ply(122, Fraction(359, 495))]


def test_perft_of_a_finished_line() -> None:
    # Red r5, Yellow in Start, one pawn each. Only a 1 and a 4 and a 10 move Red: eleven cards and
    # moves; after the 1 the game is over, after a 2 Red draws again (a pass). So the chance of a
    # forced pass is 1 - 5/45 - 4/45 - 4/45 = 32/45.
    game = ReferenceGame.from_text("duel-1 r5/-/yS/- r move ? * - -")
    first, second = perft(game, 2)
    assert first == Ply(11, Fraction(32, 45))
    # Ply 2: after 4, 10 and the passes of 3 5 7 8 11 12 S (S: nobody to take, for Yellow either)
    # Yellow has eleven moves with nine of them passes (36/45); 4 and 10 leave Red on r1 and r4,
    # out of reach. After the 2 Red again as at ply 1. 9 x 11 + 11 sequences.
    assert second == Ply(110, Fraction(36, 45) * Fraction(36, 45) + Fraction(4, 45) * first[1])


PLAYED = [
    ("classic", None), ("classic", ["red", "blue"]), ("classic", ["red", "blue", "yellow"]),
    ("classic", FOUR), ("first-edition", FOUR), ("waddingtons", None), ("quick", FOUR),
    ("teams", None), ("teams-two", None), ("duel-1", None), ("duel-2", None), ("duel-3", None),
    ("solo", None), ("classic?play_out=true", FOUR), ("teams?play_out=true", None),
    ("quick?pawns=2&switch_slides=both", FOUR), ("classic?switch_slides=none", FOUR),
    ("classic?deck=1.1.1.1.1.1.1.1.1.1.1&pawns=2", ["blue", "green"]),
    ("points", None), ("points", FOUR), ("points-1939", ["red", "blue", "yellow"]),
    ("points?play_out=true", FOUR), ("teams?hand=5", None), ("points?teams=four", None),
    ("bump-em?hand=3", FOUR), ("classic?slides=0-3.8-14", FOUR),
    ("duel-2?hand=3", None), ("solo?hand=2", None), ("classic?hand=1", FOUR),
    ("fire-and-ice", None), ("fire-and-ice", FOUR),
    ("not-sorry", None), ("not-sorry?answers=player&questions=20", FOUR),
    ("not-sorry?p_yes=0.25&play_out=true&deck=infinite", FOUR),
    ("bump-em", None), ("bump-em", FOUR), ("bump-em?play_out=true&pawns=3", FOUR),
    ("way-sorry", None), ("way-sorry", FOUR), ("way-sorry?pawns=2&switch_slides=both", FOUR),
    ("fire-and-ice?pawns=4&play_out=true&switch_slides=both", FOUR),
]  # fmt: skip


@reference_only  # tests/contract plays the engine
@pytest.mark.parametrize(("name", "seats"), PLAYED)
def test_random_play_keeps_the_rules(name: str, seats: list[str] | None) -> None:
    rng = random.Random(name)
    letters = ReferenceGame.seats_of(name, seats)
    game = ReferenceGame.new(name, seats, hands=deal(name, letters, rng))
    pawns = len(game.board.pawns)
    while game.outcome() is None:
        # The text says everything; reading it checks that no two pawns share a square. (It takes
        # longer than playing: one position in three.)
        again = game
        if rng.random() < 1 / 3:
            again = ReferenceGame.from_text(game.text())
        before = game.text()
        assert again.text() == before
        assert again.waiting == game.waiting
        if game.waiting:
            draws = game.draws()
            assert sum(draws.values()) == 1
            assert again.draws() == draws
            drawn = rng.choices(list(draws), [float(chance) for chance in draws.values()])[0]
            following = again.draw(drawn)
            check_pile(game, following)
        else:
            moves = game.legal()
            assert moves
            assert moves == sorted(set(moves)) == again.legal()
            following = again.apply(rng.choice(moves))
        assert again.text() == before  # a game never changes
        assert len(following.board.pawns) == pawns
        game = following
    assert ReferenceGame.from_text(game.text()).text() == game.text()
    result = game.outcome()
    assert result is not None
    assert max(result.values()) == 1
    assert len(result) == 1 or sum(result.values()) == 0
    assert game.legal() == []


def check_pile(waiting: ReferenceGame, drawn: ReferenceGame) -> None:
    """One card has left the pile, or the shuffled discards."""
    if waiting.phase == "answer":  # a coin, no card
        assert drawn.pile == waiting.pile
    elif waiting.pile is not None and drawn.pile is not None:
        discards = sum(waiting.rules.deck_counts.values()) - len(waiting.cards_out())
        assert sum(drawn.pile.values()) == (sum(waiting.pile.values()) or discards) - 1
