"""Matches of several rounds: points add up until somebody has as many as was agreed.

For rulesets with scores. The turn to begin moves on by one seat from round to round, as the deal
does. Read `game.py` before this file; `envs/rounds.py`, `arena/match.py`, `cli/play.py` and
`web/match.py` play such matches.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from sorry_env.engine.state import SEATS
from sorry_env.errors import RequestError


@dataclass(frozen=True)
class Rounds:
    """How a match stands; it never changes, `add` gives the next one.

    seats:        the seated colours in turn order
    target_score: points that end the match once a seat has them after a round
    first:        the seat that begins the round being played
    played:       rounds played to the end
    totals:       points by seat; partners have their team's, each the same
    """

    seats: tuple[int, ...]
    target_score: int
    first: int
    played: int = 0
    totals: tuple[float, ...] = (0.0,) * SEATS

    def add(self, points: Sequence[float]) -> Rounds:
        """The match after a round that brought these points by seat."""
        totals = tuple(had + got for had, got in zip(self.totals, points, strict=True))
        following = self.seats[(self.seats.index(self.first) + 1) % len(self.seats)]
        return replace(self, played=self.played + 1, totals=totals, first=following)

    @property
    def over(self) -> bool:
        """Whether a seat has the points that were agreed."""
        return max(self.totals) >= self.target_score

    @property
    def winners(self) -> tuple[int, ...]:
        """The seats with the most points when the match is over, else ()."""
        most = max(self.totals)
        return tuple(s for s in self.seats if self.over and self.totals[s] == most)

    def returns(self, reward: str) -> tuple[float, ...]:
        """By seat: the totals (`points`), or what the finished match is worth (`win`).

        `win`: the winners +1, the others share the same total as a loss; 0 for all where all have
        equally many points, and while the match goes on.
        """
        if reward == "points":
            return self.totals
        winners = self.winners
        losers = len(self.seats) - len(winners)
        if not winners or not losers:
            return (0.0,) * SEATS
        loss = -len(winners) / losers
        return tuple(
            (1.0 if seat in winners else loss) if seat in self.seats else 0.0
            for seat in range(SEATS)
        )


def check_target(ruleset: Any, target_score: object) -> int:
    """A target score as an int of 1 or more.

    Raises RequestError for anything else, and where the ruleset has no scores.
    """
    if isinstance(target_score, bool) or not isinstance(target_score, int) or target_score < 1:
        raise RequestError(
            f"target_score={target_score!r} must be a whole number from 1", value=target_score
        )
    if not getattr(ruleset, "pawn_points", 0):  # the dice game has none
        raise RequestError(
            f"target_score needs a ruleset with scores, such as points, not {ruleset.name}",
            value=target_score,
        )
    return target_score
