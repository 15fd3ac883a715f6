"""How far a share that was counted may be from the true one. Read `result.py` after this file."""

from __future__ import annotations

from math import sqrt
from typing import Final

#: The normal distribution has 95 % within this many standard deviations.
Z95: Final = 1.959963984540054


def wilson(wins: int, games: int, z: float = Z95) -> tuple[float, float]:
    """Wilson's score interval for a share of ``wins`` in ``games``; (0, 1) without games.

    Source: E. B. Wilson, "Probable inference, the law of succession, and statistical inference",
    1927. It takes the games for independent. In a match they are paired: a bot that had the good
    cards in one seating has the bad ones in another, so the true interval is rather narrower.
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
