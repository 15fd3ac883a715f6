"""Speed of the environments beside the least that their interfaces cost, measured in one run.

    python benchmarks/envs.py [--seconds 0.5] [--repeats 5] [--size 1024] [--json]

- PettingZoo: `raw_env` and `env` beside an environment that does nothing, bare and in PettingZoo's
  standard wrappers, in the usual loop, actions sampled with numpy.
- Gymnasium: one environment in the usual loop, bare and as `gymnasium.make` wraps it.
- Vector environments: learners' decisions beside those of the batch engine, where the learner's
  seat also decides every second time; actions are recorded beforehand, so only steps are timed.
- Start: `import sorry_env`, and the first `sorry_env.env()` of a process with a warm cache.

Rates are decisions a second of one thread by CPU time (other work on the machine then disturbs
least), the median of the repeats with the lowest and the highest; the start is in seconds, by the
clock and of the processor, the interpreter's own included. Rows that are compared take turns in
each repeat.
"""

from __future__ import annotations

import argparse
import copy
import importlib.metadata
import json
import platform
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv
from pettingzoo.utils import agent_selector
from pettingzoo.utils.wrappers import (
    AssertOutOfBoundsWrapper,
    OrderEnforcingWrapper,
    TerminateIllegalWrapper,
)

import sorry_env
from sorry_env.engine.batch import Batch
from sorry_env.envs.vector import SorryVectorEnv

#: Measures some steps; returns how many decisions they were.
Play = Callable[[], int]
#: Decisions of a game, about; what the environment that does nothing ends after.
GAME = 170


class Nothing(AECEnv):  # type: ignore[misc]
    """Two agents in turns, with the spaces of `classic`, two legal actions and no game at all."""

    metadata = {"name": "nothing_v0", "render_modes": [], "is_parallelizable": False}  # noqa: RUF012

    def __init__(self) -> None:
        super().__init__()
        model = sorry_env.raw_env("classic")
        self.possible_agents = ["player_0", "player_1"]
        self.observation_spaces = model.observation_spaces
        self.action_spaces = model.action_spaces
        self.render_mode = None
        mask = np.zeros(model.tables.num_actions, np.int8)
        mask[[3, 90]] = 1
        self._seen = {
            "observation": np.zeros(model.tables.observation_size, np.int8),
            "action_mask": mask,
        }

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """The same object each time."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """The same object each time."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin to count."""
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._selector = agent_selector.AgentSelector(self.agents)
        self.agent_selection = self._selector.reset()
        self._steps = 0

    def step(self, action: Any) -> None:
        """Next agent, as PettingZoo's documentation writes it."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0.0
        self._steps += 1
        if self._steps == GAME:
            self.terminations = dict.fromkeys(self.agents, True)
        self.agent_selection = self._selector.next()
        self._accumulate_rewards()

    def observe(self, agent: str) -> dict[str, np.ndarray]:
        """The same arrays each time."""
        return self._seen


def standard_wrappers(env: AECEnv) -> Any:
    """What PettingZoo's board games wear."""
    wrapped = TerminateIllegalWrapper(env, illegal_reward=-1)
    return OrderEnforcingWrapper(AssertOutOfBoundsWrapper(wrapped))


def aec_loop(env: Any) -> Play:
    """A game in the usual loop."""
    rng = np.random.default_rng(0)
    seeds = iter(range(10**9))

    def play() -> int:
        env.reset(seed=next(seeds))
        decisions = 0
        for _ in env.agent_iter():
            observation, _, terminated, truncated, _ = env.last()
            if terminated or truncated:
                env.step(None)
                continue
            legal = observation["action_mask"].nonzero()[0]
            env.step(legal[int(rng.random() * len(legal))])
            decisions += 1
        return decisions

    return play


def gym_loop(env: gymnasium.Env[Any, Any]) -> Play:
    """An episode in the usual loop."""
    rng = np.random.default_rng(0)
    env.reset(seed=0)

    def play() -> int:
        observation, _ = env.reset()
        decisions, done = 0, False
        while not done:
            legal = observation["action_mask"].nonzero()[0]
            action = legal[int(rng.random() * len(legal))]
            observation, _, terminated, truncated, _ = env.step(action)
            done = terminated or truncated
            decisions += 1
        return decisions

    return play


