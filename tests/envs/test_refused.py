"""A call that is refused changes nothing: every front, every kind of bad call, in every situation.

A front is compared as a pickle of all it holds: the game, the infos, the random states. Read
`test_reset.py` before this file.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import gymnasium
import numpy as np
import pytest

import sorry_env
from sorry_env.envs import env, parallel_env, raw_env
from sorry_env.envs.single import SingleEnv
from sorry_env.envs.vector import SorryVectorEnv
from sorry_env.errors import SorryError
from sorry_env.express import ExpressGame, express_v0
from sorry_env.express.gym_env import ExpressSingleEnv
from sorry_env.playing import Playing
from sorry_env.server.session import Session
from sorry_env.web.setup import Setup
from sorry_env.web.table import Table

Front = Any

RED_WINS = "classic 64/-/S/- r move 1 4.4.4.4.4.4.4.4.4.4.4 - -"
FINISHED = sorry_env.Game("duel-1", seed=1)
while not FINISHED.over:
    FINISHED.play(int(FINISHED.legal_actions()[0]))

FRONTS: dict[str, Callable[[], Front]] = {
    "raw_env": lambda: raw_env("classic", 2),
    "terminating": lambda: raw_env("classic", 2, illegal="terminate", observation="box"),
    "env": lambda: env("classic", 2),
    "parallel_env": lambda: parallel_env("classic", 2),
    "rounds": lambda: raw_env("points", 2, target_score=100),
    "express": lambda: express_v0.raw_env(2),
    "express env": lambda: express_v0.env(2),
    "express parallel": lambda: express_v0.parallel_env(2),
    "SingleEnv": lambda: SingleEnv("classic", 2, illegal="raise", opponents="greedy"),
    "SingleEnv of rounds": lambda: SingleEnv("points", 2, illegal="raise", target_score=100),
    "ExpressSingleEnv": lambda: ExpressSingleEnv(2, illegal="raise"),
    "gymnasium.make": lambda: gymnasium.make(
        # Gymnasium's own checker fails after a first reset that was refused.
        "sorry_env/Sorry-v0",
        seats=2,
        illegal="raise",
        disable_env_checker=True,
    ),
    "SorryVectorEnv": lambda: vector(),
}
FRONT = pytest.mark.parametrize("make", FRONTS.values(), ids=FRONTS)
#: What a front raises; PettingZoo's own wrapper asserts that an action is one.
REFUSALS = (SorryError, AssertionError)

BAD_SEEDS: tuple[Any, ...] = (-1, 2**64, 10**400, 1.5, np.float32(2), "7", True, [1, "a"], object())
BAD_OPTIONS: tuple[Any, ...] = (
    5, "first", [("first", "red")], {"first": "pink"}, {"first": 9}, {"first": []}, {"first": 1.5},
    {"seats": 9}, {"seats": 1.5}, {"seats": object()}, {"seats": [[]]}, {"seats": "nobody"},
    {"position": "nonsense"}, {"position": 5}, {"position": b"x"}, {"position": FINISHED},
    {"position": "duel-1 0/-/3/- y move ? * - -"}, {"position": ExpressGame(3, seed=1)},
    {"position": RED_WINS, "first": "red"},
)  # fmt: skip
_HOMES: tuple[Any, ...] = (5, "rr", "xy", [], "r")
_MOVES: tuple[Any, ...] = (-1, 10**9, 10**30, 1.5, "0", None, [], True)
_CARDS: tuple[Any, ...] = ("nonsense", [], {}, 5, b"1")
LEARNERS: tuple[Any, ...] = ("pink", 9, [], 1.5, True)
BAD_ACTIONS: tuple[Any, ...] = (-1, 10**9, 10**30, -(10**30), 1.5, "0", [], {}, "illegal")


def vector() -> SorryVectorEnv:
    """A vector environment whose spaces sample alike each time."""
    many = SorryVectorEnv(2, "classic", 2, illegal="raise", opponents="greedy")
    for name in ("observation_space", "action_space"):
        for space in (getattr(many, name), getattr(many, f"single_{name}")):
            space.seed(1)
    return many


def bare(front: Front) -> Front:
    """The environment of ours in whatever wrappers of Gymnasium's."""
    return front.unwrapped if isinstance(front, gymnasium.Env) else front


def known_options(front: Front) -> tuple[str, ...]:
    """The options of the PettingZoo environment inside."""
    inside = bare(front)
    for name in ("inside", "_inside"):
        inside = getattr(inside, name, inside)
    return getattr(inside.unwrapped, "OPTIONS", ())


