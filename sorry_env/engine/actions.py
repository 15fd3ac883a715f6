"""The action table: every card-move choice of a ruleset, numbered once and for all.

The table depends on the ruleset alone, not on who is seated, so a policy trained on it plays with
any number of seats. Index 0 is the lost turn. Pawns are named by slot, colours by how many seats
clockwise of the seat in turn they sit. Read `tables.py` before and `moves.py` after this file.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import numpy as np

from sorry_env.engine.state import (
    ANSWER,
    ASK,
    COMPANION,
    FIRE,
    ICE,
    PHASES,
    TOKEN,
)
from sorry_env.rules.ruleset import Card, Ruleset

PASS: Final = 0
LEAVE: Final = 1  # out of Start onto the circle
STEP: Final = 2
SPLIT: Final = 3
SWITCH: Final = 4
TAKE: Final = 5
DISCARD: Final = 6
ADVANCE: Final = 7  # the Fire pawn to the next corner
DECLINE: Final = 8  # leave the Fire pawn or the Fire where it is, the Ice off the board
PLACE_ICE: Final = 9
TAKE_FIRE: Final = 10
GO_HOME: Final = 11  # an own pawn goes Home with the Fire pawn
NAME: Final = 12  # the opponent who is asked
YES: Final = 13
NO: Final = 14
MAKE_HAPPY: Final = 15
PUNISH: Final = 16
BUDDY: Final = 17
BULLY: Final = 18
KINDS: Final = (
    "pass", "leave", "step", "split", "switch", "take", "discard", "advance", "decline", "ice",
    "token", "home", "ask", "yes", "no", "happy", "punish", "buddy", "bully",
)  # fmt: skip

#: Steps that an answer gives to the asker and then to the one asked.
YES_STEPS: Final = 6
NO_STEPS: Final = 3

ACTION: Final = np.dtype(
    [
        ("kind", "u1"),
        ("card", "i1"),
        ("side", "u1"),
        ("slot", "u1"),
        ("steps", "i1"),
        ("side2", "u1"),
        ("slot2", "u1"),
        ("steps2", "i1"),
        ("reverse", "i2"),
    ]
)
"""One action, 10 bytes.

kind:     PASS ... BULLY
card:     card index; -1 for PASS and for the choices of phases that belong to no card
side:     seats clockwise from the seat in turn to the moved pawn's colour (0 own, 2 partner's)
slot:     slot of the moved pawn; of no meaning for pawns that leave Start
steps:    signed steps of that pawn; for BUDDY and BULLY the direction, 1 or -1
side2, slot2: the second pawn of a split, or the opponent's pawn of a switch or a take
steps2:   steps of the second pawn of a split; for BUDDY 1 before the nearest pawn, -1 behind it
reverse:  for a split, rows from here to the same parts in the other order; negative for the
          second of the two, which is judged together with the first
