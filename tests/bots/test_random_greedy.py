"""The random bot is uniform; the greedy bot is what a slow one-ply search says it is."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

import numpy as np
import pytest

from sorry_env.bots.base import BatchRequest
from sorry_env.bots.greedy import GreedyBot
from sorry_env.bots.random import RandomBot
from sorry_env.engine.state import GAME
from sorry_env.game import Game
from sorry_env.notation.moves import move_text, parse_move
from sorry_env.notation.position import read
from tests.bots.positions import game_of, request_after


def value_by_hand(game: Game, seat: int, still_playing: list[int]) -> Fraction:
    """GreedyBot's value of a position, as its docstring has it."""
    covered = [sum(codes) for codes in game.pawns]
    if game.ruleset.teams != "none":
        mine, theirs = seat % 2, 1 - seat % 2
        return Fraction(covered[mine] + covered[mine + 2] - covered[theirs] - covered[theirs + 2])
    others = [covered[s] for s in still_playing if s != seat]
    # Those who have finished stand still: what they have covered is the same after any move.
    return covered[seat] - Fraction(sum(others), max(1, len(others)))


def best_by_hand(game: Game) -> set[int]:
    """All actions of the highest value, whatever decides between equal ones."""
    seat = game.actor
    playing = [s for s in game.seats if game.ranks[s] == 0]
    values = {}
    for action in game.legal_actions().tolist():
        after = game.copy()
        after.play(action, draw=False)
        values[action] = value_by_hand(after, seat, playing)
    best = max(values.values())
    return {action for action, value in values.items() if value == best}


@pytest.mark.parametrize(
    ("ruleset", "seats"),
    [
        ("classic", "red,yellow"),
        ("classic", "red,blue,yellow"),
        ("classic", 4),
        ("classic?play_out=true", 4),
        ("classic?play_out=true", "blue,yellow,green"),
        ("teams", None),
        ("teams-two", None),
        ("duel-1", None),
        ("quick", "blue,green"),
        ("solo", None),
        ("points", 3),
        ("points?teams=four", None),
        ("fire-and-ice", 4),
        ("bump-em", 3),
        ("way-sorry", 2),
    ],
)
def test_greedy_takes_one_of_the_best_afterstates(ruleset: str, seats: str | int | None) -> None:
    bot = GreedyBot()
    for steps in (3, 60, 150, 301):
        request = request_after(steps, ruleset, seats, size=32, seed=steps)
        chosen = bot.choose_batch(request).tolist()
        assert len(chosen) == 32
        for row, action in enumerate(chosen):
            assert action in best_by_hand(game_of(request, row))


def many_of(game: Game, count: int) -> BatchRequest:
    """The same decision over and over."""
    records = np.zeros(count, GAME)
    records[:] = game.state[0]
    return BatchRequest(
        game.tables,
        records,
        np.repeat(game.observation()[None], count, axis=0),
        np.repeat(game.mask()[None], count, axis=0),
    )


def test_every_tie_is_taken_equally_often() -> None:
    # Both 3s gain three steps; nothing else can move.
    game = read("classic 30,20,rS,rS/-/yS,yS,yS,yS/- r move 3 5.4.3.4.4.4.4.4.4.4.4 - -")
    chosen = Counter(GreedyBot().choose_batch(many_of(game, 4000)).tolist())
    texts = {move_text(game.describe(action)): count for action, count in chosen.items()}
    assert sorted(texts) == ["3:20-23", "3:30-33"]
    assert abs(texts["3:20-23"] - 2000) < 4 * 1000**0.5


@pytest.mark.parametrize(
    ("position", "best"),
    [
        # +10 covers ten steps; -1 onto the triangle 16 would slide back to 19: from 17 two more.
        ("classic 17,rS,rS,rS/-/yS,yS,yS,yS/- r move 10 5.4.4.4.4.4.4.3.4.4.4 - -", "10:17-27"),
        # A bump is worth what the pawn had covered: 8 steps and 48 of Yellow's beat 8 steps.
        ("classic 40,12,rS,rS/-/20,yS,yS,yS/- r move 8 5.4.4.4.4.4.3.4.4.4.4 - -", "8:12-20"),
        # Backward from the circle: 4 lands on square 0, code 58, which is nearly round.
        ("classic 20,4,rS,rS/-/yS,yS,yS,yS/- r move 4 5.4.4.3.4.4.4.4.4.4.4 - -", "4:4-0"),
    ],
)
def test_greedy_in_positions_worked_by_hand(position: str, best: str) -> None:
    game = read(position)
    assert GreedyBot().choose(game.view(game.actor)) == parse_move(game, best).action


