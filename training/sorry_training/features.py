"""What the network's first layer reads off an observation: a plan made once from its fields.

Read before: ``sorry_env/engine/observe.py`` (the fields).  Read next: ``nets.py``.

Nearly everything in an observation is a name and no amount, so the first layer is a table: what an
observation says picks rows of it, and the rows are added.  There are rows

- for each value of each field but the amounts, pawns slot by slot (a leader is no straggler);
- for each code of each colour's pawns, shared by the colour's slots: which squares it occupies;
- for each distance on the outer track from each own slot to a pawn of each other colour: who can
  be hit by which step, and by whom.  A layer of sums could only learn these from all pairs.

The amounts (cards left in the pile) are not one-hot, they enter as fractions.  Observations without
pawns on a board, those of the dice game, have the first kind of rows alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from sorry_env.engine.geometry import outer_square
from sorry_env.engine.observe import Field
from sorry_env.engine.state import ENTRY, HOME, SEATS, UNSEATED
from sorry_env.rules.ruleset import MAX_PAWNS

#: The field of the pawns, and the fields whose entries are amounts.
PAWNS = "pawns"
AMOUNTS = ("unseen",)
#: Codes of a pawn, UNSEATED included, and squares of the outer track.
CODES = HOME - UNSEATED + 1
TRACK = 60

IntArray = npt.NDArray[np.int32]


@dataclass(frozen=True, eq=False)
class FeaturePlan:
    """Which rows of the table an observation picks; K columns, R rows, S shared rows.

    columns: int32[K], entries of the observation that pick a row by their value
    bases:   int32[K], added to a value gives its row; a negative value (no pawn) picks none
    sharing: int32[16 * CODES], for each of the first rows (those of the pawns) the shared row that
             is added to it, 0 ... S - 1; int32[0] without a board
    pairs:   int32[12 * CODES * CODES], for (own slot, other colour, own code, other code) the row
             of their distance, or -1 where one of them is not on the outer track; int32[0] likewise
    pair_bases: int32[48], added to (own code + 1) * CODES + other code + 1 gives the entry of
             ``pairs``, for each own slot and each other pawn; int32[0] likewise
    amounts: int32[M], entries that are amounts
    scales:  float32[M], what they are multiplied by
    names, rows: rows for values, R - names more are for distances
    shared_rows: S, each code of each colour; 0 without a board
    """

    columns: IntArray
    bases: IntArray
    sharing: IntArray
    pairs: IntArray
    pair_bases: IntArray
    amounts: IntArray
    scales: npt.NDArray[np.float32]
    names: int
    rows: int
    shared_rows: int

    @property
    def board(self) -> bool:
        """Whether there are pawns on a board."""
        return self.shared_rows > 0


def plan_features(fields: Sequence[Field]) -> FeaturePlan:
    """The plan for a layout: of the board game, whose first field are the pawns, or of another."""
    board = any(field.name == PAWNS for field in fields)
    first = fields[0]
    shape = (first.name, first.offset, first.size, first.low, first.high)
    if board and shape != (PAWNS, 0, SEATS * MAX_PAWNS, UNSEATED, HOME):
        raise ValueError(f"the first field of a board's observation must be the pawns, not {first}")
    columns, bases, names = [], [], 0
    for field in fields:
        for i in range(0 if field.name in AMOUNTS else field.size):
            columns.append(field.offset + i)
            bases.append(names - field.low)
            names += field.categories
    amounts = [(f.offset + i, f.high) for f in fields if f.name in AMOUNTS for i in range(f.size)]
    colours = np.repeat(np.arange(SEATS if board else 0), MAX_PAWNS * CODES)
    pairs = distance_rows(names) if board else np.zeros(0, np.int32)
    return FeaturePlan(
        columns=np.array(columns, np.int32),
        bases=np.array(bases, np.int32),
        sharing=(colours * CODES + np.arange(len(colours)) % CODES).astype(np.int32),
        pairs=pairs.ravel(),
        pair_bases=_pair_bases() if board else np.zeros(0, np.int32),
        amounts=np.array([entry for entry, _ in amounts], np.int32),
        scales=np.array([1 / max(1, high) for _, high in amounts], np.float32),
        names=names,
        rows=int(pairs.max()) + 1 if board else names,
        shared_rows=SEATS * CODES if board else 0,
    )


def distance_rows(first: int) -> IntArray:
    """int32[4, 3, CODES, CODES]: rows from ``first`` on, by own slot, other colour and codes + 1.

    Codes count in each colour's own frame; the distance is the steps forward from the own pawn to
    the other, 0 ... 59.
    """
    codes = np.arange(UNSEATED, HOME + 1)
    on_track = (codes > 0) & (codes <= ENTRY)
    squares = np.array([[outer_square(seat, int(code)) for code in codes] for seat in range(SEATS)])
    ahead = (squares[1:, None, :] - squares[0, None, :, None]) % TRACK
    groups = np.arange(MAX_PAWNS * (SEATS - 1)).reshape(MAX_PAWNS, SEATS - 1, 1, 1)
    rows = first + groups * TRACK + ahead
    return np.where(on_track[:, None] & on_track, rows, -1).astype(np.int32)


def _pair_bases() -> IntArray:
    """See FeaturePlan: the pairs in the order own slot, other colour, other slot."""
    groups = np.arange(MAX_PAWNS * (SEATS - 1), dtype=np.int32)
    return np.repeat(groups, MAX_PAWNS) * np.int32(CODES * CODES)
