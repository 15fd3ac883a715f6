"""The order of play: setting up, drawing cards, passing the turn, finishing and the returns.

Chance lives here and nowhere else: `draw` is the only kernel that takes a random number in the
course of a game. Read `apply.py` before and `afterstate.py` after this file.
"""

from __future__ import annotations

from typing import Any, Final

from sorry_env.engine.apply import move_pawns
from sorry_env.engine.jit import helper, kernel
from sorry_env.engine.rng import advance, below
from sorry_env.engine.state import (
    CIRCLE,
    HOME,
    MOVE,
    NO_CARD,
    OVER,
    SEATS,
    START,
    UNSEATED,
    WAITING,
)
from sorry_env.rules.ruleset import MAX_CARDS, MAX_PAWNS

RANDOM_FIRST: Final = -1
WIN: Final = 0
RANK: Final = 1


@helper
def seated(game: Any, seat: Any) -> Any:
    """Whether a colour takes part."""
    return game["pawns"][seat, 0] != UNSEATED


@helper
def all_home(rules: Any, game: Any, seat: Any) -> Any:
    """Whether a seated colour has all its pawns Home: the last slot, since slots are sorted."""
    return game["pawns"][seat, rules.facts[0]["pawns"] - 1] == HOME


@helper
def next_seat(rules: Any, game: Any, seat: Any) -> Any:
    """The next seated colour clockwise that still plays; partners play on when all Home."""
    for _ in range(SEATS):
        seat = (seat + 1) & 3
        if seated(game, seat) and (rules.facts[0]["teams"] or not all_home(rules, game, seat)):
            return seat
    return seat


@kernel
def set_up(rules: Any, game: Any, first: Any) -> None:
    """Begin a new game among the seated colours; the random state goes on from where it is.

    game:  GAME record; who is seated is read from its pawns
    first: the seat that begins, or RANDOM_FIRST
    """
    pawns = game["pawns"]
    facts = rules.facts[0]
    seats = 0
    for seat in range(SEATS):
        game["ranks"][seat] = 0
        if pawns[seat, 0] != UNSEATED:
            seats += 1
            for slot in range(MAX_PAWNS):
                pawns[seat, slot] = START if slot < facts["pawns"] else UNSEATED
            if facts["on_circle"]:
                pawns[seat, 0] = CIRCLE
    for card in range(MAX_CARDS):
        game["deck"][card] = rules.facts[0]["deck"][card]
    if first == RANDOM_FIRST:
        game["rng"] = advance(game["rng"])
        turns = below(game["rng"], seats)
        first = next_seat(rules, game, SEATS - 1)
        for _ in range(turns):
            first = next_seat(rules, game, first)
    game["plies"] = 0
    game["draws"] = 0
    game["turn"] = first
    game["actor"] = first
    game["phase"] = MOVE
    game["card"] = WAITING


@helper
def refill(rules: Any, game: Any) -> None:
    """Shuffle the discards into a new draw pile if it is empty and a card is needed."""
    for card in range(MAX_CARDS):
        if game["deck"][card] != 0:
            return
    for card in range(MAX_CARDS):
        game["deck"][card] = rules.facts[0]["deck"][card]


@helper
def take_card(rules: Any, game: Any, card: Any) -> None:
    """Turn up this card of the draw pile."""
    if not rules.facts[0]["infinite"]:
        game["deck"][card] -= 1
    game["card"] = card
    game["draws"] += 1


@helper
def draw(rules: Any, game: Any) -> None:
    """Turn up a card: a uniform choice among those left, by exactly one random number."""
    refill(rules, game)
    total = 0
    for card in range(MAX_CARDS):
        total += int(game["deck"][card])
    game["rng"] = advance(game["rng"])
    left = below(game["rng"], total)
    for card in range(MAX_CARDS):
        left -= int(game["deck"][card])
        if left < 0:
            take_card(rules, game, card)
            return


@helper
def record_finish(rules: Any, game: Any) -> Any:
    """Give places to colours that are now all Home; True if that ends the game."""
    ranks = game["ranks"]
    if rules.facts[0]["teams"]:
        for seat in range(2):
            if all_home(rules, game, seat) and all_home(rules, game, seat + 2):
                ranks[seat] = 1
                ranks[seat + 2] = 1
                return True
        return False
    finished = 0
    seats = 0
    for seat in range(SEATS):
        seats += seated(game, seat)
        finished += ranks[seat] != 0
    for seat in range(SEATS):
        if ranks[seat] == 0 and seated(game, seat) and all_home(rules, game, seat):
            finished += 1
            ranks[seat] = finished
    if rules.facts[0]["play_out"]:
        return finished >= seats - 1
    return finished > 0


@helper
def play(rules: Any, game: Any, a: Any) -> None:
    """Play a legal action up to the point where a card must be drawn, or to the game's end.

    game: GAME record, changed
    a:    action index
    """
    move_pawns(rules, game, rules.actions[a])
    game["plies"] += 1
    card = game["card"]
    if record_finish(rules, game):
        game["phase"] = OVER
        game["card"] = NO_CARD
        return
    turn = game["turn"]
    if not rules.facts[0]["again"][card] or game["ranks"][turn] != 0:
        turn = next_seat(rules, game, turn)
    game["turn"] = turn
    game["actor"] = turn
    game["card"] = WAITING


@helper
def returns(rules: Any, game: Any, reward: Any, out: Any) -> None:
    """Rewards of a finished game for each seat.

    WIN:  every winner +1, the losers share the same total as a loss
    RANK: +1 for the first place down to -1 for the last in equal steps
    out:  float32[4], overwritten; 0 for a colour that is not seated
    """
    seats = 0
    winners = 0
    places = 0
    for seat in range(SEATS):
        if seated(game, seat):
            seats += 1
            winners += game["ranks"][seat] == 1
            places += game["ranks"][seat] != 0
    for seat in range(SEATS):
        out[seat] = 0.0
        if not seated(game, seat):
            continue
        rank = game["ranks"][seat]
        if reward == WIN:
            out[seat] = 1.0 if rank == 1 else -winners / (seats - winners)
        elif seats > 1:
            # The one colour that did not finish is last.
            place = rank if rank else places + 1
            out[seat] = 1.0 - 2.0 * (place - 1) / (seats - 1)
