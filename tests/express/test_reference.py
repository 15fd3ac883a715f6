"""The dice game against the independent reference, decision by decision.

Chance is chosen by the test: both games are given the same rolls. Read `tests/reference/express.py`
before this file.
"""

from __future__ import annotations

import random

import pytest

from sorry_env.express import ExpressGame, notation
from tests.reference.express import ExpressGame as Reference

DECISIONS = 2_000


def compare(players: int, decisions: int, seed: int) -> None:
    rng = random.Random(seed)
    rolls = [text for text, _ in ExpressGame(players, draw=False).chances()]
    assert set(rolls) == set(Reference.new(players).draws())
    done = 0
    while done < decisions:
        homes = "".join(rng.sample("rbyg", players))
        first = rng.randrange(players)
        game = ExpressGame(players, homes=homes, first=first, draw=False)
        theirs = Reference.new(players, first, homes)
        while True:
            assert notation.write(game) == theirs.text()
            assert game.waiting == (theirs.waiting and theirs.outcome() is None)
            outcome = theirs.outcome()
            assert game.over == (outcome is not None)
            if outcome is not None:
                returns = dict(enumerate(game.returns()[:players]))
                assert returns == pytest.approx({s: float(r) for s, r in outcome.items()})
                break
            if game.waiting:
                roll = rng.choice(rolls)
                game.roll(roll)
                theirs = theirs.draw(roll)
                continue
            legal = theirs.legal()
            assert notation.legal_texts(game) == legal
            move = rng.choice(legal)
            game.play(notation.parse_move(game, move), draw=False)
            theirs = theirs.apply(move)
            done += 1


@pytest.mark.parametrize("players", [2, 3, 4])
def test_engine_and_reference_agree(players: int) -> None:
    compare(players, DECISIONS, seed=players)


@pytest.mark.slow
@pytest.mark.parametrize("players", [2, 3, 4])
def test_engine_and_reference_agree_in_full(players: int) -> None:
    compare(players, 100_000, seed=100 + players)
