"""`SingleEnv`: one learner's seat as a Gymnasium environment, the other seats played by bots.

A thin shell round `aec.SorryEnv`, which knows the rules, ends, rewards, options and pictures; here
is who plays the other seats and what a step is. `vector.py` steps many such games at once. Read
`opponents.py` before and `vector.py` after this file.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, ClassVar, Final

import gymnasium
import numpy as np

from sorry_env.bots.asking import ask
from sorry_env.bots.random import RandomBot
from sorry_env.engine.batch import DEFAULT_MAX_PLIES
from sorry_env.engine.rng import check_seed
from sorry_env.envs.aec import Observation, SorryEnv
from sorry_env.envs.checks import check_options, random_state_kept
from sorry_env.envs.opponents import (
    PLACES,
    Opponents,
    episode_key,
    keyed_number,
    later_seed,
    make_opponents,
    random_place,
    reset_bots,
)
from sorry_env.envs.rounds import RoundsEnv
from sorry_env.envs.settings import RENDER_MODES, Settings, check_choice
from sorry_env.envs.sorry_v0 import raw_env
from sorry_env.errors import MoveError, RequestError
from sorry_env.parsing import as_integer

#: What becomes of a learner's action that is not legal.
ILLEGAL: Final = ("random", "raise", "terminate")

# What the inside environment says at the end and of a match of several rounds, and is handed on.
_AT_THE_END: Final = ("reason", "winners")
_OF_ROUNDS: Final = ("scores", "round")


class SingleEnv(gymnasium.Env[Any, Any]):
    """Sorry! for one learner; `gymnasium.make("sorry_env/Sorry-v0", ...)` after `import sorry_env`.

    ruleset, seats, reward, max_plies, render_mode, first, target_score: see `sorry_v0.raw_env`
    opponents:   who plays the other seats: `random`, `greedy`, `learned:FILE.onnx` or any bot's
                 name; the path of an `.onnx` file; a `Bot`; a function that takes a `View` and
                 returns an action; or a list of these, one for each other player in turn order
                 from the learner on
    learner:     the seat that learns: a seated colour or its index; `random`, another each
                 episode; `rotating`, the next one each episode, from the one that the seed says
    observation: `dict`, {"observation": int8[O], "action_mask": int8[A]}; `box`, int8[O] alone;
                 `onehot`, float32[W]; the mask is in the info of all
    illegal:     what becomes of an action that the mask forbids. `random`, the default, for
                 programs that try any action: a random legal one, drawn with `np_random`, is played
                 instead and counted in the info; `raise`: MoveError, nothing changes;
                 `terminate`: the episode ends with -1
    skip_forced: True plays the learner's decisions with one legal action by itself, half of all
    Raises RulesetError or RequestError for settings that cannot be, and what a bot raises that
    cannot play the game.

    info of `reset` and `step`: ``action_mask`` int8[A], a copy; ``seat``, the learner's (0-3);
    ``seed``, a uint64 with which `reset` begins this very episode; ``plies``, decisions of all
    seats so far; ``illegal_actions``, in this episode; at the end ``reason`` (`finished`,
    `max_plies`, `illegal`) and ``winners``, a tuple of colours; with ``target_score`` also
    ``scores`` and ``round``.

    At the end nothing is to decide and the mask has a single 1, at action 0: never none at all.
    """

    metadata: ClassVar[dict[str, Any]] = {  # type: ignore[misc]
        "render_modes": list(RENDER_MODES),
        "render_fps": 2,
    }

    def __init__(
        self,
        ruleset: Any = "classic",  # Ruleset | str, or the rules of another game
        seats: int | str | Iterable[int | str] | None = None,
        *,
        opponents: Opponents = "random",
        learner: int | str = "random",
        reward: str = "win",
        observation: str = "dict",
        illegal: str = "random",
        max_plies: int = DEFAULT_MAX_PLIES,
        render_mode: str | None = None,
        first: int | str | None = None,
        target_score: int | None = None,
        skip_forced: bool = False,
    ) -> None:
        check_choice("illegal", illegal, ILLEGAL)
        inside = self._make_inside(
            ruleset,
            seats,
            reward=reward,
            observation=observation,
            illegal="terminate" if illegal == "terminate" else "raise",
            max_plies=max_plies,
            render_mode=render_mode,
            first=first,
            target_score=target_score,
        )
        self._inside: SorryEnv = inside
        self.tables = inside.tables
        self.render_mode = render_mode
        self.observation_space = inside.observation_spaces["player_0"]
        self.action_space = inside.action_spaces["player_0"]
        self._illegal = illegal
        self._skip_forced = skip_forced
        self._players = len(inside.possible_agents)
        self._learner = check_learner(learner, inside.settings, inside.NAMES)
        self._bots, self._places = make_opponents(
            opponents, self._players - 1, self.tables, inside.settings.seats
        )
        self._base: int | None = None  # the seed that was given last
        self._number = 0  # episodes begun since
        self._over = True

    def _make_inside(self, ruleset: Any, seats: Any, **settings: Any) -> SorryEnv:
        """The PettingZoo environment that is stepped."""
        return raw_env(ruleset, seats, **settings)

    @property
    def game(self) -> Any:
        """The `Game` being played, to be looked at: copy it to try moves."""
        return self._inside.game

    # -- Gymnasium's interface ----------------------------------------------------------------

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begin an episode and play on to the learner's first decision.

        seed:    from 0 to 2**64 - 1: the episode has the cards of ``Game(..., seed=seed)``; None
                 goes on with the episode after the last one: each follows from the seed that was
                 given last
        options: for this episode those of `SorryEnv.reset` (``first``, ``seats``, ``position``) and
                 ``learner``, as the setting of that name; other keys have no effect, and a warning
                 tells of each once
        Raises RequestError, RulesetError or PositionError for what cannot be; the game that was is
        then still there, and the random state as it was.
        """
        inside = self._inside
        with random_state_kept(self):
            chosen = check_options(options, (*inside.OPTIONS, "learner"))
            if seed is not None:
                base, number = check_seed(seed), 0
            elif self._base is None:
                base, number = int(self.np_random.integers(1 << 63)), 0
            else:
                base, number = self._base, self._number + 1
            learner = self._learner
            if chosen.get("learner") is not None:
                learner = check_learner(chosen["learner"], inside.settings, inside.NAMES)
            episode = later_seed(base, number)
            inside.reset(episode, {key: chosen.get(key) for key in inside.OPTIONS})
        if seed is not None:
            super().reset(seed=base)
            reset_bots(self._bots)
        self._base, self._number, self._seed = base, number, episode
        self._key = episode_key(episode)
        if learner == "random":
            place = random_place(episode, self._players)
        elif learner == "rotating":
            place = (base + number) % self._players
        else:
            place = int(learner)
        self._place, self._agent = place, f"player_{place}"
        self._illegal_actions = 0
        self._paid = 0.0
        self._over = False
        self._play_on()
        return self._observe(), self._tell()

    def step(self, action: Any) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Play an action of the learner, and on to its next decision or the end.

        action: an int of any kind
        Returns observation, reward, terminated, truncated and info. The reward is the learner's in
        the step that decides, whoever makes the last move. Where the game has ended before the
        learner decided anything, the first step says so.
        Raises MoveError for what is not in the action space, and RequestError after the end.
        """
        if self._over:
            raise RequestError("the episode is over: call reset() first", value=action)
        inside = self._inside
        inside._check_window()
        index = self._check(action)
        if inside._running:
            self._play(index)
            self._play_on()
        self._collect()
        reward, self._paid = self._paid, 0.0
        terminated = inside.terminations[self._agent]
        truncated = inside.truncations[self._agent]
        self._over = terminated or truncated
        return self._observe(), reward, terminated, truncated, self._tell()

    def render(self) -> Any:
        """The board, as `SorryEnv.render` draws it."""
        return self._inside.render()

    def close(self) -> None:
        """As `SorryEnv.close`: calling it twice, or playing on, does no harm."""
        self._inside.close()

    # -- beyond the interface -----------------------------------------------------------------

    def action_masks(self) -> np.ndarray:
        """bool[A], the learner's legal actions now, a copy: what sb3-contrib asks for."""
        mask: np.ndarray = self._mask().astype(np.bool_)
        return mask

    # -- inside -------------------------------------------------------------------------------

    def _check(self, action: Any) -> int:
        """The action that is played for one of the learner's; MoveError where none is."""
        index = as_integer(action)
        count = self.tables.num_actions
        if index is None or not 0 <= index < count:
            raise MoveError(f"action {action!r} must be an int from 0 to {count - 1}", value=action)
        mask = self._inside._mask
        if mask[index] or not self._inside._running:
            return index
        if self._illegal == "raise":
            self._inside._refuse(index)
        self._illegal_actions += 1
        if self._illegal == "random":
            legal = np.flatnonzero(mask)
            index = int(legal[self.np_random.integers(len(legal))])
        return index

    def _play(self, action: Any) -> None:
        """Play a legal action for whoever decides."""
        self._collect()  # before its own step takes back what the learner has been paid
        self._inside.step(action)

    def _collect(self) -> None:
        """Keep what the learner has been paid until a step tells it."""
        self._paid += self._inside._cumulative_rewards[self._agent]
        self._inside._cumulative_rewards[self._agent] = 0.0

    def _mask(self) -> np.ndarray:
        """int8[A], a copy; action 0 alone where nothing is to decide."""
        mask = self._inside._mask.copy()
        if not self._inside._running:
            mask[:] = 0
            mask[0] = 1
        return mask

    def _observe(self) -> Observation:
        seen = self._inside.observe(self._agent)
        if isinstance(seen, dict) and not self._inside._running:
            seen["action_mask"][0] = 1
        return seen

    def _tell(self) -> dict[str, Any]:
        told = self._inside.infos[self._agent]
        info = {
            "action_mask": self._mask(),
            "seat": told["seat"],
            "seed": np.uint64(self._seed),
            "plies": int(self._inside._state["plies"][0]),
            "illegal_actions": self._illegal_actions,
        }
        for name in (*_OF_ROUNDS, *_AT_THE_END) if self._over else _OF_ROUNDS:
            if name in told:
                info[name] = told[name]
        return info

    def _play_on(self) -> None:
        """Play up to the learner's next decision or the end."""
        inside = self._inside
        while inside._running:
            own = inside.agent_selection == self._agent
            if own and not self._skip_forced:
                return
            legal = inside._mask.nonzero()[0]
            if len(legal) == 1:
                self._play(legal[0])
            elif own:
                return
            else:
                self._play(self._choose(legal))

    def _choose(self, legal: np.ndarray) -> Any:
        """What the bot of the seat that decides plays out of int64[n] actions."""
        inside = self._inside
        away = (int(inside.agent_selection[-1]) - self._place) % self._players
        bot = self._bots[self._places[away - 1]]
        # Each round of a match counts its decisions from 0.
        rounds = inside.match.played if isinstance(inside, RoundsEnv) else 0
        key = self._key + (rounds << 32) + int(inside._state["plies"][0])
        if type(bot) is RandomBot:
            # What it would choose, without a request: that takes ten times as long.
            number = keyed_number(int(bot.secret), key)
            return legal[min(int(number * len(legal)), len(legal) - 1)]
        return ask(
            bot,
            self.tables,
            inside.game.state,
            inside._seen[None].copy(),
            inside._legal[None].copy(),
            np.array([key & 0xFFFFFFFFFFFFFFFF], np.uint64),
        )[0]


def check_learner(learner: Any, settings: Settings, names: Sequence[str]) -> int | str:
    """The learner's place among the players, `random` or `rotating`; RequestError for no seat.

    names: what the seats are called
    """
    if isinstance(learner, str) and learner in PLACES:
        return learner
    seat = names.index(learner) if isinstance(learner, str) and learner in names else learner
    if isinstance(seat, bool) or seat not in settings.seats:
        known = ", ".join(names[one] for one in settings.seats)
        raise RequestError(
            f"learner={learner!r} must be one of {known}, {', '.join(PLACES)}", value=learner
        )
    return settings.seats.index(seat) % settings.players
