"""Drawing: a uniform choice among the cards left, and the discards shuffled when none is.

Sections 2.1 and 4 of the rules.
"""

from __future__ import annotations

import itertools
from fractions import Fraction

import numpy as np
import pytest

from sorry_env.engine import single
from sorry_env.engine.rng import advance, seed_state
from sorry_env.engine.state import NO_CARD, WAITING, WORK, empty_games
from sorry_env.engine.tables import RuleTables, compile_rules
from sorry_env.errors import RequestError
from sorry_env.game import Game
from tests.engine.support import chi_square, chi_square_limit, size

# Section 4 in numbers: cards 1 2 3 4 5 7 8 10 11 12 Sorry!.
DECKS = {
    "classic": (5, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4),
    "first-edition": (4,) * 11,
    "waddingtons": (5,) * 11,
    "duel-1": (5, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4),
    "solo": (5, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4),
}
CARDS = ("1", "2", "3", "4", "5", "7", "8", "10", "11", "12", "S")


def new_games(tables: RuleTables, count: int, seed: int) -> np.ndarray:
    """GAME[count] that wait for their first card, one stream of chance each."""
    games = empty_games(count)
    games["pawns"][:, :2] = 0
    for i in range(count):
        games["rng"][i] = seed_state(seed, i)
        single.set_up(tables.arrays, games, i, 0)
    return games


def draw_all(tables: RuleTables, games: np.ndarray) -> None:
    """Draw a card in every game; the one before is discarded."""
    games["card"] = WAITING
    mask, work = np.empty(tables.num_actions, np.bool_), np.empty(2, WORK)
    for i in range(len(games)):
        single.draw(tables.arrays, games, i, mask, work)


@pytest.mark.parametrize("name", DECKS)
def test_the_deck_has_the_cards_of_the_rules(name: str) -> None:
    tables = compile_rules(name)
    assert tables.ruleset.card_names == CARDS
    assert tables.ruleset.counts == DECKS[name]
    assert sum(DECKS["classic"]) == 45 and sum(DECKS["waddingtons"]) == 55
    games = new_games(tables, 1, 1)
    assert tuple(games[0]["deck"][:11]) == DECKS[name] and not games[0]["deck"][11:].any()


@pytest.mark.parametrize("name", DECKS)
def test_first_cards_are_uniform(name: str) -> None:
    tables = compile_rules(name)
    games = new_games(tables, size(30_000, 1_500), 2)
    draw_all(tables, games)
    counts = np.bincount(games["card"], minlength=11)
    assert chi_square(counts, np.array(DECKS[name], float)) < chi_square_limit(10)


def test_every_order_of_a_small_pile_is_as_likely() -> None:
    tables = compile_rules("classic?deck=1.1.1.1.0.0.0.0.0.0.0")
    games = new_games(tables, size(24_000, 1_200), 3)
    orders = []
    for _ in range(4):
        draw_all(tables, games)
        orders.append(games["card"].copy())
    places = {order: k for k, order in enumerate(itertools.permutations(range(4)))}
    rows = [places[order] for order in zip(*(o.tolist() for o in orders), strict=True)]
    assert chi_square(np.bincount(rows, minlength=24), np.ones(24)) < chi_square_limit(23)


def test_a_whole_deck_comes_once_and_then_again() -> None:
    tables = compile_rules("classic")
    games = new_games(tables, size(50, 3), 4)
    for deal in range(1, 4):
        seen = np.zeros((len(games), 11), int)
        for left in range(44, -1, -1):
            draw_all(tables, games)
            seen[np.arange(len(games)), games["card"]] += 1
            assert (games["deck"].sum(axis=1) == left).all()
            assert (games["deck"][:, :11] + seen == DECKS["classic"]).all()
        assert (seen == DECKS["classic"]).all()
        assert (games["draws"] == 45 * deal).all()


def test_an_infinite_deck_never_changes() -> None:
    tables = compile_rules("duel-1")
    games = new_games(tables, size(200, 10), 5)
    pairs = np.zeros((11, 11))
    for _ in range(size(100, 10)):
        before = games["card"].copy()
        draw_all(tables, games)
        assert (games["deck"][:, :11] == DECKS["duel-1"]).all()
        if before[0] >= 0:
            np.add.at(pairs, (before, games["card"]), 1)
    chances = np.outer(DECKS["duel-1"], DECKS["duel-1"]).astype(float)
    assert chi_square(pairs.ravel(), chances.ravel()) < chi_square_limit(120)


def test_every_draw_takes_one_random_number() -> None:
    tables = compile_rules("classic")
    games = new_games(tables, 1, 6)
    state = games["rng"][0]
    for _ in range(50):
        draw_all(tables, games)
        state = np.uint64(advance(state))
        assert games["rng"][0] == state


def test_the_reshuffle_waits_for_the_next_draw() -> None:
    # One card is left, a 7. It is played (nobody can), and the pile stays empty until the draw.
    game = Game("classic", seed=1, draw=False)
    game.state[0]["deck"][:11] = 0
    game.state[0]["deck"][5] = 1
    assert game.chances() == (("7", Fraction(1)),)
    game.draw()
    assert game.card == "7" and game.unseen == (0,) * 11
    game.play(0, draw=False)
    assert game.unseen == (0,) * 11
    # All 45 come in question then, the 7 just played included.
    whole = [(name, Fraction(n, 45)) for name, n in zip(CARDS, DECKS["classic"], strict=True)]
    assert game.chances() == tuple(whole)
    twin = game.copy()
    twin.draw("7")
    assert twin.unseen == (5, 4, 4, 4, 4, 3, 4, 4, 4, 4, 4)
    game.draw()
    assert sum(game.unseen or ()) == 44


def test_a_chosen_card_must_be_in_the_pile() -> None:
    game = Game("classic?deck=1.1.0.0.0.0.0.0.0.0.0", seed=1, draw=False)
    with pytest.raises(RequestError, match="S"):
        game.draw("S")
    game.draw("2")
    with pytest.raises(RequestError, match="2"):
        game.draw("1")  # one is being played
    game.play(0 if game.mask()[0] else game.legal_moves()[0], draw=False)
    with pytest.raises(RequestError, match="2"):
        game.draw("2")
    game.draw("1")
    assert int(game.state[0]["card"]) != NO_CARD
