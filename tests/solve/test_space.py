"""Which rulesets have solutions, how many positions there are, and what moves lead to."""

from __future__ import annotations

from itertools import combinations_with_replacement
from math import comb
from typing import Any

import numpy as np
import pytest

from sorry_env.engine.state import HOME, SEATS
from sorry_env.errors import RequestError, RulesetError
from sorry_env.game import Game
from sorry_env.rules import Card
from sorry_env.solve.graph import build_graph, check_size, number_states, scratch_for
from sorry_env.solve.kernels import fill_targets, find_places, put_places
from sorry_env.solve.space import Space, open_space
from tests.solve.support import followers, game_of, random_positions, ruleset_of


def count_by_hand(pawns: int) -> int:
    """Positions of two seats by the pawns that the first has on the 60 outer squares.

    The others stand on five safety squares, in Start or at Home: c(n) ways for n of them.
    """

    def ways(n: int, squares: int) -> int:
        """Of n pawns of a colour that wins with none of them elsewhere, squares outside free."""
        return sum(comb(squares, k) * inside(n - k) for k in range(n + 1)) - 1

    def inside(n: int) -> int:
        # k of them on different safety squares, the rest in Start or at Home.
        return sum(comb(5, k) * (n - k + 1) for k in range(min(n, 5) + 1))

    total = 0
    for k in range(pawns + 1):
        first = comb(60, k) * inside(pawns - k) - (k == 0)
        total += first * ways(pawns, 60 - k)
    return total


def test_the_states_of_small_rulesets() -> None:
    # One pawn: 66 places that are not Home each, less the 60 squares that both would share.
    assert count_by_hand(1) == 66 * 66 - 60
    assert build_graph(open_space("duel-1")).states == count_by_hand(1)
    assert build_graph(open_space("duel-1", "red,blue")).states == 2 * count_by_hand(1)
    # Two pawns alone: any two of 67, less the 65 squares that hold one pawn, less both Home.
    assert build_graph(open_space("solo?pawns=2")).states == comb(68, 2) - 65 - 1


@pytest.mark.parametrize(
    ("ruleset", "seats", "frames"),
    [("duel-1", None, 1), ("duel-1", "blue,green", 1), ("duel-1", "yellow,green", 2),
     ("duel-2", "red,green", 2), ("solo?pawns=3", "yellow", 1),
     ("teams?deck=infinite&pawns=1", None, 1)],
)  # fmt: skip
def test_places_are_numbers_of_positions(ruleset: str, seats: Any, frames: int) -> None:
    space = open_space(ruleset, seats)
    assert space.frames == frames
    places = np.random.default_rng(5).integers(0, space.places, 500)
    games = np.repeat(space.codec.blank, len(places))
    put_places(space.codec, places, games)
    again = np.empty(len(places), np.int64)
    find_places(space.codec, games, games["turn"], again)
    assert np.array_equal(again, places)
    # By hand: digits of the sorted multisets' places in a list, the mover's first.
    pawns = space.tables.ruleset.pawns
    multisets = sorted(
        tuple(sorted(codes, reverse=True))
        for codes in combinations_with_replacement(range(HOME + 1), pawns)
    )
    where = {codes: i for i, codes in enumerate(multisets)}
    for game, place in zip(games[:50], places[:50].tolist(), strict=True):
        mover = int(game["turn"])
        order = [(mover + k) % SEATS for k in range(SEATS) if (mover + k) % SEATS in space.seats]
        number = space.seats.index(mover) if frames > 1 else 0
        for seat in order:
            number = number * len(where) + where[tuple(game["pawns"][seat, :pawns].tolist())]
        assert number == place


def targets_by_hand(space: Space, game: Game, number: np.ndarray, won: int) -> list[set[int]]:
    """The targets of each card that may come, found by playing every legal move of it."""
    teams = space.tables.ruleset.teams != "none"
    found = []
    for _, after in followers(game):
        targets = set()
        for moved in after:
            place = np.empty(1, np.int64)
            find_places(space.codec, moved.state, moved.state["turn"], place)
            if moved.over:
                targets.add(won if game.actor in moved.winners else ~won)
            else:
                away = (moved.turn - game.actor) % SEATS
                state = int(number[place[0]])
                targets.add(state if away == 0 or (teams and away == 2) else ~state)
        found.append(targets)
    return found


