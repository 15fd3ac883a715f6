"""One game of Sorry! Express is one record: the dtype `EXPRESS` and the meaning of its numbers.

As in the board game, the random state is in the record. Read `rules.py` before and `tables.py`
after this file.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from sorry_env.engine.state import MOVE, OVER

SEATS: Final = 4
COLOURS: Final = 4
DICE: Final = 3

PHASES: Final = ("move", "over")
assert (MOVE, OVER) == (0, 1)

UNSEATED: Final = -1
NOBODY: Final = -1
#: In place of a face: a die that has been resolved, and, in all three places, dice not rolled yet.
RESOLVED: Final = -1
UNROLLED: Final = -2

_FIELDS: Final = (
    ("rng", "u8", 0),
    ("plies", "i4", 8),
    ("draws", "i4", 12),
    ("held", ("i1", (SEATS, COLOURS)), 16),
    ("pool", ("i1", (COLOURS,)), 32),
    ("home", ("i1", (SEATS,)), 36),
    ("dice", ("i1", (DICE,)), 40),
    ("seats", "i1", 43),
    ("turn", "i1", 44),
    ("actor", "i1", 45),
    ("phase", "i1", 46),
    ("winner", "i1", 47),
)
EXPRESS_GAME: Final = np.dtype(
    {
        "names": [name for name, _, _ in _FIELDS],
        "formats": [form for _, form, _ in _FIELDS],
        "offsets": [offset for _, _, offset in _FIELDS],
        "itemsize": 48,
    }
)
"""A game, 48 bytes.

rng:    state of the game's own random numbers (`engine/rng.py`)
plies:  decisions made so far, one a die
draws:  rolls of the three dice so far
held:   [seat, colour] pawns held; those of the Home colour stand in the Home section, the others in
        the waiting area
pool:   [colour] pawns on the start base
home:   [seat] the Home colour that the base shows, UNSEATED where nobody plays
dice:   [die] face code, RESOLVED or UNROLLED
seats:  how many play: seats 0 ... seats - 1
turn:   the seat in turn; when the game is over, the seat whose turn it was
actor:  the seat that decides, always the one in turn
phase:  MOVE or OVER
winner: the winning seat, or NOBODY
"""


def empty_games(count: int) -> np.ndarray:
    """EXPRESS_GAME[count] with nobody seated."""
    games = np.zeros(count, EXPRESS_GAME)
    games["home"] = UNSEATED
    games["dice"] = UNROLLED
    games["winner"] = NOBODY
    return games
