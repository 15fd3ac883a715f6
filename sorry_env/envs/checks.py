"""What every environment checks before it changes anything: options, seeds and actions.

A call that is refused leaves the game, the infos and the random state as they were. Read
`opening.py` before and `aec.py` after this file.
"""

from __future__ import annotations

import difflib
import os
import sys
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pettingzoo

from sorry_env.engine.rng import check_seed
from sorry_env.errors import RequestError

#: Option keys that a warning has told of already in this process.
_warned: set[Any] = set()
#: Folders of code that stands between `reset` and whoever called it.
_BETWEEN = tuple(
    f"{folder}{os.sep}"
    for folder in (
        Path(__file__).parents[1],
        Path(gymnasium.__file__).parent,
        Path(pettingzoo.__file__).parent / "utils",
    )
)


def check_options(options: Any, known: Sequence[str]) -> Mapping[str, Any]:
    """The options of a `reset`, {} for None; RequestError for what is no mapping.

    known: the keys that are read
    Unknown keys are taken, as PettingZoo asks, with a UserWarning that names each of them once a
    process: it may be a known one misspelt.
    """
    if options is None:
        return {}
    if not isinstance(options, Mapping):
        raise RequestError(
            f"options must be a dictionary with keys of {', '.join(known)}, not {options!r:.60}",
            value=options,
        )
    for key, value in options.items():
        if key not in known and key not in _warned and not _is_probe(key, value):
            _warn(key, known)
            _warned.add(key)
    return options


def _is_probe(key: Any, value: Any) -> bool:
    """Whether an option is what PettingZoo's tests give to see that unknown keys are taken.

    It is nobody's mistake, and those tests are run with warnings as errors.
    """
    return key == "options" and isinstance(value, int) and value == 1


def _warn(key: Any, known: Sequence[str]) -> None:
    """Warn of an unknown option, at the line that called the environment."""
    close = difflib.get_close_matches(str(key), known)
    meant = f"did you mean {' or '.join(map(repr, close))}? " if close else ""
    level, frame = 2, sys._getframe(1)
    while frame.f_back is not None and frame.f_code.co_filename.startswith(_BETWEEN):
        level, frame = level + 1, frame.f_back
    warnings.warn(
        f"reset option {str(key)[:60]!r} is not known and has no effect: {meant}"
        f"there are {', '.join(known)}",
        UserWarning,
        stacklevel=level,
    )


@contextmanager
def random_state_kept(environment: Any) -> Iterator[None]:
    """Put the random state of an environment back where what is tried inside is refused."""
    names = ("_np_random", "_np_random_seed")
    held = vars(environment)
    kept = {name: held[name] for name in names if name in held}
    generator = kept.get("_np_random")
    state = None if generator is None else generator.bit_generator.state
    try:
        yield
    except BaseException:
        for name in names:
            if name in kept:
                held[name] = kept[name]
            else:
                held.pop(name, None)
        if generator is not None:
            generator.bit_generator.state = state
        raise


def row_seeds(seed: Any, count: int) -> list[int | None]:
    """The seeds of the rows of a vector environment, None for rows that go on.

    seed: None; an int for row 0, the next one for row 1 and so on; or ``count`` of them, ints or
          None
    Raises RequestError for anything else, naming the row.
    """
    if seed is None:
        return [None] * count
    if isinstance(seed, (list, tuple)) or (isinstance(seed, np.ndarray) and seed.ndim):
        if len(seed) != count:
            raise RequestError(f"{len(seed)} seeds must be {count}, one a row", value=len(seed))
        return [
            None if one is None else check_seed(one, f"the seed of row {row}")
            for row, one in enumerate(seed)
        ]
    first = check_seed(seed)
    check_seed(first + count - 1, "the last row's seed")
    return list(range(first, first + count))


def row_actions(actions: Any, count: int) -> np.ndarray:
    """int64[count], a copy of the actions of a vector environment; RequestError for other things.

    Whether they are actions of the game, and legal, is not looked at.
    """
    try:
        chosen = np.asarray(actions)
    except ValueError:  # rows of several lengths
        chosen = np.zeros(0, object)
    if chosen.shape != (count,) or chosen.dtype.kind not in "iu":
        raise RequestError(
            f"actions must be {count} ints, one a row, not {chosen.dtype} of shape {chosen.shape}",
            value=actions,
        )
    return chosen.astype(np.int64)
