"""Unknown options of `reset`: taken by every front, with one warning for each that names it.

Read `test_reset.py` before this file.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import gymnasium
import pytest

from sorry_env.envs import checks, env, parallel_env, raw_env
from sorry_env.envs.single import SingleEnv
from sorry_env.envs.vector import SorryVectorEnv
from sorry_env.express import express_v0
from sorry_env.express.gym_env import ExpressSingleEnv

BOARD = ("first", "seats", "position")
DICE = ("first", "homes", "seats", "position")
FRONTS: dict[str, tuple[Callable[[], Any], tuple[str, ...]]] = {
    "raw_env": (raw_env, BOARD),
    "env": (env, BOARD),
    "parallel_env": (parallel_env, BOARD),
    "rounds": (lambda: raw_env("points", target_score=100), BOARD),
    "express raw_env": (express_v0.raw_env, DICE),
    "express env": (express_v0.env, DICE),
    "express parallel_env": (express_v0.parallel_env, DICE),
    "SingleEnv": (SingleEnv, (*BOARD, "learner")),
    "ExpressSingleEnv": (ExpressSingleEnv, (*DICE, "learner")),
    "make": (lambda: gymnasium.make("sorry_env/Sorry-v0"), (*BOARD, "learner")),
    "make_vec": (
        lambda: gymnasium.make_vec("sorry_env/Sorry-v0", 2),
        (*BOARD, "learner", "reset_mask"),
    ),
    "sync": (
        lambda: gymnasium.make_vec("sorry_env/Sorry-v0", 2, vectorization_mode="sync"),
        (*BOARD, "learner"),
    ),
    "SorryVectorEnv": (lambda: SorryVectorEnv(2), (*BOARD, "learner", "reset_mask")),
}
FRONT = pytest.mark.parametrize(("make", "known"), FRONTS.values(), ids=FRONTS)


@pytest.fixture(autouse=True)
def unwarned(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing has been warned of yet."""
    monkeypatch.setattr(checks, "_warned", set())


def told(front: Any, options: dict[Any, Any] | None) -> list[warnings.WarningMessage]:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        front.reset(seed=1, options=options)
    return [one for one in caught if "reset option" in str(one.message)]


@FRONT
def test_each_unknown_option_is_named_once(make: Callable[[], Any], known: tuple[str, ...]) -> None:
    front = make()
    misspelt = [f"{key}x" for key in known]
    found = told(front, dict.fromkeys(misspelt, 1))
    assert len(found) == len(misspelt)
    for warning, key, meant in zip(found, misspelt, known, strict=True):
        text = str(warning.message)
        assert f"reset option {key!r} is not known" in text
        assert f"did you mean {meant!r}" in text
        assert all(name in text for name in known), "all there are"
        assert warning.category is UserWarning
        assert warning.filename == __file__, "it points at the caller's line"
    assert not told(front, dict.fromkeys(misspelt, 1)), "once, by name"
    assert not told(make(), dict.fromkeys(misspelt, 1)), "once a process"
    assert len(told(front, {misspelt[0]: 1, "another": 1, 5: 1, None: 1, ("a",): 1})) == 4


@FRONT
def test_known_options_are_not_warned_of(make: Callable[[], Any], known: tuple[str, ...]) -> None:
    front = make()
    usual: dict[str, Any] = {"first": "random", "seats": 2, "learner": "random"}
    assert not told(front, {key: usual.get(key) for key in known})
    assert not told(front, {})
    assert not told(front, None)


def test_pettingzoos_probe_is_not_warned_of_and_what_is_like_it_is() -> None:
    front = raw_env()
    assert told(front, {"options": 1}) == []
    (one,) = told(front, {"options": {"first": "red"}})
    assert "reset option 'options' is not known" in str(one.message)


def test_what_is_like_nothing_is_not_guessed() -> None:
    (found,) = told(raw_env(), {"zzz": 1})
    assert "did you mean" not in str(found.message)


@FRONT
def test_where_warnings_are_errors_the_game_stays(
    make: Callable[[], Any], known: tuple[str, ...]
) -> None:
    """PettingZoo wants unknown options taken; whoever makes warnings errors does not."""
    del known
    front = make()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for _ in range(2):  # and it is told again, for nobody has seen it
            with pytest.raises(UserWarning, match="'learnr'"):
                front.reset(seed=1, options={"learnr": "red"})


def test_a_script_is_told_on_its_own_line() -> None:
    script = "import sorry_env\nenv = sorry_env.env()\n\nenv.reset(options={'frist': 'red'})\n"
    with pytest.warns(UserWarning, match="'frist'.*did you mean 'first'") as caught:
        exec(compile(script, "script.py", "exec"), {})
    assert (caught[0].filename, caught[0].lineno) == ("script.py", 4)
