"""Games of several rounds in a match: totals, who begins, and the same result in any batch."""

from __future__ import annotations

import numpy as np
import pytest

from sorry_env.arena import play_match
from sorry_env.bots.base import BatchRequest
from sorry_env.bots.random import RandomBot
from sorry_env.game import Game


class Diary(RandomBot):
    """Plays at random and notes who decides first in each round of each game."""

    name = "diary"

    def __init__(self, first: dict[tuple[int, int], int]) -> None:
        super().__init__()
        self.first = first
        self.keys: list[int] = []

    def choose_batch(self, request: BatchRequest) -> np.ndarray:
        assert request.keys is not None
        self.keys += request.keys.tolist()
        for key, game in zip(request.keys.tolist(), request.games, strict=True):
            if game["plies"] == 0:
                self.first[key >> 32, key & 0xFFFFFFFF] = int(game["actor"])
        return super().choose_batch(request)


def test_totals_reach_the_target_and_no_round_is_played_after_it() -> None:
    result = play_match(["greedy", "random"], "points", games=40, target_score=200, reward="points")
    totals = result.outcomes["rewards"][:, [0, 2]]
    assert (totals.max(axis=1) >= 200).all()
    # No round is worth more than 140, so before the last one nobody had as much.
    assert (totals.max(axis=1) < 200 + 140).all()
    assert (result.outcomes["rounds"] >= 2).all()
    assert result.mean_rounds == result.outcomes["rounds"].mean()
    assert sum(result.wins) == 40 and result.rate(0) > 0.9
    assert result.returns[0] > result.returns[1]
    by_win = play_match(["greedy", "random"], "points", games=40, target_score=200)
    assert by_win.wins == result.wins
    assert set(by_win.outcomes["rewards"].ravel().tolist()) == {-1.0, 0.0, 1.0}
    assert np.array_equal(by_win.outcomes["length"], result.outcomes["length"])


@pytest.mark.parametrize("batch", [1, 7, 4096])
def test_the_batch_size_changes_nothing(batch: int) -> None:
    settings = {"seed": 5, "target_score": 60, "games": 12}
    whole = play_match(["greedy", "random", "random"], "points-1939", **settings)  # type: ignore[arg-type]
    again = play_match(
        ["greedy", "random", "random"], "points-1939", batch=batch, **settings  # type: ignore[arg-type]
    )  # fmt: skip
    assert again.outcomes.tobytes() == whole.outcomes.tobytes()


def test_the_turn_to_begin_moves_on_and_no_two_decisions_share_a_key() -> None:
    first: dict[tuple[int, int], int] = {}
    bots = [Diary(first) for _ in range(3)]
    result = play_match(bots, "points", "red,blue,green", games=9, target_score=150, seed=2)
    keys = [key for bot in bots for key in bot.keys]
    assert len(set(keys)) == len(keys)
    for game in range(9):
        begun = [first[key] for key in sorted(first) if key[0] == game]
        assert begun == [(0, 1, 3)[n % 3] for n in range(len(begun))]
        assert len(begun) == result.outcomes["rounds"][game]


def test_the_usual_seat_begins_every_match() -> None:
    first: dict[tuple[int, int], int] = {}
    play_match([Diary(first), Diary(first)], "points", games=8, target_score=100, first="yellow")
    assert {seat for (_, decision), seat in first.items() if decision == 0} == {2}


def test_a_round_that_is_cut_off_cuts_the_game_off() -> None:
    result = play_match(["random"] * 2, "points", games=6, target_score=100, max_plies=20)
    assert result.outcomes["truncated"].all() and result.wins == (0, 0)
    assert not result.outcomes["rewards"].any()
    assert "cut off" in result.table()


def test_one_round_without_a_target() -> None:
    result = play_match(["greedy", "random"], "points", games=20, reward="points", seed=3)
    assert (result.outcomes["rounds"] == 1).all()
    assert result.target is None and result.to_dict()["reward"] == "points"
    # By hand: the winner has 4 x 5 and, with most bonuses, at least 25 with them.
    assert (result.outcomes["rewards"].max(axis=1) >= 20).all()
    assert Game("points", seed=1).returns("points") == (0.0,) * 4
