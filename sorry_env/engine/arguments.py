"""Checks of the arguments of `Batch`: each refusal names the value and says what would be right.

All checks come before any change. `batch.py` is the file to read next.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from numbers import Integral
from typing import Any, Final

import numpy as np

from sorry_env.engine.results import POINTS, RANK, WIN
from sorry_env.engine.rng import check_seed
from sorry_env.engine.turn import RANDOM_FIRST
from sorry_env.errors import RequestError
from sorry_env.parsing import as_integer
from sorry_env.rules import Ruleset, parse_colour

REWARDS: Final[dict[str, int]] = {"win": WIN, "rank": RANK, "points": POINTS}
OBSERVATIONS: Final = ("compact", "onehot")

#: Counts of decisions and rows of afterstates are int32.
MAX_COUNT: Final = 2**31 - 1
MAX_THREADS: Final = 256


def check_int(name: str, value: Any, low: int, high: int) -> int:
    """``value`` as a plain int from ``low`` to ``high``.

    Any integer type will do; True and False are none. Raises RequestError for anything else.
    """
    number = as_integer(value)
    if number is None or not low <= number <= high:
        raise RequestError(
            f"{name}={show(value)} must be an integer from {low} to {high}", value=value
        )
    return number


def check_flag(name: str, value: Any) -> bool:
    """``value`` as a plain bool; RequestError for anything but True and False."""
    if not isinstance(value, (bool, np.bool_)):
        raise RequestError(f"{name}={show(value)} must be True or False", value=value)
    return bool(value)


def check_word(name: str, value: Any, words: Sequence[str]) -> str:
    """``value`` if it is one of ``words``; RequestError otherwise."""
    if not isinstance(value, str) or value not in words:
        raise RequestError(f"{name} {show(value)} must be one of {', '.join(words)}", value=value)
    return value


def show(value: Any) -> str:
    """A value for a message: its repr, shortened; Python refuses to write out huge numbers."""
    if isinstance(value, int) and value.bit_length() > 300:
        return "a huge number"
    text = repr(value)
    return text if len(text) <= 100 else text[:97] + "..."


def check_sizes(size: Any, max_plies: Any, threads: Any) -> tuple[int, int, int]:
    """The three as plain ints; RequestError unless a batch can have these."""
    return (
        check_int("size", size, 1, MAX_COUNT),
        check_int("max_plies", max_plies, 1, MAX_COUNT),
        check_int("threads", threads, 1, MAX_THREADS),
    )


def check_memory(size: int, bytes_per_game: int) -> None:
    """RequestError where the arrays of ``size`` games are larger than the machine's memory."""
    memory = _physical_memory()
    if memory is not None and size * bytes_per_game > memory:
        raise RequestError(
            f"size={size} needs {size * bytes_per_game / 2**30:,.0f} GiB, {bytes_per_game:,} bytes "
            f"a game; this machine has {memory / 2**30:,.0f} GiB: at most "
            f"{memory // bytes_per_game} games fit",
            value=size,
        )


def _physical_memory() -> int | None:
    """Bytes of memory of this machine, None where the system does not say."""
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):  # no such function, no such name
        return None


def reward_code(ruleset: Ruleset, reward: str) -> int:
    """The kernels' number of a reward's name; RequestError where the ruleset has no such reward."""
    check_word("reward", reward, tuple(REWARDS))
    if reward == "rank" and not ruleset.play_out:
        raise RequestError(
            f"reward 'rank' needs a ruleset that is played out, such as "
            f"{ruleset.edition}?play_out=true, not {ruleset.name}",
            value=reward,
        )
    if reward == "points" and not ruleset.pawn_points:
        raise RequestError(
            f"reward 'points' needs a ruleset with scores, such as points, not {ruleset.name}",
            value=reward,
        )
    return REWARDS[reward]


def first_seat(first: int | str | None, seats: Sequence[int]) -> int:
    """The seat that begins, or RANDOM_FIRST; RequestError for a colour that is not seated."""
    if first is None:
        return seats[0]
    if isinstance(first, str):
        if first == "random":
            return RANDOM_FIRST
        seat: Any = parse_colour(first)
    else:
        seat = first
    if not isinstance(seat, Integral) or isinstance(seat, bool) or int(seat) not in seats:
        raise RequestError(f"first={show(first)} must be a seated colour or 'random'", value=first)
    return int(seat)


