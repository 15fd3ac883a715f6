"""Places of finished colours in positions that are read: `winner=`, and for the others the turn.

Whoever finished last is the seat in turn, so a text with the winner and the turn tells all places
(FORMATS, EXTRA). Expected places are those of the order in which the colours came Home.
"""

from __future__ import annotations

from itertools import permutations

import pytest

from sorry_env import notation
from sorry_env.rules import LETTERS

RULESET = "classic?play_out=true"
PILE = "5.4.4.4.4.4.4.4.4.4.4"


def ended(order: tuple[int, ...]) -> str:
    """The end of a game in which seats finished in this order; the last one never did."""
    pawns = ["-"] * 4
    for seat in order:
        home = seat != order[-1]
        pawns[seat] = ",".join([LETTERS[seat] + ("H" if home else "S")] * 4)
    turn, winner = LETTERS[order[-2]], LETTERS[order[0]]
    return f"{RULESET} {'/'.join(pawns)} {turn} over - {PILE} - winner={winner}"


@pytest.mark.parametrize("order", list(permutations(range(4))))
def test_places_of_four_follow_from_the_winner_and_the_turn(order: tuple[int, ...]) -> None:
    text = ended(order)
    game = notation.read(text, seed=0)
    first, second, third, last = order
    assert (game.ranks[first], game.ranks[second], game.ranks[third]) == (1, 2, 3)
    assert game.ranks[last] == 0
    # First to last in equal steps: 1, 1/3, -1/3, -1.
    expected = {first: 1.0, second: 1 / 3, third: -1 / 3, last: -1.0}
    returns = game.returns("rank")
    assert {seat: returns[seat] for seat in order} == pytest.approx(expected)
    assert notation.write(game) == text


@pytest.mark.parametrize("order", list(permutations((0, 1, 3))))
def test_places_of_three_follow_from_the_winner_and_the_turn(order: tuple[int, ...]) -> None:
    game = notation.read(ended(order), seed=0)
    first, second, last = order
    assert (game.ranks[first], game.ranks[second], game.ranks[last]) == (1, 2, 0)
    returns = game.returns("rank")
    assert (returns[first], returns[second], returns[last]) == (1.0, 0.0, -1.0)
    assert returns[2] == 0.0


@pytest.mark.parametrize("winner", [0, 1])
def test_places_of_a_game_that_goes_on(winner: int) -> None:
    """Red and Blue are Home and Green draws: the winner is first, the other one second."""
    text = f"{RULESET} rH,rH,rH,rH/bH,bH,bH,bH/yS,yS,yS,yS/gS,gS,gS,gS g move ? {PILE} -"
    game = notation.read(f"{text} winner={LETTERS[winner]}", seed=0)
    assert game.ranks[winner] == 1 and game.ranks[1 - winner] == 2
    assert game.ranks[2] == game.ranks[3] == 0 and not game.over
