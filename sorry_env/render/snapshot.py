"""What a picture is drawn of, and the words that all pictures share: whose turn, which card.

`Snapshot` lists the few attributes that are read, so that any object with them can be drawn; a
`View` of `sorry_env/game.py` is one. Read `game.py` before and `scene.py` after this file.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

from sorry_env.rules import COLOURS, LETTERS

if TYPE_CHECKING:
    from sorry_env.rules import Card, Ruleset

#: Names on cards, where they differ from the name in move texts.
FACES = {"S": "Sorry!"}
WAITING = "?"


class Snapshot(Protocol):
    """The attributes of a game that are drawn.

    seats:   the seated colours, 0-3
    turn:    the seat in turn; actor: the seat that decides
    card:    name of the card being played; "?" before a draw, None where there is none
    pawns:   per colour r b y g the codes of its pawns, most advanced first; () if not seated
    unseen:  cards left in the pile by the ruleset's card order; None if it is infinite
    over:    whether the game has ended; winners: who came first
    """

    @property
    def ruleset(self) -> Ruleset: ...
    @property
    def seats(self) -> Sequence[int]: ...
    @property
    def turn(self) -> int: ...
    @property
    def actor(self) -> int: ...
    @property
    def card(self) -> str | None: ...
    @property
    def pawns(self) -> Sequence[Sequence[int]]: ...
    @property
    def unseen(self) -> Sequence[int] | None: ...
    @property
    def over(self) -> bool: ...
    @property
    def winners(self) -> Sequence[int]: ...


class Part(Protocol):
    """One pawn's part in a move: from one code to another, in its colour's own frame."""

    @property
    def seat(self) -> int: ...
    @property
    def start(self) -> int: ...
    @property
    def end(self) -> int: ...


class Played(Protocol):
    """A move that has been played, to be marked on the board."""

    @property
    def parts(self) -> Sequence[Part]: ...


def colour_name(colour: int) -> str:
    """`Red`, `Blue`, `Yellow` or `Green`."""
    return COLOURS[colour].capitalize()


def letter(colour: int) -> str:
    """The capital letter that stands on a colour's pawns."""
    return LETTERS[colour].upper()


def headline(view: Snapshot) -> str:
    """Who has won, or who is to do what."""
    if view.over:
        names = " and ".join(colour_name(c) for c in view.winners)
        return f"{names} {'win' if len(view.winners) > 1 else 'wins'}"
    turn = colour_name(view.turn)
    if view.card == WAITING:
        return f"{turn} draws"
    if view.actor != view.turn:
        return f"{turn}'s turn, {colour_name(view.actor)} decides"
    return f"{turn} to play"


def leading_colour(view: Snapshot) -> int:
    """The colour that the headline speaks of."""
    return view.winners[0] if view.over else view.turn


def find_card(view: Snapshot) -> Card | None:
    """The card being played, None where there is none or it is still to be drawn."""
    return next((card for card in view.ruleset.cards if card.name == view.card), None)


def card_face(name: str) -> str:
    """The large text on a card."""
    return FACES.get(name, name)


def card_words(card: Card) -> tuple[str, ...]:
    """What a card does in a few short lines, from its data alone."""
    choices = []
    if card.start:
        choices.append("leave Start")
    if card.take:
        choices.append("leave Start for a rival's square")
    if card.forward:
        choices.append(f"forward {card.forward}")
    if card.split:
        choices.append(f"split the {card.forward}")
    if card.backward:
        choices.append(f"back {card.backward}")
    if card.switch:
        choices.append("switch places")
    lines = [choice if i == 0 else f"or {choice}" for i, choice in enumerate(choices)]
    return (*lines, "then draw again") if card.again else tuple(lines)


def pile_size(view: Snapshot) -> int | None:
    """Cards left in the pile, None if it is infinite."""
    return None if view.unseen is None else sum(int(n) for n in view.unseen)