def as_int_array(name: str, values: Any, shape: tuple[int, ...]) -> np.ndarray:
    """``values`` as an array of any integer dtype and this shape; RequestError otherwise."""
    try:
        array = values if type(values) is np.ndarray else np.asarray(values)
    except (TypeError, ValueError, RuntimeError, OverflowError) as error:
        reason = (str(error).splitlines() or [type(error).__name__])[0]
        raise RequestError(
            f"{name} must be {_described(shape)}; they are no array: {reason}", value=values
        ) from None
    if array.shape != shape or array.dtype.kind not in "iu":
        raise RequestError(
            f"{name} must be {_described(shape)}, not {array.dtype}{list(array.shape)}",
            value=values,
        )
    return array


def _described(shape: tuple[int, ...]) -> str:
    return f"int[{', '.join(map(str, shape))}], one integer for each game"


def as_bool_mask(name: str, mask: Any, shape: tuple[int, ...]) -> np.ndarray:
    """A mask as bool[shape], without a copy where it is bool or int8 in one piece of memory.

    Environments hand out int8 masks of 0 and 1, as PettingZoo has it; batches and files of policies
    take bool. Raises RequestError, naming the conversion, for other dtypes, shapes and values.
    """
    if np.shape(mask) != shape:
        raise RequestError(
            f"{name} must be bool{list(shape)}, not of shape {list(np.shape(mask))}",
            value=np.shape(mask),
        )
    if isinstance(mask, np.ndarray) and mask.dtype == np.bool_:
        return mask
    if isinstance(mask, np.ndarray) and mask.dtype == np.int8 and ((mask & ~1) == 0).all():
        return mask.view(np.bool_)
    kind = str(getattr(mask, "dtype", type(mask).__name__))
    numbers = " of other numbers" if kind == "int8" else ""
    raise RequestError(
        f"{name} must be bool, or int8 of 0 and 1 as the environments have it, not "
        f"{kind}{numbers}: np.asarray(mask).astype(bool) makes one",
        value=kind,
    )


def as_seeds(name: str, seeds: Any, count: int) -> np.ndarray:
    """uint64[count] of integers from 0 to 2**64 - 1, an array or a sequence of them."""
    if isinstance(seeds, np.ndarray) and seeds.dtype.kind in "iu":
        array = as_int_array(name, seeds, (count,))
        if array.dtype.kind == "i" and (array < 0).any():
            check_seed(array[np.argmax(array < 0)], f"{name}[{int(np.argmax(array < 0))}]")
        return array.astype(np.uint64)
    try:
        listed = list(seeds)
    except TypeError:
        listed = [seeds] * (count + 1)  # one value for all is not taken
    if not isinstance(seeds, (np.ndarray, Sequence)) or len(listed) != count:
        raise RequestError(
            f"{name} must be {count} integers from 0 to 2**64 - 1, one for each game, not "
            f"{show(seeds)}",
            value=seeds,
        )
    return np.array([check_seed(s, f"{name}[{i}]") for i, s in enumerate(listed)], np.uint64)


def as_rows(name: str, rows: Any, size: int) -> np.ndarray:
    """int64[k], rows of a batch of ``size`` games, each named once."""
    try:
        given = np.asarray(rows) if isinstance(rows, (np.ndarray, Sequence)) else None
    except ValueError:  # rows of different lengths
        given = None
    if given is not None and given.shape == (0,) and given.dtype.kind != "b":
        return np.zeros(0, np.int64)
    if given is None or given.ndim != 1 or given.dtype.kind not in "iu":
        is_mask = given is not None and given.dtype.kind == "b"
        hint = "; np.flatnonzero makes rows of a mask" if is_mask else ""
        raise RequestError(
            f"{name} must be int[k], rows of the batch, not {show(rows)}{hint}", value=rows
        )
    outside = (given < 0) | (given >= size)
    if outside.any():
        bad = given[np.argmax(outside)]
        raise RequestError(f"{name} holds {bad}; they must be from 0 to {size - 1}", value=bad)
    array = given.astype(np.int64)
    values, counts = np.unique(array, return_counts=True)
    if (counts > 1).any():
        bad = values[np.argmax(counts > 1)]
        raise RequestError(f"{name} names row {bad} more than once", value=bad)
    return array
