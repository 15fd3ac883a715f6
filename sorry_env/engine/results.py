"""Who has finished, and what a finished game is worth to each seat.

Read `apply.py` before and `turn.py` after this file.
"""

from __future__ import annotations

from typing import Any, Final

from sorry_env.engine.jit import helper, inner
from sorry_env.engine.state import HOME, SEATS, UNSEATED

WIN: Final = 0
RANK: Final = 1
POINTS: Final = 2


@helper
def seated(game: Any, seat: Any) -> Any:
    """Whether a colour takes part."""
    return game["pawns"][seat, 0] != UNSEATED


@helper
def all_home(facts: Any, game: Any, seat: Any) -> Any:
    """Whether a seated colour has all its pawns Home: the last slot, since slots are sorted."""
    return game["pawns"][seat, facts["pawns"] - 1] == HOME


@helper
def anybody_home(facts: Any, game: Any) -> Any:
    """Whether some colour has all its pawns Home: before that, nobody can have finished."""
    found = False
    for seat in range(SEATS):
        found |= all_home(facts, game, seat)
    return found


@inner
def record_finish(facts: Any, game: Any) -> Any:
    """Give places to colours that are now all Home; True if that ends the game."""
    ranks = game["ranks"]
    if facts["teams"]:
        for seat in range(2):
            if all_home(facts, game, seat) and all_home(facts, game, seat + 2):
                ranks[seat] = 1
                ranks[seat + 2] = 1
                return True
        return False
    finished = 0
    seats = 0
    for seat in range(SEATS):
        seats += seated(game, seat)
        finished += ranks[seat] != 0
    for seat in range(SEATS):
        if ranks[seat] == 0 and seated(game, seat) and all_home(facts, game, seat):
            finished += 1
            ranks[seat] = finished
    if facts["play_out"]:
        return finished >= seats - 1
    return finished > 0


@inner
def score(facts: Any, game: Any, seat: Any) -> Any:
    """Points of a seat when the game has ended; partners share their team's."""
    own = 0
    home = 0
    not_home = 0
    most = 0
    for other in range(SEATS):
        if not seated(game, other):
            continue
        count = 0
        for slot in range(facts["pawns"]):
            count += game["pawns"][other, slot] == HOME
        if other == seat or (facts["teams"] and other == (seat + 2) & 3):
            own += count
        else:
            home += count
            not_home += facts["pawns"] - count
            most = max(most, count)
    points = own * facts["pawn_points"]
    if game["ranks"][seat] == 1:
        points += facts["pawn_points"] * (home if facts["winner_counts"] else not_home)
        if most < 3:
            points += facts["bonuses"][most]
    return points


@inner
def returns(facts: Any, game: Any, reward: Any, out: Any) -> None:
    """Rewards of a finished game for each seat.

    WIN:  every winner +1, the losers share the same total as a loss
    RANK: +1 for the first place down to -1 for the last in equal steps
    POINTS: the ruleset's score
    out:  float32[4], overwritten; 0 for a colour that is not seated
    """
    seats = 0
    winners = 0
    places = 0
    for seat in range(SEATS):
        if seated(game, seat):
            seats += 1
            winners += game["ranks"][seat] == 1
            places += game["ranks"][seat] != 0
    for seat in range(SEATS):
        out[seat] = 0.0
        if not seated(game, seat):
            continue
        rank = game["ranks"][seat]
        if reward == POINTS:
            out[seat] = score(facts, game, seat)
        elif reward == WIN:
            out[seat] = 1.0 if rank == 1 else -winners / (seats - winners)
        elif seats > 1:
            # The one colour that did not finish is last.
            place = rank if rank else places + 1
            out[seat] = 1.0 - 2.0 * (place - 1) / (seats - 1)
