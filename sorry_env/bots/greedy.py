"""The greedy bot: looks one ply ahead and takes what is best for its side at once.

Read `engine/afterstate.py` and `best.py` before this file.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from sorry_env.bots.base import BatchRequest
from sorry_env.bots.best import BestBot
from sorry_env.engine.actions import NO_STEPS, YES_STEPS
from sorry_env.engine.afterstate import best_of_rows, expand
from sorry_env.engine.state import ANSWER, ENTRY, HOME, MOVE, NOBODY, SEATS, START, UNSEATED
from sorry_env.engine.tables import RuleTables
from sorry_env.rules import Card

#: What a step covered counts. What only settles choices between equal steps adds less to a colour.
STEP: Final = 1024


class GreedyBot(BestBot):
    """Maximises the value of the position after its move, before the next card is drawn.

    The value is the steps covered by the pawns of its own colour less the mean of those covered by
    the colours still playing against it. A pawn in Start has covered 0, on its circle 2, at Home
    66: its code. Partners count as one colour with eight pawns. Ties are broken at random.
    (Against the opponents' sum instead of their mean it would be equal with two seats, and with
    four win 19 games to 31, for it would rather send pawns back than get on.)

    A question's steps count as covered already by those who are still to move by it and have a pawn
    with room for them. Where steps are equal, less decides. The Fire goes to the own pawn with the
    longest way before it on the track, for that is where it carries a pawn on (most advanced first
    wins 44 games of 100 against a choice at random, this wins 55), the Ice to the hindmost pawn
    that it can go to (whoever has it cannot be bumped either), and of a hand that card is played or
    discarded which is missed least. Happiness and punishment fall as chance will: no order was
    found to matter.
    """

    name = "greedy"

    def _best(self, request: BatchRequest) -> tuple[np.ndarray, np.ndarray]:
        """The actions of the highest value: row int32[m] and action int32[m]."""
        after, rows, actions = expand(request.tables, request.games, request.mask)
        value = self._worth(request, after, rows)
        ties = best_of_rows(value, rows, len(request))
        return rows[ties], actions[ties]

    def _worth(self, request: BatchRequest, after: np.ndarray, rows: np.ndarray) -> np.ndarray:
        """int64[m], the value of GAME[m], positions after actions of the request's rows int32[m].

        Values of one row are compared and no others; a step counts ``STEP`` times the opponents.
        """
        worth = STEP * progress(after)
        add_hints(request.tables, after, worth)
        value: np.ndarray = (worth * weights(request)[rows]).sum(axis=1)
        return value


def progress(games: np.ndarray) -> np.ndarray:
    """int64[m, 4], the steps covered by each colour's pawns in GAME[m]; 0 if it is not seated."""
    covered: np.ndarray = np.maximum(games["pawns"], 0).sum(axis=2, dtype=np.int64)
    return covered


def weights(request: BatchRequest) -> np.ndarray:
    """int64[n, 4], what a step of each colour is worth to the seat that decides.

    Minus 1 for each opponent and their number for oneself: the value's multiple in whole numbers,
    so that equal values are equal to the last bit.
    """
    away = (np.arange(SEATS) - request.games["actor"][:, None]) % SEATS
    if request.tables.ruleset.teams != "none":
        return np.where(away % 2 == 0, 1, -1)
    games = request.games
    playing = (games["pawns"][:, :, 0] != UNSEATED) & (games["ranks"] == 0)
    opponents = (playing & (away != 0)).sum(axis=1, keepdims=True)
    return np.where(away == 0, np.maximum(opponents, 1), -1)


# -- what the editions add ------------------------------------------------------------------------


def add_hints(tables: RuleTables, games: np.ndarray, worth: np.ndarray) -> None:
    """Add to the worth of each colour's position what its pawns' steps do not show.

    games: GAME[m]; worth: int64[m, 4], changed
    """
    facts = tables.arrays.facts[0]
    if facts["asks"]:
        _add_promised_steps(tables, games, worth)
    if facts["tokens"]:
        for token in ("fire", "ice"):
            owner = games[f"{token}_seat"]
            rows = np.flatnonzero(owner != NOBODY)
            code = games[f"{token}_code"][rows].astype(np.int64)
            ahead = np.where(code <= ENTRY, 3 * ENTRY - code, 0)
            worth[rows, owner[rows]] += ahead if token == "fire" else code
    if facts["hand"]:
        kept = np.array([keeping(card) for card in tables.ruleset.cards])
        hands = games["hands"]
        worth += np.where(hands >= 0, kept[hands], 0).sum(axis=2)


def _add_promised_steps(tables: RuleTables, games: np.ndarray, worth: np.ndarray) -> None:
    """Count the steps of a question for those who are still to move by it."""
    rows = np.flatnonzero(games["asked"] != NOBODY)
    some = games[rows]
    yes = tables.ruleset.p_yes if tables.ruleset.answers == "coin" else 0.5
    expected = yes * YES_STEPS + (1 - yes) * NO_STEPS
    steps = np.where(some["phase"] == ANSWER, expected, some["steps"].astype(np.float64))
    codes = some["pawns"].astype(np.int64)
    room = ((codes > START) & (codes + steps[:, None, None] <= HOME)).any(axis=2)
    gain = np.where(room, np.rint(STEP * steps)[:, None], 0).astype(np.int64)
    index = np.arange(len(rows))
    worth[rows, some["asked"]] += gain[index, some["asked"]]
    asker_too = np.isin(some["phase"], (MOVE, ANSWER))
    worth[rows, some["turn"]] += np.where(asker_too, gain[index, some["turn"]], 0)


def keeping(card: Card) -> int:
    """How much a card in the hand is worth keeping, less than ``STEP`` for a whole hand.

    Cards that do more than go forward are kept; of the others those that fit more often, the short.
    """
    more = card.start or card.take or card.backward or card.switch
    return 120 if more else 100 - card.forward
