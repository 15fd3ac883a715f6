"""The order of play: setting up, drawing cards, passing the turn, finishing and the returns.

Chance lives here and nowhere else: `draw` is the only kernel that takes a random number in the
course of a game, and takes exactly one. A turn of a game without hands runs

    [fire] -> draw -> [ice | token | ask -> answer] -> move -> [reply] -> [home] -> next

and one with hands: move or discard, draw, next. Read `apply.py` before and `afterstate.py` after
this file.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from sorry_env.engine.actions import (
    ADVANCE,
    DISCARD,
    NO_STEPS,
    PLACE_ICE,
    TAKE_FIRE,
    YES,
    YES_STEPS,
)
from sorry_env.engine.apply import move_pawns
from sorry_env.engine.cards import add_to_hand, drop_from_hand, pick_card
from sorry_env.engine.geometry import NOWHERE, place, slot_of
from sorry_env.engine.jit import helper, inner
from sorry_env.engine.marking import can_repeat
from sorry_env.engine.masks import can_go_along, fire_target, mark_moves
from sorry_env.engine.moves import move_by_count
from sorry_env.engine.results import all_home, anybody_home, record_finish, seated
from sorry_env.engine.rng import advance, below, unit
from sorry_env.engine.state import (
    ANSWER,
    ASK,
    CIRCLE,
    COMPANION,
    EMPTY,
    FIRE,
    HOME,
    ICE,
    MOVE,
    NO_CARD,
    NOBODY,
    OVER,
    REPLY,
    SEATS,
    START,
    TOKEN,
    UNSEATED,
    WAITING,
)
from sorry_env.engine.tokens import clear_marks, drop_fire
from sorry_env.rules.ruleset import MAX_CARDS, MAX_HAND, MAX_PAWNS

RANDOM_FIRST: Final = -1


@helper
def next_seat(facts: Any, game: Any, seat: Any) -> Any:
    """The next seated colour clockwise that still plays; partners play on when all Home."""
    for _ in range(SEATS):
        seat = (seat + 1) & 3
        if seated(game, seat) and (facts["teams"] or not all_home(facts, game, seat)):
            return seat
    return seat


@inner
def set_up(facts: Any, game: Any, first: Any) -> None:
    """Begin a new game among the seated colours; the random state goes on from where it is.

    game:  GAME record; who is seated is read from its pawns
    first: the seat that begins, or RANDOM_FIRST
    """
    pawns = game["pawns"]
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
        game["deck"][card] = facts["deck"][card]
    if first == RANDOM_FIRST:
        game["rng"] = advance(game["rng"])
        turns = below(game["rng"], seats)
        first = next_seat(facts, game, SEATS - 1)
        for _ in range(turns):
            first = next_seat(facts, game, first)
    game["plies"] = 0
    game["draws"] = 0
    game["again"] = 0
    game["fire_seat"] = game["ice_seat"] = game["asked"] = NOBODY
    game["fire_code"] = game["ice_code"] = START
    game["steps"] = 0
    for seat in range(SEATS):
        for i in range(MAX_HAND):
            game["hands"][seat, i] = EMPTY
        clear_marks(game["happy"], seat)
        clear_marks(game["punished"], seat)
    if facts["hand"]:
        for _ in range(facts["hand"]):
            for seat in range(SEATS):
                if seated(game, seat):
                    add_to_hand(game, seat, pick_card(facts, game))
    begin_turn(facts, game, first)


@inner
def receive_in_hand(facts: Any, game: Any, card: Any) -> None:
    """Put a card that has been drawn into the hand and pass on, but for a further play."""
    add_to_hand(game, np.int64(game["turn"]), card)
    game["card"] = NO_CARD
    if not game["again"]:
        begin_turn(facts, game, next_seat(facts, game, np.int64(game["turn"])))


@helper
def receive(facts: Any, game: Any, card: Any) -> None:
    """Go on with a card that has been drawn: open its phase, or put it into the hand and pass on.

    After it a further play is due for `end_vain_play`.
    """
    if facts["hand"]:
        receive_in_hand(facts, game, card)
    else:
        game["card"] = card
        game["phase"] = facts["opens"][card]


@helper
def draw(facts: Any, game: Any) -> None:
    """Let chance decide what is due: the next card, or the coin's answer.

    After it a further play is due for `end_vain_play`.
    """
    if game["phase"] == ANSWER:
        game["rng"] = advance(game["rng"])
        answer(game, unit(game["rng"]) < facts["p_yes"])
    else:
        receive(facts, game, pick_card(facts, game))


@inner
def end_vain_play(facts: Any, actions: Any, game: Any, mask: Any, work: Any) -> None:
    """Pass a further play on: it is there only if some card of the hand can be moved.

    To be called after a draw where `again` is set, as it can be with hands alone.
    mask, work: as for `masks.legal_mask`, overwritten
    """
    if mark_moves(facts, actions, game, mask, work)[0] == 0:
        game["again"] = 0
        begin_turn(facts, game, next_seat(facts, game, np.int64(game["turn"])))


# -- turns ----------------------------------------------------------------------------------------


@helper
def begin_turn(facts: Any, game: Any, seat: Any) -> None:
    """A seat's turn begins: with its Fire pawn, if that can advance, else with a card."""
    game["turn"] = seat
    game["actor"] = seat
    game["phase"] = MOVE
    game["card"] = NO_CARD if facts["hand"] else WAITING
    if facts["moods"]:
        clear_marks(game["happy"], seat)
    if facts["tokens"] and fire_target(facts, game, seat) != NOWHERE:
        game["phase"] = FIRE
        game["card"] = NO_CARD


