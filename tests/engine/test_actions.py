"""The action table: how many actions there are, counted by hand, and that each has one name."""

from __future__ import annotations

import numpy as np
import pytest

from sorry_env.engine.actions import KINDS
from sorry_env.engine.tables import compile_rules
from sorry_env.rules import EDITIONS
from tests.cases import DERIVED

NAMES = sorted({*EDITIONS, *(name for name, _ in DERIVED)})

# pass, leave, step, split, switch, take.
SIZES = {
    # Cards 1 and 2 leave Start. Forward 1 2 3 5 7 8 10 11 12 with each of 4 pawns: 36, and back
    # 4 and 1 (of the 10): 8. Splits: 4 x 3 ordered pairs x 6 divisions. Switch: 4 pawns x 12
    # opponents' pawns. Take: 12 pawns.
    "classic": (1, 2, 36 + 8, 72, 48, 12),
    "solo": (1, 2, 36 + 8, 72, 48, 12),
    "quick": (1, 2, 36 + 8, 72, 48, 12),
    "first-edition": (1, 2, 36 + 8, 72, 48, 12),
    "waddingtons": (1, 2, 36 + 8, 72, 48, 12),
    # One pawn a colour: nine steps forward, two back, no split, three opponents' pawns.
    "duel-1": (1, 2, 9 + 2, 0, 3, 3),
    "duel-2": (1, 2, 18 + 4, 2 * 1 * 6, 2 * 6, 6),
    "duel-3": (1, 2, 27 + 6, 3 * 2 * 6, 3 * 9, 9),
    # Eight pawns of the team, eight of the opponents; a take of the partner's pawns besides.
    "teams": (1, 2 * 2, 72 + 16, 8 * 7 * 6, 8 * 8, 2 * 8 + 2 * 4),
    "teams-two": (1, 2 * 2, 72 + 16, 8 * 7 * 6, 8 * 8, 2 * 8 + 2 * 4),
    "points": (1, 2, 36 + 8, 72, 48, 12),
    "points-1939": (1, 2, 36 + 8, 72, 48, 12),
    # Three pawns; 1 2 3 5 7 8 10 11 12 leave Start; forward these and the 4 of Sorry!.
    "fire-and-ice": (1, 9, 30 + 6, 3 * 2 * 6, 3 * 9, 9),
    # Besides classic, 6 and 3 forward by the answer.
    "not-sorry": (1, 2, 36 + 8 + 8, 72, 48, 12),
    # 1 and 12 leave Start; forward all from 1 to 12 but 4; back 4; Bump takes.
    "bump-em": (1, 2, 44 + 4, 0, 48, 12),
    # Sorry! and Way Sorry! take.
    "way-sorry": (1, 2, 36 + 8, 72, 48, 12 + 12),
}
# The kinds that only some editions have.
FURTHER = {
    "points": {"discard": 11},
    "points-1939": {"discard": 11},
    # One declines to advance, to take the Fire and (off the board) to place the Ice.
    "fire-and-ice": {"advance": 1, "decline": 3, "ice": 9, "token": 3, "home": 3},
    "not-sorry": {"ask": 3, "yes": 1, "no": 1},
    # Buddy: to either side of the nearest pawn in either direction; Bully: in either direction.
    "way-sorry": {"happy": 4, "punish": 12, "buddy": 4 * 2 * 2, "bully": 4 * 2},
}


@pytest.mark.parametrize("name", EDITIONS)
def test_sizes(name: str) -> None:
    tables = compile_rules(name)
    kinds = np.bincount(tables.actions["kind"], minlength=len(KINDS))
    further = FURTHER.get(name, {})
    assert tuple(kinds[:6]) == SIZES[name]
    assert {kind: n for kind, n in zip(KINDS[6:], kinds[6:], strict=True) if n} == further
    assert tables.num_actions == sum(SIZES[name]) + sum(further.values())


def test_the_classic_table_has_179_actions() -> None:
    assert compile_rules("classic").num_actions == 1 + 2 + 36 + 8 + 72 + 48 + 12 == 179


