"""A ruleset compiled for the kernels: `compile_rules` turns names and flags into arrays.

The kernels know no edition and no card names: whatever differs between editions is in these
arrays. Read `rules/ruleset.py` before and `actions.py` after this file.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Final, NamedTuple

import numpy as np

from sorry_env.engine.actions import MAKE_HAPPY, build_actions, label, phase_rows
from sorry_env.engine.geometry import code_at, outer_square
from sorry_env.engine.observe import Field, build_layout
from sorry_env.engine.state import ASK, CIRCLE, ENTRY, HOME, ICE, MOVE, PHASES, SEATS, TOKEN
from sorry_env.errors import RulesetError
from sorry_env.rules import Card, Ruleset, find_edition, resolve_ruleset
from sorry_env.rules.ruleset import MAX_CARDS

MOVER: Final = 0
BOTH: Final = 1
NEITHER: Final = 2
_SWITCH_SLIDES: Final = {"mover": MOVER, "both": BOTH, "none": NEITHER}

FACTS: Final = np.dtype(
    [
        ("pawns", "u1"),
        ("on_circle", "i1"),
        ("cards", "u1"),
        ("infinite", "i1"),
        ("teams", "i1"),
        ("sides", "u1"),
        ("targets", "u1"),
        ("play_out", "i1"),
        ("switch_slides", "i1"),
        ("turbo", "i1"),
        ("tokens", "i1"),
        ("moods", "i1"),
        ("special", "i1"),
        ("asks", "i1"),
        ("coin", "i1"),
        ("hand", "i1"),
        ("winner_counts", "i1"),
        ("pawn_points", "i2"),
        ("bonuses", "i2", (3,)),
        ("p_yes", "f8"),
        ("deck", "i1", (MAX_CARDS,)),
        ("again", "i1", (MAX_CARDS,)),
        ("repeat", "i1", (MAX_CARDS,)),
        ("leaves", "i1", (MAX_CARDS,)),
        ("steps", "i1", (2, MAX_CARDS)),
        ("divided", "i1", (MAX_CARDS,)),
        ("switches", "i1", (MAX_CARDS,)),
        ("moody", "i2", (MAX_CARDS,)),
        ("takes", "i1", (MAX_CARDS,)),
        ("slide_end", "u1", (HOME + 1,)),
        ("squares", "i8", (HOME + 1,)),
        ("swept", "i8", (HOME + 1,)),
        ("rest", "i8", (HOME + 1,)),
        ("first", "u2", (MAX_CARDS + 1,)),
        ("phase_first", "u2", (len(PHASES) + 1,)),
        ("opens", "i1", (MAX_CARDS,)),
    ],
    align=True,
)
"""The numbers and flags of a ruleset, one record.

pawns ... p_yes: the ruleset's fields of these names as numbers
tokens:    1 if Fire and Ice are in play; moods: 1 if pawns can be happy or punished; special: 1 if
           either
asks:      1 if there are questions; coin: 1 if chance answers them
sides:     colours whose pawns an action may move: the own one, or two with the partner's
targets:   rows for the opponents' pawns of a switch or a take, one a pawn
winner_counts: 1 if the winner's further points are for opponents' pawns that are Home
deck:      the full deck's counts by card index
again:     1 for cards after which the seat draws again
repeat:    1 for cards whose take is repeated
leaves ... takes: what each card does, by card index; its rows in the action table follow in this
           order: 1 if it takes a pawn out of Start, the steps forward and backward (0 for none),
           the steps that two pawns can divide (0 for none), 1 if it switches, how many rows with
           moods it has, 1 if it takes
slide_end: by code on which a pawn lands by count, the code on which it comes to rest
squares:   by code, its bit among those of the squares that a move forward can end on, of which
           there are just 64: 2 (the circle) to 65; 0 for Home
