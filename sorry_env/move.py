"""What an action means in a position, for people and notation: `Move`.

Read `engine/actions.py` before and `view.py` after this file.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from sorry_env.engine import single
from sorry_env.engine.actions import (
    ADVANCE,
    BUDDY,
    BULLY,
    GO_HOME,
    KINDS,
    LEAVE,
    MAKE_HAPPY,
    NAME,
    PLACE_ICE,
    PUNISH,
    SPLIT,
    STEP,
    SWITCH,
    TAKE,
    TAKE_FIRE,
)
from sorry_env.engine.geometry import code_at, counted, outer_square
from sorry_env.engine.state import CIRCLE, ENTRY, HOME, NO_CARD, PHASES, START, WAITING
from sorry_env.engine.tables import RuleTables
from sorry_env.engine.tokens import next_corner

#: Card name of a game that waits for a draw.
UNDRAWN = "?"


@dataclass(frozen=True)
class Part:
    """One pawn of a move.

    seat:  its colour
    start: the code it stands on
    end:   the code it reaches, before any slide
    steps: how many squares it goes by the rules, negative where it goes backward; 0 where it is
           lifted onto its square: out of Start, by a switch, by a take, Home as a companion
    """

    seat: int
    start: int
    end: int
    # Start and end tell parts from each other: no two moves of a position differ in steps alone.
    steps: int = field(default=0, compare=False)

    def path(self) -> tuple[int, ...]:
        """The codes on which it sets foot, in order, the end included; () where it is lifted.

        Past its own entry it goes on round the track: from code 60 to 1, and backward from 1 to 60.
        """
        codes, code = [], self.start
        for _ in range(abs(self.steps)):
            if self.steps < 0:
                code = ENTRY if code == 1 else code - 1
            else:
                # Only a pawn that stays on the track goes past its entry.
                code = 1 if code == ENTRY and self.end <= self.start else code + 1
            codes.append(code)
        return tuple(codes)


@dataclass(frozen=True)
class Move:
    """A legal move in a position, for people and notation.

    action: index in the action table
    kind:   one of `engine.actions.KINDS`
    card:   name of the card played
    phase:  the phase in which it is made
    parts:  the pawns moved, in the order played, slides not included
    target: the pawn pointed at, as (seat, code): the other one of a switch or a take, the one that
            is given the Ice or the Fire, is made happy or punished; for a question the seat asked,
            with code 0; else None
    """

    action: int
    kind: str
    card: str
    phase: str = "move"
    parts: tuple[Part, ...] = ()
    target: tuple[int, int] | None = None


def describe_move(tables: RuleTables, state: np.ndarray, action: int) -> Move:
    """What an action that is legal in GAME[1] means there."""
    kind, card, side, slot, steps, side2, slot2, steps2 = tables.rows[action]
    name = tables.ruleset.card_names[card] if card >= 0 else card_name(tables, state) or ""
    pawns, actor = state["pawns"][0], int(state["actor"][0])
    seat, other = (actor + side) % 4, (actor + side2) % 4
    parts: tuple[Part, ...] = ()
    target = None
    if kind == LEAVE:
        parts = (Part(seat, START, CIRCLE),)
    elif kind == STEP:
        code = int(pawns[seat, slot])
        parts = (Part(seat, code, counted(code, steps), steps),)
    elif kind == SPLIT:
        code, code2 = int(pawns[seat, slot]), int(pawns[other, slot2])
        parts = (
            Part(seat, code, code + steps, steps),
            Part(other, code2, code2 + steps2, steps2),
        )
    elif kind in (SWITCH, TAKE):
        target = (other, int(pawns[other, slot2]))
        start = int(pawns[seat, slot]) if kind == SWITCH else START
        parts = (Part(seat, start, code_at(seat, outer_square(*target))),)
    elif kind == ADVANCE:
        code = int(state["fire_code"][0])
        corner = next_corner(code)
        parts = (Part(seat, code, corner, corner - code),)
    elif kind == GO_HOME:
        parts = (Part(seat, int(pawns[seat, slot]), HOME),)
    elif kind == TAKE_FIRE:
        target = (seat, int(pawns[seat, slot]))
    elif kind == PLACE_ICE:
        target = (other, int(pawns[other, slot2]))
    elif kind == NAME:
        target = (other, START)
    elif kind == MAKE_HAPPY:
        target = (seat, int(pawns[seat, slot]))
    elif kind == PUNISH:
        target = (other, int(pawns[other, slot2]))
    elif kind in (BUDDY, BULLY):
        reached = int(single.mood_target(tables.arrays, state, 0, action))
        code = int(pawns[seat, slot])
        parts = (Part(seat, code, reached, _round_track(code, reached, steps)),)
        target = _pawn_on(pawns, outer_square(seat, reached)) if kind == BULLY else None
    phase = PHASES[int(state["phase"][0])]
    return Move(action, KINDS[kind], name, phase, parts, target)


def card_name(tables: RuleTables, state: np.ndarray) -> str | None:
    """Name of the card being played in GAME[1], `?` while one must be drawn, None when over."""
    index = int(state["card"][0])
    if index == NO_CARD:
        return None
    return UNDRAWN if index == WAITING else tables.ruleset.cards[index].name


def _round_track(start: int, end: int, direction: int) -> int:
    """Signed steps from one outer code to another in a direction, 1 or -1, past the entry."""
    return direction * ((direction * (end - start)) % 60)


def _pawn_on(pawns: np.ndarray, square: int) -> tuple[int, int]:
    """The pawn on an outer square, as (seat, code); pawns int8[4, P] are the codes by seat."""
    return next(
        (seat, code_at(seat, square))
        for seat, codes in enumerate(pawns.tolist())
        if code_at(seat, square) in codes
    )
