"""What is collected: own decisions only, rewards to the right seats, roles dealt fairly."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
import torch
from sorry_training.checkpoint import make_net
from sorry_training.config import PPOConfig
from sorry_training.masked import log_probabilities
from sorry_training.nets import PolicyValueNet
from sorry_training.pool import Pool
from sorry_training.returns import SEATS
from sorry_training.rollout import LEARNER, Collector, sides_of

from sorry_env.engine.batch import Batch
from sorry_env.rules import get_ruleset

Small = Callable[..., PPOConfig]


class FirstLegal:
    """An opponent that plays the first legal move and remembers which seats it was asked for."""

    def __init__(self) -> None:
        self.asked: list[tuple[int, int]] = []

    def begin(self, seed: int) -> None:
        """Nothing is random."""

    def choose(self, batch: Batch, rows: npt.NDArray[np.int64]) -> npt.NDArray[np.int32]:
        """The first legal action of each row."""
        self.asked += zip(rows.tolist(), batch.actor[rows].tolist(), strict=True)
        first: npt.NDArray[np.int32] = batch.mask[rows].argmax(axis=1).astype(np.int32)
        return first


def net_of(config: PPOConfig) -> PolicyValueNet:
    """A net with random weights, so that values and policies differ from row to row."""
    torch.manual_seed(1)
    net = make_net(config)
    with torch.no_grad():
        for parameter in net.parameters():
            parameter.normal_(std=0.3)
    return net


def test_every_decision_is_legal_and_recorded_as_the_policy_made_it(small: Small) -> None:
    config = small("games=32", "past_games=0", "bot_games=0", "shards=1")
    collector, net = Collector(config, 0), net_of(config)
    decisions, tally = collector.collect(0, net, [])
    assert tally.decisions == 32 * config.steps
    rows = np.arange(len(decisions.action))
    assert decisions.mask[rows, decisions.action].all()
    log_probs = log_probabilities(
        net.evaluate(torch.from_numpy(decisions.observation))[0], torch.from_numpy(decisions.mask)
    )
    taken = log_probs.detach().numpy()[rows, decisions.action]
    assert np.allclose(taken, decisions.log_prob, atol=1e-4)


def test_all_decisions_are_learnt_from_once(small: Small) -> None:
    """What is open at the end of one window is closed in a later one: none lost, none doubled."""
    config = small("games=32", "past_games=0", "bot_games=0", "shards=1", "trace=1.0")
    collector, net = Collector(config, 0), net_of(config)
    learnt = played = 0
    for update in range(12):
        decisions, tally = collector.collect(update, net, [])
        learnt += len(decisions.action)
        played += int(tally.decisions)
        waiting = int(collector.window.own[:SEATS].sum())
        assert learnt + waiting == played
        assert waiting <= 2 * 32


def test_returns_are_the_results_of_the_games(small: Small) -> None:
    """With trace 1 and windows longer than games, every return of a finished game is +1 or -1."""
    config = small("games=16", "steps=400", "past_games=0", "bot_games=0", "shards=1", "trace=1.0")
    collector = Collector(config, 0)
    decisions, tally = collector.collect(0, net_of(config), [])
    assert tally.games > 16
    window = collector.window
    sure = np.isclose(np.abs(decisions.value_target), 1, atol=1e-4)
    assert sure.mean() > 0.8  # the others belong to the games that are still going on
    # The seat that decided last before an end and won gets +1, its opponent's last decision -1.
    step, game = np.argwhere(window.ended)[0]
    winner = int(window.reward[step, game].argmax())
    assert window.reward[step, game].tolist().count(1.0) == 1
    assert window.reward[step, game].sum() == 0
    assert winner in (0, 2)


def test_opponents_decide_for_their_seats_and_only_there(small: Small) -> None:
    config = small("games=20", "past_games=0.5", "bot_games=0.25", "pool_active=2", "shards=1")
    collector = Collector(config, 0)
    roles = collector.roles.copy()
    opponents = [FirstLegal() for _ in range(3)]
    decisions, tally = collector.collect(0, net_of(config), opponents)
    window = collector.window
    asked = sum(len(opponent.asked) for opponent in opponents)
    assert asked + tally.decisions == 20 * config.steps
    assert len(decisions.action) < 20 * config.steps - asked + 1
    assert (window.action[SEATS:] == window.mask[SEATS:].argmax(-1))[~window.own[SEATS:]].all()
    # Two seats: every game with opponents has one of them, self-play has none.
    assert [(row[[0, 2]] != LEARNER).sum() for row in roles] == [1] * 15 + [0] * 5
    assert set(roles[:10].ravel()) <= {0, 1, 2} and set(roles[10:15].ravel()) <= {0, 3}


def test_seats_fall_evenly_to_the_learner(small: Small) -> None:
    config = small(
        "ruleset=classic", "seats=red,blue,yellow,green", "games=600", "past_games=1",
        "bot_games=0",
        "shards=1",
    )  # fmt: skip
    roles = Collector(config, 0).roles
    mine = (roles == LEARNER).sum(axis=0)
    assert mine.min() > 230 and mine.max() < 370  # half of 600, six standard errors
    counts = (roles == LEARNER).sum(axis=1)
    assert set(counts) == {1, 2, 3}


def test_partners_share_a_role(small: Small) -> None:
    config = small("ruleset=teams", "seats=red,blue,yellow,green", "past_games=1", "bot_games=0")
    for row in Collector(config, 0).roles:
        assert row[0] == row[2] and row[1] == row[3]
        assert (row[0] == LEARNER) != (row[1] == LEARNER)
    assert sides_of(get_ruleset("classic"), (0, 2)) == ((0,), (2,))


def test_mixed_seatings_are_dealt_out_evenly(small: Small) -> None:
    config = small(
        "ruleset=classic", "seats=red,yellow;red,blue;red,blue,yellow", "games=24", "shards=2",
        "past_games=0", "bot_games=0",
    )  # fmt: skip
    collector = Collector(config, 1)
    assert [len(seats) for seats in collector.seats] == [2, 2, 3] * 4
    collector.collect(0, net_of(config), [])
    for b, seats in enumerate(collector.seats):
        assert set(collector.window.seat[SEATS:, b]) <= set(seats)


@pytest.mark.parametrize("words", [(), ("past_games=0", "bot_games=0")])
def test_a_copy_of_the_state_goes_on_identically(small: Small, words: tuple[str, ...]) -> None:
    config = small(*words)
    net = net_of(config)
    pool = Pool(config, net)
    one, other = Collector(config, 0), Collector(config, 0)
    for update in range(3):
        one.collect(update, net, pool.opponents())
    other.load_state_dict(one.state_dict())
    for update in range(3, 6):
        first, tally = one.collect(update, net, pool.opponents())
        second, same = other.collect(update, net, pool.opponents())
        assert tally == same
        for name in first._fields:
            assert np.array_equal(getattr(first, name), getattr(second, name))


def test_shards_play_different_games(small: Small) -> None:
    config = small()
    net = net_of(config)
    parts: list[Any] = [
        Collector(config, shard).collect(0, net, Pool(config, net).opponents())[0]
        for shard in range(2)
    ]
    assert parts[0].action[:50].tolist() != parts[1].action[:50].tolist()


def test_the_pool_keeps_its_size_and_its_newest(small: Small) -> None:
    config = small("pool_every=1", "pool_size=3", "pool_active=2")
    net = net_of(config)
    pool = Pool(config, net)
    for update in range(1, 10):
        with torch.no_grad():
            net.policy.bias.fill_(update)
        pool.update(update, net)
        assert len(pool.past) <= 3
        assert pool.past[-1]["policy.bias"][0] == update
        assert all(0 <= index < len(pool.past) for index in pool.active)
    copied = Pool(config, net)
    copied.load_state_dict(pool.state_dict(), net)
    assert copied.active == pool.active
    net.policy.bias.data.fill_(-1)
    assert pool.past[-1]["policy.bias"][0] == 9  # a copy, whatever happens to the net later
