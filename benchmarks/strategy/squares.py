"""The price of a square: one pawn of a position put on every square in turn, all else as it is.

Read `decisions.py` before and `rollouts.py` after this file.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

import numpy as np

from benchmarks.strategy.decisions import Mean, choose, clustered, play
from benchmarks.strategy.moves import Moves
from benchmarks.strategy.worth import Worth
from sorry_env.engine.geometry import code_at, outer_square
from sorry_env.engine.state import CIRCLE, DIAMOND, ENTRY, HOME, OVER, START

#: Squares before and beyond an opponent's circle that are looked at.
REACH: Final = 12
#: One decision in so many gives a position.
EVERY: Final = 8


class Prices(NamedTuple):
    """Chances to win with one pawn of the seat that has just moved on each square.

    game:   int64[p], the game of each position
    games:  GAME[p], the positions; seat: int64[p], whose pawn is moved about
    chance: float64[p, 67] by code; NaN where the pawn cannot stand
    total:  games played
    """

    game: np.ndarray
    games: np.ndarray
    seat: np.ndarray
    chance: np.ndarray
    total: int


def price(worth: Worth, games: int, seed: int) -> Prices:
    """Prices of squares in positions of these games, where the next seat is to draw."""
    parts = list(_positions(worth, games, seed))
    number, bases, seats, slots = (np.concatenate(part) for part in zip(*parts, strict=True))
    chance = np.full((len(bases), HOME + 1), np.nan)
    low = 0
    for some in np.array_split(np.arange(len(bases)), len(bases) // 256 + 1):
        chance[low : low + len(some)] = put_everywhere(worth, bases[some], seats[some], slots[some])
        low += len(some)
    return Prices(number, bases, seats, chance, games)


def _positions(
    worth: Worth, games: int, seed: int
) -> Iterator[tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]]:
    """Game, position, seat that has moved there and slot of one of its pawns on the track."""
    dice = np.random.default_rng((seed, 2))
    for number, moves, chance in play(worth, games, seed):
        best = choose(moves, chance, worth.equal, dice)
        kept = dice.random(len(best)) < 1.0 / EVERY
        after, seat = moves.after[best], moves.mover[best]
        codes = moves.own_after[best]
        on = (codes > START) & (codes <= ENTRY)
        kept &= on.any(axis=1) & (after["turn"] != seat) & (after["phase"] != OVER)
        slot = np.where(on, dice.random(on.shape), -1.0).argmax(axis=1)
        yield number[kept], after[kept], seat[kept], slot[kept]


def put_everywhere(
    worth: Worth, games: np.ndarray, seats: np.ndarray, slots: np.ndarray
) -> np.ndarray:
    """float64[p, 67], chances of seats int[p] with their pawn of a slot int[p] on each code.

    NaN on squares that are taken, where a pawn slides on, and Home where the game would end.
    """
    codes = np.arange(HOME + 1)
    at, code = (array.reshape(-1) for array in np.meshgrid(np.arange(len(games)), codes,
                                                           indexing="ij"))  # fmt: skip
    moved, seat = games[at], seats[at]
    pawns = moved["pawns"][np.arange(len(at)), seat].astype(np.int64)
    rest = pawns.copy()
    rest[np.arange(len(at)), slots[at]] = -2
    taken = (rest == code[:, None]).any(axis=1) & (code > START) & (code < HOME)
    ends = (code == HOME) & ((rest == HOME).sum(axis=1) == (pawns >= 0).sum(axis=1) - 1)
    slides = worth.tables.arrays.facts["slide_end"][0].astype(np.int64)[code] != code
    free = ~(taken | ends | slides | _others_there(moved, seat, code))
    rest[np.arange(len(at)), slots[at]] = code
    moved["pawns"][np.arange(len(at)), seat] = -np.sort(-rest, axis=1)
    chance = np.full(len(at), np.nan)
    chance[free] = worth.after(moved[free], seat[free])
    return chance.reshape(len(games), len(codes))


def _others_there(games: np.ndarray, seat: np.ndarray, code: np.ndarray) -> np.ndarray:
    """bool[k]: another colour's pawn stands on the outer square of a seat's code."""
    found = np.zeros(len(games), np.bool_)
    for other in range(4):
        theirs = games["pawns"][:, other].astype(np.int64)
        # The square that the other counts as `theirs`, as the seat would count it.
        same = (theirs + 15 * (other - seat)[:, None] - 1) % 60 + 1 == code[:, None]
        there = same & (theirs > START) & (theirs <= ENTRY)
        found |= there.any(axis=1) & (other != seat)
    return found & (code >= DIAMOND) & (code <= ENTRY)


def own_way(prices: Prices) -> list[tuple[int, Mean]]:
    """By code, what a pawn there is worth beyond one in Start, where all else is the same."""
    gains = prices.chance - prices.chance[:, [START]]
    return [(code, _mean(prices, gains[:, code])) for code in range(HOME + 1)]


def round_circles(prices: Prices) -> list[tuple[int, Mean, Mean]]:
    """By distance beyond an opponent's circle, what standing there is worth, two ways.

    The first where that opponent has pawns in Start, the second where it has none. What counts is
    what a square is worth beyond the straight line through all squares up to REACH away.
    """
    distances = range(-REACH, REACH + 1)
    waiting, off, game = [], [], []
    for seat in range(4):
        for other in range(4):
            rows = np.flatnonzero((prices.seat == seat) & (prices.games["pawns"][:, other, 0] >= 0))
            if seat == other or not len(rows):
                continue
            codes = [code_at(seat, (outer_square(other, CIRCLE) + d) % 60) for d in distances]
            off.append(_off_line(prices.chance[rows][:, codes], np.array(distances)))
            waiting.append((prices.games["pawns"][rows, other] == START).any(axis=1))
            game.append(prices.game[rows])
    beyond, waits, number = map(np.concatenate, (off, waiting, game))

    def mean_of(which: np.ndarray, i: int) -> Mean:
        return _mean(prices._replace(game=number[which]), beyond[which, i])

    return [(d, mean_of(waits, i), mean_of(~waits, i)) for i, d in enumerate(distances)]


def _off_line(chance: np.ndarray, distances: np.ndarray) -> np.ndarray:
    """Each row's chances less the row's mean and the common slope; NaN stays."""
    there = np.isfinite(chance)
    x = np.where(there, distances, np.nan)
    off_x = x - np.nanmean(x, axis=1, keepdims=True)
    off_y = chance - np.nanmean(chance, axis=1, keepdims=True)
    slope = np.nansum(off_x * off_y) / np.nansum(off_x**2)
    return np.asarray(off_y - slope * off_x)


def _mean(prices: Prices, items: np.ndarray) -> Mean:
    """Of items float64[p], NaN left out, with games as clusters."""
    there = np.isfinite(items)
    sums = np.bincount(prices.game[there], items[there], minlength=prices.total)
    return clustered(sums, np.bincount(prices.game[there], minlength=prices.total))


def exchange(worth: Worth, games: int, seed: int) -> tuple[Mean, list[tuple[str, Mean]]]:
    """What steps are worth when moves are chosen: own steps, and steps that opponents lose.

    Within each decision the chances after its moves are compared with the own steps they gain, the
    steps that the leading opponent loses and those that others lose: one straight line for all
    (least squares, each decision with its own mean). Returns what an own step is worth, and what a
    step taken from the leader and from the others is worth in own steps.
    """
    squares, products = np.zeros((games, 3, 3)), np.zeros((games, 3))
    for number, moves, chance in play(worth, games, seed):
        lead = np.take_along_axis(moves.harm, np.maximum(moves.leading, 0)[:, None], axis=1)[:, 0]
        lead = np.where(moves.leading >= 0, lead, 0)
        facts = np.stack([moves.gain, lead, moves.harm.sum(axis=1) - lead], axis=1)
        x, y = _centred(moves, facts.astype(np.float64)), _centred(moves, chance[:, None])[:, 0]
        of = number[moves.row]
        np.add.at(squares, of, x[:, :, None] * x[:, None, :])
        np.add.at(products, of, x * y[:, None])
    used = np.flatnonzero(squares.sum(axis=0).diagonal() > 0)
    squares, products = squares[:, used][:, :, used], products[:, used]
    fit = np.linalg.solve(squares.sum(axis=0), products.sum(axis=0))
    # Games are the independent units: how far each one's normal equations are off.
    off = products - squares @ fit
    influence = np.linalg.solve(squares.sum(axis=0), off.T).T * games
    names = ("own", "the leading opponent's", "other opponents'")
    own = clustered(fit[0] + influence[:, 0], np.ones(games))
    rates = [
        (names[column], clustered(
            fit[i] / fit[0] + (influence[:, i] - fit[i] / fit[0] * influence[:, 0]) / fit[0],
            np.ones(games)))
        for i, column in enumerate(used.tolist()) if i
    ]  # fmt: skip
    return own, rates


def _centred(moves: Moves, items: np.ndarray) -> np.ndarray:
    """Items float64[m, k] less the mean of their decision."""
    counts = np.diff(moves.starts, append=len(moves))
    means = np.add.reduceat(items, moves.starts, axis=0) / counts[:, None]
    return np.asarray(items - means[moves.row])
