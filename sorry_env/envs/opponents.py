"""Who plays the other seats of a single-agent environment, and where all its chance comes from.

`SingleEnv` plays one game and `SorryVectorEnv` many; with the same seed and actions they give the
same results, because everything about an episode follows from its seed, an int from 0 to 2**64 - 1:

- the game's chance is that of ``Game(..., seed=seed)``;
- bots draw their numbers by keys, ``episode_key(seed)`` plus the decisions made so far;
- a random learner's seat is `random_place`, a rotating one moves on by one from ``seed``;
- episode k after the one with a given seed has the seed `later_seed`.

`engine/rows.py` computes the same in a kernel. Read `bots/asking.py` before and `single.py` after
this file.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np

from sorry_env.bots.base import Bot
from sorry_env.engine.rng import mix, seed_state
from sorry_env.engine.rows import GAMMA, KEY_STREAM, PLACE_STREAM
from sorry_env.errors import RequestError
from sorry_env.families import family_of

#: What stands for the players of the other seats.
Opponents = Any  # str | Path | Bot | Callable[[Any], int] | Sequence of these

#: Ways to choose the learner's seat anew for each episode.
PLACES: Final = ("random", "rotating")

_BITS: Final = (1 << 64) - 1


class FunctionBot(Bot):
    """A bot out of a function that takes a view and returns an action or a move."""

    def __init__(self, function: Callable[[Any], Any]) -> None:
        self.function = function
        self.name = getattr(function, "__name__", type(function).__name__)

    def choose(self, view: Any) -> int:
        """See `Bot`."""
        chosen = self.function(view)
        action: int = getattr(chosen, "action", chosen)
        return action


def make_opponents(
    opponents: Opponents, count: int, tables: Any, seats: Sequence[int]
) -> tuple[tuple[Bot, ...], tuple[int, ...]]:
    """The bots of an environment, and which of them follows at each place after the learner.

    opponents: a bot's name, the path of an `.onnx` file, a Bot or a function of a view, for all
               places; or a list of these, one for each place in turn order from the learner on
    count:     how many other players there are
    tables, seats: what is played by whom, which every bot must be able to play
    Returns the bots and, for each place, an index into them. A bot that plays several places is
    one: its decisions depend on the keys alone.
    Raises RequestError for what is none of these, and what a bot's `check` raises.
    """
    if isinstance(opponents, (list, tuple)):
        if len(opponents) != count:
            raise RequestError(
                f"{len(opponents)} opponents must be {count}, one for each other player",
                value=len(opponents),
            )
        bots = tuple(_one_bot(one, tables) for one in opponents)
        places = tuple(range(count))
    else:
        bots = (_one_bot(opponents, tables),) if count else ()
        places = (0,) * count
    for bot in bots:
        bot.check(tables, seats)
    reset_bots(bots)
    return bots, places


def reset_bots(bots: Sequence[Bot]) -> None:
    """Let every bot take its randomness from its number, whatever it has played before."""
    for number, bot in enumerate(bots):
        bot.reset(number)


def _one_bot(opponent: Any, tables: Any) -> Bot:
    if isinstance(opponent, Bot):
        return opponent
    if isinstance(opponent, Path) or (isinstance(opponent, str) and _is_path(opponent)):
        # Only here, as below: most environments need none of the bots that read files.
        from sorry_env.bots.shipped import load_file

        return load_file(Path(opponent))
    if isinstance(opponent, str):
        bot: Bot = family_of(tables.ruleset).make_bot(opponent)
        return bot
    if callable(opponent) and not isinstance(opponent, type):
        return FunctionBot(opponent)
    raise RequestError(
        f"opponent {opponent!r} must be a bot's name, the path of an .onnx file, a Bot or a "
        "function of a view",
        value=opponent,
    )


def _is_path(text: str) -> bool:
    """Whether a text is the path of a file rather than a bot's name, as `value:FILE.onnx` is."""
    if not text.endswith(".onnx"):
        return False
    from sorry_env.bots.registry import BOTS

    name, colon, _ = text.partition(":")
    return not (colon and name in BOTS)


# -- what follows from an episode's seed ----------------------------------------------------------


def later_seed(seed: int, number: int) -> int:
    """The seed of the ``number``-th episode after the one that was given ``seed``."""
    if number == 0:
        return seed
    return int(mix(np.uint64((seed + number * GAMMA) & _BITS))) >> 1


def episode_key(seed: int) -> int:
    """Where the keys of an episode's decisions count from, of 64 bits."""
    return int(seed_state(seed, KEY_STREAM))


def random_place(seed: int, players: int) -> int:
    """The learner's place among the players in turn order, all equally likely."""
    return ((int(seed_state(seed, PLACE_STREAM)) >> 32) * players) >> 32


def keyed_number(secret: int, key: int) -> float:
    """What `Dice` with this secret rolls for a key: at least 0, less than 1."""
    return (_mix(_mix(key & _BITS) ^ secret) >> 11) * 2.0**-53


def _mix(z: int) -> int:
    z = (z + GAMMA) & _BITS
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & _BITS
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & _BITS
    return z ^ (z >> 31)
