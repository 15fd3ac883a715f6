"""The moves that one card allows, marked group by group of its rows in the action table.

Read `moves.py` before and `masks.py` after this file.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from sorry_env.engine.actions import MAKE_HAPPY, PUNISH, TAKE
from sorry_env.engine.geometry import NOWHERE, holds, on_track, other_seat, seat_of
from sorry_env.engine.jit import helper, inner
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
from sorry_env.engine.state import CIRCLE, HOME
from sorry_env.engine.tokens import frozen


@inner
def mood_legal(facts: Any, game: Any, action: Any) -> Any:
    """Whether an action of a card with moods could be made."""
    kind = action["kind"]
    if kind == MAKE_HAPPY:
        return on_track(np.int64(game["pawns"][np.int64(game["actor"]), np.int64(action["slot"])]))
    if kind == PUNISH:
        return on_track(
            np.int64(game["pawns"][other_seat(game, action), np.int64(action["slot2"])])
        )
    return mood_target(facts, game, action) != NOWHERE


@inner
def mark_moods(facts: Any, actions: Any, game: Any, row: Any, count: Any, mask: Any) -> Any:
    """Mark those of ``count`` rows with moods that could be made; return how many they are."""
    found: Any = 0
    for a in range(row, row + count):
        legal = np.int64(mood_legal(facts, game, actions[a]))
        mask[a] = legal
        found += legal
    return found


@helper
def mark_leaving(facts: Any, game: Any, row: Any, mask: Any) -> Any:
    """Mark whether a pawn can leave Start, of each own colour in turn; return how many can."""
    count: Any = 0
    for c in range(facts["sides"]):
        seat = (np.int64(game["actor"]) + 2 * c) & 3
        legal = has_in_start(facts, game, seat) & (not holds(game["pawns"], seat, np.int64(CIRCLE)))
        if facts["special"] and frozen(facts, game, seat, np.int64(CIRCLE)):
            legal = False
        mask[row + c] = legal
        count += np.int64(legal)
    return count


@helper
def mark_steps(facts: Any, game: Any, row: Any, steps: Any, mask: Any) -> Any:
    """Mark the pawns that can go so many steps, one row each; return how many can."""
    pawns = game["pawns"]
    count: Any = 0
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


@inner
def mark_careful_steps(facts: Any, game: Any, seat: Any, row: Any, steps: Any, mask: Any) -> Any:
    """`mark_steps` for one colour, where what pawns carry may forbid it."""
    count: Any = 0
    for slot in range(np.int64(facts["pawns"])):
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


@inner
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
    count: Any = 0
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
    if not on_track(np.int64(game["pawns"][other_seat(game, action), np.int64(action["slot2"])])):
        return False
    return not facts["special"] or untouched(facts, game, action)


@helper
def mark_targets(facts: Any, actions: Any, game: Any, row: Any, count: Any, mask: Any) -> Any:
    """Mark those of ``count`` rows whose second pawn can be switched with or taken."""
    found: Any = 0
    for a in range(row, row + count):
        legal = can_target(facts, game, actions[a])
        mask[a] = legal
        found += np.int64(legal)
    return found


@inner
def mark_switches(facts: Any, actions: Any, game: Any, row: Any, mask: Any) -> Any:
    """Mark the switches with opponents' pawns; return how many there are."""
    pawns = game["pawns"]
    count: Any = 0
    for _ in range(facts["sides"] * facts["pawns"]):
        if on_track(np.int64(pawns[seat_of(game, actions[row]), np.int64(actions[row]["slot"])])):
            count += mark_targets(facts, actions, game, row, facts["targets"], mask)
        row += facts["targets"]
    return count


@inner
def mark_takes(facts: Any, actions: Any, game: Any, row: Any, mask: Any) -> Any:
    """Mark the pawns that can be taken from Start; a partner's where no other can."""
    game["pawns"]
    count: Any = 0
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


@inner
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
    count: Any = 0
    optional: Any = 0
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
