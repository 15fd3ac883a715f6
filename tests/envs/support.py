"""What the tests of the environments share: makers, positions near the end, random play.

Read `test_conformance.py` after this file.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Any

import numpy as np

from sorry_env.envs import env, raw_env

Maker = Callable[..., Any]
MAKERS: tuple[Maker, ...] = (raw_env, env)

_FULL = "4.4.4.4.4.4.4.4.4.4.4"

#: Red wins with the only action there is; each with the number of seats.
RED_WINS: dict[str, tuple[int, str]] = {
    "two": (2, f"classic rH,rH,rH,r5/-/yS,yS,yS,yS/- r move 1 {_FULL} - -"),
    "three": (3, f"classic rH,rH,rH,r5/bS,bS,bS,bS/yS,yS,yS,yS/- r move 1 {_FULL} - -"),
    "four": (
        4, f"classic rH,rH,rH,r5/bS,bS,bS,bS/yS,yS,yS,yS/gS,gS,gS,gS r move 1 {_FULL} - -",
    ),
    "teams": (4, f"teams rH,rH,rH,r5/bS,bS,bS,bS/yH,yH,yH,yH/gS,gS,gS,gS r move 1 {_FULL} - -"),
    "teams-two": (
        4, f"teams-two rH,rH,rH,r5/bS,bS,bS,bS/yH,yH,yH,yH/gS,gS,gS,gS r move 1 {_FULL} - -",
    ),
    "duel": (2, "duel-1 r5/-/0/- r move 1 * - -"),
    "solo": (1, "solo rH,rH,rH,r5/-/-/- r move 1 * - -"),
}  # fmt: skip
#: Red finishes, then Blue, with the only card left in the pile; Yellow is last.
RED_THEN_BLUE = (
    "classic?play_out=true rH,rH,rH,r5/bH,bH,bH,b5/yS,yS,yS,yS/- r move 1 4.0.0.0.0.0.0.0.0.0.0 - -"
)


def ruleset_of(position: str) -> str:
    return position.split(" ")[0]


def mask_of(environment: Any) -> np.ndarray:
    """The mask of the agent that decides, from the observation or, without one there, the info."""
    observation, _, _, _, info = environment.last()
    mask = observation["action_mask"] if isinstance(observation, dict) else info["action_mask"]
    assert isinstance(mask, np.ndarray)
    return mask


def choose(mask: np.ndarray, rng: np.random.Generator) -> np.int32:
    return np.int32(rng.choice(np.flatnonzero(mask)))


def play_random(environment: Any, rng: np.random.Generator, limit: int = 10**9) -> dict[str, float]:
    """Play on at random to the end of the game, or for some steps: `last()` rewards by agent."""
    totals = dict.fromkeys(environment.possible_agents, 0.0)
    for agent in environment.agent_iter(limit):
        observation, reward, terminated, truncated, info = environment.last()
        totals[agent] += reward
        if terminated or truncated:
            environment.step(None)
            continue
        seen = observation if isinstance(observation, dict) else info
        environment.step(choose(seen["action_mask"], rng))
    return totals


def trace(environment: Any, seed: int, steps: int) -> str:
    """Hash of all that an environment says in some steps of random play from where it is."""
    rng = np.random.default_rng(seed)
    digest = hashlib.sha256()
    for _ in range(steps):
        if not environment.agents:
            environment.reset()
        agent = environment.agent_selection
        observation, reward, terminated, truncated, info = environment.last()
        parts = observation if isinstance(observation, dict) else {"observation": observation}
        for key in sorted(parts):
            digest.update(parts[key].tobytes())
        digest.update(info["action_mask"].tobytes())
        kept = {k: v for k, v in info.items() if k != "action_mask"}
        digest.update(repr((agent, float(reward), terminated, truncated, kept)).encode())
        digest.update(environment.state().tobytes())
        done = terminated or truncated
        environment.step(None if done else choose(info["action_mask"], rng))
    return digest.hexdigest()
