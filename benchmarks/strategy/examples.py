"""Positions in which a piece of advice decides, and what both moves are worth there.

Read `rollouts.py` before and `__main__.py` after this file.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from benchmarks.strategy.decisions import Mean
from benchmarks.strategy.rollouts import compare
from benchmarks.strategy.worth import Worth
from sorry_env.game import Game
from sorry_env.notation.moves import parse_move
from sorry_env.notation.position import read


class Example(NamedTuple):
    """A position with a card drawn, a move X that a piece of advice is about and another move."""

    advice: str
    position: str
    one: str
    other: str


class Compared(NamedTuple):
    """What the two moves of an example are worth.

    one, other: chances to win of the seat that moves
    deep:       the difference two plies ahead (exact tables: the same difference)
    played:     the difference when the game is played on, if it was
    """

    example: Example
    one: float
    other: float
    deep: float
    played: Mean | None


#: The draw pile of `classic` right after it was shuffled, by the card that is being played.
_PILES: Final = {
    "1": "4.4.4.4.4.4.4.4.4.4.4", "4": "5.4.4.3.4.4.4.4.4.4.4", "5": "5.4.4.4.3.4.4.4.4.4.4",
    "7": "5.4.4.4.4.3.4.4.4.4.4", "10": "5.4.4.4.4.4.4.3.4.4.4", "11": "5.4.4.4.4.4.4.4.3.4.4",
    "S": "5.4.4.4.4.4.4.4.4.4.3",
}  # fmt: skip


def _classic(advice: str, pawns: str, one: str, other: str) -> Example:
    card = one.partition(":")[0]
    return Example(advice, f"classic {pawns} r move {card} {_PILES[card]} - -", one, other)


def _duel(advice: str, pawns: str, one: str, other: str) -> Example:
    count = pawns.split("/")[0].count(",") + 1
    card = one.partition(":")[0]
    return Example(advice, f"duel-{count} {pawns} r move {card} * - -", one, other)


EXAMPLES: Final = (
    # Yellow brings its pawns out to 34: Red stops there, or elsewhere.
    _classic("on-circle", "29,12,rS,rS/-/46,38,yS,yS/-", "5:29-34", "5:12-17"),
    _classic("on-circle", "r3,29,12,rS/-/y1,40,yS,yS/-", "5:29-34", "5:12-17"),
    _duel("on-circle", "29,12/-/50,yS/-", "5:29-34", "5:12-17"),
    # Red's own pawn stands in the way of those in Start.
    _classic("clear-circle", "30,4,rS,rS/-/50,44,yS,yS/-", "5:4-9", "5:30-35"),
    _classic("clear-circle", "30,4,rS,rS/-/50,44,yS,yS/-", "1:4-5", "1:30-31"),
    # The last pawn waits for a Sorry!, with and without a prize to be had.
    _classic("keep-last", "r4,r2,50,rS/-/y2,30,44,yS/-", "1:50-51", "1:rS-4"),
    _classic("keep-last", "r4,50,20,rS/-/yH,y3,44,yS/-", "1:50-51", "1:rS-4"),
    _duel("keep-last", "50,rS/-/30,yS/-", "1:50-51", "1:rS-4"),
    # A lap cut short by a 4 or a 10, and waiting for that.
    _classic("back-home", "40,20,4,rS/-/50,44,yS,yS/-", "4:4-0", "4:40-36"),
    _classic("back-one", "40,20,4,rS/-/50,44,yS,yS/-", "10:4-3", "10:40-50"),
    _classic("wait-back", "r3,40,20,4/-/50,44,yS,yS/-", "5:40-45", "5:4-9"),
    _duel("back-home", "3/-/50/-", "10:3-2", "10:3-13"),
    _duel("back-one", "4/-/50/-", "10:4-3", "10:4-14"),
    _duel("back-home", "40,4/-/50,yS/-", "4:4-0", "4:40-36"),
    _duel("wait-back", "40,4/-/50,yS/-", "5:40-45", "5:4-9"),
    # A switch costs Red 15 steps and Yellow 45; then 30 steps each.
    _classic("hit-at-cost", "r3,45,20,rS/-/y3,30,50,yS/-", "11:45x30", "11:45-56"),
    _classic("hit-at-cost", "r3,50,25,rS/-/y3,20,44,yS/-", "11:50x20", "11:50-1"),
    _duel("hit-at-cost", "45,rS/-/30,yS/-", "11:45x30", "11:45-56"),
    # Yellow leads, its last pawn far from Home; Blue is behind, with a pawn that is nearly there.
    _classic("hit-leader", "20,rS,rS,rS/10,30,bS,bS/yH,yH,y3,45/50,gS,gS,gS", "S:rSx45", "S:rSx10"),
    _classic("hit-leader", "20,rS,rS,rS/10,30,bS,bS/yH,yH,yH,36/50,gS,gS,gS", "S:rSx36", "S:rSx50"),
    # A 7 in two parts.
    _classic("split", "r4,r1,20,rS/-/50,44,yS,yS/-", "7:r4-rH,20-25", "7:20-27"),
    _classic("split", "57,40,20,rS/-/50,44,yS,yS/-", "7:57-1,20-23", "7:57-r2"),
    _duel("split", "r4,20/-/50,yS/-", "7:r4-rH,20-25", "7:20-27"),
)


def measure(
    worth: Worth, example: Example, games: int, seed: int, plies: int | None = None
) -> Compared:
    """What its moves are worth.

    games: to play on from each move; none: not played
    plies: see `rollouts.wins`
    Raises MoveError for a move that is not legal in its position.
    """
    game = read(example.position, seed=seed)
    moves = [parse_move(game, text) for text in (example.one, example.other)]
    after = [after_move(game, text) for text in (example.one, example.other)]
    movers = np.array([game.actor, game.actor])
    one, other = worth.after(np.concatenate(after), movers).tolist()
    mask = np.zeros((1, worth.tables.num_actions), np.bool_)
    actions = [move.action for move in moves]
    mask[0, actions] = True
    deep = worth.deeper(game.state, mask)[0, actions]
    played = compare(worth, after[0], after[1], game.actor, games, seed, plies) if games else None
    return Compared(example, one, other, float(deep[0] - deep[1]), played)


def after_move(game: Game, text: str) -> np.ndarray:
    """GAME[1], the position after a move and before the next draw."""
    moved = game.copy()
    moved.play(parse_move(moved, text), draw=False)
    return moved.state.copy()
