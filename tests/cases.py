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
    # Hands.
    *((f"points?hand={size}", "red,yellow") for size in (1, 2, 3, 4, 6)),
    ("points?hand=7", "red,blue,yellow,green"),
    ("points?winner_counts=opponents_home", "red,blue,green"),
    ("points-1939?pawns=2&winner_counts=opponents_not_home", "blue,green"),
    ("points?deck=waddingtons&switch_slides=both", "red,blue,yellow"),
    ("points-1939?deck=2.2.1.1.1.1.1.1.2.1.2&hand=3", "red,blue,yellow,green"),
    ("teams?hand=5", "red,blue,yellow,green"),
    ("teams?hand=2&pawns=2", "red,blue,yellow,green"),
    ("classic?hand=4&pawns=2&play_out=true", "red,blue,yellow,green"),
    # Tokens, questions, turbo squares and moods.
    ("fire-and-ice?switch_slides=both", "red,blue,yellow,green"),
    ("fire-and-ice?pawns=4&switch_slides=none", "red,yellow"),
    ("fire-and-ice?pawns=2&play_out=true", "red,blue,yellow"),
    ("fire-and-ice?deck=3.3.0.1.0.2.0.1.2.0.2", "red,blue,yellow,green"),
    ("not-sorry?answers=player", "red,yellow"),
    ("not-sorry?answers=player&questions=20", "red,blue,yellow,green"),
    ("not-sorry?p_yes=0.25", "red,green"),
    ("not-sorry?p_yes=0&questions=20", "red,blue,yellow"),
    ("not-sorry?p_yes=1&questions=20", "blue,green"),
    ("not-sorry?questions=1&switch_slides=both", "red,blue,yellow,green"),
    ("not-sorry?answers=player&pawns=2&play_out=true&questions=30", "red,blue,yellow,green"),
    ("not-sorry?pawns=1&play_out=true&questions=30", "red,blue,yellow"),
    ("not-sorry?deck=infinite", "red,yellow"),
    ("bump-em?pawns=2&play_out=true", "red,blue,yellow,green"),
    ("bump-em?deck=1.1.1.1.1.1.1.1.1.1.1.1.1", "red,blue,yellow,green"),
    ("bump-em?deck=infinite", "red,yellow"),
    ("way-sorry?switch_slides=both", "red,blue,yellow,green"),
    ("way-sorry?pawns=2&play_out=true", "red,blue,yellow"),
    # Partners, other boards and other scores by name.
    ("points?teams=four", "red,blue,yellow,green"),
    ("classic?pawns=2&switch_slides=both&teams=two", "red,blue,yellow,green"),
    ("teams-two?bonuses=9.6.3&pawn_points=2", "red,blue,yellow,green"),
    ("points?bonuses=30.20.10&pawn_points=7", "red,blue,yellow"),
    ("classic?pawn_points=3&winner_counts=opponents_home", "red,blue"),
    ("points?bonuses=none&on_circle=0&pawns=2", "red,yellow"),
    ("bump-em?hand=4", "red,blue,green"),
    ("bump-em?slides=1-4&turbo=false", "red,yellow"),
    ("classic?slides=0-2.5-9.12-14&switch_slides=both", "red,blue,yellow,green"),
    ("fire-and-ice?slides=0-14", "red,blue,yellow"),
    ("way-sorry?slides=3-8", "red,blue,yellow,green"),
    ("not-sorry?answers=player&questions=20&slides=none", "red,blue,yellow"),
    ("quick?diamond=true&on_circle=0", "blue,green"),
)


def first_seats(seats: str) -> tuple[str, ...]:
    """The colours of `red,blue` one by one: who may be asked to begin."""
    listed = tuple(seats.split(","))
    assert all(colour in COLOURS for colour in listed)
    return listed


def case_id(case: tuple[str, object]) -> str:
    """A test's name for a ruleset and its seats."""
    return f"{case[0]}-{case[1]}"