swept:     by code on which a pawn lands by count, the bits of the squares that it slides over
rest:      by such a code, the bit of the square on which it comes to rest
first:     actions of card c are first[c] ... first[c + 1] - 1
phase_first: actions of a phase other than MOVE, likewise
opens:     by card index, the phase that begins when the card is drawn
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
        """The action table as Python ints: kind, card, side, slot, steps, side2, slot2, steps2."""
        names = ["kind", "card", "side", "slot", "steps", "side2", "slot2", "steps2"]
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
    """The tables of a ruleset; the same object for equal rulesets.

    Raises RulesetError for other cards under the name of a known edition: its positions, records
    and policies would pass for those of the edition.
    """
    ruleset = resolve_ruleset(ruleset)
    base = find_edition(ruleset.edition)
    if base is not None and (base.cards, base.seat_counts) != (ruleset.cards, ruleset.seat_counts):
        raise RulesetError(
            f"ruleset {ruleset.edition}: own cards or seat counts need an edition of another name",
            value=ruleset.edition,
        )
    return _compile(ruleset)


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
    facts["moods"] = any(card.mood for card in ruleset.cards)
    facts["asks"] = any(card.question for card in ruleset.cards)
    facts["coin"] = ruleset.answers == "coin"
    facts["winner_counts"] = ruleset.winner_counts == "opponents_home"
    for field in ("turbo", "tokens", "hand", "pawn_points", "p_yes"):
        facts[field] = getattr(ruleset, field)
    facts["special"] = facts["moods"] | facts["tokens"]
    facts["bonuses"] = ruleset.bonuses or (0, 0, 0)
    cards = len(ruleset.cards)
    facts["deck"][0, :cards] = ruleset.counts
    facts["again"][0, :cards] = [card.again for card in ruleset.cards]
    facts["repeat"][0, :cards] = [card.repeat for card in ruleset.cards]
    facts["sides"] = 1 if ruleset.teams == "none" else 2
    facts["targets"] = (4 - facts["sides"]) * ruleset.pawns
    facts["leaves"][0, :cards] = [card.start for card in ruleset.cards]
    facts["steps"][0, 0, :cards] = [card.forward for card in ruleset.cards]
    facts["steps"][0, 1, :cards] = [-card.backward for card in ruleset.cards]
    if facts["sides"] * ruleset.pawns > 1:
        facts["divided"][0, :cards] = [card.forward * card.split for card in ruleset.cards]
    facts["switches"][0, :cards] = [card.switch for card in ruleset.cards]
    facts["takes"][0, :cards] = [card.take for card in ruleset.cards]
    moody = actions["card"][actions["kind"] >= MAKE_HAPPY]
    facts["moody"][0, :cards] = np.bincount(moody, minlength=cards)
    facts["slide_end"] = _slide_ends(ruleset)
    facts["squares"][0, CIRCLE:HOME] = np.uint64(1) << np.arange(HOME - CIRCLE, dtype=np.uint64)
    facts["rest"] = facts["squares"][0, facts["slide_end"][0]]
    for code, end in enumerate(facts["slide_end"][0]):
        facts["swept"][0, code] = np.bitwise_or.reduce(facts["squares"][0, code + 1 : end + 1])
    facts["opens"][0, :cards] = [_opened_phase(card) for card in ruleset.cards]
    ends = _block_ends(ruleset, actions)
    facts["first"], facts["phase_first"] = ends
    arrays = RuleArrays(facts, actions)
    for array in arrays:
        array.setflags(write=False)
    starts = ends[1]
    phases = np.searchsorted(starts, np.arange(len(actions)), side="right") - 1
    labels = tuple(
        label(ruleset, max(int(phase), 0), action)
        for phase, action in zip(phases, actions, strict=True)
    )
    return RuleTables(ruleset, arrays, labels, build_layout(ruleset))


def _opened_phase(card: Card) -> int:
    if card.question:
        return ASK
    return ICE if card.ice else TOKEN if card.fire else MOVE


def _block_ends(ruleset: Ruleset, actions: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Where the actions of each card, and then of each phase, begin; int each, one past the last.

    The first of the table is PASS; cards that the ruleset has not begin and end where phases begin.
    """
    sizes = [int(np.count_nonzero(actions["card"] == card)) for card in range(MAX_CARDS)]
    cards = np.cumsum([1, *sizes])
    phase_sizes = [len(phase_rows(ruleset, phase)) for phase in range(len(PHASES))]
    phases = cards[-1] + np.cumsum([0, *phase_sizes])
    return cards, phases


def _slide_ends(ruleset: Ruleset) -> np.ndarray:
    """int8[HOME + 1]; the board is the same from every side, so one table serves all colours."""
    ends = np.arange(HOME + 1, dtype=np.int8)
    for side in range(1, SEATS):
        for triangle, last in ruleset.slides:
            ends[code_at(0, 15 * side + triangle)] = code_at(0, 15 * side + last)
    assert all(outer_square(0, code) // 15 for code in range(ENTRY + 1) if ends[code] != code)
    return ends
