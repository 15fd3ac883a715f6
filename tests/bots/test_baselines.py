"""Runner, bumper and cautious choose what their words say, in positions worked by hand."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from sorry_env.bots.danger import danger
from sorry_env.bots.greedy import GreedyBot
from sorry_env.bots.registry import make_bot
from sorry_env.engine.state import EMPTY, HIDDEN
from sorry_env.engine.tables import compile_rules
from sorry_env.game import Game
from sorry_env.notation.moves import move_text, parse_move
from sorry_env.notation.position import read
from tests.bots.positions import request_after

NAMES = ("runner", "bumper", "cautious")


@pytest.mark.parametrize(
    ("bot", "position", "best"),
    [
        # The foremost pawn goes on, though the one behind would bump.
        (
            "runner",
            "classic 30,12,rS,rS/-/20,yS,yS,yS/- r move 8 5.4.4.4.4.4.3.4.4.4.4 - -",
            "8:30-38",
        ),
        (
            "greedy",
            "classic 30,12,rS,rS/-/20,yS,yS,yS/- r move 8 5.4.4.4.4.4.3.4.4.4.4 - -",
            "8:12-20",
        ),
        # +10 covers ten steps; -1 sends a pawn of five back and costs one.
        (
            "bumper",
            "classic 38,rS,rS,rS/-/37,yS,yS,yS/- r move 10 5.4.4.4.4.4.4.3.4.4.4 - -",
            "10:38-37",
        ),
        (
            "greedy",
            "classic 38,rS,rS,rS/-/37,yS,yS,yS/- r move 10 5.4.4.4.4.4.4.3.4.4.4 - -",
            "10:38-48",
        ),
        # Yellow's last pawn hits square 20 by a 1 and cannot hit 23: forward 4 there is not.
        (
            "cautious",
            "classic rH,rH,50,20/-/yH,yH,yH,19/- r move 3 5.4.3.4.4.4.4.4.4.4.4 - -",
            "3:20-23",
        ),
    ],
)
def test_the_move_worked_by_hand(bot: str, position: str, best: str) -> None:
    game = read(position)
    action = make_bot(bot).choose(game.view(game.actor))
    assert move_text(game.describe(action)) == move_text(
        game.describe(parse_move(game, best).action)
    )


@pytest.mark.parametrize(
    ("position", "lost"),
    [
        # Yellow on 17, its other pawns Home but for one in Start; of 43 cards 3 are a 1, all others
        # are 4. Red's pawns have covered 28 and 18. A 3 hits the one on 20, Sorry! takes the one on
        # 30 at best, and an 11 switches it to 17, thirteen steps back.
        (
            "classic 30,20,rS,rS/-/yH,yH,17,yS/- r move 1 3.4.4.4.4.4.4.4.4.4.4 - -",
            (4 * 18 + 4 * 28 + 4 * 13) / 43,
        ),
        # From 23 a 1 lands on Blue's triangle and slides over 26: 24 steps of 3 in 43 cards. An 11
        # switches the pawn to 23, back by three; a 3 hits it, and so does Sorry!. Of the 7 only
        # three steps would help, but the rest of it has no other pawn to go.
        (
            "classic 26,rS,rS,rS/-/yH,yH,23,yS/- r move 1 3.4.4.4.4.4.4.4.4.4.4 - -",
            (3 * 24 + 4 * 24 + 4 * 24 + 4 * 3) / 43,
        ),
        # With a second pawn on the track a 7 can be divided into 3 and 4.
        (
            "classic 26,rS,rS,rS/-/yH,yH,23,50/- r move 1 0.0.0.0.0.4.4.0.0.0.0 - -",
            4 * 24 / 8,
        ),
        # The pile is empty and made anew: 45 cards. A pawn on its safety squares is out of reach.
        (
            "classic r4,3,rS,rS/-/yH,yH,yH,57/- r move 12 0.0.0.0.0.0.0.0.0.0.0 - -",
            0.0,
        ),
    ],
)
def test_what_an_opponent_can_take(position: str, lost: float) -> None:
    game = read(position)
    assert danger(game.tables, game.state, np.zeros(1, np.int64)) == pytest.approx([lost])


def test_what_a_hidden_hand_can_take() -> None:
    # Yellow, on 17, holds two of four unseen cards: a 3, which hits the pawn on 20 (18 steps), and
    # three 12s, which do nothing. It holds the 3 in half of the hands.
    games = Game("points", "red,yellow", seed=1).state.copy()
    same = read("classic 20,rS,rS,rS/-/yH,yH,yH,17/- r move 3 0.0.1.0.0.0.0.0.0.0.0 - -")
    names = same.ruleset.card_names
    games["pawns"] = same.state["pawns"]
    games["deck"][0, :] = 0
    games["deck"][0, names.index("3")], games["deck"][0, names.index("12")] = 1, 3
    games["hands"][0, 2] = [HIDDEN, HIDDEN, EMPTY, EMPTY, EMPTY, EMPTY, EMPTY]
    assert danger(compile_rules("points"), games, np.zeros(1, np.int64)) == pytest.approx([9.0])


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    ("ruleset", "seats"),
    [
        ("classic", 2),
        ("classic?play_out=true", 4),
        ("teams", None),
        ("solo", None),
        ("points", 3),
        ("points?teams=four", None),
        ("fire-and-ice", 4),
        ("not-sorry", 4),
        ("bump-em", 3),
        ("way-sorry", 2),
    ],
)
def test_they_play_everything_legally_and_by_their_seed(
    name: str, ruleset: str, seats: Any
) -> None:
    bot, twin = make_bot(name), make_bot(name)
    for steps in (4, 150):
        request = request_after(steps, ruleset, seats, size=64, seed=steps)
        bot.reset(5)
        twin.reset(5)
        chosen = bot.choose_batch(request)
        assert request.mask[np.arange(64), chosen].all()
        assert np.array_equal(twin.choose_batch(request), chosen)
        chances = bot.distribution(request)
        assert (chances[np.arange(64), chosen] > 0).all()
        assert np.allclose(chances.sum(axis=1), 1)


def test_they_are_not_greedy_and_not_each_other() -> None:
    request = request_after(120, size=512, seed=2)
    plays = [GreedyBot().distribution(request)]
    plays += [make_bot(name).distribution(request) for name in NAMES]
    for i, one in enumerate(plays):
        for other in plays[:i]:
            assert not np.array_equal(one, other)
