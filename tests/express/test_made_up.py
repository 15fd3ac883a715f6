"""The dice game in made-up positions, which games seldom reach, against the reference.

Pawns lie anywhere, Homes may be alike, any dice are left. Both sides read a line, or both refuse
it; every legal move is then played on both. Read `test_reference.py` before this file.
"""

from __future__ import annotations

import random

import pytest

from sorry_env.errors import PositionError
from sorry_env.express import notation
from tests.reference.express import FACES
from tests.reference.express import ExpressGame as Reference


def made_up(players: int, rng: random.Random) -> str:
    """A line with pawns, Homes, dice and turn at random; some are no position."""
    held = [[0, 0, 0, 0] for _ in range(players + 1)]  # the last is the start base
    greedy = rng.randrange(players + 1)  # who has more than the others
    for colour in range(4):
        for _ in range(4):
            owner = greedy if rng.random() < 0.5 else rng.randrange(players + 1)
            held[owner][colour] += 1
    counts = [".".join(map(str, pawns)) for pawns in held]
    bases = "/".join(f"{rng.choice('rbyg')}:{count}" for count in counts[:-1])
    left = [die for die in (1, 2, 3) if rng.random() < 0.7]
    dice = ",".join(f"{die}={rng.choice(FACES[die])}" for die in left) or rng.choice(["?", "-"])
    turn = rng.randrange(players)
    extra = f"winner={turn}" if dice == "-" else "-"
    return f"express {bases} {counts[-1]} {turn} {dice} {extra}"


@pytest.mark.parametrize("players", [2, 3, 4])
def test_made_up_positions(players: int) -> None:
    rng = random.Random(players)
    compared = refused = ends = 0
    while compared < 250:
        line = made_up(players, rng)
        try:
            theirs = Reference.from_text(line)
        except ValueError:
            refused += 1
            with pytest.raises(PositionError):
                notation.read(line)
            continue
        game = notation.read(line, seed=1)
        assert notation.write(game) == line
        assert (game.waiting, game.over) == (theirs.waiting, theirs.outcome() is not None)
        compared += 1
        if game.waiting:
            continue
        legal = theirs.legal()
        assert notation.legal_texts(game) == legal, line
        for move in legal:
            twin = game.copy()
            twin.play(notation.parse_move(twin, move), draw=False)
            after = theirs.apply(move)
            assert notation.write(twin) == after.text(), (line, move)
            ends += after.outcome() is not None
    assert refused > 20 and ends > 5
