"""Not Sorry! (section 6.4 of the rules), worked by hand.

Read ``test_reference.py`` first; it lists the squares of the sides.
"""

from __future__ import annotations

from fractions import Fraction

import pytest

from .perft import Ply, perft
from .positions import full, position, reference_only
from .reference import ReferenceGame

NAME = "not-sorry"
PLAYER = "not-sorry?answers=player"
LEFT = "5.4.4.4.4.4.4.4.4.4.4.7"  # with one question in play


def at(
    pawns: str,
    turn: str = "r",
    phase: str = "move",
    extra: str = "-",
    name: str = NAME,
    card: str = "Q",
) -> ReferenceGame:
    """A game with a question card in play."""
    return ReferenceGame.from_text(position(pawns, turn, card, name, None, extra, phase))


def fields(game: ReferenceGame) -> list[str]:
    """PAWNS, TURN, PHASE, CARD and EXTRA."""
    parts = game.text().split(" ")
    return [*parts[1:5], parts[7]]


def test_classic_with_eight_question_cards() -> None:
    first = ReferenceGame.new(NAME)
    assert first.text() == f"{NAME} {full('S/-/S/-')} r move ? 5.4.4.4.4.4.4.4.4.4.4.8 - -"
    assert first.draws()["Q"] == Fraction(8, 53)
    # The other cards are as classic.
    game = at("20/-/40/-", card="11")
    assert game.legal() == ["11:20-31", "11:20x40"]
    game = at("20/-/40/-", card="2").apply("2:20-22")
    assert fields(game)[1:4] == ["r", "move", "?"]


@pytest.mark.parametrize(
    ("given", "name"),
    [
        ("not-sorry?questions=8&p_yes=0.50", "not-sorry"),
        ("not-sorry?questions=2&p_yes=0.250&answers=player",
         "not-sorry?answers=player&p_yes=0.25&questions=2"),
        ("not-sorry?p_yes=1.0", "not-sorry?p_yes=1"),
        ("not-sorry?p_yes=00", "not-sorry?p_yes=0"),
    ],
)  # fmt: skip
@reference_only  # it reads numbers in any form, the engine in the shortest alone
def test_derived_names(given: str, name: str) -> None:
    assert ReferenceGame.new(given).text().split(" ")[0] == name


@pytest.mark.parametrize(
    "name",
    ["not-sorry?p_yes=1.5", "not-sorry?p_yes=-1", "not-sorry?p_yes=.", "not-sorry?answers=maybe",
     "not-sorry?questions=x", "not-sorry?hand=5", "classic?questions=8", "not-sorry?teams=four"],
)  # fmt: skip
def test_unknown_names(name: str) -> None:
    with pytest.raises(ValueError):
        ReferenceGame.new(name)


def test_the_number_of_questions() -> None:
    game = ReferenceGame.new("not-sorry?questions=3")
    assert game.draws()["Q"] == Fraction(3, 48)
    game = ReferenceGame.new("not-sorry?questions=0")
    assert game.text().split(" ")[5] == "5.4.4.4.4.4.4.4.4.4.4.0"
    assert "Q" not in game.draws()


def test_the_player_names_an_opponent() -> None:
    game = ReferenceGame.from_text(position("20/S/40/S", "r", "?", NAME)).draw("Q")
    assert game.text() == f"{NAME} {full('20/S/40/S')} r ask Q {LEFT} - -"
    assert game.legal() == ["ask:blue", "ask:green", "ask:yellow"]
    # A single opponent is named all the same.
    assert at("20/-/40/-", phase="ask").legal() == ["ask:yellow"]


def test_the_coin_answers() -> None:
    # Chance, no decision and no record of its own: after `ask:yellow` come the steps.
    game = at("20/S/40/S", phase="ask").apply("ask:yellow")
    assert game.waiting
    assert game.draws() == {"yes": Fraction(1, 2), "no": Fraction(1, 2)}
    with pytest.raises(ValueError):
        game.legal()
    with pytest.raises(ValueError):
        game.draw("5")
    yes = game.draw("yes").text()
    assert yes == f"{NAME} {full('20/S/40/S')} r move Q {LEFT} - asked=y;steps=6"
    no = game.draw("no").text()
    assert no == f"{NAME} {full('20/S/40/S')} r move Q {LEFT} - asked=y;steps=3"
    # The position in between can be written and read too, though no record has it.
    assert game.text() == f"{NAME} {full('20/S/40/S')} r>y answer Q {LEFT} - -"
    assert ReferenceGame.from_text(game.text()).draw("no").text() == no


@pytest.mark.parametrize(
    ("chance", "draws"),
    [
        ("0.25", {"yes": Fraction(1, 4), "no": Fraction(3, 4)}),
        ("1", {"yes": Fraction(1)}),
        ("0", {"no": Fraction(1)}),
    ],
)
def test_p_yes(chance: str, draws: dict[str, Fraction]) -> None:
    game = at("20/-/40/-", phase="ask", name=f"{NAME}?p_yes={chance}").apply("ask:yellow")
    assert game.draws() == draws
    for word in {"yes", "no"} - set(draws):
        with pytest.raises(ValueError):
            game.draw(word)


def test_the_opponent_answers() -> None:
    # answers=player: the opponent's own decision.
    game = at("20/S/40/S", phase="ask", name=PLAYER).apply("ask:yellow")
    assert game.text() == f"{PLAYER} {full('20/S/40/S')} r>y answer Q {LEFT} - -"
    assert not game.waiting
    assert game.legal() == ["answer:no", "answer:yes"]
    assert fields(game.apply("answer:yes"))[1:] == ["r", "move", "Q", "asked=y;steps=6"]
    assert fields(game.apply("answer:no"))[1:] == ["r", "move", "Q", "asked=y;steps=3"]
    with pytest.raises(ValueError):
        game.draws()