def random_actions(mask: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """int64[B], a random legal action for each row of bool[B, A]."""
    order = np.cumsum(mask, axis=1)
    nth = rng.integers(order[:, -1]) + 1
    chosen: np.ndarray = (order >= nth[:, None]).argmax(axis=1)
    return chosen


def batch_steps(size: int, steps: int = 60) -> Play:
    """The batch engine stepped with recorded actions; the decisions of the first seat count."""
    batch = Batch("classic", "2", size, seed=1)
    batch.random_steps(300)  # past the openings, to the usual mixture of positions
    start = batch.state_dict()
    rng = np.random.default_rng(0)
    script, own = [], 0
    for _ in range(steps):
        own += int((batch.actor == 0).sum())
        script.append(random_actions(batch.mask, rng))
        batch.step(script[-1])

    def play() -> int:
        batch.load_state_dict(start)
        for actions in script:
            batch.step(actions)
        return own

    return play


def vector_steps(size: int, steps: int = 60, **settings: Any) -> Play:
    """A vector environment stepped with recorded actions."""
    env = SorryVectorEnv(size, "classic", 2, **settings)
    env.reset(seed=1)
    rng = np.random.default_rng(0)
    for _ in range(150):
        env.step(random_actions(env.action_masks(), rng))
    start = copy.deepcopy(env)
    script = []
    for _ in range(steps):
        script.append(random_actions(env.action_masks(), rng))
        env.step(script[-1])

    def play() -> int:
        again = copy.deepcopy(start)
        begun = time.process_time()
        for actions in script:
            again.step(actions)
        play.spent = time.process_time() - begun  # type: ignore[attr-defined]
        return len(script) * size

    return play


def measure(plays: dict[str, Play], seconds: float, repeats: int) -> dict[str, list[float]]:
    """Decisions a second of each, in turns."""
    rates: dict[str, list[float]] = {name: [] for name in plays}
    for play in plays.values():
        play()
    for _ in range(repeats):
        for name, play in plays.items():
            decisions, spent = 0, 0.0
            while spent < seconds:
                begun = time.process_time()
                decisions += play()
                # What is no step, such as copying the start, is left out where it is known.
                spent += getattr(play, "spent", time.process_time() - begun)
            rates[name].append(decisions / spent)
    return rates


def starts(repeats: int) -> dict[str, dict[str, list[float]]]:
    """Seconds to start, each in a process of its own: by the clock, and of the processor."""
    scripts = {
        "import sorry_env": "import sorry_env",
        "import sorry_env, first env() and reset()": "import sorry_env; sorry_env.env().reset()",
        "import sorry_env, first Batch of 1024": "import sorry_env; sorry_env.Batch(size=1024)",
    }
    found: dict[str, dict[str, list[float]]] = {
        name: {"clock": [], "processor": []} for name in scripts
    }
    for turn in range(repeats + 1):
        for name, script in scripts.items():
            timed = (
                f"import time; t = time.perf_counter(); {script}\n"
                "print(time.perf_counter() - t, time.process_time())"
            )
            done = subprocess.run(
                [sys.executable, "-c", timed], capture_output=True, text=True, check=True
            )
            if turn:  # the first fills the caches
                for kind, seconds in zip(found[name], done.stdout.split(), strict=True):
                    found[name][kind].append(float(seconds))
    return found


def main() -> None:
    """Print the tables, or one JSON object."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=0.5, help="CPU seconds a repeat")
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--size", type=int, default=1024, help="games in a batch")
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    size = arguments.size
    groups: dict[str, dict[str, Play]] = {
        "PettingZoo, bare": {
            "an AEC environment that does nothing": aec_loop(Nothing()),
            "raw_env, classic, 2 seats": aec_loop(sorry_env.raw_env("classic", 2)),
        },
        "PettingZoo, checked": {
            "nothing, in the standard wrappers": aec_loop(standard_wrappers(Nothing())),
            "env, classic, 2 seats": aec_loop(sorry_env.env("classic", 2)),
        },
        "Gymnasium, one environment (learner's decisions)": {
            "bare": gym_loop(gymnasium.make("sorry_env/Sorry-v0", seats=2).unwrapped),
            "by gymnasium.make": gym_loop(gymnasium.make("sorry_env/Sorry-v0", seats=2)),
            "bare, greedy opponent": gym_loop(
                gymnasium.make("sorry_env/Sorry-v0", seats=2, opponents="greedy").unwrapped
            ),
        },
        f"vectors of {size}, classic, 2 seats (learner's decisions)": {
            "Batch, own decisions": batch_steps(size),
            "VectorEnv, NextStep": vector_steps(size),
            "VectorEnv, SameStep": vector_steps(size, autoreset_mode="SameStep"),
            "VectorEnv, without copies": vector_steps(size, copy=False),
            "VectorEnv, onehot": vector_steps(size, observation="onehot"),
            "VectorEnv, greedy opponents": vector_steps(size, steps=20, opponents="greedy"),
        },
    }
    result: dict[str, Any] = {
        "python": platform.python_version(),
        "machine": platform.machine(),
        "versions": {
            name: importlib.metadata.version(name)
            for name in ("gymnasium", "pettingzoo", "numba", "numpy")
        },
        "size": size,
        "decisions_per_second": {
            title: measure(plays, arguments.seconds, arguments.repeats)
            for title, plays in groups.items()
        },
        "seconds": starts(arguments.repeats),
    }
    if arguments.json:
        print(json.dumps(result))
        return
    versions = ", ".join(f"{name} {version}" for name, version in result["versions"].items())
    print(f"Python {result['python']}, {versions}, {result['machine']}")
    for title, rates in result["decisions_per_second"].items():
        print(f"\n{title:<50} {'decisions/s':>12} {'low':>12} {'high':>12} {'ratio':>6}")
        base = statistics.median(next(iter(rates.values())))
        for name, found in rates.items():
            middle = statistics.median(found)
            print(
                f"  {name:<48} {middle:>12,.0f} {min(found):>12,.0f} {max(found):>12,.0f} "
                f"{middle / base:>6.2f}"
            )
    print(f"\n{'start, cache warm (seconds)':<50} {'median':>12} {'low':>12} {'high':>12}")
    for name, kinds in result["seconds"].items():
        for kind, found in kinds.items():
            print(
                f"  {f'{name}: {kind}':<48} {statistics.median(found):>12.3f} "
                f"{min(found):>12.3f} {max(found):>12.3f}"
            )


if __name__ == "__main__":
    main()
