"""Positions as one line of text, eight fields: write a game or a view, read a game.

`RULESET PAWNS TURN PHASE CARD DECK HANDS EXTRA`, position format 1. Reading refuses every text that
`write` could not have written. Read `squares.py` before and `moves.py` after this file.
"""

from __future__ import annotations

import numpy as np

from sorry_env.engine.rng import fresh_seed
from sorry_env.engine.state import (
    HOME,
    NO_CARD,
    OVER,
    PHASES,
    SEATS,
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
    """The position's line."""
    pawns = "/".join(
        ",".join(square_text(seat, code) for code in codes) or _NONE
        for seat, codes in enumerate(game.pawns)
    )
    unseen = game.unseen
    deck = "*" if unseen is None else ".".join(map(str, unseen))
    winners = "".join(LETTERS[seat] for seat in game.winners)
    extra = f"winner={winners}" if winners else _NONE
    turn = LETTERS[game.turn]
    return f"{game.ruleset.name} {pawns} {turn} {game.phase} {game.card or _NONE} {deck} - {extra}"


def read(text: str, *, seed: int | None = None) -> Game:
    """The game of a position's line.

    seed: for the draws to come; None takes one from the system
    Raises RulesetError for an unknown ruleset and PositionError, naming field and value, for
    everything else that is not a position.
    """
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
    state[0]["turn"] = state[0]["actor"] = _read_turn(turn)
    state[0]["phase"] = _read_phase(phase)
    state[0]["card"] = _read_card(tables, card)
    _read_deck(tables, state[0], deck)
    if hands != _NONE:
        raise PositionError(f"HANDS {hands!r} must be '-': nobody holds cards", value=hands)
    _read_extra(tables, state[0], extra)
    return Game.from_state(tables, state, seed=fresh_seed() if seed is None else seed)


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


def _read_turn(text: str) -> int:
    if len(text) != 1 or text not in LETTERS:
        raise PositionError(f"TURN {text!r} must be one of r b y g", value=text)
    return LETTERS.index(text)


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


def _read_extra(tables: RuleTables, game: np.void, text: str) -> None:
    """Rebuild the places of finished colours from `winner=`.

    Later places need no text: with four seats at most, whoever finished last is the seat in turn.
    """
    home = [s for s in range(SEATS) if _is_home(tables, game, s)]
    if text == _NONE:
        if tables.ruleset.teams == "none" and home:
            raise PositionError(
                f"EXTRA '-' must name the winner: {LETTERS[home[0]]} has all pawns Home", value=text
            )
        return
    key, _, letters = text.partition("=")
    if key != "winner" or not letters:
        raise PositionError(f"EXTRA {text!r} must be '-' or winner=LETTERS", value=text)
    teams = tables.ruleset.teams != "none"
    if letters not in (("ry", "bg") if teams else tuple(LETTERS)):
        wanted = "ry or bg" if teams else "one of r b y g"
        raise PositionError(f"EXTRA {text!r}: the winner must be {wanted}", value=text)
    winners = [LETTERS.index(letter) for letter in letters]
    for seat in winners:
        if seat not in home:
            raise PositionError(
                f"EXTRA {text!r}: {LETTERS[seat]} has not all its pawns Home", value=text
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
