"""Places and games, and what follows from a position: the kernels that ask the engine.

A *place* is the number of a position in a `Space`. Possible positions in which nobody has won are
the *states*: they are numbered anew, 0 to N - 1, and N stands for a game that is won. What a move
leads to is one int32, its *target*: state t where the same side is to move again, ~t where the
other is. Read `space.py` before and `graph.py` after this file.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np

from sorry_env.engine.geometry import in_frame, on_track
from sorry_env.engine.jit import helper, kernel
from sorry_env.engine.masks import legal_mask
from sorry_env.engine.observe import observe
from sorry_env.engine.state import HOME, OVER, SEATS, START
from sorry_env.engine.turn import play

#: Number of a place that is no state.
NO_STATE: Final = -1
#: What a move to such a place leads to.
NO_TARGET: Final = -(1 << 40)


class Scratch(NamedTuple):
    """Room for one thread, overwritten.

    games: GAME[2], blank games between the codec's seats
    mask:  bool[A]
    work:  WORK[2]
    """

    games: np.ndarray
    mask: np.ndarray
    work: np.ndarray


# -- places ---------------------------------------------------------------------------------------


@helper
def place_of(codec: Any, game: Any, mover: Any) -> Any:
    """The place of a game's position with this seat to move."""
    pawns = codec.pawns[0]
    place = np.int64(codec.frame[mover])
    for k in range(codec.order.shape[1]):
        seat = np.int64(codec.order[mover, k])
        number = np.int64(0)
        for slot in range(pawns):
            code = np.int64(game["pawns"][seat, slot])
            number += codec.binomials[code + pawns - 1 - slot, pawns - slot]
        place = place * codec.multisets.shape[0] + number
    return place


@kernel
def put_place(codec: Any, place: Any, game: Any) -> None:
    """Set a game's pawns and seat in turn; the rest of the record stays as it is."""
    seats = codec.order.shape[1]
    size = codec.multisets.shape[0]
    frame = place
    for _ in range(seats):
        frame //= size
    mover = np.int64(codec.mover[frame])
    for k in range(seats - 1, -1, -1):
        number = place % size
        place //= size
        seat = np.int64(codec.order[mover, k])
        for slot in range(codec.pawns[0]):
            game["pawns"][seat, slot] = codec.multisets[number, slot]
    game["turn"] = mover
    game["actor"] = mover


@kernel
def is_state(codec: Any, game: Any) -> Any:
    """Whether no two pawns share a square and no side has all its pawns Home."""
    pawns = codec.pawns[0]
    seats = codec.order.shape[1]
    mover = np.int64(game["turn"])
    for k in range(seats):
        seat = np.int64(codec.order[mover, k])
        at_home = True
        for slot in range(pawns):
            code = np.int64(game["pawns"][seat, slot])
            at_home &= code == HOME
            if slot > 0 and code == game["pawns"][seat, slot - 1]:
                if code != START and code != HOME:
                    return False
            if on_track(code):
                for other_k in range(k):
                    other = np.int64(codec.order[mover, other_k])
                    there = in_frame(code, seat, other)
                    for theirs in range(pawns):
                        if np.int64(game["pawns"][other, theirs]) == there:
                            return False
        if at_home:
            # Of partners, one alone has not won yet.
            for other_k in range(seats):
                other = np.int64(codec.order[mover, other_k])
                if codec.side[other] == codec.side[seat]:
                    at_home &= game["pawns"][other, pawns - 1] == HOME
            if at_home:
                return False
    return True


@kernel
def find_states(codec: Any, low: Any, high: Any, games: Any, progress: Any) -> None:
    """For places ``low`` to ``high`` - 1, the steps that all pawns have covered together.

    games:    GAME[1], scratch: a game between these seats
    progress: int16[R], written in that range; -1 where there is no state
    """
    game = games[0]
    for place in range(low, high):
        put_place(codec, place, game)
        covered = np.int64(NO_STATE)
        if is_state(codec, game):
            covered = np.int64(0)
            for seat in range(SEATS):
                for slot in range(codec.pawns[0]):
                    if game["pawns"][seat, slot] > START:
                        covered += np.int64(game["pawns"][seat, slot])
        progress[place] = covered


@kernel
def find_places(codec: Any, games: Any, movers: Any, places: Any) -> None:
    """The places of many positions.

    games:  GAME[n], between the codec's seats; movers: int8[n], who is to move
    places: int64[n], overwritten
    """
    for i in range(len(games)):
        places[i] = place_of(codec, games[i], np.int64(movers[i]))


# -- moves ----------------------------------------------------------------------------------------


