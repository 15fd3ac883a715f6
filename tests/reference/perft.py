"""Perft with cards over the reference: a ply is one move, with the card revealed before it if any.

Read ``reference.py`` before this file. Run ``python -m tests.reference.perft classic 2 red blue``
for the counts of a first position (ruleset, depth, seats).
"""

from __future__ import annotations

import sys
from fractions import Fraction
from typing import NamedTuple

from .reference import ReferenceGame


class Ply(NamedTuple):
    """What perft says of one depth."""

    sequences: int  # distinct sequences of cards and moves of this length
    forced_pass: Fraction  # chance that the last ply is a pass without a choice


def perft(game: ReferenceGame, depth: int) -> list[Ply]:
    """Count from a position, as a rule one that waits for a draw, for every depth up to ``depth``.

    Cards weigh their exact probability, legal moves of a position the same. A pass counts as a
    move. A sequence that ends the game has no longer ones, and adds nothing beyond its end.
    """
    counts = [0] * depth
    passes = [Fraction(0)] * depth
    _visit(game, 0, Fraction(1), counts, passes)
    return [Ply(count, chance) for count, chance in zip(counts, passes, strict=True)]


def _visit(
    game: ReferenceGame, ply: int, weight: Fraction, counts: list[int], passes: list[Fraction]
) -> None:
    if ply == len(counts) or game.outcome() is not None:
        return
    if game.waiting:
        for card, chance in game.draws().items():
            _visit(game.draw(card), ply, weight * chance, counts, passes)
        return
    moves = game.legal()
    counts[ply] += len(moves)
    if moves == ["pass"]:
        passes[ply] += weight
    if ply + 1 < len(counts):
        for move in moves:
            _visit(game.apply(move), ply + 1, weight / len(moves), counts, passes)


def main(arguments: list[str]) -> None:
    """Print one line per depth."""
    ruleset, depth, *seats = arguments
    game = ReferenceGame.new(ruleset, seats or None)
    for number, ply in enumerate(perft(game, int(depth)), start=1):
        print(number, ply.sequences, ply.forced_pass)


if __name__ == "__main__":
    main(sys.argv[1:])
