"""Is this record a position that a game can be in? The checks behind every careful door.

`audit` returns the faults in words; an empty list means that the fast door may be trusted with the
record. Read `state.py` before this file.
"""

from __future__ import annotations

import numpy as np

from sorry_env.engine import single
from sorry_env.engine.actions import DISCARD, NO_STEPS, YES_STEPS
from sorry_env.engine.geometry import outer_square
from sorry_env.engine.state import (
    ANSWER,
    ASK,
    COMPANION,
    DIAMOND,
    EMPTY,
    ENTRY,
    FIRE,
    GAME,
    HOME,
    MOVE,
    NO_CARD,
    NOBODY,
    OVER,
    PHASES,
    REPLY,
    SEATS,
    START,
    UNSEATED,
    WAITING,
    WORK,
)
from sorry_env.engine.tables import RuleTables
from sorry_env.rules.seats import COLOURS


def audit(tables: RuleTables, game: np.void) -> list[str]:
    """Faults of one GAME record, each in words; nothing is changed."""
    faults = _pawn_faults(tables, game) or _finish_faults(tables, game)
    for check in (_turn_faults, _card_faults, _hand_faults, _token_faults, _mood_faults):
        faults = faults + check(tables, game)
    return faults or _choice_faults(tables, game)


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
    if seats not in tables.ruleset.seat_choices:
        faults.append(f"{seats} colours are seated; {tables.ruleset.seat_choices} may be")
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
    phase, turn, actor = int(game["phase"]), int(game["turn"]), int(game["actor"])
    if not 0 <= phase < len(PHASES):
        return [f"phase {phase} does not exist"]
    for seat in (turn, actor):
        if not 0 <= seat < SEATS or int(game["pawns"][seat, 0]) == UNSEATED:
            return [f"the seat in turn, {seat}, is not seated"]
    faults = []
    # One who has just finished may still have a card to replace, or a question to be replied to.
    ending = phase in (OVER, REPLY) or (tables.ruleset.hand and int(game["card"]) == WAITING)
    if int(game["ranks"][turn]) and tables.ruleset.teams == "none" and not ending:
        faults.append(f"{COLOURS[turn]} has finished and cannot be in turn")
    return faults + _question_faults(game, phase, turn, actor)


def _question_faults(game: np.void, phase: int, turn: int, actor: int) -> list[str]:
    """Does another seat decide just where a question says so?"""
    asked, steps = int(game["asked"]), int(game["steps"])
    by_answer = phase == MOVE and asked != NOBODY  # the asker moves by the answer
    if phase not in (ANSWER, REPLY) and not by_answer:
        faults = ["another seat than the one in turn decides"] if actor != turn else []
        return faults + (["somebody is asked"] if (asked, steps) != (NOBODY, 0) else [])
    if not 0 <= asked < SEATS or asked == turn or int(game["pawns"][asked, 0]) == UNSEATED:
        return [f"seat {asked} cannot be the one asked"]
    faults = []
    if actor != (turn if phase == MOVE else asked):
        faults.append("another seat decides than the asker or the one asked")
    if steps not in ((0,) if phase == ANSWER else (YES_STEPS, NO_STEPS)):
        faults.append(f"{steps} steps by an answer")
    return faults


def _card_faults(tables: RuleTables, game: np.void) -> list[str]:
    faults = []
    ruleset = tables.ruleset
    card = int(game["card"])
    cards = len(ruleset.cards)
    over = int(game["phase"]) == OVER
    asked = int(game["asked"]) != NOBODY
    if not _card_fits(tables, int(game["phase"]), card, asked):
        wanted = "no card" if over else "a card that fits the phase, or the wait for one"
        faults.append(f"card index {card} where there must be {wanted}")
    held = game["hands"][game["hands"] >= 0].tolist()
    for index, left in enumerate(game["deck"]):
        full = ruleset.counts[index] if index < cards else 0
        in_play = 1 if index == card and not ruleset.infinite else 0
        out = in_play + held.count(index)
        if ruleset.infinite and int(left) != full:
            faults.append("the counts of an infinite deck have changed")
            break
        if not 0 <= int(left) <= full - out:
            name = ruleset.cards[index].name if index < cards else "?"
            faults.append(f"{int(left)} cards {name} left of {full}, {out} of them in play")
    if 0 <= card < cards and ruleset.counts[card] == 0:
        faults.append(f"card {ruleset.cards[card].name} is not in the deck")
    return faults


