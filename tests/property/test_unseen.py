"""A learned bot and hidden cards; and how likely the unseen cards lie where in sampled worlds.

Read `test_hidden.py` and `tests/engine/test_determinize.py` before this file.
"""

from __future__ import annotations

from collections import Counter
from math import comb
from pathlib import Path

import numpy as np
import pytest

from sorry_env.bots.base import BatchRequest
from sorry_env.bots.learned import LearnedBot
from sorry_env.engine.determinize import determinize
from sorry_env.engine.state import EMPTY
from sorry_env.game import Game
from sorry_env.rules import get_ruleset
from tests.bots import models
from tests.property.dealing import dealt_anew

CASES = [
    ("points", "red,yellow"),
    ("points", "red,blue,yellow,green"),
    ("points-1939", "red,blue,green"),
    ("points?teams=four", "red,blue,yellow,green"),
    ("points?hand=7", "red,blue,yellow"),
]


def some_games(name: str, seats: str, count: int) -> list[Game]:
    """Games with hands at different stages, none of them over."""
    found = []
    choices = np.random.default_rng(17)
    for seed in range(count):
        game = Game(name, seats, seed=seed, first="random")
        for _ in range(9 * seed):
            if not game.over:
                game.play(int(choices.choice(game.legal_actions())))
        if not game.over:
            found.append(game)
    assert len(found) > count // 2
    return found


@pytest.mark.parametrize("sample", [False, True])
@pytest.mark.parametrize(("name", "seats"), CASES)
def test_a_learned_bot_chooses_the_same(
    name: str, seats: str, sample: bool, tmp_path: Path
) -> None:

    path = models.save(tmp_path, models.build(name, get_ruleset(name).seat_choices))
    bot = LearnedBot(path, sample=sample)
    for seed, game in enumerate(some_games(name, seats, 12)):
        for again in range(4):
            twin = dealt_anew(game, game.actor, 100 * seed + again)
            assert twin.state.tobytes() != game.state.tobytes()
            chosen = []
            for one in (game, twin):
                bot.reset(seed)
                chosen.append(bot.choose(one.view(one.actor)))
                bot.reset(seed)
                seen, mask = one.observation()[None], one.mask()[None]
                request = BatchRequest(one.tables, one.state, seen, mask)
                chosen.append(int(bot.choose_batch(request)[0]))
            assert len(set(chosen[::2])) == len(set(chosen[1::2])) == 1


def chance_of_copies(copies: int, unseen: int, hand: int) -> list[float]:
    """By how many of so many copies are in a hand dealt from the unseen cards, the chance."""
    ways = comb(unseen, hand)
    return [
        comb(copies, k) * comb(unseen - copies, hand - k) / ways
        for k in range(min(copies, hand) + 1)
    ]


def test_the_closed_form_adds_up() -> None:
    assert sum(chance_of_copies(4, 40, 5)) == pytest.approx(1)
    assert chance_of_copies(1, 8, 2) == pytest.approx([3 / 4, 1 / 4])


@pytest.mark.parametrize(("name", "seats"), CASES)
def test_sampled_hands_hold_cards_as_often_as_they_should(name: str, seats: str) -> None:
    worlds_each = 3000
    rng = np.random.default_rng(5)
    spread, freedom = 0.0, 0
    for game in some_games(name, seats, 3):
        seat = game.actor
        unseen = np.array(game.view(seat).unseen)
        worlds = determinize(game.tables, game.view(seat).state, seat, rng, worlds_each)
        for other in game.seats:
            if other == seat:
                continue
            hands = worlds["hands"][:, other]
            size = int((hands[0] != EMPTY).sum())
            card = int(unseen.argmax())
            chances = chance_of_copies(int(unseen[card]), int(unseen.sum()), size)
            counts = Counter((hands == card).sum(axis=1).tolist())
            assert set(counts) <= set(range(len(chances)))
            # Counts too rare for the approximation are left out.
            common = [k for k, p in enumerate(chances) if p * worlds_each >= 5]
            for k in common:
                wanted = worlds_each * chances[k]
                spread += (counts[k] - wanted) ** 2 / wanted
            freedom += len(common) - (len(common) == len(chances))
    assert freedom >= 4
    # The mean of a chi-square is its degrees of freedom, its variance twice as much.
    assert abs(spread - freedom) < 5 * (2 * freedom) ** 0.5
