"""Advantages: closed forms by hand, a slow implementation written differently, properties."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import pytest
from sorry_training.returns import SEATS, Advantages, estimate_advantages


class Case(NamedTuple):
    """The arguments of `estimate_advantages`, all [T, B] but rewards [T, B, 4]."""

    values: np.ndarray
    seats: np.ndarray
    own: np.ndarray
    rewards: np.ndarray
    ended: np.ndarray
    cut: np.ndarray


def blank(steps: int, games: int = 1) -> Case:
    """Nothing happens, seat 0 decides, all by the learner."""
    shape = (steps, games)
    return Case(
        np.zeros(shape, np.float32), np.zeros(shape, np.int8), np.ones(shape, bool),
        np.zeros((*shape, SEATS), np.float32), np.zeros(shape, bool), np.zeros(shape, bool),
    )  # fmt: skip


def run(case: Case, discount: float = 1.0, trace: float = 0.9) -> Advantages:
    """The function under test."""
    return estimate_advantages(*case, discount=discount, trace=trace)


def slowly(case: Case, discount: float, trace: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Advantages, closed and open: games taken apart, chains as lists, sums written out."""
    shape = case.values.shape
    advantages, closed, open_ = np.zeros(shape), np.zeros(shape, bool), np.zeros(shape, bool)
    for b in range(shape[1]):
        ends = [t for t in range(shape[0]) if case.ended[t, b] or case.cut[t, b]]
        starts = [0, *(t + 1 for t in ends)]
        for first, last in zip(starts, [*ends, shape[0] - 1], strict=True):
            for seat in range(SEATS):
                steps = range(first, last + 1)
                mine = [t for t in steps if case.own[t, b] and case.seats[t, b] == seat]
                over = last in ends and case.ended[last, b]
                until = [*mine[1:], last + 1][: len(mine)]
                gains = [
                    sum(float(case.rewards[u, b, seat]) for u in range(t, end))
                    for t, end in zip(mine, until, strict=True)
                ]
                values = [float(case.values[t, b]) for t in mine]
                if not over and mine:
                    open_[mine[-1], b] = last not in ends
                known = len(mine) if over else len(mine) - 1
                following = values[1:] + ([0.0] if over else [])
                for k in range(known):
                    deltas = [
                        gains[j] + discount * following[j] - values[j] for j in range(k, known)
                    ]
                    advantages[mine[k], b] = sum(
                        (discount * trace) ** j * delta for j, delta in enumerate(deltas)
                    )
                    closed[mine[k], b] = True
    return advantages, closed, open_


def random_case(random: np.random.Generator) -> Case:
    """Windows with everything in them: ends, cuts, others' decisions, rewards anywhere."""
    steps, games = int(random.integers(1, 40)), int(random.integers(1, 6))
    shape = (steps, games)
    ended = random.random(shape) < random.random() * 0.3
    return Case(
        random.normal(size=shape).astype(np.float32),
        random.integers(random.integers(1, SEATS + 1), size=shape).astype(np.int8),
        random.random(shape) < random.random(),
        (random.normal(size=(*shape, SEATS)) * (random.random(shape) < 0.3)[..., None]).astype(
            np.float32
        ),
        ended,
        (random.random(shape) < 0.05) & ~ended,
    )


@pytest.mark.parametrize("seed", range(200))
def test_against_the_slow_implementation(seed: int) -> None:
    random = np.random.default_rng(seed)
    case = random_case(random)
    discount, trace = random.choice([0.0, 0.5, 0.99, 1.0], 2)
    found = run(case, discount, trace)
    advantages, closed, open_ = slowly(case, discount, trace)
    assert np.array_equal(found.closed, closed)
    assert np.array_equal(found.open, open_)
    assert np.allclose(found.advantages, advantages, atol=1e-4)
    assert np.allclose(found.returns, np.where(closed, advantages + case.values, 0), atol=1e-4)


def test_one_seat_alone_by_hand() -> None:
    # Three decisions worth 1, 2, 3, then the game ends with a reward of 10.
    case = blank(3)
    case.values[:, 0] = 1, 2, 3
    case.rewards[2, 0, 0] = 10
    case.ended[2, 0] = True
    deltas = [0.5 * 2 - 1, 0.5 * 3 - 2, 10 - 3]
    expected = [
        deltas[0] + 0.25 * deltas[1] + 0.0625 * deltas[2], deltas[1] + 0.25 * deltas[2], deltas[2],
    ]  # fmt: skip
    found = run(case, discount=0.5, trace=0.5)
    assert found.closed.all() and not found.open.any()
    assert np.allclose(found.advantages[:, 0], expected)


