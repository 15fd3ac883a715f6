"""`SorryVectorEnv`: many games for one learner each, as a Gymnasium vector environment.

Step by step it gives what `gymnasium.vector.SyncVectorEnv` of `SingleEnv`s gives, in every
autoreset mode, from the batch engine. `gymnasium.make_vec` finds it by the `vector_entry_point` of
the id. Read `single.py` and `sides.py` before this file.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, ClassVar

import numpy as np
from gymnasium.utils import seeding
from gymnasium.vector import VectorEnv
from gymnasium.vector.utils import batch_space

from sorry_env.engine.arguments import check_sizes
from sorry_env.engine.batch import DEFAULT_MAX_PLIES
from sorry_env.engine.observe import OneHot
from sorry_env.envs.autoreset import AutoresetMode, check_rows, read_mode
from sorry_env.envs.infos import Infos, ends, stack_all, stack_some
from sorry_env.envs.opponents import Opponents, check_episode_seed, make_opponents, reset_bots
from sorry_env.envs.settings import check_choice, check_settings
from sorry_env.envs.sides import SideBatch
from sorry_env.envs.single import ILLEGAL, check_learner
from sorry_env.envs.spaces import action_space, observation_space
from sorry_env.errors import MoveError, RequestError
from sorry_env.families import BOARD
from sorry_env.rules import COLOURS, Ruleset
from sorry_env.view import View

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
    The other settings are those of `SingleEnv`, without ``target_score``; ``render_mode`` is None,
    `ansi` or `rgb_array`.

    Observations, actions and infos are those of `SingleEnv` in arrays, as gymnasium stacks them.
    """

    metadata: ClassVar[dict[str, Any]] = {  # type: ignore[misc]
        "render_modes": ["ansi", "rgb_array"],
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
    ) -> None:
        check_choice("illegal", illegal, ILLEGAL)
        if target_score is not None:
            raise RequestError(
                f"target_score={target_score!r}: matches of rounds are stepped one by one, with "
                "vectorization_mode='sync'",
                value=target_score,
            )
        if render_mode is not None:
            check_choice("render_mode", render_mode, self.metadata["render_modes"])
        settings = check_settings(
            ruleset,
            seats,
            reward=reward,
            observation=observation,
            illegal="raise",
            max_plies=max_plies,
            render_mode=render_mode,
            first=first,
        )
        check_sizes(num_envs, max_plies, threads)
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
        Raises as `SingleEnv.reset`; the games that were are then still there.
        """
        options = options or {}
        rows = check_rows(options.get("reset_mask"), self.num_envs)
        if not (self._begun or rows.all()):
            raise RequestError("the first reset begins all rows: no reset_mask", value=rows)
        seeds = self._check_seeds(seed, rows)
        chosen = options.get("learner")
        learner = self._learner
        if chosen is not None:
            learner = check_learner(chosen, self._settings, COLOURS)
        kept = self._table.sides.base.copy(), self._table.sides.number.copy()
        begun, self._begun = self._begun, True
        try:
            self._number(rows, seeds, begun)
            self._begin(rows, learner, options)
        except BaseException:
            self._table.sides.base[:], self._table.sides.number[:] = kept
            self._begun = begun
            raise
        for row in seeds:
            self._generators.pop(row, None)
        self._ended &= ~rows
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
        self._play(playing, self._check_actions(actions))
        if fresh.any():  # NEXT_STEP alone
            self._table.sides.number[fresh] += 1
            self._begin(fresh, self._learner, {})
        table = self._table
        terminations = table.terminated & playing
        truncations = table.truncated & playing
        rewards = np.where(playing, table.sides.payoff, 0.0)
        ended = terminations | truncations
        infos: Infos = {}
        if self._mode is not AutoresetMode.SAME_STEP:
            self._ended = ended
        elif ended.any():
            infos = self._last_words(ended)
            table.sides.number[ended] += 1
            self._begin(ended, self._learner, {})
            ended = ended & False
        infos.update(self._tell(self._all, ended))
        return self._observe(), rewards, terminations, truncations, infos

    def render(self) -> tuple[Any, ...] | None:
        """A picture of each game: `ansi` text, or `rgb_array` uint8[640, 640, 3]; or None."""
        if self.render_mode is None:
            return None
        draw = BOARD.rgb if self.render_mode == "rgb_array" else BOARD.ansi
        table = self._table
        return tuple(
            draw(View(table.tables, table.games[row : row + 1], None))
            for row in range(self.num_envs)
        )

    # -- beyond the interface -----------------------------------------------------------------

    def action_masks(self) -> np.ndarray:
        """bool[B, A], the learners' legal actions now; a copy."""
        return self._table.mask.copy()

    # -- inside -------------------------------------------------------------------------------

    def _check_seeds(self, seed: Any, rows: np.ndarray) -> dict[int, int]:
        """The seeds given to rows bool[B] that begin, by row."""
        if seed is None:
            return {}
        if isinstance(seed, (list, tuple, np.ndarray)):
            if len(seed) != self.num_envs:
                raise RequestError(
                    f"{len(seed)} seeds must be {self.num_envs}, one a row", value=len(seed)
                )
            given = enumerate(None if one is None else check_episode_seed(one) for one in seed)
        else:
            first = check_episode_seed(seed)
            check_episode_seed(first + self.num_envs - 1)
            self._np_random, self._np_random_seed = seeding.np_random(first)
            given = enumerate(range(first, first + self.num_envs))
        return {row: one for row, one in given if one is not None and rows[row]}

    def _number(self, rows: np.ndarray, seeds: dict[int, int], begun: bool) -> None:
        """Say which episodes the rows bool[B] begin, as `SingleEnv.reset` does."""
        sides = self._table.sides
        if not begun:
            sides.base[:] = self.np_random.integers(1 << 63, size=self.num_envs)
            sides.number[:] = -1
        sides.number[rows] += 1
        given = list(seeds)
        sides.base[given] = list(seeds.values())
        sides.number[given] = 0
        if len(seeds) == self.num_envs:
            reset_bots(self._table.bots)

    def _begin(self, rows: np.ndarray, learner: int | str, options: dict[str, Any]) -> None:
        self._table.begin(rows, learner, options)
        self._lost[rows] = False
        self._illegal_actions[rows] = 0

    def _check_actions(self, actions: Any) -> np.ndarray:
        """int64[B], a copy; RequestError for what are no actions, one a row."""
        chosen = np.asarray(actions)
        if chosen.shape != (self.num_envs,) or chosen.dtype.kind not in "iu":
            raise RequestError(
                f"actions must be {self.num_envs} ints, one a row, not {chosen.dtype} of shape "
                f"{chosen.shape}",
                value=actions,
            )
        return chosen.astype(np.int64)

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
            infos.update(stack_some(numbers, rows, np.int64))
        if ended.any():
            infos.update(ends(ended, self._lost, table.truncated, table.games["ranks"]))
        return infos

    def _last_words(self, ended: np.ndarray) -> Infos:
        """What rows bool[B] end with, before they begin anew."""
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
            "final_info": self._tell(ended, ended),
            "_final_info": ended.copy(),
        }
