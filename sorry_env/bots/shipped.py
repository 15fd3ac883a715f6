"""The bots that come with the project: `best:classic` plays the files of the folder `checkpoints`.

Each folder there holds one `.onnx` file. Which ruleset and which numbers of seats it is for, and
whether it is a policy or a value, is read from the file (`model_file.py`); the folder's name is a
name and nothing else. `best:RULESET` stands for all files of a ruleset, and the seats of the game
decide which of them plays; `best:FOLDER` is one of them alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from sorry_env.bots import model_file
from sorry_env.bots.base import BatchRequest, Bot, Insight
from sorry_env.bots.learned import LearnedBot
from sorry_env.bots.model_file import ModelFacts, read_facts
from sorry_env.bots.value import ValueBot
from sorry_env.bots.values import Judge
from sorry_env.engine.tables import RuleTables
from sorry_env.errors import ModelError, RequestError

#: How the trainer names the file of a policy and that of a value.
POLICY, VALUE = "bot.onnx", "value.onnx"


@dataclass(frozen=True)
class ShippedFile:
    """A shipped bot: the name of its folder, its file, and what the file says it is."""

    name: str
    path: Path
    facts: ModelFacts


def shipped_folder() -> Path:
    """The folder of the shipped bots: in the installed package, or beside it in a checkout."""
    package = Path(__file__).resolve().parents[1]
    installed = package / "checkpoints"
    return installed if installed.is_dir() else package.parent / "checkpoints"


def shipped_names() -> tuple[str, ...]:
    """The folders' names, in order; `best:NAME` plays one."""
    return tuple(sorted(path.parent.name for path in _paths()))


def shipped_files() -> tuple[list[ShippedFile], list[ModelError]]:
    """The shipped bots by the names of their folders, and why other files there are none."""
    files, faults = [], []
    for path in _paths():
        try:
            files.append(ShippedFile(path.parent.name, path, read_facts(path)))
        except ModelError as error:
            faults.append(error)
    return files, faults


def _paths() -> list[Path]:
    return sorted(shipped_folder().glob("*/*.onnx"))


def load_file(path: Path) -> LearnedBot | ValueBot:
    """The bot of an `.onnx` file of either kind; ModelError for a file that is no bot."""
    return ValueBot(path) if read_facts(path).kind == model_file.VALUE else LearnedBot(path)


class ShippedBot(Bot):
    """Plays the files of a ruleset, each where the number of seats is its own.

    name: a ruleset's for all its files (`classic`), or a folder's for one (`classic-4`)
    Raises RequestError for a name that is not there, ModelError where a file is spoilt, and at
    `check` and at each choice where no file was trained for the game.
    """

    def __init__(self, name: str) -> None:
        files, faults = shipped_files()
        chosen = [file for file in files if file.facts.account.ruleset == name]
        chosen = chosen or [file for file in files if file.name == name]
        if not chosen:
            known = ", ".join(shipped_names()) or "none at all"
            spoilt = "".join(f"; {fault.message}" for fault in faults)
            raise RequestError(f"best:{name} is not shipped; there are {known}{spoilt}", value=name)
        self.name = f"best:{name}"
        self._bots: dict[int, LearnedBot | ValueBot] = {}
        for file in chosen:
            bot = load_file(file.path)
            for count in bot.policy.seat_counts:
                if count in self._bots:
                    other = self._bots[count].policy.path
                    raise ModelError(
                        f"{self.name}: {other} and {file.path} are both for {count} seats",
                        value=count,
                    )
                self._bots[count] = bot

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
