"""Matches: bots against each other on the batch engine, fair in seats and in cards.

Every seed is played n times with the bots moving round by one place, so each bot sits everywhere
equally often and meets the same cards there as the others do. From seed to seed the order round
the table changes too, for it matters whom one follows. Read `engine/batch.py`, `bots/base.py`,
`stopping.py` and `result.py` before this file, `league.py` after it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import permutations
from os import PathLike
from typing import Any, Final

import numpy as np

from sorry_env.arena.luck import LuckMeter
from sorry_env.arena.outcomes import OUTCOME, Luck
from sorry_env.arena.result import MatchResult
from sorry_env.arena.stopping import Rule, Watch
from sorry_env.arena.tally import Tally
from sorry_env.bots.asking import ask
from sorry_env.bots.base import Bot
from sorry_env.engine.batch import DEFAULT_MAX_PLIES, Batch
from sorry_env.engine.rng import check_seed, seed_state
from sorry_env.engine.state import SEATS
from sorry_env.errors import RequestError
from sorry_env.families import family_of
from sorry_env.rounds import check_target
from sorry_env.rules import Ruleset

#: Games played at the same time unless told otherwise; with more, more rows idle at the end.
DEFAULT_BATCH: Final = 512


def play_match(
    bots: Sequence[Bot | str],
    ruleset: Ruleset | str | PathLike[str] = "classic",
    seats: Any = None,
    games: int = 1000,
    seed: int = 0,
    *,
    batch: int = DEFAULT_BATCH,
    max_plies: int = DEFAULT_MAX_PLIES,
    reward: str = "win",
    first: int | str | None = None,
    target_score: int | None = None,
    until: Rule | None = None,
    luck: Bot | str | None = None,
    skip: int = 0,
) -> MatchResult:
    """Let bots play each other.

    bots:      bots or their names (see `make_bot`), one for each seat; two for two teams. Each is
               `reset` with a seed of its own that follows from ``seed``
    seats:     see `rules.choose_seats`; None seats as many as there are bots
    games:     at least this many: rounded up to a multiple of the number of bots, so that every
               seed is played in every seating
    seed:      from 0 to 2**64 - 1. The result follows from it and the other arguments; ``batch``
               has no part in it if the bots draw their random numbers as the built-in ones do
               (`Dice`); but a network's last bits may, and with them a choice that hangs by a hair
    batch:     games played at the same time
    max_plies: decisions after which a game is cut off: nobody has won it
    reward:    `win`, `rank` or `points`, what `MatchResult.returns` are
    first:     the seat that begins (colour or index), `random`, or None for the first seated
    target_score: each game is a match of rounds until a seat has so many points, see `../rounds.py`
               (rulesets with scores); ``max_plies`` is then of one round
    until:     stop as soon as this is met for the first bot, `HalfWidth` or `Sprt`; ``games`` are
               then the most, and `MatchResult.verdict` says how it ended
    luck:      a bot that says what positions are worth, by which the luck of the draws is measured
               and taken out, see `luck.py` and `MatchResult.adjusted`; takes its time. Nothing else
               of the result changes
    skip:      leave the first so many seeds out: the games that a longer match has behind them

    Decisions with one legal action are played without asking. Raises RequestError or RulesetError
    for a match that cannot be, what a bot's `check` raises, and MoveError, naming the bot, the
    action and the position, for an action that is not legal.
    """
    seed = check_seed(seed)
    family = family_of(ruleset)
    rules = family.load(ruleset)
    players = [family.make_bot(bot) if isinstance(bot, str) else bot for bot in bots]
    seated, groups = _seating(rules, seats, len(players))
    if games < 1 or batch < 1 or skip < 0:
        raise RequestError(f"games={games} and batch={batch} must be 1 or more and skip={skip} 0 "
                           "or more", value=games)  # fmt: skip
    if target_score is not None:
        check_target(rules, target_score)
        if luck is not None:
            raise RequestError("luck can be taken out of single games, not of rounds to a target "
                               "score", value=target_score)  # fmt: skip
        if reward not in ("win", "points"):
            raise RequestError(f"reward {reward!r} is none of rounds: win or points", value=reward)
    n = len(players)
    if until is not None and (n < 2 or (rules.teams != "none" and n != 2)):
        wanted = "2 bots or more" if rules.teams == "none" else "2 bots, one for each team"
        raise RequestError(f"until={until} needs one winner: {wanted}, not {n}", value=n)
    total = -(-games // n) * n
    paid = reward if target_score is None else "points"
    table = family.Batch(rules, seated, min(batch, total), seed=seed, reward=paid,
                         max_plies=max_plies, skip_forced=luck is None, first=first)  # fmt: skip
    for index, bot in enumerate(players):
        bot.check(table.tables, seated)
        bot.reset(bot_seed(seed, index))
    seatings = make_seatings(groups, rules.teams != "none")
    outcomes = np.zeros(total, OUTCOME)
    tally = Tally(table, seated, reward, target_score)
    meter = None if luck is None else LuckMeter(luck, table, seated, total)
    measured = None if meter is None else Luck(meter.name, meter.by_seat)
    watch = None if until is None else Watch(until, outcomes, groups, measured)
    asked = _play_games(table, players, seatings, seed, skip, outcomes, tally, watch, meter)
    verdict = None
    if watch is not None:
        # Games of later seeds that were running or over are left out, in whatever batch.
        verdict = watch.verdict()
        outcomes, asked = outcomes[: watch.units * n].copy(), asked[: watch.units * n]
        measured = measured and Luck(measured.by, measured.seats[: len(outcomes)].copy())
    return MatchResult(
        rules.name, seed, labels_of(players), groups, outcomes,
        tuple(asked.sum(axis=0, dtype=np.int64).tolist()), reward, target_score, verdict,
        measured,
    )  # fmt: skip


def _play_games(
    table: Batch,
    bots: Sequence[Bot],
    seatings: np.ndarray,
    seed: int,
    skip: int,
    outcomes: np.ndarray,
    tally: Tally,
    watch: Watch | None,
    meter: LuckMeter | None,
) -> np.ndarray:
    """Play all games of a match, a new one in each row of the batch whose game is over.

    seatings: int8[s, 4], see `make_seatings`; game g is played in seating g % s
    skip:     seeds that are left out; game g is then the match's number skip * n + g
    outcomes: OUTCOME[G], overwritten
    tally:    adds up the rounds that a game may have
    watch:    says when to stop before all are played; None plays them all
    meter:    measures luck, in a table that passes through no decision unseen; None does not
    Returns int32[G, n], how many decisions each bot was asked for in each game.
    """
    n, size, total = len(bots), table.size, len(outcomes)
    base = skip * n
    outcomes["bots"] = seatings[(base + np.arange(total)) % len(seatings)]
    asked = np.zeros((total, n), np.int32)
    number = np.arange(size)  # of the game in each row; from the total on, nobody looks at it
    table.reset(game_seeds(seed, skip + number // n))
    tally.begin(np.arange(size))
    begun = size
    actions = np.zeros(size, np.int64)
    while (number < total).any():
        if meter is not None:
            meter.note(number, actions)
        # Rows that are not looked at any more play on: any legal action will do.
        actions = table.mask.argmax(axis=1)
        # A batch that skips forced decisions still shows the first one of each game.
        asking = (number < total) & ((table.legal > 1) | (table.games["plies"] == 0))
        deciders = np.where(
            asking, outcomes["bots"][np.minimum(number, total - 1), table.actor], -1
        )
        for index, bot in enumerate(bots):
            rows = np.flatnonzero(deciders == index)
            if len(rows):
                actions[rows] = _ask(bot, table, rows, base + number[rows], tally.length[rows])
                asked[number[rows], index] += 1
        table.step(actions, check=False)  # `ask` has checked the bots', masks gave the others
        ended = np.flatnonzero((table.terminated | table.truncated) & (number < total))
        if len(ended):
            done = ended[tally.add(ended)]
            tally.close(done, outcomes, number[done])
            if watch is not None and watch.add(number[done]):
                break
            number[done] = begun + np.arange(len(done))
            begun += len(done)
            tally.choose_first(ended)
            table.reset_rows(
                ended, game_seeds(seed, skip + number[ended] // n, tally.rounds[ended])
            )
            tally.begin(ended)
    return asked


def game_seeds(seed: int, indices: np.ndarray, rounds: Any = 0) -> np.ndarray:
    """uint64[k], the first random states of a match's games with these seed indices int64[k].

    rounds: int[k] or one for all, the round of the game that begins
    """
    streams = indices + (np.asarray(rounds, np.int64) << 40)
    return np.array([seed_state(seed, stream) for stream in streams.tolist()], np.uint64)


def _ask(
    bot: Bot, table: Batch, rows: np.ndarray, number: np.ndarray, before: np.ndarray
) -> np.ndarray:
    """A bot's actions int32[n] in these rows, checked.

    before: int[n], decisions of the rounds before
    """
    decision = (before + table.games["plies"][rows]).astype(np.uint64)
    keys = (number.astype(np.uint64) << np.uint64(32)) + decision
    return ask(
        bot, table.tables, table.games[rows], table.observation[rows], table.mask[rows], keys
    )


def _seating(
    rules: Any, seats: Any, bots: int
) -> tuple[tuple[int, ...], tuple[tuple[int, ...], ...]]:
    """The seated colours, and the seats of each place that one bot takes."""
    if bots < 1:
        raise RequestError("a match needs a bot", value=bots)
    teams = rules.teams != "none"
    seated: tuple[int, ...] = family_of(rules).choose_seats(
        rules, bots if seats is None and not teams else seats
    )
    if teams and bots == 2:
        return seated, ((0, 2), (1, 3))
    if bots == len(seated) and rules.teams != "two":
        return seated, tuple((seat,) for seat in seated)
    wanted = {"none": f"{len(seated)}, one for each seat", "two": "2, one for each team"}.get(
        rules.teams, "2, one for each team, or 4, one for each seat"
    )
    named = ", ".join(family_of(rules).seat_names[seat] for seat in seated)
    raise RequestError(
        f"{rules.name} with the seats {named} needs as many bots as {wanted}, not {bots}",
        value=bots,
    )


def make_seatings(groups: Sequence[Sequence[int]], teams: bool) -> np.ndarray:
    """int8[s, 4], the bot on each seat, -1 where nobody sits; s is a multiple of n.

    For each order of the bots round the table (in teams only the one they are named in: it says who
    is whose partner) there are n seatings in a row, the bots moving round by one place.
    """
    n = len(groups)
    orders = [tuple(range(n))] if teams else [(0, *rest) for rest in permutations(range(1, n))]
    seatings = np.full((len(orders) * n, SEATS), -1, np.int8)
    for row, seating in enumerate(seatings):
        order = orders[row // n]
        for place in range(n):
            seating[list(groups[(place + row) % n])] = order[place]
    return seatings


def bot_seed(seed: int, index: int) -> int:
    """A seed for a bot, far from those of the games."""
    words = np.random.SeedSequence((seed % 2**64, index)).generate_state(2, np.uint64)
    return int(words[0])


def labels_of(bots: Sequence[Bot]) -> tuple[str, ...]:
    """Names that differ: `random`, `random#2`."""
    seen: Counter[str] = Counter()
    labels = []
    for bot in bots:
        seen[bot.name] += 1
        labels.append(bot.name if seen[bot.name] == 1 else f"{bot.name}#{seen[bot.name]}")
    return tuple(labels)
