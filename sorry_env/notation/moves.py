"""Moves as text (`7:12-15,30-34`) and in words, and text read back as the legal move it names.

Squares are written as they stand before the move and as counted: slides are implied. Read
`squares.py` before and `record.py` after this file.
"""

from __future__ import annotations

from sorry_env.engine.actions import NO_STEPS, YES_STEPS
from sorry_env.engine.state import ENTRY, HOME, START
from sorry_env.errors import MoveError
from sorry_env.game import Game, Move, Part, View
from sorry_env.notation.squares import square_text
from sorry_env.rules import COLOURS

#: Card names in words, where the letter alone would not tell.
CARD_WORDS = {
    "S": "Sorry!", "B": "Bump", "Q": "question", "HAPPY": "Happy", "PUNISH": "Punish",
    "BUDDY": "Buddy", "BULLY": "Bully", "WAY": "Way Sorry!",
}  # fmt: skip

#: Phases whose moves are written with the card; the others are written with the phase.
_OF_A_CARD = ("move", "reply")
_WORDS_OF_KIND = {"discard": "discard", "decline": "no", "yes": "yes", "no": "no"}


def move_text(move: Move) -> str:
    """FORMATS text of a move, unique among the legal moves of its position."""
    if move.kind == "pass":
        return "pass"
    prefix = move.card if move.phase in _OF_A_CARD else move.phase
    if move.kind in _WORDS_OF_KIND:
        word = _WORDS_OF_KIND[move.kind]
        return f"{prefix}:{'off' if move.phase == 'ice' and word == 'no' else word}"
    if move.kind == "ask" and move.target is not None:
        return f"ask:{COLOURS[move.target[0]]}"
    if move.kind in ("ice", "token", "happy", "punish") and move.target is not None:
        return f"{prefix}:{square_text(*move.target)}"
    if move.kind == "home":
        return f"{prefix}:{square_text(move.parts[0].seat, move.parts[0].start)}"
    if move.target is not None:
        part = move.parts[0]
        squares = f"{square_text(part.seat, part.start)}x{square_text(*move.target)}"
    else:
        squares = ",".join(
            f"{square_text(p.seat, p.start)}-{square_text(p.seat, p.end)}" for p in move.parts
        )
    return f"{prefix}:{squares}"


def legal_texts(game: Game | View) -> list[str]:
    """Texts of all legal moves, sorted."""
    return sorted(move_text(move) for move in game.legal_moves())


def parse_move(game: Game | View, text: str) -> Move:
    """The legal move of this text.

    Raises MoveError, listing what is legal, for any other text.
    """
    moves = {move_text(move): move for move in game.legal_moves()}
    if isinstance(text, str) and text in moves:
        return moves[text]
    if game.over:
        reason = "the game is over"
    elif game.waiting:
        reason = f"{'a coin answers' if game.phase == 'answer' else 'a card must be drawn'} first"
    else:
        listed = sorted(moves)
        more = f" and {len(listed) - 8} more" if len(listed) > 8 else ""
        reason = f"{COLOURS[game.turn]} has card {game.card}: {', '.join(listed[:8])}{more}"
    raise MoveError(f"move {text!r} is not legal; {reason}", value=text)


def move_words(game: Game | View, move: Move) -> str:
    """A move in plain words, for example `move 3 from 58 to 1 and slide to 4`."""
    if move.kind == "pass":
        return _pass_words(game, CARD_WORDS.get(move.card, move.card))
    if move.kind in _CHOICES:
        return _choice_words(move)
    if move.target is not None:
        seat, code = move.target
        part = move.parts[0]
        verb = {"switch": "switch", "bully": "bump"}.get(move.kind, "take")
        mine = _place(part.seat, part.start)
        theirs = f"{COLOURS[seat]}'s pawn on {square_text(seat, code)}"
        stays = move.kind == "switch" and game.ruleset.switch_slides == "none"
        return f"{verb} {theirs} with the pawn {mine}" + ("" if stays else _slide(game, part))
    return ", then ".join(
        _part_words(game, part, move.parts[:played]) for played, part in enumerate(move.parts)
    )


#: Kinds of moves that are told in `_choice_words`.
_CHOICES = (
    "discard", "decline", "ice", "token", "home", "ask", "yes", "no", "happy", "punish",
)  # fmt: skip


def _choice_words(move: Move) -> str:
    """The moves of the editions that are no moves of pawns by a card."""
    where = "" if move.target is None else square_text(*move.target)
    if move.kind == "discard":
        return f"discard {CARD_WORDS.get(move.card, move.card)}"
    if move.kind == "decline":
        stays = {"fire": "leave the Fire pawn where it is", "ice": "take the Ice off the board"}
        return stays.get(move.phase, "leave the Fire where it is")
    if move.kind == "ask" and move.target is not None:
        return f"ask {COLOURS[move.target[0]]}"
    if move.kind == "home":
        part = move.parts[0]
        return f"the pawn {_place(part.seat, part.start)} goes Home too"
    if move.kind in ("yes", "no"):
        steps = YES_STEPS if move.kind == "yes" else NO_STEPS
        return f"answer {move.kind}: both move {steps}"
    if move.kind in ("happy", "punish"):
        return f"{'punish' if move.kind == 'punish' else 'make happy'} the pawn on {where}"
    return f"give the {'Ice' if move.kind == 'ice' else 'Fire'} to the pawn on {where}"


def _pass_words(game: Game | View, card: str) -> str:
    if len(game.legal_actions()) > 1:
        return f"leave the {card} unplayed: lose the turn"
    again = any(c.again for c in game.ruleset.cards if c.name == game.card)
    return f"no move with {card}: {'draw again' if again else 'lose the turn'}"


def _part_words(game: Game | View, part: Part, before: tuple[Part, ...]) -> str:
    if part.start == START:
        what = f"bring a pawn out to {square_text(part.seat, part.end)}"
    else:
        direction = f"{-part.steps} back" if part.steps < 0 else str(part.steps)
        what = f"move {direction} {_place(part.seat, part.start)} {_goal(part)}"
    return what + _bump(game, part, before) + _slide(game, part)


def _place(seat: int, code: int) -> str:
    return "from Start" if code == START else f"from {square_text(seat, code)}"


def _goal(part: Part) -> str:
    if part.end == HOME:
        return "Home"
    if part.end > ENTRY:
        return f"to safety square {part.end - ENTRY}"
    return f"to {square_text(part.seat, part.end)}"


def _bump(game: Game | View, part: Part, before: tuple[Part, ...]) -> str:
    """Whom the part lands on; pawns that an earlier part has moved away are there no more."""
    if not START < part.end <= ENTRY:
        return ""
    square = square_text(part.seat, part.end)
    gone = {(earlier.seat, earlier.start) for earlier in before}
    for seat, codes in enumerate(game.pawns):
        if seat != part.seat and any(
            START < code <= ENTRY and square_text(seat, code) == square and (seat, code) not in gone
            for code in codes
        ):
            return f", bumping {COLOURS[seat]}"
    return ""


def _slide(game: Game | View, part: Part) -> str:
    end = int(game.tables.arrays.facts[0]["slide_end"][part.end])
    if end == part.end:
        return ""
    return f" and slide to {square_text(part.seat, end)}"
