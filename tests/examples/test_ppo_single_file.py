"""The plainest example: its estimate worked by hand, and that it learns."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch

from docs.examples import ppo_single_file
from docs.examples.ppo_single_file import Rollout, advantages


def rollout(
    seats: list[int], values: list[float], *, end: int, rewards: dict[int, float], last: int
) -> Rollout:
    """One game's steps: who decided, what it expected, where the game ended, who is next."""
    steps = len(seats)
    reward = np.zeros((steps, 1, 4), np.float32)
    for seat, amount in rewards.items():
        reward[end, 0, seat] = amount
    nothing = torch.zeros(steps, 1)
    return Rollout(
        observation=nothing,
        mask=nothing,
        seat=np.array(seats)[:, None],
        action=nothing,
        log_prob=nothing,
        value=np.array(values, np.float32)[:, None],
        reward=reward,
        done=np.arange(steps)[:, None] == end,
        last_seat=np.array([last]),
        last_value=np.array([0.6], np.float32),
    )


@pytest.mark.parametrize(
    ("last", "final", "known"), [(0, 0.0, False), (2, 0.6 - 0.4, True)], ids=["other", "own"]
)
def test_gae_runs_along_each_seats_own_decisions(last: int, final: float, known: bool) -> None:
    # Seat 0 wins by the third decision; the fourth is seat 2's first in the next game.
    game = rollout([0, 2, 0, 2], [0.1, 0.2, 0.3, 0.4], end=2, rewards={0: 1, 2: -1}, last=last)
    gain, usable = advantages(game, trace=0.5)
    second = 1 - 0.3
    first = (0.3 - 0.1) + 0.5 * second
    loser = -1 - 0.2  # told by the winner's move, though it decides no more
    assert gain[:3, 0] == pytest.approx([first, loser, second])
    assert usable[:, 0].tolist() == [True, True, True, known]
    if known:
        assert gain[3, 0] == pytest.approx(final)


def test_a_seat_that_moves_twice_is_its_own_successor() -> None:
    game = rollout([1, 1, 3], [0.5, 0.25, 0.0], end=2, rewards={1: -1, 3: 1}, last=1)
    gain, usable = advantages(game, trace=1.0)
    # With a trace of 1, the return less the value.
    assert gain[:, 0] == pytest.approx([-1 - 0.5, -1 - 0.25, 1])
    assert usable.all()


def test_it_learns_within_seconds(capsys: pytest.CaptureFixture[str]) -> None:
    before, after = ppo_single_file.main(["--updates", "8", "--eval-games", "600"])
    assert after.interval()[0] > max(0.6, before.interval()[1])
    assert "after\n600 games of classic" in capsys.readouterr().out


def test_it_is_one_short_file() -> None:
    assert len(Path(ppo_single_file.__file__).read_text(encoding="utf-8").splitlines()) < 250
