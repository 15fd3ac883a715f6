"""`SorryVectorEnv`: many games for one learner each, as a Gymnasium vector environment.

Step by step it gives what `gymnasium.vector.SyncVectorEnv` of `SingleEnv`s gives, in every
autoreset mode, from the batch engine. `gymnasium.make_vec` finds it by the `vector_entry_point` of
the id. Read `single.py` and `sides.py` before this file.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, ClassVar

import numpy as np
from gymnasium.utils import seeding
from gymnasium.vector import VectorEnv
from gymnasium.vector.utils import batch_space

from sorry_env.engine.arguments import check_sizes
from sorry_env.engine.batch import DEFAULT_MAX_PLIES
from sorry_env.engine.observe import OneHot
from sorry_env.envs.autoreset import AutoresetMode, check_rows, read_mode
from sorry_env.envs.checks import check_options, random_state_kept, row_actions, row_seeds
from sorry_env.envs.frames import KINDS, RENDER_MODES, Frames
from sorry_env.envs.infos import Infos, ends, stack_all, stack_some, wide
from sorry_env.envs.opponents import Opponents, later_seed, make_opponents, reset_bots
from sorry_env.envs.settings import check_choice, check_settings, check_whole
from sorry_env.envs.sides import OPENINGS, SideBatch
from sorry_env.envs.single import ILLEGAL, check_learner
from sorry_env.envs.spaces import action_space, observation_space
from sorry_env.errors import MoveError, RequestError
from sorry_env.game import Game
from sorry_env.rules import COLOURS, Ruleset

Observations = np.ndarray | dict[str, np.ndarray]


class SorryVectorEnv(VectorEnv[Any, Any, Any]):
    """B games of Sorry!, one learner in each; `gymnasium.make_vec("sorry_env/Sorry-v0", B)`.

    num_envs:       B
    autoreset_mode: an `AutoresetMode` or its value: `NextStep` begins a game that has ended with
                    the next step, whose action is then ignored; `SameStep` at once, with the last
                    observation and info under ``final_obs`` and ``final_info``; `Disabled` leaves
                    it to `reset` with the option ``reset_mask``
    copy:           False hands out the environment's own arrays as observations and as the infos'
                    ``action_mask``: the next step overwrites them. All else is always new
    threads:        the games are divided among so many threads; results do not depend on it
    max_episode_steps: truncates an episode after so many steps of its learner, as Gymnasium's
                    `TimeLimit`, which `make_vec` puts round single environments; None or -1: never
    disable_env_checker: taken and not looked at: `make_vec` passes on what `make` takes, and there
                    is no single environment to check
    The other settings are those of `SingleEnv`, without ``target_score``; ``render_mode`` is None,
    `ansi`, `rgb_array`, or `ansi_list` or `rgb_array_list` for all pictures since the last ones.

    Observations, actions and infos are those of `SingleEnv` in arrays, as gymnasium stacks them.
    """

    metadata: ClassVar[dict[str, Any]] = {  # type: ignore[misc]
        "render_modes": list(KINDS),
        "render_fps": 2,
        "autoreset_mode": AutoresetMode.NEXT_STEP,
    }

    def __init__(
        self,
        num_envs: int = 1,
        ruleset: Ruleset | str = "classic",
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
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        copy: bool = True,
        threads: int = 1,
        max_episode_steps: int | None = None,
        disable_env_checker: bool | None = None,
    ) -> None:
        del disable_env_checker
        check_choice("illegal", illegal, ILLEGAL)
        if target_score is not None:
            raise RequestError(
                f"target_score={target_score!r}: matches of rounds are stepped one by one, with "
                "vectorization_mode='sync'",
                value=target_score,
            )
        if render_mode is not None:
            check_choice("render_mode", render_mode, RENDER_MODES)
        settings = check_settings(
            ruleset,
            seats,
            reward=reward,
            observation=observation,
            illegal="raise",
            max_plies=max_plies,
            render_mode=None,
            first=first,
        )
        check_sizes(num_envs, max_plies, threads)
        self._max_steps: int | None = None
        if max_episode_steps not in (None, -1):
            self._max_steps = check_whole("max_episode_steps", max_episode_steps, 1)
        tables = settings.tables
        self._settings = settings
        self._learner = check_learner(learner, settings, COLOURS)
        players = settings.players
        bots, places = make_opponents(opponents, players - 1, tables, settings.seats)
        self._table = SideBatch(
            settings, num_envs, bots, places, skip_forced=skip_forced, threads=threads
        )
        self._mode = read_mode(autoreset_mode)
        self.metadata = {**type(self).metadata, "autoreset_mode": self._mode}  # type: ignore[misc]
        self.num_envs = num_envs
        self.render_mode = render_mode
        self._frames = Frames(self._table, render_mode) if render_mode is not None else None
        self.single_observation_space = observation_space(tables, observation)
        self.single_action_space = action_space(tables)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._widen = OneHot(tables.layout) if observation == "onehot" else None
        self._illegal = illegal
        self._copy = copy
        self._all = np.ones(num_envs, np.bool_)
        self._ended = np.ones(num_envs, np.bool_)  # nobody plays before `reset`
        self._lost = np.zeros(num_envs, np.bool_)  # ended by an illegal action
        self._illegal_actions = np.zeros(num_envs, np.int64)
        self._steps = np.zeros(num_envs, np.int64)  # of the learner in this episode
        # By row, where an illegal action has been drawn for: `np_random` of the single environment.
        self._generators: dict[int, np.random.Generator] = {}
        self._begun = False

    # -- Gymnasium's interface ----------------------------------------------------------------

    def reset(
        self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observations, Infos]:
        """Begin episodes in all rows, or in those of the option ``reset_mask``, a bool[B].

        seed:    an int for row 0, the next one for row 1 and so on; a list of B; None goes on as
                 `SingleEnv.reset`
        options: those of `SingleEnv.reset`, for all rows that begin
        Raises as `SingleEnv.reset`; nothing has changed then.
        """
        table = self._table
        with random_state_kept(self):
            chosen = check_options(options, (*OPENINGS, "learner", "reset_mask"))
            rows = check_rows(chosen.get("reset_mask"), self.num_envs)
            if not (self._begun or rows.all()):
                raise RequestError("the first reset begins all rows: no reset_mask", value=rows)
            seeds = self._check_seeds(seed, rows)
            learner = self._learner
            if chosen.get("learner") is not None:
                learner = check_learner(chosen["learner"], self._settings, COLOURS)
            base, number = self._number(rows, seeds)
            given = zip(base[rows].tolist(), number[rows].tolist(), strict=True)
            games = table.open([later_seed(*one) for one in given], chosen)
        table.sides.base[:], table.sides.number[:] = base, number
        self._begun = True
        if len(seeds) == self.num_envs:
            reset_bots(table.bots)
        for row in seeds:
            self._generators.pop(row, None)
        self._begin(rows, learner, games)
        self._ended &= ~rows
        if self._frames is not None:
            self._frames.take(rows, rows)
        return self._observe(), self._tell(rows, rows & False)

    def step(self, actions: Any) -> tuple[Observations, np.ndarray, np.ndarray, np.ndarray, Infos]:
        """Play the learners' actions, and on to their next decisions or the ends.

        actions: int[B]
        Returns observations, rewards float64[B], terminations and truncations bool[B], and infos.
        Raises MoveError or RequestError as `SingleEnv.step`, before anything changes.
        """
        if not self._begun:
            raise RequestError("no game is being played: call reset() first", value=None)
        if self._mode is AutoresetMode.DISABLED and self._ended.any():
            over = np.flatnonzero(self._ended).tolist()
            raise RequestError(
                f"the episodes of rows {over} are over: reset them with the option reset_mask",
                value=over,
            )
        playing, fresh = ~self._ended, self._ended
        self._play(playing, row_actions(actions, self.num_envs))
        if fresh.any():  # NEXT_STEP alone
            self._table.sides.number[fresh] += 1
            self._begin(fresh, self._learner)
        table = self._table
        terminations = table.terminated & playing
        truncations = table.truncated & playing
        finished = terminations | truncations
        if self._max_steps is not None:
            self._steps[playing] += 1
            truncations |= playing & (self._steps >= self._max_steps)
        rewards = np.where(playing, table.sides.payoff, 0.0)
        ended = terminations | truncations
        infos: Infos = {}
        if self._mode is not AutoresetMode.SAME_STEP:
            self._ended = ended
        elif ended.any():
            infos = self._last_words(ended, finished)
            table.sides.number[ended] += 1
            self._begin(ended, self._learner)
            fresh, finished = ended, ended & False
        if self._frames is not None:
            self._frames.take(fresh, playing)
        infos.update(self._tell(self._all, finished))
        return self._observe(), rewards, terminations, truncations, infos

    def render(self) -> tuple[Any, ...] | None:
        """A picture of each game: `ansi` text, or `rgb_array` uint8[640, 640, 3]; or None.

        The `_list` modes give a list of pictures for each game: one of each reset and step of the
        episode since the last call, as Gymnasium's `RenderCollection` does.
        """
        return None if self._frames is None else self._frames.render()

    # -- beyond the interface -----------------------------------------------------------------

    def action_masks(self) -> np.ndarray:
        """bool[B, A], the learners' legal actions now; a copy."""
        return self._table.mask.copy()

    # -- inside -------------------------------------------------------------------------------

    def _check_seeds(self, seed: Any, rows: np.ndarray) -> dict[int, int]:
        """The seeds of rows bool[B] that begin, by row; a single one seeds `np_random`, too."""
        given = row_seeds(seed, self.num_envs)
        if seed is not None and not np.ndim(seed):
            self._np_random, self._np_random_seed = seeding.np_random(given[0])
        return {row: one for row, one in enumerate(given) if one is not None and rows[row]}

    def _number(self, rows: np.ndarray, seeds: dict[int, int]) -> tuple[np.ndarray, np.ndarray]:
        """Which episodes the rows bool[B] begin, as `SingleEnv.reset` does.

        Returns base uint64[B] and number int64[B] for `Sides`; those of other rows as they are.
        """
        sides = self._table.sides
        base, number = sides.base.copy(), sides.number.copy()
        if not self._begun:
            base[:] = self.np_random.integers(1 << 63, size=self.num_envs)
            number[:] = -1
        number[rows] += 1
        given = list(seeds)
        base[given] = np.array(list(seeds.values()), np.uint64)
        number[given] = 0
        return base, number

    def _begin(self, rows: np.ndarray, learner: int | str, games: Sequence[Game] = ()) -> None:
        self._table.begin(rows, learner, games)
        self._lost[rows] = False
        self._illegal_actions[rows] = 0
        self._steps[rows] = 0

    def _play(self, rows: np.ndarray, actions: np.ndarray) -> None:
        """Play actions in rows bool[B]; what is not legal becomes what the setting says."""
        table = self._table
        wrong = table.illegal(rows, actions)
        if len(wrong):
            self._refuse(wrong, actions)
            self._illegal_actions[wrong] += 1
            if self._illegal == "terminate":
                self._lost[wrong] = True
                table.lose(self._lost & rows)
            else:
                for row in wrong.tolist():
                    legal = np.flatnonzero(table.mask[row])
                    actions[row] = legal[self._generator(row).integers(len(legal))]
        table.play(rows, actions)

    def _refuse(self, wrong: np.ndarray, actions: np.ndarray) -> None:
        """Raise MoveError for actions in rows int64[k] that nothing can be made of."""
        count = self._table.num_actions
        for row in wrong.tolist():
            action = int(actions[row])
            if not 0 <= action < count:
                raise MoveError(
                    f"action {action} of row {row} must be from 0 to {count - 1}", value=action
                )
            if self._illegal == "raise":
                labels = self._table.tables.labels
                some = np.flatnonzero(self._table.mask[row])[:8].tolist()
                raise MoveError(
                    f"action {action} ({labels[action]}) is not legal in row {row}; legal are "
                    + ", ".join(labels[a] for a in some),
                    value=action,
                )

    def _generator(self, row: int) -> np.random.Generator:
        if row not in self._generators:
            self._generators[row], _ = seeding.np_random(int(self._table.sides.base[row]))
        return self._generators[row]

    def _observe(self) -> Observations:
        table = self._table
        if self._widen is not None:
            return self._widen(table.observation)
        seen = table.observation.copy() if self._copy else table.observation
        if self._settings.observation == "box":
            return seen
        return {"action_mask": self._masks(), "observation": seen}

    def _masks(self) -> np.ndarray:
        """int8[B, A]."""
        masks = self._table.mask.view(np.int8)
        return masks.copy() if self._copy else masks

    def _tell(self, rows: np.ndarray, ended: np.ndarray) -> Infos:
        """The infos of rows bool[B], of which some have just ended, as gymnasium stacks them."""
        table = self._table
        numbers = {
            "seat": table.actor,
            "seed": table.sides.seed,
            "plies": table.games["plies"],
            "illegal_actions": self._illegal_actions,
        }
        if rows is self._all:
            infos = stack_all(numbers)
            infos["action_mask"] = self._masks()
            infos["_action_mask"] = rows.copy()
        else:
            infos = stack_some({"action_mask": table.mask.view(np.int8)}, rows)
            infos.update(stack_some({name: wide(array) for name, array in numbers.items()}, rows))
        if ended.any():
            infos.update(ends(ended, self._lost, table.truncated, table.games["ranks"]))
        return infos

    def _last_words(self, ended: np.ndarray, over: np.ndarray) -> Infos:
        """What rows bool[B] end with, before they begin anew.

        over: bool[B], those whose game is over: not cut by ``max_episode_steps`` alone
        """
        rows = np.flatnonzero(ended)
        seen = self._table.observation[rows]
        last = np.full(self.num_envs, None, object)
        if self._settings.observation == "dict":
            masks = self._table.mask[rows].view(np.int8)
            for i, row in enumerate(rows.tolist()):
                last[row] = {"observation": seen[i], "action_mask": masks[i]}
        else:
            if self._widen is not None:
                seen = self._widen(seen)
            for i, row in enumerate(rows.tolist()):
                last[row] = seen[i]
        return {
            "final_obs": last,
            "_final_obs": ended.copy(),
            "final_info": self._tell(ended, over),
            "_final_info": ended.copy(),
        }
