"""Matches to a target score at a server: each round is a game of its own, stored like any other.

The rounds of a match have the same seats, people and secrets; the id of a later one is the first
one's with its number, `abcdefghjk-2`, so that what follows a round is found by its id alone. Each
has a seed of its own by chance: the record of a round tells nothing of the next one's cards. Read
`../rounds.py` and `table.py` before and `hub.py` after this file.
"""

from __future__ import annotations

import secrets
from dataclasses import replace
from typing import Any

from sorry_env.rounds import Rounds
from sorry_env.web.setup import Setup
from sorry_env.web.table import RESIGNED, WIN, Table

Row = dict[str, Any]


def round_id(game_id: str, number: int) -> str:
    """The id of a round of a game's match.

    game_id: of any of its rounds
    number:  1 for the first
    """
    first = game_id.partition("-")[0]
    return first if number == 1 else f"{first}-{number}"


def standing(table: Table) -> Rounds | None:
    """How the match stands: this round with the others once it is played; None without a match."""
    setup = table.setup
    if setup.target_score is None:
        return None
    totals = tuple(setup.score.get(name, 0.0) for name in table.family.seat_names)
    match = Rounds(setup.seats, setup.target_score, table.begins, setup.rounds, totals)
    return match.add(table.game.returns("points")) if table.result == WIN else match


def match_row(table: Table, following: str | None) -> Row | None:
    """What everybody is told of the match; None without one.

    following: the id of the next round if there is one
    Whoever gives a round up gives the match up, and a round that is broken off ends it.
    """
    match = standing(table)
    if match is None:
        return None
    names = table.family.seat_names
    winners = [names[seat] for seat in match.winners]
    if table.result == RESIGNED:
        winners = list(table.winners)
    return {
        "target_score": match.target_score,
        "round": table.setup.rounds + 1,
        "score": {names[seat]: match.totals[seat] for seat in match.seats},
        "over": match_over(table),
        "winners": winners,
        "next": following,
    }


def match_over(table: Table) -> bool:
    """Whether no round follows this one: it is the last, or no match."""
    match = standing(table)
    return match is None or match.over or table.result not in (None, WIN)


def next_setup(table: Table) -> Setup:
    """What the round after this one is made with; the next seat begins, as the deal goes round.

    table: a round that is played to its end and is not the last
    """
    match = standing(table)
    assert match is not None and table.result == WIN
    names = table.family.seat_names
    return replace(
        table.setup,
        seed=secrets.randbits(62),
        first=names[match.first],
        position=None,
        pace_ms=table.pace_ms,
        rounds=match.played,
        score={names[seat]: match.totals[seat] for seat in match.seats},
    )
