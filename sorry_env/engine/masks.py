"""The legal actions of a position: the rules on choice, over the moves that `moves.py` allows.

Read `moves.py` before and `apply.py` after this file.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from sorry_env.engine.actions import MAKE_HAPPY, PUNISH, TAKE, YES_STEPS
from sorry_env.engine.geometry import NOWHERE, holds, on_track, other_seat, seat_of
from sorry_env.engine.jit import helper, kernel
from sorry_env.engine.moods import mood_target
from sorry_env.engine.moves import (
    GIVEN,
    can_step,
    has_in_start,
    movable,
    own_split,
    own_squares,
    split_on_copies,
    step_target,
    untouched,
)
from sorry_env.engine.state import (
    ANSWER,
    ASK,
    CIRCLE,
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
def mood_legal(facts: Any, game: Any, action: Any) -> Any:
    """Whether an action of a card with moods could be made."""
    kind = action["kind"]
    if kind == MAKE_HAPPY:
        return on_track(game["pawns"][np.int64(game["actor"]), np.int64(action["slot"])])
    if kind == PUNISH:
        return on_track(game["pawns"][other_seat(game, action), np.int64(action["slot2"])])
    return mood_target(facts, game, action) != NOWHERE


@kernel
def mark_moods(facts: Any, actions: Any, game: Any, row: Any, count: Any, mask: Any) -> Any:
    """Mark those of ``count`` rows with moods that could be made; return how many they are."""
    found = 0
    for a in range(row, row + count):
        legal = np.int64(mood_legal(facts, game, actions[a]))
        mask[a] = legal
        found += legal
    return found


@helper
def mark_leaving(facts: Any, game: Any, row: Any, mask: Any) -> Any:
    """Mark whether a pawn can leave Start, of each own colour in turn; return how many can."""
    game["pawns"]
    count = 0
    for c in range(facts["sides"]):
        seat = (np.int64(game["actor"]) + 2 * c) & 3
        legal = has_in_start(facts, game, seat) & (not holds(game["pawns"], seat, CIRCLE))
        if facts["special"] and frozen(facts, game, seat, np.int64(CIRCLE)):
            legal = False
        mask[row + c] = legal
        count += np.int64(legal)
    return count


@helper
def mark_steps(facts: Any, game: Any, row: Any, steps: Any, mask: Any) -> Any:
    """Mark the pawns that can go so many steps, one row each; return how many can."""
    pawns = game["pawns"]
    count = 0
    for side in range(facts["sides"]):
        seat = (np.int64(game["actor"]) + 2 * side) & 3
        if facts["special"]:
            count += mark_careful_steps(facts, game, seat, row, steps, mask)
        else:
            # All four at once: nothing is known before of which can, so no branch would pay.
            a, b = np.int64(pawns[seat, 0]), np.int64(pawns[seat, 1])
            c, d = np.int64(pawns[seat, 2]), np.int64(pawns[seat, 3])
            can_a, can_b = can_step(a, steps, b, c, d), can_step(b, steps, a, c, d)
            can_c, can_d = can_step(c, steps, a, b, d), can_step(d, steps, a, b, c)
            mask[row] = can_a
            if facts["pawns"] > 1:
                mask[row + 1] = can_b
            if facts["pawns"] > 2:
                mask[row + 2] = can_c
            if facts["pawns"] > 3:
                mask[row + 3] = can_d
            count += np.int64(can_a) + np.int64(can_b) + np.int64(can_c) + np.int64(can_d)
        row += facts["pawns"]
    return count


@kernel
def mark_careful_steps(facts: Any, game: Any, seat: Any, row: Any, steps: Any, mask: Any) -> Any:
    """`mark_steps` for one colour, where what pawns carry may forbid it."""
    count = 0
    for slot in range(facts["pawns"]):
        legal = step_target(facts, game, seat, slot, steps) != NOWHERE
        mask[row + slot] = legal
        count += np.int64(legal)
    return count


@helper
def mark_orders(orders: Any, row: Any, reverse: Any, mask: Any) -> Any:
    """Mark the orders of a split that are moves, each in its row; return how many there are."""
    mask[row] = orders & GIVEN
    mask[row + reverse] = orders >> 1
    return (orders & GIVEN) + (orders >> 1)


@kernel
def mark_splits(
    facts: Any, actions: Any, game: Any, row: Any, total: Any, mask: Any, work: Any
) -> Any:
    """Mark the ways to divide ``total`` steps between two pawns; return how many there are.

    The first half of the rows names its pawns in table order and is judged together with the
    second half, the same splits in the other order. Two orders may both be moves.
    """
    pawns = game["pawns"]
    reverse = np.int64(actions[row]["reverse"])
    carry = facts["special"] or facts["turbo"]
    count = 0
    for pair in range(row, row + reverse, total - 1):
        seat, seat2 = seat_of(game, actions[pair]), other_seat(game, actions[pair])
        code = np.int64(pawns[seat, np.int64(actions[pair]["slot"])])
        code2 = np.int64(pawns[seat2, np.int64(actions[pair]["slot2"])])
        if not (movable(code) and movable(code2)):
            continue
        if seat != seat2 or carry:
            for a in range(pair, pair + total - 1):
                orders = split_on_copies(facts, game, actions[a], work)
                count += mark_orders(orders, a, reverse, mask)
            continue
        both = facts["squares"][code] | facts["squares"][code2]
        others = own_squares(facts, pawns, seat) & ~both
        # No further than Home: part is what the first pawn goes, total - part the second.
        most = min(total - 1, HOME - code)
        for part in range(max(1, code2 + total - HOME), most + 1):
            target2 = code2 + total - part
            orders = own_split(facts, others, code, code + part, code2, target2)
            count += mark_orders(orders, pair + part - 1, reverse, mask)
    return count


@helper
def can_target(facts: Any, game: Any, action: Any) -> Any:
    """Whether the second pawn of an action can be switched with or taken."""
    if not on_track(game["pawns"][other_seat(game, action), np.int64(action["slot2"])]):
        return False
    return not facts["special"] or untouched(facts, game, action)


@helper
def mark_targets(facts: Any, actions: Any, game: Any, row: Any, count: Any, mask: Any) -> Any:
    """Mark those of ``count`` rows whose second pawn can be switched with or taken."""
    found = 0
    for a in range(row, row + count):
        legal = can_target(facts, game, actions[a])
        mask[a] = legal
        found += np.int64(legal)
    return found


@kernel
def mark_switches(facts: Any, actions: Any, game: Any, row: Any, mask: Any) -> Any:
    """Mark the switches with opponents' pawns; return how many there are."""
    pawns = game["pawns"]
    count = 0
    for _ in range(facts["sides"] * facts["pawns"]):
        if on_track(pawns[seat_of(game, actions[row]), np.int64(actions[row]["slot"])]):
            count += mark_targets(facts, actions, game, row, facts["targets"], mask)
        row += facts["targets"]
    return count


