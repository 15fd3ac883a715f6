"""Perft against the numbers of the reference: `perft.txt` has the positions and the counts.

A failure shows position, expected and found, and then the count split per card and move on both
sides, so that the first differing move can be followed by hand.
"""

from __future__ import annotations

from fractions import Fraction

import pytest

from sorry_env import notation
from sorry_env.errors import RequestError
from sorry_env.game import Game
from sorry_env.perft import divide, perft
from tests.contract.perft import Case, read_cases
from tests.reference.perft import perft as reference_perft
from tests.reference.reference import ReferenceGame

CASES = read_cases()


def reference_divide(position: str, depth: int) -> dict[tuple[str, str], int]:
    """Sequences of the reference below each first card and move."""
    game = ReferenceGame.from_text(position)
    waiting = position.split(" ")[4] == "?"
    rows = {}
    for card in game.draws() if waiting else [position.split(" ")[4]]:
        drawn = game.draw(card) if waiting else game
        for move in drawn.legal():
            after = drawn.apply(move)
            count = reference_perft(after, depth - 1)[-1].sequences if depth > 1 else 1
            rows[card, move] = count
    return rows


def explain(case: Case, depth: int) -> str:
    """Where the two differ, card by card and move by move."""
    theirs = reference_divide(case.position, depth)
    game = notation.read(case.position, seed=1)
    ours = {(card, notation.move_text(m)): count for card, m, count in divide(game, depth)}
    return "\n".join(
        f"  {card:3} {move:20} reference {theirs.get((card, move))} engine {ours.get((card, move))}"
        for card, move in sorted({*ours, *theirs})
        if ours.get((card, move)) != theirs.get((card, move))
    )


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.position[:60])
def test_perft(case: Case) -> None:
    game = notation.read(case.position, seed=1)
    before = game.state.tobytes()
    found = [(ply.moves, ply.forced) for ply in perft(game, len(case.plies))]
    for depth, (expected, ours) in enumerate(zip(case.plies, found, strict=True), start=1):
        if expected != ours:
            lines = [f"position {case.position}", f"depth    {depth}"]
            lines += [f"expected {expected}", f"found    {ours}", explain(case, depth)]
            pytest.fail("\n".join(lines), pytrace=False)
    assert game.state.tobytes() == before


def test_numbers_worked_by_hand() -> None:
    # Classic, four seats. Ply 1: every card has one move, eleven in all; only a 1 (5 of 45) or a 2
    # (4 of 45) can be played. Ply 2: 122 moves and a forced pass with chance 359/495.
    game = Game("classic", 4, seed=1, draw=False)
    plies = perft(game, 2)
    assert [(ply.moves, ply.forced) for ply in plies] == [
        (11, Fraction(4, 5)),
        (122, Fraction(359, 495)),
    ]
    (case,) = [c for c in CASES if c.position == notation.write(game)]
    assert case.plies[:2] == ((11, Fraction(4, 5)), (122, Fraction(359, 495)))


def test_divide_adds_up() -> None:
    for case in CASES[6:9]:
        game = notation.read(case.position, seed=1)
        rows = divide(game, len(case.plies))
        assert sum(count for _, _, count in rows) == case.plies[-1][0]
        assert {
            (card, notation.move_text(move)): count for card, move, count in rows
        } == reference_divide(case.position, len(case.plies))


def test_perft_after_the_end() -> None:
    over = notation.read("duel-1 rH/-/20/- r over - * - winner=r", seed=1)
    assert [(ply.moves, ply.forced) for ply in perft(over, 2)] == [(0, Fraction(0))] * 2
    assert divide(over, 1) == []


@pytest.mark.parametrize("depth", [0, -1, True, 1.0, "2", None])
def test_depths_that_are_refused(depth: object) -> None:
    with pytest.raises(RequestError) as caught:
        perft(Game(seed=1), depth)  # type: ignore[arg-type]
    assert caught.value.value is depth and repr(depth) in str(caught.value)
