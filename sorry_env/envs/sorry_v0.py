"""`env`, `raw_env` and `parallel_env`: the doors to the environment, as PettingZoo names them.

Rewards come once, at the end, and are 0 until then:

| end                          | reward                 | each agent gets                         |
| ---------------------------- | ---------------------- | --------------------------------------- |
| a colour or team finishes    | `win`                  | winners +1, the others share as much    |
|                              |                        | of a loss: -1, -1/2, -1/3; teams +1, -1 |
|                              | `points` (rulesets     | the score of the edition, 0 or more;    |
|                              | with scores)           | partners each their team's              |
| all but one have finished    | `rank`                 | +1 for the first, -1 for the last, in   |
|                              | (`?play_out=true`)     | equal steps between                     |
| `max_plies` decisions        | any                    | 0                                       |
| an illegal action, `raise`   | any                    | nothing happens, MoveError              |
| ... `terminate`              | any                    | the offender (its team) -1, the others 0|
| ... `forfeit`                | `win`                  | the offender -1, the others share +1;   |
|                              |                        | teams -1, +1; one who has won keeps +1  |
| ... `forfeit`                | `rank`                 | finished colours keep their places, the |
|                              |                        | offender is last, the rest share        |
| ... `forfeit`                | `points`               | the offender (its team) -1, the others  |
|                              |                        | the points of their pawns that are Home |

They sum to zero, except for `points`, for `terminate` and where one seat plays alone (`solo`: +1
for the end). `points` are the raw scores (0 to 140 in `points` with two seats): scale them for
learning.

With ``target_score`` an episode is a match of several rounds; `rounds.py` says what is paid then.

Read `aec.py` before this file.
"""

from __future__ import annotations

from collections.abc import Iterable
from os import PathLike
from typing import Any

from sorry_env.engine.batch import DEFAULT_MAX_PLIES
from sorry_env.envs.aec import SorryEnv
from sorry_env.envs.parallel import ParallelSorryEnv
from sorry_env.envs.rounds import RoundsEnv
from sorry_env.envs.settings import check_settings
from sorry_env.envs.wrapper import CheckedEnv
from sorry_env.rounds import check_target
from sorry_env.rules import Ruleset


def raw_env(
    ruleset: Ruleset | str | PathLike[str] = "classic",
    seats: int | str | Iterable[int | str] | None = None,
    *,
    reward: str = "win",
    observation: str = "dict",
    illegal: str | None = None,
    max_plies: int = DEFAULT_MAX_PLIES,
    render_mode: str | None = None,
    first: int | str | None = None,
    target_score: int | None = None,
    infos: str = "all",
) -> SorryEnv:
    """An environment without PettingZoo's wrappers, about as quick as PettingZoo can be.

    ruleset:     a Ruleset, its name, such as `classic` or `classic?play_out=true`, or its YAML
                 file, `house.yaml` or `house.yaml?pawns=2`: see `rules.load_ruleset`
    seats:       a number, `red,yellow`, or colours as names or indices; None for the usual number
    reward:      `win`, `points` for rulesets with scores, `rank` for those that are played out; the
                 table above
    observation: `dict`, {"observation", "action_mask"}; `box`, the vector alone, for libraries
                 that take no dictionaries; `onehot`, its entries as one-hots; the mask is in the
                 infos of all
    illegal:     `raise` (the default for `dict`): MoveError in words, nothing changes, for a
                 masked action is a mistake of the caller; `terminate`: the game ends, -1 for the
                 offender, 0 for the others; `forfeit` (the default else, whose users may try
                 any action): the game ends, lost by the offender, won by the others
    max_plies:   decisions after which all agents are truncated, with `max_plies` as the reason
    render_mode: None, `ansi`, `rgb_array` or `human`
    first:       the colour that begins, `random`, or None for the first seated
    target_score: play rounds until a seat has so many points (rulesets with scores): `rounds.py`
    infos:       `all`, as the environment's class lists them, or `mask`, the masks alone, for
                 libraries such as TorchRL that make tensors of all infos and stumble over words
    Raises RulesetError or RequestError for settings that cannot be.
    """
    settings = check_settings(
        ruleset,
        seats,
        reward=reward,
        observation=observation,
        illegal=illegal,
        max_plies=max_plies,
        render_mode=render_mode,
        first=first,
        infos=infos,
    )
    if target_score is None:
        return SorryEnv(settings)
    return RoundsEnv(settings, check_target(settings.tables.ruleset, target_score))


def env(
    ruleset: Ruleset | str | PathLike[str] = "classic",
    seats: int | str | Iterable[int | str] | None = None,
    **settings: Any,
) -> CheckedEnv:
    """`raw_env`, with the same settings, in PettingZoo's checks: bounds of actions, order of calls.

    An action outside the action space is an AssertionError here, as everywhere in PettingZoo.
    """
    return CheckedEnv(raw_env(ruleset, seats, **settings))


def parallel_env(
    ruleset: Ruleset | str | PathLike[str] = "classic",
    seats: int | str | Iterable[int | str] | None = None,
    **settings: Any,
) -> ParallelSorryEnv:
    """`raw_env`, with the same settings, by PettingZoo's parallel interface: see `parallel.py`."""
    return ParallelSorryEnv(raw_env(ruleset, seats, **settings))
