"""The engine equals the independent reference, decision by decision.

Games are played at random (`compare.py`); crowded positions, which random games seldom reach, are
made up and compared too (`crowds.py`).

`make reference` (``-m slow``) plays 10^5 decisions for every ruleset and number of seats; one of
them alone: ``pytest -m slow tests/contract -k teams-4``. SORRY_REFERENCE_DECISIONS sets another
size for either.
"""

from __future__ import annotations

import os
import random

import pytest

from tests.cases import DERIVED, PUBLISHED, SEATINGS, case_id, first_seats
from tests.contract.compare import check_game, check_games
from tests.contract.crowds import check_crowds

SIZE = os.environ.get("SORRY_REFERENCE_DECISIONS")
QUICK = int(SIZE or 500)
FULL = int(SIZE or 100_000)
#: Positions made up for each ruleset, each with every card.
MADE_UP = 3


@pytest.mark.parametrize("case", PUBLISHED, ids=case_id)
def test_published_rulesets(case: tuple[str, int]) -> None:
    name, count = case
    check_games(name, SEATINGS[count], QUICK, seed=1)


@pytest.mark.parametrize("case", DERIVED, ids=case_id)
def test_derived_rulesets(case: tuple[str, str]) -> None:
    name, seats = case
    check_games(name, (seats,), QUICK // 2, seed=1)


@pytest.mark.slow
@pytest.mark.parametrize("case", PUBLISHED, ids=case_id)
def test_published_rulesets_in_full(case: tuple[str, int]) -> None:
    name, count = case
    rng = random.Random(f"full {name} {count}")
    turns = [(seats, first) for seats in SEATINGS[count] for first in first_seats(seats)]
    done = 0
    while done < FULL:
        seats, first = rng.choice(turns)
        done += check_game(name, seats, first, rng, FULL - done)


@pytest.mark.slow
@pytest.mark.parametrize("case", DERIVED, ids=case_id)
def test_derived_rulesets_in_full(case: tuple[str, str]) -> None:
    name, seats = case
    check_games(name, (seats,), FULL // 10, seed=2)


CROWDS = [
    *((name, SEATINGS[count][0]) for name, count in PUBLISHED),
    ("classic?switch_slides=both", "red,blue,yellow,green"),
    ("classic?switch_slides=none", "red,green"),
    ("teams?switch_slides=both", "red,blue,yellow,green"),
    ("classic?pawns=3", "blue,yellow,green"),
    ("teams?hand=5", "red,blue,yellow,green"),
    ("fire-and-ice?switch_slides=both", "red,blue,yellow,green"),
    ("not-sorry?answers=player", "red,blue,yellow"),
    ("bump-em?switch_slides=both", "red,blue,yellow,green"),
    ("way-sorry?switch_slides=both", "red,blue,yellow,green"),
]


@pytest.mark.parametrize("case", CROWDS, ids=case_id)
def test_crowded_positions(case: tuple[str, str]) -> None:
    name, seats = case
    assert check_crowds(name, seats, MADE_UP) > MADE_UP


@pytest.mark.slow
@pytest.mark.parametrize("case", CROWDS, ids=case_id)
def test_crowded_positions_in_full(case: tuple[str, str]) -> None:
    name, seats = case
    assert check_crowds(name, seats, max(FULL // 400, 1)) > 0
