"""Leagues: every table of so many bots plays a match, and all of them together give ratings.

Read `match.py` and `rating.py` before and `export.py` after this file.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from math import ceil, inf, isfinite
from typing import Any

import numpy as np

from sorry_env.arena.match import DEFAULT_BATCH, labels_of, play_match
from sorry_env.arena.rating import Choices, Ratings, fit_ratings, scipy_optimize
from sorry_env.arena.result import MatchResult, aligned, joined
from sorry_env.arena.stopping import FIRST_UNITS, Verdict
from sorry_env.bots.base import Bot
from sorry_env.engine.batch import DEFAULT_MAX_PLIES
from sorry_env.errors import RequestError
from sorry_env.families import family_of
from sorry_env.rules import Ruleset


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
        return "\n".join([*lines, *aligned(rows), *ending, "", *self._matrix_lines()])

    def _matrix_lines(self) -> list[str]:
        order = self.order()
        shares = shares_before(self)
        rows = [["came before", *(self.bots[bot] for bot in order)]]
        for bot in order:
            cells = ["-" if np.isnan(shares[bot, o]) else f"{shares[bot, o]:.1%}" for o in order]
            rows.append([self.bots[bot], *cells])
        return aligned(rows)


def shares_before(result: LeagueResult) -> np.ndarray:
    """float64[m, m]: `before` as a share of the games together; nan where there were none."""
    together = result.together
    return np.where(together > 0, result.before / np.maximum(together, 1), np.nan)


def play_league(
    bots: Sequence[Bot | str],
    ruleset: Ruleset | str = "classic",
    seats: Any = None,
    games: int = 1000,
    seed: int = 0,
    *,
    anchor: int | str = "random",
    batch: int = DEFAULT_BATCH,
    max_plies: int = DEFAULT_MAX_PLIES,
    reward: str = "win",
    first: int | str | None = None,
    target_score: int | None = None,
    half_width: float | None = None,
) -> LeagueResult:
    """Let every table of bots play a match and rate them all.

    bots:    two or more, bots or their names
    seats:   who sits at a table, see `rules.choose_seats`; None for the ruleset's usual number. In
             teams a table has two bots, one for each team
    games:   of each table, rounded up as `play_match` does
    seed:    any int; each table's cards follow from it and from the table's number
    anchor:  the bot with 0 Elo, by name or index
    reward:  `win`, or `rank` in rulesets that are played out, where all places count
    half_width: play until the 95 % interval of every bot's Elo is no wider than +- so much;
             ``games`` are then the most, and `LeagueResult.verdict` says how it ended
    Other arguments as in `play_match`, whose errors are raised too; RequestError for an unknown
    anchor or fewer bots than a table has, MissingExtraError without scipy.
    """
    family = family_of(ruleset)
    rules = family.resolve(ruleset)
    size = 2 if rules.teams != "none" else len(family.choose_seats(rules, seats))
    if size < 2 or len(bots) < size:
        raise RequestError(
            f"a league of {rules.name} needs {max(2, size)} bots or more, and tables of two or "
            f"more: not {len(bots)} bots at tables of {size}", value=len(bots),
        )  # fmt: skip
    if reward not in ("win", "rank"):
        raise RequestError(f"reward {reward!r} is none of leagues: win or rank", value=reward)
    players = [family.make_bot(bot) if isinstance(bot, str) else bot for bot in bots]
    names = labels_of(players)
    zero = _find_anchor(anchor, names)
    scipy_optimize()  # before the games, not after them
    tables = tuple(combinations(range(len(players)), size))

    def play(number: int, count: int, skip: int) -> MatchResult:
        match = play_match(
            [players[bot] for bot in tables[number]], rules, seats, count * size,
            _table_seed(seed, number), batch=batch, max_plies=max_plies, reward=reward,
            first=first, target_score=target_score, skip=skip,
        )  # fmt: skip
        return replace(match, bots=tuple(names[bot] for bot in tables[number]))

    most = -(-games // size)
    if half_width is None:
        matches = [play(number, most, 0) for number in range(len(tables))]
        ratings = fit_ratings(choices_of(matches, tables, len(players)), zero)
        return LeagueResult(rules.name, seed, names, tables, tuple(matches), ratings)
    matches, ratings = _play_until(half_width, most, play, tables, len(players), zero)
    verdict = _verdict(half_width, ratings, matches[0].games)
    return LeagueResult(rules.name, seed, names, tables, tuple(matches), ratings, verdict)


def _play_until(
    wanted: float,
    most: int,
    play: Callable[[int, int, int], MatchResult],
    tables: Sequence[Sequence[int]],
    bots: int,
    anchor: int,
) -> tuple[list[MatchResult], Ratings]:
    """Matches of all tables that grow together until the ratings are known well enough.

    wanted: half-width of every rating in Elo; most: seeds of each table
    play:   play table ``number`` for ``count`` seeds after the first ``skip``
    Looked at after `FIRST_UNITS` seeds of each table, and then after as many as the widest interval
    suggests, a tenth more at least and twice as many at most: the same whatever runs at once.
    """
    if not 0.0 < wanted < inf:
        raise RequestError(f"half_width={wanted} must be a number of Elo above 0", value=wanted)
    count = min(FIRST_UNITS, most)
    matches = [play(number, count, 0) for number in range(len(tables))]
    while True:
        ratings = fit_ratings(choices_of(matches, tables, bots), anchor)
        width = _widest(ratings)
        if width <= wanted or count == most:
            return matches, ratings
        grown = min(most, ceil(count * min(2.0, max(1.1, (width / wanted) ** 2))))
        matches = [
            joined(match, play(number, grown - count, count))
            for number, match in enumerate(matches)
        ]
        count = grown


def _widest(ratings: Ratings) -> float:
    """The largest half-width of a rating in Elo, inf while a bot has none."""
    if not np.isfinite(ratings.elo).all():
        return inf
    return max((high - low) / 2 for low, high in map(ratings.interval, range(len(ratings.elo))))


def _verdict(wanted: float, ratings: Ratings, games: int) -> Verdict:
    """How a league ended that was to stop at this half-width, after so many games a table."""
    width = _widest(ratings)
    reached = width <= wanted
    words = (
        f"95 % half-widths of {width:.1f} Elo at most after {games} games each, wanted {wanted:g}"
        if isfinite(width)
        else f"some ratings have no number after {games} games each, wanted {wanted:g} Elo"
    )
    return Verdict(
        "precise" if reached else "undecided",
        words if reached else f"{words}: not reached",
        {"half_width": width if isfinite(width) else None, "wanted": wanted},
    )


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


def _find_anchor(anchor: int | str, names: Sequence[str]) -> int:
    if isinstance(anchor, str) and anchor in names:
        return list(names).index(anchor)
    if isinstance(anchor, int) and 0 <= anchor < len(names):
        return anchor
    raise RequestError(
        f"anchor {anchor!r} is none of the bots {', '.join(names)}: name one of them, or let it "
        "play too", value=anchor,
    )  # fmt: skip


def _table_seed(seed: int, number: int) -> int:
    words = np.random.SeedSequence((seed % 2**64, number, 1)).generate_state(1, np.uint64)
    return int(words[0])


def _unrated(elo: float) -> str | None:
    """Why a bot has no finite rating, None if it has one."""
    if isfinite(elo):
        return None
    return {np.inf: "never beaten", -np.inf: "never wins"}.get(elo, "not compared")
