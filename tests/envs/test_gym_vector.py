"""The vector environment equals single environments stepped one by one, and the game.

Read `test_gym_seeds.py` before and `test_gym_refused.py` after this file.
"""

from __future__ import annotations

import inspect
import re
import warnings
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import SyncVectorEnv

import sorry_env  # noqa: F401 - registers the ids
from sorry_env.bots.random import RandomBot
from sorry_env.envs.autoreset import AutoresetMode
from sorry_env.envs.single import SingleEnv
from sorry_env.envs.vector import SorryVectorEnv
from sorry_env.game import Game
from tests.bots import models
from tests.cases import DERIVED, PUBLISHED, case_id
from tests.envs.gym_support import assert_same, first_move, last_action, legal_rows
from tests.envs.support import RED_WINS

HAS_MODES = hasattr(gymnasium.vector, "AutoresetMode")


def settings_id(settings: dict[str, Any]) -> str:
    """The settings in words, the same in every process: without a function's address."""
    return re.sub(" at 0x[0-9a-f]+", "", str(settings))


MODES = pytest.mark.parametrize("mode", list(AutoresetMode), ids=lambda mode: str(mode.name))

SETTINGS: tuple[dict[str, Any], ...] = (
    {"ruleset": "duel-1"},
    {"ruleset": "duel-1", "seats": "red,yellow", "opponents": "greedy", "learner": "yellow"},
    {"ruleset": "duel-2", "observation": "box", "learner": "rotating", "first": "random"},
    {"ruleset": "duel-1", "observation": "onehot", "illegal": "terminate"},
    {"ruleset": "quick", "seats": 3, "opponents": ["greedy", "random"], "max_plies": 40},
    {"ruleset": "teams-two?pawns=1", "learner": "random", "max_plies": 90},
    {"ruleset": "points?pawns=1", "seats": 4, "reward": "points", "opponents": "greedy"},
    {"ruleset": "quick?pawns=1&play_out=true", "seats": 4, "reward": "rank"},
    {"ruleset": "not-sorry?pawns=1&answers=player", "seats": 3, "opponents": last_action},
    {"ruleset": "duel-1", "max_plies": 1, "learner": "yellow", "first": "red"},
    {"ruleset": "solo?pawns=1"},
    {"ruleset": "quick?pawns=1", "seats": 3, "skip_forced": True, "opponents": "greedy"},
    {"ruleset": "teams-two?pawns=1", "skip_forced": True, "max_plies": 70},
)


def pair(
    count: int, mode: AutoresetMode, settings: dict[str, Any]
) -> tuple[SyncVectorEnv, SorryVectorEnv]:
    makers = [lambda: SingleEnv(**settings)] * count
    if HAS_MODES:
        single = SyncVectorEnv(makers, autoreset_mode=mode)
    elif mode is AutoresetMode.NEXT_STEP:
        single = SyncVectorEnv(makers)
    else:
        pytest.skip("gymnasium 1.0 has no other mode")
    return single, SorryVectorEnv(count, autoreset_mode=mode, **settings)


def test_settings_and_their_defaults_are_those_of_the_single_environment() -> None:
    one, many = (inspect.signature(env).parameters for env in (SingleEnv, SorryVectorEnv))
    assert set(many) - set(one) == {
        "num_envs", "autoreset_mode", "copy", "threads", "max_episode_steps", "disable_env_checker"
    }  # fmt: skip
    assert {name: many[name].default for name in one} == {k: v.default for k, v in one.items()}


def step_both(
    single: SyncVectorEnv, many: SorryVectorEnv, steps: int, seed: int, illegal: float
) -> int:
    """Step both at random, everything compared; how many episodes ended."""
    rng = np.random.default_rng(seed)
    ended = 0
    for _ in range(steps):
        actions = legal_rows(many.action_masks(), rng, illegal)
        one, other = single.step(actions), many.step(actions)
        assert_same(tuple(one), tuple(other))
        done = one[2] | one[3]
        ended += int(done.sum())
        if done.any() and many.metadata["autoreset_mode"] is AutoresetMode.DISABLED:
            assert_same(
                single.reset(options={"reset_mask": done}),
                many.reset(options={"reset_mask": done.copy()}),
            )
    return ended


@MODES
@pytest.mark.parametrize("settings", SETTINGS, ids=settings_id)
def test_it_equals_single_environments_step_by_step(
    mode: AutoresetMode, settings: dict[str, Any]
) -> None:
    single, many = pair(5, mode, settings)
    assert single.observation_space == many.observation_space
    assert single.action_space == many.action_space
    assert single.single_observation_space == many.single_observation_space
    assert_same(single.reset(seed=7), many.reset(seed=7))
    assert step_both(single, many, 120, 1, 0.05) > 5
    seeds = [3, None, 4, None, 5]
    assert_same(single.reset(seed=seeds), many.reset(seed=seeds))
    assert_same(single.reset(), many.reset())
    step_both(single, many, 20, 2, 0.0)


