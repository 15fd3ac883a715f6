"""Solutions in files: one `.npz` each, and the folder where large ones are kept.

Read `solution.py` before this file.
"""

from __future__ import annotations

import hashlib
import math
import re
import struct
import zipfile
import zlib
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

import numpy as np

from sorry_env.errors import ModelError, RequestError
from sorry_env.files import replace_file
from sorry_env.folders import cache_folder
from sorry_env.json_text import read_json, write_json
from sorry_env.rules import COLOURS, Ruleset
from sorry_env.solve.solution import Solution, solve
from sorry_env.solve.space import Space, open_space
from sorry_env.version import __version__

#: Version of the file's contents.
FILE_FORMAT: Final = 1
#: The largest residual of a solution.
EXACT: Final = 1e-9
#: Rulesets of up to so many places are solved whenever they are needed: it takes a moment.
SOLVED_AT_ONCE: Final = 100_000


def usual_file(space: Space) -> Path | None:
    """Where the solution of a space is kept: in the user's cache folder, by version and ruleset.

    None where the user has no home directory and XDG_CACHE_HOME names no folder.
    """
    cache = cache_folder()
    if cache is None:
        return None
    name = re.sub("[^A-Za-z0-9.-]+", "_", space.tables.ruleset.name)[:80]
    seats = "-".join(COLOURS[seat] for seat in space.seats)
    folder = cache / "solutions" / f"v{FILE_FORMAT}-{__version__}"
    return folder / f"{name}-{seats}-{_digest(space)[:12]}.npz"


def save_solution(solution: Solution, path: str | Path) -> None:
    """Write a solution to a file; an old one stays whole until the new one is.

    Raises RequestError where the file cannot be written.
    """
    path = Path(path)
    about = _about(solution.space) | {
        "states": solution.states,
        "residual": solution.residual,
        "seconds": solution.seconds,
    }
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with replace_file(path) as file:
            np.savez(file, about=np.array(write_json(about)), values=solution.values)
    except OSError as error:
        raise RequestError(
            f"{path}: cannot be written: {error.strerror or error}", value=str(path)
        ) from error


def load_solution(
    path: str | Path,
    ruleset: Ruleset | str,
    seats: int | str | Iterable[int | str] | None = None,
) -> Solution:
    """The solution in a file, which must be that of this ruleset and these seats.

    Raises ModelError for anything but a whole file of this format, version and game.
    """
    return _load(Path(path), open_space(ruleset, seats))


def find_solution(space: Space) -> Solution:
    """The solution of a space: found at once where that is quick, else the one that is kept.

    Raises RequestError, naming the command that solves it, where there is none.
    """
    return _find(space.tables.ruleset, space.seats)


@lru_cache(maxsize=4)
def _find(ruleset: Ruleset, seats: tuple[int, ...]) -> Solution:
    space = open_space(ruleset, seats)
    if space.places <= SOLVED_AT_ONCE:
        return solve(ruleset, seats)
    path = usual_file(space)
    if path is None:
        raise RequestError(f"{space.words} is too large to be solved anew, and no solution can be "
                           "kept: there is no home directory; XDG_CACHE_HOME may name a folder for "
                           "it", value=ruleset.name)  # fmt: skip
    if not path.exists():
        colours = ",".join(COLOURS[seat] for seat in seats)
        raise RequestError(
            f"{space.words} is not solved yet: run `sorry solve '{ruleset.name}' --seats "
            f"{colours}`, which keeps its solution in {path}",
            value=ruleset.name,
        )
    return _load(path, space)


#: What numpy and zipfile raise for files that are spoilt, or too large for the memory.
_FAULTS: Final = (
    OSError, ValueError, KeyError, EOFError, MemoryError, OverflowError, RuntimeError,
    struct.error, zlib.error, zipfile.BadZipFile,
)  # fmt: skip


def _load(path: Path, space: Space) -> Solution:
    try:
        with path.open("rb") as opened, np.load(opened, allow_pickle=False) as file:
            about = read_json(str(file["about"]), ModelError, "its account of itself")
            values = file["values"]
    except _FAULTS as error:
        raise ModelError(f"{path} is no whole solution file: {error}", value=str(path)) from error
    wanted = _about(space)
    for key, value in wanted.items():
        found = about.get(key) if isinstance(about, dict) else None
        if found != value:
            raise ModelError(
                f"{path}: {key} is {found!r} where {value!r} is wanted; solve {space.words} anew",
                value=found,
            )
    found = {key: about.get(key) for key in ("states", "residual", "seconds")}
    for key, most in (("states", space.places), ("residual", EXACT), ("seconds", math.inf)):
        if type(found[key]) not in (int, float) or not 0 <= found[key] <= most:
            raise ModelError(
                f"{path}: {key} is {found[key]!r} and not a number from 0 to {most}",
                value=found[key],
            )
    if not _sound(space, values, found["states"]):
        raise ModelError(f"{path}: the values are not those of {space.words}", value=str(path))
    return Solution(space, values, found["residual"], found["states"], found["seconds"])


def _sound(space: Space, values: np.ndarray, states: int) -> bool:
    """Whether these are so many chances, or draws, by place."""
    if values.dtype != np.float64 or values.shape != (space.places,):
        return False
    known = values[~np.isnan(values)]
    most = np.inf if space.solo else 1.0
    return len(known) == states > 0 and known.min() >= 0.0 and known.max() <= most


def _about(space: Space) -> dict[str, Any]:
    """What a file must say of itself to be this space's."""
    return {
        "format": FILE_FORMAT,
        "version": __version__,
        "ruleset": space.tables.ruleset.name,
        "seats": [COLOURS[seat] for seat in space.seats],
        "rules": _digest(space),
    }


def _digest(space: Space) -> str:
    """Of all that the rules say: rulesets of one's own may share a name."""
    return hashlib.sha256(repr(space.tables.ruleset).encode()).hexdigest()
