"""What a game is worth to each seat: at its regular end, and where a seat forfeits it.

The regular returns are the engine's (`engine/turn.py`); here is what an environment adds to them.
Read `engine/turn.py` before and `aec.py` after this file.
"""

from __future__ import annotations

from sorry_env.engine.state import HOME
from sorry_env.game import Game


def terminated_returns(game: Game, offender: int) -> tuple[float, ...]:
    """By seat: -1 for the seat that played an illegal action (and its partner), else 0."""
    return tuple(-1.0 if seat in _side(game, offender) else 0.0 for seat in range(4))


def forfeit_returns(game: Game, offender: int, reward: str) -> tuple[float, ...]:
    """By seat: -1 for the seat that gives the game up (and its partner), the rest shared.

    `points`: nobody has won; the others have the points of their pawns that are Home
    `win`:  winners keep their +1; where nobody has won yet, the others share the gain equally
    `rank`: finished colours keep their places, the offender is last, and the others share the
            mean of the places between
    """
    losers = _side(game, offender)
    out = [-1.0 if seat in losers else 0.0 for seat in range(4)]
    others = [seat for seat in game.seats if seat not in losers]
    if reward == "points":
        for seat in others:
            out[seat] = float(_points_at_home(game, seat))
        return tuple(out)
    ranks = game.ranks
    if reward == "rank":
        step = 2.0 / (len(game.seats) - 1)
        for seat in others:
            out[seat] = 1.0 - step * (ranks[seat] - 1) if ranks[seat] else 0.0
        others = [seat for seat in others if not ranks[seat]]
    elif game.winners:
        others = list(game.winners)
    open_share = -sum(out)
    for seat in others:
        out[seat] = open_share / len(others)
    return tuple(out)


def _points_at_home(game: Game, seat: int) -> int:
    """Points of a seat's pawns that are Home, its partner's included where partners play."""
    home = sum(game.pawns[one].count(HOME) for one in _side(game, seat))
    return home * game.ruleset.pawn_points


def _side(game: Game, seat: int) -> tuple[int, ...]:
    """The seat, with its partner where partners play."""
    return (seat,) if game.ruleset.teams == "none" else (seat, (seat + 2) % 4)