@kernel
def mark_takes(facts: Any, actions: Any, game: Any, row: Any, mask: Any) -> Any:
    """Mark the pawns that can be taken from Start; a partner's where no other can."""
    game["pawns"]
    count = 0
    for _ in range(facts["sides"]):
        if has_in_start(facts, game, seat_of(game, actions[row])):
            count += mark_targets(facts, actions, game, row, facts["targets"], mask)
        row += facts["targets"]
    if facts["sides"] > 1 and count == 0:
        for _ in range(facts["sides"]):
            if has_in_start(facts, game, seat_of(game, actions[row])):
                count += mark_targets(facts, actions, game, row, facts["pawns"], mask)
            row += facts["pawns"]
    return count


@kernel
def can_repeat(facts: Any, actions: Any, game: Any, card: Any) -> Any:
    """Whether some pawn can be taken with this card now."""
    for a in range(facts["first"][card], facts["first"][card + 1]):
        action = actions[a]
        if action["kind"] == TAKE and has_in_start(facts, game, seat_of(game, action)):
            if can_target(facts, game, action):
                return True
    return False


@helper
def mark_card(facts: Any, actions: Any, game: Any, card: Any, mask: Any, work: Any) -> Any:
    """Mark the moves of one card; return how many there are and how many are compulsory.

    A card's rows follow in the order of the questions asked here; see `FACTS`.
    """
    row = np.int64(facts["first"][card])
    pawns = np.int64(facts["sides"] * facts["pawns"])
    count = 0
    optional = 0
    if facts["leaves"][card]:
        count += mark_leaving(facts, game, row, mask)
        row += facts["sides"]
    for way in range(2):
        steps = np.int64(facts["steps"][way, card])
        if steps:
            count += mark_steps(facts, game, row, steps, mask)
            row += pawns
    total = np.int64(facts["divided"][card])
    if total:
        count += mark_splits(facts, actions, game, row, total, mask, work)
        row += 2 * np.int64(actions[row]["reverse"])
    if facts["switches"][card]:
        optional = mark_switches(facts, actions, game, row, mask)
        count += optional
        row += pawns * facts["targets"]
    if facts["moody"][card]:
        moody = np.int64(facts["moody"][card])
        count += mark_moods(facts, actions, game, row, moody, mask)
        row += moody
    if facts["takes"][card]:
        count += mark_takes(facts, actions, game, row, mask)
    return count, count - optional


