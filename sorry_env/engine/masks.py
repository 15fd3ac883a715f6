"""The legal actions of a position: the rules on choice, over the moves that `moves.py` allows.

Read `moves.py` before and `apply.py` after this file.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from sorry_env.engine.actions import MAKE_HAPPY, PUNISH, SPLIT, TAKE
from sorry_env.engine.geometry import NOWHERE, on_track, other_seat
from sorry_env.engine.jit import helper, kernel
from sorry_env.engine.moods import mood_target
from sorry_env.engine.moves import GIVEN, is_legal, skippable, split_orders, step_target
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


@kernel
def mood_legal(rules: Any, game: Any, action: Any) -> Any:
    """Whether an action of a card with moods could be made."""
    kind = action["kind"]
    if kind == MAKE_HAPPY:
        return on_track(game["pawns"][np.int64(game["actor"]), np.int64(action["slot"])])
    if kind == PUNISH:
        return on_track(game["pawns"][other_seat(game, action), np.int64(action["slot2"])])
    return mood_target(rules, game, action) != NOWHERE


@kernel
def can_repeat(rules: Any, game: Any, card: Any) -> Any:
    """Whether some pawn can be taken with this card now."""
    for a in range(rules.facts[0]["first"][card], rules.facts[0]["first"][card + 1]):
        action = rules.actions[a]
        if action["kind"] == TAKE and not skippable(rules, game, action):
            if is_legal(rules, game, action):
                return True
    return False


@kernel
def mark_card(rules: Any, game: Any, card: Any, mask: Any, work: Any) -> Any:
    """Mark the moves of one card; return how many there are and how many are compulsory."""
    count = 0
    compulsory = 0
    takes = 0
    a = np.int64(rules.facts[0]["first"][card])
    last = np.int64(rules.facts[0]["first"][card + 1])
    if rules.facts[0]["hand"]:
        last -= 1  # the card's discard
    while a < last:
        action = rules.actions[a]
        if SPLIT <= action["kind"] <= TAKE:
            skip = skippable(rules, game, action)
            if action["fallback"] and takes:
                skip = action["skip"]
            if skip:
                a += skip
                continue
        if action["kind"] == SPLIT:
            orders = split_orders(rules, game, action, work)
            mask[a] = orders & GIVEN
            mask[a + action["reverse"]] = orders >> 1
            legal = (orders & GIVEN) + (orders >> 1)
        else:
            if action["kind"] <= TAKE:
                legal = np.int64(is_legal(rules, game, action))
            else:
                legal = np.int64(mood_legal(rules, game, action))
            mask[a] = legal
            takes += legal & (action["kind"] == TAKE) & (1 - action["fallback"])
        count += legal
        # int: there can be more moves than an int8 holds. A split may count twice, once an order.
        compulsory += legal * int(1 - action["optional"])
        a += 1
    return count, compulsory


@kernel
def mark_hand(rules: Any, game: Any, mask: Any, work: Any) -> Any:
    """Mark the moves of all cards of the hand in turn, and discards where no move is compulsory.

    Returns how many moves and how many actions in all.
    """
    hand = game["hands"][np.int64(game["turn"])]
    moves = 0
    compulsory = 0
    for i in range(MAX_HAND):
        if hand[i] != EMPTY and (i == 0 or hand[i] != hand[i - 1]):
            one, must = mark_card(rules, game, np.int64(hand[i]), mask, work)
            moves += one
            compulsory += must
    count = moves
    if compulsory == 0:
        for i in range(MAX_HAND):
            if hand[i] != EMPTY and (i == 0 or hand[i] != hand[i - 1]):
                # A card's discard is the last of its actions.
                mask[rules.facts[0]["first"][hand[i] + 1] - 1] = True
                count += 1
    return moves, count


@helper
def can_ice(rules: Any, game: Any, seat: Any, slot: Any) -> Any:
    """Whether the Ice can be put on this opponent's pawn."""
    code = np.int64(game["pawns"][seat, slot])
    return on_track(code) and not frozen(rules, game, seat, code)


