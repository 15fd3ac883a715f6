"""Positions as one line of text, eight fields: write a game or a view, read a game.

`RULESET PAWNS TURN PHASE CARD DECK HANDS EXTRA`, position format 1. Reading refuses every text that
`write` could not have written. Read `squares.py` before and `moves.py` after this file.
"""

from __future__ import annotations

import numpy as np

from sorry_env.engine.actions import NO_STEPS, YES_STEPS
from sorry_env.engine.rng import given_or_fresh_seed
from sorry_env.engine.state import (
    ANSWER,
    HOME,
    MOVE,
    NO_CARD,
    OVER,
    PHASES,
    REPLY,
    SEATS,
    START,
    UNSEATED,
    WAITING,
    empty_games,
)
from sorry_env.engine.tables import RuleTables, compile_rules
from sorry_env.errors import PositionError
from sorry_env.game import UNDRAWN, Game, View
from sorry_env.notation.squares import read_square, square_text
from sorry_env.rules import LETTERS, get_ruleset

POSITION_FORMAT = 1
#: Far above any real position; longer text is refused before it is looked at.
MAX_LENGTH = 4096
_NONE = "-"


def write(game: Game | View) -> str:
    """The position's line; in the view of a seat that holds cards the other hands are `?`."""
    pawns = "/".join(
        ",".join(square_text(seat, code) for code in codes) or _NONE
        for seat, codes in enumerate(game.pawns)
    )
    turn = LETTERS[game.turn]
    if game.actor != game.turn:
        turn += f">{LETTERS[game.actor]}"
    unseen = game.unseen
    deck = "*" if unseen is None else ".".join(map(str, unseen))
    fields = (game.ruleset.name, pawns, turn, game.phase, game.card or _NONE, deck)
    return " ".join((*fields, _hands_text(game), _extra_text(game)))


def _hands_text(game: Game | View) -> str:
    hands = game.hands
    if hands is None:
        return _NONE
    return "/".join(
        _NONE if seat not in game.seats else "?" if hand is None else ".".join(hand)
        for seat, hand in enumerate(hands)
    )


def _extra_text(game: Game | View) -> str:
    pairs = []
    if game.again:
        pairs.append("again=1")
    if game.asked is not None and game.steps:
        pairs.append(f"asked={LETTERS[game.asked]}")
    if game.fire is not None:
        pairs.append(f"fire={square_text(*game.fire)}")
    if game.happy:
        pairs.append("happy=" + ",".join(square_text(*pawn) for pawn in game.happy))
    if game.ice is not None:
        pairs.append(f"ice={square_text(*game.ice)}")
    if game.punished:
        pairs.append("punished=" + ",".join(square_text(*pawn) for pawn in game.punished))
    if game.steps:
        pairs.append(f"steps={game.steps}")
    if game.winners:
        pairs.append("winner=" + "".join(LETTERS[seat] for seat in game.winners))
    return ";".join(pairs) or _NONE


def read(text: str, *, seed: int | None = None) -> Game:
    """The game of a position's line.

    seed: for the draws to come, from 0 to 2**64 - 1; None takes one from the system
    Raises RulesetError for an unknown ruleset and PositionError, naming field and value, for
    everything else that is not a position.
    """
    chance = given_or_fresh_seed(seed)
    if not isinstance(text, str) or len(text) > MAX_LENGTH:
        raise PositionError(
            f"a position must be text of at most {MAX_LENGTH} characters", value=text
        )
    fields = text.split(" ")
    if len(fields) != 8:
        raise PositionError(
            f"a position has eight fields divided by single spaces, not {len(fields)}: {text!r}",
            value=text,
        )
    name, pawns, turn, phase, card, deck, hands, extra = fields
    ruleset = get_ruleset(name)
    if ruleset.name != name:
        raise PositionError(f"RULESET {name!r} must be written {ruleset.name!r}", value=name)
    tables = compile_rules(ruleset)
    state = empty_games(1)
    _read_pawns(tables, state[0], pawns)
    _read_turn(state[0], turn)
    state[0]["phase"] = _read_phase(phase)
    state[0]["card"] = _read_card(tables, card)
    _read_deck(tables, state[0], deck)
    _read_hands(tables, state[0], hands)
    _read_extra(tables, state[0], extra)
    return Game.from_state(tables, state, seed=chance)