@kernel
def mark_hand(facts: Any, actions: Any, game: Any, mask: Any, work: Any) -> Any:
    """Mark the moves of all cards of the hand in turn, and discards where no move is compulsory.

    Returns how many moves and how many actions in all.
    """
    hand = game["hands"][np.int64(game["turn"])]
    moves = 0
    compulsory = 0
    for i in range(MAX_HAND):
        if hand[i] != EMPTY and (i == 0 or hand[i] != hand[i - 1]):
            one, must = mark_card(facts, actions, game, np.int64(hand[i]), mask, work)
            moves += one
            compulsory += must
    count = moves
    if compulsory == 0:
        for i in range(MAX_HAND):
            if hand[i] != EMPTY and (i == 0 or hand[i] != hand[i - 1]):
                # A card's discard is the last of its actions.
                mask[facts["first"][hand[i] + 1] - 1] = True
                count += 1
    return moves, count


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


@kernel
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


@kernel
def mark_phase(facts: Any, actions: Any, game: Any, mask: Any) -> Any:
    """Mark the actions of a phase other than MOVE; return how many there are.

    A phase's rows are in the order of `actions.phase_rows`: pawns by slot, opponents clockwise,
    and last what is left if one declines or cannot.
    """
    phase = game["phase"]
    seat = np.int64(game["actor"])
    first = facts["phase_first"][phase]
    last = facts["phase_first"][phase + 1] - 1
    count = 0
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


@kernel
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
    card = np.int64(game["card"])
    if game["phase"] != MOVE or game["steps"]:
        if game["phase"] == OVER:
            return 0
        if game["steps"]:
            return mark_answer(facts, game, mask)
        return mark_phase(facts, actions, game, mask)
    if card == WAITING:
        return 0
    if facts["hand"]:
        return mark_hand(facts, actions, game, mask, work)[1]
    count, compulsory = mark_card(facts, actions, game, card, mask, work)
    if compulsory == 0:
        mask[0] = True
        count += 1
    return count


@helper
def chance_due(facts: Any, game: Any) -> Any:
    """Whether a card must be drawn, or the coin must answer, before anybody can decide."""
    if game["phase"] == MOVE:
        return game["card"] == WAITING
    return game["phase"] == ANSWER and facts["coin"]
