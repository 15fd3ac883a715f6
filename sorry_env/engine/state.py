"""One game is one record: the dtype `GAME`, the meaning of its numbers, and nothing else.

A batch is an array of records, so copying, saving, hashing and comparing games are array
operations. The random state is in the record: a game goes on identically wherever its bytes go.
Read `jit.py` before and `geometry.py` after this file.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from sorry_env.rules.ruleset import MAX_CARDS, MAX_HAND, MAX_PAWNS

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
FIRE: Final = 2  # before the draw: may the Fire pawn advance?
ICE: Final = 3  # the Ice must be placed
TOKEN: Final = 4  # may the Fire be taken?
COMPANION: Final = 5  # who goes Home with the Fire pawn?
ASK: Final = 6  # whom to ask
ANSWER: Final = 7  # the one asked answers, or the coin does
REPLY: Final = 8  # after the asker, the one asked moves by the answer
PHASES: Final = ("move", "over", "fire", "ice", "token", "home", "ask", "answer", "reply")
WAITING: Final = -1  # a card must be drawn before the seat in turn can move
NO_CARD: Final = -2

# Contents of a hand besides card indices.
EMPTY: Final = -1
HIDDEN: Final = -2  # a card that the viewer cannot see; views only

#: Seat of a token that is on no pawn, and of `asked` where nobody is asked.
NOBODY: Final = -1

_FIELDS: Final = (
    ("rng", "u8", 0),
    ("plies", "i4", 8),
    ("draws", "i4", 12),
    ("pawns", ("i1", (SEATS, MAX_PAWNS)), 16),
    ("deck", ("i1", (MAX_CARDS,)), 32),
    ("ranks", ("i1", (SEATS,)), 48),
    ("turn", "i1", 52),
    ("actor", "i1", 53),
    ("phase", "i1", 54),
    ("card", "i1", 55),
    ("again", "i1", 56),
    ("fire_seat", "i1", 57),
    ("fire_code", "i1", 58),
    ("ice_seat", "i1", 59),
    ("ice_code", "i1", 60),
    ("asked", "i1", 61),
    ("steps", "i1", 62),
    ("spare", "i1", 63),
    ("hands", ("i1", (SEATS, MAX_HAND)), 64),
    ("happy", ("i1", (SEATS, MAX_PAWNS)), 92),
    ("punished", ("i1", (SEATS, MAX_PAWNS)), 108),
    ("spare_end", ("i1", (4,)), 124),
)
GAME: Final = np.dtype(
    {
        "names": [name for name, _, _ in _FIELDS],
        "formats": [form for _, form, _ in _FIELDS],
        "offsets": [offset for _, _, offset in _FIELDS],
        "itemsize": 128,
    }
)
"""A game, 128 bytes: two lines of a processor's cache, and `classic` uses the first alone.

rng:    state of the game's own random numbers (`rng.py`)
plies:  decisions made so far
draws:  cards drawn so far
pawns:  [seat, slot] pawn codes, each colour's sorted most advanced first; a colour that is not
        seated, and slots past the ruleset's number of pawns, hold UNSEATED
deck:   cards left in the draw pile by card index (an infinite deck's stay at the proportions)
ranks:  [seat] place in which the colour finished, 1 first; 0 while it has not
turn:   the seat in turn; when the game is over, the seat whose turn it was
actor:  the seat that decides: the seat in turn, or the one asked when it answers or replies
phase:  MOVE ... REPLY
card:   index of the card being played, WAITING or NO_CARD
again:  1 after a card that gives another play from the hand
fire_seat, fire_code: the pawn that carries the Fire; NOBODY and 0 when it is off the board
ice_seat, ice_code:   the pawn that carries the Ice, likewise
asked:  the seat asked, or NOBODY
steps:  steps that the answer gives, 0 before it
hands:  [seat, place] card indices in ascending order, then EMPTY
happy, punished: [seat, place] codes of the colour's pawns that are so, most advanced first, then
        START, on which no pawn can be either
spare, spare_end: always 0; numpy does not copy bytes between fields, and a game is all its bytes
"""


WORK: Final = GAME
"""Room for playing moves out on copies; the legality kernels take WORK[2]."""


def empty_games(count: int) -> np.ndarray:
    """GAME[count] with nobody seated, all other bytes zero."""
    games = np.zeros(count, GAME)
    games["pawns"] = UNSEATED
    games["fire_seat"] = games["ice_seat"] = games["asked"] = NOBODY
    games["hands"] = EMPTY
    return games