def masks(front: Front) -> np.ndarray:
    """The legal actions now; of each row of a vector."""
    front = bare(front)
    if hasattr(front, "action_masks"):
        found: np.ndarray = front.action_masks()
        return found
    inside = front.inside if hasattr(front, "inside") else front.unwrapped
    return inside.game.mask()  # type: ignore[no-any-return]


def step(front: Front, action: Any) -> None:
    """A step with an action, of the agent that decides, or of row 1 of a vector."""
    if isinstance(front, SorryVectorEnv):
        first = int(masks(front)[0].argmax())
        front.step([first, action])
    elif hasattr(front, "inside"):
        front.step({front.inside.agent_selection: action})
    else:
        front.step(action)


def play(front: Front, steps: int) -> None:
    for _ in range(steps):
        mask = masks(front)
        step(front, int((mask[1] if mask.ndim == 2 else mask).argmax()))


def bad_calls(front: Front, begun: bool) -> Iterator[tuple[str, Callable[[], Any]]]:
    """Calls that are to be refused, with what to say of each."""
    options: list[Any] = [*BAD_OPTIONS]
    if isinstance(bare(front), (SingleEnv, SorryVectorEnv)):
        options += [{"learner": learner} for learner in LEARNERS]
    if isinstance(front, SorryVectorEnv):
        options += [{"reset_mask": mask} for mask in (5, [True], np.zeros(2, np.bool_), [1, 0])]
    if "homes" in known_options(front):
        options += [{"homes": homes} for homes in _HOMES]
    for seed in BAD_SEEDS:
        yield f"reset(seed={seed!r:.20})", partial(front.reset, seed=seed)
    for one in options:
        yield f"reset(options={one!r:.60})", partial(front.reset, options=one)
        yield f"reset(5, {one!r:.60})", partial(front.reset, seed=5, options=one)
        yield f"reset(np, {one!r:.60})", partial(front.reset, seed=np.int64(5), options=one)
    if begun:
        mask = masks(front)
        illegal = int((mask[1] if mask.ndim == 2 else mask).argmin())
        for action in BAD_ACTIONS:
            chosen = illegal if isinstance(action, str) and action == "illegal" else action
            if action == "illegal" and getattr(front, "settings", None):
                if front.settings.illegal != "raise":
                    continue
            yield f"step({action!r})", partial(step, front, chosen)


@FRONT
@pytest.mark.parametrize("steps", [None, 0, 5], ids=["new", "reset", "played"])
def test_a_refused_call_changes_nothing(make: Callable[[], Front], steps: int | None) -> None:
    front, twin = make(), make()
    if steps is not None:
        for one in (front, twin):
            one.reset(seed=np.int64(3))
            play(one, steps)
    before = pickle.dumps(bare(front))
    count = 0
    for words, call in bad_calls(front, begun=steps is not None):
        refused = False
        try:
            call()
        except REFUSALS:
            refused = True
        assert refused, words
        assert pickle.dumps(bare(front)) == before, words
        count += 1
    assert count > 60
    if steps is None:
        front.reset(seed=3)
        twin.reset(seed=3)
    for one in (front, twin):
        play(one, 2)
        one.reset()  # goes on with the random state
        play(one, 2)
    assert pickle.dumps(bare(front)) == pickle.dumps(bare(twin))


@FRONT
def test_every_integer_type_is_a_seed_of_every_front(make: Callable[[], Front]) -> None:
    found = set()
    for seed in (5, np.int64(5), np.uint8(5), np.array(5)):
        front = make()
        front.reset(seed=1)
        play(front, 5)
        front.reset(seed=seed)
        found.add(pickle.dumps(bare(front)))
    assert len(found) == 1


def test_rows_are_checked_before_any_of_them_begins() -> None:
    many = SorryVectorEnv(3, "duel-1")
    many.reset(seed=1)
    before = pickle.dumps(many)
    for seeds in ([1, 2, -1], [1, 2, "a"], [1, 2], [1, None, 2**64], 2**64 - 2):
        with pytest.raises(SorryError):
            many.reset(seed=seeds)  # type: ignore[arg-type]
        assert pickle.dumps(many) == before
    for actions in ([0, 0], [0, 0, 10**9], [0, 0, 10**30], [0, 0, 0.5], [[0], [0], [0]],
                    [0, [0], 0], None, "000", [0, 0, -1], {"a": 1}):  # fmt: skip
        with pytest.raises(SorryError):
            many.step(actions)
        assert pickle.dumps(many) == before, actions


