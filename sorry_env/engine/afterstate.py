"""Positions after a move and before the next draw, for one game or a whole batch.

Chance comes after an afterstate and the choice before it, so a bot that compares afterstates
compares exactly what it decides on. Read `turn.py` before and `batch.py` after this file.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from sorry_env.engine.arguments import as_bool_mask, show
from sorry_env.engine.jit import kernel
from sorry_env.engine.observe import observe
from sorry_env.engine.state import GAME
from sorry_env.engine.tables import RuleTables
from sorry_env.engine.turn import play
from sorry_env.errors import RequestError


class Afterstates(NamedTuple):
    """Positions after every legal action of some games, ordered by game and then by action.

    games:       GAME[m], after the move and before any draw, or finished
    row:         int32[m], the game that it comes from
    action:      int32[m], the action that leads to it
    observation: int8[m, O], what the seat that chose it sees in it; int8[0, O] where nobody asked
    """

    games: np.ndarray
    row: np.ndarray
    action: np.ndarray
    observation: np.ndarray


@kernel
def expand_range(
    rules: Any, games: Any, low: Any, high: Any, starts: Any, masks: Any, out: Any
) -> None:
    """Expand games low ... high - 1 by their masks bool[B, A] into Afterstates.

    starts: int64[B + 1], the first position of each game
    """
    facts = rules.facts[0]
    for i in range(np.uint64(low), np.uint64(high)):
        n = starts[i]
        for a in range(masks.shape[1]):
            if masks[i, a]:
                out.games[n] = games[i]
                out.row[n] = np.int64(i)
                out.action[n] = a
                play(facts, rules.actions, out.games[n], a)
                if len(out.observation):
                    observe(facts, out.games[n], np.int64(games[i]["actor"]), out.observation[n])
                n += 1


def _writable(array: np.ndarray) -> np.ndarray:
    """The array, or a copy of a read-only one, for which the kernels would be compiled anew."""
    return array if array.flags.writeable else array.copy()


def starts_of(masks: np.ndarray) -> np.ndarray:
    """int64[B + 1], where the positions of each game begin, and last how many there are."""
    starts = np.zeros(len(masks) + 1, np.int64)
    np.cumsum(np.count_nonzero(masks, axis=1), out=starts[1:])
    return starts


def best_of_rows(values: np.ndarray, rows: np.ndarray, count: int, equal: float = 0) -> np.ndarray:
    """int64[k], the indices of the largest values of each row, ascending.

    values: [m]; rows: int[m], the row of each value, ascending, with at least one value a row
    count:  how many rows there are
    equal:  values that are less than the largest by no more are largest, too
    """
    counts = np.bincount(rows, minlength=count)
    best = np.maximum.reduceat(values, np.cumsum(counts) - counts)
    # Not the difference of the two: both may be infinite.
    return np.flatnonzero(values >= best[rows] - equal)


def room(count: int, record: np.dtype[Any], width: int, looks: int) -> Afterstates:
    """Afterstates for ``count`` positions, ``looks`` of them with an observation, uninitialised."""
    return Afterstates(
        games=np.empty(count, record),
        row=np.empty(count, np.int32),
        action=np.empty(count, np.int32),
        observation=np.empty((looks, width), np.int8),
    )


def expand(
    tables: RuleTables, games: np.ndarray, masks: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The position after each legal action of each game, before the next card is drawn.

    games: GAME[n], read only
    masks: bool[n, A] or int8 of 0 and 1, the legal actions
    Returns after GAME[m], row int32[m] (the game an afterstate comes from) and action int32[m],
    ordered by row and then by action; m is the number of True entries. `Batch.afterstates` does
    the same for a batch without allocating anything.
    Raises RequestError for arrays of other dtypes or shapes; the masks are trusted.
    """
    if not isinstance(games, np.ndarray) or games.dtype != GAME or games.ndim != 1:
        raise RequestError(f"games must be an array GAME[n], not {show(games)}", value=games)
    masks = as_bool_mask("masks", masks, (len(games), tables.num_actions))
    games, masks = _writable(games), _writable(masks)
    starts = starts_of(masks)
    out = room(int(starts[-1]), GAME, tables.observation_size, 0)
    expand_range(tables.arrays, games, 0, len(games), starts, masks, out)
    return out[:3]
