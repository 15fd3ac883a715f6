"""The kernels of the dice game: legal actions, playing one, the roll, observations and returns.

Chance lives in `roll` alone, which takes exactly one random number for all three dice. Kernels are
written under the rules of `engine/jit.py`. Read `tables.py` before and `single.py` after this file.
"""

from __future__ import annotations

from typing import Any

from sorry_env.engine.jit import helper, inner
from sorry_env.engine.rng import advance, below
from sorry_env.engine.state import MOVE, OVER
from sorry_env.express.state import COLOURS, DICE, NOBODY, RESOLVED, SEATS, UNROLLED, UNSEATED
from sorry_env.express.tables import DECLINE, HOME, NOTHING, POOL, SIDES, TURN


@inner
def set_up(rules: Any, game: Any, first: Any) -> None:
    """Begin a new game among ``game["seats"]`` players; the random state goes on from where it is.

    Seat s shows the colour s: players begin with different Home colours.

    game:  EXPRESS_GAME record, of which `rng` and `seats` are read
    first: the seat that begins, or -1 for one by chance
    """
    seats = int(game["seats"])
    for colour in range(COLOURS):
        game["pool"][colour] = rules.facts[0]["pawns"]
    for seat in range(SEATS):
        game["home"][seat] = seat if seat < seats else UNSEATED
        for colour in range(COLOURS):
            game["held"][seat, colour] = 0
    for die in range(DICE):
        game["dice"][die] = UNROLLED
    game["plies"] = 0
    game["draws"] = 0
    game["phase"] = MOVE
    game["winner"] = NOBODY
    if first < 0:
        game["rng"] = advance(game["rng"])
        first = below(game["rng"], seats)
    game["turn"] = first
    game["actor"] = first


@helper
def roll_due(game: Any) -> Any:
    """Whether the dice must be rolled before anybody can decide."""
    return game["dice"][0] == UNROLLED


@helper
def roll(rules: Any, game: Any) -> None:
    """Roll the three dice: one random number for the 6 * 6 * 6 ways they can fall."""
    game["rng"] = advance(game["rng"])
    number = below(game["rng"], SIDES * SIDES * SIDES)
    for die in range(DICE - 1, -1, -1):
        game["dice"][die] = rules.facts[0]["faces"][die, number % SIDES]
        number //= SIDES
    game["draws"] += 1


@helper
def can(game: Any, action: Any) -> Any:
    """Whether an action of the face that lies up has its pawn or its Home; not for DECLINE."""
    kind, colour, side = int(action["kind"]), int(action["colour"]), int(action["side"])
    if kind == POOL:
        return game["pool"][colour] > 0
    seats = int(game["seats"])
    if side >= seats:
        return False
    seat = (int(game["turn"]) + side) % seats
    home = int(game["home"][seat])
    if kind == HOME:
        return game["held"][seat, home] > 0
    if kind == TURN:
        return home != colour
    if action["bare"] and game["pool"][colour] > 0:
        return False
    return home != colour and game["held"][seat, colour] > 0


@inner
def legal_mask(rules: Any, game: Any, mask: Any) -> Any:
    """Mark the actions open to the seat in turn; returns how many they are.

    Every die on the table offers what its face can do, or NOTHING where it can do nothing.

    mask: bool[A], overwritten; all False while the dice must be rolled and when the game is over
    """
    for a in range(len(mask)):
        mask[a] = False
    if game["phase"] == OVER or roll_due(game):
        return 0
    facts = rules.facts[0]
    count = 0
    for die in range(DICE):
        face = int(game["dice"][die])
        if face == RESOLVED:
            continue
        found = 0
        for a in range(facts["first"][die, face], facts["first"][die, face + 1]):
            action = rules.actions[a]
            if action["kind"] == DECLINE:
                # Only what may be taken from a waiting area may be left there.
                legal = found > 0 and game["pool"][action["colour"]] == 0
            else:
                legal = can(game, action)
            if legal:
                mask[a] = True
                found += 1
        if found == 0:
            mask[facts["none"][die]] = True
            found = 1
        count += found
    return count


@helper
def first_complete(rules: Any, game: Any) -> Any:
    """Who holds all pawns of the Home colour, the seat in turn looked at first; or NOBODY."""
    seats = int(game["seats"])
    for side in range(seats):
        seat = (int(game["turn"]) + side) % seats
        if game["held"][seat, game["home"][seat]] == rules.facts[0]["pawns"]:
            return seat
    return NOBODY


@inner
def play(rules: Any, game: Any, a: Any) -> None:
    """Resolve one die; the winner is looked for after each, and after the last the turn passes.

    a: a legal action
    """
    action = rules.actions[a]
    kind, colour = int(action["kind"]), int(action["colour"])
    turn, seats = int(game["turn"]), int(game["seats"])
    seat = (turn + int(action["side"])) % seats
    if kind == HOME:
        colour = int(game["home"][seat])
    if kind == TURN:
        game["home"][seat] = colour
    elif kind == POOL:
        game["pool"][colour] -= 1
        game["held"][turn, colour] += 1
    elif kind != DECLINE and kind != NOTHING:
        game["held"][seat, colour] -= 1
        game["held"][turn, colour] += 1
    game["dice"][action["die"]] = RESOLVED
    game["plies"] += 1
    winner = first_complete(rules, game)
    left = 0
    for die in range(DICE):
        if winner != NOBODY:
            game["dice"][die] = RESOLVED
        left += game["dice"][die] != RESOLVED
    if winner != NOBODY:
        game["winner"] = winner
        game["phase"] = OVER
    elif left == 0:
        for die in range(DICE):
            game["dice"][die] = UNROLLED
        game["turn"] = (turn + 1) % seats
        game["actor"] = game["turn"]


@helper
def observe(game: Any, viewer: Any, out: Any) -> None:
    """Write what a seat sees: everything, in the order of the seats clockwise from it.

    out: int8[O], overwritten; the fields are those of `tables.layout`
    """
    seats = int(game["seats"])
    for side in range(SEATS):
        seat = (viewer + side) % seats if side < seats else side
        out[side] = game["home"][seat]
        for colour in range(COLOURS):
            out[SEATS + side * COLOURS + colour] = game["held"][seat, colour]
    i = SEATS + SEATS * COLOURS
    for colour in range(COLOURS):
        out[i + colour] = game["pool"][colour]
    i += COLOURS
    for die in range(DICE):
        out[i + die] = RESOLVED if roll_due(game) else game["dice"][die]
    i += DICE
    out[i] = (int(game["turn"]) - viewer + seats) % seats
    out[i + 1] = game["phase"]


@helper
def returns(game: Any, out: Any) -> None:
    """Rewards of a finished game: the winner +1, the losers share the same total as a loss.

    out: float32[4], overwritten; 0 where nobody sits
    """
    seats = int(game["seats"])
    for seat in range(SEATS):
        out[seat] = 0.0
        if seat < seats:
            out[seat] = 1.0 if seat == game["winner"] else -1.0 / (seats - 1)
