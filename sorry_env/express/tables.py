"""The rules compiled for the kernels: the action table, its labels, and what an observation holds.

An action names a die, its face and what is done with it. Other players are named by how many seats
clockwise of the seat in turn they sit, so that the table is the same for every seat and number of
players. Read `state.py` before and `turn.py` after this file.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Final, NamedTuple

import numpy as np

from sorry_env.engine.observe import Field, split_fields
from sorry_env.errors import RulesetError
from sorry_env.express.rules import (
    EXPRESS,
    FACES,
    SLIDE,
    SORRY,
    WILD,
    ExpressRules,
    resolve_rules,
)
from sorry_env.express.state import COLOURS, DICE, PHASES, RESOLVED, SEATS, UNSEATED

# Kinds of actions.
POOL: Final = 0  # take a pawn from the start base
WAITING: Final = 1  # take one from another player's waiting area
DECLINE: Final = 2  # leave the pawns in the waiting areas where they are
HOME: Final = 3  # take one from another player's Home section
TURN: Final = 4  # turn a Home to another colour
NOTHING: Final = 5  # a die without a target
KINDS: Final = ("pool", "waiting", "no", "sorry", "slide", "none")

ANY: Final = -1

ACTION: Final = np.dtype(
    [
        ("die", "i1"),
        ("face", "i1"),
        ("kind", "i1"),
        ("colour", "i1"),
        ("side", "i1"),
        ("bare", "i1"),
    ]
)
"""One action, 6 bytes.

die:    0 to 2
face:   face code; ANY for NOTHING
kind:   POOL ... NOTHING
colour: of the pawn, or the new Home colour; -1 where there is none
side:   seats clockwise from the seat in turn to the player meant; 0 for the player himself
bare:   1 if it needs a start base without a pawn of the colour
"""

SIDES: Final = 6  # faces of a die
FACTS: Final = np.dtype(
    [
        ("faces", "i1", (DICE, SIDES)),
        ("pawns", "i1"),
        ("first", "i2", (DICE, len(FACES) + 1)),
        ("none", "i2", (DICE,)),
    ],
    align=True,
)
"""The numbers of the rules, one record.