@pytest.mark.parametrize("case", PUBLISHED, ids=case_id)
def test_it_equals_single_environments_in_every_ruleset(case: tuple[str, int]) -> None:
    single, many = pair(3, AutoresetMode.SAME_STEP, {"ruleset": case[0], "seats": case[1]})
    assert_same(single.reset(seed=1), many.reset(seed=1))
    step_both(single, many, 60, 1, 0.02)


@pytest.mark.slow
@MODES
@pytest.mark.parametrize("case", [*PUBLISHED, *DERIVED], ids=case_id)
def test_it_equals_single_environments_at_length(
    mode: AutoresetMode, case: tuple[str, Any]
) -> None:
    for learner, opponents, first in (("random", "random", None), ("rotating", "greedy", "random")):
        single, many = pair(
            6, mode,
            {"ruleset": case[0], "seats": case[1], "learner": learner, "opponents": opponents,
             "first": first},
        )  # fmt: skip
        assert_same(single.reset(seed=1), many.reset(seed=1))
        step_both(single, many, 350, 1, 0.01)


@MODES
def test_options_apply_to_the_rows_that_begin(mode: AutoresetMode) -> None:
    if not HAS_MODES:
        pytest.skip("gymnasium 1.0 knows no reset_mask")
    single, many = pair(4, mode, {"max_plies": 60, "learner": "rotating"})
    some = np.array([True, False, True, False])
    assert_same(single.reset(seed=1), many.reset(seed=1))
    for options in (
        {"seats": "blue,green", "first": "green"},
        {"learner": "yellow"},
        {"position": RED_WINS["two"][1], "learner": "yellow", "reset_mask": some},
        {"first": "random", "reset_mask": ~some},
        {"position": RED_WINS["two"][1], "learner": "red"},
        {},
    ):
        one = {k: v.copy() if isinstance(v, np.ndarray) else v for k, v in options.items()}
        assert_same(single.reset(seed=9, options=one), many.reset(seed=9, options=options))
        step_both(single, many, 35, 3, 0.02)


def test_it_is_the_game() -> None:
    many = SorryVectorEnv(3, "classic", 4, opponents=first_move, autoreset_mode="SameStep")
    rng = np.random.default_rng(2)
    _, infos = many.reset(seed=11)
    games = [Game("classic", 4, seed=seed) for seed in infos["seed"].tolist()]
    seats = infos["seat"].tolist()
    ends = 0
    for _ in range(400):
        for game, seat in zip(games, seats, strict=True):
            _others(game, seat)
        for row, game in enumerate(games):
            wanted = np.zeros(game.tables.num_actions, np.int8)
            wanted[game.legal_actions()] = 1
            assert np.array_equal(infos["action_mask"][row], wanted)
            assert infos["plies"][row] == game.plies
        actions = legal_rows(infos["action_mask"], rng)
        _, rewards, terminated, _, infos = many.step(actions)
        for row, game in enumerate(games):
            game.play(int(actions[row]))
            _others(game, seats[row])
            assert game.over == terminated[row]
            assert rewards[row] == game.returns()[seats[row]]
            if game.over:
                ends += 1
                games[row] = Game("classic", 4, seed=int(infos["seed"][row]))
                seats[row] = int(infos["seat"][row])
    assert ends > 5


def _others(game: Game, seat: int) -> None:
    while not game.over and game.actor != seat:
        game.play(first_move(game.view(game.actor)))


def test_random_seats_in_the_kernel_play_as_the_random_bot_does() -> None:
    class Asked(RandomBot):
        """The same bot, which the environment must ask."""

    inside = SorryVectorEnv(40, "points", 4, opponents="random")
    outside = SorryVectorEnv(40, "points", 4, opponents=Asked())
    assert_same(inside.reset(seed=1), outside.reset(seed=1))
    rng = np.random.default_rng(1)
    for _ in range(40):
        actions = legal_rows(inside.action_masks(), rng)
        assert_same(tuple(inside.step(actions)), tuple(outside.step(actions)))


def test_learned_opponents_are_asked_in_batches(tmp_path: Path) -> None:
    path = models.save(tmp_path, models.build())
    settings: dict[str, Any] = {"opponents": f"learned:{path}", "max_plies": 60}
    single, many = pair(4, AutoresetMode.NEXT_STEP, settings)
    rows: list[int] = []
    bot = many._table.bots[0]
    ask = bot.choose_batch

    def choose_batch(request: Any) -> np.ndarray:
        rows.append(len(request))
        return ask(request)

    bot.choose_batch = choose_batch  # type: ignore[method-assign]
    assert_same(single.reset(seed=1), many.reset(seed=1))
    assert step_both(single, many, 80, 1, 0.0) > 3
    assert max(rows) > 1


