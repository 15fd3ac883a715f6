"""What the tests of exact solutions share: positions by hand, and a slow look at what follows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

import numpy as np

from sorry_env.engine.state import GAME
from sorry_env.engine.tables import RuleTables
from sorry_env.game import Game
from sorry_env.rules import Card, Ruleset, get_ruleset
from sorry_env.solve import Solution
from sorry_env.solve.space import Space

OUT_OR_ONE = Card("1", forward=1, start=True)
#: Does nothing for one pawn alone, or against a pawn that is in no danger: a draw is lost.
NOTHING = Card("S", take=True)
#: A step forward or one back, for walks at random.
EITHER_WAY = Card("W", forward=1, backward=1, start=True)


def ruleset_of(*cards: Card, seats: int = 1, pawns: int = 1, slides: bool = False) -> Ruleset:
    """A ruleset of one's own whose cards all come equally often."""
    base = get_ruleset("solo")
    return replace(
        base,
        edition="test-" + "-".join(card.name for card in cards),
        cards=cards,
        seat_counts=(seats,),
        pawns=pawns,
        slides=base.slides if slides else (),
    )


def position(space: Space, pawns: Mapping[int, Sequence[int]], mover: int) -> np.ndarray:
    """GAME[1] that waits for a draw, from codes by seat, most advanced first."""
    game = space.first(mover)
    for seat, codes in pawns.items():
        game[0]["pawns"][seat, : len(codes)] = codes
    return game


def random_positions(space: Space, count: int, seed: int) -> Iterator[np.ndarray]:
    """Positions GAME[1] before a draw that are possible by the rules, squares drawn anyhow."""
    rng = np.random.default_rng(seed)
    pawns = space.tables.ruleset.pawns
    while count:
        # Start, Home and what is close to them come more often than squares anyhow.
        codes = {
            seat: sorted(
                rng.choice([0, 0, 2, 60, 62, 65, 66, *rng.integers(0, 67, 14)], pawns).tolist(),
                reverse=True,
            )
            for seat in space.seats
        }
        game = position(space, codes, int(rng.choice(space.seats)))
        try:
            Game.from_state(space.tables, game)
        except ValueError:
            continue  # two on one square, or a side that is Home
        count -= 1
        yield game


def game_of(tables: RuleTables, record: np.ndarray) -> Game:
    """A game at a position, played on by hand."""
    return Game.from_state(tables, record.copy())


def followers(game: Game) -> Iterator[tuple[Fraction, list[Game]]]:
    """Each card that may come, its chance, and the game after each legal move of it."""
    for card, chance in game.chances():
        drawn = game.copy()
        drawn.draw(card)
        after = []
        for move in drawn.legal_moves():
            moved = drawn.copy()
            moved.play(move, draw=False)
            after.append(moved)
        yield chance, after


def value_by_hand(solution: Solution, game: Game) -> float:
    """One backup of a position, by `Game` and the values of what follows."""
    solo = len(game.seats) == 1
    teams = game.ruleset.teams != "none"
    mover = game.actor
    total = 0.0
    for chance, after in followers(game):
        worths = []
        for moved in after:
            if moved.over:
                worth = 0.0 if solo else float(mover in moved.winners)
            else:
                worth = float(solution.values_before(moved.state)[0])
                same = moved.turn == mover or (teams and (moved.turn - mover) % 2 == 0)
                worth = worth if solo or same else 1.0 - worth
            worths.append(worth)
        total += float(chance) * (min(worths) if solo else max(worths))
    return total + solo


def records(games: Sequence[np.ndarray]) -> np.ndarray:
    """GAME[n] of many GAME[1]."""
    joined = np.empty(len(games), GAME)
    for i, game in enumerate(games):
        joined[i] = game[0]
    return joined
