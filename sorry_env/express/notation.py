"""Positions and moves of the dice game as text, exactly as the formats say.

`express BASES POOL TURN DICE EXTRA`, six fields: `express r:2.1.0.0/b:1.3.2.0 1.0.2.4 0 1=b,3=L -`.
Moves begin with the die: `1:b<pool` `1:W:b<2` `1:S<2` `1:L:2>g` `1:none`. Reading refuses every
text that `write` could not have written. Read `game.py` before and `notation/record.py`, where
games are recorded, after this file.
"""

from __future__ import annotations

import numpy as np

from sorry_env.engine.rng import given_or_fresh_seed
from sorry_env.engine.state import OVER
from sorry_env.errors import MoveError, PositionError
from sorry_env.express.game import ExpressGame
from sorry_env.express.rules import FACES
from sorry_env.express.state import COLOURS, RESOLVED, SEATS, empty_games
from sorry_env.express.tables import KINDS, action_text, compile_rules
from sorry_env.express.view import NO_DICE, UNROLLED_TEXT, ExpressMove, ExpressReader
from sorry_env.notation.position import MAX_LENGTH
from sorry_env.rules import COLOURS as COLOUR_NAMES

_NONE = "-"
_WINNER = "winner="


def write(game: ExpressReader) -> str:
    """The position's line."""
    bases = "/".join(
        f"{FACES[home]}:{_counts_text(held)}"
        for home, held in zip(game.homes, game.held, strict=True)
    )
    extra = "".join(f"{_WINNER}{seat}" for seat in game.winners) or _NONE
    pool = _counts_text(game.pool)
    return " ".join((game.ruleset.name, bases, pool, str(game.turn), game.card, extra))


def _counts_text(counts: tuple[int, ...]) -> str:
    return ".".join(map(str, counts))


def read(text: str, *, seed: int | None = None) -> ExpressGame:
    """The game of a position's line.

    seed: for the rolls to come, from 0 to 2**64 - 1; None takes one from the system
    Raises RulesetError where it is not `express` and PositionError, naming field and value, for
    everything else that is not a position.
    """
    chance = given_or_fresh_seed(seed)
    if not isinstance(text, str) or len(text) > MAX_LENGTH:
        raise PositionError(
            f"a position must be text of at most {MAX_LENGTH} characters", value=text
        )
    fields = text.split(" ")
    tables = compile_rules(fields[0])
    if len(fields) != 6:
        raise PositionError(
            f"a position of express has six fields divided by single spaces, not {len(fields)}: "
            f"{text!r}",
            value=text,
        )
    _, bases, pool, turn, dice, extra = fields
    state = empty_games(1)
    game = state[0]
    _read_bases(game, bases)
    game["pool"][:] = _read_counts("POOL", pool)
    game["turn"] = game["actor"] = _read_seat("TURN", turn)
    _read_dice(game, dice)
    if extra != _NONE:
        if not extra.startswith(_WINNER):
            raise PositionError(f"EXTRA {extra!r} must be - or winner=N", value=extra)
        game["winner"] = _read_seat("EXTRA", extra.removeprefix(_WINNER))
    return ExpressGame.from_state(tables, state, seed=chance)


def _read_bases(game: np.void, text: str) -> None:
    bases = text.split("/")
    if len(bases) > SEATS:
        raise PositionError(f"BASES {text!r}: {len(bases)} bases are too many", value=text)
    game["seats"] = len(bases)
    for seat, base in enumerate(bases):
        home, colon, counts = base.partition(":")
        if not colon or len(home) != 1 or home not in FACES[:COLOURS]:
            raise PositionError(
                f"BASES {base!r} must be a Home colour r b y g, ':' and counts", value=base
            )
        game["home"][seat] = FACES.index(home)
        game["held"][seat] = _read_counts("BASES", counts)


def _read_counts(field: str, text: str) -> list[int]:
    parts = text.split(".")
    if len(parts) != COLOURS or not all(len(p) == 1 and p in "01234" for p in parts):
        raise PositionError(
            f"{field} {text!r} must be four counts from 0 to 4 joined by '.', r b y g", value=text
        )
    return [int(part) for part in parts]


def _read_seat(field: str, text: str) -> int:
    if len(text) != 1 or text not in "0123":
        raise PositionError(f"{field} {text!r} must be a seat, 0 to 3", value=text)
    return int(text)


def _read_dice(game: np.void, text: str) -> None:
    if text == UNROLLED_TEXT:
        return  # as an empty record has it
    game["dice"][:] = RESOLVED
    if text == NO_DICE:
        game["phase"] = OVER
        return
    last = 0
    for part in text.split(","):
        die, equals, face = part.partition("=")
        known = equals and len(die) == 1 and die in "123" and len(face) == 1 and face in FACES
        if not known or int(die) <= last:
            raise PositionError(
                f"DICE {text!r}: {part!r} must be N=FACE, dice 1 to 3 in order, faces {FACES}",
                value=part,
            )
        last = int(die)
        game["dice"][last - 1] = FACES.index(face)


def move_text(move: ExpressMove) -> str:
    """FORMATS text of a move, unique among the legal moves of its position."""
    face = FACES.index(move.face)
    colour = -1 if move.colour is None else move.colour
    return action_text(move.die - 1, face, KINDS.index(move.kind), colour, f"{move.seat}")


def legal_texts(game: ExpressReader) -> list[str]:
    """Texts of all legal moves, sorted."""
    return sorted(move_text(move) for move in game.legal_moves())


def parse_move(game: ExpressReader, text: str) -> ExpressMove:
    """The legal move of this text.

    Raises MoveError, listing what is legal, for any other text.
    """
    moves = {move_text(move): move for move in game.legal_moves()}
    if isinstance(text, str) and text in moves:
        return moves[text]
    if game.over:
        reason = "the game is over"
    elif game.waiting:
        reason = "the dice must be rolled first"
    else:
        listed = sorted(moves)
        more = f" and {len(listed) - 8} more" if len(listed) > 8 else ""
        reason = f"seat {game.turn} has the dice {game.card}: {', '.join(listed[:8])}{more}"
    raise MoveError(f"move {text!r} is not legal; {reason}", value=text)


def move_words(game: ExpressReader, move: ExpressMove) -> str:
    """A move in plain words, for example `take a blue pawn from player 2's waiting area`."""
    colour = "" if move.colour is None else COLOUR_NAMES[move.colour]
    whose = "the own" if move.seat == game.turn else f"player {move.seat}'s"
    return {
        "pool": f"take a {colour} pawn from the start base",
        "waiting": f"take a {colour} pawn from {whose} waiting area",
        "no": f"take no {colour} pawn",
        "sorry": f"take a {colour} pawn from {whose} Home",
        "slide": f"turn {whose} Home to {colour}",
        "none": f"nothing for die {move.die} to do",
    }[move.kind]
