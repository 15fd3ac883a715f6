"""Ratings in Elo from who finished before whom, with intervals that know of paired games.

A game says who of those at the table came first; a game that is played out also who of the others
came second, and so on. Each of these is a choice of one bot among several, which Plackett-Luce's
model (with two bots, Bradley-Terry's) gives the chance exp(s_i) / sum_j exp(s_j). The likeliest s
are found by scipy. Read `league_result.py` and `league.py`, which plays and rates, after this file.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import log
from typing import Any, Final

import numpy as np

from sorry_env.arena.stats import Z95
from sorry_env.errors import MissingExtraError, RequestError

#: Elo for one unit of log odds: odds of 10 are 400.
SCALE: Final = 400.0 / log(10.0)


@dataclass(frozen=True, eq=False)
class Choices:
    """C choices among m bots.

    chosen: int64[C], the bot that came first
    among:  bool[C, m], those it was chosen from, itself included
    unit:   int64[C], what it belongs to; choices of different units are independent
    """

    chosen: np.ndarray
    among: np.ndarray
    unit: np.ndarray


@dataclass(frozen=True, eq=False)
class Ratings:
    """How strong m bots are.

    anchor:     the bot with 0 Elo
    elo:        float64[m]; inf for a bot that no rated one has ever come before, -inf for one that
                has never come before a rated one, nan for one that has met none of them
    covariance: float64[m, m], in Elo squared, of the rated bots; 0 for the anchor, nan for others
    """

    anchor: int
    elo: np.ndarray
    covariance: np.ndarray

    def difference(self, bot: int, other: int) -> tuple[float, float, float]:
        """How many Elo a bot is better than another and the 95 % interval; nan where unknown."""
        v = self.covariance
        if bot == other:
            return 0.0, 0.0, 0.0
        half = Z95 * np.sqrt(v[bot, bot] + v[other, other] - 2.0 * v[bot, other])
        gap = self.elo[bot] - self.elo[other]
        return float(gap), float(gap - half), float(gap + half)

    def interval(self, bot: int) -> tuple[float, float]:
        """The 95 % interval of a bot's Elo above the anchor's."""
        return self.difference(bot, self.anchor)[1:]


def fit_ratings(choices: Choices, anchor: int) -> Ratings:
    """The likeliest ratings, with 0 for the anchor.

    Intervals come from the spread of the units' scores around the likeliest strengths ("sandwich",
    P. J. Huber, "The behavior of maximum likelihood estimates under nonstandard conditions", 1967),
    so they hold for paired games, and where the model fits badly.

    Bots that are not tied to the anchor by wins both ways have no finite rating; the others' are
    then the likeliest without them. Raises RequestError if fewer than two units have a choice, and
    MissingExtraError without scipy.
    """
    m = choices.among.shape[1]
    if len(np.unique(choices.unit)) < 2:
        raise RequestError("ratings need two seeds at least with games that somebody has won",
                           value=len(choices.chosen))  # fmt: skip
    elo, rated = _place(choices, anchor)
    chosen, among, unit = _within(choices, rated)
    free = np.flatnonzero(rated & (np.arange(m) != anchor))
    covariance = np.full((m, m), np.nan)
    covariance[np.ix_(rated, rated)] = 0.0
    if len(free):
        strength, hessian = _likeliest(chosen, among, free)
        elo[free] = strength[free] * SCALE
        inverse = np.linalg.inv(hessian)
        spread = _spread(chosen, among, unit, strength, free)
        covariance[np.ix_(free, free)] = inverse @ spread @ inverse * SCALE**2
    return Ratings(anchor, elo, covariance)


def _place(choices: Choices, anchor: int) -> tuple[np.ndarray, np.ndarray]:
    """float64[m]: 0 for bots tied to the anchor, inf above, -inf below, else nan; bool[m]: tied."""
    m = choices.among.shape[1]
    before = np.eye(m, dtype=np.bool_)
    for bot in range(m):
        before[bot] |= choices.among[choices.chosen == bot].any(axis=0)
    for _ in range(m):  # a before b and b before c: a is above c
        before = (before.astype(np.int64) @ before) > 0
    above, below = before[:, anchor], before[anchor]
    elo = np.select([above & below, above, below], [0.0, np.inf, -np.inf], np.nan)
    return elo, above & below


def _within(choices: Choices, rated: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The choices of rated bots from two or more rated ones, the others left out."""
    among = choices.among & rated
    keep = rated[choices.chosen] & (among.sum(axis=1) >= 2)
    return choices.chosen[keep], among[keep], choices.unit[keep]


def _likeliest(
    chosen: np.ndarray, among: np.ndarray, free: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Strengths float64[m] in log odds, 0 but for the free bots, and the Hessian of the free ones.

    The Hessian is that of minus the log-likelihood, float64[f, f].
    """
    optimize = scipy_optimize()
    m, total = among.shape[1], len(chosen)
    sets, times = np.unique(among, axis=0, return_counts=True)
    won = np.bincount(chosen, minlength=m)

    def spread_out(part: np.ndarray) -> np.ndarray:
        whole = np.zeros(m)
        whole[free] = part
        return whole

    # Divided by the number of choices, so that the tolerance means the same for any.
    def value(part: np.ndarray) -> float:
        strength = spread_out(part)
        _, logs = _chances(sets, strength)
        return float(times @ logs - won @ strength) / total

    def slope(part: np.ndarray) -> np.ndarray:
        chances, _ = _chances(sets, spread_out(part))
        return np.asarray((times @ chances - won)[free] / total)

    def bend(part: np.ndarray) -> np.ndarray:
        chances, _ = _chances(sets, spread_out(part))
        whole = np.diag(times @ chances) - (chances * times[:, None]).T @ chances
        return np.asarray(whole[np.ix_(free, free)] / total)

    found = optimize.minimize(value, np.zeros(len(free)), jac=slope, hess=bend,
                              method="trust-exact", options={"gtol": 1e-10})  # fmt: skip
    if np.abs(slope(found.x)).max() > 1e-7:
        raise RequestError(f"no likeliest ratings found: {found.message}", value=found.x.tolist())
    return spread_out(found.x), bend(found.x) * total


def _chances(among: np.ndarray, strength: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """float64[S, m], each bot's chance in each set, and float64[S], log sum exp of the set."""
    logits = np.where(among, strength, -np.inf)
    top = logits.max(axis=1, keepdims=True)
    weights = np.exp(logits - top)
    sums = weights.sum(axis=1, keepdims=True)
    return weights / sums, (top + np.log(sums))[:, 0]


def _spread(
    chosen: np.ndarray, among: np.ndarray, unit: np.ndarray, strength: np.ndarray, free: np.ndarray
) -> np.ndarray:
    """float64[f, f]: the units' scores (slopes of the log-likelihood), squared and added up."""
    scores = -_chances(among, strength)[0]
    scores[np.arange(len(chosen)), chosen] += 1.0
    names, place = np.unique(unit, return_inverse=True)
    by_unit = np.zeros((len(names), len(free)))
    np.add.at(by_unit, place, scores[:, free])
    squares: np.ndarray = by_unit.T @ by_unit * (len(names) / max(1, len(names) - 1))
    return squares


def scipy_optimize() -> Any:
    """Scipy's module `optimize`. Raises MissingExtraError."""
    try:
        from scipy import optimize
    except ImportError as error:
        raise MissingExtraError(
            "ratings need scipy: pip install 'sorry_env[arena]'", value="scipy"
        ) from error
    return optimize