@helper
def answer(game: Any, yes: Any) -> None:
    """The question is answered: the asker moves first."""
    game["steps"] = YES_STEPS if yes else NO_STEPS
    game["phase"] = MOVE
    game["actor"] = np.int64(game["turn"])


@inner
def end_play(facts: Any, game: Any, card: Any, moved: Any) -> None:
    """After a card has been played to the end: the game is over, or a draw or a turn is next.

    moved: False where the card was discarded from a hand
    """
    game["asked"] = NOBODY
    game["steps"] = 0
    game["actor"] = np.int64(game["turn"])
    again = facts["again"][card]
    if anybody_home(facts, game) and record_finish(facts, game):
        game["phase"] = OVER
        game["card"] = NO_CARD
        game["again"] = 0
    elif facts["hand"]:
        game["phase"] = MOVE
        game["card"] = WAITING
        game["again"] = again and moved and game["ranks"][np.int64(game["turn"])] == 0
    elif again and game["ranks"][np.int64(game["turn"])] == 0:
        game["phase"] = MOVE
        game["card"] = WAITING
    else:
        if facts["moods"]:
            clear_marks(game["punished"], np.int64(game["turn"]))
        begin_turn(facts, game, next_seat(facts, game, np.int64(game["turn"])))


@helper
def after_move(facts: Any, actions: Any, game: Any, card: Any) -> None:
    """After the pawns of a card have moved: a companion may go Home with the Fire pawn."""
    if facts["tokens"] and game["fire_code"] == HOME:
        drop_fire(game)
        for slot in range(MAX_PAWNS):
            if can_go_along(facts, game, np.int64(game["turn"]), slot):
                game["phase"] = COMPANION
                return
    if not (facts["repeat"][card] and can_repeat(facts, actions, game, card)):
        end_play(facts, game, card, np.int64(1))


@inner
def play_reply(facts: Any, game: Any, action: Any) -> None:
    """A move by the answer to a question: the asker's, then, as a reply, that of the one asked."""
    move_pawns(facts, game, action)
    if game["phase"] == MOVE and not record_finish(facts, game):
        game["phase"] = REPLY
        game["actor"] = np.int64(game["asked"])
    else:
        end_play(facts, game, np.int64(game["card"]), np.int64(1))


@inner
def play_phase(facts: Any, game: Any, action: Any) -> None:
    """Carry out a choice of a phase other than MOVE."""
    kind = action["kind"]
    phase = game["phase"]
    turn = np.int64(game["turn"])
    if phase == FIRE:
        game["phase"] = MOVE
        game["card"] = WAITING
        if kind == ADVANCE:
            target = fire_target(facts, game, turn)
            slot = slot_of(game["pawns"], turn, np.int64(game["fire_code"]))
            move_by_count(facts, game, turn, slot, target)
    elif phase == ICE:
        game["phase"] = MOVE
        game["ice_seat"] = NOBODY
        game["ice_code"] = START
        if kind == PLACE_ICE:
            seat = (turn + np.int64(action["side2"])) & 3
            game["ice_seat"] = seat
            game["ice_code"] = game["pawns"][seat, np.int64(action["slot2"])]
    elif phase == TOKEN:
        game["phase"] = MOVE
        if kind == TAKE_FIRE:
            game["fire_seat"] = turn
            game["fire_code"] = game["pawns"][turn, np.int64(action["slot"])]
    elif phase == COMPANION:
        place(game["pawns"], turn, np.int64(action["slot"]), np.int64(HOME))
        end_play(facts, game, np.int64(game["card"]), np.int64(1))
    elif phase == ASK:
        game["asked"] = game["actor"] = (turn + np.int64(action["side2"])) & 3
        game["phase"] = ANSWER
    elif phase == ANSWER:
        answer(game, kind == YES)


@helper
def play(facts: Any, actions: Any, game: Any, a: Any) -> None:
    """Play a legal action up to the point where chance is due, or to the game's end.

    game: GAME record, changed
    a:    action index
    """
    action = actions[a]
    game["plies"] += 1
    if game["steps"]:
        play_reply(facts, game, action)
        return
    if game["phase"] != MOVE:
        play_phase(facts, game, action)
        return
    card = np.int64(game["card"])
    if facts["hand"]:
        card = np.int64(action["card"])
        drop_from_hand(game, np.int64(game["turn"]), card)
        if action["kind"] == DISCARD:
            end_play(facts, game, card, np.int64(0))
            return
    move_pawns(facts, game, action)
    after_move(facts, actions, game, card)
