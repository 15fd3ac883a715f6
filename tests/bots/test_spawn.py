"""A bot of the user's own script in other processes: sent there by value, checked when made."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import cloudpickle
import pytest

from sorry_env.bots.base import Bot
from sorry_env.game import Game

SCRIPT = """
import gymnasium
import numpy as np
import sorry_env


class Mine(sorry_env.Bot):
    def __init__(self, nth):
        self.nth = nth

    def choose(self, view):
        return int(view.legal_actions()[self.nth])


class Named(Mine):
    name = "named"


if __name__ == "__main__":
    seen = {}
    for mode, keywords in (("async", {"vector_kwargs": {"context": "spawn"}}), ("sync", {})):
        envs = gymnasium.make_vec(
            "sorry_env/Sorry-v0", 1, vectorization_mode=mode, seats=3,
            opponents=[Mine(-1), Named(0)], **keywords,
        )
        _, infos = envs.reset(seed=3)
        said = []
        for _ in range(6):
            observation, *_, infos = envs.step(infos["action_mask"].argmax(axis=1))
            said.append(observation["observation"].tobytes())
        envs.close()
        seen[mode] = said
    print("equal", seen["async"] == seen["sync"], len(set(seen["sync"])))
"""


def test_a_bot_of_the_script_plays_in_spawned_workers(tmp_path: Path) -> None:
    script = tmp_path / "train.py"
    script.write_text(SCRIPT, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, str(script)],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True, text=True, check=False, timeout=300,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == ["equal", "True", "6"]


def test_a_class_may_get_its_methods_after_it_is_made() -> None:
    kind = type("Late", (Bot,), {})
    with pytest.raises(TypeError, match="Late must define choose or choose_batch"):
        kind()
    kind.choose = lambda self, view: int(view.legal_actions()[0])  # type: ignore[attr-defined]
    view = Game(seed=1).view()
    assert kind().choose(view) == view.legal_actions()[0]
    assert kind().name == "Late"


@pytest.mark.parametrize("name", [None, "by its name"])
def test_a_class_sent_by_value_keeps_its_name_and_its_moves(name: str | None) -> None:
    namespace = {} if name is None else {"name": name}
    kind = type(
        "Sent", (Bot,), {"choose": lambda self, view: 7, "__module__": "__main__", **namespace}
    )
    for sent in (
        cloudpickle.loads(cloudpickle.dumps(kind))(),
        cloudpickle.loads(cloudpickle.dumps(kind())),
    ):
        assert sent.name == (name or "Sent")
        assert sent.choose(Game(seed=1).view()) == 7
