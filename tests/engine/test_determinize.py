"""Determinised worlds: the unseen cards are dealt uniformly, and nothing else changes."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import numpy as np
import pytest

from sorry_env.engine.determinize import determinize
from sorry_env.engine.state import EMPTY
from sorry_env.game import Game
from sorry_env.rules import get_ruleset

Hands = tuple[tuple[int, ...], ...]


def hands_of(record: np.void) -> Hands:
    return tuple(tuple(card for card in hand if card != EMPTY) for hand in record["hands"].tolist())


def chi_square(counts: Counter[Hands], chances: dict[Hands, float], total: int) -> None:
    assert set(counts) <= set(chances)
    spread = sum((counts[k] - total * p) ** 2 / (total * p) for k, p in chances.items())
    freedom = len(chances) - 1
    assert abs(spread - freedom) < 5 * (2 * freedom) ** 0.5


def test_one_hidden_hand_of_different_cards_is_uniform() -> None:
    game = Game("classic?hand=2&deck=1.1.1.1.1.1.1.1.1.1.1", seed=1)
    mine = game.state["hands"][0, 0]
    unseen = [card for card in range(11) if card not in mine]
    pairs: list[Hands] = [((), (), pair, ()) for pair in combinations(unseen, 2)]
    assert len(pairs) == 36
    worlds = determinize(game.tables, game.state, 0, np.random.default_rng(7), 9000)
    counts: Counter[Hands] = Counter(((), (), hands_of(world)[2], ()) for world in worlds)
    chi_square(counts, dict.fromkeys(pairs, 1 / 36), 9000)


def test_two_hidden_hands_of_like_cards_have_their_exact_chances() -> None:
    """Cards 1, 2 and 3 are there 3, 2 and 4 times; one each is dealt, all but one's own unseen."""
    game = Game("classic?hand=1&deck=3.2.4.0.0.0.0.0.0.0.0", "red,blue,yellow", seed=2)
    own = int(game.state["hands"][0, 1, 0])
    left = [3, 2, 4]
    left[own] -= 1
    chances: dict[Hands, float] = {}
    for red in range(3):
        for yellow in range(3):
            rest = left[yellow] - (red == yellow)
            chances[((red,), (own,), (yellow,), ())] = left[red] * rest / (8 * 7)
    chances = {hands: p for hands, p in chances.items() if p}
    worlds = determinize(game.tables, game.view(1).state, 1, np.random.default_rng(8), 9000)
    chi_square(Counter(map(hands_of, worlds)), chances, 9000)
    assert sum(chances.values()) == pytest.approx(1)


@pytest.mark.parametrize(
    ("name", "seats"),
    [("points", 2), ("points-1939", 3), ("points", 4), ("points?teams=four", 4)],
)
def test_every_world_is_a_possible_one_and_agrees_with_what_is_seen(name: str, seats: int) -> None:
    rng = np.random.default_rng(3)
    game = Game(name, seats, seed=3)
    for _ in range(60):
        if game.over:
            break
        seat = game.actor
        view = game.view(seat)
        before = view.state.tobytes()
        for state in (view.state, game.state):
            for world in determinize(game.tables, state, seat, rng, 5):
                record = np.array([world], world.dtype)
                twin = Game.from_state(game.tables, record)
                assert (twin.observation(seat) == game.observation(seat)).all()
                assert (twin.mask() == game.mask()).all()
                assert twin.view(seat).state.tobytes() == before
        assert view.state.tobytes() == before, "what is given is left as it is"
        game.play(int(rng.choice(game.legal_actions())))


def test_a_card_short_hand_stays_short() -> None:
    game = Game("points", 4, seed=5)
    game.play(int(game.legal_actions()[0]), draw=False)
    sizes = [len(hand) for hand in hands_of(game.state[0])]
    assert sizes == [4, 5, 5, 5]
    (world,) = determinize(game.tables, game.view(2).state, 2, np.random.default_rng(1))
    assert [len(hand) for hand in hands_of(world)] == sizes


def test_without_hands_only_chance_is_new() -> None:
    game = Game("classic", 4, seed=1)
    one, two = determinize(game.tables, game.state, 0, np.random.default_rng(1), 2)
    assert one["rng"] != two["rng"]
    one["rng"] = two["rng"] = game.state["rng"][0]
    assert one.tobytes() == two.tobytes() == game.state.tobytes()


def test_the_seed_of_the_generator_decides() -> None:
    game = Game("points", 4, seed=1)
    first, again, other = (
        determinize(game.tables, game.state, 0, np.random.default_rng(seed), 20).tobytes()
        for seed in (1, 1, 2)
    )
    assert first == again != other
    assert get_ruleset("points").hand == 5
