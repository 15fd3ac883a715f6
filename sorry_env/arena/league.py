"""Leagues: every table of so many bots plays a match, and all of them together give ratings.

Read `match.py` and `league_result.py` before and `export.py` after this file.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import combinations
from math import ceil, inf, isfinite
from os import PathLike
from typing import Any

import numpy as np

from sorry_env.arena.league_result import LeagueResult, choices_of
from sorry_env.arena.match import DEFAULT_BATCH, labels_of, play_match
from sorry_env.arena.rating import Ratings, fit_ratings, scipy_optimize
from sorry_env.arena.result import MatchResult, joined
from sorry_env.arena.stopping import FIRST_UNITS, Verdict
from sorry_env.bots.base import Bot
from sorry_env.engine.batch import DEFAULT_MAX_PLIES
from sorry_env.engine.rng import check_seed
from sorry_env.errors import RequestError
from sorry_env.families import family_of
from sorry_env.rules import Ruleset


def play_league(
    bots: Sequence[Bot | str],
    ruleset: Ruleset | str | PathLike[str] = "classic",
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
    luck: Bot | str | None = None,
) -> LeagueResult:
    """Let every table of bots play a match and rate them all.

    bots:    two or more, bots or their names
    seats:   who sits at a table, see `rules.choose_seats`; None for the ruleset's usual number. In
             teams a table has two bots, one for each team
    games:   of each table, rounded up as `play_match` does
    seed:    from 0 to 2**64 - 1; each table's cards follow from it and from the table's number
    anchor:  the bot with 0 Elo, by name or index
    reward:  `win`, or `rank` in rulesets that are played out, where all places count
    half_width: play until the 95 % interval of every bot's Elo is no wider than +- so much;
             ``games`` are then the most, and `LeagueResult.verdict` says how it ended
    luck:    a bot by which the luck of the draws is measured and taken out of the score of each
             table, see `MatchResult.adjusted`; ratings and ``half_width`` are of the games as they
             were won
    Other arguments as in `play_match`, whose errors are raised too; RequestError for an unknown
    anchor or fewer bots than a table has, MissingExtraError without scipy.
    """
    seed = check_seed(seed)
    family = family_of(ruleset)
    rules = family.load(ruleset)
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
            first=first, target_score=target_score, skip=skip, luck=luck,
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
