"""Matches of several rounds as one episode: scores add up, the turn to begin moves on.

Read `test_editions.py` before this file.
"""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest
from pettingzoo.test import api_test, seed_test

from sorry_env.envs import raw_env
from sorry_env.errors import MoveError
from sorry_env.rounds import Rounds
from tests.envs.support import MAKERS, Maker, choose, play_random, trace

CASES: list[dict[str, Any]] = [
    {"ruleset": "points", "seats": 2, "reward": "points", "target_score": 150},
    {"ruleset": "points-1939", "seats": 3, "reward": "win", "target_score": 40},
    {"ruleset": "points?teams=four", "seats": 4, "reward": "points", "target_score": 130},
]
CASE = pytest.mark.parametrize("case", CASES, ids=lambda case: str(case["ruleset"]))


@CASE
@pytest.mark.parametrize("maker", MAKERS, ids=lambda maker: str(maker.__name__))
@pytest.mark.filterwarnings("ignore")
def test_conformance(maker: Maker, case: dict[str, Any]) -> None:
    api_test(maker(**case, observation="box"), num_cycles=300)
    seed_test(lambda: maker(**case), num_cycles=40)


@CASE
def test_a_whole_match(case: dict[str, Any]) -> None:
    environment = raw_env(**case)
    rng = np.random.default_rng(5)
    environment.reset(seed=5)
    totals = dict.fromkeys(environment.possible_agents, 0.0)
    paid = [0.0] * 4
    begun = [environment.agent_selection]
    while not any(environment.terminations.values()):
        before = environment.infos[environment.agent_selection]["round"]
        scores = environment.infos[environment.agent_selection]["scores"]
        agent = environment.agent_selection
        _, reward, *_ = environment.last()
        totals[agent] += reward
        environment.step(choose(environment.infos[agent]["action_mask"], rng))
        if environment.infos[environment.agent_selection]["round"] == before:
            assert environment.infos[environment.agent_selection]["scores"] == scores
            assert not any(environment.rewards.values())
        elif not any(environment.terminations.values()):
            begun.append(environment.agent_selection)
            if case["reward"] == "points":
                paid = [p + r for p, r in zip(paid, environment.rewards.values(), strict=False)]
    count = len(environment.possible_agents)
    assert len(begun) > 1
    assert begun == [f"player_{n % count}" for n in range(len(begun))]
    final = environment.infos["player_0"]
    assert final["reason"] == "finished" and final["round"] == len(begun)
    assert max(final["scores"]) >= case["target_score"]
    for agent, total in play_random(environment, rng).items():
        totals[agent] += total
    if case["reward"] == "points":
        assert tuple(totals.values()) == final["scores"]
    else:
        best = max(final["scores"])
        assert [t == 1.0 for t in totals.values()] == [s == best for s in final["scores"]]
        assert sum(totals.values()) == pytest.approx(0)


def test_a_round_that_is_cut_off_truncates_the_match() -> None:
    environment = raw_env("points", target_score=100, reward="points", max_plies=10)
    environment.reset(seed=1)
    rng = np.random.default_rng(1)
    for _ in range(10):
        environment.step(choose(environment.infos[environment.agent_selection]["action_mask"], rng))
    assert all(environment.truncations.values())
    assert not any(environment.rewards.values())


def test_an_illegal_action_changes_nothing_or_ends_the_match() -> None:
    for mode in ("raise", "forfeit"):
        environment = raw_env("points", target_score=100, reward="points", illegal=mode)
        environment.reset(seed=1)
        action = int(np.flatnonzero(~environment.game.mask())[-1])
        if mode == "raise":
            before = environment.game.state.tobytes(), dict(environment._cumulative_rewards)
            with pytest.raises(MoveError):
                environment.step(action)
            assert before == (environment.game.state.tobytes(), environment._cumulative_rewards)
            continue
        environment.step(action)
        assert environment.rewards == {"player_0": -1.0, "player_1": 0.0}
        assert environment.infos["player_1"]["reason"] == "illegal"


def test_copies_go_on_identically_into_the_next_rounds() -> None:
    environment: Any = raw_env("points", target_score=300, reward="points")
    environment.reset(seed=4)
    for seed in range(100):
        trace(environment, seed, 20)
        if environment.match.played:
            break
    assert environment.match.played == 1
    for twin in (environment.clone(), pickle.loads(pickle.dumps(environment))):
        again = environment.clone()
        assert trace(twin, 9, 400) == trace(again, 9, 400)


@pytest.mark.parametrize(
    ("settings", "word"),
    [
        ({"ruleset": "classic", "target_score": 100}, "needs a ruleset with scores"),
        ({"ruleset": "points", "target_score": 0}, "target_score=0"),
        ({"ruleset": "points", "target_score": 1.5}, "target_score=1.5"),
        ({"ruleset": "points", "target_score": True}, "target_score=True"),
    ],
)
def test_targets_that_cannot_be(settings: dict[str, Any], word: str) -> None:
    with pytest.raises(ValueError, match=word):
        raw_env(**settings)


def test_the_score_sheet_worked_by_hand() -> None:
    match = Rounds((0, 1, 3), 100, 3)
    assert (match.over, match.winners, match.returns("win")) == (False, (), (0.0,) * 4)
    match = match.add((60.0, 5.0, 0.0, 0.0))
    assert match.first == 0 and not match.over and match.played == 1
    match = match.add((40.0, 95.0, 0.0, 10.0))
    assert match.first == 1 and match.over
    assert match.totals == (100.0, 100.0, 0.0, 10.0)
    assert match.winners == (0, 1)
    assert match.returns("win") == (1.0, 1.0, 0.0, -2.0)
    assert match.returns("points") == match.totals
    drawn = Rounds((0, 2), 10, 0, totals=(10.0, 0.0, 10.0, 0.0))
    assert drawn.returns("win") == (0.0,) * 4
