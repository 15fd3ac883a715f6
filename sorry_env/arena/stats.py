"""How far a share that was counted may be from the true one, and shares as Elo.

Read `stopping.py` and `result.py` after this file.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import log10, sqrt
from typing import Final

import numpy as np

from sorry_env.errors import RequestError

#: The normal distribution has 95 % within this many standard deviations.
Z95: Final = 1.959963984540054


def wilson(wins: int, games: int, z: float = Z95) -> tuple[float, float]:
    """Wilson's score interval for a share of ``wins`` in ``games``; (0, 1) without games.

    Source: E. B. Wilson, "Probable inference, the law of succession, and statistical inference",
    1927. It takes the games for independent. In a match they are paired: a bot that had the good
    cards in one seating has the bad ones in another, so the true interval is rather narrower:
    `paired_interval`.
    """
    if games == 0:
        return 0.0, 1.0
    share = wins / games
    spread = z * z / games
    middle = share + spread / 2
    half = sqrt(spread * (share * (1 - share) + spread / 4))
    low, high = (middle - half) / (1 + spread), (middle + half) / (1 + spread)
    # At the ends the interval reaches 0 or 1 exactly; rounding must not say otherwise.
    return (0.0 if wins == 0 else low), (1.0 if wins == games else high)


def paired_half_widths(shares: np.ndarray, z: float = Z95) -> np.ndarray:
    """float64[U]: half the interval of the mean of the first 1, 2, ... U units.

    shares: float64[U], a bot's share of each unit, 0 to 1. Units are independent, games of a unit
            are not, so the spread is that of the units. It is taken as if two more units had been
            seen, one won and one lost altogether: units that happen to be all alike do not give an
            interval of no width, and for many units it makes no difference.
    """
    count = np.arange(1, len(shares) + 1)
    mean = shares.cumsum() / count
    squares = (shares**2).cumsum() - count * mean**2
    spread = np.maximum(squares, 0.0) + mean**2 + (1.0 - mean) ** 2
    widths: np.ndarray = z * np.sqrt(spread) / count
    return widths


def paired_interval(shares: np.ndarray) -> tuple[float, float]:
    """The 95 % interval of the mean of units' shares float64[U], within 0 and 1."""
    if len(shares) == 0:
        return 0.0, 1.0
    mean, half = float(shares.mean()), float(paired_half_widths(shares)[-1])
    return max(0.0, mean - half), min(1.0, mean + half)


@dataclass(frozen=True)
class Adjusted:
    """A share from which luck has been taken out.

    rate:        the share that is left; it may lie a little outside 0 to 1
    low, high:   its 95 % interval
    luck:        what has been taken out
    coefficient: how much of the measured luck that was
    variance:    what is left of the units' variance; 1 / variance times the games would be needed
                 for an interval as narrow without it. None where there was none before
    """

    rate: float
    low: float
    high: float
    luck: float
    coefficient: float
    variance: float | None

    @property
    def half_width(self) -> float:
        """Half the width of the interval."""
        return (self.high - self.low) / 2


def adjust(shares: np.ndarray, luck: np.ndarray) -> Adjusted:
    """Take luck out of the mean of units' shares.

    shares: float64[U], a bot's share of each unit; units are independent, two at least
    luck:   float64[U], something of each unit with a true mean of exactly 0
    The coefficient is the slope of shares over luck, 1 if luck is measured in true chances. It is
    taken from one half of the units for the other, so it is independent of the luck that it is
    applied to, and the mean stays exactly where it is. Of a half without spread it is 1. Raises
    RequestError for fewer than two units.
    """
    if len(shares) < 2:
        raise RequestError("luck can be taken out of two seeds or more, not of one", value=shares)
    second = np.arange(len(shares)) >= len(shares) // 2
    slopes = [_slope(shares[half], luck[half]) for half in (second, ~second)]
    coefficient = np.where(second, slopes[1], slopes[0])
    left = shares - coefficient * luck
    half = float(paired_half_widths(left)[-1])
    rate, spread = float(left.mean()), float(shares.var())
    return Adjusted(
        rate, rate - half, rate + half, float(shares.mean()) - rate, float(coefficient.mean()),
        float(left.var()) / spread if spread > 0.0 else None,
    )  # fmt: skip


def _slope(shares: np.ndarray, luck: np.ndarray) -> float:
    """The slope of the straight line through units that fits best; 1 where luck has no spread."""
    off = luck - luck.mean()
    spread = float(off @ off)
    return float(off @ shares) / spread if spread > 0.0 else 1.0


def share_of_elo(elo: float, n: int = 2) -> float:
    """The share of games a bot wins against n - 1 equal ones that it is ``elo`` better than.

    Bradley-Terry's model for n = 2, Plackett-Luce's for more: odds of 10 ** (elo / 400) against
    each of them.
    """
    return float(1.0 / (1.0 + (n - 1) * 10.0 ** (-elo / 400.0)))


def elo_of_share(share: float, n: int = 2) -> float | None:
    """The Elo that `share_of_elo` turns into this share; None for 0 and 1, where it is endless."""
    if not 0.0 < share < 1.0:
        return None
    return 400.0 * log10(share * (n - 1) / (1.0 - share))
