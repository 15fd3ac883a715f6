"""`Batch`: rows do not know of each other, ends and rewards are right, and it continues exactly."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import numpy as np
import pytest

from sorry_env.engine.batch import Batch
from sorry_env.engine.rng import seed_state
from sorry_env.errors import RequestError, RulesetError
from sorry_env.game import Game
from tests.engine.support import COMPILED, pick, size

STEPS = size(300, 80)


def snapshot(batch: Batch, row: int | slice = slice(None)) -> list[bytes]:
    """Bytes of everything a row (or all) shows and is."""
    arrays = [batch.games, *batch.buffers[:-1]]
    return [array[row].tobytes() for array in arrays]


SETTINGS: list[tuple[str, Any, dict[str, Any]]] = [
    ("classic", "red,yellow", {}),
    ("classic", 4, {"first": "random", "max_plies": 60}),
    ("teams", None, {"skip_forced": True}),
    ("duel-1", "blue,green", {"first": "green", "skip_forced": True, "max_plies": 30}),
    ("classic?play_out=true", 3, {"reward": "rank"}),
    ("points?pawns=1", "red,yellow", {"reward": "points"}),
    ("teams?hand=5", None, {"skip_forced": True, "max_plies": 100}),
    ("fire-and-ice?pawns=1", 4, {"first": "random"}),
    ("not-sorry?answers=player&pawns=1&questions=30", 3, {}),
    ("not-sorry", 4, {"skip_forced": True, "max_plies": 70}),
    ("bump-em?pawns=2&play_out=true", 3, {"reward": "rank"}),
    ("way-sorry?pawns=2", 2, {}),
]


@pytest.mark.parametrize(("name", "seats", "settings"), SETTINGS)
def test_a_batch_of_one_is_a_row_of_many(name: str, seats: Any, settings: dict[str, Any]) -> None:
    many = Batch(name, seats, 4, seed=3, **settings)
    ones = [Batch(name, seats, 1, seed=3, **settings) for _ in range(4)]
    for i, one in enumerate(ones):
        one.reset(np.array([seed_state(3, i)]))
    for step in range(STEPS):
        actions = pick(many.mask, step)
        for i, one in enumerate(ones):
            assert snapshot(one) == snapshot(many, slice(i, i + 1))
            one.step(actions[i : i + 1])
        many.step(actions)


def test_chance_depends_on_seed_and_place_alone() -> None:
    small, large = Batch("classic", 2, 3, seed=5), Batch("classic", 2, 8, seed=5)
    other = Batch("classic", 2, 8, seed=6)
    for step in range(STEPS):
        assert snapshot(small) == snapshot(large, slice(0, 3))
        small.step(pick(small.mask, step))
        large.step(pick(large.mask, step))
    assert len({row.tobytes() for row in other.games} & {row.tobytes() for row in large.games}) == 0


@pytest.mark.parametrize("threads", [2, 3, 7])
def test_results_do_not_depend_on_threads(threads: int) -> None:
    one = Batch("classic", 4, 10, seed=4, max_plies=50)
    more = Batch("classic", 4, 10, seed=4, max_plies=50, threads=threads)
    for step in range(STEPS):
        assert snapshot(one) == snapshot(more)
        if step % 10 == 9:
            assert one.random_steps(3) == more.random_steps(3)
        else:
            actions = pick(one.mask, step)
            one.step(actions)
            more.step(actions)


def test_random_steps_are_steps() -> None:
    together, apart = Batch("duel-2", 2, 5, seed=8), Batch("duel-2", 2, 5, seed=8)
    n = size(400, 30)
    ended = 0
    for _ in range(n):
        ended += apart.random_steps(1)
    assert together.random_steps(n) == ended
    assert snapshot(together) == snapshot(apart)
    assert ended > 0 or not COMPILED


def test_random_steps_choose_uniformly() -> None:
    # Red may play 1:rS-4 or 1:20-21, one as often as the other.
    from sorry_env import notation

    line = "classic 20,rS,rS,rS/-/yS,yS,yS,yS/- r move 1 4.4.4.4.4.4.4.4.4.4.4 - -"
    count = size(4000, 200)
    batch = Batch("classic", 2, count, seed=1)
    game = notation.read(line, seed=1)
    games = np.repeat(game.state, count)
    games["rng"] = batch.games["rng"]
    batch.set_games(np.arange(count), games)
    assert (batch.legal == 2).all()
    batch.random_steps(1)
    out = (batch.games["pawns"][:, 0] == [[18, 2, 0, 0]]).all(axis=1)
    step = (batch.games["pawns"][:, 0] == [[19, 0, 0, 0]]).all(axis=1)
    assert (out | step).all()
    assert abs(int(out.sum()) - count / 2) < 4 * (count / 4) ** 0.5


@pytest.mark.parametrize(("name", "seats", "settings"), SETTINGS)
def test_rows_are_games(name: str, seats: Any, settings: dict[str, Any]) -> None:
    """A `Game` that draws by the same random state plays the same game, end and all."""
    if settings.get("skip_forced"):
        settings = {**settings, "skip_forced": False}
    batch = Batch(name, seats, 2, seed=9, **settings)
    reward = settings.get("reward", "win")
    games = [Game.from_state(batch.tables, batch.games[i : i + 1]) for i in range(2)]
    first_draws = batch.tables.ruleset.hand * len(games[0].seats) or 1
    for step in range(STEPS):
        actions = pick(batch.mask, step)
        for i, game in enumerate(games):
            assert game.state.tobytes() == batch.games[i : i + 1].tobytes()
            assert (game.mask() == batch.mask[i]).all()
            assert (game.observation() == batch.observation[i]).all()
            assert game.actor == batch.actor[i]
            game.play(int(actions[i]))
        batch.step(actions)
        for i, game in enumerate(games):
            assert batch.terminated[i] == game.over
            assert tuple(batch.rewards[i].tolist()) == game.returns(reward)
            cut = game.plies >= batch.options.max_plies and not game.over
            assert batch.truncated[i] == cut
            assert batch.length[i] == (game.plies if game.over or cut else 0)
            if game.over or cut:
                games[i] = Game.from_state(batch.tables, batch.games[i : i + 1])
                assert games[i].plies == 0 and games[i].draws == first_draws


def test_skipping_forced_moves_equals_playing_them() -> None:
    """Records, sights, rewards and lengths, whether a game ends by a choice or by a forced move."""
    most = size(200, 30)
    skipping = Batch("classic?pawns=2", 3, 4, seed=12, skip_forced=True, max_plies=most)
    playing = Batch("classic?pawns=2", 3, 4, seed=12, max_plies=most)
    ended_by_force = 0
    for step in range(size(400, 12)):
        assert (skipping.games == playing.games).all()
        assert (skipping.mask == playing.mask).all()
        assert (skipping.observation == playing.observation).all()
        actions = pick(skipping.mask, step)
        before = skipping.games["plies"].copy()
        skipping.step(actions)
        # By hand, game by game: forced moves are played until a choice, or until the game ends.
        for i in range(4):
            one = Batch("classic?pawns=2", 3, 1, max_plies=playing.options.max_plies)
            one.set_games([0], playing.games[i : i + 1])
            one.step(actions[i : i + 1])
            passed = 0
            while one.legal[0] == 1 and not (one.terminated[0] or one.truncated[0]):
                one.step(np.flatnonzero(one.mask[0])[:1])
                passed += 1
            one.passed[0] = passed
            ended_by_force += bool(passed and one.terminated[0] and one.rewards[0].any())
            playing._games[i] = one.games[0]
            for ours, theirs in zip(playing._buffers[:-1], one.buffers[:-1], strict=True):
                ours[i] = theirs[0]
        for ours, theirs in zip(skipping.buffers[:-1], playing.buffers[:-1], strict=True):
            assert (ours == theirs).all()
        # Every decision is counted: the one chosen and those passed through.
        done = skipping.terminated | skipping.truncated
        after = np.where(done, skipping.length, skipping.games["plies"])
        assert (after - before == 1 + skipping.passed).all()
    assert ended_by_force > 0 or not COMPILED


def test_it_continues_exactly_from_its_state() -> None:
    batch = Batch("classic", 4, 6, seed=13, max_plies=80)
    batch.random_steps(STEPS)
    state = batch.state_dict()
    frozen = copy.deepcopy(state)
    pickled = pickle.dumps(batch)
    after = Batch("classic", 4, 6, seed=99, max_plies=80)
    after.load_state_dict(state)
    twin = pickle.loads(pickled)
    assert snapshot(after) == snapshot(twin) == snapshot(batch)
    for one in (batch, after, twin):
        one.random_steps(STEPS)
        one.step(pick(one.mask, 1))
    assert snapshot(after) == snapshot(twin) == snapshot(batch)
    # The saved state is a copy that no step changes.
    assert state.keys() == frozen.keys()
    assert all(np.array_equal(state[name], frozen[name]) for name in state)


def test_a_state_of_another_size_is_refused() -> None:
    with pytest.raises(RequestError, match="3 games"):
        Batch("duel-1", 2, 2).load_state_dict(Batch("duel-1", 2, 3).state_dict())


def test_truncation_gives_no_rewards() -> None:
    batch = Batch("classic", 2, 3, seed=1, max_plies=7)
    for step in range(21):
        batch.step(pick(batch.mask, step))
        cut = step % 7 == 6
        assert (batch.truncated == cut).all() and not batch.terminated.any()
        assert (batch.length == (7 if cut else 0)).all()
        assert not batch.rewards.any()
        assert (batch.games["plies"] == (step + 1) % 7).all()


@pytest.mark.parametrize(
    ("name", "seats", "reward", "rewards"),
    [
        ("duel-1", "red,green", "win", {(1, 0, 0, -1), (-1, 0, 0, 1)}),
        ("solo?pawns=1", "blue", "win", {(0, 1, 0, 0)}),
        (
            "classic?pawns=1",
            "red,blue,green",
            "win",
            {(1, -0.5, 0, -0.5), (-0.5, 1, 0, -0.5), (-0.5, -0.5, 0, 1)},
        ),
        ("teams?pawns=1", 4, "win", {(1, -1, 1, -1), (-1, 1, -1, 1)}),
        ("classic?pawns=1&play_out=true", "blue,green", "rank", {(0, 1, 0, -1), (0, -1, 0, 1)}),
        (
            "classic?pawns=1&play_out=true",
            "red,blue,yellow",
            "rank",
            {(1, 0, -1, 0), (1, -1, 0, 0), (0, 1, -1, 0)}
            | {(0, -1, 1, 0), (-1, 0, 1, 0), (-1, 1, 0, 0)},
        ),
    ],
)
def test_rewards(name: str, seats: Any, reward: str, rewards: set[tuple[float, ...]]) -> None:
    batch = Batch(name, seats, size(40, 4), seed=2, reward=reward)
    seen = set()
    for _ in range(size(2500, 160)):
        batch.random_steps(1)
        for i in np.flatnonzero(batch.terminated):
            seen.add(tuple(batch.rewards[i].tolist()))
            assert batch.length[i] > 0
        assert not batch.rewards[~batch.terminated].any()
    assert seen <= rewards
    assert seen == rewards or not COMPILED


def test_rank_rewards_of_four() -> None:
    batch = Batch("classic?pawns=1&play_out=true", 4, size(20, 2), seed=2, reward="rank")
    steps = np.array([1, 1 / 3, -1 / 3, -1], np.float32)
    for _ in range(size(1000, 100)):
        batch.random_steps(1)
        for i in np.flatnonzero(batch.terminated):
            assert np.allclose(np.sort(batch.rewards[i])[::-1], steps)


def test_the_first_seat() -> None:
    assert (Batch("classic", "blue,green", 5).actor == 1).all()
    assert (Batch("classic", "blue,green", 5, first="green").actor == 3).all()
    assert (Batch("classic", "blue,green", 5, first=3).actor == 3).all()
    count = size(3000, 150)
    drawn = np.bincount(Batch("classic", "red,blue,green", count, first="random").actor)
    assert drawn[2] == 0
    assert (abs(drawn[[0, 1, 3]] - count / 3) < 4 * (count * 2 / 9) ** 0.5).all()


def test_games_with_different_numbers_of_seats_in_one_batch() -> None:
    seatings = [(0, 2), (1, 2, 3), (0, 1, 2, 3)]
    mixed = Batch("classic", seatings, 3, seed=6)
    apart = [Batch("classic", seats, 1, seed=6) for seats in seatings]
    for i, one in enumerate(apart):
        one.reset(np.array([seed_state(6, i)]))
    for step in range(STEPS):
        actions = pick(mixed.mask, step)
        for i, one in enumerate(apart):
            assert snapshot(one) == snapshot(mixed, slice(i, i + 1))
            one.step(actions[i : i + 1])
        mixed.step(actions)


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"size": 0}, "size=0"),
        ({"max_plies": 0}, "max_plies=0"),
        ({"threads": 0}, "threads=0"),
        ({"reward": "points"}, "points"),
        ({"reward": "rank"}, "play_out"),
        ({"first": "blue"}, "blue"),
        ({"first": 3}, "3"),
        ({"seats": [(0, 2), (0, 1), 3], "size": 2}, "3 seatings for 2"),
    ],
)
def test_settings_that_make_no_sense(settings: dict[str, Any], words: str) -> None:
    with pytest.raises(RequestError, match=words):
        Batch("classic", **{"seats": "red,yellow", **settings})


def test_seats_and_seeds_that_do_not_fit() -> None:
    with pytest.raises(RulesetError, match="2 seats"):
        Batch("duel-1", "red,blue,yellow")
    with pytest.raises(RequestError, match=r"seeds must be int\[1\]"):
        Batch("duel-1", 2).reset(np.array([1, 2], np.uint64))


def test_new_seeds_give_new_games() -> None:
    batch = Batch("classic", 2, 4, seed=None)
    assert batch.seed != Batch("classic", 2, 4, seed=None).seed
    first = snapshot(batch)
    batch.random_steps(20)
    batch.reset()
    assert snapshot(batch) == first
    batch.reset(np.array([seed_state(1, 1)] * 4))
    assert len({row.tobytes() for row in batch.games}) == 1
