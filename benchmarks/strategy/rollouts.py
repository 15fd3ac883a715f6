"""Moves compared by playing on: from each position after a move many games, with the same cards.

Read `decisions.py` before and `examples.py` after this file.
"""

from __future__ import annotations

from itertools import count
from typing import Final

import numpy as np

from benchmarks.strategy.decisions import Mean, choose
from benchmarks.strategy.moves import Moves
from benchmarks.strategy.worth import Worth
from sorry_env.arena.match import game_seeds
from sorry_env.arena.stats import Z95
from sorry_env.bots.chance import go_on, play_each
from sorry_env.engine.state import OVER
from sorry_env.errors import RequestError

#: Games that are played on together.
CHUNK: Final = 1024


def wins(
    worth: Worth, game: np.ndarray, mover: int, seeds: np.ndarray, plies: int | None = None
) -> np.ndarray:
    """float64[k]: 1 where the seat wins, of k games that go on from GAME[1], else 0.

    game:  after a move and before any draw, or over
    seeds: uint64[k], random states of the games' draws
    plies: so many decisions are played, and then the seat's chance counts; None plays to the end.
           Chances of a seat that has not just moved are known with two seats only
    All seats play moves of the highest chance.
    """
    if plies is not None and len(worth.seats) > 2:
        raise RequestError(f"plies={plies} needs two seats", value=plies)
    return np.concatenate(
        [_play_on(worth, game, mover, seeds[low : low + CHUNK], plies)
         for low in range(0, len(seeds), CHUNK)]
    )  # fmt: skip


def _play_on(
    worth: Worth, game: np.ndarray, mover: int, seeds: np.ndarray, plies: int | None
) -> np.ndarray:
    games = np.repeat(game, len(seeds))
    games["rng"] = seeds
    dice = np.random.default_rng(seeds)
    last = np.full(len(games), mover)  # who decided last
    going = np.flatnonzero(games["phase"] != OVER)
    for _ in count() if plies is None else range(plies):
        if not len(going):
            break
        some = games[going]
        mask = go_on(worth.tables, some)
        actions = mask.argmax(axis=1)
        rows = np.flatnonzero(mask.sum(axis=1) > 1)
        if len(rows):
            moves = Moves.of(worth.tables, some[rows], mask[rows])
            best = choose(moves, worth.after(moves.after, moves.mover), worth.equal, dice)
            actions[rows] = moves.action[best]
        last[going] = some["actor"]
        play_each(worth.tables, some, actions)
        games[going] = some
        going = going[some["phase"] != OVER]
    won: np.ndarray = (games["ranks"][:, mover] == 1).astype(np.float64)
    if len(going):
        chance = worth.after(games[going], last[going])
        won[going] = np.where(last[going] == mover, chance, 1.0 - chance)
    return won


def compare(
    worth: Worth,
    one: np.ndarray,
    other: np.ndarray,
    mover: int,
    games: int,
    seed: int,
    plies: int | None = None,
) -> Mean:
    """How much more often the seat wins after one move than after another.

    one, other: GAME[1], the positions after the moves
    games:      to play on from each; the k-th of both has the same random state, so the same cards
                as long as as many are drawn
    plies:      see `wins`
    """
    seeds = game_seeds(seed, np.arange(games))
    gain = wins(worth, one, mover, seeds, plies) - wins(worth, other, mover, seeds, plies)
    half = Z95 * float(gain.std(ddof=1)) / games**0.5
    return Mean(float(gain.mean()), half)
