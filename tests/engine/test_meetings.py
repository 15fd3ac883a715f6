"""Cards of one's own and things that no published edition brings together, worked by hand.

Squares as in `worked/board.txt`. The drawn rulesets of `tests/contract` compare many more.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from sorry_env import notation
from sorry_env.game import Game
from sorry_env.rules import Card, Ruleset, get_ruleset, register_ruleset

CLASSIC = get_ruleset("classic")


def own(name: str, cards: tuple[Card, ...], base: Ruleset = CLASSIC, **fields: object) -> str:
    """A ruleset with these cards, four of each that has no copies, known by its name."""
    deck = ".".join("4" for card in cards if not (card.copies or card.question))
    register_ruleset(replace(base, edition=name, cards=cards, deck=deck, **fields))  # type: ignore[arg-type]
    return name


SPLITS = own(
    "meet-splits",
    (Card("1", forward=1, start=True), Card("5", forward=5, split=True), Card("9", switch=True)),
    pawns=2,
)
MIXED = own(
    "meet-mixed",
    (Card("1", forward=1, start=True), Card("6", forward=6, backward=2, switch=True, take=True)),
    pawns=2,
)
ASKING = own(
    "meet-asking",
    (
        *CLASSIC.cards,
        Card("PUNISH", punish=True, copies=2),
        Card("Q", question=True, again=True),
    ),
    questions=4,
)
REPEATING = own(
    "meet-repeating",
    (Card("1", forward=1, start=True), Card("W", take=True, repeat=True, copies=3)),
    base=replace(CLASSIC, slides=()),
    turbo=True,
    pawns=2,
)


def at(line: str) -> Game:
    return notation.read(line, seed=1)


def after(line: str, move: str) -> str:
    game = at(line)
    game.play(notation.parse_move(game, move), draw=False)
    return notation.write(game)


@pytest.mark.parametrize(
    ("line", "moves"),
    [
        # Any number of steps is split in all ways, the pawn nearer to its Home first.
        (f"{SPLITS} 40,20/-/yS,yS/- r move 5 4.3.4 - -",
         ["5:20-25", "5:40-41,20-24", "5:40-42,20-23", "5:40-43,20-22", "5:40-44,20-21",
          "5:40-45"]),
        # A switch is optional on any card: alone it may be passed.
        (f"{SPLITS} 40,20/-/34,yS/- r move 9 4.4.3 - -", ["9:20x34", "9:40x34", "pass"]),
        # Beside steps or a take it may not: one of all must be made.
        (f"{MIXED} 20,rS/-/40,yS/- r move 6 4.3 - -",
         ["6:20-18", "6:20-26", "6:20x40", "6:rSx40"]),
        # 0 is eight steps from Home: six lead to r4, two back to 58.
        (f"{MIXED} rH,0/-/40,yS/- r move 6 4.3 - -", ["6:0-58", "6:0-r4", "6:0x40"]),
    ],
)  # fmt: skip
def test_what_a_card_does_together(line: str, moves: list[str]) -> None:
    assert notation.legal_texts(at(line)) == moves


PILE = ".".join(["4"] * 11)


def test_a_punished_pawn_is_held_in_a_reply_too() -> None:
    # Yellow is asked in Red's turn; its pawn on 40 is punished until the end of its own next turn.
    line = f"{ASKING} 20,rS,rS,rS/-/40,yS,yS,yS/- r>y reply Q {PILE}.2.3 - "
    assert notation.legal_texts(at(line + "asked=y;punished=40;steps=3")) == ["pass"]
    assert notation.legal_texts(at(line + "asked=y;steps=3")) == ["Q:40-43"]


def test_a_question_that_draws_again_does_so_for_the_asker() -> None:
    line = f"{ASKING} 20,rS,rS,rS/-/40,yS,yS,yS/- r>y reply Q {PILE}.2.3 - asked=y;steps=3"
    assert after(line, "Q:40-43").split(" ")[2:5] == ["r", "move", "?"]


def test_a_repeated_take_on_turbo_squares() -> None:
    # Yellow's car on 15 moves on to 30 and can be taken again, from there Home.
    line = f"{REPEATING} rS,rS/-/15,yS/- r move W 4.2 - -"
    once = after(line, "W:rSx15")
    assert once == f"{REPEATING} 15,rS/-/30,yS/- r move W 4.2 - -"
    assert after(once, "W:rSx30") == f"{REPEATING} 30,15/-/yH,yS/- y move ? 4.2 - -"
