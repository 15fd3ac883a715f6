"""When a match has had games enough: a wanted half-width, or a sequential test of strength.

A match is looked at unit by unit in the order of its seeds, however many games run at once, and it
ends with the first unit that meets the rule: the same seed gives the same result. The unit is a
seed's n games, in which the bots move round; units are independent, the games of one are not.
Read `stats.py` before and `match.py` after this file.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import isfinite, log
from typing import Any, Final, Protocol

import numpy as np

from sorry_env.arena.outcomes import Luck, unit_counts, unit_luck
from sorry_env.arena.stats import (
    adjust,
    elo_of_share,
    paired_half_widths,
    paired_interval,
    share_of_elo,
)
from sorry_env.errors import RequestError

#: Half-widths are not looked at before so many units: the spread of a few is itself unsure.
FIRST_UNITS: Final = 100
#: A running match is looked at again when so many more units are complete.
STRIDE: Final = 32
#: The largest difference that an SPRT can ask for: 99.999 % of the games.
MOST_ELO: Final = 2000.0


@dataclass(frozen=True)
class Verdict:
    """How a match ended.

    decision: `H0` or `H1` was accepted, `precise` enough, or `undecided` at the most games
    words:    the same for people
    figures:  what it rests on, plain values by name
    """

    decision: str
    words: str
    figures: dict[str, float | list[float | None] | None]

    def to_dict(self) -> dict[str, Any]:
        """Plain values that JSON can hold."""
        return {"decision": self.decision, **self.figures}


class Rule(Protocol):
    """When to stop, by the first bot of n.

    ``wins`` and ``cut`` int64[U] are its `unit_counts`, ``luck`` float64[U] is its `unit_luck`, or
    None.
    """

    def first_stop(
        self, wins: np.ndarray, cut: np.ndarray, n: int, start: int, luck: np.ndarray | None = None
    ) -> int | None:
        """The least number of units above ``start`` after which to stop, None if there is none."""

    def verdict(
        self, wins: np.ndarray, cut: np.ndarray, n: int, luck: np.ndarray | None = None
    ) -> Verdict:
        """What these units, at least one, say."""


@dataclass(frozen=True)
class HalfWidth:
    """Stop when the 95 % interval of the first bot's rate is no wider than +- ``width``.

    Where luck is measured it is the rate without it (`stats.adjust`), whose interval is narrower.
    Not before `FIRST_UNITS` units. Stopping at the first narrow enough moment costs next to no
    coverage (Y. S. Chow and H. Robbins, "On the asymptotic theory of fixed-width sequential
    confidence intervals for the mean", 1965). Raises RequestError for a width not in 0 to 0.5.
    """

    width: float

    def __post_init__(self) -> None:
        if not 0.0 < self.width < 0.5:
            raise RequestError(f"half_width={self.width} must be above 0 and below 0.5",
                               value=self.width)  # fmt: skip

    def first_stop(
        self, wins: np.ndarray, cut: np.ndarray, n: int, start: int, luck: np.ndarray | None = None
    ) -> int | None:
        """See `Rule`."""
        start = max(start, FIRST_UNITS - 1)
        if luck is None:
            widths = paired_half_widths(wins / n)[start:]
        else:
            counts = range(start + 1, len(wins) + 1)
            widths = np.array([adjust(wins[:u] / n, luck[:u]).half_width for u in counts])
        narrow = np.flatnonzero(widths <= self.width)
        return start + 1 + int(narrow[0]) if len(narrow) else None

    def verdict(
        self, wins: np.ndarray, cut: np.ndarray, n: int, luck: np.ndarray | None = None
    ) -> Verdict:
        """See `Rule`."""
        shares = wins / n
        if luck is None or len(wins) < 2:
            width, what = float(paired_half_widths(shares)[-1]), ""
        else:
            width, what = adjust(shares, luck).half_width, " without luck"
        reached = width <= self.width and len(wins) >= FIRST_UNITS
        words = (
            f"95 % half-width {width:.2%}{what} after {len(wins) * n} games, wanted "
            f"{self.width:.2%}"
        )
        return Verdict(
            "precise" if reached else "undecided",
            words if reached else f"{words}: not reached",
            {"half_width": width if isfinite(width) else None, "wanted": self.width},
        )


@dataclass(frozen=True)
class Sprt:
    """Stop when the first bot is shown to be ``elo1`` (H1) or only ``elo0`` (H0) better.

    The generalised sequential probability ratio test on units' scores, which chess testing runs on
    pairs of games ("pentanomial"): the log-likelihood ratio compares the likeliest distributions
    of scores whose means are those of elo1 and of elo0, so nothing is assumed of draws, of seats
    or of the games of a unit. Sources: A. Wald, "Sequential analysis", 1947, for the bounds;
    X. Li, J. Liu and Z. Ying, "Generalized sequential probability ratio test for separate families
    of hypotheses", 2014; M. Van den Bergh, "The generalized maximum likelihood ratio for the
    expectation value of a distribution", for the formula.

    alpha, beta: chances of H1 where elo0 is true and of H0 where elo1 is true, nearly
    A game that is cut off gives every bot 1 / n; n - 1 others are taken to be equal. The verdict
    has the Elo of the mean score and its interval too (None where endless), as for a match of a
    number of games fixed before; after an early stop it lies too far out on the average.
    Raises RequestError unless elo0 < elo1, both from -2000 to 2000, and both chances are in 0 to
    0.5.
    """

    elo0: float = 0.0
    elo1: float = 20.0
    alpha: float = 0.05
    beta: float = 0.05

    def __post_init__(self) -> None:
        for name in ("elo0", "elo1"):
            elo = getattr(self, name)
            if not -MOST_ELO <= elo <= MOST_ELO:
                raise RequestError(
                    f"{name}={elo} must be from {-MOST_ELO:g} to {MOST_ELO:g}", value=elo
                )
        if not self.elo0 < self.elo1:
            raise RequestError(f"elo0={self.elo0} must be below elo1={self.elo1}", value=self.elo0)
        for name in ("alpha", "beta"):
            chance = getattr(self, name)
            if not 0.0 < chance < 0.5:
                raise RequestError(f"{name}={chance} must be above 0 and below 0.5", value=chance)

    @property
    def bounds(self) -> tuple[float, float]:
        """Log-likelihood ratios at which H0 and H1 are accepted."""
        return log(self.beta / (1 - self.alpha)), log((1 - self.beta) / self.alpha)

    def ratios(self, wins: np.ndarray, cut: np.ndarray, n: int, start: int = 0) -> np.ndarray:
        """float64[U - start], the log-likelihood ratio after start + 1, ... U units."""
        kinds = np.arange(n * n + 1)  # scores of a unit in parts of n * n: a win n, a cut game 1
        seen = (wins * n + cut)[:, None] == kinds
        return score_ratio(
            seen.cumsum(axis=0)[start:],
            kinds / (n * n),
            share_of_elo(self.elo0, n),
            share_of_elo(self.elo1, n),
        )

    def first_stop(
        self, wins: np.ndarray, cut: np.ndarray, n: int, start: int, luck: np.ndarray | None = None
    ) -> int | None:
        """See `Rule`."""
        low, high = self.bounds
        ratios = self.ratios(wins, cut, n, start)
        beyond = np.flatnonzero((ratios <= low) | (ratios >= high))
        return start + 1 + int(beyond[0]) if len(beyond) else None

    def verdict(
        self, wins: np.ndarray, cut: np.ndarray, n: int, luck: np.ndarray | None = None
    ) -> Verdict:
        """See `Rule`."""
        low, high = self.bounds
        ratio = float(self.ratios(wins, cut, n, len(wins) - 1)[0])
        decision = "H0" if ratio <= low else "H1" if ratio >= high else "undecided"
        what = {
            "H0": f"accepts H0: {self.elo0:g} Elo rather than {self.elo1:g}",
            "H1": f"accepts H1: {self.elo1:g} Elo rather than {self.elo0:g}",
            "undecided": f"is undecided between {self.elo0:g} and {self.elo1:g} Elo",
        }[decision]
        shares = (wins + cut / n) / n
        interval = [elo_of_share(bound, n) for bound in paired_interval(shares)]
        words = f"SPRT {what}, log-likelihood ratio {ratio:.2f} ({low:.2f} to {high:.2f})"
        return Verdict(
            decision,
            f"{words} after {len(wins) * n} games",
            {"llr": ratio, "lower": low, "upper": high, "elo0": self.elo0, "elo1": self.elo1,
             "alpha": self.alpha, "beta": self.beta,
             "elo": elo_of_share(float(shares.mean()), n), "elo_interval": interval},
        )  # fmt: skip


def score_ratio(counts: np.ndarray, scores: np.ndarray, mean0: float, mean1: float) -> np.ndarray:
    """Log of the greatest likelihood with mean ``mean1`` over the greatest with ``mean0``.

    counts: int or float[R, K], how often each score was seen; scores: float64[K], ascending
    Returns float64[R].
    """
    counts = np.array(counts, np.float64)
    # The likeliest distribution may put weight on the worst and best score even if neither has
    # been seen yet; a thousandth of a unit stands for that, as in chess testing.
    counts[:, [0, -1]] = np.maximum(counts[:, [0, -1]], 1e-3)
    tilts = [_tilt(counts, scores - mean) for mean in (mean0, mean1)]
    terms = [
        np.log1p(t[:, None] * (scores - m)) for t, m in zip(tilts, (mean0, mean1), strict=True)
    ]
    ratio: np.ndarray = (counts * (terms[0] - terms[1])).sum(axis=1)
    return ratio


def _tilt(counts: np.ndarray, offsets: np.ndarray) -> np.ndarray:
    """float64[R]: t with sum(counts * offsets / (1 + t * offsets)) = 0, where the weights
    counts / (1 + t * offsets) are likeliest among those with a mean offset of 0.

    offsets: float64[K], from below 0 to above 0. The sum falls in t, so halving finds the root.
    """
    low = np.full(len(counts), -1.0 / offsets[-1])
    high = np.full(len(counts), -1.0 / offsets[0])
    for _ in range(52):  # to the last bit of a double
        middle = (low + high) / 2
        falls = (counts * offsets / (1.0 + middle[:, None] * offsets)).sum(axis=1) > 0
        low, high = np.where(falls, middle, low), np.where(falls, high, middle)
    return np.asarray((low + high) / 2)


class Watch:
    """Looks at a running match: which units are complete, and whether the rule is met.

    outcomes: OUTCOME[U * n], filled as games end; units: how many count so far
    luck:     that of the same games, filled likewise, or None
    """

    def __init__(
        self,
        rule: Rule,
        outcomes: np.ndarray,
        groups: Sequence[Sequence[int]],
        luck: Luck | None = None,
    ) -> None:
        self._rule = rule
        self._luck = luck
        self._outcomes = outcomes
        self._groups = groups
        self._done = np.zeros(len(outcomes), np.bool_)
        self._looked_at = 0
        self.units = 0

    def counts(self) -> tuple[np.ndarray, np.ndarray]:
        """The first bot's `unit_counts` of the units that count so far."""
        return unit_counts(self._outcomes[: self.units * len(self._groups)], self._groups)

    def lucks(self) -> np.ndarray | None:
        """Its `unit_luck` of them; None where luck is not measured."""
        if self._luck is None:
            return None
        return unit_luck(self._luck, self._outcomes[: self.units * len(self._groups)], self._groups)

    def verdict(self) -> Verdict:
        """What the rule says of them."""
        return self._rule.verdict(*self.counts(), len(self._groups), self.lucks())

    def add(self, numbers: np.ndarray) -> bool:
        """Note that games int[k] have ended; True when the match is over."""
        n = len(self._groups)
        self._done[numbers] = True
        ahead = self._done[self.units * n :]
        self.units += (len(ahead) if ahead.all() else int(ahead.argmin())) // n
        complete = self.units * n == len(self._outcomes)
        if self.units < self._looked_at + STRIDE and not complete:
            return False
        stop = self._rule.first_stop(*self.counts(), n, self._looked_at, self.lucks())
        self._looked_at = self.units
        self.units = stop or self.units
        return complete or stop is not None