def _read_pawns(tables: RuleTables, game: np.void, text: str) -> None:
    colours = text.split("/")
    if len(colours) != SEATS:
        raise PositionError(
            f"PAWNS {text!r} must be four colours joined by '/', not {len(colours)}", value=text
        )
    wanted = tables.ruleset.pawns
    for seat, listed in enumerate(colours):
        if listed == _NONE:
            continue
        codes = [read_square(seat, square) for square in listed.split(",")]
        if len(codes) != wanted:
            raise PositionError(
                f"PAWNS {listed!r} has {len(codes)} pawns where {wanted} must be", value=listed
            )
        if codes != sorted(codes, reverse=True):
            raise PositionError(
                f"PAWNS {listed!r} must be in order, most advanced first", value=listed
            )
        game["pawns"][seat, :wanted] = codes


def _read_turn(game: np.void, text: str) -> None:
    turn, arrow, actor = text.partition(">")
    letters = (turn, actor) if arrow else (turn,)
    if not all(len(letter) == 1 and letter in LETTERS for letter in letters):
        raise PositionError(f"TURN {text!r} must be one of r b y g, or two as in r>y", value=text)
    if turn == actor:
        raise PositionError(f"TURN {text!r} must name another seat behind the >", value=text)
    game["turn"] = LETTERS.index(turn)
    game["actor"] = LETTERS.index(actor or turn)


def _read_phase(text: str) -> int:
    if text not in PHASES:
        raise PositionError(f"PHASE {text!r} must be one of {' '.join(PHASES)}", value=text)
    return PHASES.index(text)


def _read_card(tables: RuleTables, text: str) -> int:
    if text == _NONE:
        return NO_CARD
    if text == UNDRAWN:
        return WAITING
    names = tables.ruleset.card_names
    if text not in names:
        raise PositionError(f"CARD {text!r} must be one of {' '.join(names)} ? -", value=text)
    return names.index(text)


def _read_deck(tables: RuleTables, game: np.void, text: str) -> None:
    counts = tables.ruleset.counts
    if tables.ruleset.infinite:
        if text != "*":
            raise PositionError(f"DECK {text!r} must be '*' with an infinite deck", value=text)
        game["deck"][: len(counts)] = counts
        return
    parts = text.split(".")
    if len(parts) != len(counts):
        raise PositionError(f"DECK {text!r} must be {len(counts)} counts joined by '.'", value=text)
    for index, (part, full) in enumerate(zip(parts, counts, strict=True)):
        whole = part.isascii() and part.isdigit() and len(part) <= 3 and str(int(part)) == part
        if not whole or int(part) > full:
            card = tables.ruleset.cards[index].name
            raise PositionError(
                f"DECK {text!r}: count {part!r} of card {card} must be 0 to {full}", value=part
            )
        game["deck"][index] = int(part)


def _read_hands(tables: RuleTables, game: np.void, text: str) -> None:
    if not tables.ruleset.hand:
        if text != _NONE:
            raise PositionError(f"HANDS {text!r} must be '-': nobody holds cards", value=text)
        return
    hands = text.split("/")
    if len(hands) != SEATS:
        raise PositionError(f"HANDS {text!r} must be four hands joined by '/'", value=text)
    names = tables.ruleset.card_names
    for seat, hand in enumerate(hands):
        seated = int(game["pawns"][seat, 0]) != UNSEATED
        if hand == "?":
            raise PositionError(
                f"HANDS {text!r}: a game has no hidden hand; read_view reads views", value=hand
            )
        if (hand == _NONE) == seated:
            raise PositionError(f"HANDS {text!r}: '-' is for colours not seated", value=hand)
        if not seated or not hand:
            continue
        cards = hand.split(".")
        if unknown := [card for card in cards if card not in names]:
            raise PositionError(f"HANDS {hand!r}: no card is named {unknown[0]!r}", value=hand)
        indices = [names.index(card) for card in cards]
        if indices != sorted(indices):
            raise PositionError(f"HANDS {hand!r} must be in card order", value=hand)
        if len(indices) > tables.ruleset.hand:
            raise PositionError(
                f"HANDS {hand!r} has {len(indices)} cards; at most {tables.ruleset.hand} are held",
                value=hand,
            )
        game["hands"][seat, : len(indices)] = indices


