"""The sentences that pictures share, for views whose facts are known."""

from __future__ import annotations

from xml.etree import ElementTree

from sorry_env.render import svg
from sorry_env.render.words import mood_words, token_words
from sorry_env.rules import get_ruleset
from tests.render.views import StubView

#: Red's second pawn stands on its code 62, safety square 2; Green's first on code 44.
#: An outer square is 15 times the colour plus code plus 2: 15 * 3 + 44 + 2 = 91, that is 31.
HAPPY, PUNISHED = (0, 62), (3, 44)


def test_who_is_happy_and_who_is_punished() -> None:
    view = StubView(get_ruleset("way-sorry"), happy=(HAPPY,), punished=(PUNISHED,))
    assert mood_words(view) == (
        "Red's pawn on r2 is happy",
        "Green's pawn on 31 is punished",
    )
    assert mood_words(StubView(get_ruleset("way-sorry"))) == ()


def test_where_the_tokens_are() -> None:
    rules = get_ruleset("fire-and-ice")
    view = StubView(rules, fire=PUNISHED, ice=None)
    assert token_words(view) == ("Fire: Green's pawn on 31", "Ice: off the board")
    assert token_words(StubView(rules, ice=PUNISHED)) == (
        "Fire: off the board", "Ice: Green's pawn on 31",
    )  # fmt: skip
    assert token_words(StubView()) == ()


def test_a_picture_says_it_to_whoever_cannot_see() -> None:
    view = StubView(get_ruleset("way-sorry"), happy=(PUNISHED,), punished=(HAPPY,))
    text = " ".join(ElementTree.fromstring(svg(view)).itertext())
    assert "Green's pawn on 31 is happy" in text
    assert "Red's pawn on r2 is punished" in text
