"""Plain ways to play that people use as baselines, each a value of the position after a move.

Read `greedy.py`, whose machinery they share, before this file.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from sorry_env.bots.base import BatchRequest
from sorry_env.bots.greedy import STEP, GreedyBot
from sorry_env.engine.state import CIRCLE, ENTRY, HOME, SEATS, START
from sorry_env.engine.tables import RuleTables
from sorry_env.rules.ruleset import MAX_PAWNS

#: More than any pawn's code, so that a pawn farther on outweighs all behind it.
_BEFORE: Final = 128
#: What a pawn sent back is worth to `bumper`: more than all steps can make up for.
_SENT: Final = STEP * 4096


class RunnerBot(GreedyBot):
    """Brings its foremost pawn as far as it can, then the next, and so on; looks at nobody else.

    It compares the pawns of its side (eight with partners) from the foremost to the hindmost and
    takes the position in which the first that differs is farther. Ties are broken at random.
    """

    name = "runner"

    def _worth(self, request: BatchRequest, after: np.ndarray, rows: np.ndarray) -> np.ndarray:
        actor = request.games["actor"][rows]
        codes = np.where(_own(request.tables, actor)[:, :, None], after["pawns"], START)
        codes = np.sort(np.maximum(codes, START).reshape(len(after), -1).astype(np.int64))
        # A side has eight pawns at most, and 128 to the eighth is below 2 to the 63rd.
        side = codes[:, -2 * MAX_PAWNS :]
        value: np.ndarray = (side * _BEFORE ** np.arange(2 * MAX_PAWNS)).sum(axis=1)
        return value


class BumperBot(GreedyBot):
    """Leaves as many of its opponents' pawns in Start as it can; where that is equal, greedy."""

    name = "bumper"

    def _worth(self, request: BatchRequest, after: np.ndarray, rows: np.ndarray) -> np.ndarray:
        actor = request.games["actor"][rows]
        back = (after["pawns"] == START).sum(axis=2, dtype=np.int64)
        sent = np.where(_own(request.tables, actor), 0, back).sum(axis=1)
        value: np.ndarray = super()._worth(request, after, rows) + _SENT * sent
        return value


class CautiousBot(GreedyBot):
    """As greedy, less the steps that its pawns stand to lose before its next turn.

    Of each pawn on the track these are its steps times the chance that some opponent draws a card
    that hits it: one by which a pawn of theirs goes forward or backward exactly there, leaves Start
    there, or takes it from Start, for which each of the side's pawns on the track is as likely.
    Each opponent draws one card by the cards unseen now. Parts of a divided card, slides and
    switches are left out, and so is whether the opponent would rather play something else.
    """

    name = "cautious"

    def _worth(self, request: BatchRequest, after: np.ndarray, rows: np.ndarray) -> np.ndarray:
        own = _own(request.tables, request.games["actor"][rows])
        playing = (after["ranks"] == 0) & (after["pawns"][:, :, 0] >= START)
        opponents = np.maximum((playing & ~own).sum(axis=1), 1)
        if request.tables.ruleset.teams != "none":
            opponents[:] = 1  # greedy's steps count once there
        hit = exposure(request.tables, after, own)
        lost = (hit * np.maximum(after["pawns"], START)).sum(axis=(1, 2))
        value: np.ndarray = super()._worth(request, after, rows)
        value -= np.rint(STEP * lost * opponents).astype(np.int64)
        return value


def exposure(tables: RuleTables, games: np.ndarray, own: np.ndarray) -> np.ndarray:
    """float64[m, 4, 4], the chance that each own pawn is hit before the next turn; see CautiousBot.

    games: GAME[m]; own: bool[m, 4], the colours of the side that fears
    """
    facts = tables.arrays.facts[0]
    left = games["deck"].astype(np.float64)
    left[left.sum(axis=1) == 0] = facts["deck"]
    left /= left.sum(axis=1, keepdims=True)
    pawns = games["pawns"].astype(np.int64)
    track = (pawns > START) & (pawns <= ENTRY) & own[:, :, None]
    share = left @ (facts["takes"] > 0) / np.maximum(track.sum(axis=(1, 2)), 1)
    safe = np.ones(pawns.shape)
    for seat in range(SEATS):
        theirs = pawns[:, seat]
        active = ~own[:, seat] & (games["ranks"][:, seat] == 0)
        for other in range(SEATS):
            code = pawns[:, other] + 15 * ((other - seat) % SEATS)
            code = np.where(code > ENTRY, code - ENTRY, code)
            chance = _chance_of_landing(facts, left, theirs, code)
            chance += np.where((theirs == START).any(axis=1), share, 0.0)[:, None]
            counts = active[:, None] & track[:, other]
            safe[:, other] *= np.where(counts, 1 - np.minimum(chance, 1.0), 1.0)
    hit: np.ndarray = 1 - safe
    return hit


def _own(tables: RuleTables, actor: np.ndarray) -> np.ndarray:
    """bool[m, 4], which colours are of the side of each seat int[m]."""
    away = (np.arange(SEATS) - actor[:, None]) % SEATS
    own: np.ndarray = away == 0
    return own | (away == 2) if tables.ruleset.teams != "none" else own


def _chance_of_landing(
    facts: np.ndarray, left: np.ndarray, theirs: np.ndarray, code: np.ndarray
) -> np.ndarray:
    """float64[m, 4], the chance of a card by which one colour can land on each of four squares.

    left: float64[m, C], the chance of each card; theirs: int64[m, 4], that colour's pawns;
    code: int64[m, 4], the squares as it counts them
    """
    chance = np.zeros(code.shape)
    leaving = (theirs == START).any(axis=1)[:, None] & (code == CIRCLE)
    for card in np.flatnonzero(facts["deck"]):
        lands = leaving & bool(facts["leaves"][card])
        for steps in facts["steps"][:, card].tolist():
            if steps:
                lands |= _reaches(theirs, code, steps)
        chance += left[:, card, None] * lands
    return chance


def _reaches(theirs: np.ndarray, code: np.ndarray, steps: int) -> np.ndarray:
    """bool[m, 4], whether some pawn lands on each square by so many steps, backward if below 0."""
    target = theirs + steps
    if steps < 0:
        target = np.where((theirs <= ENTRY) & (target < 1), target + ENTRY, target)
    able = (theirs > START) & (theirs < HOME)
    reached: np.ndarray = ((target[:, None, :] == code[:, :, None]) & able[:, None, :]).any(axis=2)
    return reached