def test_the_loser_learns_of_the_end_on_the_winner_s_move() -> None:
    # Seats 0 and 2 in turn; seat 2's last move wins.
    case = blank(4)
    case.seats[:, 0] = 0, 2, 0, 2
    case.values[:, 0] = 0.1, 0.2, 0.3, 0.4
    case.rewards[3, 0, [0, 2]] = -1, 1
    case.ended[3, 0] = True
    found = run(case, trace=0.0)
    assert np.allclose(found.advantages[:, 0], [0.3 - 0.1, 0.4 - 0.2, -1 - 0.3, 1 - 0.4])
    assert np.allclose(run(case, trace=1.0).returns[:, 0], [-1, 1, -1, 1])


def test_the_end_counts_for_the_last_own_decision_however_long_ago() -> None:
    # Seat 1 decides once; the others go on (seat 3 is not the learner's) and seat 0 wins.
    case = blank(6)
    case.seats[:, 0] = 1, 0, 3, 0, 3, 0
    case.own[:, 0] = case.seats[:, 0] != 3
    case.rewards[5, 0] = 1, -0.5, 0, -0.5
    case.ended[5, 0] = True
    found = run(case, trace=1.0)
    assert found.closed[:, 0].tolist() == [True, True, False, True, False, True]
    assert np.allclose(found.returns[:, 0], [-0.5, 1, 0, 1, 0, 1])


def test_the_next_game_does_not_leak_into_the_last() -> None:
    case = blank(4)
    case.values[:, 0] = 0.5, 0.5, -0.7, -0.7
    case.rewards[1, 0, 0], case.rewards[3, 0, 0] = 1, -1
    case.ended[[1, 3], 0] = True
    found = run(case, trace=1.0)
    assert np.allclose(found.returns[:, 0], [1, 1, -1, -1])


def test_without_an_end_the_last_decision_is_open_and_lends_its_value() -> None:
    case = blank(5)
    case.seats[:, 0] = 0, 1, 0, 1, 0
    case.values[:, 0] = 0.1, 0.2, 0.3, 0.4, 0.5
    found = run(case, trace=1.0)
    assert found.open[:, 0].tolist() == [False, False, False, True, True]
    assert found.closed[:, 0].tolist() == [True, True, True, False, False]
    assert np.allclose(found.returns[:, 0], [0.5, 0.4, 0.5, 0, 0])


def test_a_cut_game_has_no_result() -> None:
    # The last decision before the cut is dropped: neither learnt from nor carried over.
    case = blank(4)
    case.values[:, 0] = 0.1, 0.2, 0.3, 0.4
    case.cut[1, 0] = True
    found = run(case, trace=1.0)
    assert found.closed[:, 0].tolist() == [True, False, True, False]
    assert found.open[:, 0].tolist() == [False, False, False, True]
    assert np.allclose(found.returns[:, 0], [0.2, 0, 0.4, 0])


def test_carried_decisions_close_in_the_next_window() -> None:
    """One long window, or two with the open decisions in the first rows of the second."""
    random = np.random.default_rng(7)
    steps, games = 60, 50
    case = random_case(random)._replace()
    shape = (steps, games)
    case = Case(
        random.normal(size=shape).astype(np.float32),
        random.integers(3, size=shape).astype(np.int8),
        random.random(shape) < 0.9,
        np.zeros((*shape, SEATS), np.float32),
        random.random(shape) < 0.05,
        np.zeros(shape, bool),
    )
    case.rewards[case.ended] = random.normal(size=(int(case.ended.sum()), SEATS))
    whole = run(case, trace=0.0)
    first = run(Case(*(part[:30] for part in case)), trace=0.0)
    second = Case(*(np.concatenate((np.zeros_like(part[:SEATS]), part[30:])) for part in case))
    second.seats[:SEATS] = np.arange(SEATS)[:, None]
    rows, columns = np.nonzero(first.open)
    seats = case.seats[rows, columns]
    second.values[seats, columns] = case.values[rows, columns]
    second.own[seats, columns] = True
    later = run(second, trace=0.0)
    assert np.allclose(later.advantages[SEATS:], whole.advantages[30:])
    assert np.allclose(later.advantages[seats, columns], whole.advantages[rows, columns])
    assert np.array_equal(later.closed[SEATS:], whole.closed[30:])
    assert np.array_equal(later.closed[seats, columns], whole.closed[rows, columns])


def test_with_trace_1_the_return_is_the_result_and_with_0_one_step() -> None:
    random = np.random.default_rng(8)
    case = blank(30, 4)
    case.values[:] = random.normal(size=case.values.shape)
    case.ended[29] = True
    case.rewards[29, :, 0] = 1, -1, 1, -1
    assert np.allclose(run(case, trace=1.0).returns, case.rewards[29, :, 0], atol=1e-5)
    expected = np.concatenate((case.values[1:], case.rewards[29:30, :, 0]))
    assert np.allclose(run(case, trace=0.0).returns, expected, atol=1e-6)


def test_arguments_are_not_changed() -> None:
    case = random_case(np.random.default_rng(9))
    before: list[Any] = [part.copy() for part in case]
    run(case)
    assert len(before) > 3
    for now, then in zip(case, before, strict=True):
        assert np.array_equal(now, then)