def test_both_move_six() -> None:
    # Yes: both move 6, forward, one pawn each, the asker first.
    game = at("20,5/S/40/S", extra="asked=y;steps=6")
    assert game.legal() == ["Q:20-26", "Q:5-11"]
    game = game.apply("Q:20-26")
    assert fields(game) == [full("26,5/S/40/S"), "r>y", "reply", "Q", "asked=y;steps=6"]
    assert game.legal() == ["Q:40-46"]
    # By the normal rules: 46 is Green's triangle, Yellow slides to 49. Then it is Blue's turn.
    game = game.apply("Q:40-46")
    assert fields(game) == [full("26,5/S/49/S"), "b", "move", "?", "-"]
    assert game.text().split(" ")[5] == LEFT


def test_both_move_three() -> None:
    game = at("20/S/23/S", "r", "move", "asked=y;steps=3").apply("Q:20-23")
    # The pawn there is bumped; nobody leaves Start, so Yellow cannot move and skips.
    assert fields(game) == [full("23/S/S/S"), "r>y", "reply", "Q", "asked=y;steps=3"]
    assert game.legal() == ["pass"]
    assert fields(game.apply("pass")) == [full("23/S/S/S"), "b", "move", "?", "-"]


def test_the_asker_skips() -> None:
    game = at("r5/S/20/S", "r", "move", "asked=y;steps=3")
    assert game.legal() == ["pass"]
    game = game.apply("pass")
    assert fields(game)[1:] == ["r>y", "reply", "Q", "asked=y;steps=3"]
    assert game.legal() == ["Q:20-23"]


@pytest.mark.parametrize(
    ("pawns", "steps", "moves"),
    [
        # Home needs the exact count; an own pawn forbids; no backward steps.
        ("r3,2/-/S/-", 3, ["Q:r3-rH"]),
        ("r3,2/-/S/-", 6, ["Q:2-rH"]),
        ("r1,0/-/S/-", 3, ["Q:r1-r4"]),
    ],
)
def test_the_normal_rules(pawns: str, steps: int, moves: list[str]) -> None:
    assert at(pawns, extra=f"asked=y;steps={steps}").legal() == moves


def test_winning_with_a_question() -> None:
    # At once: the reply is not played any more.
    game = at("rH,rH,rH,r3/S/yH,yH,yH,y3/S", extra="asked=y;steps=3").apply("Q:r3-rH")
    assert fields(game)[1:] == ["r", "over", "-", "winner=r"]
    # The opponent may win in the asker's turn.
    game = at("20/S/yH,yH,yH,y3/S", "r>y", "reply", "asked=y;steps=3").apply("Q:y3-yH")
    assert game.text() == f"{NAME} {full('20/S/H/S')} r over - {LEFT} - winner=y"
    third = Fraction(-1, 3)
    assert game.outcome() == {"red": third, "blue": third, "yellow": Fraction(1), "green": third}
    assert ReferenceGame.from_text(game.text()).text() == game.text()


def test_play_out_with_a_question() -> None:
    # Red finishes, the game goes on with the reply; then Red is skipped.
    name = f"{NAME}?play_out=true"
    game = at("rH,rH,rH,r3/S/20/-", extra="asked=y;steps=3", name=name).apply("Q:r3-rH")
    assert fields(game) == [full("H/S/20/-"), "r>y", "reply", "Q", "asked=y;steps=3;winner=r"]
    assert ReferenceGame.from_text(game.text()).text() == game.text()
    game = game.apply("Q:20-23")
    assert fields(game)[1:] == ["b", "move", "?", "winner=r"]


def test_perft_counts_the_coin_as_chance() -> None:
    # One question card is left. Ply 1: ask:blue; ply 2 after yes and after no: Red's step 6 and
    # step 3; ply 3: Blue's reply, a pass each.
    name = "not-sorry?deck=1.0.0.0.0.0.0.0.0.0.0&questions=1"
    pile = "0.0.0.0.0.0.0.0.0.0.0.1"
    game = ReferenceGame.from_text(position("20/S/-/-", "r", "?", name, pile))
    assert perft(game, 3) == [Ply(1, Fraction(0)), Ply(2, Fraction(0)), Ply(2, Fraction(1))]


@pytest.mark.parametrize(
    ("turn", "phase", "card", "extra"),
    [
        ("r", "move", "Q", "-"),  # nobody was asked
        ("r", "move", "Q", "asked=y"),
        ("r", "move", "Q", "asked=y;steps=5"),
        ("r", "move", "Q", "asked=r;steps=6"),  # oneself
        ("r", "move", "Q", "asked=b;steps=6"),  # not seated
        ("r", "move", "5", "asked=y;steps=6"),
        ("r", "reply", "Q", "asked=y;steps=6"),  # r>y
        ("r>y", "move", "Q", "asked=y;steps=6"),
        ("r>y", "ask", "Q", "-"),
        ("r>y", "answer", "Q", "asked=y"),
        ("r", "ask", "5", "-"),
    ],
)
def test_impossible_positions(turn: str, phase: str, card: str, extra: str) -> None:
    with pytest.raises(ValueError):
        at("20/-/40/-", turn, phase, extra, NAME, card)
