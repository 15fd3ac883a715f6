"""Colours and seats: names, letters, the usual seats, and what is refused."""

from __future__ import annotations

import dataclasses
from functools import partial
from typing import Any

import numpy as np
import pytest

from sorry_env.errors import RequestError, RulesetError
from sorry_env.rules import COLOURS, LETTERS, choose_seats, get_ruleset, parse_colour, parse_seats
from sorry_env.rules.seats import choose_seatings


def test_clockwise_order() -> None:
    assert COLOURS == ("red", "blue", "yellow", "green")
    assert "".join(colour[0] for colour in COLOURS) == LETTERS
    assert [parse_colour(colour) for colour in COLOURS] == [0, 1, 2, 3]


@pytest.mark.parametrize(
    ("ruleset", "seats", "expected"),
    [
        ("classic", None, (0, 2)),
        ("classic", 2, (0, 2)),
        ("classic", "2", (0, 2)),
        ("classic", np.int64(3), (0, 1, 2)),
        ("classic", 4, (0, 1, 2, 3)),
        ("classic", "green,red", (0, 3)),
        ("classic", "green, red", (0, 3)),
        ("classic", ("green", 1, np.int8(2)), (1, 2, 3)),
        ("classic", range(1, 3), (1, 2)),
        ("teams", None, (0, 1, 2, 3)),
        ("duel-1", None, (0, 2)),
        ("solo", None, (0,)),
        ("solo", 1, (0,)),
        ("solo", "yellow", (2,)),
    ],
)
def test_chosen_seats(ruleset: str, seats: Any, expected: tuple[int, ...]) -> None:
    assert choose_seats(get_ruleset(ruleset), seats) == expected


@pytest.mark.parametrize(
    ("ruleset", "seats", "words"),
    [
        ("classic", 1, "classic is for 2 or 3 or 4 seats, not 1"),
        ("classic", 0, "not 0"),
        ("classic", -2, "not -2"),
        ("classic", True, "True"),
        ("solo", True, "True"),
        ("classic", "5", "not 5"),
        ("classic", "", "''"),
        ("classic", "red;yellow", "'red;yellow'"),
        ("classic", "red,,yellow", "''"),
        ("classic", "Red,yellow", "'Red'"),
        ("classic", "r,y", "'r'"),
        ("classic", "0,2", "'0'"),
        ("classic", "red,yellow,red", "red,yellow,red name a colour twice"),
        ("classic", (0, 0), "twice"),
        ("classic", (0, "red"), "twice"),
        ("classic", ["red"], "not 1"),
        ("classic", [], "not 0"),
        ("classic", (0, 4), "seat 4"),
        ("classic", (-1, 2), "seat -1"),
        ("classic", [0, 2.0], "seat 2.0"),
        ("classic", [False, True], "seat False"),
        ("classic", [None, 2], "seat None"),
        ("classic", ["red", ["yellow"]], "seat ['yellow']"),
        ("classic", 2.0, "2.0"),
        ("classic", object, "object"),
        ("teams", "red,yellow", "teams is for 4 seats, not 2"),
        ("duel-2", 3, "duel-2 is for 2 seats, not 3"),
        ("solo", "red,yellow", "solo is for 1 seat"),
    ],
)
def test_seats_that_are_refused(ruleset: str, seats: Any, words: str) -> None:
    with pytest.raises(RulesetError) as caught:
        choose_seats(get_ruleset(ruleset), seats)
    assert words in str(caught.value)


@pytest.mark.parametrize("text", ["", "RED", "r", " red", "purple", "red,blue"])
def test_colours_that_are_refused(text: str) -> None:
    with pytest.raises(RulesetError, match="red, blue, yellow, green") as caught:
        parse_colour(text)
    assert caught.value.value == text


def test_parsing_seats_keeps_the_order() -> None:
    assert parse_seats("yellow,red") == (2, 0)
    with pytest.raises(RulesetError, match="purple"):
        parse_seats("yellow,purple")


@pytest.mark.parametrize("one", [[0, 2], [2, 3], [np.int64(1)]])
def test_a_list_of_numbers_is_no_seating_of_one_game(one: list[int]) -> None:
    numbers = tuple(int(number) for number in one)
    with pytest.raises(RulesetError) as caught:
        choose_seats(get_ruleset("classic"), one)
    assert "number of players" in str(caught.value) and repr(numbers) in str(caught.value)


def test_a_list_that_could_mean_two_things_is_refused() -> None:
    """Where one colour may play alone and two together, two names in a list say neither."""
    both = dataclasses.replace(get_ruleset("solo"), edition="both", seat_counts=(1, 2))
    choose = partial(choose_seats, both)
    with pytest.raises(RequestError, match="could mean") as caught:
        choose_seatings(choose, ["red", "yellow"])
    assert "'red,yellow'" in str(caught.value) and "('red',)" in str(caught.value)
    assert choose_seatings(choose, "red,yellow") == [(0, 2)]
    assert choose_seatings(choose, [("red",), ("yellow",)]) == [(0,), (2,)]
    assert choose_seatings(choose, ["red"]) == [(0,)]
