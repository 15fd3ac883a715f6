"""The pool of past selves: whom a full pool keeps, against what its documentation says."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import torch
from sorry_training.checkpoint import make_net
from sorry_training.config import PPOConfig
from sorry_training.pool import Pool

Small = Callable[..., PPOConfig]


def marks_after(config: PPOConfig, updates: int) -> list[list[int]]:
    """The updates whose weights the pool holds, oldest first, after each update from 1 on."""
    net = make_net(config)
    with torch.no_grad():
        net.policy.bias.fill_(0)
    pool = Pool(config, net)
    held = []
    for update in range(1, updates + 1):
        with torch.no_grad():
            net.policy.bias.fill_(update)
        pool.update(update, net)
        held.append([int(weights["policy.bias"][0]) for weights in pool.past])
    return held


@pytest.mark.parametrize("size", [2, 3, 5])
def test_a_full_pool_keeps_the_newest_two(size: int, small: Small) -> None:
    """The newest past self never makes room for the present one."""
    held = marks_after(small("pool_every=1", f"pool_size={size}", "pool_active=1"), 60)
    assert len(held) == 60
    for update, marks in enumerate(held, start=1):
        assert marks[-2:] == [update - 1, update]
        assert len(marks) == min(size, update + 1)
        assert marks == sorted(set(marks)), "oldest first, nobody twice"


def test_a_pool_of_two_holds_the_newest_two(small: Small) -> None:
    held = marks_after(small("pool_every=1", "pool_size=2", "pool_active=1"), 10)
    assert held[1:] == [[update - 1, update] for update in range(2, 11)]


def test_some_old_ones_stay_for_long(small: Small) -> None:
    """A random one makes room: neither always the oldest nor always the second newest."""
    held = marks_after(small("pool_every=1", "pool_size=6", "pool_active=1"), 40)
    ages = [update - min(marks) for update, marks in enumerate(held, start=1)]
    assert max(ages) > 8, "a queue of 6 would hold none older than 5"
    assert any(update - marks[-3] > 2 for update, marks in enumerate(held[6:], start=7))


def test_every_past_self_may_be_active(small: Small) -> None:
    """The newest, too: the active ones are drawn from all of the pool."""
    config = small("pool_every=1", "pool_size=3", "pool_active=2")
    net = make_net(config)
    pool = Pool(config, net)
    seen: set[int] = set()
    for update in range(1, 40):
        pool.update(update, net)
        seen |= set(pool.active)
    assert seen == {0, 1, 2}


def test_weights_are_taken_only_when_they_are_due(small: Small) -> None:
    held = marks_after(small("pool_every=4", "pool_size=5", "pool_active=1"), 9)
    assert held[2] == [0] and held[3] == held[6] == [0, 4] and held[8] == [0, 4, 8]
