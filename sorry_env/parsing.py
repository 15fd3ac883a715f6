"""Numbers out of texts and of values: plain decimal digits, finite, within stated bounds.

`int` and `float` read more than people mean ("²" is a digit to `str.isdigit`, "nan" a float) and
fail on whole numbers of thousands of digits. What reads a number from outside reads it here.
"""

from __future__ import annotations

import argparse
import math
import operator
import re
from dataclasses import dataclass
from typing import Any, Final

_SEED_MOST: Final = 2**64 - 1
#: Digits of the longest whole number that is read.
_MOST_DIGITS: Final = 30
_WHOLE: Final = re.compile(r"[+-]?[0-9]+(_[0-9]{3})*", re.ASCII)
_NUMBER: Final = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?", re.ASCII)


def as_integer(value: Any) -> int | None:
    """An integer of any type (Python's, numpy's, an array or tensor without dimensions) as an int.

    None for anything else, True and False included, which have an index, too.
    """
    try:
        return None if isinstance(value, bool) else operator.index(value)
    except TypeError:
        return None


def parse_whole(text: str, low: int, high: int) -> int:
    """The whole number that a text writes in decimal, from ``low`` to ``high``.

    Groups of three digits may be parted: 1_000_000. Raises ValueError in words.
    """
    short = len(text) <= 2 * _MOST_DIGITS
    value = int(text) if short and _WHOLE.fullmatch(text) else None
    if value is None or not low <= value <= high:
        most = "2**64 - 1" if high == _SEED_MOST else high
        raise ValueError(f"{shorten(text)} must be a whole number from {low} to {most}")
    return value


def parse_number(text: str, low: float, high: float, *, above: bool = False) -> float:
    """The finite number that a text writes in decimal, from ``low`` to ``high``.

    above: ``low`` itself is not allowed
    Raises ValueError in words.
    """
    short = len(text) <= 2 * _MOST_DIGITS
    value = float(text) if short and _NUMBER.fullmatch(text) else math.nan
    if not low <= value <= high or (above and value == low):
        bounds = f"above {low:g} and at most {high:g}" if above else f"from {low:g} to {high:g}"
        raise ValueError(f"{shorten(text)} must be a number {bounds}")
    return value


@dataclass(frozen=True)
class Whole:
    """A type of argparse: a whole number from ``low`` to ``high``."""

    low: int
    high: int

    def __call__(self, text: str) -> int:
        """The number that a text writes; argparse tells the user what is wrong with others."""
        try:
            return parse_whole(text, self.low, self.high)
        except ValueError as error:
            raise argparse.ArgumentTypeError(str(error)) from None


@dataclass(frozen=True)
class Number:
    """A type of argparse: a finite number from ``low`` to ``high``, or ``above`` low."""

    low: float
    high: float
    above: bool = False

    def __call__(self, text: str) -> float:
        """The number that a text writes; argparse tells the user what is wrong with others."""
        try:
            return parse_number(text, self.low, self.high, above=self.above)
        except ValueError as error:
            raise argparse.ArgumentTypeError(str(error)) from None


#: The type of all options that are seeds, as `sorry_env.engine.rng.check_seed` has it.
SEED: Final = Whole(0, _SEED_MOST)


def shorten(text: str, most: int = 40) -> str:
    """A text in quotes for a message, cut where it is long."""
    return repr(text if len(text) <= most else f"{text[: most - 3]}...")