def _read_extra(tables: RuleTables, game: np.void, text: str) -> None:
    """The pairs of EXTRA, each in its place and in alphabetical order."""
    pairs = [] if text == _NONE else [pair.partition("=")[::2] for pair in text.split(";")]
    keys = [key for key, _ in pairs]
    known = ("again", "asked", "fire", "happy", "ice", "punished", "steps", "winner")
    if keys != sorted(set(keys)) or not set(keys) <= set(known):
        raise PositionError(
            f"EXTRA {text!r} must be '-' or KEY=VALUE pairs joined by ';', in alphabetical order, "
            f"of the keys {', '.join(known)}",
            value=text,
        )
    values = dict(pairs)
    if values.get("again", "1") != "1":
        raise PositionError(f"EXTRA {text!r}: again must be 1", value=values["again"])
    game["again"] = "again" in values
    _read_question(tables, game, values, text)
    for token in ("fire", "ice"):
        if token in values:
            seat, code = _carrier(game, values[token], text)
            game[f"{token}_seat"], game[f"{token}_code"] = seat, code
    for mark in ("happy", "punished"):
        squares = values[mark].split(",") if mark in values else []
        carriers = [_carrier(game, square, text) for square in squares]
        if carriers != sorted(set(carriers), key=lambda pawn: (pawn[0], -pawn[1])):
            raise PositionError(
                f"EXTRA {text!r}: {mark} pawns must be in the order of PAWNS", value=values[mark]
            )
        for seat in range(SEATS):
            codes = [code for owner, code in carriers if owner == seat]
            game[mark][seat, : len(codes)] = codes
    _read_winner(tables, game, values.get("winner"), text)


def _read_question(tables: RuleTables, game: np.void, values: dict[str, str], text: str) -> None:
    """Who is asked and the steps of the answer; before it, TURN tells who is asked."""
    phase = int(game["phase"])
    if phase == ANSWER:
        game["asked"] = game["actor"]
    if "asked" not in values and "steps" not in values:
        return
    if phase not in (MOVE, REPLY) or not ("asked" in values and "steps" in values):
        raise PositionError(
            f"EXTRA {text!r}: asked and steps come together, from the answer to the reply",
            value=text,
        )
    if values["steps"] not in (str(YES_STEPS), str(NO_STEPS)):
        wanted = f"{YES_STEPS} or {NO_STEPS}"
        raise PositionError(f"EXTRA {text!r}: steps must be {wanted}", value=values["steps"])
    if len(values["asked"]) != 1 or values["asked"] not in LETTERS:
        raise PositionError(f"EXTRA {text!r}: asked must be a letter", value=values["asked"])
    game["asked"] = LETTERS.index(values["asked"])
    game["steps"] = int(values["steps"])


def _carrier(game: np.void, square: str, text: str) -> tuple[int, int]:
    """The pawn that stands on a square, as (seat, code)."""
    for seat in range(SEATS):
        for code in game["pawns"][seat].tolist():
            if START < code < HOME and square_text(seat, code) == square:
                return seat, code
    raise PositionError(f"EXTRA {text!r}: no pawn on the board stands on {square!r}", value=square)


def _read_winner(tables: RuleTables, game: np.void, letters: str | None, text: str) -> None:
    """Rebuild the places of finished colours from `winner=`.

    Later places need no text: with four seats at most, whoever finished last is the seat in turn.
    """
    home = [s for s in range(SEATS) if _is_home(tables, game, s)]
    teams = tables.ruleset.teams != "none"
    if letters is None:
        if not teams and home:
            raise PositionError(
                f"EXTRA {text!r} must name the winner: {LETTERS[home[0]]} has all pawns Home",
                value=text,
            )
        return
    if letters not in (("ry", "bg") if teams else tuple(LETTERS)):
        wanted = "ry or bg" if teams else "one of r b y g"
        raise PositionError(f"EXTRA {text!r}: the winner must be {wanted}", value=letters)
    winners = [LETTERS.index(letter) for letter in letters]
    for seat in winners:
        if seat not in home:
            raise PositionError(
                f"EXTRA {text!r}: {LETTERS[seat]} has not all its pawns Home", value=letters
            )
        game["ranks"][seat] = 1
    if teams:
        return
    others = [s for s in home if s not in winners]
    if int(game["phase"]) == OVER:
        others.sort(key=lambda seat: seat == int(game["turn"]))
    for rank, seat in enumerate(others, start=2):
        game["ranks"][seat] = rank


def _is_home(tables: RuleTables, game: np.void, seat: int) -> bool:
    return int(game["pawns"][seat, tables.ruleset.pawns - 1]) == HOME
