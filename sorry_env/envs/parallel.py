"""`ParallelSorryEnv`: PettingZoo's parallel interface, for libraries that know no other.

All agents act in each step; the action of the one that decides counts, the others' do nothing.
PettingZoo's own conversion of turn-based environments is not used: it returns other tuples after
the end. Read `aec.py` before and `sorry_v0.py` after this file.
"""

from __future__ import annotations

import copy
from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np
from gymnasium import spaces
from pettingzoo import ParallelEnv

from sorry_env.envs.aec import Observation, SorryEnv
from sorry_env.errors import RequestError


class ParallelSorryEnv(ParallelEnv):  # type: ignore[misc]
    """One game in which every agent acts in each step; made by `sorry_v0.parallel_env`.

    inside: the `SorryEnv` that is played, whose agents, spaces, settings and rewards it has

    An agent that does not decide has a mask with a single 1, at action 0, and whatever it answers
    does nothing; ``acts`` in its info is then False. Otherwise infos are those of `SorryEnv`. The
    agents are all there until the game ends, and then none is.
    """

    metadata: ClassVar[dict[str, Any]] = {**SorryEnv.metadata, "is_parallelizable": True}

    def __init__(self, inside: SorryEnv) -> None:
        self.inside = inside
        self.metadata = {**inside.metadata, "is_parallelizable": True}  # type: ignore[misc]
        self.render_mode = inside.render_mode
        self.possible_agents = inside.possible_agents[:]
        self.agents: list[str] = []
        self._begun = False

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Observation], dict[str, dict[str, Any]]]:
        """Begin a game, as `SorryEnv.reset`; observations and infos by agent."""
        self.inside.reset(seed, options)
        self._begun = True
        self.agents = self.possible_agents[:]
        return self._observe(), self._tell()

    def step(
        self, actions: Mapping[str, Any]
    ) -> tuple[
        dict[str, Observation],
        dict[str, float],
        dict[str, bool],
        dict[str, bool],
        dict[str, dict[str, Any]],
    ]:
        """Play the action of the agent that decides.

        actions: by agent; those of agents that do not decide are not looked at, and may be missing
        Returns observations, rewards of this step, terminations, truncations and infos by agent,
        empty once the game has ended.
        Raises RequestError where no game was begun, for an unknown agent and where the action that
        counts is missing; otherwise as `SorryEnv.step`. Nothing has changed then.
        """
        inside = self.inside
        if not self._begun:
            raise RequestError("no game is being played: call reset() first", value=actions)
        if not self.agents:
            return {}, {}, {}, {}, {}
        if not isinstance(actions, Mapping):
            raise RequestError(f"actions must be a dictionary by agent: {actions!r}", value=actions)
        for agent in actions:
            if agent not in self.possible_agents:
                known = ", ".join(self.possible_agents)
                raise RequestError(f"agent {agent!r} must be one of {known}", value=agent)
        decider = inside.agent_selection
        if decider not in actions:
            raise RequestError(f"{decider} is to decide: its action is missing", value=actions)
        inside.step(actions[decider])
        rewards = dict(inside.rewards)
        ends = dict(inside.terminations), dict(inside.truncations)
        seen, infos = self._observe(), self._tell()
        if not inside._running:
            self.agents = []
        return seen, rewards, *ends, infos

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """The agent's observation space, the same object each time."""
        return self.inside.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        """The agent's action space, the same object each time."""
        return self.inside.action_spaces[agent]

    def state(self) -> np.ndarray:
        """See `SorryEnv.state`."""
        return self.inside.state()

    def render(self) -> str | np.ndarray | None:
        """See `SorryEnv.render`."""
        return self.inside.render()

    def close(self) -> None:
        """See `SorryEnv.close`."""
        self.inside.close()

    def clone(self) -> ParallelSorryEnv:
        """An independent environment that continues identically."""
        twin = copy.copy(self)
        twin.inside = self.inside.clone()
        twin.agents = self.agents[:]
        return twin

    # -- inside -------------------------------------------------------------------------------

    def _acts(self, agent: str) -> bool:
        return self.inside._running and agent == self.inside.agent_selection

    def _observe(self) -> dict[str, Observation]:
        seen = {agent: self.inside.observe(agent) for agent in self.agents}
        for agent, one in seen.items():
            if isinstance(one, dict) and not self._acts(agent):
                one["action_mask"][0] = 1
        return seen

    def _tell(self) -> dict[str, dict[str, Any]]:
        infos = {}
        for agent in self.agents:
            told = self.inside.infos[agent]
            acts = self._acts(agent)
            mask = told["action_mask"].copy()
            if not acts:
                mask[0] = 1
            infos[agent] = {**told, "action_mask": mask, "acts": acts}
        return infos
