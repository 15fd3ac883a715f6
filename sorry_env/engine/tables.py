"""A ruleset compiled for the kernels: `compile_rules` turns names and flags into arrays.

The kernels know no edition and no card names: whatever differs between editions is in these
arrays. Read `rules/ruleset.py` before and `actions.py` after this file.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Final, NamedTuple

import numpy as np

from sorry_env.engine.actions import build_actions, label
from sorry_env.engine.geometry import code_at, outer_square
from sorry_env.engine.observe import Field, build_layout
from sorry_env.engine.state import ENTRY, HOME, SEATS
from sorry_env.rules import Ruleset, resolve_ruleset
from sorry_env.rules.ruleset import MAX_CARDS

MOVER: Final = 0
BOTH: Final = 1
NEITHER: Final = 2
_SWITCH_SLIDES: Final = {"mover": MOVER, "both": BOTH, "none": NEITHER}

FACTS: Final = np.dtype(
    [
        ("pawns", "i1"),
        ("on_circle", "i1"),
        ("cards", "i1"),
        ("infinite", "i1"),
        ("teams", "i1"),
        ("play_out", "i1"),
        ("switch_slides", "i1"),
        ("deck", "i1", (MAX_CARDS,)),
        ("again", "i1", (MAX_CARDS,)),
        ("slide_end", "i1", (HOME + 1,)),
        ("first", "i2", (MAX_CARDS + 1,)),
    ],
    align=True,
)
"""The numbers and flags of a ruleset, one record.

pawns ... switch_slides: the ruleset's fields of these names as small integers
deck:      the full deck's counts by card index
again:     1 for cards after which the seat draws again
slide_end: by code on which a pawn lands by count, the code on which it comes to rest
first:     actions of card c are first[c] ... first[c + 1] - 1
"""


class RuleArrays(NamedTuple):
    """What kernels see of a ruleset, read only. Two arrays, because each costs at every call.

    facts:   FACTS[1]
    actions: ACTION[A]
    """

    facts: np.ndarray
    actions: np.ndarray


@dataclass(frozen=True, eq=False)
class RuleTables:
    """A ruleset with everything that follows from it.

    arrays: for the kernels
    labels: name of each action, see `actions.label`
    layout: fields of the observation, see `observe.py`
    """

    ruleset: Ruleset
    arrays: RuleArrays
    labels: tuple[str, ...]
    layout: tuple[Field, ...]

    @cached_property
    def rows(self) -> tuple[tuple[int, ...], ...]:
        """The action table as Python ints: kind, side, slot, steps, side2, slot2, steps2."""
        names = ["kind", "side", "slot", "steps", "side2", "slot2", "steps2"]
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
        """O, the length of an observation vector."""
        return self.layout[-1].offset + self.layout[-1].size

    def __reduce__(self) -> tuple[object, ...]:
        # Compiled anew where it is unpickled: one copy a process, and always a read-only one.
        return compile_rules, (self.ruleset,)


def compile_rules(ruleset: Ruleset | str) -> RuleTables:
    """The tables of a ruleset; the same object for equal rulesets."""
    return _compile(resolve_ruleset(ruleset))


@lru_cache(maxsize=64)
def _compile(ruleset: Ruleset) -> RuleTables:
    actions = build_actions(ruleset)
    facts = np.zeros(1, FACTS)
    facts["pawns"] = ruleset.pawns
    facts["on_circle"] = ruleset.on_circle
    facts["cards"] = len(ruleset.cards)
    facts["infinite"] = ruleset.infinite
    facts["teams"] = ruleset.teams != "none"
    facts["play_out"] = ruleset.play_out
    facts["switch_slides"] = _SWITCH_SLIDES[ruleset.switch_slides]
    cards = len(ruleset.cards)
    facts["deck"][0, :cards] = ruleset.counts
    facts["again"][0, :cards] = [card.again for card in ruleset.cards]
    facts["slide_end"] = _slide_ends(ruleset)
    facts["first"] = np.searchsorted(actions["card"], np.arange(MAX_CARDS + 1))
    arrays = RuleArrays(facts, actions)
    for array in arrays:
        array.setflags(write=False)
    labels = tuple(label(ruleset, action) for action in actions)
    return RuleTables(ruleset, arrays, labels, build_layout(ruleset))


def _slide_ends(ruleset: Ruleset) -> np.ndarray:
    """int8[HOME + 1]; the board is the same from every side, so one table serves all colours."""
    ends = np.arange(HOME + 1, dtype=np.int8)
    for side in range(1, SEATS):
        for triangle, last in ruleset.slides:
            ends[code_at(0, 15 * side + triangle)] = code_at(0, 15 * side + last)
    assert all(outer_square(0, code) // 15 for code in range(ENTRY + 1) if ends[code] != code)
    return ends
