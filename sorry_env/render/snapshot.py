"""What a picture is drawn of: the attributes of a game and of a move that are read.

Any object with the attributes of `Snapshot` can be drawn; a `View` of `sorry_env/view.py` is one.
Read `view.py` before and `words.py` after this file.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from sorry_env.rules import Ruleset

#: The card of a game that waits for a draw.
WAITING = "?"
#: A pawn: its colour and its code.
Pawn = tuple[int, int]


class Snapshot(Protocol):
    """The attributes of a game that are drawn.

    seats:    the seated colours, 0-3
    turn:     the seat in turn; actor: the seat that decides
    phase:    what is decided: `move`, `over`, ... as in `engine.state.PHASES`
    card:     name of the card being played; "?" before a draw, None where there is none
    pawns:    per colour r b y g the codes of its pawns, most advanced first; () if not seated
    unseen:   cards left in the pile by the ruleset's card order, those of hidden hands among them;
              None if the pile is infinite
    hands:    per colour the names of the cards held, None for a hidden hand, () if not seated;
              None as a whole where nobody holds cards
    again:    whether this is a further play from the hand
    fire, ice: the pawn that carries the token, or None
    happy, punished: the pawns that are so
    asked:    the seat that is asked a question, or None; steps: what the answer gives, 0 before it
    over:     whether the game has ended; winners: who came first
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
    def phase(self) -> str: ...
    @property
    def card(self) -> str | None: ...
    @property
    def pawns(self) -> Sequence[Sequence[int]]: ...
    @property
    def unseen(self) -> Sequence[int] | None: ...
    @property
    def hands(self) -> Sequence[Sequence[str] | None] | None: ...
    @property
    def again(self) -> bool: ...
    @property
    def fire(self) -> Pawn | None: ...
    @property
    def ice(self) -> Pawn | None: ...
    @property
    def happy(self) -> Sequence[Pawn]: ...
    @property
    def punished(self) -> Sequence[Pawn]: ...
    @property
    def asked(self) -> int | None: ...
    @property
    def steps(self) -> int: ...
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
