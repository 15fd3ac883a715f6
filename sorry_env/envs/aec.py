"""The PettingZoo environment: agents take turns (AEC), one agent a colour, the rules in the engine.

A thin shell: `engine.single.decide` plays a whole step, `Game` explains, `spaces.py` says what the
arrays are, `copies.py` how it is copied, `rewards.py` what a forfeit is worth. What each end is
worth is the table in `sorry_v0.py`. Read `game.py` and `settings.py` before and `sorry_v0.py` after
this file.
"""

from __future__ import annotations

import operator
from collections.abc import Mapping
from typing import Any, ClassVar, NoReturn

import numpy as np
from gymnasium import logger, spaces
from gymnasium.utils import seeding
from pettingzoo import AECEnv

from sorry_env.engine import single
from sorry_env.engine.observe import OneHot
from sorry_env.engine.rng import check_seed, fresh_seed
from sorry_env.engine.state import NOBODY, SEATS
from sorry_env.envs.checks import check_options, random_state_kept
from sorry_env.envs.copies import Copies
from sorry_env.envs.opening import open_game
from sorry_env.envs.registration import ENV_NAME
from sorry_env.envs.rewards import forfeit_returns, terminated_returns
from sorry_env.envs.settings import RENDER_MODES, Settings
from sorry_env.envs.spaces import action_space, observation_space, vector_space
from sorry_env.errors import MoveError, RequestError
from sorry_env.families import BOARD
from sorry_env.render.window import Window
from sorry_env.rules import COLOURS
from sorry_env.view import hide_hands

Observation = np.ndarray | dict[str, np.ndarray]


