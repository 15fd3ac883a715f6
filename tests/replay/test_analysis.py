"""Luck and decisions: by hand, exact for exact values, and what cannot be said."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sorry_env import make_bot
from sorry_env.bots.base import BatchRequest
from sorry_env.errors import ModelError, RequestError
from sorry_env.families import BOARD
from sorry_env.game import Game
from sorry_env.notation import Record
from sorry_env.replay import analyse
from sorry_env.replay.analysis import undrawn
from sorry_env.replay.judge import Judge
from sorry_env.replay.story import swing_words, tell
from sorry_env.solve import solve
from tests.bots import models
from tests.replay.support import StepsBot, record_of

HEADER = {
    "type": "game", "format": 1, "ruleset": "duel-1", "seats": ["red", "yellow"], "seed": 0,
    "players": {"red": "a", "yellow": "b"}, "id": "by-hand",
}  # fmt: skip


def test_a_game_by_hand() -> None:
    """Red stands on 20 and draws a 10, of 45 cards; it goes one back instead of ten forward.

    Forward by 1 2 3 5 7 8 10 11 12, five 1s and four of the others, back by 4, no move with a
    Sorry!: it was (5 * .51 + 4 * (.52 + .53 + .46 + .55 + .57 + .58 + .60 + .61 + .62 + .50)) / 45.
    """
    moves: list[dict[str, Any]] = [
        {"ply": 0, "position": "duel-1 20/-/yS/- r move 10 * - -", "move": "10:20-19"},
        {"ply": 1, "position": "duel-1 19/-/yS/- y move 3 * - -", "move": "pass"},
    ]
    end = {"position": "duel-1 19/-/yS/- r move ? * - -", "returns": {"red": 0.0, "yellow": 0.0},
           "plies": 2, "reason": "truncated"}  # fmt: skip
    analysis = analyse(Record(HEADER, moves, end), StepsBot())
    first, second = analysis.plies
    before = (5 * 0.51 + 4 * 5.54) / 45
    assert first.before == pytest.approx(before) and first.drawn == pytest.approx(0.60)
    assert first.best == pytest.approx(0.60) and first.played == pytest.approx(0.49)
    assert first.luck == pytest.approx(0.60 - before)
    assert first.decision == pytest.approx(-0.11)
    assert first.bot == ("10:20-30",) and not first.agrees and not first.forced
    assert [move for move, _ in first.values] == ["10:20-30", "10:20-19"]
    assert [value for _, value in first.values] == pytest.approx([0.60, 0.49])
    assert second.forced and second.agrees and second.luck == pytest.approx(0.0)
    assert second.decision == 0.0
    account = analysis.account(0)
    assert account.start == pytest.approx(before) and account.result == pytest.approx(0.5)
    # The bot thought 0.49 of Red's place and now thinks 0.5 of Yellow's.
    assert account.minds == pytest.approx(0.01)
    assert analysis.agreement(0) == (0, 1) and analysis.agreement(1) == (0, 0)
    assert [(s.kind, s.ply.number) for s in analysis.swings()] == [("decision", 0), ("luck", 0)]
    assert analysis.total(0, "decision") == pytest.approx(-0.11)
    assert analysis.curve(1)[0] == pytest.approx((0.0, 1 - before))


def test_the_pile_counts() -> None:
    """A 3, a 5 and two 7s were left: (.53 + .55 + 2 * .57) / 4 before the 5 was drawn."""
    position = "classic 20,rS,rS,rS/-/yS,yS,yS,yS/- r move 5 0.0.1.0.0.2.0.0.0.0.0 - -"
    record = record_of("classic", position=position, most=1)
    (ply,) = analyse(record, StepsBot()).plies
    assert ply.before == pytest.approx(0.555) and ply.luck == pytest.approx(-0.005)


@pytest.mark.parametrize("seats", [None, "red,blue"])
@pytest.mark.parametrize("seed", range(12))
def test_exact_values_add_up_to_the_result(seed: int, seats: str | None) -> None:
    record = record_of("duel-1", seats, seed=seed)
    analysis = analyse(record, "optimal")
    first = analysis.sides[0][0]
    for side in (0, 1):
        account = analysis.account(side)
        won = float(analysis.winners[0] == analysis.sides[side][0])
        parts = account.start + sum(account.luck) + sum(account.decisions)
        assert abs(parts - won) < 1e-9
        assert account.result == won and abs(account.minds) < 1e-9
    assert analysis.account(0).start == pytest.approx(solve("duel-1", seats).value(first), abs=1e-9)
    for ply in analysis.plies:
        assert ply.decision is not None and ply.decision <= 0
        assert ply.agrees == (ply.decision > -1e-9)


def test_luck_is_nothing_on_the_average() -> None:
    """Of every card that might have come, weighed by its chance."""
    solution, game = solve("duel-1"), Game("duel-1", seed=3)
    for _ in range(40):
        waiting = undrawn(BOARD, game)
        assert waiting is not None
        before = float(solution.values_before(waiting.state)[0])
        mean = 0.0
        for card, chance in waiting.chances():
            drawn = waiting.copy()
            drawn.draw(card)
            worth = Judge(make_bot("optimal"), drawn).drawn([drawn])[0]
            mean += float(chance) * (worth - before)
        assert abs(mean) < 1e-9
        game.play(int(game.legal_actions()[0]))
        if game.over:
            game = Game("duel-1", seed=4)


def value_bot(tmp_path: Path, ruleset: str, counts: tuple[int, ...] = (2, 3, 4)) -> Any:
    data = models.build_value(ruleset, counts)
    return make_bot(f"value:{models.save(tmp_path, data, 'value.onnx')}"), data


@pytest.mark.parametrize(
    ("ruleset", "seats", "sides"),
    [("classic", 2, 2), ("classic", 3, 3), ("classic", 4, 4), ("teams", 4, 2), ("points", 2, 2)],
)
def test_a_value_file_tells_chances(ruleset: str, seats: int, sides: int, tmp_path: Path) -> None:
    """((sides - 1) * return + 1) / sides: 1 for a win, 0 for a share of the loss or less."""
    bot, data = value_bot(tmp_path, ruleset)
    record = record_of(ruleset, seats, most=30)
    games = list(record.games())[:-1]
    assert len(games) == len(record.moves) > 3
    for game in games:
        view = game.view(game.actor)
        insight = bot.insight(BatchRequest.of_view(view))
        for action in game.legal_actions().tolist():
            after = game.copy()
            after.play(action, draw=False)
            seen = after.view(game.actor).observation(game.actor)
            value = models.value_by_weights(data, seen)
            likely = 1.0 if after.over else max(((sides - 1) * value + 1) / sides, 0.0)
            assert insight.values[0, action] == pytest.approx(likely, abs=1e-5)
        assert insight.value[0] == pytest.approx(np.nanmax(insight.values))


def test_a_finished_game_is_known_whatever_the_file_says(tmp_path: Path) -> None:
    bot, _ = value_bot(tmp_path, "duel-1", (2,))
    record = record_of("duel-1", position="duel-1 r5/-/yS/- r move 1 * - -")
    analysis = analyse(record, bot)
    assert analysis.plies[-1].played == 1.0 and analysis.account().result == 1.0


def test_chances_of_more_than_two_sides_add_up(tmp_path: Path) -> None:
    bot, _ = value_bot(tmp_path, "classic")
    record = record_of("classic", 3)
    analysis = analyse(record, bot)
    assert analysis.unit == "chance" and len(analysis.sides) == 3
    for ply in analysis.plies:
        assert len(ply.chances) == 3 and sum(ply.chances) == pytest.approx(1.0)
    curves = [analysis.curve(side) for side in range(3)]
    for curve in curves:
        assert [at for at, _ in curve[:-1]] == [ply.number + 0.5 for ply in analysis.plies]
    assert [curve[-1][1] for curve in curves] == [float(s in analysis.winners) for s in range(3)]
    with pytest.raises(ValueError, match="two sides"):
        analysis.account()


def test_steps_of_more_than_two_sides_are_their_own() -> None:
    analysis = analyse(record_of("classic", 3, most=30), "expectimax:depth=1")
    for side in range(3):
        own = {ply.number for ply in analysis.plies if ply.seat in analysis.sides[side]}
        assert {int(at) for at, _ in analysis.curve(side)} <= own | {n + 1 for n in own}
    assert all(ply.chances == () for ply in analysis.plies)


def test_partners_are_one_side() -> None:
    analysis = analyse(record_of("teams", most=20), "expectimax:depth=1")
    assert analysis.sides == ((0, 2), (1, 3))
    assert analysis.side_of(2) == 0


def test_a_policy_values_moves_by_what_may_follow(tmp_path: Path) -> None:
    path = models.save(tmp_path, models.build("classic"))
    analysis = analyse(record_of("classic", 2, most=24), f"learned:{path}")
    for ply, following in zip(analysis.plies, analysis.plies[1:], strict=False):
        assert ply.played is not None and following.before is not None
        own = ply.seat == following.seat
        assert ply.played == pytest.approx(following.before if own else 1 - following.before)
    assert any(abs(ply.luck or 0.0) > 1e-6 for ply in analysis.plies)


def test_a_policy_with_three_sides_says_only_what_it_would_play(tmp_path: Path) -> None:
    path = models.save(tmp_path, models.build("classic"))
    record = record_of("classic", 3, most=12)
    analysis = analyse(record, f"learned:{path}")
    assert analysis.unit is None and all(ply.bot for ply in analysis.plies)
    with pytest.raises(RequestError, match="does not say what these positions are worth"):
        Judge(make_bot(f"learned:{path}"), next(record.games())).moves(list(record.games())[:1])


def test_the_coin_and_the_tokens() -> None:
    for ruleset in ("not-sorry", "fire-and-ice"):
        analysis = analyse(record_of(ruleset, 2), "expectimax:depth=1")
        assert analysis.unit == "steps"
        drawn = [ply for ply in analysis.plies if ply.luck is not None]
        assert 0 < len(drawn) < len(analysis.plies), "some decisions follow without a draw"


PLAYED = [
    ("20/-/yS,yS,yS,yS/- r move - 4.0.0.4.3.4.4.4.4.4.4 3.3.3.3.5/-/1.2.2.2.2/- -", "5:20-25"),
    ("25/-/yS,yS,yS,yS/- y move - 4.0.0.4.3.4.4.4.4.3.4 3.3.3.3.12/-/1.2.2.2.2/- -", "1:yS-34"),
    ("25/-/34,yS,yS,yS/- r move - 4.0.0.4.3.4.4.4.4.3.3 3.3.3.3.12/-/2.2.2.2.S/- -", "12:25-37"),
    ("37/-/34,yS,yS,yS/- r move ? 4.0.0.4.3.4.4.4.4.3.3 3.3.3.3/-/2.2.2.2.S/- -", ""),
]


def record_with(played: list[tuple[str, str]]) -> Record:
    lines = [f"points rH,rH,rH,{line}" for line, _ in played]
    moves: list[dict[str, Any]] = [
        {"ply": i, "position": line, "move": move}
        for i, (line, (_, move)) in enumerate(zip(lines, played, strict=True)) if move
    ]  # fmt: skip
    end = {"position": lines[-1], "returns": {"red": 0.0, "yellow": 0.0}, "plies": 3,
           "reason": "truncated"}  # fmt: skip
    return Record(HEADER | {"ruleset": "points"}, moves, end)


def test_luck_of_a_hand_by_hand() -> None:
    """Red keeps four 3s and draws a 12, of 39 cards it cannot see when it decides again.

    Those are all but its own 3s, the 5 it played and the 1 Yellow played: four each, no 3, three
    5s. With a 1, 2, 4, 11's switch aside, or Sorry! it goes 3; else the card's steps.
    """
    first, second, third = analyse(record_with(PLAYED), StepsBot()).plies
    assert first.luck is None and second.luck is None, "the deal is no draw"
    mean = (4 * 4 * 0.53 + 3 * 0.55 + 4 * (0.57 + 0.58 + 0.60 + 0.61 + 0.62)) / 39
    assert third.before == pytest.approx(mean) and third.drawn == pytest.approx(0.62)
    assert third.luck == pytest.approx(0.62 - mean)
    assert third.decision == 0.0 and third.drew == "12"
    record = record_with(PLAYED)
    analysis = analyse(record, StepsBot())
    (swing,) = analysis.swings(1)
    assert swing_words(tell(record, analysis), swing) == "had drawn 12"


def test_luck_of_a_hand_knows_no_other_hand() -> None:
    """Yellow's cards changed for some of the pile: as far as Red sees, nothing is different."""
    other = "25/-/34,yS,yS,yS/- r move - 0.4.0.4.3.4.4.4.4.2.4 3.3.3.3.12/-/1.1.1.1.12/- -"
    rows = [*PLAYED[:2], (other, "12:25-37"), PLAYED[3]]
    same = [analyse(record_with(played), StepsBot()).plies[2].before for played in (PLAYED, rows)]
    assert same[0] is not None and same[0] == pytest.approx(same[1])