@helper
def target_after(codec: Any, number: Any, won: Any, mover: Any, after: Any) -> Any:
    """The target of the position after a move by ``mover``, see the top of the file, or NO_TARGET.

    number: int32[R], the state of each place; won: N
    """
    if after["phase"] == OVER:
        for seat in range(SEATS):
            if after["ranks"][seat] == 1 and codec.side[seat] == codec.side[mover]:
                return won
        return ~won
    turn = np.int64(after["turn"])
    state = np.int64(number[place_of(codec, after, turn)])
    if state == NO_STATE:
        return NO_TARGET
    return state if codec.side[turn] == codec.side[mover] else ~state


@kernel
def fill_targets(
    rules: Any,
    codec: Any,
    number: Any,
    places: Any,
    low: Any,
    high: Any,
    scratch: Any,
    counts: Any,
    targets: Any,
) -> Any:
    """The distinct targets of every card in the states ``low`` to ``high`` - 1.

    number:  int32[R], the state of each place; places: int32[N], the place of each state
    scratch: see `Scratch`
    counts:  uint8[N, C], written in that range: how many targets a card has, 0 for a card that is
             never drawn
    targets: int32[T], overwritten from the front: state by state, card by card
    Returns how many targets there are in all, or ~s for a state s from which a move leads to a
    position that is none.
    """
    game, after = scratch.games[0], scratch.games[1]
    won = np.int64(len(places))
    used = 0
    for state in range(low, high):
        put_place(codec, np.int64(places[state]), game)
        mover = np.int64(game["turn"])
        for card in range(counts.shape[1]):
            first = used
            if codec.chances[card] > 0.0:
                game["card"] = card
                legal_mask(rules.facts[0], rules.actions, game, scratch.mask, scratch.work)
                for action in range(len(scratch.mask)):
                    if scratch.mask[action]:
                        scratch.games[1] = scratch.games[0]
                        play(rules.facts[0], rules.actions, after, action)
                        target = target_after(codec, number, won, mover, after)
                        if target == NO_TARGET:
                            return ~state
                        new = True
                        for i in range(first, used):
                            new &= np.int64(targets[i]) != target
                        if new:
                            targets[used] = target
                            used += 1
            counts[state, card] = used - first
    return used


# -- policies -------------------------------------------------------------------------------------


@kernel
def pose_decisions(
    rules: Any,
    codec: Any,
    places: Any,
    asked: Any,
    low: Any,
    high: Any,
    scratch: Any,
    games: Any,
    mask: Any,
    seen: Any,
) -> Any:
    """Write down the decisions of the states ``low`` to ``high`` - 1 that are asked.

    asked:  bool[N, C], which those are
    games:  GAME[n], overwritten from the front, likewise mask: bool[n, A] and seen: int8[n, O],
            what the seat that decides sees
    Returns how many there are.
    """
    game = scratch.games[0]
    used = 0
    for state in range(low, high):
        put_place(codec, np.int64(places[state]), game)
        for card in range(asked.shape[1]):
            if asked[state, card]:
                game["card"] = card
                games[used] = scratch.games[0]
                legal_mask(rules.facts[0], rules.actions, game, mask[used], scratch.work)
                observe(rules.facts[0], game, np.int64(game["actor"]), seen[used])
                used += 1
    return used


@kernel
def weigh_targets(
    rules: Any,
    codec: Any,
    number: Any,
    counts: Any,
    offsets: Any,
    targets: Any,
    asked: Any,
    low: Any,
    high: Any,
    scratch: Any,
    games: Any,
    chances: Any,
    weights: Any,
) -> None:
    """Add up the chances of the actions that lead to each target of the cards that are asked.

    offsets: int64[N + 1], where a state's targets begin; the rest as for `fill_targets`
    asked:   bool[N, C], as for `pose_decisions`, whose decisions GAME[n] of these states are
    games
    chances: float64[n, A], of the actions in them
    weights: float64[T], written for these decisions
    """
    after = scratch.games[1]
    won = np.int64(len(offsets) - 1)
    n = 0
    for state in range(low, high):
        at = offsets[state]
        for card in range(counts.shape[1]):
            end = at + np.int64(counts[state, card])
            if asked[state, card]:
                weights[at:end] = 0.0
                mover = np.int64(games[n]["turn"])
                for action in range(chances.shape[1]):
                    if chances[n, action] > 0.0:
                        scratch.games[1] = games[n]
                        play(rules.facts[0], rules.actions, after, action)
                        target = target_after(codec, number, won, mover, after)
                        for i in range(at, end):
                            if np.int64(targets[i]) == target:
                                weights[i] += chances[n, action]
                n += 1
            at = end


@kernel
def put_places(codec: Any, places: Any, games: Any) -> None:
    """Set the positions of games GAME[n] to these places int[n]."""
    for i in range(len(games)):
        put_place(codec, np.int64(places[i]), games[i])
