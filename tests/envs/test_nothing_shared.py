"""Nothing that is handed out or taken in is shared: whoever writes into it changes nothing here.

Two environments of each front are played alike. Into all that one of them hands out is written as
soon as it has been seen, and so do the bots that play in it; it must go on as its twin does. And
an action array that a caller passes stays the caller's.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import Any

import numpy as np
import pytest

from sorry_env import envs
from sorry_env.arena import play_match
from sorry_env.bots.base import BatchRequest, Bot
from sorry_env.bots.greedy import GreedyBot
from sorry_env.envs.autoreset import AutoresetMode
from sorry_env.envs.single import SingleEnv
from sorry_env.envs.vector import SorryVectorEnv
from sorry_env.errors import MoveError
from sorry_env.express import ExpressGame, express_v0
from sorry_env.game import Game
from tests.cases import PUBLISHED, case_id

STEPS = 40


def arrays(part: Any) -> Iterator[np.ndarray]:
    """All arrays in what was handed out, always in the same order."""
    if isinstance(part, dict):
        for key in sorted(part):
            yield from arrays(part[key])
    elif isinstance(part, (tuple, list)):
        for one in part:
            yield from arrays(one)
    elif isinstance(part, np.ndarray):
        if part.dtype == object:
            for one in part:
                yield from arrays(one)
        else:
            yield part


def scribbled(array: np.ndarray) -> np.ndarray:
    """Something else of the same shape and type."""
    if array.dtype.names:
        return np.zeros_like(array)
    return ~array if array.dtype == np.bool_ else 1 - array


class Scribbler:
    """Compares what two environments hand out, and writes into what one of them has.

    all_new: whether no array may be handed out twice
    """

    def __init__(self, all_new: bool = True) -> None:
        self.all_new = all_new
        #: Arrays and what was left in them: kept, so that no other array gets the same id.
        self.seen: list[tuple[np.ndarray, np.ndarray]] = []
        self.ids: set[int] = set()
        self.compared = 0

    def look(self, ours: Any, twins: Any) -> None:
        pairs = list(zip(arrays(ours), arrays(twins), strict=True))
        new = [(a, b) for a, b in pairs if id(a) not in self.ids]
        assert len(new) == len(pairs) or not self.all_new
        for a, b in new:
            assert np.array_equal(a, b)
            self.compared += 1
        for a, b in combinations([a for a, _ in new], 2):
            assert not np.shares_memory(a, b)
        for a, _ in new:
            self.ids.add(id(a))
            if a.flags.writeable:
                a[...] = scribbled(a)
            self.seen.append((a, a.copy()))

    def check(self, least: int) -> None:
        """Enough was looked at, and nothing was written into it by the environment."""
        assert self.compared > least
        assert all(np.array_equal(array, left) for array, left in self.seen)


def agents_see(env: Any) -> Any:
    """All that a turn-based environment hands out."""
    agents = env.possible_agents
    return [[env.observe(a) for a in agents], env.infos, env.state(), env.game.mask(),
            env.game.observation(), env.game.view().state]  # fmt: skip


@pytest.mark.parametrize(
    ("case", "profile"),
    [*((case, "dict") for case in PUBLISHED if case[1] != 3), (("points", 3), "box"),
     (("teams-two", 4), "onehot")],
    ids=lambda part: part if isinstance(part, str) else case_id(part),
)  # fmt: skip
def test_of_turn_based_environments(case: tuple[str, int], profile: str) -> None:
    ours, twin = (envs.raw_env(*case, observation=profile) for _ in range(2))
    scribbler = Scribbler(all_new=False)  # who does not decide may keep the info of before
    for env in (ours, twin):
        env.reset(seed=3)
    for step in range(STEPS):
        scribbler.look(agents_see(ours), agents_see(twin))
        if not twin.agents or any(twin.terminations.values()):
            break
        legal = twin.game.legal_actions()
        action = int(legal[step % len(legal)])
        ours.step(action)
        twin.step(action)
        assert ours.game.state.tobytes() == twin.game.state.tobytes()
    scribbler.check(20)


@pytest.mark.parametrize("target", [None, 300])
def test_of_parallel_environments(target: int | None) -> None:
    ours, twin = (envs.parallel_env("points", 3, target_score=target) for _ in range(2))
    scribbler = Scribbler()
    scribbler.look(ours.reset(seed=3), twin.reset(seed=3))
    for step in range(STEPS):
        legal = twin.inside.game.legal_actions()
        action = int(legal[step % len(legal)])
        actions = dict.fromkeys(twin.agents, action)
        given = dict(actions)
        scribbler.look(ours.step(given), twin.step(actions))
        assert given == actions
        assert ours.inside.game.state.tobytes() == twin.inside.game.state.tobytes()
    scribbler.check(20)


class ScribblingBot(GreedyBot):
    """Plays as greedy does, and uses what it was asked with to write on."""

    name = "scribbling"

    def choose_batch(self, request: BatchRequest) -> np.ndarray:
        chosen = super().choose_batch(request)
        request.mask[:] = ~request.mask
        request.observation[:] = 1
        request.games[:] = np.zeros_like(request.games)
        return chosen


class CheatingBot(Bot):
    """Writes into its mask that everything is legal, and plays what is not."""

    name = "cheating"

    def choose_batch(self, request: BatchRequest) -> np.ndarray:
        chosen = (~request.mask).argmax(axis=1)
        request.mask[:] = True
        return chosen.astype(np.int32)


@pytest.mark.parametrize("ruleset", ["classic", "points", "way-sorry"])
@pytest.mark.parametrize("profile", ["dict", "box", "onehot"])
def test_of_the_single_environment(ruleset: str, profile: str) -> None:
    ours, twin = (
        SingleEnv(ruleset, 3, observation=profile, opponents=bot, learner="random")
        for bot in (ScribblingBot(), GreedyBot())
    )
    scribbler = Scribbler()
    scribbler.look(ours.reset(seed=3), twin.reset(seed=3))
    for step in range(STEPS):
        legal = np.flatnonzero(twin.action_masks())
        action = legal[step % len(legal)]
        one, other = ours.step(action), twin.step(action)
        assert one[1:4] == other[1:4]
        scribbler.look((one, ours.action_masks()), (other, twin.action_masks()))
        if other[2] or other[3]:
            scribbler.look(ours.reset(), twin.reset())
        assert ours.game.state.tobytes() == twin.game.state.tobytes()
    scribbler.check(2 * STEPS)


@pytest.mark.parametrize("profile", ["dict", "box", "onehot"])
@pytest.mark.parametrize("mode", list(AutoresetMode), ids=lambda mode: str(mode.name))
def test_of_vector_environments(mode: AutoresetMode, profile: str) -> None:
    ours, twin = (
        SorryVectorEnv(
            5, "duel-1", seats=2, observation=profile, opponents=bot, max_plies=9,
            autoreset_mode=mode,
        )
        for bot in (ScribblingBot(), GreedyBot())
    )  # fmt: skip
    scribbler = Scribbler()
    scribbler.look(ours.reset(seed=3), twin.reset(seed=3))
    for step in range(STEPS):
        masks = twin.action_masks()
        actions = np.array([np.flatnonzero(m)[step % int(m.sum())] for m in masks])
        given = actions.copy()
        one, other = ours.step(given), twin.step(actions.copy())
        assert np.array_equal(given, actions)
        given[:] = -1
        done = other[2] | other[3]
        scribbler.look((one, ours.action_masks()), (other, twin.action_masks()))
        if mode is AutoresetMode.DISABLED and done.any():
            options = {"reset_mask": done}
            scribbler.look(ours.reset(options=options), twin.reset(options={"reset_mask": done}))
    scribbler.check(5 * STEPS)


def test_an_illegal_action_that_is_replaced_stays_in_the_callers_array() -> None:
    vector = SorryVectorEnv(3, illegal="random")
    vector.reset(seed=1)
    wrong = np.array([int(np.flatnonzero(~mask)[0]) for mask in vector.action_masks()])
    given = wrong.copy()
    vector.step(given)
    assert np.array_equal(given, wrong)


def test_a_match_is_the_same_with_a_bot_that_writes_on_what_it_is_asked_with() -> None:
    settings: dict[str, Any] = {"seats": 3, "games": 6, "seed": 2}
    ours, twins = (
        play_match([bot, "random", bot], "points", **settings)
        for bot in (ScribblingBot(), GreedyBot())
    )
    assert (ours.outcomes == twins.outcomes).all()


def test_a_bot_that_writes_into_its_mask_cannot_cheat() -> None:
    vector = SorryVectorEnv(2, opponents=CheatingBot())
    single = SingleEnv(opponents=CheatingBot())
    with pytest.raises(MoveError, match="cheating"):
        play_match([CheatingBot(), "random"], "classic", 2, 2, seed=1)
    for env in (vector, single):
        env.reset(seed=1)
        with pytest.raises(MoveError, match="cheating"):
            play_on(env, 20)


def play_on(env: Any, steps: int) -> None:
    """Take the first legal action again and again."""
    for _ in range(steps):
        first = np.atleast_2d(env.action_masks()).argmax(axis=1)
        env.step(first if isinstance(env, SorryVectorEnv) else int(first[0]))


def test_of_a_game() -> None:
    game = Game("points", 3, seed=4)
    twin = game.copy()
    for part in (game.mask(), game.observation(), game.view(0).state, game.view(0).mask(),
                 game.legal_actions(), game.view(0).observation()):  # fmt: skip
        part[...] = np.zeros_like(part)
    assert game.state.tobytes() == twin.state.tobytes()
    assert np.array_equal(game.mask(), twin.mask())
    record = twin.state.copy()
    from_record = Game.from_state(twin.tables, record)
    record[...] = np.zeros_like(record)
    assert from_record.state.tobytes() == twin.state.tobytes()


@pytest.mark.parametrize("seats", [2, 4])
def test_of_the_dice_game(seats: int) -> None:
    game, twin = (ExpressGame(seats, seed=4) for _ in range(2))
    for step in range(30):
        view = game.view()
        shown = view.state.copy()
        for part in (game.mask(), game.observation(), game.view().state, view.observation(),
                     game.legal_actions()):  # fmt: skip
            part[...] = scribbled(part)
        legal = twin.legal_actions()
        action = int(legal[step % len(legal)])
        game.play(action)
        twin.play(action)
        assert game.state.tobytes() == twin.state.tobytes()
        assert view.state.tobytes() == shown.tobytes(), "a view is of its own moment"
        if twin.over:
            break


def test_of_environments_of_the_dice_game() -> None:
    ours, twin = (express_v0.raw_env(3) for _ in range(2))
    scribbler = Scribbler(all_new=False)
    for env in (ours, twin):
        env.reset(seed=3)
    for step in range(STEPS):
        scribbler.look(agents_see(ours), agents_see(twin))
        if any(twin.terminations.values()):
            break
        legal = twin.game.legal_actions()
        action = int(legal[step % len(legal)])
        ours.step(action)
        twin.step(action)
        assert ours.game.state.tobytes() == twin.game.state.tobytes()
    scribbler.check(20)