def test_luck_of_a_hand_ends_with_the_pile() -> None:
    """Red's draw came out of discards that were made a pile: what was in it is not told."""
    empty = PLAYED[0][0].replace("4.0.0.4.3.4.4.4.4.4.4", "0.0.0.0.0.0.0.0.0.0.0")
    rows = [(empty, "5:20-25"), *PLAYED[1:]]
    assert analyse(record_with(rows), StepsBot()).plies[2].luck is None


def test_every_draw_to_a_hand_but_the_first() -> None:
    analysis = analyse(record_of("points", 2, most=24), "expectimax:depth=1")
    seen: set[int] = set()
    for ply in analysis.plies:
        assert (ply.luck is None) == (ply.seat not in seen) and ply.decision is not None
        seen.add(ply.seat)
    assert analysis.total(0, "luck") is not None


def test_bots_without_values_are_compared_with() -> None:
    record = record_of("classic", 2, player="greedy")
    analysis = analyse(record, "greedy")
    assert analysis.unit is None and analysis.swings() == []
    assert all(ply.agrees for ply in analysis.plies), "it is the one that played"
    other = analyse(record, "runner")
    assert not all(ply.agrees for ply in other.plies)


def test_the_dice_game() -> None:
    analysis = analyse(record_of("express", 3), "greedy")
    assert analysis.unit is None and len(analysis.sides) == 3
    assert {ply.seat for ply in analysis.plies} == {0, 1, 2}


def test_the_dice_game_by_a_policy(tmp_path: Path) -> None:
    """Rolls of three dice are drawn once for three decisions."""
    path = models.save(tmp_path, models.build("express"))
    analysis = analyse(record_of("express", 2, most=7), f"learned:{path}")
    assert [ply.luck is not None for ply in analysis.plies] == [True, False, False] * 2 + [True]
    for ply, following in zip(analysis.plies, analysis.plies[1:], strict=False):
        if following.before is not None:
            assert ply.played == pytest.approx(1 - following.before)


def test_bots_that_do_not_play_the_game_are_refused(tmp_path: Path) -> None:
    bot, _ = value_bot(tmp_path, "duel-1", (2,))
    with pytest.raises(ModelError, match="duel-1"):
        analyse(record_of("classic", 2, most=3), bot)
    with pytest.raises(RequestError, match="nobody"):
        analyse(record_of("classic", 2, most=3), "nobody")