faces: [die, side] face codes
pawns: of each colour
first: actions of a die with face f are first[die, f] ... first[die, f + 1] - 1
none:  by die, the action of a die without a target
"""


class ExpressArrays(NamedTuple):
    """What the kernels see of the rules, read only.

    facts:   FACTS[1]
    actions: ACTION[A]
    """

    facts: np.ndarray
    actions: np.ndarray


@dataclass(frozen=True, eq=False)
class ExpressTables:
    """The rules with everything that follows from them; the same names as `engine.tables`.

    arrays: for the kernels
    labels: a name for each action, such as `1:b<+2`
    layout: the fields of an observation
    """

    ruleset: ExpressRules
    arrays: ExpressArrays
    labels: tuple[str, ...]
    layout: tuple[Field, ...]

    @cached_property
    def rows(self) -> tuple[tuple[int, ...], ...]:
        """The action table as Python ints: die, face, kind, colour, side."""
        names = ["die", "face", "kind", "colour", "side"]
        return tuple(zip(*(self.actions[name].tolist() for name in names), strict=True))

    @property
    def actions(self) -> np.ndarray:
        """ACTION[A], the action table."""
        return self.arrays.actions

    @property
    def num_actions(self) -> int:
        """A, the size of the action space and of every mask."""
        return len(self.arrays.actions)

    @property
    def observation_size(self) -> int:
        """O, the length of an observation."""
        last = self.layout[-1]
        return last.offset + last.size


@lru_cache
def compile_rules(rules: ExpressRules | str = EXPRESS) -> ExpressTables:
    """Compile rules (or a name); RulesetError for dice that the kernels have no room for."""
    rules = resolve_rules(rules)
    if len(rules.dice) != DICE or any(
        len(die) != SIDES or set(die) - set(FACES) for die in rules.dice
    ):
        raise RulesetError(
            f"dice {rules.dice!r} must be three, each of six letters of {FACES}", value=rules.dice
        )
    rows = [row for die in range(DICE) for row in _die_rows(rules, die)]
    actions = np.array(rows, ACTION)
    facts = np.zeros(1, FACTS)
    facts["faces"] = [[FACES.index(face) for face in die] for die in rules.dice]
    facts["pawns"] = rules.pawns
    for die in range(DICE):
        mine = np.flatnonzero(actions["die"] == die)
        facts["none"][0, die] = mine[-1]
        faces = actions["face"][mine[:-1]]
        facts["first"][0, die] = mine[0] + np.searchsorted(faces, np.arange(len(FACES) + 1))
    for array in (facts, actions):
        array.setflags(write=False)
    labels = tuple(_label(*row) for row in rows)
    return ExpressTables(rules, ExpressArrays(facts, actions), labels, _layout(rules))


def _die_rows(rules: ExpressRules, die: int) -> Iterator[tuple[int, ...]]:
    """The actions of a die by ascending face: first what can be taken, then to decline."""
    for face in sorted({FACES.index(letter) for letter in rules.dice[die]}):
        if face < COLOURS or face == WILD:
            named = face < COLOURS
            for colour in (face,) if named else range(COLOURS):
                yield die, face, POOL, colour, 0, 0
                for side in range(1, SEATS):
                    yield die, face, WAITING, colour, side, int(named)
            if named:
                yield die, face, DECLINE, face, 0, 1
        elif face == SORRY:
            for side in range(1, SEATS):
                yield die, face, HOME, -1, side, 0
        elif face == SLIDE:
            for side in range(SEATS):
                for colour in range(COLOURS):
                    yield die, face, TURN, colour, side, 0
    yield die, ANY, NOTHING, -1, 0, 0


def action_text(die: int, face: int, kind: int, colour: int, seat: str) -> str:
    """FORMATS text of an action; also the labels', where ``seat`` counts from the seat in turn."""
    if kind == NOTHING:
        return f"{die + 1}:none"
    goal = {POOL: "<pool", WAITING: f"<{seat}", DECLINE: "<no", HOME: f"<{seat}"}
    if kind == TURN:
        what = f"L:{seat}>{FACES[colour]}"
    elif face == WILD:
        what = f"W:{FACES[colour]}{goal[kind]}"
    else:
        what = f"{FACES[face]}{goal[kind]}"
    return f"{die + 1}:{what}"


def _label(die: int, face: int, kind: int, colour: int, side: int, bare: int) -> str:
    return action_text(die, face, kind, colour, f"+{side}")


def _layout(rules: ExpressRules) -> tuple[Field, ...]:
    order = "the viewer and then the players clockwise from it"
    wanted = (
        (
            "home", SEATS, UNSEATED, COLOURS - 1,
            f"Home colours of {order}, as index into r b y g; -1 nobody sits there",
        ),
        (
            "held", SEATS * COLOURS, 0, rules.pawns,
            f"pawns held by {order}, four counts each, in the order r b y g",
        ),
        ("pool", COLOURS, 0, rules.pawns, "pawns on the start base, in the order r b y g"),
        (
            "dice", DICE, RESOLVED, len(FACES) - 1,
            f"the dice still to be resolved, as index into {' '.join(FACES)}; -1 resolved or not "
            "rolled",
        ),
        ("turn", 1, 0, SEATS - 1, "seats clockwise from the viewer to the seat in turn"),
        ("phase", 1, 0, len(PHASES) - 1, "index into " + " ".join(PHASES)),
    )  # fmt: skip
    fields = []
    offset = 0
    for name, size, low, high, meaning in wanted:
        fields.append(Field(name, offset, size, low, high, meaning))
        offset += size
    return tuple(fields)


def decode(layout: Sequence[Field], observation: np.ndarray) -> Mapping[str, np.ndarray]:
    """Fields of one observation int8[O] by name, each int8[size]; `held` as int8[4, 4].

    Raises ValueError as `engine.observe.split_fields`.
    """
    parts = split_fields(layout, observation)
    parts["held"] = parts["held"].reshape(SEATS, COLOURS)
    return parts