_NONE_LEFT = "5.4.4.4.4.4.4.4.4.4.4"


@pytest.mark.parametrize(
    ("position", "best"),
    [
        # The Ice goes to the hindmost of the opponents' pawns that it can go to.
        (
            "fire-and-ice 20,rS,rS/-/50,40,yS/- r ice 1 4.4.4.4.4.4.4.4.4.4.4 - -",
            "ice:40",
        ),
        # The Fire to the own pawn with the longest way on the track; the one on r1 has none.
        (
            "fire-and-ice r1,30,20/-/yS,yS,yS/- r token 2 5.3.4.4.4.4.4.4.4.4.4 - -",
            "token:20",
        ),
        # A corner ahead is worth its steps; from Start a companion gains most.
        (
            "fire-and-ice 20,rS,rS/-/yS,yS,yS/- r fire - 5.4.4.4.4.4.4.4.4.4.4 - fire=20",
            "fire:20-30",
        ),
        (
            "fire-and-ice rH,40,rS/-/yS,yS,yS/- r home 3 5.4.3.4.4.4.4.4.4.4.4 - -",
            "home:rS",
        ),
        # One asks whoever cannot move by the answer, and grants steps that only oneself can take.
        (
            f"not-sorry 20,rS,rS,rS/25,bS,bS,bS/yS,yS,yS,yS/50,gS,gS,gS r ask Q {_NONE_LEFT}.7 - -",
            "ask:yellow",
        ),
        (
            f"not-sorry?answers=player r2,rS,rS,rS/-/40,yS,yS,yS/- r>y answer Q {_NONE_LEFT}.7 - -",
            "answer:yes",
        ),
        (
            f"not-sorry?answers=player 20,rS,rS,rS/-/yS,yS,yS,yS/- r>y answer Q {_NONE_LEFT}.7 - -",
            "answer:no",
        ),
        # The hand's best card: 8 and a bump. Nothing fits below: the longest card can go.
        (
            "points 12,rS,rS,rS/-/20,yS,yS,yS/- r move - 5.4.2.3.3.3.3.3.3.3.3 "
            "3.4.5.7.8/-/3.10.11.12.S/- -",
            "8:12-20",
        ),
        (
            "points rH,rH,r5,r4/-/yS,yS,yS,yS/- r move - 5.4.3.3.3.3.3.3.3.2.3 "
            "5.7.8.12.12/-/3.4.10.11.S/- -",
            "12:discard",
        ),
    ],
)
def test_greedy_in_every_phase_worked_by_hand(position: str, best: str) -> None:
    game = read(position)
    assert GreedyBot().choose(game.view(game.actor)) == parse_move(game, best).action


def test_random_is_uniform_over_the_distinct_moves() -> None:
    game = read("classic 30,20,4,rS/-/40,yS,yS,yS/- r move 7 5.4.4.4.4.3.4.4.4.4.4 - -")
    legal = game.legal_actions().tolist()
    n = 1000 * len(legal)
    chosen = Counter(RandomBot().choose_batch(many_of(game, n)).tolist())
    assert sorted(chosen) == legal and len(legal) > 10
    cells = np.array(list(chosen.values()))
    spread = ((cells - 1000) ** 2 / 1000).sum()
    freedom = len(legal) - 1
    assert abs(spread - freedom) < 5 * (2 * freedom) ** 0.5


@pytest.mark.parametrize("kind", [RandomBot, GreedyBot])
def test_the_seed_decides(kind: type[RandomBot] | type[GreedyBot]) -> None:
    request = request_after(70, size=512)
    bot, twin = kind(), kind()
    bot.reset(7)
    first = bot.choose_batch(request)
    assert not np.array_equal(bot.choose_batch(request), first)
    twin.reset(7)
    assert np.array_equal(twin.choose_batch(request), first)
    bot.reset(8)
    assert not np.array_equal(bot.choose_batch(request), first)