@pytest.mark.parametrize(
    ("ruleset", "seats", "count"),
    [
        ("duel-1", None, 60),
        ("duel-1", "red,blue", 60),
        ("duel-1?switch_slides=both&on_circle=1", "green,blue", 60),
        ("bump-em?deck=infinite&pawns=1", 2, 60),
        ("solo?pawns=3", "yellow", 60),
        ("duel-2", None, 60),
        pytest.param("teams?deck=infinite&pawns=1", None, 200, marks=pytest.mark.slow),
    ],
)
def test_moves_lead_where_the_game_says(ruleset: str, seats: Any, count: int) -> None:
    space = open_space(ruleset, seats)
    number, places, _ = number_states(space, 1)
    counts = np.zeros((len(places), space.cards), np.uint8)
    targets = np.empty(space.tables.num_actions + space.cards, np.int32)
    for record in random_positions(space, count, seed=3):
        place = np.empty(1, np.int64)
        find_places(space.codec, record, record["turn"], place)
        state = int(number[place[0]])
        assert state >= 0
        used = fill_targets(
            space.tables.arrays, space.codec, number, places, state, state + 1,
            scratch_for(space), counts, targets,
        )  # fmt: skip
        # In frames of their own or the first seat's, what follows is the same.
        game = game_of(space.tables, record)
        by_card = np.split(targets[:used], np.cumsum(counts[state])[:-1])
        found = [set(part.tolist()) for part in by_card if len(part)]
        assert found == targets_by_hand(space, game, number, len(places))
        assert used == sum(map(len, found))  # none is listed twice


@pytest.mark.parametrize(
    ("ruleset", "seats", "message"),
    [
        ("classic", None, "classic cannot be solved: deck=standard must be infinite"),
        ("points", None, "points cannot be solved: hand=5 must be 0"),
        ("classic?deck=infinite&pawns=1", 3, "cannot be solved with 3 seats, each for itself"),
        ("fire-and-ice?deck=infinite", 2, "cards 1 2 must be without Fire and Ice"),
        ("not-sorry?deck=infinite", 2, "cards Q must be without questions"),
        ("way-sorry?deck=infinite", 2, "cards HAPPY PUNISH BUDDY BULLY WAY must be without moods"),
        ("express", None, "express cannot be solved: it is another game"),
        ("duel-1", 3, "is for 2 seats, not 3"),
        ("duel-9", None, "unknown ruleset 'duel-9'"),
    ],
)
def test_what_cannot_be_solved_is_told_by_its_field(ruleset: str, seats: Any, message: str) -> None:
    with pytest.raises(RulesetError, match=message):
        open_space(ruleset, seats)


def test_what_is_too_large_is_told_in_figures() -> None:
    with pytest.raises(RulesetError, match=r"2,745,131,236 positions, [\d,.]+ GiB; the limit is"):
        check_size(open_space("duel-3"))
    assert comb(69, 3) ** 2 == 2_745_131_236
    duel = open_space("duel-2")
    check_size(duel)
    with pytest.raises(RulesetError, match=r"duel-2 \(red,yellow\).* the limit is 0.5 GiB"):
        build_graph(duel, memory=0.5)
    for bad in (0.0, -1.0, float("nan")):
        with pytest.raises(RequestError, match="memory="):
            check_size(duel, bad)
    with pytest.raises(RequestError, match="threads=0 must be 1 or more"):
        build_graph(open_space("duel-1"), threads=0)


def test_the_first_seat_must_be_seated() -> None:
    space = open_space("duel-1")
    assert space.first("yellow")["turn"] == 2
    for bad in ("blue", "random", 1):
        with pytest.raises(RequestError, match="must be a seated colour"):
            space.first(bad)


def test_a_deck_of_one_kind_is_drawn_from_independently() -> None:
    one = ruleset_of(Card("1", forward=1, start=True))
    assert open_space(one).cards == 1
    assert open_space("solo?deck=3.0.0.0.0.0.0.0.0.0.0").places == comb(70, 4)
