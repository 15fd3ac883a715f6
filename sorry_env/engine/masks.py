"""The legal actions of a position: of all cards that may be played, and of the other phases.

Read `marking.py` before and `apply.py` after this file.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from sorry_env.engine.actions import YES_STEPS
from sorry_env.engine.geometry import NOWHERE, on_track
from sorry_env.engine.jit import helper, inner
from sorry_env.engine.marking import mark_card, mark_steps
from sorry_env.engine.moves import step_target
from sorry_env.engine.state import (
    ANSWER,
    ASK,
    COMPANION,
    EMPTY,
    FIRE,
    HOME,
    ICE,
    MOVE,
    OVER,
    TOKEN,
    UNSEATED,
    WAITING,
)
from sorry_env.engine.tokens import carries_fire, frozen, next_corner
from sorry_env.rules.ruleset import MAX_HAND, MAX_PAWNS


@helper
def mark_moves(facts: Any, actions: Any, game: Any, mask: Any, work: Any) -> Any:
    """Mark the moves of the card drawn, or of all kinds of cards in the hand.

    Returns how many moves there are and how many of them are compulsory.
    """
    moves = 0
    compulsory = 0
    last: Any = EMPTY
    for place in range(MAX_HAND if facts["hand"] else 1):
        card = np.int64(game["card"])
        if facts["hand"]:
            card = np.int64(game["hands"][np.int64(game["turn"]), place])
        if card != last:  # a hand is in card order, empty places last
            one, must = mark_card(facts, actions, game, card, mask, work)
            moves += one
            compulsory += must
        last = card
    return moves, compulsory


@inner
def mark_discards(facts: Any, game: Any, mask: Any) -> Any:
    """Mark the discards of all kinds of cards in the hand; return how many there are."""
    hand = game["hands"][np.int64(game["turn"])]
    count: Any = 0
    for place in range(MAX_HAND):
        if hand[place] != EMPTY and (place == 0 or hand[place] != hand[place - 1]):
            # A card's discard is the last of its actions.
            mask[facts["first"][hand[place] + 1] - 1] = True
            count += 1
    return count


@helper
def can_ice(facts: Any, game: Any, seat: Any, slot: Any) -> Any:
    """Whether the Ice can be put on this opponent's pawn."""
    code = np.int64(game["pawns"][seat, slot])
    return on_track(code) and not frozen(facts, game, seat, code)


@helper
def can_take_fire(game: Any, seat: Any, slot: Any) -> Any:
    """Whether the Fire can be put on this own pawn."""
    code = np.int64(game["pawns"][seat, slot])
    return code > 0 and code < HOME and not carries_fire(game, seat, code)


@helper
def can_go_along(facts: Any, game: Any, seat: Any, slot: Any) -> Any:
    """Whether this own pawn can go Home with the Fire pawn; of several in Start only the first."""
    code = np.int64(game["pawns"][seat, slot])
    if code == UNSEATED or code == HOME or frozen(facts, game, seat, code):
        return False
    return code > 0 or slot == 0 or game["pawns"][seat, slot - 1] > 0


@inner
def fire_target(facts: Any, game: Any, seat: Any) -> Any:
    """Code to which the Fire pawn of a seat may advance before it draws, or NOWHERE."""
    if not facts["tokens"] or np.int64(game["fire_seat"]) != seat:
        return NOWHERE
    code = np.int64(game["fire_code"])
    if not on_track(code) or next_corner(code) == HOME:
        return NOWHERE
    for slot in range(MAX_PAWNS):
        if np.int64(game["pawns"][seat, slot]) == code:
            return step_target(facts, game, seat, slot, next_corner(code) - code)
    return NOWHERE


@inner
def mark_phase(facts: Any, actions: Any, game: Any, mask: Any) -> Any:
    """Mark the actions of a phase other than MOVE; return how many there are.

    A phase's rows are in the order of `actions.phase_rows`: pawns by slot, opponents clockwise,
    and last what is left if one declines or cannot.
    """
    phase = game["phase"]
    seat = np.int64(game["actor"])
    first = facts["phase_first"][phase]
    last = facts["phase_first"][phase + 1] - 1
    count: Any = 0
    for a in range(first, last + 1):
        action = actions[a]
        other = (seat + np.int64(action["side2"])) & 3
        legal = False
        if phase == FIRE:
            legal = True
        elif phase == ICE:
            legal = (
                can_ice(facts, game, other, np.int64(action["slot2"])) if a < last else count == 0
            )
        elif phase == TOKEN:
            legal = a == last or can_take_fire(game, seat, np.int64(action["slot"]))
        elif phase == COMPANION:
            legal = can_go_along(facts, game, seat, np.int64(action["slot"]))
        elif phase == ASK:
            legal = game["pawns"][other, 0] != UNSEATED
        elif phase == ANSWER:
            legal = not facts["coin"]
        mask[a] = legal
        count += legal
    return count


@inner
def mark_answer(facts: Any, game: Any, mask: Any) -> Any:
    """Mark the moves by the answer to a question, or the pass; return how many there are."""
    row = np.int64(facts["first"][game["card"]])
    if game["steps"] != YES_STEPS:
        row += facts["pawns"]
    count = mark_steps(facts, game, row, np.int64(game["steps"]), mask)
    if count == 0:
        mask[0] = True
        count = 1
    return count


@helper
def legal_mask(facts: Any, actions: Any, game: Any, mask: Any, work: Any) -> Any:
    """Mark the actions open to the seat that decides; return how many there are.

    game: GAME record, read only
    mask: bool[A], overwritten; all False when the game is over or waits for chance
    work: WORK[2], overwritten
    """
    mask[:] = False
    if game["phase"] != MOVE or game["steps"]:
        if game["phase"] == OVER:
            return 0
        if game["steps"]:
            return mark_answer(facts, game, mask)
        return mark_phase(facts, actions, game, mask)
    if game["card"] == WAITING:
        return 0
    count, compulsory = mark_moves(facts, actions, game, mask, work)
    if compulsory == 0:
        if facts["hand"]:
            count += mark_discards(facts, game, mask)
        else:
            mask[0] = True
            count += 1
    return count


@helper
def chance_due(facts: Any, game: Any) -> Any:
    """Whether a card must be drawn, or the coin must answer, before anybody can decide."""
    if game["phase"] == MOVE:
        return game["card"] == WAITING
    return game["phase"] == ANSWER and facts["coin"]
