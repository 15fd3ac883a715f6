"""The bots that come with the project: `best:classic` plays the files of the folder `checkpoints`.

Each folder there holds a bot for one ruleset and some numbers of seats, `classic-2` say; a name
without the number stands for all of them, and the seats of the game decide. Read `learned.py` and
`value.py` before and `registry.py` after this file.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from sorry_env.bots.base import BatchRequest, Bot, Insight
from sorry_env.bots.learned import LearnedBot
from sorry_env.bots.value import ValueBot
from sorry_env.bots.values import Judge
from sorry_env.engine.tables import RuleTables
from sorry_env.errors import ModelError, RequestError

#: The file of a policy and that of a value; each folder has one of them.
POLICY, VALUE = "bot.onnx", "value.onnx"


def shipped_folder() -> Path:
    """The folder of the shipped bots: in the installed package, or beside it in a checkout."""
    package = Path(__file__).resolve().parents[1]
    installed = package / "checkpoints"
    return installed if installed.is_dir() else package.parent / "checkpoints"


def shipped_names() -> tuple[str, ...]:
    """The folders' names, in order; `best:NAME` plays one."""
    files = (path for name in (POLICY, VALUE) for path in shipped_folder().glob(f"*/{name}"))
    return tuple(sorted(path.parent.name for path in files))


class ShippedBot(Bot):
    """Plays the files of a ruleset, each where the number of seats is its own.

    name: a folder's name (`classic-4`), or a ruleset's for all its folders (`classic`)
    Raises RequestError for a name that is not there, ModelError where a file is spoilt, and at
    `check` and at each choice where no file was trained for the game.
    """

    def __init__(self, name: str) -> None:
        known = shipped_names()
        names = [name] if name in known else [k for k in known if k.rpartition("-")[0] == name]
        if not names:
            raise RequestError(
                f"best:{name} is not shipped; there are {', '.join(known) or 'none at all'}",
                value=name,
            )
        self.name = f"best:{name}"
        self._bots = {count: bot for bot in map(_load, names) for count in bot.policy.seat_counts}

    def reset(self, seed: int) -> None:
        """See `Bot`."""
        for bot in self._bots.values():
            bot.reset(seed)

    def check(self, tables: RuleTables, seats: Sequence[int]) -> None:
        """See `Bot`."""
        self.player(len(seats)).check(tables, seats)

    def choose_batch(self, request: BatchRequest) -> np.ndarray:
        """See `Bot`."""
        chosen = np.empty(len(request), np.int32)
        for count, rows in _by_seats(request):
            chosen[rows] = self.player(count).choose_batch(_part(request, rows))
        return chosen

    def distribution(self, request: BatchRequest) -> np.ndarray:
        """See `Bot`."""
        chances = np.empty(request.mask.shape)
        for count, rows in _by_seats(request):
            chances[rows] = self.player(count).distribution(_part(request, rows))
        return chances

    @property
    def rulesets(self) -> tuple[str, ...]:
        """See `Bot`."""
        return tuple(dict.fromkeys(bot.policy.ruleset for bot in self._bots.values()))

    def insight(self, request: BatchRequest) -> Insight:
        """See `Bot`; decisions of one number of seats only."""
        (count,) = np.unique(request.seat_counts).tolist()
        return self.player(count).insight(request)

    def judge_of(self, count: int) -> Judge | None:
        """See `Bot`."""
        return self.player(count).judge_of(count)

    def player(self, count: int) -> LearnedBot | ValueBot:
        """The bot that plays games of so many seats; ModelError where there is none."""
        if count not in self._bots:
            trained = " or ".join(map(str, sorted(self._bots)))
            raise ModelError(
                f"{self.name} was trained with {trained} seats, not with {count}", value=count
            )
        return self._bots[count]


def _load(name: str) -> LearnedBot | ValueBot:
    folder = shipped_folder() / name
    if (folder / VALUE).exists():
        return ValueBot(folder / VALUE)
    return LearnedBot(folder / POLICY)


def _by_seats(request: BatchRequest) -> list[tuple[int, np.ndarray]]:
    """Numbers of seats, and the rows int[m] of the games that have so many."""
    counts = request.seat_counts
    return [(count, np.flatnonzero(counts == count)) for count in np.unique(counts).tolist()]


def _part(request: BatchRequest, rows: np.ndarray) -> BatchRequest:
    """The request for some of its rows alone."""
    if len(rows) == len(request):
        return request
    return replace(
        request,
        games=request.games[rows],
        observation=request.observation[rows],
        mask=request.mask[rows],
        keys=None if request.keys is None else request.keys[rows],
    )
