"""Who plays what in the tests: every published ruleset with every number of seats, and some more.

Contract, golden and property tests share these lists, so that a new edition is tested everywhere
once it is in `EDITIONS`. Read `tests/contract/test_reference.py` after this file.
"""

from __future__ import annotations

from sorry_env.rules import COLOURS, EDITIONS

#: Colours by how many play: the usual seats first, then neighbours and others.
SEATINGS: dict[int, tuple[str, ...]] = {
    1: ("red", "blue", "yellow", "green"),
    2: ("red,yellow", "red,blue", "blue,green", "yellow,green", "red,green", "blue,yellow"),
    3: ("red,blue,yellow", "blue,yellow,green", "red,yellow,green", "red,blue,green"),
    4: ("red,blue,yellow,green",),
}

#: (ruleset, number of seats) for all published editions.
PUBLISHED: tuple[tuple[str, int], ...] = tuple(
    (name, count) for name, ruleset in EDITIONS.items() for count in ruleset.seat_counts
)

#: Derived rulesets, each with seats: every field that changes a move, alone and together.
DERIVED: tuple[tuple[str, str], ...] = (
    ("classic?play_out=true", "red,yellow"),
    ("classic?play_out=true", "red,blue,green"),
    ("classic?play_out=true", "red,blue,yellow,green"),
    ("quick?pawns=2&play_out=true", "red,blue,yellow,green"),
    ("classic?switch_slides=both", "red,green"),
    ("classic?switch_slides=both", "red,blue,yellow,green"),
    ("classic?switch_slides=none", "red,blue,yellow,green"),
    ("teams?switch_slides=both", "red,blue,yellow,green"),
    ("teams-two?pawns=2&switch_slides=none", "red,blue,yellow,green"),
    ("classic?pawns=1", "blue,yellow,green"),
    ("classic?pawns=2", "red,blue"),
    ("classic?pawns=3", "red,blue,yellow,green"),
    ("solo?pawns=2", "yellow"),
    ("classic?deck=waddingtons", "red,blue,yellow,green"),
    ("duel-2?deck=standard", "red,yellow"),
    ("teams?deck=infinite", "red,blue,yellow,green"),
    # Tiny decks: all cards are drawn again and again, so the reshuffle comes all the time.
    ("classic?deck=1.1.1.1.1.1.1.1.1.1.1&pawns=2", "blue,green"),
    ("classic?deck=1.1.0.0.0.1.0.0.0.0.0&pawns=3", "red,blue,yellow"),
    ("classic?deck=1.0.0.1.0.6.0.0.0.0.0", "red,blue,yellow,green"),
    ("teams?deck=2.0.0.1.0.6.1.1.3.0.2&pawns=3", "red,blue,yellow,green"),
)


def first_seats(seats: str) -> tuple[str, ...]:
    """The colours of `red,blue` one by one: who may be asked to begin."""
    listed = tuple(seats.split(","))
    assert all(colour in COLOURS for colour in listed)
    return listed


def case_id(case: tuple[str, object]) -> str:
    """A test's name for a ruleset and its seats."""
    return f"{case[0]}-{case[1]}"
