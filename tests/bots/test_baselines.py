"""Runner, bumper and cautious choose what their words say, in positions worked by hand."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from sorry_env.bots.baselines import exposure
from sorry_env.bots.greedy import GreedyBot
from sorry_env.bots.registry import make_bot
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


def test_how_likely_a_pawn_is_hit() -> None:
    # Yellow on 17 hits 20 by a 3 alone (4 of 43 cards); it has one pawn in Start, so that
    # Sorry! takes one of Red's two pawns on the track (4 of 43, half each).
    game = read("classic 30,20,rS,rS/-/yH,yH,17,yS/- r move 1 3.4.4.4.4.4.4.4.4.4.4 - -")
    own = np.array([[True, False, False, False]])
    hit = exposure(game.tables, game.state, own)
    assert game.pawns[0][1] > 0
    assert hit[0, 0, :2] == pytest.approx([2 / 43, 4 / 43 + 2 / 43])
    assert hit[0, 0, 2:].tolist() == [0, 0] and not hit[0, 1:].any()


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
