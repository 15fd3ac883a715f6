"""Advice in games that the best known play plays with itself: how often it is right, and by what.

Read `advice.py` before and `matches.py` after this file.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np

from benchmarks.strategy.advice import Advice
from benchmarks.strategy.moves import Moves
from benchmarks.strategy.worth import Worth
from sorry_env.arena.match import game_seeds
from sorry_env.arena.stats import Z95
from sorry_env.engine.batch import Batch

#: Games that run at the same time.
BATCH: Final = 256


@dataclass(frozen=True)
class Mean:
    """A mean with half of its 95 % interval."""

    mean: float
    half: float

    @property
    def words(self) -> str:
        """In percent."""
        return f"{100 * self.mean:+.2f} ± {100 * self.half:.2f}"


def clustered(sums: np.ndarray, counts: np.ndarray) -> Mean:
    """The mean over all items of G games; items of one game need not be independent.

    sums: float64[G], of the items of each game; counts: [G], how many items it has
    The spread is that of a ratio of two means over games (W. G. Cochran, "Sampling techniques",
    1977, chapter 6). NaN where there is nothing.
    """
    total, games = float(counts.sum()), len(counts)
    if total == 0 or games < 2:
        return Mean(float("nan"), float("nan"))
    mean = float(sums.sum()) / total
    off = sums - mean * counts
    variance = float((off**2).sum()) * games / (games - 1) / total**2
    return Mean(mean, Z95 * float(np.sqrt(variance)))


def best_of(moves: Moves, chance: np.ndarray, which: np.ndarray) -> np.ndarray:
    """float64[n]: the highest chance among the moves that bool[m] marks; -inf where there is none.

    chance: float64[m]
    """
    best: np.ndarray = np.maximum.reduceat(np.where(which, chance, -np.inf), moves.starts)
    return best


@dataclass(frozen=True, eq=False)
class Tested:
    """A piece of advice in D decisions of G games that offer moves X and moves Y.

    game:   int64[D], the game of each; best_x, best_y: float64[D], chances to win
    case:   int64[D], which of the advice's cases it is; 0 where it has none
    deep:   float64[D], what the same two moves are worth to each other two plies ahead
    games:  G, those without such a decision included
    equal:  chances nearer to each other than this are equal
    """

    advice: Advice
    game: np.ndarray
    best_x: np.ndarray
    best_y: np.ndarray
    case: np.ndarray
    deep: np.ndarray
    games: int
    equal: float

    @property
    def gain(self) -> np.ndarray:
        """float64[D], what the best of X is worth beyond the best of Y."""
        gain: np.ndarray = self.best_x - self.best_y
        return gain

    def mean(self, items: np.ndarray) -> Mean:
        """Of an item float64[D] for each decision."""
        sums = np.bincount(self.game, items, minlength=self.games)
        return clustered(sums, np.bincount(self.game, minlength=self.games))

    def a_game(self, items: np.ndarray) -> Mean:
        """The sum of items float64[D] of a game, on average."""
        sums = np.bincount(self.game, items, minlength=self.games)
        return clustered(sums, np.ones(self.games))

    @property
    def best(self) -> Mean:
        """How often a move X is better than all of Y."""
        return self.mean((self.gain > self.equal).astype(np.float64))

    @property
    def always(self) -> Mean:
        """What it costs in a game to play X wherever it can be played (below 0: a loss)."""
        return self.a_game(np.minimum(self.gain, 0.0))

    @property
    def never(self) -> Mean:
        """What it costs in a game to play Y wherever it can be played."""
        return self.a_game(np.minimum(-self.gain, 0.0))


def play(
    worth: Worth, games: int, seed: int, *, epsilon: float = 0.0
) -> Iterator[tuple[np.ndarray, Moves, np.ndarray]]:
    """All decisions of games in which every seat plays a move of the highest chance.

    epsilon: how often a move is drawn from all legal ones instead
    Yields the game's number int64[n], the moves of n decisions and their chances float64[m]. Games
    are numbered from 0 in the order in which they begin.
    """
    size = min(BATCH, games)
    table = Batch(worth.tables.ruleset, worth.seats, size, seed=seed, skip_forced=True)
    dice = np.random.default_rng((seed, 1))
    number, begun = np.arange(size), size
    table.reset(game_seeds(seed, number))
    while (number < games).any():
        actions = table.mask.argmax(axis=1)
        rows = np.flatnonzero((number < games) & (table.legal > 1))
        if len(rows):
            moves = Moves.of(worth.tables, table.games[rows], table.mask[rows])
            chance = worth.after(moves.after, moves.mover)
            yield number[rows], moves, chance
            actions[rows] = moves.action[choose(moves, chance, worth.equal, dice, epsilon)]
        table.step(actions)
        ended = np.flatnonzero(table.terminated | table.truncated)
        if len(ended):
            number[ended] = begun + np.arange(len(ended))
            begun += len(ended)
            table.reset_rows(ended, game_seeds(seed, number[ended]))


def choose(
    moves: Moves, chance: np.ndarray, equal: float, dice: np.random.Generator, epsilon: float = 0.0
) -> np.ndarray:
    """int64[n], one of the moves of the highest chance for each decision, all equally likely."""
    lot = dice.random(len(moves))
    free = dice.random(len(moves.games)) < epsilon
    best = np.maximum.reduceat(chance, moves.starts)[moves.row]
    lot += (chance >= best - equal) | free[moves.row]
    order = np.lexsort((lot, moves.row))
    last: np.ndarray = order[np.append(moves.starts[1:], len(moves)) - 1]
    return last


def test_advice(
    worth: Worth, advice: Mapping[str, Advice], games: int, seed: int
) -> dict[str, Tested]:
    """Each piece of advice in the decisions of these games."""
    found: dict[str, list[tuple[np.ndarray, ...]]] = {name: [] for name in advice}
    for number, moves, chance in play(worth, games, seed):
        pairs = {}
        for name, piece in advice.items():
            parts = piece.parts(moves)
            best = [best_of(moves, chance, which) for which in parts]
            both = np.flatnonzero(np.isfinite(best[0]) & np.isfinite(best[1]))
            case = piece.case(moves)[both] if piece.case else np.zeros(len(both), np.int64)
            pairs[name] = both, [best_move(moves, chance, which)[both] for which in parts]
            found[name].append((number[both], best[0][both], best[1][both], case))
        deep = look_deeper(worth, moves, list(pairs.values()))
        for name, gain in zip(pairs, deep, strict=True):
            found[name][-1] += (gain,)
    tested = {}
    for name, columns in found.items():
        game, best_x, best_y, case, gain = map(np.concatenate, zip(*columns, strict=True))
        tested[name] = Tested(advice[name], game, best_x, best_y, case, gain, games, worth.equal)
    return tested


def best_move(moves: Moves, chance: np.ndarray, which: np.ndarray) -> np.ndarray:
    """int64[n]: one of the moves of the highest chance that bool[m] marks; any where none is."""
    order = np.lexsort((np.where(which, chance, -np.inf), moves.row))
    last: np.ndarray = order[np.append(moves.starts[1:], len(moves)) - 1]
    return last


def look_deeper(
    worth: Worth, moves: Moves, pairs: list[tuple[np.ndarray, list[np.ndarray]]]
) -> list[np.ndarray]:
    """What the first move of each pair is worth beyond the second, two plies ahead.

    pairs: decisions int64[d] and for each its first and its second move, int64[d] and int64[d]
    All that is asked of one decision is looked at together. Returns float64[d] for each entry.
    """
    mask = np.zeros((len(moves.games), moves.tables.num_actions), np.bool_)
    for rows, (one, other) in pairs:
        mask[rows, moves.action[one]] = mask[rows, moves.action[other]] = True
    asked = np.flatnonzero(mask.any(axis=1))
    chances = np.full(mask.shape, np.nan)
    if len(asked):
        chances[asked] = worth.deeper(moves.games[asked], mask[asked])
    return [
        chances[rows, moves.action[one]] - chances[rows, moves.action[other]]
        for rows, (one, other) in pairs
    ]
