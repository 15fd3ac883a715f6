"""Which actions are legal: the rules of movement, asked one action at a time.

`pawns` is always the int8[4, 4] field of a game or a copy of it, `seat` the absolute seat of a
colour, `slot` one of its pawns. Nothing here changes a game. Read `geometry.py` and `actions.py`
before and `apply.py` after this file.
"""

from __future__ import annotations

from typing import Any, Final

from sorry_env.engine.actions import LEAVE, SPLIT, STEP, TAKE
from sorry_env.engine.geometry import NOWHERE, counted, holds, on_track
from sorry_env.engine.jit import helper, kernel
from sorry_env.engine.landing import land
from sorry_env.engine.state import CIRCLE, HOME, MOVE, SEATS, START
from sorry_env.rules.ruleset import MAX_PAWNS

GIVEN: Final = 1
OTHER: Final = 2


@helper
def step_target(pawns: Any, seat: Any, slot: Any, steps: Any) -> Any:
    """Code on which the pawn lands by count, or NOWHERE where that is illegal."""
    target = counted(pawns[seat, slot], steps)
    if target != NOWHERE and holds(pawns, seat, target):
        return NOWHERE
    return target


@helper
def has_in_start(rules: Any, pawns: Any, seat: Any) -> Any:
    """Whether the colour has a pawn in Start: the last slot, since slots are sorted."""
    return pawns[seat, rules.facts[0]["pawns"] - 1] == START


@kernel
def play_parts(
    rules: Any, pawns: Any, seat: Any, slot: Any, steps: Any, seat2: Any, slot2: Any, steps2: Any
) -> Any:
    """Play two forward moves one after the other on ``pawns``; False where either is illegal.

    The second pawn is the one that stood in ``slot2`` before the first moved; bumped or carried to
    Start by a slide of the first, it cannot go on.
    """
    code2 = pawns[seat2, slot2]
    target = step_target(pawns, seat, slot, steps)
    if target == NOWHERE or code2 <= START or code2 == HOME:
        return False
    land(rules, pawns, seat, slot, target, True)
    if seat == seat2 and rules.facts[0]["slide_end"][target] == code2:
        return False  # the first pawn slid onto the second and stands there in its place
    for now in range(MAX_PAWNS):
        if pawns[seat2, now] == code2:
            target2 = step_target(pawns, seat2, now, steps2)
            if target2 == NOWHERE:
                return False
            land(rules, pawns, seat2, now, target2, True)
            return True
    return False


@kernel
def _split_on_copies(rules: Any, game: Any, action: Any, work: Any) -> Any:
    """The rule of the split as it reads: play both orders out and compare.

    An order is a move of its own if it is legal and the other is not, or leads elsewhere. Two
    legal orders that lead to the same position are one move: the one that begins with the pawn
    nearer to Home, or, equally near, with the colour that comes first in r b y g.
    """
    seat, seat2 = (game["turn"] + action["side"]) & 3, (game["turn"] + action["side2"]) & 3
    slot, slot2 = action["slot"], action["slot2"]
    steps, steps2 = action["steps"], action["steps2"]
    before = game["pawns"]
    for copy in range(2):
        for c in range(SEATS):
            for k in range(MAX_PAWNS):
                work[copy, c, k] = before[c, k]
    given = play_parts(rules, work[0], seat, slot, steps, seat2, slot2, steps2)
    other = play_parts(rules, work[1], seat2, slot2, steps2, seat, slot, steps)
    if given and other:
        same = True
        for c in range(SEATS):
            for k in range(MAX_PAWNS):
                same &= work[0, c, k] == work[1, c, k]
        if same:
            code, code2 = before[seat, slot], before[seat2, slot2]
            given = code > code2 or (code == code2 and seat < seat2)
            other = not given
    return (GIVEN if given else 0) | (OTHER if other else 0)


@helper
def split_orders(rules: Any, game: Any, action: Any, work: Any) -> Any:
    """Which orders of a split are moves of their own: GIVEN, OTHER, both or neither.

    action: a split that names its pawns in table order, both on the board
    Most splits need no copies. With two pawns of one colour, the first the nearer to Home, and no
    slide, the given order is the move if there is one: only the pawn behind can land on a square
    that the pawn before it must first have left.
    """
    if action["side"] != action["side2"]:
        return _split_on_copies(rules, game, action, work)
    pawns = game["pawns"]
    seat = (game["turn"] + action["side"]) & 3
    slot, slot2 = action["slot"], action["slot2"]
    target = counted(pawns[seat, slot], action["steps"])
    target2 = counted(pawns[seat, slot2], action["steps2"])
    if target == NOWHERE or target2 == NOWHERE:
        return 0
    ends = rules.facts[0]["slide_end"]
    if ends[target] != target or ends[target2] != target2:
        return _split_on_copies(rules, game, action, work)
    clash = (target == target2) & (target != HOME)
    for k in range(MAX_PAWNS):
        other = pawns[seat, k]
        third = (k != slot) & (k != slot2) & (other != HOME)
        clash |= third & ((other == target) | (other == target2))
    return 0 if clash else GIVEN


@helper
def movable(code: Any) -> Any:
    """Whether a pawn of this code stands on the track or in the safety zone."""
    return (code > START) & (code < HOME)


@helper
def skippable(rules: Any, game: Any, action: Any) -> Any:
    """Rows from this action on that need no look, because a pawn cannot take part; 0 for none."""
    pawns = game["pawns"]
    seat = (game["turn"] + action["side"]) & 3
    if action["kind"] == TAKE:
        return 0 if has_in_start(rules, pawns, seat) else action["skip"]
    if action["reverse"] < 0 or not movable(pawns[seat, action["slot"]]):
        return action["skip"]
    target = pawns[(game["turn"] + action["side2"]) & 3, action["slot2"]]
    return 0 if movable(target) else action["skip2"]


@helper
def is_legal(rules: Any, game: Any, action: Any) -> Any:
    """Whether an action, no split and not skippable, could be made, but for the rules on choice."""
    pawns = game["pawns"]
    seat = (game["turn"] + action["side"]) & 3
    kind = action["kind"]
    if kind == STEP:
        return step_target(pawns, seat, action["slot"], action["steps"]) != NOWHERE
    if kind == LEAVE:
        return has_in_start(rules, pawns, seat) & (not holds(pawns, seat, CIRCLE))
    target = pawns[(game["turn"] + action["side2"]) & 3, action["slot2"]]
    return on_track(target) & ((kind == TAKE) | on_track(pawns[seat, action["slot"]]))


@kernel
def legal_mask(rules: Any, game: Any, mask: Any, work: Any) -> Any:
    """Mark the actions open to the seat that decides; return how many there are.

    rules: RuleArrays
    game:  GAME record, read only
    mask:  bool[A], overwritten; all False when the game is over or waits for a card
    work:  int8[2, 4, 4], overwritten
    """
    mask[:] = False
    card = game["card"]
    if game["phase"] != MOVE or card < 0:
        return 0
    count = 0
    compulsory = 0
    takes = 0
    a = int(rules.facts[0]["first"][card])
    last = int(rules.facts[0]["first"][card + 1])
    while a < last:
        action = rules.actions[a]
        if action["kind"] >= SPLIT:
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
            legal = int(is_legal(rules, game, action))
            mask[a] = legal
            takes += legal & (action["kind"] == TAKE) & (1 - action["fallback"])
        count += legal
        # int: there can be more moves than an int8 holds. A split may count twice, once an order.
        compulsory += legal * int(1 - action["optional"])
        a += 1
    if compulsory == 0:
        mask[0] = True
        count += 1
    return count
