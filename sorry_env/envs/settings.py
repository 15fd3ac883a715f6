"""The settings of an environment, checked once when it is made.

Read `spaces.py` before and `aec.py` after this file.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from os import PathLike
from typing import Any

from sorry_env.engine.arguments import first_seat, reward_code
from sorry_env.engine.tables import compile_rules
from sorry_env.envs.spaces import PROFILES
from sorry_env.errors import RequestError
from sorry_env.parsing import as_integer
from sorry_env.rules import Ruleset, choose_seats, load_ruleset

#: What becomes of an action that is not legal.
ILLEGAL_MODES = ("raise", "terminate", "forfeit")
#: The default by profile. With the mask in the observation an illegal action is a mistake in the
#: caller's program and is said so. Who takes the bare vector may not know of masks at all, and
#: many programs for such spaces try any action: there it loses the game.
_USUAL_ILLEGAL = {"dict": "raise", "box": "forfeit", "onehot": "forfeit"}
RENDER_MODES = ("human", "ansi", "rgb_array")
#: What the infos hold: everything, or the masks alone, which any library can make tensors of.
INFOS = ("all", "mask")


@dataclass(frozen=True)
class Settings:
    """What `raw_env` was asked for, every value known to be possible; see there.

    tables: the compiled ruleset
    seats:  the seated colours in turn order
    """

    tables: Any  # RuleTables, or those of another game
    seats: tuple[int, ...]
    reward: str
    observation: str
    illegal: str
    max_plies: int
    render_mode: str | None
    first: int | str | None
    infos: str = "all"

    @property
    def one_agent_a_team(self) -> bool:
        """Whether one agent plays both colours of a team."""
        return bool(self.tables.ruleset.teams == "two")

    @property
    def players(self) -> int:
        """How many agents play."""
        return 2 if self.one_agent_a_team else len(self.seats)


def check_settings(
    ruleset: Ruleset | str | PathLike[str],
    seats: int | str | Iterable[int | str] | None,
    *,
    reward: str,
    observation: str,
    illegal: str | None,
    max_plies: int,
    render_mode: str | None,
    first: int | str | None,
    infos: str = "all",
) -> Settings:
    """The settings, or RulesetError or RequestError with the first that cannot be."""
    tables = compile_rules(load_ruleset(ruleset))
    seated = choose_seats(tables.ruleset, seats)
    reward_code(tables.ruleset, reward)
    first_seat(first, seated)
    return make_settings(
        tables,
        seated,
        reward=reward,
        observation=observation,
        illegal=illegal,
        max_plies=max_plies,
        render_mode=render_mode,
        first=first,
        infos=infos,
    )


def make_settings(
    tables: Any,
    seats: tuple[int, ...],
    *,
    reward: str,
    observation: str,
    illegal: str | None,
    max_plies: int,
    render_mode: str | None,
    first: int | str | None,
    infos: str = "all",
) -> Settings:
    """The settings of whatever game, or RequestError with the first that cannot be.

    tables, seats, reward, first: known to be possible
    """
    check_choice("observation", observation, PROFILES)
    illegal = _USUAL_ILLEGAL[observation] if illegal is None else illegal
    check_choice("illegal", illegal, ILLEGAL_MODES)
    if render_mode is not None:
        check_choice("render_mode", render_mode, RENDER_MODES)
    check_choice("infos", infos, INFOS)
    limit = check_whole("max_plies", max_plies, 1)
    return Settings(tables, seats, reward, observation, illegal, limit, render_mode, first, infos)


def check_choice(name: str, value: Any, choices: Sequence[str]) -> None:
    """RequestError unless a setting is one of its choices."""
    if value not in choices:
        raise RequestError(f"{name}={value!r} must be one of {', '.join(choices)}", value=value)


def check_whole(name: str, value: Any, least: int) -> int:
    """A setting as an int of at least ``least``; RequestError for anything else."""
    number = as_integer(value)
    if number is None or number < least:
        raise RequestError(f"{name}={value!r} must be a whole number from {least}", value=value)
    return number
