"""Which actions are legal: the rules of movement, asked one action at a time.

`pawns` is always the int8[4, 4] field of a game or a copy of it, `seat` the absolute seat of a
colour, `slot` one of its pawns. Nothing here changes a game. Read `geometry.py` and `actions.py`
before and `apply.py` after this file.
"""

from __future__ import annotations

from typing import Any

from sorry_env.engine.actions import LEAVE, SPLIT, STEP, SWITCH, TAKE
from sorry_env.engine.geometry import NOWHERE, counted, holds, on_track
from sorry_env.engine.jit import helper, kernel
from sorry_env.engine.landing import land
from sorry_env.engine.state import CIRCLE, HOME, MOVE, SEATS, START
from sorry_env.rules.ruleset import MAX_PAWNS


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
def _split_legal_on_copies(rules: Any, game: Any, action: Any, work: Any) -> Any:
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
    if not play_parts(rules, work[0], seat, slot, steps, seat2, slot2, steps2):
        return False
    if not play_parts(rules, work[1], seat2, slot2, steps2, seat, slot, steps):
        return True
    for c in range(SEATS):
        for k in range(MAX_PAWNS):
            if work[0, c, k] != work[1, c, k]:
                return True
    code, code2 = before[seat, slot], before[seat2, slot2]
    return code > code2 or (code == code2 and seat < seat2)


@helper
def split_legal(rules: Any, game: Any, action: Any, work: Any) -> Any:
    """Whether this order of a split is a move of its own.

    Most splits need no copies: with two pawns of one colour and no slide, the orders can only
    differ where one pawn lands on the square that the other has left.
    """
    if action["side"] != action["side2"]:
        return _split_legal_on_copies(rules, game, action, work)
    pawns = game["pawns"]
    seat = (game["turn"] + action["side"]) & 3
    slot, slot2 = action["slot"], action["slot2"]
    code, code2 = pawns[seat, slot], pawns[seat, slot2]
    target, target2 = counted(code, action["steps"]), counted(code2, action["steps2"])
    if target == NOWHERE or target2 == NOWHERE:
        return False
    ends = rules.facts[0]["slide_end"]
    if ends[target] != target or ends[target2] != target2:
        return _split_legal_on_copies(rules, game, action, work)
    if target == code2 or (target == target2 and target != HOME):
        return False
    for k in range(MAX_PAWNS):
        if k != slot and k != slot2:
            other = pawns[seat, k]
            if other != HOME and (other == target or other == target2):
                return False
    return target2 == code or code > code2


@helper
def movable(code: Any) -> Any:
    """Whether a pawn of this code stands on the track or in the safety zone."""
    return START < code < HOME


@helper
def skippable(rules: Any, game: Any, action: Any) -> Any:
    """How many rows from this action on are illegal because a pawn cannot take part; 0 for none."""
    pawns = game["pawns"]
    kind = action["kind"]
    seat = (game["turn"] + action["side"]) & 3
    if kind == TAKE:
        if not has_in_start(rules, pawns, seat):
            return action["skip"]
    elif kind == SPLIT or kind == SWITCH:
        if not movable(pawns[seat, action["slot"]]):
            return action["skip"]
        if not movable(pawns[(game["turn"] + action["side2"]) & 3, action["slot2"]]):
            return action["skip2"]
    return 0


@helper
def is_legal(rules: Any, game: Any, action: Any, work: Any) -> Any:
    """Whether an action that is not skippable could be made, but for the rules on choice.

    action: ACTION record of the card being played
    work:   int8[2, 4, 4], overwritten
    """
    pawns = game["pawns"]
    seat = (game["turn"] + action["side"]) & 3
    kind = action["kind"]
    if kind == STEP:
        return step_target(pawns, seat, action["slot"], action["steps"]) != NOWHERE
    if kind == LEAVE:
        return has_in_start(rules, pawns, seat) and not holds(pawns, seat, CIRCLE)
    if kind == SPLIT:
        return split_legal(rules, game, action, work)
    target = pawns[(game["turn"] + action["side2"]) & 3, action["slot2"]]
    return on_track(target) and (kind == TAKE or on_track(pawns[seat, action["slot"]]))


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
    optional = 0
    takes = 0
    a = int(rules.facts[0]["first"][card])
    last = int(rules.facts[0]["first"][card + 1])
    while a < last:
        action = rules.actions[a]
        skip = skippable(rules, game, action)
        if action["fallback"] and takes:
            skip = action["skip"]
        if skip:
            a += skip
            continue
        if is_legal(rules, game, action, work):
            mask[a] = True
            count += 1
            optional += action["optional"]
            takes += action["kind"] == TAKE and not action["fallback"]
        a += 1
    if count == optional:
        mask[0] = True
        count += 1
    return count
