"""The careful look at a record of the dice game: can a game be like this?

Called where a record or a position comes from outside. Read `state.py` before and `game.py` after
this file.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from sorry_env.engine.state import MOVE, OVER
from sorry_env.errors import PositionError
from sorry_env.express import single
from sorry_env.express.rules import FACES
from sorry_env.express.state import (
    COLOURS,
    DICE,
    EXPRESS_GAME,
    NOBODY,
    RESOLVED,
    UNROLLED,
    UNSEATED,
)
from sorry_env.express.tables import ExpressTables


def audit(tables: ExpressTables, state: np.ndarray) -> list[str]:
    """Everything that is wrong with a record EXPRESS_GAME[1], in words; [] for a possible game."""
    if not isinstance(state, np.ndarray) or state.dtype != EXPRESS_GAME or state.shape != (1,):
        raise PositionError("a state must be an array of one record of the dice game", value=state)
    game = state[0]
    faults = list(_seats(tables, game)) or [*_pawns(tables, game), *_dice(tables, game)]
    # Who has won can be asked only of a record that the kernels can read.
    return faults or list(_end(tables, state))


def _seats(tables: ExpressTables, game: np.void) -> Iterator[str]:
    seats = int(game["seats"])
    if seats not in tables.ruleset.seat_counts:
        yield f"{seats} players, where {tables.ruleset.seat_counts} are allowed"
        return
    for seat, home in enumerate(game["home"].tolist()):
        if seat < seats and not 0 <= home < COLOURS:
            yield f"seat {seat} shows no Home colour: {home}"
        if seat >= seats and home != UNSEATED:
            yield f"seat {seat} has a base, but {seats} play"
    if not 0 <= game["turn"] < seats:
        yield f"turn is {int(game['turn'])}, where 0 to {seats - 1} play"
    if game["actor"] != game["turn"]:
        yield f"seat {int(game['actor'])} decides in the turn of seat {int(game['turn'])}"


def _pawns(tables: ExpressTables, game: np.void) -> Iterator[str]:
    pawns, seats = tables.ruleset.pawns, int(game["seats"])
    for colour in range(COLOURS):
        counts = [int(game["pool"][colour]), *game["held"][:, colour].tolist()]
        if min(counts) < 0 or sum(counts) != pawns:
            yield f"there are {pawns} pawns of colour {FACES[colour]}, not {counts}"
    if game["held"][seats:].any():
        yield "pawns are held where nobody sits"
    if game["plies"] < 0 or game["draws"] < 0:
        yield "a count of decisions or rolls below 0"


def _dice(tables: ExpressTables, game: np.void) -> Iterator[str]:
    codes = game["dice"].tolist()
    for die, code in enumerate(codes):
        if code >= 0 and (code >= len(FACES) or FACES[code] not in tables.ruleset.dice[die]):
            yield f"die {die + 1} has no face {FACES[code] if code < len(FACES) else code}"
        if code < UNROLLED:
            yield f"die {die + 1} holds {code}"
    if UNROLLED in codes and codes != [UNROLLED] * DICE:
        yield "some dice are rolled and others are not: all three are rolled at once"
    if game["phase"] not in (MOVE, OVER):
        yield f"phase {int(game['phase'])}"
    elif (game["phase"] == OVER) != (codes == [RESOLVED] * DICE):
        yield "dice must be left while the game goes on, and none when it is over"


def _end(tables: ExpressTables, state: np.ndarray) -> Iterator[str]:
    complete = int(single.winner(tables.arrays, state, 0))
    winner = int(state["winner"][0])
    if winner != complete:
        said = "nobody has won" if winner == NOBODY else f"seat {winner} has won"
        truth = "nobody holds" if complete == NOBODY else f"seat {complete} is the first to hold"
        yield f"{said}, but {truth} all pawns of the Home colour"
    elif (winner == NOBODY) == (state["phase"][0] == OVER):
        yield "the game is over when somebody has won, and not before"