class SorryEnv(Copies, AECEnv):  # type: ignore[misc]
    """One game of Sorry! for PettingZoo; made by `sorry_v0.raw_env`, which lists the settings.

    Agents are `player_0`, `player_1` ... in seat order (clockwise from Red); in `teams-two` there
    are two, for Red and Yellow and for Blue and Green. They all stay until the game ends.

    game:   the `Game` being played, to be looked at: copy it to try moves (it knows all hands, and
            so do its pictures; agents are to look at what `observe` gives them)
    tables: the compiled ruleset: action labels, observation layout
    infos:  per agent ``action_mask`` int8[A] (all 0 for agents that do not decide), ``seat``
            (0-3, the colour it plays now) and ``colour``; at the end ``reason`` as well, which is
            `finished`, `max_plies` or `illegal`, and ``winners``, a tuple of colours. With the
            setting ``infos="mask"`` the masks alone
    """

    metadata: ClassVar[dict[str, Any]] = {
        "name": ENV_NAME,
        "render_modes": list(RENDER_MODES),
        "render_fps": 2,
        "is_parallelizable": False,
    }

    #: The options that `reset` reads.
    OPTIONS: ClassVar[tuple[str, ...]] = ("first", "seats", "position")
    #: What each seat is called at the end, and what its agent's infos say of it.
    NAMES: ClassVar[tuple[str, ...]] = COLOURS
    ABOUT: ClassVar[tuple[dict[str, Any], ...]] = tuple(
        {"seat": seat, "colour": colour} for seat, colour in enumerate(COLOURS)
    )

    def __init__(self, settings: Settings) -> None:
        super().__init__()
        self.settings = settings
        self.tables = settings.tables
        self.render_mode = settings.render_mode
        self._window = Window(self.metadata["name"]) if self.render_mode == "human" else None
        self._partners_agree = settings.one_agent_a_team
        self._tells_all = settings.infos == "all"
        self._about = self.ABOUT if self._tells_all else ({},) * SEATS
        self._max_plies = settings.max_plies
        self._mask_apart = settings.observation != "dict"
        self._widen = OneHot(self.tables.layout) if settings.observation == "onehot" else None
        self._holds_cards = bool(getattr(self.tables.ruleset, "hand", 0))
        self.possible_agents = [f"player_{i}" for i in range(settings.players)]
        self.observation_spaces = {
            agent: observation_space(self.tables, settings.observation)
            for agent in self.possible_agents
        }
        self.action_spaces = {agent: action_space(self.tables) for agent in self.possible_agents}
        self.state_space = vector_space(self.tables)
        self._seed = fresh_seed()
        self._np_random: np.random.Generator | None = None
        self._enter(self._open_game(0, {}))
        self.agents: list[str] = []  # nobody plays before `reset`
        self._running = False

    # -- PettingZoo's interface ---------------------------------------------------------------

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a game.

        seed:    the game's chance, from 0 to 2**64 - 1: the cards are those of
                 ``Game(..., seed=seed)``; None goes on from the last seed, by `np_random`
        options: for this game ``first`` (colour, index or `random`) and ``seats`` (other colours,
                 as many as before), or ``position``, a position's line or a `Game` to go on from;
                 other keys have no effect, and a warning tells of each once
        Raises RequestError, RulesetError or PositionError for what cannot be; the game that was is
        then still there, and the random state as it was.
        """
        with random_state_kept(self):
            chosen = check_options(options, self.OPTIONS)
            if seed is None:
                chance = int(self.np_random.integers(1 << 63))
            else:
                chance = check_seed(seed)
            game = self._open_game(chance, chosen)
            self._check_window()
        if seed is not None:
            self._seed, self._np_random = chance, None
        self._enter(game)
        if self.render_mode == "human":
            self.render()

    def step(self, action: int | np.integer[Any] | None) -> None:
        """Play an action for the agent that decides; None for an agent that is done.

        Raises MoveError for what is not in the action space and, with ``illegal="raise"``, for an
        action that is not legal; nothing has changed then.
        """
        if not self._running:
            self._step_done(action)
            return
        try:
            index = operator.index(action)  # type: ignore[arg-type]
        except TypeError:
            self._refuse(action)
        if self.render_mode is not None:
            self._check_window()
            self._remember(index)
        try:
            status = self._decide(
                self._facts, self._actions, self._state, 0, index, self._max_plies,
                self._seen, self._legal, self._work,
            )  # fmt: skip
        except OverflowError:  # far too large a number even for the kernel
            self._refuse(action)
        if status == single.ILLEGAL:
            self._step_illegal(index)
        elif status < SEATS:
            self._show(status)
        elif status == single.FINISHED:
            self._end("finished", self.game.returns(self.settings.reward))
        else:
            self._end("max_plies", (0.0,) * SEATS)
        if self.render_mode == "human":
            self.render()

    def observe(self, agent: str) -> Observation:
        """What an agent sees now, whether it decides or not, plays or is done; a copy.

        Its own hand is in it, and of the others' no more than which cards it has not seen.

        `dict`: {"observation": int8[O], "action_mask": int8[A]}; `box`: int8[O]; `onehot`:
        float32[W]. The mask is all 0 for an agent that does not decide.
        """
        seen: np.ndarray
        if agent == self.agent_selection and self._running:
            seen, mask = self._seen.copy(), self._mask
        else:
            seen, mask = self.game.observation(self._eyes(agent)), self._nothing
        if self._mask_apart:
            return seen if self._widen is None else self._widen(seen)
        return {"observation": seen, "action_mask": mask.copy()}

    def state(self) -> np.ndarray:
        """int8[O], what everybody knows of the game, as seen from Red's side, whoever is seated.

        No hand is in it: all cards that are held count as unseen.
        """
        seen: np.ndarray = self.game.observation(0)
        if not self._holds_cards:
            return seen
        record = self._state.copy()
        hide_hands(record, NOBODY)
        single.see(self.tables.arrays, record, 0, 0, seen)
        return seen

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """The agent's observation space, the same object each time."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        """The agent's action space, the same object each time."""
        return self.action_spaces[agent]

    def render(self) -> str | np.ndarray | None:
        """The board: `ansi` text for a terminal, `rgb_array` uint8[640, 640, 3].

        `human` shows that picture in a window, after each reset and step by itself, for a second
        over ``metadata["render_fps"]``, and returns None. The others open nothing and need no
        display. Raises RequestError where no window can be opened.
        """
        if self.render_mode is None:
            logger.warn("render() has no render_mode: make the environment with one to see it")
            return None
        view = self.game.view()
        if self.render_mode == "ansi":
            return self._write(view)
        if self.render_mode == "rgb_array":
            return self._paint(view)
        self._check_window()
        if self._window is not None and not self._window.shut:
            self._window.show(self._paint(view), self.metadata["render_fps"])
        return None

    def close(self) -> None:
        """Close the window, if there is one: calling it twice, or playing on, does no harm."""
        if self._window is not None:
            self._window.close()

    def _check_window(self) -> None:
        """RequestError where a picture is to be shown and no window can be opened."""
        if self.render_mode == "human":
            if self._window is None:  # the mode was set after the environment was made
                self._window = Window(self.metadata["name"])
            self._window.check()

    # -- beyond the interface -----------------------------------------------------------------

    @property
    def np_random(self) -> np.random.Generator:
        """Where the seeds come from of games that are begun without one."""
        if self._np_random is None:
            self._np_random, _ = seeding.np_random(self._seed)
        return self._np_random

    # -- what another game changes ------------------------------------------------------------

    def _open_game(self, seed: int, options: Mapping[str, Any]) -> Any:
        """A game in which somebody can decide."""
        return open_game(self.settings, seed, options)

    def _paint(self, view: Any) -> np.ndarray:
        """The game as pixels."""
        pixels: np.ndarray = BOARD.rgb(view, last_move=self._last_move)
        return pixels

    def _write(self, view: Any) -> str:
        """The game as text for a terminal."""
        text: str = BOARD.ansi(view)
        return text

    # -- inside -------------------------------------------------------------------------------

    def _enter(self, game: Any) -> None:
        """Take up a game in which a card has been drawn: everything as after a reset."""
        self.game = game
        self._bind(game.observation(), game.mask())
        self._seat_agents(game.seats)
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos = {agent: self._idle_info(agent) for agent in self.agents}
        self.agent_selection = self._agent_of[game.actor]
        self._shown = game.actor
        self._skip_agent_selection = None
        self._last_move: Any = None
        self._running = True
        self._show(game.actor)

    def _seat_agents(self, seats: tuple[int, ...]) -> None:
        """Say which agent plays which colours; opposite ones are partners."""
        self._seats_of: dict[str, tuple[int, ...]] = {}
        self._agent_of = [""] * SEATS
        for i, agent in enumerate(self.possible_agents):
            own = (i, i + 2) if self._partners_agree else (seats[i],)
            self._seats_of[agent] = own
            for seat in own:
                self._agent_of[seat] = agent

    def _eyes(self, agent: str) -> int:
        """The seat from which an agent looks: the one with which it decides, now or next."""
        if agent not in self._seats_of:
            known = ", ".join(self.possible_agents)
            raise RequestError(f"agent {agent!r} must be one of {known}", value=agent)
        own = self._seats_of[agent]
        if len(own) == 1:
            return own[0]
        turn: int = self.game.turn
        return turn if turn in own else (turn + 1) % SEATS

    def _idle_info(self, agent: str) -> dict[str, Any]:
        seat = self._eyes(agent)
        return {"action_mask": self._nothing.copy(), **self._about[seat]}

    def _show(self, seat: int) -> None:
        """Turn to the seat that decides.

        Infos are new ones each time: the old belong to whoever took them.
        """
        agent, before = self._agent_of[seat], self.agent_selection
        if agent != before:
            # As `_idle_info`, without asking the game: this is half of what a step takes.
            idle = (seat + 1) % SEATS if self._partners_agree else self._shown
            self.infos[before] = {"action_mask": self._nothing.copy(), **self._about[idle]}
            self.agent_selection = agent
        self._shown = seat
        self.infos[agent] = {"action_mask": self._mask.copy(), **self._about[seat]}

    def _end(self, reason: str, returns: tuple[float, ...]) -> None:
        """Pay out and mark everybody as done.

        returns: by seat
        """
        self._running = False
        done = self.truncations if reason == "max_plies" else self.terminations
        winners = tuple(self.NAMES[seat] for seat in self.game.winners)
        for agent in self.agents:
            # Partners get the same: any seat of the agent's will do.
            self.rewards[agent] = returns[self._seats_of[agent][0]]
            done[agent] = True
            self.infos[agent] = self._idle_info(agent)
            if self._tells_all:
                self.infos[agent].update(reason=reason, winners=winners)
        self._accumulate_rewards()
        self._deads_step_first()

    def _step_done(self, action: Any) -> None:
        """A step of an agent whose game has ended."""
        if not self.agents:
            raise RequestError("no game is being played: call reset() first", value=action)
        if action is not None:
            raise MoveError(
                f"{self.agent_selection} is done: its only action is None, not {action!r}",
                value=action,
            )
        self._was_dead_step(None)

    def _step_illegal(self, action: int) -> None:
        """What `illegal` says becomes of an action that is not legal."""
        if self.settings.illegal == "raise" or not 0 <= action < self.tables.num_actions:
            self._refuse(action)
        offender = self.game.actor
        if self.settings.illegal == "terminate":
            returns = terminated_returns(self.game, offender)
        else:
            returns = forfeit_returns(self.game, offender, self.settings.reward)
        self._end("illegal", returns)

    def _refuse(self, action: Any) -> NoReturn:
        """Raise MoveError: `Game` finds the words, on a copy so that nothing can change."""
        self.game.copy().play(action)
        raise MoveError(
            f"action {action!r} is not legal in the game that the environment plays: "
            "env.game was changed from outside",
            value=action,
        )

    def _remember(self, action: int) -> None:
        """Keep the move for the next picture."""
        if 0 <= action < self.tables.num_actions and self._mask[action]:
            self._last_move = self.game.describe(action)