def _card_fits(tables: RuleTables, phase: int, card: int, asked: bool) -> bool:
    """Whether there can be this card in this phase of this ruleset."""
    ruleset = tables.ruleset
    if phase in (OVER, FIRE):
        return card == NO_CARD
    if phase == MOVE and ruleset.hand:
        return card in (NO_CARD, WAITING)
    if phase == MOVE and card == WAITING:
        return True
    if not 0 <= card < len(ruleset.cards):
        return False
    opened = int(tables.arrays.facts[0]["opens"][card])
    if phase == COMPANION:
        return opened != ASK
    if phase == MOVE:
        return (opened == ASK) == asked
    return opened == (ASK if phase in (ANSWER, REPLY) else phase)


def _hand_faults(tables: RuleTables, game: np.void) -> list[str]:
    size = tables.ruleset.hand
    faults = []
    for seat in range(SEATS):
        hand = game["hands"][seat].tolist()
        held = [card for card in hand if card != EMPTY]
        due = size if int(game["pawns"][seat, 0]) != UNSEATED else 0
        if size and seat == int(game["turn"]) and int(game["card"]) == WAITING:
            due -= 1
        if size and seat == int(game["turn"]) and int(game["phase"]) == OVER:
            due -= 1
        if any(not 0 <= card < len(tables.ruleset.cards) for card in held):
            faults.append(f"{COLOURS[seat]} holds a card that does not exist")
        elif hand != sorted(held) + [EMPTY] * (len(hand) - len(held)):
            faults.append(f"{COLOURS[seat]}'s hand is not in card order")
        elif len(held) != due:
            faults.append(f"{COLOURS[seat]} holds {len(held)} cards where it must be {due}")
    if int(game["again"]) not in ((0, 1) if size and int(game["phase"]) == MOVE else (0,)):
        faults.append("there is no further play")
    return faults


def _token_faults(tables: RuleTables, game: np.void) -> list[str]:
    faults = []
    for token, last in (("fire", HOME - 1), ("ice", ENTRY)):
        seat, code = int(game[f"{token}_seat"]), int(game[f"{token}_code"])
        if (seat, code) == (NOBODY, START):
            continue
        if not tables.ruleset.tokens:
            faults.append(f"there is no {token.capitalize()} in this ruleset")
        elif not 0 <= seat < SEATS or not DIAMOND <= code <= last:
            faults.append(f"no pawn can carry the {token.capitalize()} there")
        elif code not in game["pawns"][seat].tolist():
            faults.append(f"no pawn of {COLOURS[seat]} stands where the {token.capitalize()} is")
    return faults


def _mood_faults(tables: RuleTables, game: np.void) -> list[str]:
    faults = []
    moods = any(card.mood for card in tables.ruleset.cards)
    for mark in ("happy", "punished"):
        for seat in range(SEATS):
            row = game[mark][seat].tolist()
            codes = [code for code in row if code != START]
            if codes and not moods:
                faults.append(f"no pawn can be {mark} in this ruleset")
            elif row != sorted(set(codes), reverse=True) + [START] * (len(row) - len(codes)):
                faults.append(f"{COLOURS[seat]}'s {mark} pawns are not in order")
            elif any(not DIAMOND <= code <= ENTRY for code in codes):
                faults.append(f"a pawn of {COLOURS[seat]} is {mark} off the track")
            elif not set(codes) <= set(game["pawns"][seat].tolist()):
                faults.append(f"no pawn of {COLOURS[seat]} stands where one is {mark}")
    return faults


def _choice_faults(tables: RuleTables, game: np.void) -> list[str]:
    """Phases that exist only where something can be chosen; asked when all else is right."""
    phase = int(game["phase"])
    if phase not in (FIRE, COMPANION) and not int(game["again"]):
        return []
    games = np.array([game], GAME)
    mask = np.empty(tables.num_actions, np.bool_)
    work = np.empty(2, WORK)
    single.mask(tables.arrays, games, 0, mask, work)
    if phase == FIRE and not single.can_advance(tables.arrays, games, 0):
        return ["the Fire pawn cannot advance"]
    if phase == COMPANION:
        fire_home = HOME in game["pawns"][int(game["turn"])].tolist()
        if not mask.any() or int(game["fire_seat"]) != NOBODY or not fire_home:
            return ["no pawn can go Home with the Fire pawn"]
    if int(game["again"]):
        played = int(game["card"]) == WAITING or (tables.actions["kind"][mask] != DISCARD).any()
        if int(game["ranks"][int(game["turn"])]) or not played:
            return ["there is no further play"]
    return []
