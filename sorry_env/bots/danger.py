"""What opponents can take back before the own next turn, by the engine's own moves.

Read `chance.py` before and `baselines.py` after this file.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from sorry_env.bots.chance import carry_out
from sorry_env.engine.cards import refill
from sorry_env.engine.jit import inner, kernel
from sorry_env.engine.masks import legal_mask
from sorry_env.engine.results import seated
from sorry_env.engine.state import (
    ASK,
    EMPTY,
    MOVE,
    NO_CARD,
    NOBODY,
    OVER,
    SEATS,
    START,
    WORK,
)
from sorry_env.engine.tables import RuleTables
from sorry_env.engine.turn import begin_turn
from sorry_env.rules.ruleset import MAX_CARDS, MAX_HAND, MAX_PAWNS


def danger(tables: RuleTables, games: np.ndarray, movers: np.ndarray) -> np.ndarray:
    """float64[m], steps that opponents stand to take from the side of ``movers`` int[m].

    games: GAME[m], as a choice of the movers has left them, other hands HIDDEN
    For each opponent it is the mean, over the card that it draws by the cards unseen, of the most
    steps that a legal move with that card takes from the side's pawns all together; where it holds
    a hand, over the hands that it may hold. What follows the move, a further card or another's
    turn, is not looked at, nor are Fire, Ice and questions.
    """
    lost = np.zeros(len(games))
    mask = np.empty(tables.num_actions, np.bool_)
    worst, left = np.empty(MAX_CARDS), np.empty(MAX_CARDS)
    _danger(tables.arrays, games, movers.astype(np.int64), lost, mask, worst, left,
            np.empty(4, WORK))  # fmt: skip
    return lost


@inner
def steps_of(facts: Any, game: Any, seat: Any) -> Any:
    """Steps covered by the pawns of a seat's side."""
    steps: Any = 0
    for other in range(SEATS):
        if other == seat or (facts["teams"] and other == ((seat + 2) & 3)):
            for slot in range(MAX_PAWNS):
                code = np.int64(game["pawns"][other, slot])
                steps += code if code > START else 0
    return steps


@inner
def give(facts: Any, game: Any, seat: Any, card: Any) -> None:
    """Let it be the turn of a seat with this card to move by, and no other."""
    begin_turn(facts, game, seat)
    game["phase"] = ASK if facts["opens"][card] == ASK else MOVE
    game["card"] = NO_CARD if facts["hand"] else card
    game["again"] = 0
    game["asked"] = NOBODY
    game["steps"] = 0
    if facts["hand"]:
        for place in range(MAX_HAND):
            game["hands"][seat, place] = card if place == 0 else EMPTY


@inner
def worst_loss(rules: Any, work: Any, seat: Any, mask: Any) -> Any:
    """The most steps that the side of ``seat`` loses by one of the moves due in the third game.

    work: WORK[4], the others overwritten
    """
    facts = rules.facts[0]
    before = steps_of(facts, work[2], seat)
    lost = 0
    legal_mask(facts, rules.actions, work[2], mask, work[:2])
    for a in range(len(mask)):
        if mask[a]:
            work[3] = work[2]
            carry_out(rules, work[3], a)
            lost = max(lost, before - steps_of(facts, work[3], seat))
    return lost


@inner
def mean_of_worst(worst: Any, left: Any, held: Any) -> Any:
    """The mean of the greatest of ``held`` cards' numbers, drawn from those left.

    worst: float64[C], the number of each kind, used up; left: float64[C], cards of each kind
    """
    total = 0.0
    for card in range(MAX_CARDS):
        total += left[card]
    mean = 0.0
    passed = 0.0  # cards with a greater number
    none = 1.0  # the chance that none of these is held
    for _ in range(MAX_CARDS):
        top = 0
        for card in range(MAX_CARDS):
            if worst[card] > worst[top]:
                top = card
        if worst[top] <= 0.0:
            break
        passed += left[top]
        still = 1.0
        for k in range(held):
            still *= max(total - passed - k, 0.0) / max(total - k, 1.0)
        mean += worst[top] * (none - still)
        none = still
        worst[top] = 0.0
    return mean


@kernel
def _danger(
    rules: Any, games: Any, movers: Any, lost: Any, mask: Any, worst: Any, left: Any, work: Any
) -> None:
    """See `danger`; lost: float64[m], overwritten."""
    facts = rules.facts[0]
    for i in range(len(games)):
        lost[i] = 0.0
        if games[i]["phase"] == OVER:
            continue
        for away in range(1, SEATS):
            seat = (movers[i] + away) & 3
            partner = facts["teams"] and away == 2
            if partner or not seated(games[i], seat) or games[i]["ranks"][seat] != 0:
                continue
            held = 1
            if facts["hand"]:
                held = 0
                for place in range(MAX_HAND):
                    held += games[i]["hands"][seat, place] != EMPTY
            work[3] = games[i]
            refill(facts, work[3])
            for card in range(MAX_CARDS):
                left[card] = np.float64(work[3]["deck"][card])
            for card in range(MAX_CARDS):
                worst[card] = 0.0
                if left[card] > 0:
                    work[2] = games[i]
                    give(facts, work[2], seat, card)
                    worst[card] = worst_loss(rules, work, movers[i], mask)
            lost[i] += mean_of_worst(worst, left, held)