"""


def build_actions(ruleset: Ruleset) -> np.ndarray:
    """ACTION[A]: PASS, then the moves of each card, then the choices of each phase."""
    rows: list[dict[str, int]] = [{"kind": PASS, "card": -1}]
    for index, card in enumerate(ruleset.cards):
        rows.extend({"card": index, **row} for row in _card_rows(ruleset, card))
        if ruleset.hand:
            rows.append({"card": index, "kind": DISCARD})
    for phase in range(len(PHASES)):
        rows.extend({"card": -1, **row} for row in phase_rows(ruleset, phase))
    actions = np.zeros(len(rows), ACTION)
    for i, row in enumerate(rows):
        for field, value in row.items():
            actions[i][field] = value
    return actions


def phase_rows(ruleset: Ruleset, phase: int) -> list[dict[str, int]]:
    """The actions of a phase other than MOVE, in the order that `masks.mark_phase` relies on."""
    own = [{"slot": slot} for slot in range(ruleset.pawns)]
    if ruleset.tokens:
        if phase == FIRE:
            return [{"kind": ADVANCE}, {"kind": DECLINE}]
        if phase == ICE:
            targets = [{"kind": PLACE_ICE, **row} for row in _target_rows((1, 2, 3), ruleset.pawns)]
            return [*targets, {"kind": DECLINE}]
        if phase == TOKEN:
            return [*({"kind": TAKE_FIRE, **row} for row in own), {"kind": DECLINE}]
        if phase == COMPANION:
            return [{"kind": GO_HOME, **row} for row in own]
    if any(card.question for card in ruleset.cards):
        if phase == ASK:
            return [{"kind": NAME, "side2": side} for side in (1, 2, 3)]
        if phase == ANSWER:
            return [{"kind": YES}, {"kind": NO}]
    return []


def _card_rows(ruleset: Ruleset, card: Card) -> Iterator[dict[str, int]]:
    partners = ruleset.teams != "none"
    own = (0, 2) if partners else (0,)
    opponents = (1, 3) if partners else (1, 2, 3)
    pawns = [(side, slot) for side in own for slot in range(ruleset.pawns)]
    if card.question:
        for steps in (YES_STEPS, NO_STEPS):
            for side, slot in pawns:
                yield {"kind": STEP, "side": side, "slot": slot, "steps": steps}
    if card.start:
        yield from ({"kind": LEAVE, "side": side} for side in own)
    for steps in (card.forward, -card.backward):
        if steps:
            for side, slot in pawns:
                yield {"kind": STEP, "side": side, "slot": slot, "steps": steps}
    if card.split:
        yield from _split_rows(card.forward, pawns)
    if card.switch:
        for side, slot in pawns:
            for row in _target_rows(opponents, ruleset.pawns):
                yield {"kind": SWITCH, "side": side, "slot": slot, **row}
    yield from _mood_rows(card, ruleset.pawns)
    if card.take:
        for side in own:
            for row in _target_rows(opponents, ruleset.pawns):
                yield {"kind": TAKE, "side": side, **row}
        if partners:
            for side in own:
                for row in _target_rows((2 - side,), ruleset.pawns):
                    yield {"kind": TAKE, "side": side, **row}


def _mood_rows(card: Card, pawns: int) -> Iterator[dict[str, int]]:
    for slot in range(pawns if card.happy else 0):
        yield {"kind": MAKE_HAPPY, "slot": slot}
    for row in _target_rows((1, 2, 3), pawns) if card.punish else ():
        yield {"kind": PUNISH, **row}
    for slot in range(pawns if card.buddy else 0):
        for step in (1, -1):
            for beside in (-1, 1):
                yield {"kind": BUDDY, "slot": slot, "steps": step, "steps2": beside}
    for slot in range(pawns if card.bully else 0):
        for step in (1, -1):
            yield {"kind": BULLY, "slot": slot, "steps": step}


def _split_rows(total: int, pawns: list[tuple[int, int]]) -> Iterator[dict[str, int]]:
    """First the splits that name their pawns in table order, then each in the other order.

    The kernel judges both orders at the row of the first kind and passes over the second kind.
    """
    pairs = [(i, j) for i in range(len(pawns)) for j in range(i + 1, len(pawns))]
    for reverse in (0, 1):
        for i, j in pairs:
            one, two = (pawns[j], pawns[i]) if reverse else (pawns[i], pawns[j])
            for part in range(1, total):
                steps = total - part if reverse else part
                yield {
                    "kind": SPLIT,
                    "side": one[0], "slot": one[1], "steps": steps,
                    "side2": two[0], "slot2": two[1], "steps2": total - steps,
                    "reverse": (-1 if reverse else 1) * len(pairs) * (total - 1),
                }  # fmt: skip


def _target_rows(sides: tuple[int, ...], pawns: int) -> Iterator[dict[str, int]]:
    for side in sides:
        for slot in range(pawns):
            yield {"side2": side, "slot2": slot}


def label(ruleset: Ruleset, phase: int, action: Any) -> str:
    """Name of an action that is the same in every position, for example `7:0+3,2+4`.

    `1:out` leaves Start, `5:0+5` and `10:2-1` move the pawn of a slot, `11:0x1.2` switches slot 0
    with slot 2 of the colour one seat clockwise, `S:x1.2` takes it. A `p` marks the partner's pawn.
    Choices of phases begin with the phase: `ice:1.2`, `token:0`, `home:0`, `ask:1`.

    phase: the phase that the action belongs to
    """
    kind = int(action["kind"])
    if kind == PASS:
        return "pass"
    first = "p" if action["side"] == 2 else ""
    second = "p" if action["side2"] == 2 else ""
    slot, slot2 = int(action["slot"]), int(action["slot2"])
    target = f"{action['side2']}.{slot2}"
    text = {
        LEAVE: f"{first}out",
        STEP: f"{first}{slot}{int(action['steps']):+d}",
        SPLIT: f"{first}{slot}+{action['steps']},{second}{slot2}+{action['steps2']}",
        SWITCH: f"{first}{slot}x{target}",
        TAKE: f"{first}x{target}",
        DISCARD: "discard",
        ADVANCE: "advance",
        DECLINE: "off" if phase == ICE else "no",
        PLACE_ICE: target,
        TAKE_FIRE: f"{slot}",
        GO_HOME: f"{slot}",
        NAME: f"{action['side2']}",
        MAKE_HAPPY: f"{slot}",
        PUNISH: target,
        BUDDY: f"{slot}{int(action['steps']):+d}{int(action['steps2']):+d}",
        BULLY: f"{slot}{int(action['steps']):+d}",
        YES: "yes",
        NO: "no",
    }[kind]
    card = int(action["card"])
    return f"{PHASES[phase] if card < 0 else ruleset.cards[card].name}:{text}"
