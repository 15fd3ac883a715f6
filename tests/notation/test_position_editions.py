"""Positions of the editions with more to say: hands, tokens, questions, moods; good and refused.

Read `test_position.py` before this file.
"""

from __future__ import annotations

import pytest

from sorry_env import notation
from sorry_env.errors import PositionError
from tests.notation.test_position import HOME, with_field

#: Positions of every kind that a game can be in, worked by hand.
GOOD = [
    # Hands: a decision, a draw that is due (after a 2 that was moved, too), the end.
    "points 20,rS,rS,rS/-/34,yS,yS,yS/- r move - 4.3.4.4.3.3.3.3.3.3.2 "
    "1.2.5.7.8/-/10.11.12.S.S/- -",
    "points 20,rS,rS,rS/-/34,yS,yS,yS/- r move ? 4.3.4.4.3.3.3.3.3.3.2 1.5.7.8/-/10.11.12.S.S/- -",
    "points 20,rS,rS,rS/-/34,yS,yS,yS/- r move ? 4.3.4.4.3.3.3.3.3.3.2 "
    "1.5.7.8/-/10.11.12.S.S/- again=1",
    "points 20,rS,rS,rS/-/34,yS,yS,yS/- r move - 4.3.3.4.3.3.3.3.3.3.2 "
    "1.3.5.7.8/-/10.11.12.S.S/- again=1",
    f"points {HOME}/-/34,yS,yS,yS/- r over - 4.3.4.4.3.3.3.3.3.3.2 "
    "1.5.7.8/-/10.11.12.S.S/- winner=r",
    # Fire and Ice.
    "fire-and-ice 20,rS,rS/-/40,yS,yS/- r fire - 5.4.4.4.4.4.4.4.4.4.4 - fire=20",
    "fire-and-ice 20,rS,rS/-/40,yS,yS/- r ice 1 4.4.4.4.4.4.4.4.4.4.4 - fire=20;ice=40",
    "fire-and-ice r1,20,rS/-/40,yS,yS/- r token 2 5.3.4.4.4.4.4.4.4.4.4 - fire=r1",
    "fire-and-ice rH,20,rS/-/40,yS,yS/- r home 5 5.4.4.4.3.4.4.4.4.4.4 - ice=40",
    "fire-and-ice 20,rS,rS/-/40,yS,yS/- r move ? 5.4.4.4.4.4.4.4.4.4.4 - fire=40;ice=40",
    # Questions.
    "not-sorry 20,rS,rS,rS/-/40,yS,yS,yS/- r ask Q 5.4.4.4.4.4.4.4.4.4.4.7 - -",
    "not-sorry 20,rS,rS,rS/-/40,yS,yS,yS/- r>y answer Q 5.4.4.4.4.4.4.4.4.4.4.7 - -",
    "not-sorry?answers=player 20,rS,rS,rS/-/40,yS,yS,yS/- r>y answer Q 5.4.4.4.4.4.4.4.4.4.4.7 - -",
    "not-sorry 20,rS,rS,rS/-/40,yS,yS,yS/- r move Q 5.4.4.4.4.4.4.4.4.4.4.7 - asked=y;steps=6",
    "not-sorry 20,rS,rS,rS/-/40,yS,yS,yS/- r>y reply Q 5.4.4.4.4.4.4.4.4.4.4.7 - asked=y;steps=3",
    # Thirteen and sixteen kinds of cards.
    "bump-em 15,rS,rS,rS/-/40,yS,yS,yS/- r move B 4.4.4.4.4.4.4.4.4.4.4.4.3 - -",
    "way-sorry 20,19,rS,rS/-/40,yS,yS,yS/- r move WAY 5.4.4.4.4.4.4.4.4.4.4.2.2.2.2.0 - "
    "happy=20,19;punished=40",
]


@pytest.mark.parametrize("text", GOOD)
def test_good_positions_are_written_as_they_were_read(text: str) -> None:
    game = notation.read(text, seed=1)
    assert notation.write(game) == notation.write(game.view()) == text
    assert game.over or game.waiting or notation.legal_texts(game)


