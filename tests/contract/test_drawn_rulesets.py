"""Fifty rulesets drawn at random: the engine equals the reference in each of them.

`make reference` (``-m slow``) compares 2,000 decisions and many crowded positions of each; here a
few rulesets and a few decisions. Read `drawn.py` before this file.
"""

from __future__ import annotations

import random
from collections import Counter

import pytest

from tests.contract.compare import check_game
from tests.contract.crowds import check_crowds
from tests.contract.drawn import FIELDS, Pair, draw_pair

RULESETS = 50
FULL = 2_000
QUICK_RULESETS = 12
QUICK = 150


def check_pair(pair: Pair, decisions: int) -> None:
    """Games with every seating in turn until so many decisions are compared."""
    rng = random.Random(pair.name)
    done = 0
    while done < decisions:
        seats = rng.choice(pair.seatings)
        limit = min(decisions - done, max(decisions // 4, 100))
        done += max(check_game(pair.name, seats, rng.choice(seats.split(",")), rng, limit), 1)


@pytest.mark.parametrize("seed", range(QUICK_RULESETS))
def test_drawn_rulesets(seed: int) -> None:
    check_pair(draw_pair(seed), QUICK)


@pytest.mark.parametrize("seed", range(QUICK_RULESETS))
def test_crowded_positions(seed: int) -> None:
    pair = draw_pair(seed)
    assert check_crowds(pair.name, pair.seatings[0], 2) > 0


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(RULESETS))
def test_drawn_rulesets_in_full(seed: int) -> None:
    pair = draw_pair(seed)
    check_pair(pair, FULL)
    for seats in pair.seatings[:3]:
        check_crowds(pair.name, seats, 30)


def test_the_fifty_vary_everything_and_some_are_refused() -> None:
    pairs = [draw_pair(seed) for seed in range(RULESETS)]
    refused = [message for pair in pairs for message in pair.refused]
    assert len(refused) >= 10
    for message in refused:
        assert any(word in message for word in FIELDS), f"names no field: {message}"
    seen: dict[str, Counter[str]] = {}
    for pair in pairs:
        for field, value in pair.drawn.fields.items():
            seen.setdefault(field, Counter())[str(value)] += 1
    for field, values in {
        "pawns": "1 2 3 4", "hand": "0 1 2 3 4 5 6 7", "teams": "none four two", "on_circle": "0 1",
        "switch_slides": "mover both none", "play_out": "True False", "turbo": "True False",
        "answers": "coin player", "winner_counts": "opponents_home opponents_not_home",
    }.items():  # fmt: skip
        assert set(values.split()) <= set(seen[field]), (field, seen[field])
    does = Counter(word for pair in pairs for card in pair.drawn.cards for word in card.does)
    assert set(does) == {
        "start", "split", "switch", "take", "again", "ice", "fire", "question", "happy", "punish",
        "buddy", "bully", "repeat",
    }  # fmt: skip
    decks = {pair.drawn.deck for pair in pairs}
    assert {"infinite"} < decks and len({pair.name for pair in pairs}) == RULESETS