@pytest.mark.parametrize("name", NAMES)
def test_labels_are_unique(name: str) -> None:
    tables = compile_rules(name)
    assert len(set(tables.labels)) == tables.num_actions == len(tables.labels)
    assert tables.labels[0] == "pass"
    assert tables.actions[0]["kind"] == 0 and (tables.actions["kind"][1:] != 0).all()


def test_labels_as_documented() -> None:
    labels = compile_rules("classic").labels
    assert {"1:out", "5:0+5", "10:2-1", "7:0+3,2+4", "11:0x1.2", "S:x1.2"} <= set(labels)
    labels = compile_rules("fire-and-ice").labels
    assert {"fire:advance", "fire:no", "ice:1.2", "ice:off", "token:0", "home:2"} <= set(labels)
    assert {"7:discard", "S:discard"} <= set(compile_rules("points").labels)
    assert {"ask:1", "answer:yes", "answer:no", "Q:0+6"} <= set(compile_rules("not-sorry").labels)
    assert {"HAPPY:0", "PUNISH:1.2", "WAY:x1.2"} <= set(compile_rules("way-sorry").labels)
    labels = compile_rules("teams").labels
    assert {"1:pout", "5:p0+5", "7:0+3,p2+4", "7:p0+3,2+4", "S:px1.2", "S:x2.0"} <= set(labels)


@pytest.mark.parametrize("name", NAMES)
def test_actions_are_sorted_by_card_and_found_by_it(name: str) -> None:
    tables = compile_rules(name)
    first = tables.arrays.facts[0]["first"]
    phases = int((tables.actions["card"][1:] < 0).sum())
    assert first[0] == 1 and first[-1] == tables.num_actions - phases
    for card in range(len(tables.ruleset.cards)):
        rows = tables.actions[first[card] : first[card + 1]]
        assert (rows["card"] == card).all() and len(rows)


@pytest.mark.parametrize("name", [*NAMES, "teams?pawns=1", "solo?pawns=1", "points?pawns=2"])
def test_rows_of_a_card_are_in_the_order_of_the_facts(name: str) -> None:
    """The kernels find the rows of a kind of move by counting on; see `marking.mark_card`."""
    tables = compile_rules(name)
    facts, actions = tables.arrays.facts[0], tables.actions
    pawns = int(facts["sides"]) * tables.ruleset.pawns
    pairs = pawns * (pawns - 1) // 2
    assert facts["targets"] == (4 - facts["sides"]) * tables.ruleset.pawns
    for card, what in enumerate(tables.ruleset.cards):
        if what.question:
            continue
        rows = actions[facts["first"][card] : facts["first"][card + 1]]
        kinds = [KINDS[kind] for kind in rows["kind"]]
        expected = ["leave"] * (facts["leaves"][card] * facts["sides"])
        for steps in facts["steps"][:, card]:
            assert set(rows["steps"][len(expected) : len(expected) + pawns * bool(steps)]) <= {
                steps
            }
            expected += ["step"] * (pawns * bool(steps))
        if facts["divided"][card]:
            half = pairs * (int(facts["divided"][card]) - 1)
            assert (rows["reverse"][len(expected) : len(expected) + half] == half).all()
            expected += ["split"] * (2 * half)
        expected += ["switch"] * (int(facts["switches"][card]) * pawns * int(facts["targets"]))
        moody = kinds[len(expected) : len(expected) + facts["moody"][card]]
        assert set(moody) <= {"happy", "punish", "buddy", "bully"}
        expected += moody
        partners = pawns if facts["sides"] > 1 else 0
        takes = int(facts["sides"]) * int(facts["targets"]) + partners
        expected += ["take"] * (facts["takes"][card] * takes)
        expected += ["discard"] * (tables.ruleset.hand > 0)
        assert kinds == expected


def test_the_table_depends_on_the_ruleset_alone_and_cannot_be_changed() -> None:
    tables = compile_rules("classic")
    assert tables is compile_rules("classic") is compile_rules(EDITIONS["classic"])
    for array in tables.arrays:
        with pytest.raises(ValueError):
            array[0] = array[0]