HANDS = GOOD[0]
FIRE, ICE, TOKEN, COMPANION = GOOD[5:9]
ASK, _COIN, ANSWER, STEPS, REPLY = GOOD[10:15]
WAY = GOOD[16]
#: (position, what the message says)
BAD: list[tuple[str, str]] = [
    (with_field("HANDS", "-", HANDS), "four hands"),
    (with_field("HANDS", "1.2.5.7.8/-/?/-", HANDS), "a game has no hidden hand"),
    (with_field("HANDS", "1.2.5.7.8/-/-/-", HANDS), "not seated"),
    (with_field("HANDS", "1.2.5.7.8/3/10.11.12.S.S/-", HANDS), "not seated"),
    (with_field("HANDS", "1.2.5.8.7/-/10.11.12.S.S/-", HANDS), "in card order"),
    (with_field("HANDS", "1.2.5.7/-/10.11.12.S.S/-", HANDS), "red holds 4 cards"),
    (with_field("HANDS", "1.2.5.7.8/-/10.11.12.S/-", HANDS), "yellow holds 4 cards"),
    (with_field("HANDS", "1.2.5.7.8.8/-/10.11.12.S.S/-", HANDS), "has 6 cards"),
    (with_field("HANDS", "1.2.5.7.9/-/10.11.12.S.S/-", HANDS), "named '9'"),
    (with_field("HANDS", "/-/10.11.12.S.S/-", HANDS), "red holds 0 cards"),
    (with_field("CARD", "5", HANDS), "card index 4"),
    (with_field("CARD", "?", HANDS), "red holds 5 cards"),
    (with_field("DECK", "5.3.4.4.3.3.3.3.3.3.2", HANDS), "5 cards 1 left of 5, 1 of them"),
    (with_field("DECK", "4.3.4.4.3.3.3.3.3.3.3", HANDS), "3 cards S left of 4, 2 of them"),
    # The hand has nothing that can be moved: no further play.
    (with_field("PAWNS", "rS,rS,rS,rS/-/34,yS,yS,yS/-", HANDS.replace("1.2.5.7.8", "3.4.5.7.8"))
     .replace("/- -", "/- again=1").replace("4.3.4.4.", "4.3.3.3."), "no further play"),
    (with_field("EXTRA", "-", FIRE), "cannot advance"),
    (with_field("EXTRA", "fire=40", FIRE), "cannot advance"),
    (with_field("EXTRA", "fire=20;ice=20", FIRE), "cannot advance"),
    (with_field("EXTRA", "fire=rS", FIRE), "'rS'"),
    (with_field("EXTRA", "ice=20;fire=20", FIRE), "alphabetical"),
    (with_field("CARD", "5", FIRE), "card index 4"), (with_field("CARD", "?", FIRE), "card index"),
    (with_field("CARD", "2", ICE), "card index 1"),
    (with_field("PHASE", "ice", TOKEN), "card index 1"),
    (with_field("EXTRA", "ice=r1", TOKEN), "no pawn can carry the Ice"),
    (with_field("EXTRA", "fire=20", COMPANION), "no pawn can go Home"),
    (with_field("PAWNS", "r1,20,rS/-/40,yS,yS/-", COMPANION), "no pawn can go Home"),
    (with_field("TURN", "r>y", ASK), "another seat"),
    (with_field("TURN", "r>b", ASK), "not seated"),
    (with_field("TURN", "r", ANSWER), "asked"), (with_field("CARD", "7", ANSWER), "card index 5"),
    (with_field("EXTRA", "-", STEPS), "card index 11"),
    (with_field("TURN", "r>y", STEPS), "another seat"),
    (with_field("TURN", "r", REPLY), "another seat"),
    (with_field("EXTRA", "-", REPLY), "asked"),
    (with_field("EXTRA", "happy=19,20", WAY), "order of PAWNS"),
    (with_field("EXTRA", "happy=20,20", WAY), "order of PAWNS"),
    (with_field("EXTRA", "happy=", WAY), "''"), (with_field("EXTRA", "happy=21", WAY), "'21'"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "words"), BAD)
def test_malformed_positions_are_refused(text: str, words: str) -> None:
    with pytest.raises(PositionError) as caught:
        notation.read(text, seed=1)
    assert words in str(caught.value)
    assert caught.value.code == "bad_position"
