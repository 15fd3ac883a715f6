"""What a hand was worth on the average of the cards that might have been drawn to it.

Where hands are held, a player draws after his move, and only he sees what. What the card was worth
shows when he decides again: there his position is compared with itself, with every other card in
its place that he must have reckoned with. The others' moves in between are the same in all of
them, as they cannot have known the card. Read `judge.py` before and `analysis.py` after this file.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from sorry_env.engine.state import EMPTY
from sorry_env.notation.record import Record
from sorry_env.replay.judge import Judge
from sorry_env.view import View


class _Twin(View):
    """A position as its seat would see it with another card; its own view."""

    def view(self, seat: int | None = None) -> View:
        """What any game has; there is nothing else to be seen in it."""
        del seat
        return self


def before_draws(
    judge: Judge, record: Record, games: Sequence[Any]
) -> list[tuple[str, float] | None]:
    """For each decision of a game with hands its seat's last draw, and the mean over all it may be.

    Each card by how many of its kind the seat cannot see, what it drew among them. None for the
    seat's first decision, where nothing was drawn, and where the discards were made a new pile
    meanwhile, which mixes what could be drawn then with what has been played since.
    games: before each decision of the record
    """
    names: dict[int, str] = {}
    means = np.zeros(len(games))
    twins: list[_Twin] = []
    whose: list[tuple[int, float]] = []
    last: dict[int, int] = {}
    for i, game in enumerate(games):
        before, last[game.actor] = last.get(game.actor), i
        card = None if before is None else _drawn(record, games[before : i + 1], before)
        if card is None:
            continue
        names[i] = game.ruleset.card_names[card]
        for weight, twin in _twins(game, card):
            twins.append(twin)
            whose.append((i, weight))
    worth = judge.drawn(twins) if twins else np.empty(0)
    for (i, weight), value in zip(whose, worth.tolist(), strict=True):
        means[i] += weight * value
    return [(names[i], float(means[i])) if i in names else None for i in range(len(games))]


def _drawn(record: Record, games: Sequence[Any], first: int) -> int | None:
    """Which card was drawn after a seat's decision; None where that cannot be told.

    games: from that decision, number ``first`` of the record, to the seat's next one
    """
    rules, seat = games[0].ruleset, games[0].actor
    piles = [int(game.state["deck"][0].sum()) for game in games]
    if not rules.infinite and any(b >= a for a, b in pairwise(piles)):
        return None
    name = str(record.moves[first]["move"]).partition(":")[0]
    if name not in rules.card_names:
        return None
    change = _held(games[-1], seat) - _held(games[0], seat)
    change[rules.card_names.index(name)] += 1
    if change.min() < 0 or change.sum() != 1:
        return None
    return int(change.argmax())


def _held(game: Any, seat: int) -> np.ndarray:
    """int64[C], a seat's cards by kind."""
    hand = game.state["hands"][0, seat]
    return np.bincount(hand[hand >= 0], minlength=len(game.ruleset.cards))


def _twins(game: Any, card: int) -> list[tuple[float, _Twin]]:
    """The position with each card that may have been drawn in place of one, and how likely it was.

    game: its seat decides, with ``card`` in its hand
    """
    seat, rules = game.actor, game.ruleset
    state = game.view(seat).state
    cards = len(rules.cards)
    counts = np.array(rules.counts if rules.infinite else state["deck"][0, :cards], np.int64)
    if not rules.infinite:
        counts[card] += 1
    twins = []
    for other in np.flatnonzero(counts).tolist():
        twin = state.copy()
        if not rules.infinite:
            twin["deck"][0, card] += 1
            twin["deck"][0, other] -= 1
        hand = twin["hands"][0, seat]
        hand[np.flatnonzero(hand == card)[0]] = other
        held = np.sort(hand[hand != EMPTY])
        hand[: len(held)] = held
        twins.append((counts[other] / counts.sum(), _Twin(game.tables, twin, seat)))
    return twins
