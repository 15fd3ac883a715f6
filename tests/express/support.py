"""What the tests of the dice game share: positions on the way and random games."""

from __future__ import annotations

import random
from collections.abc import Iterator

from sorry_env.express import ExpressGame, notation

#: Seat 0 shows red and holds 2 red (Home) and 1 blue; seat 1 shows blue and holds 1 red, 3 blue
#: (Home) and 2 yellow.
MIDDLE = "r:2.1.0.0/b:1.3.2.0 1.0.2.4"


def at(position: str) -> ExpressGame:
    """The game of a position without its first word."""
    return notation.read(f"express {position}", seed=1)


def text_of(game: ExpressGame) -> str:
    return notation.write(game).removeprefix("express ")


def random_positions(players: int, seed: int, count: int) -> Iterator[ExpressGame]:
    """Games at random play: before each roll, at each decision and at the end."""
    rng = random.Random(seed)
    while True:
        game = ExpressGame(players, seed=rng.randrange(1 << 30), first="random", draw=False)
        while True:
            yield game
            count -= 1
            if count == 0:
                return
            if game.over:
                break
            if game.waiting:
                game.roll()
            else:
                game.play(rng.choice(game.legal_moves()), draw=False)
