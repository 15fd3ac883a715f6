"""Asking a bot for its decisions in many games at once, and checking what it answers.

Matches and environments ask here. Read `base.py` before and `../arena/match.py` after this file.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from sorry_env.bots.base import Bot
from sorry_env.errors import MoveError
from sorry_env.families import family_of


def ask(
    bot: Bot,
    tables: Any,
    games: np.ndarray,
    observation: np.ndarray,
    mask: np.ndarray,
    keys: np.ndarray | None,
) -> np.ndarray:
    """What a bot chooses in n games, as int32[n].

    tables:      the compiled rules of whichever game
    games:       GAME[n]; the bot is given copies without what it cannot know
    observation: int8[n, O] of the seats that decide, the bot's to keep
    mask:        bool[n, A]; the bot is given a copy, so that the answer is checked by ours
    keys:        uint64[n] or None, see `BatchRequest`
    Raises MoveError, naming bot, action and position, for anything but a legal action in each game.
    """
    request = family_of(tables.ruleset).BatchRequest(tables, games, observation, mask.copy(), keys)
    return check_answer(bot, tables, games, mask, bot.choose_batch(request))


def check_answer(
    bot: Bot, tables: Any, games: np.ndarray, mask: np.ndarray, chosen: Any
) -> np.ndarray:
    """What a bot chose as int32[n], or MoveError for anything but a legal action in each row."""
    try:
        answer = np.asarray(chosen)
    except ValueError:  # rows of different lengths
        answer = np.empty((), object)
    rows = len(games)
    if answer.shape != (rows,) or answer.dtype.kind not in "iu":
        raise MoveError(
            f"bot {bot.name} must choose {rows} actions as ints in one dimension, not "
            f"{answer.dtype} of shape {answer.shape}",
            value=chosen,
        )
    known = (answer >= 0) & (answer < tables.num_actions)
    right = mask[np.arange(rows), np.where(known, answer, 0)] & known
    if right.all():
        return answer.astype(np.int32)
    at = int(np.flatnonzero(~right)[0])
    action = int(answer[at])
    label = f" ({tables.labels[action]})" if known[at] else ""
    some = np.flatnonzero(mask[at])[:8].tolist()
    listed = ", ".join(f"{a} ({tables.labels[a]})" for a in some)
    family = family_of(tables.ruleset)
    position = family.write(family.View(tables, games[at : at + 1], None))
    raise MoveError(
        f"bot {bot.name} chose action {action}{label}, which is not legal in {position}; "
        f"legal are {listed}",
        value=action,
    )
