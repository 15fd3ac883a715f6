"""The pieces of advice: to which moves each points, and which moves it is compared with.

A piece of advice divides the moves of a decision in three: those that it is about (X), those that
it says to prefer or avoid them to (Y), and those that have nothing to do with it. It is tested in
decisions that offer both. Read `moves.py` before and `decisions.py` after this file.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np

from benchmarks.strategy.moves import Moves
from sorry_env.engine.actions import LEAVE, SPLIT, STEP
from sorry_env.engine.state import CIRCLE, ENTRY, HOME, START

#: Steps back of the card that shortens the lap most.
BACK_CARD: Final = 4
#: Moves X and moves Y, bool[m] each, no move in both.
Parts = tuple[np.ndarray, np.ndarray]


@dataclass(frozen=True)
class Advice:
    """A piece of advice.

    name:  for commands
    words: what X is, and what Y is
    parts: divides moves
    seats: the least number of seats for which it says anything
    cases: names of the kinds of decisions that are told apart, and `case` which one each is int[n]
    """

    name: str
    words: str
    parts: Callable[[Moves], Parts]
    seats: int = 2
    cases: tuple[str, ...] = ()
    case: Callable[[Moves], np.ndarray] | None = None


def on_circle(moves: Moves) -> Parts:
    """X: to come to rest on the circle of an opponent who has a pawn in Start. Y: all others."""
    stops = moves.arrives(range(1))
    return stops, ~stops


def past_circle(moves: Moves) -> Parts:
    """X: to come to rest 1 to 5 squares beyond such a circle. Y: all others."""
    stops = moves.arrives(range(1, 6))
    return stops, ~stops


def short_of_circle(moves: Moves) -> Parts:
    """X: to come to rest 1 to 5 squares short of it. Y: to come to rest on it or 1 to 5 beyond."""
    short, beyond = moves.arrives(range(-5, 0)), moves.arrives(range(6))
    return short & ~beyond, beyond & ~short


def clear_circle(moves: Moves) -> Parts:
    """X: to move the pawn on the own circle on while others wait in Start. Y: it stays."""
    waits = (moves.own == CIRCLE).any(axis=1) & (moves.in_start > 0)
    return waits & moves.clears_circle, waits & ~moves.clears_circle


def keep_last(moves: Moves) -> Parts:
    """X: with a 1 or 2, to leave the one pawn that is still in Start there. Y: to bring it out."""
    return _keep(moves, moves.in_start == 1)


def keep_more(moves: Moves) -> Parts:
    """The same where two pawns or more are in Start: X: to bring none out. Y: to bring one out."""
    return _keep(moves, moves.in_start > 1)


def _keep(moves: Moves, which: np.ndarray) -> Parts:
    # A Sorry! leaves Start too, but is no choice of this kind.
    leaves = moves.kind == LEAVE
    steps = moves.kind == STEP
    return which & steps, which & leaves


def back_home(moves: Moves) -> Parts:
    """X: to step back (4 or 10) across the own entry, with a lap less to go. Y: all others."""
    return moves.back_over_start, ~moves.back_over_start


def back_one(moves: Moves) -> Parts:
    """X: with a 10, one step back from the own circle. Y: ten steps forward."""
    card = (moves.card == "10") & (moves.kind == STEP)
    return card & (moves.steps < 0) & (moves.code == CIRCLE), card & (moves.steps > 0)


def wait_back(moves: Moves) -> Parts:
    """X: to leave all pawns near the own circle there, for a 4 or a 10 to come. Y: to move one on.

    Near: on the circle, or on one of the two squares beyond it or the one before it, from where a 4
    gets across the own entry. Nobody is in Start, where a pawn on the circle would be in the way.
    """
    none = moves.in_start == 0
    near = (moves.code > START) & (moves.code <= BACK_CARD)
    on = (moves.kind == STEP) & (moves.steps > 0)
    return none & on & ~near & _any_near(moves), none & on & near


def _any_near(moves: Moves) -> np.ndarray:
    return np.asarray(((moves.own > START) & (moves.own <= BACK_CARD)).any(axis=1))


def hit_at_cost(moves: Moves) -> Parts:
    """X: to throw opponents back though fewer own steps are gained. Y: harmless, most own steps.

    Only moves X that gain less than the best harmless move are counted.
    """
    hits = moves.harm.sum(axis=1) > 0
    harmless = np.asarray((moves.harm <= 0).all(axis=1))
    return _costly(moves, hits, harmless)


def hit_leader(moves: Moves) -> Parts:
    """X: to throw the leading opponent back. Y: to throw another one back."""
    lead = np.take_along_axis(moves.harm, np.maximum(moves.leading, 0)[:, None], axis=1)[:, 0]
    at_leader = (lead > 0) & (moves.leading >= 0)
    at_others = (moves.harm > 0).any(axis=1) & (lead <= 0) & (moves.leading >= 0)
    return at_leader, at_others


def hit_leader_at_cost(moves: Moves) -> Parts:
    """As `hit_leader`, counting only moves X that gain fewer own steps than the best of Y."""
    return _costly(moves, *hit_leader(moves))


def _costly(moves: Moves, hits: np.ndarray, others: np.ndarray) -> Parts:
    best = np.full(len(moves.games), np.iinfo(np.int64).min)
    np.maximum.at(best, moves.row[others], moves.gain[others])
    return hits & (moves.gain < best[moves.row]), others


def split_seven(moves: Moves) -> Parts:
    """X: to split a 7 between two pawns. Y: to move it with one."""
    return moves.kind == SPLIT, (moves.card == "7") & (moves.kind == STEP)


# -- which decisions are told apart ---------------------------------------------------------------


def waiting_there(moves: Moves) -> np.ndarray:
    """int[n]: pawns in Start of the opponent with most of them, less one; 0 to 2."""
    waits = ((moves.games["pawns"] == START).sum(axis=2))[moves.row]
    return _first(moves, np.clip(np.where(moves.opponents, waits, 0).max(axis=1) - 1, 0, 2))


def targets(moves: Moves) -> np.ndarray:
    """int[n]: how far the foremost pawn has come that a Sorry! could take, by its steps.

    0: none is on the track, 1: it has 1 to 30 steps, 2: more.
    """
    codes = moves.games["pawns"][moves.row]
    on = (codes > START) & (codes <= ENTRY) & moves.opponents[:, :, None]
    far = np.where(on, codes, 0).max(axis=(1, 2))
    return _first(moves, np.where(far == 0, 0, np.where(far <= 30, 1, 2)))


def cost(moves: Moves) -> np.ndarray:
    """int[n]: own steps given up for the least costly hit: 0: 1 to 5, 1: 6 to 20, 2: more."""
    hits, others = hit_at_cost(moves)
    low = np.iinfo(np.int64).min
    gains = [
        np.maximum.reduceat(np.where(which, moves.gain, low), moves.starts)
        for which in (others, hits)
    ]
    given = gains[0] - gains[1]
    return np.asarray(np.digitize(given, (6, 21)))


def bring_home(moves: Moves) -> np.ndarray:
    """int[n]: what brings a pawn Home: 0: nothing, 1: a split, 2: 7 with one pawn, 3: both."""
    home = (moves.own_after == HOME).sum(axis=1) > (moves.own == HOME).sum(axis=1)
    split, whole = split_seven(moves)
    by_split, by_whole = (
        np.logical_or.reduceat(home & which, moves.starts) for which in (split, whole)
    )
    return np.where(by_split & by_whole, 3, np.where(by_whole, 2, np.where(by_split, 1, 0)))


def _first(moves: Moves, items: np.ndarray) -> np.ndarray:
    """What is the same for all moves of a decision: items [m] to [n]."""
    return np.asarray(items[moves.starts])


_WAITING = ("one pawn in their Start", "two pawns", "three pawns or four")
_TARGETS = ("nobody to hit", "foremost target has up to 30 steps", "more than 30 steps")
_COSTS = ("gives up 1 to 5 steps", "6 to 20 steps", "more")
_HOMES = ("no pawn comes Home", "only by a split", "only by 7 with one pawn", "either way")

ADVICE: Final[dict[str, Advice]] = {
    advice.name: advice
    for advice in (
        Advice("on-circle", "stop on a circle that opponents come out to", on_circle,
               cases=_WAITING, case=waiting_there),
        Advice("past-circle", "stop 1 to 5 squares beyond such a circle", past_circle),
        Advice("short-of-circle", "stop 1 to 5 short of it, not on it or beyond", short_of_circle),
        Advice("clear-circle", "move off the own circle, others in Start", clear_circle),
        Advice("keep-last", "1 or 2: keep the last pawn in Start", keep_last,
               cases=_TARGETS, case=targets),
        Advice("keep-more", "1 or 2: keep all of two or more in Start", keep_more),
        Advice("back-home", "4 or 10: step back across the own entry", back_home),
        Advice("back-one", "10: one back from the own circle, not 10 on", back_one),
        Advice("wait-back", "leave a pawn near the own circle for a 4", wait_back),
        Advice("hit-at-cost", "hit, though a harmless move gains more", hit_at_cost,
               cases=_COSTS, case=cost),
        Advice("hit-leader", "hit the leading opponent, not another", hit_leader, 3),
        Advice("hit-leader-at-cost", "the same, though another hit gains more",
               hit_leader_at_cost, 3),
        Advice("split", "split the 7, not 7 with one pawn", split_seven,
               cases=_HOMES, case=bring_home),
    )
}  # fmt: skip