def test_a_first_reset_that_is_refused_is_none() -> None:
    front = env("classic", 2)
    with pytest.raises(SorryError):
        front.reset(options={"first": "pink"})
    with pytest.raises(AttributeError, match="before reset"):
        _ = front.agents


def test_actions_of_a_parallel_step_are_a_dictionary() -> None:
    front = parallel_env("classic", 2)
    front.reset(seed=1)
    before = pickle.dumps(front)
    for actions in (None, 5, [0], {"player_9": 0}, {}):
        with pytest.raises(SorryError):
            front.step(actions)  # type: ignore[arg-type]
        assert pickle.dumps(front) == before


# -- games ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("make", [sorry_env.Game, ExpressGame])
@pytest.mark.parametrize("moves", [0, 3])
def test_games_refuse_before_they_change(make: Callable[..., Playing[Any]], moves: int) -> None:
    game: Any = make(seed=3)
    for _ in range(moves):
        game.play(int(game.legal_actions()[0]))
    action = int(game.legal_actions()[0])
    before = pickle.dumps(game)
    calls: list[Callable[[], Any]] = [
        *(partial(game.play, move) for move in _MOVES),
        lambda: game.play(int(game.mask().argmin())),
        *(partial(game.play, action, draw=card) for card in (*_CARDS, None)),
        *(partial(game.draw, card) for card in (*_CARDS, None, "1")),
        lambda: game.view(9),
        lambda: game.view([]),
    ]
    for number, call in enumerate(calls):
        with pytest.raises(SorryError):
            call()
        assert pickle.dumps(game) == before, number
    game.play(action, draw=False)
    waiting = pickle.dumps(game)
    if game.waiting:
        for card in _CARDS:
            with pytest.raises(SorryError):
                game.draw(card)
            assert pickle.dumps(game) == waiting, card
    for _ in range(moves + 1):
        game.undo()
    fresh = pickle.dumps(game)
    with pytest.raises(SorryError, match="take back"):
        game.undo()
    assert pickle.dumps(game) == fresh


@pytest.mark.parametrize("make", [sorry_env.Game, ExpressGame])
def test_records_of_other_games_are_refused(make: Any) -> None:
    game = make(seed=3)
    other = (ExpressGame if make is sorry_env.Game else sorry_env.Game)(seed=3)
    for state in (
        other.state, game.state[0], np.concatenate([game.state] * 2), game.state[:0],
        game.state.tobytes(), None, np.zeros(1),
    ):  # fmt: skip
        with pytest.raises(SorryError, match="array of shape"):
            make.from_state(game.tables, state)


# -- the bot protocol and the server's table ------------------------------------------------------


def test_a_refused_request_does_not_move_the_draws_on() -> None:
    waiting = "duel-1 0/-/3/- y move ? * - -"
    asked, twin = Session("random", 1), Session("random", 1)
    for fields in (
        {"type": "draw", "position": "nonsense"},
        {"type": "draw", "position": waiting, "card": "99"},
        {"type": "draw", "position": "duel-1 0/-/3/- y move 1 * - -"},
        {"type": "draw"},
        {"type": "nothing"},
        {"type": "apply", "position": waiting, "move": "1 S>0"},
        {"type": "move", "position": waiting},
    ):
        assert asked.answer({"id": 1, **fields})["type"] == "error"
    draw = {"id": 1, "type": "draw", "position": waiting}
    for _ in range(20):
        assert asked.answer(draw) == twin.answer(draw)


def test_a_table_refuses_before_it_changes() -> None:
    players = {"red": "person", "yellow": "person"}
    setup = Setup("duel-1", (0, 2), players, 5)
    table = Table(setup, dict(players), {})
    for _ in range(3):
        table.play(table.game.legal_moves()[0], "person")

    def standing() -> tuple[Any, ...]:
        return (
            table.line(),
            table.before_draw,
            list(table.log),
            table.result,
            pickle.dumps(table.game),
        )

    before = standing()
    calls: tuple[Callable[[], Any], ...] = (
        lambda: table.play("nonsense", "person"),
        lambda: table.play("12 0>12", "person"),
        lambda: table.take_back(4),
        lambda: table.take_back(-1),
        lambda: table.give_up("blue"),
    )
    for call in calls:
        with pytest.raises(SorryError):
            call()
        assert standing() == before
