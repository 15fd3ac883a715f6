"""The result of a league: its matches, the ratings, and the figures and tables made from them.

Read `result.py` and `rating.py` before and `league.py` after this file.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Any

import numpy as np

from sorry_env.arena.rating import Choices, Ratings
from sorry_env.arena.result import MatchResult, aligned, luck_cells
from sorry_env.arena.stopping import Verdict


@dataclass(frozen=True, eq=False)
class LeagueResult:
    """The matches of a league of m bots and their ratings.

    ruleset: name of the ruleset
    seed:    the league's seed
    bots:    the bots' names, numbered where several share one
    tables:  the bots at each table, by index in ``bots``
    matches: their results, in which bot i is ``tables[t][i]``
    ratings: in Elo, 0 for the anchor
    verdict: how a league ended that was to stop by itself, else None
    """

    ruleset: str
    seed: int
    bots: tuple[str, ...]
    tables: tuple[tuple[int, ...], ...]
    matches: tuple[MatchResult, ...]
    ratings: Ratings
    verdict: Verdict | None = None

    @property
    def games(self) -> int:
        """Games of all tables."""
        return sum(match.games for match in self.matches)

    @property
    def played(self) -> tuple[int, ...]:
        """Games by bot, those that were cut off included."""
        sizes = [(m.games, table) for m, table in zip(self.matches, self.tables, strict=True)]
        return tuple(sum(g for g, table in sizes if bot in table) for bot in range(len(self.bots)))

    @property
    def wins(self) -> tuple[int, ...]:
        """Games won, by bot."""
        total = [0] * len(self.bots)
        for match, table in zip(self.matches, self.tables, strict=True):
            for bot, won in zip(table, match.wins, strict=True):
                total[bot] += won
        return tuple(total)

    @property
    def before(self) -> np.ndarray:
        """int64[m, m]: games in which the bot of the row is known to have come before the other.

        With two at a table these are its wins against it. Where only a winner is known, it has
        come before each of the others, and they have not come before each other.
        """
        choices = choices_of(self.matches, self.tables, len(self.bots))
        matrix = np.zeros((len(self.bots),) * 2, np.int64)
        np.add.at(matrix, choices.chosen, choices.among)
        np.fill_diagonal(matrix, 0)
        return matrix

    @property
    def together(self) -> np.ndarray:
        """int64[m, m]: games that two bots have played at one table, 0 on the diagonal."""
        matrix = np.zeros((len(self.bots),) * 2, np.int64)
        for match, table in zip(self.matches, self.tables, strict=True):
            matrix[np.ix_(table, table)] += match.games
        np.fill_diagonal(matrix, 0)
        return matrix

    def order(self) -> list[int]:
        """The bots from the strongest to the weakest."""
        elo = np.nan_to_num(self.ratings.elo, nan=-np.inf, posinf=np.inf, neginf=-np.inf)
        return [int(bot) for bot in np.argsort(-elo, kind="stable")]

    def to_dict(self) -> dict[str, Any]:
        """Everything but the single games, in plain values that JSON can hold."""
        return {
            "ruleset": self.ruleset,
            "seed": self.seed,
            "games": self.games,
            "anchor": self.bots[self.ratings.anchor],
            "verdict": None if self.verdict is None else self.verdict.to_dict(),
            "bots": [self._bot_dict(bot) for bot in range(len(self.bots))],
            "before": self.before.tolist(),
            "together": self.together.tolist(),
            "tables": [match.to_dict() for match in self.matches],
        }

    def _bot_dict(self, bot: int) -> dict[str, Any]:
        elo, interval = float(self.ratings.elo[bot]), self.ratings.interval(bot)
        return {
            "name": self.bots[bot],
            "elo": elo if isfinite(elo) else None,
            "interval": list(interval) if isfinite(elo) else None,
            "unrated": _unrated(elo),
            "games": self.played[bot],
            "wins": self.wins[bot],
        }

    def table(self) -> str:
        """Ratings and shares for people, without a last line break."""
        size = len(self.tables[0])
        each = self.matches[0].games
        count = len(self.tables)
        head = f"{self.games} games of {self.ruleset}: {count} table{'s'[: count != 1]} of {size}, "
        lines = [f"{head}{each} games each (seed {self.seed})"]
        cut = sum(match.cut for match in self.matches)
        if cut:
            lines.append(f"{cut} games were cut off and count as won by nobody")
        rows = [["bot", "Elo", "95 % interval", "games", "wins", "rate"]]
        for bot in self.order():
            elo, (low, high) = float(self.ratings.elo[bot]), self.ratings.interval(bot)
            between = "anchor" if bot == self.ratings.anchor else f"{low:+.0f} to {high:+.0f}"
            games, wins = self.played[bot], self.wins[bot]
            rows.append([
                self.bots[bot],
                f"{elo:+.0f}" if isfinite(elo) else "-",
                between if isfinite(elo) else _unrated(elo) or "",
                str(games), str(wins), f"{wins / games:.1%}",
            ])  # fmt: skip
        ending = [] if self.verdict is None else [self.verdict.words]
        parts = [*lines, *aligned(rows), *ending, "", *self._matrix_lines(), *self._luck_lines()]
        return "\n".join(parts)

    def _matrix_lines(self) -> list[str]:
        order = self.order()
        shares = shares_before(self)
        rows = [["came before", *(self.bots[bot] for bot in order)]]
        for bot in order:
            cells = ["-" if np.isnan(shares[bot, o]) else f"{shares[bot, o]:.1%}" for o in order]
            rows.append([self.bots[bot], *cells])
        return aligned(rows)

    def _luck_lines(self) -> list[str]:
        """Each table's rates without luck, where it was measured; of two bots the stronger one's.

        The other's are what is left to 1, with the same interval around it.
        """
        luck = self.matches[0].luck
        if luck is None:
            return []
        places = {bot: place for place, bot in enumerate(self.order())}
        by_table = []
        for match, table in zip(self.matches, self.tables, strict=True):
            ranked = sorted(range(len(table)), key=[places[bot] for bot in table].__getitem__)
            for i in ranked[:1] if len(table) == 2 else ranked:
                others = ", ".join(match.bots[other] for other in ranked if other != i)
                key = [places[table[other]] for other in (*ranked, i)]
                by_table.append((key, [match.bots[i], others, *luck_cells(match.adjusted(i))]))
        rows = [row for _, row in sorted(by_table)]
        head = ["bot", "against", "rate", "95 % interval", "luck", "variance left"]
        return ["", f"without the luck of the draws, by {luck.by}", *aligned([head, *rows])]


def shares_before(result: LeagueResult) -> np.ndarray:
    """float64[m, m]: `before` as a share of the games together; nan where there were none."""
    together = result.together
    return np.where(together > 0, result.before / np.maximum(together, 1), np.nan)


def choices_of(
    matches: Sequence[MatchResult], tables: Sequence[Sequence[int]], bots: int
) -> Choices:
    """What the games say about who came before whom, `before` and the ratings rest on it.

    matches: with bot i of each being ``tables[t][i]`` of all ``bots``; a unit is a seed of a match
    """
    chosen, among, units = [], [], []
    begun = 0
    for match, table in zip(matches, tables, strict=True):
        n = len(table)
        seats = [group[0] for group in match.groups]
        rewards = match.outcomes["rewards"][:, seats]
        players = np.asarray(table)[match.outcomes["bots"][:, seats]]
        places = np.argsort(-rewards, axis=1, kind="stable")
        players = np.take_along_axis(players, places, axis=1)
        rewards = np.take_along_axis(rewards, places, axis=1)
        known = np.ones(match.games, np.bool_)
        for place in range(n - 1):
            # Places are known as far as the returns differ: only the first with reward `win`.
            known &= rewards[:, place] > rewards[:, place + 1]
            rest = np.zeros((match.games, bots), np.bool_)
            np.put_along_axis(rest, players[:, place:], True, axis=1)
            chosen.append(players[known, place])
            among.append(rest[known])
            units.append(begun + np.flatnonzero(known) // n)
        begun += match.games // n
    return Choices(np.concatenate(chosen), np.concatenate(among), np.concatenate(units))


def _unrated(elo: float) -> str | None:
    """Why a bot has no finite rating, None if it has one."""
    if isfinite(elo):
        return None
    return {np.inf: "never beaten", -np.inf: "never wins"}.get(elo, "not compared")