@helper
def can_take_fire(game: Any, seat: Any, slot: Any) -> Any:
    """Whether the Fire can be put on this own pawn."""
    code = np.int64(game["pawns"][seat, slot])
    return code > 0 and code < HOME and not carries_fire(game, seat, code)


@helper
def can_go_along(rules: Any, game: Any, seat: Any, slot: Any) -> Any:
    """Whether this own pawn can go Home with the Fire pawn; of several in Start only the first."""
    code = np.int64(game["pawns"][seat, slot])
    if code == UNSEATED or code == HOME or frozen(rules, game, seat, code):
        return False
    return code > 0 or slot == 0 or game["pawns"][seat, slot - 1] > 0


@kernel
def fire_target(rules: Any, game: Any, seat: Any) -> Any:
    """Code to which the Fire pawn of a seat may advance before it draws, or NOWHERE."""
    if not rules.facts[0]["tokens"] or np.int64(game["fire_seat"]) != seat:
        return NOWHERE
    code = np.int64(game["fire_code"])
    if not on_track(code) or next_corner(code) == HOME:
        return NOWHERE
    for slot in range(MAX_PAWNS):
        if np.int64(game["pawns"][seat, slot]) == code:
            return step_target(rules, game, game["pawns"], seat, slot, next_corner(code) - code)
    return NOWHERE


@kernel
def mark_phase(rules: Any, game: Any, mask: Any) -> Any:
    """Mark the actions of a phase other than MOVE; return how many there are.

    A phase's rows are in the order of `actions.phase_rows`: pawns by slot, opponents clockwise,
    and last what is left if one declines or cannot.
    """
    phase = game["phase"]
    seat = np.int64(game["actor"])
    first = rules.facts[0]["phase_first"][phase]
    last = rules.facts[0]["phase_first"][phase + 1] - 1
    count = 0
    for a in range(first, last + 1):
        action = rules.actions[a]
        other = (seat + np.int64(action["side2"])) & 3
        legal = False
        if phase == FIRE:
            legal = True
        elif phase == ICE:
            legal = (
                can_ice(rules, game, other, np.int64(action["slot2"])) if a < last else count == 0
            )
        elif phase == TOKEN:
            legal = a == last or can_take_fire(game, seat, np.int64(action["slot"]))
        elif phase == COMPANION:
            legal = can_go_along(rules, game, seat, np.int64(action["slot"]))
        elif phase == ASK:
            legal = game["pawns"][other, 0] != UNSEATED
        elif phase == ANSWER:
            legal = not rules.facts[0]["coin"]
        mask[a] = legal
        count += legal
    return count


@kernel
def mark_steps(rules: Any, game: Any, mask: Any) -> Any:
    """Mark the moves by the answer to a question, or the pass; return how many there are."""
    count = 0
    first = rules.facts[0]["first"]
    for a in range(first[game["card"]], first[game["card"] + 1]):
        action = rules.actions[a]
        legal = np.int64(action["steps"]) == game["steps"] and is_legal(rules, game, action)
        mask[a] = legal
        count += legal
    if count == 0:
        mask[0] = True
        count = 1
    return count


@kernel
def legal_mask(rules: Any, game: Any, mask: Any, work: Any) -> Any:
    """Mark the actions open to the seat that decides; return how many there are.

    rules: RuleArrays
    game:  GAME record, read only
    mask:  bool[A], overwritten; all False when the game is over or waits for chance
    work:  WORK[2], overwritten
    """
    mask[:] = False
    if game["phase"] == OVER:
        return 0
    if game["steps"]:
        return mark_steps(rules, game, mask)
    if game["phase"] != MOVE:
        return mark_phase(rules, game, mask)
    card = np.int64(game["card"])
    if card == WAITING:
        return 0
    if rules.facts[0]["hand"]:
        return mark_hand(rules, game, mask, work)[1]
    count, compulsory = mark_card(rules, game, card, mask, work)
    if compulsory == 0:
        mask[0] = True
        count += 1
    return count


@helper
def chance_due(rules: Any, game: Any) -> Any:
    """Whether a card must be drawn, or the coin must answer, before anybody can decide."""
    if game["phase"] == MOVE:
        return game["card"] == WAITING
    return game["phase"] == ANSWER and rules.facts[0]["coin"]
