"""Perft with cards: count move sequences exactly, to find and to locate errors of an engine.

A ply is one card revealed and one move. The counts are of distinct sequences of cards and moves;
beside them stands the exact chance that the last ply is a forced pass, when cards come with their
true chances and moves are chosen uniformly. Read `game.py` before this file.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from sorry_env.errors import RequestError
from sorry_env.game import Game, Move


@dataclass(frozen=True)
class Ply:
    """Perft to one depth.

    moves:  distinct sequences of that many cards and moves
    forced: chance that the last of them is a pass and nothing else was legal
    """

    moves: int
    forced: Fraction


def perft(game: Game, depth: int) -> list[Ply]:
    """Perft to each depth from 1 to ``depth``.

    game: any game, left as it is; its card is the first ply's if one is drawn already
    """
    counter = _Counter()
    return [counter.count(_without_chance(game), d) for d in range(1, _checked(depth) + 1)]


def divide(game: Game, depth: int) -> list[tuple[str, Move, int]]:
    """The count to ``depth`` split by first card and move: (card, move, sequences)."""
    counter = _Counter()
    rows = []
    for card, _, drawn in _cards(_without_chance(game)):
        for move in drawn.legal_moves():
            after = drawn.copy()
            after.play(move, draw=False)
            rows.append((card, move, counter.count(after, _checked(depth) - 1).moves))
    return rows


def _checked(depth: int) -> int:
    if type(depth) is not int or depth < 1:
        raise RequestError(f"depth {depth!r} must be 1 or more", value=depth)
    return depth


def _without_chance(game: Game) -> Game:
    """A copy with neither history nor random state: equal positions have equal bytes."""
    return Game.from_state(game.tables, game.view().state)


def _cards(game: Game) -> Iterator[tuple[str, Fraction, Game]]:
    """Each card that may come next, its chance, and the game with that card drawn."""
    if game.over:
        return
    if not game.waiting:
        yield game.card or "", Fraction(1), game
        return
    for name, chance in game.chances():
        drawn = game.copy()
        drawn.draw(name)
        yield name, chance, drawn


class _Counter:
    """Counts with a memory of positions met before."""

    def __init__(self) -> None:
        self._known: dict[tuple[bytes, int], Ply] = {}

    def count(self, game: Game, depth: int) -> Ply:
        if depth == 0:
            return Ply(1, Fraction(0))
        state = game.state.copy()
        state["plies"] = state["draws"] = state["rng"] = 0
        key = (state.tobytes(), depth)
        if key not in self._known:
            self._known[key] = self._count(game, depth)
        return self._known[key]

    def _count(self, game: Game, depth: int) -> Ply:
        total = 0
        forced = Fraction(0)
        for _, chance, drawn in _cards(game):
            moves = drawn.legal_moves()
            if depth == 1:
                total += len(moves)
                forced += chance * (len(moves) == 1 and moves[0].kind == "pass")
                continue
            for move in moves:
                after = drawn.copy()
                after.play(move, draw=False)
                below = self.count(after, depth - 1)
                total += below.moves
                forced += chance * below.forced / len(moves)
        return Ply(total, forced)