@pytest.mark.parametrize("threads", [2, 3])
def test_results_do_not_depend_on_the_number_of_threads(threads: int) -> None:
    one, other = (SorryVectorEnv(50, seats=3, threads=n) for n in (1, threads))
    assert_same(one.reset(seed=1), other.reset(seed=1))
    rng = np.random.default_rng(1)
    for _ in range(60):
        actions = legal_rows(one.action_masks(), rng)
        assert_same(tuple(one.step(actions)), tuple(other.step(actions)))


# -- what is handed out ---------------------------------------------------------------------------


@MODES
@pytest.mark.parametrize("profile", ["dict", "box", "onehot"])
def test_what_is_handed_out_is_never_overwritten(mode: AutoresetMode, profile: str) -> None:
    many = SorryVectorEnv(
        6, "duel-1", observation=profile, autoreset_mode=mode, max_plies=8, seats=2
    )
    kept: list[tuple[Any, Any]] = []

    def keep(parts: Any) -> None:
        kept.append((parts, _copied(parts)))

    keep(many.reset(seed=1))
    rng = np.random.default_rng(1)
    for _ in range(30):
        parts = many.step(legal_rows(many.action_masks(), rng))
        keep(parts)
        done = parts[2] | parts[3]
        if mode is AutoresetMode.DISABLED and done.any():
            keep(many.reset(options={"reset_mask": done}))
    assert len(kept) > 30
    for parts, copied in kept:
        assert_same(parts, copied)


def _copied(part: Any) -> Any:
    if isinstance(part, dict):
        return {key: _copied(value) for key, value in part.items()}
    if isinstance(part, tuple):
        return tuple(_copied(one) for one in part)
    if isinstance(part, np.ndarray) and part.dtype == object:
        found = np.empty_like(part)
        for i, one in enumerate(part):
            found[i] = _copied(one)
        return found
    return part.copy() if isinstance(part, np.ndarray) else part


def test_without_copies_the_arrays_are_the_environments_own() -> None:
    copied, own = (SorryVectorEnv(8, seats=2, copy=c) for c in (True, False))
    assert_same(copied.reset(seed=1), own.reset(seed=1))
    rng = np.random.default_rng(1)
    seen = []
    for _ in range(50):
        actions = legal_rows(copied.action_masks(), rng)
        parts = own.step(actions)
        assert_same(tuple(copied.step(actions)), tuple(parts))
        seen.append(parts[0])
    for name in ("observation", "action_mask"):
        assert np.shares_memory(seen[0][name], seen[-1][name])
    assert np.shares_memory(seen[0]["action_mask"], parts[4]["action_mask"])
    assert not np.shares_memory(parts[1], own.step(legal_rows(own.action_masks(), rng))[1])


def test_pictures() -> None:
    pixels = SorryVectorEnv(2, seats=2, render_mode="rgb_array")
    pixels.reset(seed=1)
    frames = pixels.render()
    assert frames is not None and len(frames) == 2
    assert frames[0].dtype == np.uint8 and frames[0].shape == (640, 640, 3)
    text = SorryVectorEnv(2, seats=2, render_mode="ansi")
    text.reset(seed=1)
    assert all("Pile" in frame for frame in text.render() or ())
    assert SorryVectorEnv(2).render() is None
    for env in (pixels, text):
        env.close()
        env.close()


# -- by Gymnasium ---------------------------------------------------------------------------------


def test_make_vec_makes_it_without_a_warning() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        made = gymnasium.make_vec(
            "sorry_env/Sorry-v0", 4, seats=3, autoreset_mode=AutoresetMode.SAME_STEP
        )
    assert isinstance(made, SorryVectorEnv)
    assert made.metadata["autoreset_mode"] is AutoresetMode.SAME_STEP
    assert SorryVectorEnv.metadata["autoreset_mode"] is AutoresetMode.NEXT_STEP
    observations, _ = made.reset(seed=1)
    assert made.observation_space.contains(observations)
    assert made.num_envs == 4 and made.action_space.shape == (4,)


def test_gymnasiums_wrappers_record_the_returns() -> None:
    made = gymnasium.make_vec("sorry_env/Sorry-v0", 8, ruleset="duel-1")
    recorded = gymnasium.wrappers.vector.RecordEpisodeStatistics(made)
    recorded.reset(seed=1)
    rng = np.random.default_rng(1)
    returns: list[float] = []
    for _ in range(80):
        infos = recorded.step(legal_rows(made.action_masks(), rng))[4]  # type: ignore[attr-defined]
        if "episode" in infos:
            returns.extend(infos["episode"]["r"][infos["_episode"]].tolist())
    assert len(returns) > 10 and set(returns) == {1.0, -1.0}
