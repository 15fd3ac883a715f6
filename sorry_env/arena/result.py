"""The result of a match: every game's outcome, and the figures and the table made from them.

Read `stats.py` and `stopping.py` before and `match.py` after this file.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np

from sorry_env.arena.outcomes import Luck, unit_counts, unit_luck, won_seats
from sorry_env.arena.stats import Adjusted, adjust, paired_interval, wilson
from sorry_env.arena.stopping import Verdict
from sorry_env.errors import RequestError
from sorry_env.families import family_of


@dataclass(frozen=True, eq=False)
class MatchResult:
    """G games of n bots. Games k * n to k * n + n - 1 have the same cards, and the bots move round.

    ruleset:    name of the ruleset
    seed:       the match's seed
    bots:       the bots' names, numbered where several share one
    groups:     the seats that go together: one seat each, or both seats of a team; a bot plays
                every group in G / n games
    outcomes:   OUTCOME[G]
    asked:      by bot, how many decisions it was asked for (forced ones are played unasked)
    reward:     what the returns are: `win`, `rank` or `points`
    target:     the target score of games of several rounds, else None
    verdict:    how a match ended that was to stop by itself, else None
    luck:       what the cards gave, where that was asked for, else None
    """

    ruleset: str
    seed: int
    bots: tuple[str, ...]
    groups: tuple[tuple[int, ...], ...]
    outcomes: np.ndarray
    asked: tuple[int, ...]
    reward: str = "win"
    target: int | None = None
    verdict: Verdict | None = None
    luck: Luck | None = None

    @property
    def games(self) -> int:
        """G, the number of games played."""
        return len(self.outcomes)

    @property
    def wins(self) -> tuple[int, ...]:
        """Games won, by bot."""
        return tuple(self.wins_by_seat.sum(axis=1).tolist())

    @property
    def wins_by_seat(self) -> np.ndarray:
        """int64[n, n], games won by each bot in each group."""
        won = won_seats(self.outcomes)
        return np.array(
            [
                [(won & (self.outcomes["bots"] == bot))[:, group[0]].sum() for group in self.groups]
                for bot in range(len(self.bots))
            ],
            np.int64,
        )

    @property
    def returns(self) -> tuple[float, ...]:
        """Mean return, by bot."""
        first = [group[0] for group in self.groups]
        bots, rewards = self.outcomes["bots"][:, first], self.outcomes["rewards"][:, first]
        return tuple(
            float(rewards[bots == bot].mean(dtype=np.float64)) for bot in range(len(self.bots))
        )

    @property
    def mean_length(self) -> float:
        """Mean number of decisions a game, the forced ones included."""
        return float(self.outcomes["length"].mean(dtype=np.float64))

    @property
    def mean_rounds(self) -> float:
        """Mean number of rounds a game."""
        return float(self.outcomes["rounds"].mean(dtype=np.float64))

    @property
    def cut(self) -> int:
        """Games that were truncated."""
        return int(self.outcomes["truncated"].sum())

    @property
    def forced(self) -> float:
        """Share of the decisions that left no choice and were played without asking a bot."""
        return 1.0 - sum(self.asked) / max(1, int(self.outcomes["length"].sum(dtype=np.int64)))

    def rate(self, bot: int = 0) -> float:
        """Share of all games, truncated ones included, that a bot has won."""
        return self.wins[bot] / self.games

    def interval(self, bot: int = 0) -> tuple[float, float]:
        """The 95 % interval of `rate`: `paired_interval`, or Wilson's where seeds have no spread.

        That is, where a bot has won the same share of each seed, or plays alone.
        """
        shares = self.unit_rates(bot)
        if len(self.bots) == 1 or np.ptp(shares) == 0.0:
            return self.wilson_interval(bot)
        return paired_interval(shares)

    def wilson_interval(self, bot: int = 0) -> tuple[float, float]:
        """The 95 % Wilson interval of `rate`, which takes all games for independent."""
        return wilson(self.wins[bot], self.games)

    def unit_rates(self, bot: int = 0) -> np.ndarray:
        """float64[G / n]: the share of each seed's n games that a bot has won."""
        return unit_counts(self.outcomes, self.groups, bot)[0] / len(self.bots)

    def paired_interval(self, bot: int = 0) -> tuple[float, float]:
        """The 95 % interval of `rate` from the spread between seeds, whose games are paired."""
        return paired_interval(self.unit_rates(bot))

    def adjusted(self, bot: int = 0) -> Adjusted:
        """`rate` with the luck of the draws taken out, see `stats.adjust`.

        Raises RequestError for a match whose luck was not measured, and for one of a single seed.
        """
        if self.luck is None:
            raise RequestError("this match was played without measuring luck", value=None)
        luck = unit_luck(self.luck, self.outcomes, self.groups, bot)
        return adjust(self.unit_rates(bot), luck)

    def to_dict(self) -> dict[str, Any]:
        """Everything but the single games, in plain values that JSON can hold."""
        by_seat = self.wins_by_seat.tolist()
        return {
            "ruleset": self.ruleset,
            "reward": self.reward,
            "target_score": self.target,
            "seed": self.seed,
            "games": self.games,
            "seeds": self.games // len(self.bots),
            "truncated": self.cut,
            "mean_length": self.mean_length,
            "mean_rounds": self.mean_rounds,
            "forced": self.forced,
            "verdict": None if self.verdict is None else self.verdict.to_dict(),
            "luck_by": None if self.luck is None else self.luck.by,
            "seats": [self._seats_text(group) for group in self.groups],
            "bots": [
                {
                    "name": name,
                    "wins": self.wins[bot],
                    "rate": self.rate(bot),
                    "interval": list(self.interval(bot)),
                    "paired_interval": list(self.paired_interval(bot)),
                    "wilson_interval": list(self.wilson_interval(bot)),
                    "mean_return": self.returns[bot],
                    "asked": self.asked[bot],
                    "wins_by_seat": by_seat[bot],
                    "adjusted": None if self.luck is None else asdict(self.adjusted(bot)),
                }
                for bot, name in enumerate(self.bots)
            ],
        }

    def table(self) -> str:
        """The result for people, a few lines without a last line break."""
        each = self.games // len(self.bots)
        points = self.reward == "points"
        head = ["bot", "wins", "rate", "95 % interval", "points" if points else "return"]
        head += [f"as {self._seats_text(group)}" for group in self.groups]
        rows = [head]
        for bot, name in enumerate(self.bots):
            low, high = self.interval(bot)
            row = [name, str(self.wins[bot]), f"{self.rate(bot):.1%}", f"{low:.1%} to {high:.1%}"]
            row += [f"{self.returns[bot]:.2f}" if points else f"{self.returns[bot]:+.3f}"]
            row += [f"{won / each:.1%}" for won in self.wins_by_seat[bot].tolist()]
            rows.append(row)
        ending = [] if self.verdict is None else [self.verdict.words]
        return "\n".join([*self._headline(each), *aligned(rows), *ending, *self._luck_lines()])

    def _luck_lines(self) -> list[str]:
        """The rates without luck, where it was measured."""
        if self.luck is None:
            return []
        rows = [["bot", "rate", "95 % interval", "luck", "variance left"]]
        rows += [[name, *luck_cells(self.adjusted(bot))] for bot, name in enumerate(self.bots)]
        return ["", f"without the luck of the draws, by {self.luck.by}", *aligned(rows)]

    def _seats_text(self, group: Sequence[int]) -> str:
        names = family_of(self.ruleset).seat_names
        return "+".join(names[seat] for seat in group)

    def _headline(self, each: int) -> list[str]:
        played = f"{self.games} games of {self.ruleset}"
        if len(self.bots) > 1:
            played += f": {each} seeds, each in {len(self.bots)} seatings"
        if self.target is not None:
            played += f", each to {self.target} points in {self.mean_rounds:.1f} rounds on average"
        lines = [
            f"{played} (seed {self.seed})",
            f"{self.mean_length:.1f} decisions a game, {self.forced:.0%} of them forced",
        ]
        if self.cut:
            lines.append(f"{self.cut} games were cut off and count as won by nobody")
        return lines


def joined(match: MatchResult, more: MatchResult) -> MatchResult:
    """A match and the games that follow it, as one; of matches of fixed length."""
    asked = tuple(a + b for a, b in zip(match.asked, more.asked, strict=True))
    outcomes = np.concatenate([match.outcomes, more.outcomes])
    luck = match.luck
    if luck is not None and more.luck is not None:
        luck = Luck(luck.by, np.concatenate([luck.seats, more.luck.seats]))
    return replace(match, outcomes=outcomes, asked=asked, luck=luck)


def luck_cells(one: Adjusted) -> list[str]:
    """For people: a rate without luck, its interval, the luck and the variance left."""
    less = "-" if one.variance is None else f"{one.variance:.1%}"
    # The true rate lies within 0 and 1, whatever the estimate does.
    between = f"{max(0.0, one.low):.1%} to {min(1.0, one.high):.1%}"
    return [f"{one.rate:.1%}", between, f"{one.luck:+.1%}", less]


def aligned(rows: Sequence[Sequence[str]]) -> list[str]:
    """Lines with the first column left and the others right aligned."""
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    return [
        "  ".join(
            text.ljust(width) if i == 0 else text.rjust(width)
            for i, (text, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]
