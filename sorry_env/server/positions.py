"""What can be done with a position's line, of either game, hidden hands included.

A line with hidden hands `?` is a seat's view: it is answered where the hand that it shows decides.
`sorry legal` and `sorry apply` answer from here, too. Read `../notation/views.py` before and
`session.py` after this file.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from sorry_env.engine.determinize import determinize
from sorry_env.engine.state import SEATS
from sorry_env.errors import PositionError
from sorry_env.families import BOARD, Family, family_of
from sorry_env.notation import views
from sorry_env.notation.position import MAX_LENGTH


@dataclass(frozen=True, eq=False)
class Position:
    """A position that has been read.

    family: whose game it is
    game:   a game of it; of a view's line one that looks the same to the seat that it shows
    seat:   the seat whose view the line is, or None where it hides nothing
    """

    family: Family
    game: Any
    seat: int | None

    def line(self) -> str:
        """The line of the position as it is now, hiding what it hid."""
        shown = self.game if self.seat is None else self.game.view(self.seat)
        text: str = self.family.write(shown)
        return text


def read_position(line: str, seed: int = 0) -> Position:
    """The position of a line.

    seed: for draws by the engine
    Raises RulesetError for an unknown ruleset and PositionError for everything else that is no
    position, and where a hidden hand would have to be known.
    """
    if len(line) > MAX_LENGTH:
        raise PositionError(f"a position has at most {MAX_LENGTH} characters", value=line)
    family = family_of(line)
    if family is not BOARD or not views.hides_hands(line):
        return Position(family, family.read(line, seed=seed), None)
    game, seat = views.complete(line)
    if game.actor != seat and not (game.waiting or game.over):
        raise PositionError(
            f"HANDS hides the cards of {family.seat_names[game.actor]}, who decides", value="?"
        )
    return Position(family, game, seat)


def legal(position: Position) -> list[str]:
    """The legal moves, sorted; none when the game is over. PositionError while a draw is due."""
    family, game = position.family, position.game
    if game.waiting:
        coin = "a coin answers; after it moves are legal"
        drawn = f"{family.drawn.upper()} '?': {game.CHANCE[0]} before moves are legal"
        raise PositionError(coin if game.phase == "answer" else drawn, value=position.line())
    texts: list[str] = family.legal_texts(game)
    return texts


def apply(position: Position, move: str) -> str:
    """The line after a move, before the next draw; MoveError for a move that is not legal."""
    family, game = position.family, position.game
    game.play(family.parse_move(game, move), draw=False)
    return position.line()


def draw(position: Position, card: str | None, seed: int) -> str:
    """The line after a draw: of the card (the dice, the coin's answer) named, or by chance.

    seed: what chance follows from
    Raises PositionError where no draw is due or a hidden hand would get the card, and RequestError
    for a card that cannot come.
    """
    game, seat = position.game, position.seat
    if not game.waiting:
        state = "the game is over" if game.over else f"{position.family.drawn} {game.card or '-'}"
        raise PositionError(f"nothing is to be drawn: {state}", value=position.line())
    if seat is not None:
        if game.turn != seat:
            name = position.family.seat_names[game.turn]
            raise PositionError(f"HANDS hides the cards of {name}, who draws", value="?")
        if card is None:
            game.state[:] = determinize(game.tables, game.state, seat, np.random.default_rng(seed))
        elif card in game.ruleset.card_names:
            _put_in_pile(game.state[0], seat, game.ruleset.card_names.index(card))
    game.draw(card)
    return position.line()


def _put_in_pile(state: np.void, seat: int, card: int) -> None:
    """Let a card be in the draw pile if the seat can think so.

    The cards that stand for hidden hands were chosen by nobody: one of them changes its place with
    a card of the pile. An empty pile is filled from the discards, where no hidden card is.
    """
    deck = state["deck"]
    pile = np.flatnonzero(deck)
    if not len(pile) or deck[card]:
        return
    for other in range(SEATS):
        hand = state["hands"][other]
        held = np.flatnonzero(hand == card)
        if other != seat and len(held):
            hand[held[0]] = pile[0]
            count = int((hand >= 0).sum())
            hand[:count] = np.sort(hand[:count])
            deck[pile[0]] -= 1
            deck[card] += 1
            return
