"""One game is one record: the dtype `GAME`, the meaning of its numbers, and nothing else.

A batch is an array of records, so copying, saving, hashing and comparing games are array
operations. The random state is in the record: a game goes on identically wherever its bytes go.
Read `jit.py` before and `geometry.py` after this file.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from sorry_env.rules.ruleset import MAX_CARDS, MAX_PAWNS

SEATS: Final = 4

# Pawn codes: where a pawn stands, in its own colour's frame. Forward n is code + n.
UNSEATED: Final = -1
START: Final = 0
DIAMOND: Final = 1  # the square before the own circle: farthest from Home on the track
CIRCLE: Final = 2
ENTRY: Final = 60  # the last outer square before the own safety zone
HOME: Final = 66  # 61 to 65 are the safety squares 1 to 5

# Phases, and the codes of `card` that are no card.
MOVE: Final = 0
OVER: Final = 1
PHASES: Final = ("move", "over")
WAITING: Final = -1  # a card must be drawn before the seat in turn can move
NO_CARD: Final = -2

GAME: Final = np.dtype(
    {
        "names": [
            "rng", "plies", "draws", "pawns", "deck", "ranks", "turn", "actor", "phase", "card",
            "spare",
        ],
        "formats": [
            "u8", "i4", "i4", ("i1", (SEATS, MAX_PAWNS)), ("i1", (MAX_CARDS,)), ("i1", (SEATS,)),
            "i1", "i1", "i1", "i1", ("i1", (8,)),
        ],
        "offsets": [0, 8, 12, 16, 32, 48, 52, 53, 54, 55, 56],
        "itemsize": 64,
    }
)  # fmt: skip
"""A game, 64 bytes.

rng:    state of the game's own random numbers (`rng.py`)
plies:  decisions made so far
draws:  cards drawn so far
pawns:  [seat, slot] pawn codes, each colour's sorted most advanced first; a colour that is not
        seated, and slots past the ruleset's number of pawns, hold UNSEATED
deck:   cards left in the draw pile by card index (an infinite deck's stay at the proportions)
ranks:  [seat] place in which the colour finished, 1 first; 0 while it has not
turn:   the seat in turn; when the game is over, the seat whose turn it was
actor:  the seat that decides (the seat in turn, in every game where nobody else is asked)
phase:  MOVE or OVER
card:   index of the card being played, WAITING or NO_CARD
spare:  0; a field, because numpy leaves bytes of no field behind when it copies records, and copies
        of a game are to be equal byte for byte
"""


def empty_games(count: int) -> np.ndarray:
    """GAME[count] with nobody seated, all other bytes zero."""
    games = np.zeros(count, GAME)
    games["pawns"] = UNSEATED
    return games
