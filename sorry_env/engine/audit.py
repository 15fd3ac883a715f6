"""Is this record a position that a game can be in? The checks behind every careful door.

`audit` returns the faults in words; an empty list means that the fast door may be trusted with the
record. Read `state.py` before this file.
"""

from __future__ import annotations

import numpy as np

from sorry_env.engine.geometry import outer_square
from sorry_env.engine.state import (
    DIAMOND,
    ENTRY,
    HOME,
    MOVE,
    NO_CARD,
    OVER,
    PHASES,
    SEATS,
    START,
    UNSEATED,
    WAITING,
)
from sorry_env.engine.tables import RuleTables
from sorry_env.rules.seats import COLOURS


def audit(tables: RuleTables, game: np.void) -> list[str]:
    """Faults of one GAME record, each in words; nothing is changed."""
    faults = _pawn_faults(tables, game) or _finish_faults(tables, game)
    return faults + _turn_faults(tables, game) + _card_faults(tables, game)


def _pawn_faults(tables: RuleTables, game: np.void) -> list[str]:
    faults = []
    pawns = tables.ruleset.pawns
    owners: dict[int, str] = {}
    for seat in range(SEATS):
        codes = [int(code) for code in game["pawns"][seat]]
        colour = COLOURS[seat]
        if codes[0] == UNSEATED:
            if codes != [UNSEATED] * len(codes):
                faults.append(f"{colour} is not seated but has pawns")
            continue
        mine, rest = codes[:pawns], codes[pawns:]
        if any(code != UNSEATED for code in rest):
            faults.append(f"{colour} has more than {pawns} pawns")
        if any(not START <= code <= HOME for code in mine):
            faults.append(f"{colour} has a pawn on no square: codes {mine}")
        if mine != sorted(mine, reverse=True):
            faults.append(f"{colour}'s pawns are not sorted, most advanced first")
        for code in mine:
            if code not in (START, HOME) and mine.count(code) > 1:
                faults.append(f"two pawns of {colour} share a square")
                break
        for code in mine:
            if DIAMOND <= code <= ENTRY:
                square = outer_square(seat, code)
                if owners.setdefault(square, colour) != colour:
                    faults.append(f"{owners[square]} and {colour} share square {square}")
    seats = sum(int(game["pawns"][seat, 0]) != UNSEATED for seat in range(SEATS))
    if seats not in tables.ruleset.seat_counts:
        faults.append(f"{seats} colours are seated; {tables.ruleset.seat_counts} may be")
    return faults


def _finish_faults(tables: RuleTables, game: np.void) -> list[str]:
    """Do places and phase agree with the pawns? Asked only once the pawns are right."""
    seated = [s for s in range(SEATS) if int(game["pawns"][s, 0]) != UNSEATED]
    home = {s for s in seated if int(game["pawns"][s, tables.ruleset.pawns - 1]) == HOME}
    if tables.ruleset.teams != "none":
        finished = {s for s in home if (s + 2) % 4 in home}
    else:
        finished = home
    ranked = {s for s in range(SEATS) if int(game["ranks"][s]) != 0}
    faults = []
    if ranked != finished:
        names = ", ".join(COLOURS[s] for s in sorted(finished)) or "nobody"
        faults.append(f"places are given to other colours than the finished ones ({names})")
    if tables.ruleset.teams != "none":
        wanted = 2
        if len(finished) > wanted:
            faults.append("both teams have all their pawns Home")
    else:
        wanted = len(seated) - 1 if tables.ruleset.play_out else 1
        places = sorted(int(game["ranks"][s]) for s in ranked)
        if places != list(range(1, len(places) + 1)):
            faults.append(f"places {places} are not 1, 2, ... in turn")
        if len(finished) > max(wanted, 1):
            faults.append("more colours have finished than the game lasts")
    over = len(finished) >= max(wanted, 1)
    if over != (int(game["phase"]) == OVER):
        state = "has" if over else "has not"
        faults.append(f"the game {state} ended by its pawns, the phase says otherwise")
    return faults


def _turn_faults(tables: RuleTables, game: np.void) -> list[str]:
    faults = []
    for field in ("turn", "actor"):
        seat = int(game[field])
        if not 0 <= seat < SEATS or int(game["pawns"][seat, 0]) == UNSEATED:
            faults.append(f"the seat in turn, {seat}, is not seated")
    if not faults and int(game["phase"]) == MOVE and tables.ruleset.teams == "none":
        if int(game["ranks"][int(game["turn"])]) != 0:
            faults.append(f"{COLOURS[int(game['turn'])]} has finished and cannot be in turn")
    if int(game["actor"]) != int(game["turn"]):
        faults.append("another seat than the one in turn decides")
    if not 0 <= int(game["phase"]) < len(PHASES):
        faults.append(f"phase {int(game['phase'])} does not exist")
    return faults


def _card_faults(tables: RuleTables, game: np.void) -> list[str]:
    faults = []
    ruleset = tables.ruleset
    card = int(game["card"])
    cards = len(ruleset.cards)
    over = int(game["phase"]) == OVER
    if over != (card == NO_CARD) or not NO_CARD <= card < cards:
        wanted = "no card" if over else "a card of the ruleset, or the wait for one"
        faults.append(f"card index {card} where there must be {wanted}")
    for index, left in enumerate(game["deck"]):
        full = ruleset.counts[index] if index < cards else 0
        in_play = 1 if index == card and not ruleset.infinite else 0
        if ruleset.infinite and int(left) != full:
            faults.append("the counts of an infinite deck have changed")
            break
        if not 0 <= int(left) <= full - in_play:
            name = ruleset.cards[index].name if index < cards else "?"
            faults.append(f"{int(left)} cards {name} left of {full}, {in_play} of them in play")
    if 0 <= card < cards and ruleset.counts[card] == 0:
        faults.append(f"card {ruleset.cards[card].name} is not in the deck")
    if not over and card == WAITING and sum(ruleset.counts) == 0:
        faults.append("there is no card to draw")
    return faults
